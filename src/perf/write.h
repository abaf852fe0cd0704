/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a perf.data that `perf c2c report` and this program read: two events, loads and stores of
 * memory as an Intel processor samples them, on x86-64, little-endian. Source of the format: perf's
 * Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h.
 */
#ifndef PERF_WRITE_H
#define PERF_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Where an access was answered. */
enum written_level { WRITTEN_L1, WRITTEN_L3, WRITTEN_HITM, WRITTEN_MEMORY };

struct written_sample {
	uint64_t time; /* nanoseconds */
	uint64_t ip, address, physical;
	uint64_t period; /* accesses that it stands for */
	uint32_t pid, tid, cpu;
	enum written_level level;
	bool is_store, is_locked;
};

struct written_map {
	int32_t pid; /* -1: the kernel's text */
	uint64_t start, size, offset;
	const char *path;
	const char *build_id; /* hexadecimal, 40 digits at most; NULL: not known */
};

struct written_task {
	uint32_t pid, tid;
	const char *comm;
};

struct written_recording {
	const char *release;     /* of the kernel, "6.1.0-57-cloud-amd64" */
	const char *description; /* of the processor */
	const char *const *argv; /* up to a NULL; the command that recorded */
	uint64_t line;           /* bytes */
	uint64_t memory;         /* bytes */
	uint32_t cpus;
	const struct written_map *maps;
	size_t nmaps;
	const struct written_task *tasks;
	size_t ntasks;
	const struct written_sample *samples; /* by time */
	size_t nsamples;
};

/* Appends the file to @out, which is empty. */
void perf_data_write(const struct written_recording *recording, struct buf *out);

#endif
