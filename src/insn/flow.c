/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of instructions, and which leads to which. */
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/search.h"
#include "insn/insn.h"

void insn_code_release(struct insn_code *code)
{
	free(code->insns);
	free(code->blocks);
	free(code->preds);
	free(code->block_of);
	*code = (struct insn_code){0};
}

void insn_clear(struct insn_code *code)
{
	code->n = code->nblocks = code->npreds = 0;
}

size_t insn_find(const struct insn_code *code, uint64_t pc)
{
	size_t at = FIRST_FROM(code->insns, code->n, pc, pc);

	return at < code->n && code->insns[at].pc == pc ? at : SIZE_MAX;
}

/* Ways from one instruction to another, by number. */
struct way {
	uint32_t from, to;
};

struct ways {
	struct way *items;
	size_t n, cap;
};

static void add_way(struct ways *ways, const struct insn_code *code, size_t from, uint64_t to)
{
	size_t target = insn_find(code, to);

	if (target == SIZE_MAX)
		return; /* out of the function */
	ARRAY_GROW(ways->items, ways->n, ways->cap);
	ways->items[ways->n++] = (struct way){(uint32_t)from, (uint32_t)target};
}

static int compare_addresses(const void *left, const void *right)
{
	return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

static bool is_dead(const struct insn *insn, const uint64_t *dead, size_t ndead)
{
	uint64_t after = insn->pc + insn->length;

	return ndead && bsearch(&after, dead, ndead, sizeof *dead, compare_addresses);
}

static bool goes_on(const struct insn *insn, const uint64_t *dead, size_t ndead)
{
	switch (insn->flow) {
	case FLOW_CALL:
		return !is_dead(insn, dead, ndead);
	case FLOW_NEXT:
	case FLOW_BRANCH:
		return true;
	default:
		return false;
	}
}

static bool jumps(const struct insn *insn)
{
	return insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH;
}

/* A block begins at each target, and behind each instruction that does not simply go on. */
static void find_blocks(struct insn_code *code, const struct ways *ways, const bool *goes)
{
	bool *starts = xcalloc(code->n, sizeof *starts);

	starts[0] = true;
	for (size_t i = 0; i < ways->n; i++)
		starts[ways->items[i].to] = true;
	for (size_t i = 0; i + 1 < code->n; i++) {
		const struct insn *insn = &code->insns[i];

		if (!goes[i] || jumps(insn) || insn->pc + insn->length != insn[1].pc)
			starts[i + 1] = true;
	}
	/* A patched way leaves from the middle of what looked like a block. */
	for (size_t i = 0; i < ways->n; i++)
		if (ways->items[i].from + 1 < code->n)
			starts[ways->items[i].from + 1] = true;
	if (code->cap_block_of < code->n) {
		code->cap_block_of = code->n;
		code->block_of = xrealloc_array(code->block_of, code->n, sizeof *code->block_of);
	}
	for (size_t i = 0; i < code->n; i++) {
		if (starts[i]) {
			ARRAY_GROW(code->blocks, code->nblocks, code->cap_blocks);
			code->blocks[code->nblocks++] = (struct insn_block){.first = (uint32_t)i};
		}
		code->blocks[code->nblocks - 1].n++;
		code->block_of[i] = (uint32_t)code->nblocks - 1;
	}
	free(starts);
}

/* The last instruction of block @b goes on into the next block. */
static bool falls_through(const struct insn_code *code, size_t b, const bool *goes)
{
	size_t i = code->blocks[b].first + code->blocks[b].n - 1;
	const struct insn *insn = &code->insns[i];

	return i + 1 < code->n && goes[i] && insn->pc + insn->length == insn[1].pc;
}

/* From block to block. */
static void find_steps(const struct insn_code *code, const struct ways *ways, const bool *goes,
		       struct ways *ret)
{
	ret->n = 0;
	for (uint32_t b = 0; b < code->nblocks; b++) {
		if (!falls_through(code, b, goes))
			continue;
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n++] = (struct way){b, b + 1};
	}
	for (size_t i = 0; i < ways->n; i++) {
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n++] = (struct way){code->block_of[ways->items[i].from],
						    code->block_of[ways->items[i].to]};
	}
}

static uint8_t flow_of_last(const struct insn_code *code, size_t b)
{
	return code->insns[code->blocks[b].first + code->blocks[b].n - 1].flow;
}

/* Jumps through tables lead to the blocks that nothing else leads to, in this order of numbers. */
enum { INDIRECT_MAX = 16 };

/* Ways to blocks that have none: see insn_link(). */
static void adopt_orphans(const struct insn_code *code, struct ways *steps)
{
	bool *reached = xcalloc(code->nblocks, sizeof *reached);
	uint32_t indirect[INDIRECT_MAX], n = 0;

	for (size_t i = 0; i < steps->n; i++)
		reached[steps->items[i].to] = true;
	for (uint32_t b = 0; b < code->nblocks && n < INDIRECT_MAX; b++)
		if (flow_of_last(code, b) == FLOW_INDIRECT)
			indirect[n++] = b;
	for (uint32_t b = 1; b < code->nblocks; b++) {
		if (reached[b])
			continue;
		if (flow_of_last(code, b - 1) == FLOW_TRAP) {
			ARRAY_GROW(steps->items, steps->n, steps->cap);
			steps->items[steps->n++] = (struct way){b - 1, b};
			continue;
		}
		for (uint32_t i = 0; i < n; i++) {
			ARRAY_GROW(steps->items, steps->n, steps->cap);
			steps->items[steps->n++] = (struct way){indirect[i], b};
		}
	}
	free(reached);
}

static void set_preds(struct insn_code *code, const struct ways *steps)
{
	uint32_t *fill = xcalloc(code->nblocks, sizeof *fill);
	uint32_t total = 0;

	for (size_t i = 0; i < steps->n; i++)
		code->blocks[steps->items[i].to].npreds++;
	for (size_t b = 0; b < code->nblocks; b++) {
		code->blocks[b].first_pred = total;
		total += code->blocks[b].npreds;
	}
	if (code->cap_preds < total) {
		code->cap_preds = total;
		code->preds = xrealloc_array(code->preds, total, sizeof *code->preds);
	}
	code->npreds = total;
	for (size_t i = 0; i < steps->n; i++) {
		uint32_t to = steps->items[i].to;

		code->preds[code->blocks[to].first_pred + fill[to]++] = steps->items[i].from;
	}
	free(fill);
}

void insn_link(struct insn_code *code, const struct insn_edge *edges, size_t nedges,
	       const uint64_t *dead, size_t ndead)
{
	struct ways ways = {0}, steps = {0};
	bool *goes;

	code->nblocks = code->npreds = 0;
	if (!code->n)
		return;
	goes = xcalloc(code->n, sizeof *goes);
	for (size_t i = 0; i < code->n; i++) {
		goes[i] = goes_on(&code->insns[i], dead, ndead);
		if (jumps(&code->insns[i]))
			add_way(&ways, code, i, code->insns[i].target);
	}
	for (size_t i = 0; i < nedges; i++) {
		size_t from = insn_find(code, edges[i].from);

		if (from != SIZE_MAX)
			add_way(&ways, code, from, edges[i].to);
	}
	find_blocks(code, &ways, goes);
	find_steps(code, &ways, goes, &steps);
	adopt_orphans(code, &steps);
	set_preds(code, &steps);
	free(steps.items);
	free(ways.items);
	free(goes);
}
