/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/against.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"

/* What is worth a word: one in so many of the HITM of the side that has more. */
enum { WORTH_PARTS = 100 };

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static size_t count_names(const struct against_side *side)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n; i++)
		n += side->runs[i].n;
	return n;
}

static void collect(const struct against_side *side, const char **names, size_t *n)
{
	for (size_t i = 0; i < side->n; i++)
		for (size_t k = 0; k < side->runs[i].n; k++)
			names[(*n)++] = side->runs[i].counts[k].name;
}

/* Each once, ascending; malloc'd. */
static const char **all_names(const struct against_side *before, const struct against_side *after,
			      size_t *ret_n)
{
	const char **names = xcalloc(count_names(before) + count_names(after), sizeof(char *));
	size_t n = 0, kept = 0;

	collect(before, names, &n);
	collect(after, names, &n);
	if (n)
		qsort(names, n, sizeof(char *), compare_names);
	for (size_t i = 0; i < n; i++)
		if (!kept || strcmp(names[kept - 1], names[i]) != 0)
			names[kept++] = names[i];
	*ret_n = kept;
	return names;
}

/* Of one name; NULL: of all. */
static uint64_t hitm_of(const struct against_run *run, const char *name)
{
	uint64_t hitm = 0;

	for (size_t i = 0; i < run->n; i++)
		if (!name || strcmp(run->counts[i].name, name) == 0)
			hitm = add_capped(hitm, run->counts[i].hitm);
	return hitm;
}

static struct against_range range_of(const struct against_side *side, const char *name)
{
	struct against_range range = {.least = side->n ? UINT64_MAX : 0};

	for (size_t i = 0; i < side->n; i++) {
		uint64_t hitm = hitm_of(&side->runs[i], name);

		range.least = min_u64(range.least, hitm);
		range.most = max_u64(range.most, hitm);
		range.mean += (double)hitm / (double)side->n;
	}
	return range;
}

/* Is all of it above, by more than either differs in itself? */
static bool is_above(const struct against_range *high, const struct against_range *low)
{
	uint64_t spread = max_u64(high->most - high->least, low->most - low->least);

	return high->least > low->most && high->mean - low->mean > (double)spread;
}

static double difference(const struct against_change *change)
{
	double apart = change->after.mean - change->before.mean;

	return apart < 0 ? -apart : apart;
}

static enum against_fate fate_of(const struct against_change *change, double worth, bool known)
{
	if (!known)
		return AGAINST_UNKNOWN;
	if (difference(change) < worth)
		return AGAINST_SAME;
	if (is_above(&change->after, &change->before))
		return AGAINST_GAINED;
	return is_above(&change->before, &change->after) ? AGAINST_LOST : AGAINST_SAME;
}

static bool is_told(const struct against_change *change)
{
	return change->fate == AGAINST_GAINED || change->fate == AGAINST_LOST;
}

static int compare_changes(const void *left, const void *right)
{
	const struct against_change *a = left, *b = right;

	if (is_told(a) != is_told(b))
		return is_told(a) ? -1 : 1;
	if (difference(a) > difference(b) || difference(a) < difference(b))
		return difference(a) > difference(b) ? -1 : 1;
	return strcmp(a->name, b->name);
}

const struct against_change *against_compare(const struct against_side *before,
					     const struct against_side *after, struct arena *arena,
					     size_t *ret_n)
{
	bool known = before->n >= AGAINST_LEAST_RUNS && after->n >= AGAINST_LEAST_RUNS;
	double all_before = range_of(before, NULL).mean, all_after = range_of(after, NULL).mean;
	double worth = (all_before > all_after ? all_before : all_after) / WORTH_PARTS;
	const char **names = all_names(before, after, ret_n);
	struct against_change *changes = arena_array(arena, *ret_n, sizeof *changes);

	for (size_t i = 0; i < *ret_n; i++) {
		changes[i].name = names[i];
		changes[i].before = range_of(before, names[i]);
		changes[i].after = range_of(after, names[i]);
		changes[i].fate = fate_of(&changes[i], worth, known);
	}
	if (*ret_n)
		qsort(changes, *ret_n, sizeof *changes, compare_changes);
	free(names);
	return changes;
}
