/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text files that a recorder leaves beside a recording, for what perf.data has no place for. The
 * first line is "layoutcheck KIND 1 DIGEST N": the SHA-256 of the recording that the file speaks
 * of, and how many lines follow, so that a file cut short, or of another recording, is told. The
 * lines are words between blanks; numbers are hexadecimal behind 0x, counts decimal.
 *
 * FILE.pairs (perf/pairs.h) and FILE.objects (perf/objects.h) stand beside FILE.
 */
#ifndef PERF_SIDE_H
#define PERF_SIDE_H

#include <inttypes.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "perf/words.h"

/* The lines behind the first; the bytes are the caller's and outlive it. */
struct side_lines {
	const char *place; /* begins every error */
	struct text rest;
	uint64_t line; /* number in the file of the one that was read last */
	uint64_t n;    /* that follow, as the first line says; at most the bytes there are */
};

/*
 * The file beside @recording with that suffix (".pairs"). False with @err empty: there is none;
 * with @err filled: it cannot be read. @ret_path is malloc'd, the caller's, in the first case NULL.
 */
MUST_CHECK bool side_find(const char *recording, const char *suffix, struct err *err,
			  char **ret_path, struct bytes *ret);

/* Appends the first line. */
void side_begin(struct buf *out, const char *kind, const char digest[SHA256_HEX], size_t n);

/*
 * Reads it. @digest is that of the recording: another one is an error. @path lives as long as
 * @ret.
 */
MUST_CHECK bool side_open(const struct bytes *bytes, const char *path, const char *kind,
			  const char digest[SHA256_HEX], struct err *err, struct side_lines *ret);

/* The next line, without its newline. Called @n times; then side_close() says whether that was all.
 */
MUST_CHECK bool side_next(struct side_lines *lines, struct err *err, struct text *ret);
MUST_CHECK bool side_close(const struct side_lines *lines, struct err *err);

/* The next word of a line is a number, hexadecimal; false: it is not. */
bool side_hex(struct text *line, uint64_t *ret);

/* Fills @err with the place, the line, and @what is wrong with it; false. */
bool side_wrong(const struct side_lines *lines, struct err *err, const char *what);

#endif
