/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of every cache line that was accessed, found by address, from any thread. Pages come
 * into being when they are first accessed, and stay.
 */
#ifndef PLUGIN_LINES_H
#define PLUGIN_LINES_H

#include "plugin/coherence.h"
#include "plugin/counts.h"

struct line {
	_Atomic coherence_state state;
	_Atomic(const struct place *) writer; /* the last store; NULL: not known */
};

/* The line of @size bytes, a power of two of 32 to 4096, that @address is on: of 48 bits, those
 * above do not count. */
struct line *line_at(uint64_t address, uint64_t size);

#endif
