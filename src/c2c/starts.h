/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far into a line the objects of each type begin. A type says where its members are from its
 * start; which of them share a line is the allocator's to say, unless it puts all objects at the
 * same place.
 */
#ifndef C2C_STARTS_H
#define C2C_STARTS_H

#include "c2c/attribution.h"
#include "c2c/c2c.h"

struct starts {
	struct start_of {
		const struct def *def;
		uint64_t start;   /* bytes into a line */
		uint64_t objects; /* that begin there */
		uint64_t samples; /* of rows that bear them out */
	} * items;                /* by type, then start */
	size_t n, cap;
};

/* Of the objects that rows are named after. */
void starts_find(const struct c2c_table *table, const struct attribution *attribution,
		 struct starts *ret);
void starts_release(struct starts *starts);

/* Fills floats, alignment, starts and seen of an object of that type. */
void starts_of(const struct starts *starts, const struct def *def, uint64_t line_size,
	       struct arena *arena, struct c2c_object *ret);

#endif
