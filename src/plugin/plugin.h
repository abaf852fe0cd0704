/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the plugin share: what it was told, and its processors. */
#ifndef PLUGIN_PLUGIN_H
#define PLUGIN_PLUGIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugin/coherence.h"
#include "plugin/counts.h"
#include "plugin/trace.h"

/* Of the plugin's arguments, NAME=VALUE, numbers decimal or 0x hexadecimal. */
struct settings {
	const char *out;      /* the trace */
	const char *ram;      /* the guest's memory as a file, or NULL */
	const char *snapshot; /* where a copy of it goes at the stop, or NULL */
	uint64_t line;        /* bytes */
	uint64_t cache_lines; /* that a private cache holds, 8 ways; 0: all that there are */
	uint64_t quantum;     /* instructions; 0: no lockstep */
	uint64_t user;        /* of a system, code that is not the kernel's, too */
	uint64_t marks;       /* between the marks, see include/layoutcheck-marks.h */
	uint64_t from, to;    /* or between these instructions; 0: no such */
	/* How the running task is found (plugin/task.h); `comm` 0: it is not. */
	uint64_t percpu, current, direct, pid, tgid, comm;
};

struct vcpu {
	struct counts counts;
	uint64_t accesses, instructions; /* the processor's own thread */
	uint64_t clock;                  /* nanoseconds, read now and then */
	uint32_t pid, tid;               /* of the task that was seen last */
	uint64_t *cache;                 /* addresses of lines and 1, by set and last use */
	uint64_t evicted;
	/* lockstep */
	uint64_t next;              /* instructions to look at the others at */
	_Atomic uint64_t published; /* instructions, for the others */
	atomic_bool idle;
	uint64_t waits, given_up;
} __attribute__((aligned(128)));

extern struct settings settings;
extern struct vcpu vcpus[COHERENCE_CPUS];
extern bool is_system;
extern atomic_bool recording;

uint64_t nanoseconds(void); /* of a clock that only goes forward */

#endif
