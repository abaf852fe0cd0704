/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "insn/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* No path to the block was found yet. */
enum { UNSEEN = INT32_MIN + 2 };

void insn_stack_release(struct insn_stack *stack)
{
	free(stack->uses);
	free(stack->states);
	*stack = (struct insn_stack){0};
}

static int32_t add(int32_t place, int64_t offset)
{
	if (place == STACK_NOT || place == STACK_SOMEWHERE)
		return place;
	if (offset < -(1 << 28) || offset > 1 << 28 || place + offset < -(1 << 28) ||
	    place + offset > 1 << 28)
		return STACK_SOMEWHERE;
	return (int32_t)(place + offset);
}

static int32_t place_of(const int32_t *state, const struct insn_memory *m)
{
	int32_t place;

	if (m->base == INSN_NONE || m->segment != SEGMENT_NONE)
		return STACK_NOT;
	place = add(state[m->base], m->disp);
	return m->index == INSN_NONE || place == STACK_NOT ? place : STACK_SOMEWHERE;
}

/* Effects on rsp beside those on `dst`. */
static void move_stack(int32_t *state, const struct insn *insn)
{
	switch (insn->effect) {
	case EFFECT_PUSH:
		state[INSN_RSP] = add(state[INSN_RSP], -8);
		break;
	case EFFECT_POP:
		state[INSN_RSP] = add(state[INSN_RSP], 8);
		break;
	case EFFECT_LEAVE:
		state[INSN_RSP] = add(state[INSN_RBP], 8);
		state[INSN_RBP] = STACK_NOT;
		break;
	}
}

static void step(int32_t *state, const struct insn *insn)
{
	int32_t result = STACK_NOT, rsp = state[INSN_RSP];

	switch (insn->effect) {
	case EFFECT_MOVE:
		result = state[insn->src];
		break;
	case EFFECT_ADDRESS:
		result = place_of(state, &insn->address);
		break;
	case EFFECT_ADD:
		result = add(state[insn->dst], insn->imm);
		break;
	case EFFECT_ADD_REG:
	case EFFECT_SUB_REG:
		if (state[insn->dst] != STACK_NOT)
			result = STACK_SOMEWHERE;
		break;
	case EFFECT_PUSH:
	case EFFECT_POP:
	case EFFECT_LEAVE:
		move_stack(state, insn);
		if (insn->effect == EFFECT_POP && insn->dst < INSN_REGS && insn->dst != INSN_RSP)
			state[insn->dst] = STACK_NOT;
		return;
	}
	for (unsigned reg = 0; reg < INSN_REGS; reg++)
		if (insn->writes >> reg & 1)
			state[reg] = STACK_NOT;
	if (insn->dst < INSN_REGS)
		state[insn->dst] = result;
	/* A call gives it back; what else is done to it leaves it on the stack. */
	if (state[INSN_RSP] == STACK_NOT)
		state[INSN_RSP] = insn->effect == EFFECT_CALL ? rsp : STACK_SOMEWHERE;
}

static void use(const int32_t *state, const struct insn *insn, struct stack_use *ret)
{
	*ret = (struct stack_use){.memory = {STACK_NOT, STACK_NOT},
				  .implicit = STACK_NOT,
				  .rsp = state[INSN_RSP],
				  .rbp = state[INSN_RBP]};
	for (unsigned i = 0; i < insn->nmemory; i++)
		ret->memory[i] = place_of(state, &insn->memory[i]);
	switch (insn->effect) {
	case EFFECT_ADDRESS:
		ret->memory[0] = place_of(state, &insn->address);
		break;
	case EFFECT_PUSH:
		ret->implicit = add(state[INSN_RSP], -8);
		break;
	case EFFECT_POP:
		ret->implicit = state[INSN_RSP];
		break;
	case EFFECT_LEAVE:
		ret->implicit = state[INSN_RBP];
		break;
	}
}

/* What holds on both of two ways; true when it is less than before. */
static bool join(int32_t *at, const int32_t *from)
{
	bool changed = false;

	for (unsigned reg = 0; reg < INSN_REGS; reg++) {
		int32_t both = at[reg];

		if (at[reg] == UNSEEN)
			both = from[reg];
		else if (at[reg] == STACK_NOT || from[reg] == STACK_NOT)
			both = STACK_NOT;
		else if (at[reg] != from[reg])
			both = STACK_SOMEWHERE;
		if (reg == INSN_RSP && both == STACK_NOT)
			both = STACK_SOMEWHERE;
		changed |= both != at[reg];
		at[reg] = both;
	}
	return changed;
}

static void enter(int32_t *state, int32_t rsp)
{
	for (unsigned reg = 0; reg < INSN_REGS; reg++)
		state[reg] = STACK_NOT;
	state[INSN_RSP] = rsp;
}

static void run(const struct insn_code *code, const struct insn_block *block, int32_t *state)
{
	for (uint32_t i = 0; i < block->n; i++)
		step(state, &code->insns[block->first + i]);
}

/* One pass over all blocks; true when something changed. */
static bool pass(const struct insn_code *code, int32_t *states)
{
	bool changed = false;

	for (size_t b = 0; b < code->nblocks; b++) {
		const struct insn_block *block = &code->blocks[b];
		int32_t state[INSN_REGS];

		for (uint32_t i = 0; i < block->npreds; i++) {
			uint32_t pred = code->preds[block->first_pred + i];

			if (states[(size_t)pred * INSN_REGS] == UNSEEN)
				continue;
			memcpy(state, &states[(size_t)pred * INSN_REGS], sizeof state);
			run(code, &code->blocks[pred], state);
			changed |= join(&states[b * INSN_REGS], state);
		}
	}
	return changed;
}

/* Passes after which what still changes is not known. */
enum { PASSES_MAX = 60 };

static void solve(const struct insn_code *code, int32_t *states)
{
	for (size_t i = 0; i < code->nblocks * INSN_REGS; i++)
		states[i] = UNSEEN;
	enter(states, -8);
	for (unsigned i = 0; pass(code, states); i++) {
		if (i < PASSES_MAX)
			continue;
		for (size_t b = 0; b < code->nblocks; b++)
			enter(&states[b * INSN_REGS], STACK_SOMEWHERE);
		return;
	}
	for (size_t b = 0; b < code->nblocks; b++)
		if (states[b * INSN_REGS] == UNSEEN)
			enter(&states[b * INSN_REGS], STACK_SOMEWHERE);
}

void insn_stack_find(struct insn_stack *stack, const struct insn_code *code)
{
	if (stack->cap < code->n) {
		stack->cap = code->n;
		stack->uses = xrealloc_array(stack->uses, code->n, sizeof *stack->uses);
	}
	if (stack->cap_states < code->nblocks * INSN_REGS) {
		stack->cap_states = code->nblocks * INSN_REGS;
		stack->states =
			xrealloc_array(stack->states, stack->cap_states, sizeof *stack->states);
	}
	if (!code->n)
		return;
	solve(code, stack->states);
	for (size_t b = 0; b < code->nblocks; b++) {
		const struct insn_block *block = &code->blocks[b];
		int32_t state[INSN_REGS];

		memcpy(state, &stack->states[b * INSN_REGS], sizeof state);
		for (uint32_t i = 0; i < block->n; i++) {
			use(state, &code->insns[block->first + i], &stack->uses[block->first + i]);
			step(state, &code->insns[block->first + i]);
		}
	}
}
