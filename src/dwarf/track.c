/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/track.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "dwarf/known.h"
#include "dwarf/pointee.h"

/* Steps for one operand; blocks behind one another; loads through loaded pointers. */
enum { BUDGET = 4000, DEPTH_MAX = 300, LEVELS_MAX = 4, VISITS = 1 << 13 };

void tracker_init(struct tracker *t)
{
	*t = (struct tracker){.visits = xcalloc(VISITS, sizeof *t->visits)};
}

void tracker_release(struct tracker *t)
{
	free(t->visits);
	*t = (struct tracker){0};
}

static bool find(struct tracker *t, const struct query *q, struct pointees *ret);

/* The same question before instruction @i, about a register. */
static struct query before(const struct tracker *t, const struct query *q, size_t i, uint8_t reg)
{
	struct query next = *q;

	next.block = t->code->block_of[i];
	next.upto = (uint32_t)i - t->code->blocks[next.block].first;
	next.base = reg;
	next.depth++;
	return next;
}

static struct query before_slot(const struct tracker *t, const struct query *q, size_t i,
				int32_t slot)
{
	struct query next = before(t, q, i, PLACE_CFA);

	next.slot = slot;
	return next;
}

/* What else it may be. */
static bool find_also(struct tracker *t, const struct query *q, struct pointees *ret)
{
	struct pointees more;

	if (!find(t, q, &more))
		return false;
	pointees_join(ret, &more);
	return true;
}

/* ---- loads ----------------------------------------------------------------------------------- */

static bool operand(struct tracker *t, const struct query *q, size_t i, const struct insn_memory *m,
		    struct pointees *ret);

/* The pointers that may be where @from says, and what they point to. */
static bool add_loaded(struct tracker *t, const struct query *q, const struct pointee *from,
		       struct pointees *ret)
{
	struct ctype_pointers pointers;

	if (!from->type)
		return true;
	if (!ctype_pointers_at(t->types, from->type, from->offset, &pointers))
		return false;
	for (size_t k = 0; k < pointers.n; k++) {
		struct pointees one = {.n = 0};

		if (!pointees_add_target(t->types, &one, pointers.items[k], q->delta, q->is_exact,
					 NULL))
			return false;
		for (unsigned i = 0; i < one.n; i++)
			one.items[i].is_doubtful =
				from->is_doubtful || pointers.n > 1 || pointers.or_number;
		pointees_join(ret, &one);
	}
	return true;
}

static bool load(struct tracker *t, const struct query *q, size_t i, const struct insn_memory *m,
		 int32_t slot, struct pointees *ret)
{
	struct query next = before(t, q, i, INSN_NONE);
	struct pointees from = {.n = 0};

	if (slot == STACK_SOMEWHERE || m->size != 8)
		return true;
	if (slot != STACK_NOT) {
		next = before_slot(t, q, i, slot);
		return find(t, &next, ret);
	}
	if (++next.level > LEVELS_MAX)
		return true;
	next.delta = 0;
	next.is_exact = true;
	next.is_percpu = false;
	if (!operand(t, &next, i, m, &from))
		return false;
	for (unsigned k = 0; k < from.n; k++)
		if (!add_loaded(t, q, &from.items[k], ret))
			return false;
	return true;
}

/* ---- what is changed
 * ----------------------------------------------------------------------------- */

static bool overlaps(int32_t place, uint32_t size, int32_t slot)
{
	return place != STACK_NOT && place != STACK_SOMEWHERE && place < slot + 8 &&
	       slot < place + (int32_t)(size && size < 1 << 16 ? size : 8);
}

static bool writes_slot(const struct tracker *t, size_t i, int32_t slot)
{
	const struct insn *insn = &t->code->insns[i];
	const struct stack_use *use = &t->stack->uses[i];

	if (insn->effect == EFFECT_PUSH && overlaps(use->implicit, 8, slot))
		return true;
	for (unsigned k = 0; k < insn->nmemory; k++)
		if (insn->memory[k].writes && overlaps(use->memory[k], insn->memory[k].size, slot))
			return true;
	return false;
}

