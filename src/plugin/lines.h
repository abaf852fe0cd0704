/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of every cache line that was accessed, found by address, from any thread, and what an
 * access finds there. Pages come into being when they are first accessed, and stay.
 */
#ifndef PLUGIN_LINES_H
#define PLUGIN_LINES_H

#include "plugin/coherence.h"
#include "plugin/counts.h"
#include "plugin/freshness.h"

struct line {
	_Atomic coherence_state state;
	_Atomic(const struct place *) writer; /* the last store; NULL: not known */
	struct freshness freshness;
};

struct line_use {
	unsigned cpu;
	bool load, store;
	uint64_t parts;            /* of the line, freshness_parts() */
	const struct place *place; /* NULL: it is not counted */
};

struct line_found {
	enum coherence_level level;
	const struct place *met; /* a load's, of LEVEL_HITM: the store before; NULL: not known */
	/* The load whose line this one shows to have been needed, and what it had met; or NULL. */
	const struct place *needed, *needed_met;
};

/* The line of @size bytes, a power of two of 32 to 4096, that @address is on: of 48 bits, those
 * above do not count. */
struct line *line_at(uint64_t address, uint64_t size);

void line_access(struct line *line, const struct line_use *use, struct line_found *ret);
void line_drop(struct line *line, unsigned cpu);

#endif
