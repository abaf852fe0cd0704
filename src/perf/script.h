/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of perf/: the reader of the text of perf script. */
#ifndef PERF_SCRIPT_H
#define PERF_SCRIPT_H

#include "perf/reader.h"

extern const struct recording_reader reader_script;

#endif
