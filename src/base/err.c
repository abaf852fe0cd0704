/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

#undef err_set
#undef err_set_errno

static void fill(struct err *err, const char *place, const char *fmt, va_list ap)
{
	struct buf buf = BUF_INIT;

	if (place)
		buf_addf(&buf, "%s: ", place);
	buf_vaddf(&buf, fmt, ap);
	err->text = buf_detach(&buf);
}

bool err_set(struct err *err, const char *place, const char *fmt, ...)
{
	va_list ap;

	if (err->text)
		return false;
	va_start(ap, fmt);
	fill(err, place, fmt, ap);
	va_end(ap);
	return false;
}

bool err_set_errno(struct err *err, const char *place, const char *fmt, ...)
{
	int saved = errno;
	struct buf buf = BUF_INIT;
	va_list ap;

	if (err->text)
		return false;
	va_start(ap, fmt);
	buf_vaddf(&buf, fmt, ap);
	va_end(ap);
	err_set(err, place, "%s: %s", buf.s, strerror(saved));
	buf_release(&buf);
	return false;
}

void err_release(struct err *err)
{
	free(err->text);
	err->text = NULL;
}

/* Neither of these may allocate: write(2) only. */
static void say(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));

	(void)n; /* nowhere left to complain */
}

static int death_status = EXIT_CANNOT;

void die_with(int status)
{
	death_status = status;
}

noreturn void die_oom(void)
{
	say("layoutcheck: out of memory\n");
	_exit(death_status);
}

noreturn void bug_at(const char *file, int line, const char *what)
{
	char text[512];

	snprintf(text, sizeof text, "layoutcheck: bug at %s:%d: %s\n", file, line, what);
	say(text);
	_exit(death_status);
}
