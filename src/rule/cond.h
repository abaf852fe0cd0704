/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `when:` on an image, in three values: what the image does not say is unknown, never false. Arch
 * and bits are unknown when the target does not say, kernel when the image carries no release,
 * sizeof() when the type is not there (or has definitions of different sizes). has() is false for a
 * type or a member that is not there, and unknown when the definitions of the type disagree. An
 * option is unknown when the configuration is.
 */
#ifndef RULE_COND_H
#define RULE_COND_H

#include "rule/rule.h"

enum truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };

struct cond_context {
	const struct layout *layout;
	/* The definition being judged: has() and sizeof() of its name speak of it, not of its
	 * twins. NULL when the struct is missing. */
	const struct def *def;
	struct arena *arena;
};

/* Why a condition came out as it did: the innermost entry that decided, for NO and UNKNOWN. */
struct cond_reason {
	const struct cond *cond;
	const char *why; /* UNKNOWN: one clause, "the image does not say its machine" */
};

enum truth cond_eval(const struct cond *cond, const struct cond_context *context,
		     struct cond_reason *reason);

/* The names of types that @cond looks up. */
void cond_wanted(const struct cond *cond, struct want_list *list);

/* @cond asks for an option of the configuration. */
bool cond_asks_config(const struct cond *cond);

/* @value satisfies @expr. */
bool expr_holds(const struct expr *expr, uint64_t value);

/* "704", "<= 192", "a multiple of 64", "a power of two". */
const char *expr_phrase(const struct expr *expr, struct arena *arena);

/*
 * The case of @exprs for the machine. NULL: no case for it and no default (*told), or the target
 * does not say its machine and there are cases by machine (not *told).
 */
const struct expr *exprs_for(const struct exprs *exprs, const struct target *target, bool *told);

#endif
