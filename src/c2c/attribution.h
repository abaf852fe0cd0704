/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who lives where: every row of a table gets its name, from what its instruction claims, from the
 * variable at its address, or from what the other rows of the same object say.
 *
 * Claims vote for objects: "a files_struct begins at this address". An object that the rows within
 * it bear out, whose claims it holds as it is or embedded, names them all; the largest such object
 * wins. Memory that the allocator gave to one object after another is told apart by time.
 */
#ifndef C2C_ATTRIBUTION_H
#define C2C_ATTRIBUTION_H

#include "c2c/embed.h"
#include "c2c/judge.h"

/* A type at an address, as claims of rows say, or as the only container that fits them. */
struct object {
	const struct def *def;
	uint64_t base, size;
	int32_t pid;        /* as of lines */
	uint64_t votes;     /* samples of rows that claim this very type here */
	uint64_t explained; /* samples of rows within whose claims agree with it */
	uint64_t contradicted;
	unsigned first_slice, last_slice; /* when it was seen */
	bool accepted;
	bool was_lifted;   /* what holds it has been looked for */
	bool of_functions; /* of another build: where it begins is not known for certain */
};

struct named {
	uint32_t row; /* of the table */
	enum c2c_how how;
	enum claim_none none;
	const struct claim_run *run;         /* NULL: the image has not been asked */
	const struct c2c_function *function; /* NULL: not by that */
	const struct claim *claim;           /* the row's own, of those that agree; NULL: none */
	const struct def *def;               /* of the object or the variable; NULL: not known */
	uint64_t base;                       /* where that begins; with def or variable */
	struct c2c_variable variable;        /* name NULL: none */
	bool is_percpu;
	int32_t cpu;                 /* whose copy; -1: not known */
	const struct object *object; /* NULL: none */
};

/* A line, or what one object had of its time. */
struct part {
	uint32_t line;
	bool is_part;
	unsigned first_slice, last_slice;
	const struct object *object; /* the heaviest here; NULL: none */
	size_t first, n;             /* in `named` */
};

struct attribution {
	struct arena arena;
	struct object *objects;
	size_t nobjects, cap_objects;
	struct part *parts; /* those of lines in table->line_order, those of a line by time */
	size_t nparts, cap_parts;
	struct named *named;
	size_t nnamed, cap_named;
};

void attribution_find(const struct c2c_table *table, const struct c2c_image *image,
		      const struct embed *embed, struct attribution *ret);
void attribution_release(struct attribution *attribution);

/* The part of its time that a row spent in [first, last], as counts; the whole when it is all. */
void row_counts_in(const struct table_row *row, unsigned first, unsigned last,
		   struct c2c_counts *ret);

/* ---- the pieces of attribution_find()
 * ---------------------------------------------------------------
 */

/* NULL: its instruction is known, or its function is not. */
const struct c2c_function *row_function(const struct c2c_image *image, const struct table_row *row);
const struct claim_run *run_of(const struct c2c_image *image, const struct table_row *row);
const struct def *def_of_claim(const struct c2c_image *image, const struct claim *claim,
			       struct arena *arena);

/*
 * Running code is patched: an instruction that spells another address than was accessed is not the
 * one that ran.
 */
bool claim_holds(const struct c2c_table *table, const struct table_row *row,
		 const struct claim *claim);

/* Run-time addresses of the per-cpu areas, learnt from claims that spell per-cpu addresses. */
enum { PERCPU_PAGE = 4096 }; /* they begin on pages, as the one they were copied from */

struct percpu_area {
	uint64_t base; /* run-time address - image address */
	int32_t cpu;   /* that most often went there; -1: not known */
	uint64_t votes;
};
struct variables {
	struct percpu_area *areas;
	size_t nareas, cap_areas;
	struct variable_type {
		uint64_t address;
		bool is_percpu;
		const struct def *def;
		uint64_t votes;
	} * types; /* by address, the most votes first */
	size_t ntypes, cap_types;
};
void variables_learn(const struct c2c_table *table, const struct c2c_image *image,
		     struct arena *arena, struct variables *ret);
void variables_release(struct variables *variables);

/* Names a row by the variable at its address. */
bool name_by_variable(const struct c2c_table *table, const struct c2c_image *image,
		      const struct variables *variables, struct named *named);

/* Fills attribution->objects: every claim's vote, judged by the rows within. */
void objects_vote(const struct c2c_table *table, const struct c2c_image *image,
		  struct attribution *attribution);

/* Larger ones are arrays of something, or mistakes. */
enum { LARGEST_OBJECT = 1 << 18 };

/* Hears the rows within. */
void object_judge(const struct c2c_table *table, const struct c2c_image *image,
		  struct object *object);
/* Does @outer hold @inner, embedded, where that is? */
bool object_embeds(const struct object *outer, const struct object *inner);
/* By process, base, the largest first; equal ones become one. */
void objects_sort(struct attribution *attribution);

/* Adds objects that functions speak for, of lines whose rows tell no instruction. */
void functions_vote(const struct c2c_table *table, const struct c2c_image *image,
		    struct attribution *attribution);

/* Adds the containers of objects that no row names. */
void containers_find(const struct c2c_table *table, const struct c2c_image *image,
		     const struct embed *embed, struct attribution *attribution);

#endif