static bool changes(const struct tracker *t, const struct query *q, size_t i)
{
	return q->base == PLACE_CFA ? writes_slot(t, i, q->slot)
				    : t->code->insns[i].writes >> q->base & 1;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The address that a register was given by its block, as code that can be moved does. */
static bool block_address(const struct tracker *t, size_t i, uint8_t reg, uint64_t *ret)
{
	size_t first = t->code->blocks[t->code->block_of[i]].first;

	while (i-- > first) {
		const struct insn *insn = &t->code->insns[i];

		if (!(insn->writes >> reg & 1))
			continue;
		*ret = (uint64_t)insn->address.disp;
		return insn->effect == EFFECT_ADDRESS && insn->dst == reg &&
		       insn->address.is_address;
	}
	return false;
}

/* The memory, an operand of instruction @i, holds what turns a per-cpu address into one of a
 * processor. */
static bool is_percpu_base(const struct tracker *t, size_t i, const struct insn_memory *m)
{
	uint64_t address = 0;
	struct pointee p;

	if (m->base != INSN_NONE && !block_address(t, i, m->base, &address))
		return false;
	address += (uint64_t)m->disp;
	p = known_address(t, address, m->segment == SEGMENT_GS);
	return p.variable && (strcmp(p.variable, "this_cpu_off") == 0 ||
			      strcmp(p.variable, "__per_cpu_offset") == 0);
}

/* One step back for a value that nothing was added to. False: it was made there. */
static bool step_back(const struct tracker *t, size_t i, uint8_t *base, int32_t *slot)
{
	const struct insn *insn = &t->code->insns[i];
	const struct stack_use *use = &t->stack->uses[i];

	if (*base == PLACE_CFA) {
		bool pushed = insn->effect == EFFECT_PUSH && use->implicit == *slot;
		bool stored = insn->effect == EFFECT_STORE && use->memory[0] == *slot;

		*base = insn->src;
		return (pushed || stored) && insn->src != INSN_NONE;
	}
	if (insn->effect == EFFECT_MOVE && insn->dst == *base) {
		*base = insn->src;
		return true;
	}
	*slot = insn->effect == EFFECT_POP ? use->implicit : use->memory[0];
	if ((insn->effect != EFFECT_POP && insn->effect != EFFECT_LOAD) || insn->dst != *base ||
	    *slot == STACK_NOT || *slot == STACK_SOMEWHERE)
		return false;
	*base = PLACE_CFA;
	return true;
}

enum { BASE_STEPS = 400 };

/* The register holds such a base before instruction @i: from wherever it came, one way of several.
 */
static bool holds_percpu_base(const struct tracker *t, size_t i, uint8_t reg)
{
	struct query q = {.base = reg};

	for (unsigned steps = 0; steps < BASE_STEPS; steps++) {
		const struct insn_block *block = &t->code->blocks[t->code->block_of[i]];

		while (i > block->first && !changes(t, &q, i - 1))
			i--;
		if (i == block->first) {
			if (!block->npreds)
				return false;
			block = &t->code->blocks[t->code->preds[block->first_pred]];
			i = block->first + block->n - 1;
			if (!changes(t, &q, i))
				continue;
			i++;
		}
		i--;
		if (!step_back(t, i, &q.base, &q.slot))
			return t->code->insns[i].effect == EFFECT_LOAD &&
			       t->code->insns[i].dst == q.base && t->code->insns[i].nmemory &&
			       is_percpu_base(t, i, &t->code->insns[i].memory[0]);
	}
	return false;
}

/* The sum of two registers, either of which may be the pointer. */
static bool find_sum(struct tracker *t, const struct query *q, size_t i, uint8_t a, uint8_t b,
		     struct pointees *ret)
{
	struct query left = before(t, q, i, a), right = before(t, q, i, b);

	if (holds_percpu_base(t, i, b)) {
		left.is_percpu = true;
		return find_also(t, &left, ret);
	}
	if (holds_percpu_base(t, i, a)) {
		right.is_percpu = true;
		return find_also(t, &right, ret);
	}
	left.is_exact = right.is_exact = false;
	return find_also(t, &left, ret) && (ret->n || find_also(t, &right, ret));
}

/* The displacement of an operand with registers can be the address of an array. */
static bool add_array(struct tracker *t, const struct query *q, const struct insn_memory *m,
		      struct pointees *ret)
{
	struct query next = *q;

	if (m->disp > -(1 << 22) && m->disp < 1 << 22)
		return true;
	next.is_exact = false;
	next.is_percpu = m->segment == SEGMENT_GS || q->is_percpu;
	return known_add_address(t, &next, query_plus(m->disp, q->delta), ret);
}

static bool add_by_registers(struct tracker *t, const struct query *q, size_t i,
			     const struct insn_memory *m, struct pointees *ret)
{
	struct query next = before(t, q, i, m->base);

	next.delta = query_plus(q->delta, m->disp);
	if (m->segment == SEGMENT_FS)
		return true;
	next.is_percpu |= m->segment == SEGMENT_GS;
	if (m->is_address)
		return known_add_address(t, &next, next.delta, ret);
	if (!add_array(t, q, m, ret))
		return false;
	if (ret->n)
		return true;
	if (m->index == INSN_NONE)
		return find_also(t, &next, ret);
	if (m->base != INSN_NONE && m->scale == 1)
		return find_sum(t, &next, i, m->base, m->index, ret);
	next.is_exact = false;
	if (m->base == INSN_NONE && m->scale == 1)
		next.base = m->index;
	return next.base == INSN_NONE || find_also(t, &next, ret);
}

/* No member of a per-cpu object is as far from its start as this: it is where the object is. */
enum { PERCPU_FAR = 0x8000 };

/* What base + index * scale + disp + delta points to, before instruction @i. */
static bool operand(struct tracker *t, const struct query *q, size_t i, const struct insn_memory *m,
		    struct pointees *ret)
{
	struct query next = *q;

	if (!add_by_registers(t, q, i, m, ret))
		return false;
	if (ret->n || m->disp < PERCPU_FAR || !(q->is_percpu || m->segment == SEGMENT_GS))
		return true;
	next.is_exact = false;
	next.is_percpu = true;
	return known_add_address(t, &next, query_plus(m->disp, q->delta), ret);
}

/* ---- the instruction that made the value ----------------------------------------------------- */

static const struct call *call_before(const struct function *f, uint64_t return_pc)
{
	size_t at = FIRST_FROM(f->calls, f->ncalls, return_pc, return_pc);

	return at < f->ncalls && f->calls[at].return_pc == return_pc ? &f->calls[at] : NULL;
}

static bool add_result(struct tracker *t, const struct query *q, const struct insn *insn,
		       struct pointees *ret)
{
	const struct call *call = call_before(t->function, insn->pc + insn->length);

	if (q->base != INSN_RAX || !call || !call->result || call->result->kind != CTYPE_POINTER)
		return true;
	return pointees_add_target(t->types, ret, call->result, q->delta, q->is_exact, NULL);
}

static bool find_constant(struct tracker *t, const struct query *q, const struct insn *insn,
			  struct pointees *ret)
{
	return known_add_address(t, q, query_plus(insn->imm, q->delta), ret);
}

/* Two registers change places. */
static bool find_swapped(struct tracker *t, const struct query *q, size_t i,
			 const struct insn *insn, struct pointees *ret)
{
	struct query next = before(t, q, i, q->base == insn->dst ? insn->src : insn->dst);

	return find(t, &next, ret);
}

static bool find_added(struct tracker *t, const struct query *q, size_t i, const struct insn *insn,
		       int32_t slot, struct pointees *ret)
{
	struct query same = before(t, q, i, q->base);

	if (is_percpu_base(t, i, &insn->memory[0])) {
		same.is_percpu = true;
		return find_also(t, &same, ret);
	}
	same.is_exact = false;
	return find_also(t, &same, ret) &&
	       (ret->n || load(t, &same, i, &insn->memory[0], slot, ret));
}

/* Instruction @i changes the register that is asked about. */
static bool find_made(struct tracker *t, const struct query *q, size_t i, struct pointees *ret)
{
	const struct insn *insn = &t->code->insns[i];
	const struct stack_use *use = &t->stack->uses[i];
	struct query same = before(t, q, i, q->base), next = same;

	if (insn->effect == EFFECT_CALL)
		return add_result(t, q, insn, ret);
	if (insn->effect == EFFECT_SWAP)
		return find_swapped(t, q, i, insn, ret);
	if (insn->dst != q->base)
		return true;
	next.base = insn->src;
	switch (insn->effect) {
	case EFFECT_MOVE:
		return find(t, &next, ret);
	case EFFECT_MAY_MOVE:
		return find(t, &next, ret) && find_also(t, &same, ret);
	case EFFECT_LOAD:
	case EFFECT_EXCHANGE:
		return load(t, q, i, &insn->memory[0], use->memory[0], ret);
	case EFFECT_MAY_LOAD:
		return load(t, q, i, &insn->memory[0], use->memory[0], ret) &&
		       find_also(t, &same, ret);
	case EFFECT_ADDRESS:
		return use->memory[0] != STACK_NOT || operand(t, q, i, &insn->address, ret);
	case EFFECT_CONSTANT:
		return find_constant(t, q, insn, ret);
	case EFFECT_ADD:
		same.delta = query_plus(same.delta, insn->imm);
		return find(t, &same, ret);
	case EFFECT_ADD_REG:
		return find_sum(t, q, i, q->base, insn->src, ret);
	case EFFECT_SUB_REG:
		same.is_exact = false;
		return find(t, &same, ret);
	case EFFECT_ADD_LOAD:
		return find_added(t, q, i, insn, use->memory[0], ret);
	case EFFECT_POP:
	case EFFECT_LEAVE:
		if (use->implicit == STACK_NOT || use->implicit == STACK_SOMEWHERE)
			return true;
		next = before_slot(t, q, i, use->implicit);
		return find(t, &next, ret);
	default:
		return true;
	}
}

/* Instruction @i writes to the slot. */
static bool find_stored(struct tracker *t, const struct query *q, size_t i, struct pointees *ret)
{
	const struct insn *insn = &t->code->insns[i];
	const struct stack_use *use = &t->stack->uses[i];
	int32_t place = insn->effect == EFFECT_PUSH ? use->implicit : use->memory[0];
	struct query next = before(t, q, i, insn->src);

	if ((insn->effect != EFFECT_PUSH && insn->effect != EFFECT_STORE) || place != q->slot ||
	    insn->src == INSN_NONE)
		return true;
	return find(t, &next, ret);
}

/* ---- the way back ---------------------------------------------------------------------------- */

/* True the first time that the end of a block is asked about a place for a purpose. */
static bool visit(struct tracker *t, uint32_t block, const struct query *q)
{
	uint64_t key = (uint64_t)block << 32 | (uint64_t)(uint32_t)(q->slot & 0xffffff) << 8 |
		       (uint64_t)q->base;
	size_t i;

	key = key * 8 + q->level;
	i = (size_t)(key * 0x9e3779b97f4a7c15u >> 40) & (VISITS - 1);
	while (t->visits[i].round == t->round && t->visits[i].key != key)
		i = (i + 1) & (VISITS - 1);
	if (t->visits[i].round == t->round)
		return false;
	t->visits[i] = (struct visit){key, t->round};
	return true;
}

static bool find_before_block(struct tracker *t, const struct query *q, struct pointees *ret)
{
	const struct insn_block *block = &t->code->blocks[q->block];

	for (uint32_t i = 0; i < block->npreds; i++) {
		struct query next = *q;

		next.block = t->code->preds[block->first_pred + i];
		next.upto = t->code->blocks[next.block].n;
		next.depth++;
		if (visit(t, next.block, q) && !find_also(t, &next, ret))
			return false;
	}
	return true;
}

static bool find(struct tracker *t, const struct query *q, struct pointees *ret)
{
	const struct insn_block *block = &t->code->blocks[q->block];
	size_t first = block->first, end = first + q->upto, start = end;
	struct pointees here = {.n = 0}, there = {.n = 0};
	bool ok;

	*ret = (struct pointees){.n = 0};
	if (q->depth > DEPTH_MAX || !t->budget || (q->base >= INSN_REGS && q->base != PLACE_CFA))
		return true;
	t->budget--;
	while (start > first && !changes(t, q, start - 1))
		start--;
	if (start < first + block->n &&
	    !known_here(t, q, start, q->upto < block->n ? end : end - 1, &here))
		return false;
	if (start == first)
		ok = find_before_block(t, q, &there);
	else if (q->base == PLACE_CFA)
		ok = find_stored(t, q, start - 1, &there);
	else
		ok = find_made(t, q, start - 1, &there);
	for (unsigned i = 0; i < there.n; i++)
		there.items[i].is_tracked = true;
	*ret = here;
	return ok && pointees_refine(t->types, ret, &there);
}

bool track_operand(struct tracker *t, size_t i, unsigned m, struct pointees *ret)
{
	struct query q = {.is_exact = true, .base = INSN_NONE};

	*ret = (struct pointees){.n = 0};
	if (++t->round == 0) {
		memset(t->visits, 0, VISITS * sizeof *t->visits);
		t->round = 1;
	}
	t->budget = BUDGET;
	return operand(t, &q, i, &t->code->insns[i].memory[m], ret);
}
