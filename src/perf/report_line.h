/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single lines of the text of a report -> what they say. Inside of perf/: report_text.c goes over
 * the lines and knows in which section each stands.
 */
#ifndef PERF_REPORT_LINE_H
#define PERF_REPORT_LINE_H

#include "perf/report.h"

enum report_column {
	COLUMN_SHARE,            /* of the Pareto: COLUMN_SHARE + METRIC_* */
	COLUMN_NUMBER = METRICS, /* empty in its rows */
	COLUMN_OFFSET,
	COLUMN_MEMORY_NODE,
	COLUMN_PHYSICAL, /* "PA cnt" */
	COLUMN_PID,
	COLUMN_TID,
	COLUMN_CODE,
	COLUMN_MEAN_REMOTE,
	COLUMN_MEAN_LOCAL,
	COLUMN_MEAN_LOAD,
	COLUMN_RECORDS,
	COLUMN_CPUS,
	COLUMN_SYMBOL,
	COLUMN_OBJECT,
	COLUMN_SOURCE,
	COLUMN_NODES,
	COLUMN_INDEX, /* of the table of lines */
	COLUMN_ADDRESS,
	COLUMN_PERCENT,
	COLUMN_OTHER, /* one that is not read */
	COLUMN_TOTAL, /* COLUMN_TOTAL + TOTAL_*, to the end */
};

enum { REPORT_COLUMNS = 48 };

/* The columns as headings tell them; n 0: there are none. */
struct report_columns {
	size_t n;
	int kind[REPORT_COLUMNS]; /* enum report_column */
	/* Where each begins and ends, in bytes from the start of the line, when a line of dots says
	 * so. */
	bool has_extents;
	size_t from[REPORT_COLUMNS], to[REPORT_COLUMNS];
	bool is_peer;
	bool is_double; /* lines of two cache lines each */
};

/*
 * From the heading that names the columns, the one above it that groups them, and the line of dots
 * below. Each may be empty: what cannot be told leaves n at 0 or has_extents false.
 */
void report_columns_pareto(struct text groups, struct text names, struct text dots,
			   struct report_columns *ret);
void report_columns_table(struct text groups, struct text names, struct text dots,
			  struct report_columns *ret);

/* Does it begin like a row of the Pareto: with two percentages, if perhaps impossible ones? */
bool report_is_row(struct text line);

/*
 * A row of the Pareto, by its columns where the headings tell them and the row keeps them, else by
 * its pattern. NULL and @ret filled (but `at` and `end`), or why it is none, a clause.
 */
const char *report_row(const struct report_columns *columns, struct text line,
		       struct report_row *ret);

/* The counters of a line of the Pareto: "Num Rmt Lcl L1Hit L1Miss [N/A] 0xaddress". */
bool report_group(struct text line, struct report_group *ret);

/* A row of the table of lines; NULL, or why it is none. */
bool report_is_entry(struct text line);
const char *report_entry(const struct report_columns *columns, struct text line,
			 struct report_entry *ret);

#endif
