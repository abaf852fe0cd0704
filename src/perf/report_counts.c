/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Percentages -> samples. perf prints the counters of a line, and of its rows the shares in
 * hundredths of a percent: exact below 10,000 samples, and near enough above that the sum says the
 * rest.
 */
#include <stdlib.h>

#include "base/math.h"
#include "base/text.h"
#include "perf/report.h"

enum { WHOLE = 10000 };

/* A row's count is off the true value by @error ten-thousandths of a sample, upwards if positive.
 */
struct rounded {
	struct report_row *row;
	int64_t error;
};

static int by_error(const void *a, const void *b)
{
	const struct rounded *x = a, *y = b;

	if (x->error != y->error)
		return x->error < y->error ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* The nearest number of samples, and how far off it is. */
static uint64_t round_share(uint64_t all, uint32_t share, int64_t *ret_error)
{
	uint64_t rest = all % WHOLE * share;
	uint64_t up = (rest + WHOLE / 2) / WHOLE;

	*ret_error = (int64_t)(up * WHOLE) - (int64_t)rest;
	return all / WHOLE * share + up;
}

/* Spreads what is missing to @target, or too much, over the rows that are off the most. */
static void settle(struct rounded *rows, size_t n, enum report_metric metric, uint64_t sum,
		   uint64_t target)
{
	bool is_more = sum < target;
	uint64_t left = is_more ? target - sum : sum - target;

	for (size_t i = 0; i < n && left; i++) {
		struct report_row *row = rows[is_more ? i : n - 1 - i].row;
		uint64_t step = left / (n - i) + (left % (n - i) != 0);

		if (!is_more)
			step = min_u64(step, row->count[metric]);
		row->count[metric] =
			is_more ? row->count[metric] + step : row->count[metric] - step;
		left -= step;
	}
}

static void count_metric(struct report *report, const struct report_group *group,
			 enum report_metric metric, struct rounded *scratch)
{
	uint64_t all = metric < group->counts ? group->count[metric] : 0;
	uint64_t sum = 0, shares = 0, off;
	size_t n = 0;

	for (size_t i = 0; i < group->nrows; i++) {
		struct report_row *row = &report->rows[group->first + i];

		if (row->share[metric] == 0)
			continue;
		scratch[n].row = row;
		row->count[metric] = round_share(all, row->share[metric], &scratch[n].error);
		sum = add_capped(sum, row->count[metric]);
		shares += row->share[metric];
		n++;
	}
	if (n == 0)
		return;
	qsort(scratch, n, sizeof *scratch, by_error);
	/* Each share is off by half a hundredth at most: so far from the whole, rows were left
	 * out, and what there is must only not be more than all. */
	off = shares < WHOLE ? WHOLE - shares : shares - WHOLE;
	if (off <= n / 2 + 1 || sum > all)
		settle(scratch, n, metric, sum, all);
}

/* What a row must have of records when HITMs of other nodes stand in them @times. */
static uint64_t least_records(const struct report_row *row, uint64_t times)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < METRICS; i++)
		sum = add_capped(sum, row->count[i]);
	for (; times > 1; times--)
		sum = add_capped(sum, row->count[METRIC_REMOTE]);
	return sum;
}

static bool has(const struct report_entry *entry, enum report_total total)
{
	return entry->has >> total & 1;
}

/* HITMs of other nodes are loads of their memory, too, only if there are at least as many of these.
 */
static bool counts_remote_twice(const struct report *report)
{
	if (report->is_peer)
		return false;
	for (size_t i = 0; i < report->nevents; i++)
		if (text_starts_with(report->events[i], "ibs_op"))
			return false; /* AMD tells the hops */
	if (report->has_remote_hitm && report->has_remote_dram &&
	    report->remote_dram < report->remote_hitm)
		return false;
	for (size_t i = 0; i < report->nentries; i++) {
		const struct report_entry *entry = &report->entries[i];

		if (has(entry, TOTAL_REMOTE_HITM) && has(entry, TOTAL_REMOTE_DRAM) &&
		    entry->total[TOTAL_REMOTE_DRAM] < entry->total[TOTAL_REMOTE_HITM])
			return false;
	}
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];
		uint64_t least = least_records(row, 2);

		if (row->has_records && least - least / 1000 > add_capped(row->records, METRICS))
			return false;
	}
	return true;
}

void report_counts(struct report *report)
{
	size_t most = 1;
	struct rounded *scratch;

	for (size_t i = 0; i < report->ngroups; i++)
		most = report->groups[i].nrows > most ? report->groups[i].nrows : most;
	scratch = xcalloc(most, sizeof *scratch);
	for (size_t i = 0; i < report->ngroups; i++)
		for (size_t metric = 0; metric < METRICS; metric++)
			count_metric(report, &report->groups[i], metric, scratch);
	free(scratch);
	report->counts_remote_twice = counts_remote_twice(report);
	for (size_t i = 0; i < report->nrows; i++) {
		struct report_row *row = &report->rows[i];
		uint64_t least = least_records(row, report->counts_remote_twice ? 2 : 1);

		row->others = row->has_records && row->records > least ? row->records - least : 0;
	}
}
