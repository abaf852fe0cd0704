/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the reader of perf.data. A file is passed over twice: the first time for what was
 * mapped, and when, the second time for the samples. So nothing needs to be kept of samples, in
 * whatever order the processors' records stand.
 */
#ifndef PERF_DATA_H
#define PERF_DATA_H

#include "perf/features.h"
#include "perf/reader.h"
#include "perf/records.h"
#include "perf/translate.h"

enum record_misc {
	MISC_CPUMODE = 7,
	MISC_KERNEL = 1,
	MISC_USER = 2,
	MISC_HYPERVISOR = 3,
	MISC_GUEST_KERNEL = 4,
	MISC_GUEST_USER = 5,
	MISC_COMM_EXEC = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14
};

struct perf_data {
	const char *place;
	bool swap;
	bool may_be_cut;     /* the recording was interrupted */
	uint64_t start, end; /* offsets of the records; a pipe's: behind the headers */
	struct events events;
	bool needs_sort; /* ids were added to events */
	bool has_times;  /* all records have one; else they are in order */
	struct maps *maps;
	struct features features;
	struct kernel_map kernel;
	const struct map_file *kernel_file; /* with build id; NULL: not said */
	bool has_aux;
	struct translation translation;
};

extern const struct recording_reader reader_perf_data;

/* Takes what a record of perf's own says of events and machine; *ret: it was such a record. */
MUST_CHECK bool collect_header(struct perf_data *data, struct record *record, struct err *err,
			       bool *ret);

/* After the last of them: events are found by id. */
void collect_sort(struct perf_data *data);

/* Takes what a record says of maps and threads; @number: the how manieth record it is. */
void collect(struct perf_data *data, struct arena *arena, struct record *record, uint64_t number);

#endif
