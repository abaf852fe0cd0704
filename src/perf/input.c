/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

enum { WINDOW = 1 << 18 };

bool input_open(const char *path, struct err *err, struct input *ret)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct input input = {.place = is_stdin ? "<stdin>" : path};
	struct stat st;

	input.fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (input.fd < 0)
		return err_set_errno(err, input.place, "cannot open");
	if (fstat(input.fd, &st) != 0 || S_ISDIR(st.st_mode)) {
		close(input.fd);
		return err_set(err, input.place, "is a directory");
	}
	/* Some files of /proc say that they are empty. */
	if (S_ISREG(st.st_mode) && st.st_size > 0 && lseek(input.fd, 0, SEEK_CUR) == 0) {
		input.is_seekable = true;
		input.size = (uint64_t)st.st_size;
	}
	*ret = input;
	return true;
}

void input_release(struct input *input)
{
	free(input->window);
	close(input->fd);
}

/* Reads once, behind the window; the end of the file sets at_end. */
static bool fill(struct input *input, struct err *err)
{
	size_t room = input->cap - input->to;
	ssize_t got;

	do {
		got = input->is_seekable ? pread(input->fd, input->window + input->to, room,
						 (off_t)(input->offset + (input->to - input->from)))
					 : read(input->fd, input->window + input->to, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_set_errno(err, input->place, "cannot read");
	input->to += (size_t)got;
	input->at_end = got == 0;
	return true;
}

bool input_peek(struct input *input, size_t want, struct err *err, const uint8_t **ret,
		size_t *ret_len)
{
	if (input->to - input->from < want && !input->at_end) {
		size_t have = input->to - input->from;

		if (input->from > 0) {
			memmove(input->window, input->window + input->from, have);
			input->from = 0;
			input->to = have;
		}
		if (input->cap < want || input->cap == 0) {
			size_t usual = input->size > 0 && input->size < WINDOW ? (size_t)input->size
									       : WINDOW;

			input->cap = want > usual ? want : usual;
			/* One more, for the NUL behind a line that ends with the file. */
			input->window = xrealloc_array(input->window, input->cap + 1, 1);
		}
		while (input->to - input->from < want && !input->at_end)
			if (!fill(input, err))
				return false;
	}
	*ret = input->window + input->from;
	*ret_len = input->to - input->from;
	return true;
}

void input_take(struct input *input, size_t n)
{
	input->from += n;
	input->offset += n;
}

bool input_skip(struct input *input, uint64_t n, struct err *err)
{
	if (input->is_seekable) {
		input_seek(input, n > input->size || input->offset > input->size - n
					  ? input->size
					  : input->offset + n);
		return true;
	}
	while (n > 0) {
		const uint8_t *data;
		size_t len;

		if (!input_peek(input, 1, err, &data, &len))
			return false;
		if (len == 0)
			return true;
		if (len > n)
			len = (size_t)n;
		input_take(input, len);
		n -= len;
	}
	return true;
}

void input_seek(struct input *input, uint64_t offset)
{
	uint64_t end = input->offset + (input->to - input->from);

	if (offset >= input->offset && offset <= end) {
		input_take(input, (size_t)(offset - input->offset));
		return;
	}
	input->offset = offset;
	input->from = input->to = 0;
	input->at_end = false;
}

bool input_make_seekable(struct input *input, struct err *err)
{
	FILE *copy;
	uint64_t size = 0;
	bool ok = true;

	if (input->is_seekable)
		return true;
	copy = tmpfile();
	if (!copy)
		return err_set_errno(err, input->place, "cannot make a file to copy it to");
	while (ok) {
		const uint8_t *data;
		size_t len;

		if (!input_peek(input, 1, err, &data, &len)) {
			ok = false;
			break;
		}
		if (len == 0)
			break;
		if (fwrite(data, 1, len, copy) != len)
			ok = err_set_errno(err, input->place, "cannot copy it to a file");
		size += len;
		input_take(input, len);
	}
	if (ok && fflush(copy) != 0)
		ok = err_set_errno(err, input->place, "cannot copy it to a file");
	if (ok && dup2(fileno(copy), input->fd) < 0)
		ok = err_set_errno(err, input->place, "cannot copy it to a file");
	(void)fclose(copy);
	if (!ok)
		return false;
	input->is_seekable = true;
	input->size = size;
	input_seek(input, 0);
	return true;
}

bool input_line(struct input *input, struct err *err, char **ret, size_t *ret_len)
{
	size_t want = 1, seen = 0;

	for (;;) {
		const uint8_t *data;
		size_t len;
		uint8_t *line, *newline;

		if (!input_peek(input, want, err, &data, &len))
			return false;
		line = input->window + input->from;
		newline = len > seen ? memchr(line + seen, '\n', len - seen) : NULL;
		if (len == 0) {
			*ret = NULL;
			*ret_len = 0;
			return true;
		}
		if (newline || len < want) {
			size_t n = newline ? (size_t)(newline - line) : len;

			if (n > INPUT_LINE_MAX)
				break;
			input_take(input, newline ? n + 1 : n);
			line[n] = 0;
			if (n > 0 && line[n - 1] == '\r')
				line[--n] = 0;
			*ret = (char *)line;
			*ret_len = n;
			return true;
		}
		if (len > INPUT_LINE_MAX)
			break;
		seen = len;
		want = len < INPUT_LINE_MAX / 2 ? 2 * len : INPUT_LINE_MAX + 1;
	}
	return err_set(err, input->place, "a line of more than %d bytes at offset %llu",
		       INPUT_LINE_MAX, (unsigned long long)input->offset);
}

bool input_rest(struct input *input, size_t max, struct err *err, struct bytes *ret)
{
	const uint8_t *data;
	size_t len = 0, want = WINDOW;

	for (;;) {
		if (!input_peek(input, want, err, &data, &len))
			return false;
		if (len > max)
			return err_set(err, input->place, "more than %zu bytes of text", max);
		if (input->at_end && len < want)
			break;
		want = len > SIZE_MAX / 2 ? SIZE_MAX : len * 2;
		if (want > max)
			want = max + 1;
	}
	ret->data = xmalloc(len + 1);
	memcpy(ret->data, data, len);
	ret->data[len] = 0;
	ret->len = len;
	input_take(input, len);
	return true;
}
