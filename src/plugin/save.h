/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the trace (plugin/trace.h). */
#ifndef PLUGIN_SAVE_H
#define PLUGIN_SAVE_H

#include "plugin/trace.h"

/* What was counted, to settings.out; @header has flags and duration. A failure is a sentence on
 * standard error, and no file. */
void save_trace(struct trace_header *header);

#endif
