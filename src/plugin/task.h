/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which task runs on a processor. Of a program it is the calling thread. Of a kernel on x86-64 its
 * memory is read: per-cpu data of processor N begin at __per_cpu_offset[N], and hold the pointer to
 * the task_struct (arch/x86/include/asm/current.h). All of these are in the kernel's direct map.
 */
#ifndef PLUGIN_TASK_H
#define PLUGIN_TASK_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/trace.h"

/* Maps settings.ram; false after a sentence on standard error. */
bool task_open(void);

/* Sets pid and tid of the processor; both are 0 where that cannot be told. */
void task_look(unsigned index);

/* All tasks that were seen; the names are those they had last. */
const struct trace_task *tasks_seen(size_t *ret_n);

#endif
