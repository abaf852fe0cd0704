/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups of members that packs keep apart, and the variables that they name, for diff. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "diff/diff.h"
#include "rule/rule.h"

struct groups {
	struct diff_group *items; /* of one type and name one */
	size_t n, cap;
};

/* Those of the `apart` rules of packs that are for @target, with what the @findings of the new side
 * say of waivers; strings in @arena, of the packs or of the findings. */
void groups_of_packs(const struct packs *packs, const struct target *target,
		     const struct findings *findings, struct arena *arena, struct groups *ret);
void groups_release(struct groups *groups);

/* The variables that rules name, each once. */
struct named_variables {
	struct diff_variable *items;
	size_t n, cap;
};
void variables_of_packs(const struct packs *packs, const struct target *target,
			struct named_variables *ret);
void named_variables_release(struct named_variables *variables);

#endif
