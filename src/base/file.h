/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files in and out. Every read, write and close is checked. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A whole file in memory, NUL added behind `len` bytes. */
struct bytes {
	char *data;
	size_t len;
};

/* Reads @path whole; larger than @max bytes, a directory or a read error is an error. */
MUST_CHECK bool file_read(const char *path, size_t max, struct err *err, struct bytes *ret);
void bytes_release(struct bytes *bytes);

/* Reads exactly @len bytes at @offset of @fd; a short file is an error. @place names it in the
 * error. */
MUST_CHECK bool file_pread(int fd, void *data, size_t len, uint64_t offset, const char *place,
			   struct err *err);

/* Both are there and are one regular file. */
bool file_is_same(const char *a, const char *b);

/*
 * Writes a finished report. NULL or "-": standard output. A new or regular file is written beside
 * its final name and renamed into place, so that no partial report is ever left under the name, and
 * keeps its mode; signals wait meanwhile; symbolic links are followed, dangling ones too. Anything
 * else (/dev/full, a pipe) is opened and written.
 */
MUST_CHECK bool file_write(const char *path, const void *data, size_t len, struct err *err);

#endif
