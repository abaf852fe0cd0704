/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of three levels of 4,096 over the pages of 48 bits of address. */
#include "plugin/lines.h"

#include <stdlib.h>

enum { PAGE_SHIFT = 12, FANOUT_SHIFT = 12, FANOUT = 1 << FANOUT_SHIFT };

struct node {
	_Atomic(void *) below[FANOUT];
};

static struct node root;

/* What hangs at @at, made of @n times @size bytes if nothing does. Of two threads one wins. */
static void *child(_Atomic(void *) *at, size_t n, size_t size)
{
	void *seen = atomic_load_explicit(at, memory_order_acquire), *made;

	if (seen)
		return seen;
	made = zeroed(n, size);
	if (atomic_compare_exchange_strong_explicit(at, &seen, made, memory_order_acq_rel,
						    memory_order_acquire))
		return made;
	free(made);
	return seen;
}

struct line *line_at(uint64_t address, uint64_t size)
{
	uint64_t page = address >> PAGE_SHIFT;
	struct node *node = &root;
	struct line *lines;

	node = child(&node->below[page >> 2 * FANOUT_SHIFT & (FANOUT - 1)], 1, sizeof *node);
	node = child(&node->below[page >> FANOUT_SHIFT & (FANOUT - 1)], 1, sizeof *node);
	lines = child(&node->below[page & (FANOUT - 1)], (size_t)((1u << PAGE_SHIFT) / size),
		      sizeof *lines);
	return &lines[(address & ((1u << PAGE_SHIFT) - 1)) / size];
}
