/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace of the plugin as a perf.data, and who had stored before.
 *
 * The trace counts every access; the recording samples: of each group (loads that the own cache
 * answered, other loads, loads that met a modified line, stores) one in so many that the whole
 * group makes at most CONVERT_SAMPLES. What is left over of one place goes on to the next, so that
 * shares are right to one sample, and a group that is small enough is whole. The samples of a place
 * lie evenly between its first and its last access.
 */
#ifndef RECORD_CONVERT_H
#define RECORD_CONVERT_H

#include "base/buf.h"
#include "perf/pairs.h"
#include "record/trace.h"

enum { CONVERT_SAMPLES = 100000 }; /* of a group */

/* What a trace does not say. */
struct convert_subject {
	const char *release;     /* of the kernel; of a program, the one it ran on */
	const char *const *argv; /* up to a NULL; the command that recorded */
	uint64_t memory;         /* bytes */
	/* Of a kernel: where its text is, and which build it is. */
	uint64_t text, text_end;
	const char *build_id; /* hexadecimal; NULL: not known */
	/* Of a program: its name, and the build id of a file that was mapped, in hexadecimal and
	 * malloc'd; NULL: it has none. */
	const char *comm;
	char *(*build_id_of)(const char *path);
};

struct converted {
	struct buf perf_data;
	struct access_pair *pairs; /* malloc'd */
	size_t npairs;
	uint64_t loads, stores, hitm; /* exact */
	uint64_t samples;
	uint64_t hitm_period; /* loads that met a modified line, a sample */
};

void convert(const struct trace *trace, const struct convert_subject *subject,
	     struct converted *ret);
void converted_release(struct converted *converted);

#endif
