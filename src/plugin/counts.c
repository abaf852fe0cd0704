/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/counts.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 4096, FIRST_SLOTS = 4096 };

void *zeroed(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	if (memory)
		return memory;
	fputs("layoutcheck-tcg: out of memory\n", stderr);
	exit(2);
}

void counts_lock(struct counts *counts)
{
	while (atomic_flag_test_and_set_explicit(&counts->lock, memory_order_acquire))
		sched_yield();
}

void counts_unlock(struct counts *counts)
{
	atomic_flag_clear_explicit(&counts->lock, memory_order_release);
}

struct place *counts_at(const struct counts *counts, size_t index)
{
	return &counts->chunks[index / CHUNK][index % CHUNK];
}

/* splitmix64's mixing: addresses differ in few bits. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = a * 0x9e3779b97f4a7c15ull ^ b;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* The same code is translated more than once: an instruction is what stands at its address. */
static bool is_place(const struct place *place, const struct insn *insn, uint64_t address)
{
	return place->address == address && place->insn->ip == insn->ip;
}

static size_t slot_of(const struct counts *counts, const struct insn *insn, uint64_t address)
{
	size_t mask = counts->nslots - 1, at = mix(insn->ip, address) & mask;

	while (counts->slots[at] &&
	       !is_place(counts_at(counts, counts->slots[at] - 1), insn, address))
		at = (at + 1) & mask;
	return at;
}

static void grow(struct counts *counts)
{
	size_t n = counts->nslots ? counts->nslots * 2 : FIRST_SLOTS;

	free(counts->slots);
	counts->slots = zeroed(n, sizeof *counts->slots);
	counts->nslots = n;
	for (size_t i = 0; i < counts->nplaces; i++) {
		const struct place *place = counts_at(counts, i);

		counts->slots[slot_of(counts, place->insn, place->address)] = (uint32_t)i + 1;
	}
}

static struct place *new_place(struct counts *counts)
{
	if (!counts->chunks)
		counts->chunks = zeroed(COUNTS_MOST / CHUNK, sizeof *counts->chunks);
	if (counts->nplaces % CHUNK == 0)
		counts->chunks[counts->nplaces / CHUNK] = zeroed(CHUNK, sizeof(struct place));
	return counts_at(counts, counts->nplaces++);
}

struct place *counts_place(struct counts *counts, const struct insn *insn, uint64_t address,
			   bool split)
{
	struct place *place = NULL;
	size_t at;

	if (counts->nslots) {
		at = slot_of(counts, insn, address);
		if (counts->slots[at])
			return counts_at(counts, counts->slots[at] - 1);
	}
	if (counts->nplaces == COUNTS_MOST) {
		counts->lost++;
		return NULL;
	}
	counts_lock(counts);
	if (counts->nplaces * 2 >= counts->nslots)
		grow(counts);
	place = new_place(counts);
	place->insn = insn;
	place->address = address;
	place->split = split;
	counts->slots[slot_of(counts, insn, address)] = (uint32_t)counts->nplaces;
	counts_unlock(counts);
	return place;
}

static size_t met_slot(const struct counts *counts, const struct place *writer,
		       const struct place *reader)
{
	size_t mask = counts->met_slots - 1;
	size_t at = mix((uintptr_t)writer, (uintptr_t)reader) & mask;

	while (counts->met[at].count &&
	       (counts->met[at].writer != writer || counts->met[at].reader != reader))
		at = (at + 1) & mask;
	return at;
}

static void grow_met(struct counts *counts)
{
	struct met *old = counts->met;
	size_t n = counts->met_slots;

	counts->met_slots = n ? n * 2 : FIRST_SLOTS;
	counts->met = zeroed(counts->met_slots, sizeof *counts->met);
	for (size_t i = 0; i < n; i++)
		if (old[i].count)
			counts->met[met_slot(counts, old[i].writer, old[i].reader)] = old[i];
	free(old);
}

void counts_meet(struct counts *counts, const struct place *writer, const struct place *reader)
{
	struct met *met;

	counts_lock(counts);
	if (counts->nmet * 2 >= counts->met_slots)
		grow_met(counts);
	met = &counts->met[met_slot(counts, writer, reader)];
	if (!met->count)
		*met = (struct met){.writer = writer, .reader = reader};
	counts->nmet += met->count == 0;
	met->count++;
	counts_unlock(counts);
}

void counts_needed(struct counts *counts, const struct place *writer, const struct place *reader)
{
	counts_lock(counts);
	counts->met[met_slot(counts, writer, reader)].needed++;
	counts_unlock(counts);
}
