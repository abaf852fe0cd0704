/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the index found -> definitions of the layout, with their types and where they are declared.
 * Threads share it out in batches; each makes types of its own, so that equal ones are one object
 * within a thread only. Of several errors, the one that comes first in the file is reported.
 */
#ifndef DWARF_FILL_H
#define DWARF_FILL_H

#include "dwarf/index.h"
#include "layout/model.h"

/* Fills layout->defs, in the order of the file. @threads: 0, one a processor. */
MUST_CHECK bool fill(const struct sections *sections, const struct definitions *found,
		     unsigned threads, struct err *err, struct layout *layout);

#endif
