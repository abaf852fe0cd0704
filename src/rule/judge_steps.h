/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judging a rule, for check.c; and its steps, which rules on structs (judge.c) and on variables
 * share. */
#ifndef RULE_JUDGE_STEPS_H
#define RULE_JUDGE_STEPS_H

#include "rule/judge.h"

/* One block and one definition of its struct (NULL: missing), to judge rules on. */
struct judge_on {
	const struct layout *layout;
	const struct block *block;
	const struct def *def;
	const struct geometry *geometry; /* NULL when def is */
	const char *missing;             /* why there is no definition */
	bool untold;                     /* and whether there is one cannot be told */
	const struct target *target;     /* the layout's, with the line in force */
	struct arena *arena;             /* the verdicts live here */
};

/* Adds the verdicts of @rule: at least one. */
void judge_rule(const struct judge_on *on, const struct rule *rule, struct verdicts *ret);

void verdicts_release(struct verdicts *verdicts);

/* The worst of them. */
enum outcome verdicts_outcome(const struct verdicts *verdicts);

/* ---- steps -------------------------------------------------------------------------------- */

/* Calls the kind's function and takes its verdict. */
void judge_ask(struct judge *judge, struct verdicts *ret);

/* Takes the verdict; the judge can be used for the next member. */
void judge_end(struct judge *judge, struct verdicts *ret);

/* Sets judge->expr; false, with a verdict, when there is none for this machine. */
bool judge_pick_expr(struct judge *judge, const struct exprs *exprs, struct verdicts *ret);

/* What holds for the members that are there is not yet the rule, when there are verdicts on others
 * behind the @before first. */
void judge_drop_partial(struct verdicts *ret, size_t before);

/* A rule on variables, to which `when` applies. */
void judge_variables(struct judge *judge, struct verdicts *ret);

#endif
