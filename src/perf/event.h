/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a perf.data: what each puts into its samples, and which event a record is of.
 * Source of the formats: struct perf_event_attr and the comment of PERF_RECORD_SAMPLE in
 * include/uapi/linux/perf_event.h.
 */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/mem.h"

enum sample_field {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDR = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_RAW = 1 << 10,
	SAMPLE_BRANCH_STACK = 1 << 11,
	SAMPLE_REGS_USER = 1 << 12,
	SAMPLE_STACK_USER = 1 << 13,
	SAMPLE_WEIGHT = 1 << 14,
	SAMPLE_DATA_SRC = 1 << 15,
	SAMPLE_IDENTIFIER = 1 << 16,
	SAMPLE_TRANSACTION = 1 << 17,
	SAMPLE_REGS_INTR = 1 << 18,
	SAMPLE_PHYS_ADDR = 1 << 19,
	SAMPLE_AUX = 1 << 20,
	SAMPLE_CGROUP = 1 << 21,
	SAMPLE_DATA_PAGE_SIZE = 1 << 22,
	SAMPLE_CODE_PAGE_SIZE = 1 << 23,
	SAMPLE_WEIGHT_STRUCT = 1 << 24
};

struct event {
	uint64_t sample_type; /* of enum sample_field */
	uint64_t read_format;
	uint64_t branch_sample_type;
	unsigned nregs_user, nregs_intr; /* words of the two sets of registers */
	bool sample_id_all;              /* other records end with who, when and where */
	const char *name;                /* NULL: not known */
};

struct event_id {
	uint64_t id;
	size_t event;
};

struct events {
	struct event *items;
	size_t n, cap;
	struct event_id *ids; /* by id, once events_sort() was called */
	size_t nids, ids_cap;
};

void events_release(struct events *events);

/* Reads a perf_event_attr of any size at @c, which ends with it, and adds it. */
MUST_CHECK bool events_add(struct events *events, struct cursor *c, const char *place,
			   struct err *err);
/* That id belongs to the event added last. */
void events_add_id(struct events *events, uint64_t id);
void events_sort(struct events *events);

/* NULL: no event has it. */
struct event *events_of_id(const struct events *events, uint64_t id);

/* One sample, of what is of use here; what its event does not have is 0. */
struct sample {
	const struct event *event;
	uint64_t ip, time, address, id, weight, data_src, physical;
	int32_t pid, tid, cpu;
};

/*
 * Reads the body of a sample (behind the record's header). False: its fields run past it, or no
 * event has its id (*ret's event is NULL then).
 */
bool events_sample(const struct events *events, struct cursor c, struct sample *ret);

/* The time at the end of another record's body; 0 where it has none. */
uint64_t events_record_time(const struct events *events, const struct cursor *body);

#endif
