/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two kernels, or two programs, each recorded several times the same way: which lines gained or
 * lost HITM by more than runs differ among themselves. Pure: no clock, no chance.
 *
 * A line is known by a name that both sides have for it, of the member or the symbol, since
 * addresses differ. Counts are compared, not shares: when one line is mended the shares of all
 * others grow. Both sides must do the same work.
 */
#ifndef RECORD_AGAINST_H
#define RECORD_AGAINST_H

#include "base/mem.h"

struct against_count {
	const char *name;
	uint64_t hitm;
};

/* One recording. A name that stands there several times has the sum; one that does not has 0. */
struct against_run {
	const struct against_count *counts;
	size_t n;
};

struct against_side {
	const struct against_run *runs;
	size_t n;
};

/* Fewer runs of a side tell no spread. */
enum { AGAINST_LEAST_RUNS = 3 };

enum against_fate {
	AGAINST_SAME, /* within the spread, or less than a hundredth of all HITM */
	AGAINST_GAINED,
	AGAINST_LOST,
	AGAINST_UNKNOWN /* a side has too few runs */
};

struct against_range {
	uint64_t least, most;
	double mean;
};

struct against_change {
	const char *name; /* of the first run that has it */
	struct against_range before, after;
	enum against_fate fate;
};

/*
 * All names, in @arena: those that gained or lost first, then by how much the means differ, then by
 * name. One gained or lost when all runs of a side are above all of the other, and the means are
 * further apart than the runs of either side.
 */
const struct against_change *against_compare(const struct against_side *before,
					     const struct against_side *after, struct arena *arena,
					     size_t *ret_n);

#endif
