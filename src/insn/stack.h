/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in a function's frame its instructions read and write: the stack pointer, and what was
 * computed from it, followed forwards from the function's start. Places are counted from the
 * canonical frame address, the value that rsp had before the call.
 */
#ifndef INSN_STACK_H
#define INSN_STACK_H

#include "insn/insn.h"

/* Instead of an offset. */
enum { STACK_NOT = INT32_MIN, STACK_SOMEWHERE };

struct stack_use {
	int32_t memory[2]; /* of each operand; memory[0] also of lea's address */
	int32_t implicit;  /* what push and pop access */
	int32_t rsp, rbp;  /* before the instruction */
};

struct insn_stack {
	struct stack_use *uses; /* by instruction */
	size_t cap;
	int32_t *states; /* of registers at the start of blocks */
	size_t cap_states;
};

/* Fills @stack for linked code. All zero is an empty one. */
void insn_stack_find(struct insn_stack *stack, const struct insn_code *code);
void insn_stack_release(struct insn_stack *stack);

#endif
