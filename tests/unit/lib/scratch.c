// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/scratch.h"

#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"

enum { LARGEST = 64 << 20 };

static struct arena arena;
static const char *dir;

int scratch_make(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *template = arena_printf(&arena, "%s/layoutcheck-XXXXXX", tmp ? tmp : "/tmp");

	(void)state;
	dir = mkdtemp(template);
	return dir ? 0 : -1;
}

int scratch_remove(void **state)
{
	(void)state;
	scratch_run("rm -rf '%s'", dir);
	arena_release(&arena);
	return 0;
}

const char *scratch_path(const char *name)
{
	return arena_printf(&arena, "%s/%s", dir, name);
}

void scratch_write(const char *name, const char *text)
{
	struct err err = ERR_INIT;

	if (!file_write(scratch_path(name), text, strlen(text), &err))
		fail_msg("%s", err.text);
}

struct bytes scratch_read(const char *name)
{
	struct err err = ERR_INIT;
	struct bytes bytes;

	if (!file_read(scratch_path(name), LARGEST, &err, &bytes))
		fail_msg("%s", err.text);
	return bytes;
}

void scratch_run(const char *fmt, ...)
{
	char name[] = "sh", option[] = "-c";
	char *argv[] = {name, option, NULL, NULL};
	struct buf command = BUF_INIT;
	int status = -1;
	va_list ap;
	pid_t pid;

	buf_addf(&command, "cd '%s' && ", dir);
	va_start(ap, fmt);
	buf_vaddf(&command, fmt, ap);
	va_end(ap);
	argv[2] = command.s;
	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0)
		fail_msg("failed: %s", command.s);
	buf_release(&command);
}
