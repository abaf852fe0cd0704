/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the operand of an instruction points to. DWARF is asked for the register first; then the
 * register is followed backwards, over the control flow, through moves, sums, slots of the stack
 * and loads from what is known already, and DWARF is asked again at each instruction on the way.
 *
 * Of two answers for one value, one of which lies inside the other, the outer one is given: a lock
 * that was passed by its address is a member of what holds it. Of two that have nothing to do with
 * each other the one that was met first is. Where ways join all answers are kept.
 */
#ifndef DWARF_TRACK_H
#define DWARF_TRACK_H

#include "dwarf/scope.h"
#include "elf/symtab.h"
#include "insn/insn.h"
#include "insn/stack.h"

struct pointee {
	const struct ctype *type; /* the object; NULL: a symbol of a type that is not known */
	int64_t offset;           /* bytes from its start */
	bool is_exact;
	bool is_tracked;  /* false: a variable is in the register at this very instruction */
	bool is_doubtful; /* it was loaded from a union, of which another member may have been there
			   */
	bool has_address, is_percpu;
	uint64_t address; /* of the operand, when it is known */
	const char *variable;
};

enum { POINTEES_MAX = 6 };
struct pointees {
	struct pointee items[POINTEES_MAX];
	unsigned n;
	bool is_plain; /* none, but a variable of another type is in the register */
};

/* What is known of the function at hand. */
struct tracker {
	struct code_unit *cu;
	struct ctypes *types;
	const struct function *function;
	const struct insn_code *code;
	const struct insn_stack *stack;
	const struct globals *globals;
	const struct symtab *symtab;
	unsigned budget; /* of steps, for the operand at hand */
	struct visit {
		uint64_t key;
		uint32_t round;
	} * visits; /* open addressing */
	uint32_t round;
};

void tracker_init(struct tracker *tracker);
void tracker_release(struct tracker *tracker);

/* Of operand @m of instruction @insn: see insn_memory.moves, which is not looked at. */
MUST_CHECK bool track_operand(struct tracker *tracker, size_t insn, unsigned m,
			      struct pointees *ret);

#endif
