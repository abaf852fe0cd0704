/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of rule kinds. A kind is one row beside its function,
 *
 *	const struct kind kind_size = {.name = "size", .arg = ARG_EXPRS, .judge = judge_size, ...};
 *
 * and its address in kinds.c. The pack parser takes names, arguments and parameters from here, and
 * the manual is checked against it: adding a kind touches its file, kinds.c, its tests and the
 * manual.
 */
#ifndef RULE_KIND_H
#define RULE_KIND_H

#include "rule/rule.h"

enum arg_type {
	ARG_EXPRS,            /* rule->exprs */
	ARG_MEMBER_EXPRS,     /* {member: expr}: rule->member_exprs */
	ARG_EXPRS_OR_MEMBERS, /* either of the two: `align: 64`, `align: {lock: 64}` */
	ARG_ITEM,             /* a member, a group, or a list: rule->items[0] */
	ARG_ITEMS,            /* a list of at least two of those: rule->items */
	ARG_NUMBER,           /* rule->number */
	ARG_WORD,             /* rule->word; PARAM_ITEM fills rule->items */
	ARG_PLACES,           /* members of this and other types: rule->places */
	ARG_CLASSES,          /* members by access: rule->items, each labelled with its class */
};

/* The fallback of a parameter that nothing stands in for. */
#define NOT_GIVEN UINT64_MAX

enum param_type {
	PARAM_NUMBER,   /* rule->params */
	PARAM_NUMBERS,  /* ascending numbers: rule->buckets, one a kind; no fallback */
	PARAM_EXPR,     /* rule->param_exprs; no fallback */
	PARAM_WORD,     /* rule->param_words; no fallback */
	PARAM_PAIR,     /* two names: rule->pair, one a kind; no fallback */
	PARAM_ITEM,     /* rule->items[0], one a kind; no fallback */
	PARAM_DISTANCE, /* rule->plus, one a kind; no fallback */
};

struct kind_param {
	const char *name;
	uint64_t fallback; /* when absent */
	uint64_t least;    /* smallest value that means something */
	enum param_type type;
	const char *help;
};

struct judge; /* rule/judge.h: all a judge function may look at, and its answer */

struct kind {
	const char *name;
	enum arg_type arg;
	/* ARG_ITEM: the members are judged one by one (present), not as a whole (together). */
	bool each;
	/* Members that must be there, in each item, for the rule to mean anything; 0 counts as 1.
	 */
	size_t fewest;
	bool needs_bytes;                /* members that occupy nothing are left out */
	bool asks_presence;              /* called for members that are not there, too */
	bool uses_line;                  /* unknown when the line size is */
	bool uses_granule;               /* `granule:` may be given */
	bool tells;                      /* what it says is worth reading though it holds */
	bool asks_slab;                  /* `alloc` must say whose slab: kmalloc or a cache */
	bool is_whole;                   /* of all members: a default id has none of them */
	bool one_param;                  /* exactly one of the parameters must be given */
	const struct kind_param *params; /* ends with a NULL name; NULL: none */
	void (*judge)(struct judge *judge);
	const char *help; /* one line: "the type's size satisfies the expression" */
};

/* Those for structs, and those for variables, in which "member" means a variable: in the order of
 * the manual; each ends with NULL. */
extern const struct kind *const kinds[];
extern const struct kind *const variable_kinds[];

/* In one of the two. */
const struct kind *kind_find(const struct kind *const *table, const char *name);

#endif
