/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin leaves for the recorder: one file, written under another name and put in place
 * whole. In the byte order of the machine, which is that of both.
 *
 *	struct trace_header
 *	struct trace_access[naccesses]	by processor, in no order
 *	struct trace_pair[npairs]
 *	struct trace_task[ntasks]
 *	struct trace_map[nmaps]		of a program's; of a kernel none
 *
 * Counts are exact. Times are nanoseconds since the start of the recording.
 */
#ifndef PLUGIN_TRACE_H
#define PLUGIN_TRACE_H

#include <stdint.h>

#define TRACE_MAGIC 0x3145434152544c21ull

enum { TRACE_COMM = 16, TRACE_PATH = 4072, TRACE_LEVELS = 4, TRACE_CPUS = 32 };

enum trace_flags {
	TRACE_SYSTEM = 1,     /* a kernel, else a program */
	TRACE_STARTED = 2,    /* the start was passed */
	TRACE_STOPPED = 4,    /* and the stop; else it ends with the run */
	TRACE_ONE_THREAD = 8, /* the processors took turns on one thread: nothing can be told */
};

struct trace_header {
	uint64_t magic;
	uint32_t flags, cpus;   /* processors that accessed something: the highest, and 1 */
	uint64_t line, quantum; /* bytes; instructions, 0: no lockstep */
	uint64_t duration;
	uint64_t instructions;
	uint64_t waits, given_up; /* of the lockstep */
	uint64_t lost;   /* accesses whose place was one too many to be counted by itself */
	uint64_t beyond; /* accesses of processors beyond those that the model has */
	uint64_t evicted;
	uint64_t naccesses, npairs, ntasks, nmaps;
};

enum trace_access_flags { TRACE_LOCKED = 1, TRACE_SPLIT = 2 };

/* All accesses of one processor by one instruction to one address. */
struct trace_access {
	uint64_t ip, address, physical;
	uint64_t first, last;                               /* when */
	uint64_t loads[TRACE_LEVELS], stores[TRACE_LEVELS]; /* by enum coherence_level */
	uint32_t pid, tid;                                  /* of a task that did; 0: not known */
	uint8_t cpu, size, insn_size, flags;
	uint32_t unused;
};

/* Loads that met a line modified by another, and the last store to it before. */
struct trace_pair {
	uint64_t writer_ip, writer_address, reader_ip, reader_address;
	uint64_t count, needed; /* the second: of them, see plugin/freshness.h */
};

struct trace_task {
	uint32_t pid, tid;
	char comm[TRACE_COMM];
};

struct trace_map {
	uint64_t start, size, offset;
	char path[TRACE_PATH];
};

#endif
