/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on a line: the object it is of, the rows of accesses, and the data they speak of. */
#ifndef C2C_ROW_H
#define C2C_ROW_H

#include "c2c/counts.h"
#include "layout/claim.h"
#include "layout/model.h"

/* How a row got its name. */
enum c2c_how {
	HOW_INSN,      /* its instruction names it */
	HOW_SYMBOL,    /* its address is in a variable, static or per-cpu */
	HOW_CONSENSUS, /* other rows of the line, or of the lines of the same object, name it */
	HOW_NONE
};

const char *c2c_how_name(enum c2c_how how); /* "insn", "symbol", "consensus", "none" */

/* "no variable in the register": why a row has no name. */
const char *claim_none_text(enum claim_none none);

struct c2c_object {
	const char *type;   /* "files_struct"; NULL: not known */
	const char *symbol; /* a variable, or the first of several; NULL: none */
	bool is_percpu;
	int32_t cpu;    /* whose copy of a per-cpu variable; -1: not known */
	int64_t offset; /* of the line's first byte from the start of the object */
	enum c2c_how how;
	const struct def *def; /* of the layout; NULL: not known */
	/* How far into a line objects of this type were seen to begin; none of a variable, which
	 * stays where it is. Which members share a line holds of all of them only when that is 0
	 * everywhere. */
	const uint64_t *starts; /* bytes, ascending */
	size_t nstarts;
	uint64_t seen;      /* objects */
	bool floats;        /* they begin at several places */
	uint64_t alignment; /* what all begin at multiples of, at most a line; 0: not known */
};

struct c2c_row {
	uint64_t offset;               /* in the line */
	uint64_t pc;                   /* of the image; 0: not in the image */
	uint64_t ip;                   /* as recorded */
	const char *function, *object; /* code; NULL: not known */
	struct c2c_counts counts;
	unsigned cpus, nodes; /* how many; 0: not known */
	enum c2c_how how;
	enum claim_none none; /* why it is not named, when how is HOW_NONE */
	const char *name;     /* all of it, for people: "files_struct.fd_array[3]"; NULL: unnamed */
	const char *symbol;   /* the variable; NULL: none */
	const char *type;     /* outermost that is known: "files_struct"; NULL: a symbol's unknown
				 type, a scalar, or unnamed */
	const char *member;   /* of it: "fd_array[3]"; NULL */
	const char *inner;    /* as the instruction sees it: "qspinlock.val"; NULL: the same */
	bool is_outermost;    /* a symbol, or a type that rows name which nothing larger holds */
	int64_t member_offset; /* of the access from the start of the type or the symbol */
	uint32_t size;         /* of the access; 0: not known */
	uint32_t datum;        /* of the line: rows of one datum speak of the same bytes; index */
};

/* Bytes that rows speak of as one: a member, or where nothing is known what the rows overlap. */
struct c2c_datum {
	const char *name;       /* as the rows name it; "+0x18" where nothing does */
	uint64_t offset, size;  /* in the line; it may begin before or end behind it */
	int64_t begins;         /* from the start of the line */
	const struct def *def;  /* whose member it is; NULL: not known */
	const char *member;     /* path in it; NULL */
	uint64_t member_offset; /* from the start of the type, of an array of them the element's */
	const char *symbol;     /* the variable it is part of; NULL: none */
	int64_t symbol_begins;  /* from the start of the line */
	uint64_t symbol_size;   /* 0: not known */
	bool is_percpu;
	struct c2c_counts counts;
	/* HITM of loads here by CPUs while no other CPU stores here; where it is recorded, HITM
	 * that met a store elsewhere and needed nothing. */
	uint64_t hitm_alone;
};

#endif
