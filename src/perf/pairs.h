/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FILE.pairs, beside a recording FILE: for each HITM who had stored to the line before. No profiler
 * knows it; a recorder that models the caches does. The writer is the last store to the line before
 * the load that met it. Counts are exact, where the samples of the recording are some of many; the
 * second is how many needed what was stored (struct access_pair).
 *
 * A line of the file: "writer-ip writer-address reader-ip reader-address count needed"; all
 * addresses are those of the running program, virtual. Lines ascend, each four once.
 */
#ifndef PERF_PAIRS_H
#define PERF_PAIRS_H

#include "layout/access.h"
#include "perf/side.h"

struct perf_pairs {
	struct access_pair *items; /* malloc'd */
	size_t n;
};

/*
 * Appends the file's text. Sorts @items, and puts those of the same four addresses together; @n may
 * be 0. @digest: of the recording as it is written, from hash_sha256_bytes().
 */
void pairs_write(struct access_pair *items, size_t n, const char digest[SHA256_HEX],
		 struct buf *out);

/* The bytes of a file; @path begins every error. */
MUST_CHECK bool pairs_read(const struct bytes *bytes, const char *path,
			   const char digest[SHA256_HEX], struct err *err, struct perf_pairs *ret);
void pairs_release(struct perf_pairs *pairs);

#endif
