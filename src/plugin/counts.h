/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one processor did, counted by instruction and address; and whom its loads met.
 *
 * Only the processor's own thread counts. Places are never freed nor moved, so that other threads
 * may keep a pointer to one; counts_lock() keeps new ones from being made while all are looked at.
 */
#ifndef PLUGIN_COUNTS_H
#define PLUGIN_COUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/coherence.h"

/* Places of one processor at most: about 130 MB. */
enum { COUNTS_MOST = 1 << 20 };

/* An instruction that accesses memory; lives as long as the process. */
struct insn {
	uint64_t ip;
	uint8_t size; /* bytes */
	bool locked;
};

struct place {
	const struct insn *insn;
	uint64_t address, physical;
	uint64_t first, last; /* nanoseconds */
	uint64_t loads[LEVELS], stores[LEVELS];
	uint32_t pid, tid;
	uint8_t size; /* of an access, bytes */
	bool split;   /* the second line of one that straddles two */
};

struct met {
	const struct place *writer, *reader;
	uint64_t count, needed; /* the second: of them */
};

struct counts {
	struct place **chunks; /* of CHUNK places each */
	size_t nplaces;
	uint32_t *slots; /* index of a place and 1; 0: free */
	size_t nslots;
	struct met *met; /* open addressing; free when count is 0 */
	size_t nmet, met_slots;
	uint64_t lost; /* accesses of what would be one place too many */
	atomic_flag lock;
};

/* The place of @insn and @address, new with all counts 0 if need be; NULL: there are too many. */
struct place *counts_place(struct counts *counts, const struct insn *insn, uint64_t address,
			   bool split);
struct place *counts_at(const struct counts *counts, size_t index);

/* One load at @reader met what @writer stored. */
void counts_meet(struct counts *counts, const struct place *writer, const struct place *reader);

/* One that was counted so needed what was stored (plugin/freshness.h). */
void counts_needed(struct counts *counts, const struct place *writer, const struct place *reader);

void counts_lock(struct counts *counts);
void counts_unlock(struct counts *counts);

/* Memory that is 0; the process ends with a sentence when there is none. */
void *zeroed(size_t n, size_t size);

#endif
