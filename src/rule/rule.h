/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules as data: what a pack says, parsed and checked, with nothing about an image in it.
 * rule/pack.h makes it, rule/check.h judges it. Everything lives in the arena of one struct packs.
 * The language is described in layoutcheck-rules(5).
 */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "layout/finding.h"
#include "layout/slab.h"

/* ---- the arguments of a rule ------------------------------------------------------------- */

enum expr_op {
	EXPR_EQ,
	EXPR_NE,
	EXPR_LT,
	EXPR_LE,
	EXPR_GT,
	EXPR_GE,
	EXPR_MULTIPLE,
	EXPR_POWER_OF_TWO
};

struct expr {
	enum expr_op op;
	uint64_t value;   /* bytes; unused by EXPR_POWER_OF_TWO */
	const char *text; /* "<= 704", as written: what a finding calls `wanted` */
};

/* `704`, or by machine: {x86_64: 704, s390x: 1024, default: "<= 1024"}. */
struct expr_case {
	const char *arch; /* NULL: default */
	struct expr expr;
};
struct exprs {
	const struct expr_case *cases;
	size_t n; /* 1 with arch NULL for a plain expression */
};

/* `f_count|f_ref?`, or the range `max..low`, which stands for every member from the one to the
 * other. */
struct ref {
	const char *text;        /* as written, without the `?` */
	const char *const *alts; /* the names to try, in order */
	size_t nalts;
	const char *to; /* last member of a range, or NULL (then nalts is 1 for a range) */
	bool optional;
	struct pos pos;
};

/* One side of an `apart`, or what `together` speaks of: a member, a group, or a list of both,
 * flattened. */
struct item {
	const char *label;      /* the group's name or the member as written; NULL for a list */
	const struct ref *refs; /* each member once */
	size_t n;
	const char *const *groups; /* of a list, the names of those in it */
	size_t ngroups;
};

/* `page.flags`: a member of a type that is named. */
struct typed_ref {
	const char *text; /* as written */
	struct type_ref type;
	struct ref ref;
};

/* `64`, or `2 * sizeof(page)`. */
struct distance {
	const char *text; /* as written; NULL: none */
	uint64_t factor;  /* bytes, or with a type of its sizes */
	bool has_type;
	struct type_ref type;
};

struct member_exprs { /* `offset: {member: expr, ...}` */
	struct ref ref;
	struct exprs exprs;
};

/* ---- when -------------------------------------------------------------------------------- */

enum cond_kind {
	COND_ALL,    /* every entry of a mapping; `conds` */
	COND_NOT,    /* none of `conds` as a whole: not all of them */
	COND_ARCH,   /* `words`: one of them */
	COND_BITS,   /* `expr` */
	COND_KERNEL, /* `op` against `version` */
	COND_HAS,    /* `type` and `path`; without path: the type exists */
	COND_SIZEOF, /* sizeof `type` against `expr` */
	COND_CONFIG, /* option `path` of the configuration is set, or is `words[0]` */
};

struct cond {
	enum cond_kind kind;
	const struct cond *conds;
	size_t nconds;
	const char *const *words;
	size_t nwords;
	struct expr expr;
	enum expr_op op;
	struct kernel_version version;
	bool any_patch; /* written without a patch level: `6.12` is every 6.12.x, `> 6.12` begins
			   at 6.13 */
	struct type_ref type;
	const char *path;
	const char *text; /* as written, for the finding of a rule it makes not applicable */
};

/* ---- rules, blocks, packs ---------------------------------------------------------------- */

struct kind; /* rule/kind.h */

enum { MOST_PARAMS = 4 }; /* parameters a kind can have */

struct rule {
	const char *id; /* given, or struct/kind[/members] */
	const struct kind *kind;
	struct pos pos;
	enum severity severity;           /* error when not said */
	const char *why, *origin, *owner; /* or NULL */
	const struct waiver *waive;       /* `waive:`, or NULL */
	bool optional;                    /* every member, and the struct, may be absent */
	uint64_t granule;                 /* bytes; 0: the line */
	const struct cond *when;          /* with `since` and `until`; NULL: always */

	/* The kind's argument: which of these are set is said by kind->arg. */
	struct exprs exprs;
	const struct member_exprs *member_exprs;
	size_t nmember_exprs;
	const struct item *items;
	size_t nitems;
	uint64_t number;
	const char *word;
	const struct typed_ref *places;
	size_t nplaces;
	/* The kind's own parameters, in the order of kind->params; defaults filled in. */
	uint64_t params[MOST_PARAMS];
	const struct expr *param_exprs[MOST_PARAMS]; /* NULL: not given */
	const char *param_words[MOST_PARAMS];        /* NULL: not given */
	struct distance plus;
	const char *pair[2];
	/* The list parameter of kinds that have one, ascending: the buckets of `bucket`. NULL: not
	 * given. */
	const uint64_t *buckets;
	size_t nbuckets;
};

struct group {
	const char *name;
	struct item item;
	struct pos pos;
};

/* One entry under `structs:` (or one of a list there), or `variables:` (or one of a list). */
struct block {
	const char *name;  /* as written: "fdtable", "union sigval"; "variables" */
	bool of_variables; /* its rules and groups speak of variables, and there is no `type` */
	struct type_ref type;
	const char *source; /* pinned declaring file, or NULL; of variables, that of local ones */
	struct alloc alloc;
	bool optional; /* the struct may be absent; its members have to be there when it is. Of
			  variables: each may be absent */
	struct pos pos;
	const struct group *groups;
	size_t ngroups;
	const struct rule *rules;
	size_t nrules;
};

struct pack {
	const char *file;
	const char *title;  /* or NULL */
	const char *image;  /* "vmlinux", "module:NAME", "user"; NULL: any */
	uint64_t cacheline; /* 0: not said */
	bool tells; /* not from the file: findings of kinds that tell something are told though
		       they hold */
	const struct block *blocks;
	size_t nblocks;
	const char *text; /* of the file, @len bytes, for messages that come after it was read */
	size_t len;
};

struct packs {
	struct arena arena;
	struct pack *items; /* in the order loaded; of a directory, sorted by path */
	size_t n, cap;
};

#endif
