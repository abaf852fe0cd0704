/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/patched.h"

#include "base/search.h"

#include <string.h>

void patcher_release(struct patcher *p)
{
	insn_code_release(&p->before);
	insn_code_release(&p->after);
}

enum { SITE_MAX = 255, NOP = 0x90, CALL_RELATIVE = 0xe8, JUMP_RELATIVE = 0xe9 };

/* ff /2: a call through memory, with or without a segment or size before it. */
static bool calls_through_memory(const struct insn_code *code)
{
	const struct insn *first = code->n ? &code->insns[0] : NULL;

	return first && first->effect == EFFECT_CALL && first->nmemory;
}

/* An instruction at @pc accesses memory, by an operand. */
static bool accesses_at(const struct insn_code *code, uint64_t pc)
{
	size_t i = insn_find(code, pc);

	return i != SIZE_MAX && code->insns[i].is_known && code->insns[i].nmemory;
}

/* The first run that is not before @pc. */
static size_t first_run(struct claim_run *const *runs, size_t n, uint64_t pc)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (runs[middle]->pc < pc)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

static bool is_in_place(const struct patcher *p, const struct patch *patch,
			struct claim_run *const *runs, size_t n)
{
	bool applied = calls_through_memory(&p->before);

	for (size_t i = first_run(runs, n, patch->address);
	     i < n && runs[i]->pc < patch->address + patch->size; i++) {
		bool before = accesses_at(&p->before, runs[i]->pc);
		bool after = accesses_at(&p->after, runs[i]->pc);

		if (after && !before)
			return true;
		if (before && !after && !applied)
			return false;
	}
	return applied;
}

/* A relative call or jump keeps its target when it moves. */
static void relocate(uint8_t *bytes, const struct patch *patch)
{
	uint32_t distance;

	if (patch->replacement_size != 5 ||
	    (bytes[0] != CALL_RELATIVE && bytes[0] != JUMP_RELATIVE))
		return;
	distance = (uint32_t)bytes[1] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3] << 16 |
		   (uint32_t)bytes[4] << 24;
	distance += (uint32_t)(patch->replacement - patch->address);
	for (unsigned i = 0; i < 4; i++)
		bytes[1 + i] = (uint8_t)(distance >> 8 * i);
}

static void apply(struct patcher *p, const struct patch *patch, uint8_t *bytes,
		  struct claim_run *const *runs, size_t n)
{
	uint8_t other[SITE_MAX];

	memset(other, NOP, sizeof other);
	if (patch->replacement_size &&
	    !p->read(p->arg, patch->replacement, other, patch->replacement_size))
		return;
	relocate(other, patch);
	insn_clear(&p->before);
	insn_clear(&p->after);
	insn_decode(p->decoder, bytes, patch->size, patch->address, &p->before);
	insn_decode(p->decoder, other, patch->size, patch->address, &p->after);
	if (is_in_place(p, patch, runs, n))
		memcpy(bytes, other, patch->size);
}

void patch_bytes(struct patcher *p, uint64_t address, uint8_t *bytes, size_t len,
		 struct claim_run *const *runs, size_t n)
{
	const struct patches *all = p->patches;
	size_t low = FIRST_FROM(all->items, all->n, address, address);

	for (; low < all->n && all->items[low].address - address < len; low++) {
		const struct patch *patch = &all->items[low];
		uint64_t at = patch->address - address;

		if (patch->size <= len - at)
			apply(p, patch, bytes + at, runs, n);
	}
}

bool patch_replaces_call(const struct patches *patches, uint64_t pc)
{
	size_t at = FIRST_FROM(patches->sites, patches->nsites, address, pc);

	return at < patches->nsites && patches->sites[at].address == pc;
}

const struct patch_edge *patch_edges_in(const struct patches *patches, uint64_t low, uint64_t high,
					size_t *ret_n)
{
	size_t first = FIRST_FROM(patches->edges, patches->nedges, from, low);

	*ret_n = 0;
	while (first + *ret_n < patches->nedges && patches->edges[first + *ret_n].from < high)
		++*ret_n;
	return *ret_n ? patches->edges + first : NULL;
}
