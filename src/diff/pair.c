/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/pair.h"

#include <stdlib.h>
#include <string.h>

void def_pairs_release(struct def_pairs *pairs)
{
	free(pairs->items);
	*pairs = (struct def_pairs){0};
}

static void add(struct def_pairs *pairs, struct def_pair pair)
{
	ARRAY_GROW(pairs->items, pairs->n, pairs->cap);
	pairs->items[pairs->n++] = pair;
}

/* NULL sorts first. */
static int compare_strings(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

/* As layout_sort() has them: those of one key stand together. */
static int compare_keys(const struct def *a, const struct def *b)
{
	int order = compare_strings(a->name, b->name);

	if (!order)
		order = compare_strings(a->scope, b->scope);
	return order ? order : (int)a->kind - (int)b->kind;
}

/* ---- the definitions of one key ----------------------------------------------------------------
 */

struct def_run {
	const struct def *const *defs;
	size_t n;
};

struct matching {
	struct alike *alike;
	struct def_run old, new;
	const struct def **match; /* of the new one at that index */
	bool *taken;              /* the old one at that index */
	size_t left;              /* old ones not taken */
};

enum reason { SAME_FILE = 1, SAME_LAYOUT = 2 };

static bool fits(const struct matching *matching, const struct def *old, const struct def *new,
		 unsigned reasons)
{
	if ((reasons & SAME_FILE) &&
	    (!old->has_decl || !new->has_decl || strcmp(old->file, new->file) != 0))
		return false;
	return !(reasons & SAME_LAYOUT) || alike_types(matching->alike, old->type, new->type);
}

/* Thousands of definitions of one name are not tried each with each for ever: those that are left
 * then are matched in their order. */
enum { MOST_TRIES = 4 << 20 };

static void match_by(struct matching *matching, unsigned reasons)
{
	size_t tries = 0, first = 0;

	for (size_t n = 0; n < matching->new.n && matching->left &&tries < MOST_TRIES; n++) {
		while (first < matching->old.n && matching->taken[first])
			first++;
		for (size_t o = first; o < matching->old.n && !matching->match[n]; o++) {
			tries += reasons != 0;
			if (matching->taken[o] ||
			    !fits(matching, matching->old.defs[o], matching->new.defs[n], reasons))
				continue;
			matching->match[n] = matching->old.defs[o];
			matching->taken[o] = true;
			matching->left--;
		}
	}
}

static void pair_run(struct alike *alike, struct def_run old, struct def_run new,
		     struct def_pairs *ret)
{
	struct matching matching = {alike,
				    old,
				    new,
				    xcalloc(new.n + 1, sizeof *matching.match),
				    xcalloc(old.n + 1, sizeof *matching.taken),
				    old.n};
	bool ambiguous = old.n > 1 || new.n > 1;

	match_by(&matching, SAME_FILE | SAME_LAYOUT);
	match_by(&matching, SAME_FILE);
	match_by(&matching, SAME_LAYOUT);
	match_by(&matching, 0);
	for (size_t i = 0; i < new.n; i++)
		add(ret, (struct def_pair){.old = matching.match[i],
					   .new = new.defs[i],
					   .ambiguous = ambiguous,
					   .became_ambiguous = !i &&old.n == 1 && new.n > 1,
					   .others = new.n - 1});
	for (size_t i = 0; i < old.n; i++)
		if (!matching.taken[i])
			add(ret, (struct def_pair){.old = old.defs[i], .ambiguous = ambiguous});
	free(matching.match);
	free(matching.taken);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Those at the start of the list that share the key of @first. */
static struct def_run take(const struct def *const **defs, size_t *n, const struct def *first)
{
	struct def_run run = {*defs, 0};

	while (run.n < *n && compare_keys(run.defs[run.n], first) == 0)
		run.n++;
	if (run.n)
		*defs += run.n;
	*n -= run.n;
	return run;
}

void pair_defs(struct alike *alike, const struct def *const *old, size_t nold,
	       const struct def *const *new, size_t nnew, struct def_pairs *ret)
{
	while (nold || nnew) {
		const struct def *first = nold ? *old : *new;

		if (nold && nnew && compare_keys(*new, first) < 0)
			first = *new;
		struct def_run from = take(&old, &nold, first);

		pair_run(alike, from, take(&new, &nnew, first), ret);
	}
}
