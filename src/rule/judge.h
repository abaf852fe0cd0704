/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging one rule on one definition of its struct. check.c decides which definitions a rule is
 * about, judge.c finds its members there and calls the function of its kind, and a kind gives one
 * verdict through the functions below. Kinds that speak of members one by one (kind->each, and
 * those with an expression for each member) give a verdict for each, the others one.
 *
 * Which verdict, before the kind is asked:
 *
 *	when is false
 *		not-applicable
 *	when cannot be told
 *		unknown
 *	no definition
 *		missing; optional: not-applicable
 *	the struct has no size before run time, and the kind asks for more than presence
 *		unknown
 *	a name is both a group and a member
 *		unknown: the pack has to be repaired
 *	a member is not there
 *		missing, naming the nearest; the kind still judges the others, and may break
 *	an optional one is not there
 *		a note; the kind judges the others
 *	too few are left (kind->fewest)
 *		not-applicable
 *	it is placed at run time, or a range runs backwards
 *		unknown
 *	no expression for this machine, no default
 *		not-applicable
 *	the line size is needed and not known
 *		unknown
 *
 * A member that occupies nothing (a spinlock on a uniprocessor) is left out, with a note, where
 * only bytes matter (kind->needs_bytes). Nothing on which to judge is never "holds".
 */
#ifndef RULE_JUDGE_H
#define RULE_JUDGE_H

#include "base/err.h"
#include "layout/data.h"
#include "layout/geometry.h"
#include "layout/path.h"
#include "rule/cond.h"
#include "rule/kind.h"

/* A member of a rule, found. */
struct part {
	const struct ref *ref;
	struct span span;
};

/* An item of a rule, found: the parts that are there, in the order of the pack. */
struct side {
	const char *label; /* the group or the member as written; NULL: a list */
	struct part *parts;
	size_t n;
};

struct verdict {
	enum outcome outcome;
	const char *subject; /* of a rule on variables, which it is about; NULL: the struct */
	bool has_extent;     /* it is about one */
	struct extent extent;
	const char *member; /* as the pack writes it; NULL: the rule as a whole */
	bool has_span;
	struct span span; /* of the member */
	bool has_cacheline;
	uint64_t cacheline;
	const struct spot *spots; /* see judge_spots() */
	size_t nspots;
	const char *measured, *wanted, *message, *cause;
	bool has_margin;
	uint64_t margin;
	const char **notes;
	size_t nnotes;
};

struct verdicts {
	struct verdict *items;
	size_t n, cap;
	bool assumed_base; /* a kind took the object to start on a line, as `alloc` is not said */
};

struct notes {
	const char **items;
	size_t n, cap;
};

/* What a kind may look at, and its answer. */
struct judge {
	const struct layout *layout;
	const struct block *block;
	const struct rule *rule;
	const struct def *def;
	const struct geometry *geometry; /* its leaves, sorted by offset */
	const struct target *target;     /* with the line in force */
	uint64_t line;                   /* that line, in bytes; not 0 where kind->uses_line */
	uint64_t granule;                /* the rule's, else the line */
	const struct expr *expr;         /* kinds with expressions: the one for this machine */
	const struct part *part;         /* one by one: the member in question, else NULL */
	const struct ref *ref;    /* kind->asks_presence: the same as the pack writes it... */
	enum path_result found;   /* ...how it was found... */
	const char *absent_why;   /* ...and why not; `part` is NULL then */
	const struct side *sides; /* other kinds with members: rule->items, found */
	size_t nsides;
	const struct variable_part *variable;  /* as `part`, of rules on variables */
	const struct variable_side *variables; /* as `sides` */
	size_t nvariables;
	struct arena *arena; /* for everything the answer points to */

	struct verdict verdict;
	struct notes notes;
	bool assumed_base;
};

/* ---- the answer: call exactly one ------------------------------------------------------------ */

void judge_holds(struct judge *judge, const char *message, ...) PRINTF_LIKE(2, 3);
void judge_broken(struct judge *judge, const char *message, ...) PRINTF_LIKE(2, 3);
void judge_unknown(struct judge *judge, const char *message, ...) PRINTF_LIKE(2, 3);
void judge_not_applicable(struct judge *judge, const char *message, ...) PRINTF_LIKE(2, 3);
void judge_missing(struct judge *judge, const char *message, ...) PRINTF_LIKE(2, 3);
/* The first when @holds, the second when not, with one message. */
void judge_says(struct judge *judge, bool holds, const char *message, ...) PRINTF_LIKE(3, 4);

/* ---- and what goes with it ------------------------------------------------------------------- */

void judge_number(struct judge *judge, uint64_t measured, const char *wanted);
void judge_margin(struct judge *judge, uint64_t bytes);
/* Room for the @n places where the rule is broken, which the caller fills; for kinds that do not
 * speak of members one by one. */
struct spot *judge_spots(struct judge *judge, size_t n);
struct spot spot_of_span(const struct span *span);
void judge_note(struct judge *judge, const char *note, ...) PRINTF_LIKE(2, 3);

#endif
