/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of a value without following it: by DWARF's variables, by symbols. */
#ifndef DWARF_KNOWN_H
#define DWARF_KNOWN_H

#include "dwarf/track.h"

/* Whose value is asked for, and where. */
struct query {
	uint32_t block;
	uint32_t upto; /* before so many instructions of the block have run */
	uint8_t base;  /* a register, or PLACE_CFA: the slot */
	int32_t slot;
	int64_t delta; /* that is added to the value */
	bool is_exact;
	bool is_percpu; /* a per-cpu base is added to it too */
	unsigned depth, level;
};

static inline int64_t query_plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/*
 * Adds what variables say of the place at the instructions [first, last], none of which changes
 * it: nearest first.
 */
MUST_CHECK bool known_here(struct tracker *tracker, const struct query *q, size_t first,
			   size_t last, struct pointees *ret);

/*
 * The variable at an address: this unit's own, or one that it declares and another defines. Of a
 * type of its own, an array as it is; ret.has_address false: none.
 */
struct pointee known_address(const struct tracker *tracker, uint64_t address, bool is_percpu);

/* Adds the object at an address that the value is. */
MUST_CHECK bool known_add_address(struct tracker *tracker, const struct query *q, int64_t address,
				  struct pointees *ret);

#endif
