/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding what a recording is made with. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/record_run.h"
#include "record/libraries.h"

#ifndef HELPERDIR
#error "HELPERDIR, where `make install` puts what the program uses, comes from the Makefile"
#endif

const char *record_helper(struct arena *arena, const char *name)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	const char *places[3] = {HELPERDIR, HELPERDIR, HELPERDIR};
	char *slash;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash) {
		*slash = '\0';
		places[0] = self;
		places[1] = arena_printf(arena, "%s/build", self);
	}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const char *path = arena_printf(arena, "%s/%s", places[i], name);

		if (access(path, R_OK) == 0)
			return path;
	}
	return NULL;
}

bool record_find_qemu(const char *name, const char *package, struct arena *arena, struct err *err,
		      const char **ret)
{
	*ret = program_find(name, arena);
	return *ret ||
	       err_set(err, NULL, "record: %s is not there: install Debian's %s", name, package);
}
