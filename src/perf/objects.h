/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FILE.objects, beside a recording FILE of a kernel: what the slab allocator had on each recorded
 * line when the recording stopped. Objects that were freed before are not told from those in use.
 *
 * A line of the file: "line-address object-address object-size cache-name", virtual addresses of
 * the running kernel, the size in bytes (decimal), the name to the end of the line. Lines ascend by
 * line, then object; several objects can have parts of one line, each pair of both stands once.
 */
#ifndef PERF_OBJECTS_H
#define PERF_OBJECTS_H

#include "base/mem.h"
#include "layout/access.h"
#include "perf/side.h"

struct perf_objects {
	struct line_object *items; /* malloc'd; by line, then start */
	size_t n;
	struct arena arena; /* of the names */
};

/*
 * Appends the file's text. Sorts @items and leaves out what is there twice; @n may be 0. Bytes of a
 * name that are no text are written escaped. @digest: of the recording as it is written, from
 * hash_sha256_bytes().
 */
void objects_write(struct line_object *items, size_t n, const char digest[SHA256_HEX],
		   struct buf *out);

/* The bytes of a file; @path begins every error. */
MUST_CHECK bool objects_read(const struct bytes *bytes, const char *path,
			     const char digest[SHA256_HEX], struct err *err,
			     struct perf_objects *ret);
void objects_release(struct perf_objects *objects);

#endif
