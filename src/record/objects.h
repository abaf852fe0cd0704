/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slab allocator's objects on the lines of a recording that were fought over. */
#ifndef RECORD_OBJECTS_H
#define RECORD_OBJECTS_H

#include "layout/access.h"
#include "record/slabs.h"
#include "record/trace.h"

struct objects_source {
	const char *snapshot; /* the guest's memory, from when the recording stopped */
	uint64_t page_table;  /* address of the kernel's init_top_pgt */
	uint64_t direct;      /* virtual address of physical 0: where objects are */
	struct slab_facts facts;
};

/*
 * Those on lines on which an access met what another processor had modified; of the others nothing
 * is told. By line, then by where they begin; malloc'd, the names in @arena.
 */
MUST_CHECK bool objects_find(const struct objects_source *source, const struct trace *trace,
			     struct arena *arena, struct err *err, struct line_object **ret,
			     size_t *ret_n);

#endif
