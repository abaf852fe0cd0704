/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of `perf c2c report --stdio`, of perf 4.10 to today, or an excerpt of it as it stands in
 * a mail: quoted, indented anew, without headings, with columns narrowed or left out.
 *
 *	report_parse()		text -> the lines of its table, those of its Pareto, their rows
 *	report_counts()		the percentages of the rows -> samples
 *	report_slide.h		where the image was, by what the rows say of their code
 *
 * There are the table of lines (an `entry` each), and the Pareto: a `group` for a line, headed by
 * its counters between dashes, with `rows` by offset and code address. perf's columns:
 * tools/perf/builtin-c2c.c.
 *
 * Nothing is left out in silence: what stands where a row must be and is none is counted, and the
 * first of each kind is noted with its place.
 */
#ifndef PERF_REPORT_H
#define PERF_REPORT_H

#include "base/file.h"
#include "base/mem.h"
#include "perf/reader.h"
#include "perf/words.h"

/* What a row shares with the others of its line: the columns of percentages. */
enum report_metric {
	METRIC_REMOTE, /* HITM, or peer with is_peer */
	METRIC_LOCAL,
	METRIC_L1_HIT, /* stores */
	METRIC_L1_MISS,
	METRIC_NO_LEVEL,
	METRICS
};

/* Means of cycles. */
enum report_mean { MEAN_REMOTE, MEAN_LOCAL, MEAN_LOAD, MEANS };

struct report_row {
	size_t at;  /* line of the text, from 1; of a row that a mailer broke in two the second */
	size_t end; /* column behind its last byte that is no blank, from 0 */
	uint32_t share[METRICS]; /* hundredths of a percent */
	unsigned has_share;      /* 1 << METRIC_* */
	uint64_t offset;         /* in the line */
	bool has_code, has_records;
	uint64_t code, records, cpus; /* cpus 0: not said */
	uint64_t mean[MEANS];
	uint64_t nodes; /* bit by number; 0: not said */
	int32_t pid, tid;
	enum access_mode mode;
	struct text comm, symbol, object, source; /* empty: not said */
	uint64_t count[METRICS];                  /* report_counts() */
	uint64_t others;                          /* loads that are no HITM: report_counts() */
};

/* The columns of the table of lines that are counters. */
enum report_total {
	TOTAL_RECORDS,
	TOTAL_LOADS,
	TOTAL_STORES,
	TOTAL_REMOTE_HITM,
	TOTAL_LOCAL_HITM,
	TOTAL_REMOTE_PEER,
	TOTAL_LOCAL_PEER,
	TOTAL_L1_HIT, /* stores */
	TOTAL_L1_MISS,
	TOTAL_NO_LEVEL,
	TOTAL_LFB, /* loads */
	TOTAL_L1,
	TOTAL_L2,
	TOTAL_LLC,
	TOTAL_REMOTE_CACHE,
	TOTAL_LOCAL_DRAM,
	TOTAL_REMOTE_DRAM,
	TOTALS
};

struct report_entry {
	size_t at;
	uint64_t index, address;
	uint64_t total[TOTALS];
	uint32_t has; /* 1 << TOTAL_* */
	bool in_pareto;
};

struct report_group {
	size_t at;
	bool has_number;
	uint64_t number, address;
	uint64_t count[METRICS];
	unsigned counts;
	size_t first, nrows; /* of report.rows */
	size_t entry;        /* of report.entries; SIZE_MAX: the table lacks it */
};

/* A line that names the columns of the Pareto, or draws them as dots. */
struct report_heading {
	size_t at;
	bool is_dots;
};

struct report {
	const char *place;
	struct bytes text;
	struct arena arena; /* of `events` and `notes` */
	struct report_row *rows;
	size_t nrows, rows_cap;
	struct report_group *groups;
	size_t ngroups, groups_cap;
	struct report_entry *entries;
	size_t nentries, entries_cap;
	struct report_heading *headings;
	size_t nheadings, headings_cap;
	bool is_peer;     /* its columns are of peer snoops, not of HITM */
	bool has_table;   /* its title is there */
	unsigned paretos; /* titles of them */
	/* perf counts a load of another node's modified line as one of its memory, too, where the
	 * recording says "remote" and no number of hops: every remote HITM is two records. */
	bool counts_remote_twice;
	bool has_records, has_remote_hitm, has_remote_dram;
	uint64_t records, remote_hitm, remote_dram; /* of all lines, from the first section */
	const char **events;
	size_t nevents, events_cap;
	uint64_t line_size; /* bytes */
	const char **notes;
	size_t nnotes, notes_cap;
};

extern const struct recording_reader reader_report;

/* Do these first bytes look like it? */
bool report_probe(const uint8_t *head, size_t len);

/*
 * @place names the text in errors and notes and lives as long as the report; @text is taken over.
 * An error when nothing of it was understood. Filled or not, @ret is to be released.
 */
MUST_CHECK bool report_parse(const char *place, struct bytes *text, struct err *err,
			     struct report *ret);
void report_release(struct report *report);

void report_note(struct report *report, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Fills `count` and `others` of the rows, and counts_remote_twice. */
void report_counts(struct report *report);

#endif
