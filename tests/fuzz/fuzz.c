/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"

void fuzz_want(bool truth, const char *promise)
{
	if (truth)
		return;
	(void)fprintf(stderr, "broken promise: %s\n", promise);
	abort();
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0) {
		fd = memfd_create("input", MFD_CLOEXEC);
		(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	fuzz_want(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size,
		  "the machine has room for the input");
	return path;
}

/* As it is printed: names in it are the file's, and escaped then. */
static bool is_one_line(const char *text)
{
	struct buf line = BUF_INIT;
	bool is_one;

	escape_text(&line, text);
	is_one = !strpbrk(line.s, "\n\r\033");
	buf_release(&line);
	return is_one;
}

void fuzz_answer(bool ok, struct err *err)
{
	fuzz_want(ok == !err->text, "an answer or a sentence");
	if (err->text) {
		fuzz_want(*err->text, "a sentence says something");
		fuzz_want(is_one_line(err->text), "a sentence is one line");
	}
	err_release(err);
}
