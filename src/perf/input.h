/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a recording, in a window that moves forward over a file or a pipe: memory is in
 * proportion to the window, not to the file. What was looked at and not taken is seen again, so
 * that readers can be tried on the first bytes.
 */
#ifndef PERF_INPUT_H
#define PERF_INPUT_H

#include "base/err.h"
#include "base/file.h"

struct input {
	int fd;
	const char *place; /* the path as given, or "<stdin>": begins every error */
	bool is_seekable;
	uint64_t size;   /* bytes in all; 0: not known (a pipe) */
	uint64_t offset; /* in the file, of `data` */
	uint8_t *window;
	size_t from, to, cap; /* what is read and not taken is window[from..to) */
	bool at_end;          /* nothing follows the window */
};

/* "-" is standard input. A directory is an error. @path lives as long as the input. */
MUST_CHECK bool input_open(const char *path, struct err *err, struct input *ret);
void input_release(struct input *input);

/*
 * The bytes that come next, at least @want of them unless the file ends before: good until the next
 * call. *ret_len 0: the end.
 */
MUST_CHECK bool input_peek(struct input *input, size_t want, struct err *err, const uint8_t **ret,
			   size_t *ret_len);
void input_take(struct input *input, size_t n); /* at most what was peeked */
MUST_CHECK bool input_skip(struct input *input, uint64_t n, struct err *err); /* stops at the end */

/* The offset in the file of the next byte. */
static inline uint64_t input_offset(const struct input *input)
{
	return input->offset;
}

/* Of a seekable one: the next byte is the one at @offset. */
void input_seek(struct input *input, uint64_t offset);

/* A pipe of which nothing was taken yet is copied to an unnamed file, and can be read at offsets.
 */
MUST_CHECK bool input_make_seekable(struct input *input, struct err *err);

/*
 * The next line, without its newline and a carriage return before it, NUL behind it; the pointer is
 * good until the next call and the bytes may be changed. *ret NULL: the end. A line of more than
 * INPUT_LINE_MAX bytes is an error.
 */
enum { INPUT_LINE_MAX = 1 << 20 };
MUST_CHECK bool input_line(struct input *input, struct err *err, char **ret, size_t *ret_len);

/* All that is left, NUL behind it; more than @max bytes are an error. */
MUST_CHECK bool input_rest(struct input *input, size_t max, struct err *err, struct bytes *ret);

#endif
