/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one pair of definitions has become: the state that the detectors share. Each detector is a
 * function that reads the two sides and adds the changes of its kinds.
 */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include "diff/diff.h"
#include "diff/field.h"
#include "diff/pair.h"
#include "layout/slab.h"

/* Members that stand behind each other in the new source and moved by the same amount. */
struct run {
	struct field *first, *last; /* on the new side */
	size_t n;
	int64_t bits;        /* that they moved by; never 0 */
	bool to_end;         /* nothing behind them moved otherwise */
	const char *by;      /* "opened by `x`", or NULL */
	const char *because; /* "x (offset 120, 8 bytes) was added before it", or NULL */
};

struct comparison {
	const struct diff_options *options;
	const struct layout *before, *after;
	uint64_t line; /* bytes; 0: unknown */
	bool aligns;   /* both sides know alignments */
	struct alike *alike;
	struct worst *worst; /* diff/worst.h; NULL: no tables are wanted */
	struct changes *changes;
	struct arena *arena;  /* of the changes */
	struct arena scratch; /* of this pair */
	const struct def_pair *pair;
	const char *subject;
	struct fields old, new;
	struct run *runs; /* in the order of the new source */
	size_t nruns;
};

/* ---- for detectors ------------------------------------------------------------------------- */

/* A change of that kind, as severe as its row says, of the type as a whole. */
struct change change_new(enum change_kind kind);

/* Says that it is about @field, and where that lies. */
void change_place(const struct comparison *c, const struct field *field, struct change *change);

/* Adds it: the subject, the definitions and the fingerprint are filled in; --fail-kind has its say.
 * Strings must live as long as the changes. */
void compare_add(struct comparison *c, const struct change *change);

/* "1 byte", "2 bytes" */
const char *bytes_text(uint64_t n, struct arena *arena);

/* "`a`", "`a` and `b`", "`a`, `b` and 3 more" */
const char *name_list(const struct field *const *fields, size_t n, struct arena *arena);

/* "x (offset 8, 8 bytes), ..." or what moved it, for a field on the new side: why it is where it
 * is. NULL: nothing to say. */
const char *field_because(const struct comparison *c, const struct field *field);

/* "64", or "natural" when none was asked for */
const char *align_text(bool has_align, uint64_t align, struct arena *arena);

/* Objects a slab of a cache of its own, for --cpus; false: not asked for, or not known. */
bool objects_of(const struct comparison *c, const struct def_pair *pair, uint64_t *was,
		uint64_t *now);

/* Fills in field->match on both sides: by path, then what was renamed. */
void match_fields(struct comparison *c);

/* The runs, and field->run on the new side. */
void find_runs(struct comparison *c);

/* run->by and run->because. */
void explain_run(const struct comparison *c, struct run *run);

/* Why the size of the type is another one; NULL: no clear reason. */
const char *explain_size(const struct comparison *c);

/* ---- detectors ----------------------------------------------------------------------------- */

void compare_whole(struct comparison *c);      /* size, align of the type, padding */
void compare_moves(struct comparison *c);      /* moved, crossed_line, bitfield, starts_line */
void compare_members(struct comparison *c);    /* added, removed, renamed, type, type_size, align,
						  straddles */
void compare_gaps(struct comparison *c);       /* hole_opened, hole_used */
void compare_neighbours(struct comparison *c); /* neighbour */
void compare_groups(struct comparison *c);     /* group */
void compare_conflicts(struct comparison *c);  /* neighbour, of groups that packs keep apart */
void compare_rules(struct comparison *c);      /* rule_broken, margin */

/* beside; after all pairs. */
void compare_variables(struct comparison *c);

/* Rules on variables, and those that held and whose type is gone; after all pairs. */
void compare_lost_rules(struct comparison *c);

/* How many rules held and cannot be judged now. */
size_t rules_in_the_dark(const struct comparison *c);

/* The whole of it. */
void compare_pair(struct comparison *c, const struct def_pair *pair);

#endif
