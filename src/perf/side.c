/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/side.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { SIDE_MAX = 1 << 30 }; /* bytes: ten million lines */

bool side_find(const char *recording, const char *suffix, struct err *err, char **ret_path,
	       struct bytes *ret)
{
	struct buf path = BUF_INIT;

	*ret_path = NULL;
	buf_addf(&path, "%s%s", recording, suffix);
	if (access(path.s, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
		buf_release(&path);
		return false;
	}
	*ret_path = buf_detach(&path);
	return file_read(*ret_path, SIDE_MAX, err, ret);
}

void side_begin(struct buf *out, const char *kind, const char digest[SHA256_HEX], size_t n)
{
	buf_addf(out, "layoutcheck %s 1 %s %zu\n", kind, digest, n);
}

bool side_wrong(const struct side_lines *lines, struct err *err, const char *what)
{
	return err_set(err, lines->place, "line %" PRIu64 ": %s", lines->line, what);
}

bool side_next(struct side_lines *lines, struct err *err, struct text *ret)
{
	struct text *rest = &lines->rest;
	const char *newline = rest->len ? memchr(rest->s, '\n', rest->len) : NULL;

	if (!newline)
		return err_set(err, lines->place, "it ends in line %" PRIu64 ", which is not whole",
			       lines->line + 1);
	*ret = (struct text){rest->s, (size_t)(newline - rest->s)};
	rest->s += ret->len + 1;
	rest->len -= ret->len + 1;
	lines->line++;
	return true;
}

bool side_close(const struct side_lines *lines, struct err *err)
{
	if (!lines->rest.len)
		return true;
	return err_set(err, lines->place, "it goes on behind line %" PRIu64 ", its last",
		       lines->line);
}

bool side_hex(struct text *line, uint64_t *ret)
{
	struct text word;

	return text_word(line, &word) && text_begins(word, "0x") && text_hex(word, ret);
}

bool side_open(const struct bytes *bytes, const char *path, const char *kind,
	       const char digest[SHA256_HEX], struct err *err, struct side_lines *ret)
{
	struct text line, word;

	*ret = (struct side_lines){.place = path, .rest = {bytes->data, bytes->len}};
	if (!side_next(ret, err, &line))
		return false;
	if (!text_word(&line, &word) || !text_is(word, "layoutcheck") || !text_word(&line, &word) ||
	    !text_is(word, kind))
		return err_set(err, path, "it does not begin with `layoutcheck %s`", kind);
	if (!text_word(&line, &word) || !text_is(word, "1"))
		return err_set(err, path, "its version is not 1, the one this program reads");
	if (!text_word(&line, &word) || word.len != SHA256_HEX - 1)
		return err_set(err, path, "it does not say the SHA-256 of its recording");
	if (!text_is(word, digest))
		return err_set(err, path,
			       "it is of another recording than the one beside it, whose SHA-256 "
			       "is %s",
			       digest);
	/* A line has two bytes at the least, so a number that is larger is a lie. */
	if (!text_word(&line, &word) || !text_number(word, &ret->n) || text_word(&line, &word))
		return side_wrong(ret, err, "it does not end with the number of lines that follow");
	if (ret->n > ret->rest.len / 2)
		return side_wrong(ret, err, "more lines are to follow than there are");
	return true;
}
