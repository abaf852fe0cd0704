/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the plugin left (plugin/trace.h). */
#ifndef RECORD_TRACE_H
#define RECORD_TRACE_H

#include "base/err.h"
#include "base/file.h"
#include "plugin/trace.h"

struct trace {
	struct bytes bytes; /* the others point into it */
	const struct trace_header *header;
	const struct trace_access *accesses; /* as many of each as the header says */
	const struct trace_pair *pairs;
	const struct trace_task *tasks;
	const struct trace_map *maps;
};

/* An error also when nothing can be told of it: it was not started, or not on several threads. */
MUST_CHECK bool trace_read(const char *path, struct err *err, struct trace *ret);
void trace_release(struct trace *trace);

/* It met a line that another processor had modified. */
bool trace_access_met(const struct trace_access *access);

#endif
