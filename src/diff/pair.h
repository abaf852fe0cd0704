/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which definition became which. Those of one name, scope and kind are paired: first by declaring
 * file and equal layout, then by file, then by equal layout, then those that most units agree on;
 * what is left has appeared or vanished.
 */
#ifndef DIFF_PAIR_H
#define DIFF_PAIR_H

#include "diff/alike.h"

struct def_pair {
	const struct def *old, *new; /* NULL: on that side it is not */
	bool ambiguous;              /* of one name that has several definitions on a side */
	bool became_ambiguous;       /* one there was, now there are several: of their first */
	size_t others;               /* definitions of the name on the new side, besides this */
};

struct def_pairs {
	struct def_pair *items; /* by name, scope, kind; then as the new layout has them */
	size_t n, cap;
};

/* The definitions in the lists, which are runs of sorted layouts; the pairs are added to @ret. */
void pair_defs(struct alike *alike, const struct def *const *old, size_t nold,
	       const struct def *const *new, size_t nnew, struct def_pairs *ret);

void def_pairs_release(struct def_pairs *pairs);

#endif
