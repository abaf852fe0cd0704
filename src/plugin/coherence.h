/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has a cache line: MESI as far as a recording can tell it, in one word a line.
 *
 *	modified	one processor wrote last and nobody else has it
 *	shared		some processors have it, clean (exclusive is being the only one)
 *	absent		nobody has it
 *
 * Not modelled: store buffers, prefetch, the levels between a private cache and what all share, and
 * caches that forward clean lines.
 */
#ifndef PLUGIN_COHERENCE_H
#define PLUGIN_COHERENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { COHERENCE_CPUS = 32 };

/* Where an access found its line. */
enum coherence_level {
	LEVEL_OWN,    /* in the processor's own cache, in a state that serves it */
	LEVEL_OTHERS, /* clean with others; or its own, which others have too and a store takes */
	LEVEL_HITM,   /* modified in the cache of another */
	LEVEL_MEMORY,
	LEVELS
};

/* 63..56: the owner and 1 when modified, else 0; 31..0: who has it. 0 is absent. */
typedef uint64_t coherence_state;

/* The state after an access of @cpu, below COHERENCE_CPUS. */
coherence_state coherence_next(coherence_state state, unsigned cpu, bool store,
			       enum coherence_level *ret);

/* The state after @cpu dropped the line; a modified one is written back. */
coherence_state coherence_dropped(coherence_state state, unsigned cpu);

/* The same on a line that other threads change, too. */
enum coherence_level coherence_access(_Atomic coherence_state *line, unsigned cpu, bool store);
void coherence_drop(_Atomic coherence_state *line, unsigned cpu);

#endif
