/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the slab allocator had on each line, where a recorder of the kernel has walked its books:
 * certain, where a name made of what instructions say is likely.
 */
#ifndef C2C_SLABS_H
#define C2C_SLABS_H

#include "base/mem.h"
#include "layout/access.h"

struct c2c_slabs {
	struct line_object *items; /* malloc'd */
	size_t n, cap;
	struct arena arena; /* of the names */
};

void c2c_slabs_add(struct c2c_slabs *slabs, const struct line_object *slab); /* copies the name */
void c2c_slabs_sort(struct c2c_slabs *slabs);
void c2c_slabs_release(struct c2c_slabs *slabs);

/* Of a sorted one: the objects on the line, by where they begin. */
const struct line_object *c2c_slabs_on(const struct c2c_slabs *slabs, uint64_t line, size_t *ret_n);

enum c2c_fit {
	FIT_UNKNOWN, /* nothing is known of the line */
	FIT_EXACT,   /* an object begins there, and has room */
	FIT_WITHIN,  /* it is inside of one: embedded, or an element of an array */
	FIT_NOT      /* no object holds it: it is another's, or was freed since */
};

/* Of the @n objects on a line: what they say of an object of @size bytes at least at @start. */
enum c2c_fit c2c_slabs_fit(const struct line_object *slabs, size_t n, uint64_t start,
			   uint64_t size);

#endif
