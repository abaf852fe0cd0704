/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One copy of everything: equal bytes are one object in an arena. Since pointers inside are to such
 * objects too, equal types are one object all the way down.
 */
#ifndef DWARF_CONS_H
#define DWARF_CONS_H

#include "base/mem.h"

struct cons {
	struct arena *arena; /* the objects live here */
	struct cons_entry {
		uint64_t hash;
		const void *object; /* NULL: free */
		size_t size;
	} * entries; /* open addressing */
	size_t n, capacity;
};

void cons_init(struct cons *cons, struct arena *arena);
void cons_release(struct cons *cons); /* the objects stay */

/* The object with these bytes, aligned for any type. Padding is compared like everything else. */
const void *cons(struct cons *cons, const void *data, size_t size);
const char *cons_string(struct cons *cons, const char *s);

#endif
