/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an image says of the instruction at an address: which bytes of which type its operand is.
 * dwarf/ and insn/ make claims, c2c/ lets them vote. Offsets and sizes are in BYTES.
 */
#ifndef LAYOUT_CLAIM_H
#define LAYOUT_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a claim rests on. */
enum claim_how {
	CLAIM_VARIABLE, /* a variable that DWARF places in the register of the operand */
	CLAIM_TRACKED,  /* the register was followed back to one that DWARF places */
	CLAIM_SYMBOL,   /* the operand spells the address: rip-relative, absolute, %gs: */
};

/* Why an instruction makes no claim: counted by the reports. */
enum claim_none {
	CLAIM_MADE,
	CLAIM_NO_CODE,     /* the image has no code there */
	CLAIM_NO_INSN,     /* it could not be decoded, or the machine cannot be */
	CLAIM_NO_OPERAND,  /* it does not access memory, as the image has it */
	CLAIM_STACK,       /* it accesses the stack */
	CLAIM_NO_UNIT,     /* no compile unit covers it: assembler, or no debug info */
	CLAIM_NO_VARIABLE, /* nothing says what the register holds */
	CLAIM_NO_TYPE,     /* what it holds is no pointer to a type of a size */
	CLAIM_PATCHED,     /* the running kernel has other code there */
	CLAIM_REASONS
};

/*
 * "The operand of the instruction at `pc` is `size` bytes at `offset` of a `type`." There can be
 * several of one instruction: two operands, two registers in one, a pointer that is one of two
 * things where control flow joins. Strings live as long as the list.
 */
struct claim {
	uint64_t pc; /* in the addresses of the image */
	enum claim_how how;
	/*
	 * The type as type_ref_parse() reads it ("files_struct", "union sigval", "typedef
	 * atomic_t"), the outermost that the pointer points to, never a pointer or qualifier; of
	 * an anonymous one, a base type or an array of them `type` is NULL and `spelling` all
	 * there is.
	 */
	const char *type;
	const char *spelling; /* "unsigned int" */
	const char *source;   /* declaring file of the type, to tell definitions apart; or NULL */
	bool has_type_size;
	uint64_t type_size;
	int64_t offset; /* from the start of the type; negative or past its end (an array of them, a
			   container) as it comes */
	bool is_exact;  /* false: an index adds to the offset an amount that is not known */
	const char *variable; /* whose value or storage it is: "files", "rq"; NULL: not known */
	/* CLAIM_SYMBOL: the operand's address in the image, or with is_percpu in the per-cpu area.
	 */
	uint64_t address;
	bool is_percpu;
	uint32_t size; /* of the access; 0: not known (rep, xsave) */
	bool reads, writes;
};

/* Of each of the instructions asked about, in their order: a run of `claims`. */
struct claim_run {
	uint64_t pc;
	enum claim_none none; /* CLAIM_MADE when n > 0 */
	const char *function; /* name of the innermost function at pc, inlined ones too; or NULL */
	const char *outer;    /* of the function that has a symbol; or NULL */
	size_t first, n;
};

#endif
