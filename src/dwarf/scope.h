/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What DWARF says of one function: its addresses, what is inlined in it, where each of its
 * variables is and when, what its calls return. Names and types are looked for behind abstract
 * origins and specifications.
 *
 * Places are those that can be turned round, into what a register or a slot of the stack holds:
 * DW_OP_reg*, breg* and fbreg with constants added, with DW_OP_stack_value or without. Pieces,
 * implicit pointers, entry values and whatever computes with memory or with two registers say
 * nothing of one register.
 */
#ifndef DWARF_SCOPE_H
#define DWARF_SCOPE_H

#include "dwarf/code.h"
#include "dwarf/ctype.h"

/* Registers by their DWARF numbers, and the canonical frame address. */
enum { PLACE_REGS = 32, PLACE_CFA = PLACE_REGS, PLACE_BASES };

struct variable {
	const char *name;         /* or NULL */
	const struct ctype *type; /* or NULL */
};

enum located_how {
	LOCATED_HERE,   /* the register holds the variable */
	LOCATED_VALUE,  /* the variable's value is that of the register and `offset` */
	LOCATED_MEMORY, /* the variable is in memory, at the register and `offset` */
};

struct located {
	uint64_t low, high; /* code addresses where that holds, before the instruction there */
	int64_t offset;
	uint32_t variable;
	uint8_t base; /* register, or PLACE_CFA */
	uint8_t how;
};

struct call {
	uint64_t return_pc;
	bool is_noreturn;
	const struct ctype *result; /* of a call whose callee is known; or NULL */
};

struct inlined {
	uint64_t low, high;
	const char *name;
};

struct function {
	struct place place;
	struct ranges ranges;
	const char *name; /* or NULL */
	struct variable *variables;
	size_t nvariables, cap_variables;
	struct located *located; /* by base, then low */
	size_t nlocated, cap_located;
	size_t first[PLACE_BASES + 1]; /* of each base in `located` */
	struct call *calls;            /* by return_pc */
	size_t ncalls, cap_calls;
	struct inlined *inlined; /* outer ones before those inside them */
	size_t ninlined, cap_inlined;
};

/* A variable that has an address of its own, or is declared here and defined elsewhere. */
struct global {
	const char *name;
	const struct ctype *type;
	bool has_address;
	uint64_t address;
};

struct globals {
	struct global *items;
	size_t n, cap;
};

void function_release(struct function *function);
void function_clear(struct function *function); /* keeps the memory */

/*
 * Reads the function whose DIE is @die; @c is behind its attributes and is left behind its
 * children. ret->ranges is filled already. Its static variables are added to @globals.
 */
MUST_CHECK bool function_read(struct code_unit *cu, struct ctypes *types, struct cursor *c,
			      const struct code_die *die, struct globals *globals,
			      struct function *ret);

/* A variable at the top level. */
MUST_CHECK bool global_read(struct code_unit *cu, struct ctypes *types, const struct code_die *die,
			    struct globals *globals);

#endif
