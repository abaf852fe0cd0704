/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/kernel.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/text.h"
#include "elf/facts.h"

enum { NOTES_MAX = 1 << 20 }; /* they are some hundred bytes */

bool is_running_btf(const char *path)
{
	char *real = realpath(path, NULL);
	bool is = real && text_starts_with(real, RUNNING_BTF_DIR);

	free(real);
	return is;
}

static const char *running_build_id(struct arena *arena)
{
	struct err err = ERR_INIT;
	const char *id = NULL;
	struct bytes notes;

	/* A kernel without the file has no build id to tell. */
	if (file_read("/sys/kernel/notes", NOTES_MAX, &err, &notes)) {
		id = elf_notes_build_id(cursor_over(notes.data, notes.len, false), 4, arena);
		bytes_release(&notes);
	}
	err_release(&err);
	return id;
}

void running_target(struct arena *arena, struct target *ret)
{
	const struct arch *arch;
	struct utsname name;

	*ret = (struct target){.module = "vmlinux"};
	if (uname(&name) != 0)
		return;
	arch = arch_by_name(name.machine);
	if (arch) {
		ret->arch = arch->name;
		ret->bits = arch->bits;
		ret->line = arch->line;
	}
	ret->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	ret->release = arena_strdup(arena, name.release);
	ret->has_kernel = kernel_version_parse(ret->release, &ret->kernel);
	ret->build_id = running_build_id(arena);
}
