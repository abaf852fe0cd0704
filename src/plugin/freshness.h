/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether what met a line needed it: Dubois et al., "The detection and elimination of useless
 * misses in multiprocessors" (ISCA 1993), by bytes. News of a processor is what others have stored
 * since it last loaded or stored those bytes itself. A load that met a line needed it when that
 * processor loads news before it loses the line again: true sharing. When it loads none, what it
 * has of the line was good, and only a store to something else had taken it away: false sharing.
 *
 * A line is 64 parts, of a byte each where it has 64; a set of them is a bit each, the first the
 * lowest.
 */
#ifndef PLUGIN_FRESHNESS_H
#define PLUGIN_FRESHNESS_H

#include "plugin/coherence.h"

struct place;

/* What one processor has seen of a line. All but `news` and `lost` are of its own thread. */
struct seeing {
	_Atomic uint64_t news; /* parts */
	atomic_bool lost;      /* another has stored to the line since it was met */
	/* The load that met the line last, and the store it met; NULL: none did, or it is settled.
	 */
	const struct place *reader, *writer;
};

struct freshness {
	_Atomic uint64_t stored;  /* parts that anyone ever did */
	_Atomic uint32_t used_by; /* processors, a bit each */
	_Atomic(struct seeing *)
		seen; /* COHERENCE_CPUS of them; NULL: one processor used the line */
};

/* The parts of a line of @line bytes that @size bytes are on, from @into; what is behind its end is
 * not. */
uint64_t freshness_parts(uint64_t into, uint64_t size, uint64_t line);

/* What @cpu, which is about to use the line, sees of it; NULL: no other has used it. */
struct seeing *freshness_of(struct freshness *freshness, unsigned cpu);

/* Its load met what @writer had stored. */
void freshness_meet(struct seeing *seeing, const struct place *writer, const struct place *reader);

/* What it met is settled: the line was needed, or dropped. */
void freshness_settle(struct seeing *seeing);

/* It loads @parts. True: that is what it needed the line for that it met; to be settled then. */
bool freshness_load(struct seeing *seeing, uint64_t parts);

/* @cpu stores @parts. */
void freshness_store(struct freshness *freshness, unsigned cpu, uint64_t parts);

#endif
