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

static void load(const struct line_use *use, struct seeing *seeing, struct line_found *found)
{
	if (found->level == LEVEL_HITM && found->met && use->place)
		freshness_meet(seeing, found->met, use->place);
	if (!freshness_load(seeing, use->parts))
		return;
	found->needed = seeing->reader;
	found->needed_met = seeing->writer;
	freshness_settle(seeing);
}

void line_access(struct line *line, const struct line_use *use, struct line_found *ret)
{
	const struct place *before = atomic_load_explicit(&line->writer, memory_order_acquire);
	struct seeing *seeing = freshness_of(&line->freshness, use->cpu);
	struct line_found found = {0};

	found.level = coherence_access(&line->state, use->cpu, use->store);
	if (use->load && found.level == LEVEL_HITM)
		found.met = before;
	if (use->load && seeing)
		load(use, seeing, &found);
	if (use->store) {
		atomic_store_explicit(&line->writer, use->place, memory_order_release);
		freshness_store(&line->freshness, use->cpu, use->parts);
	}
	*ret = found;
}

void line_drop(struct line *line, unsigned cpu)
{
	struct seeing *seeing = freshness_of(&line->freshness, cpu);

	coherence_drop(&line->state, cpu);
	if (seeing)
		freshness_settle(seeing);
}
