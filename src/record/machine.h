/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of QEMU for a run, and what its plugin is told.
 *
 * The memory of the guest is a file, so that the plugin and the recorder can read it. Up to
 * MACHINE_MAX_MEMORY a byte of the file is at its physical address: above, the machine leaves a gap
 * for devices.
 */
#ifndef RECORD_MACHINE_H
#define RECORD_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "record/tree.h"

enum { MACHINE_MIN_MEMORY = 128, MACHINE_MAX_MEMORY = 3072, MACHINE_MAX_CPUS = 16 }; /* MiB */

/* What the plugin is to do; see src/plugin. */
struct machine_plugin {
	const char *path;     /* of the plugin itself */
	const char *trace;    /* where it writes what it saw */
	const char *ram;      /* the memory as a file; NULL: a program is recorded */
	const char *snapshot; /* a copy of it from when the recording stopped; or NULL */
	uint64_t line, quantum, cache_lines; /* bytes, instructions, lines; 0 cache_lines: all */
	bool marks;                          /* between the marks, else all of the run */
	bool user;                           /* what is not the kernel, too */
	uint64_t from, to;                   /* instructions to begin and end at; 0: none */
	/* How the running task is found, in bytes; `has_task`: these are set. */
	bool has_task;
	uint64_t percpu;          /* physical address of __per_cpu_offset */
	uint64_t current;         /* of the pointer to the task, in the per-cpu area */
	uint64_t direct;          /* virtual address of physical 0 */
	uint64_t pid, tgid, comm; /* in struct task_struct */
};

struct machine {
	const char *qemu;
	const char *kernel, *initramfs; /* files */
	const char *status;             /* file for what the guest's first process says */
	const char *append;             /* to the kernel's command line; or NULL */
	unsigned cpus, memory;          /* memory in MiB */
	struct machine_plugin plugin;
};

/* argv of the emulator up to a NULL, in @arena. */
const char *const *machine_argv(const struct machine *machine, struct arena *arena);

/* The same for a program alone, under qemu-user. */
const char *const *machine_user_argv(const struct machine *machine, const struct workload *program,
				     struct arena *arena);

#endif
