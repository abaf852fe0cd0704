/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the formats for CI systems share, and text with them: how a finding counts there, and its
 * words. They agree with the exit status: what fails the run is shown as a failure, and nothing
 * else is.
 */
#ifndef REPORT_CI_H
#define REPORT_CI_H

#include "report/report.h"

enum ci_state {
	CI_HOLDS,
	CI_FAILS,     /* broken or missing */
	CI_UNTOLD,    /* unknown, which fails the run, too */
	CI_TOLERATED, /* broken or missing, but waived or below --fail-on */
	CI_SKIPPED,   /* not applicable; unknown that fails nothing */
};

enum ci_state ci_state(const struct check_report *report, const struct finding *finding);

/* Holds, with less to spare than --margin asks for. */
bool is_narrow(const struct check_report *report, const struct finding *finding);

/* Something to tell a person: all but what holds with room and what does not apply. */
bool is_remarkable(const struct check_report *report, const struct finding *finding);

/* Of something remarkable: its severity, or a note where it fails nothing whatever --fail-on says.
 */
enum severity ci_severity(const struct check_report *report, const struct finding *finding);

/* Why something remarkable is no complaint: "waived", "unknown", "holds"; NULL: it is one. */
const char *ci_excuse(const struct check_report *report, const struct finding *finding);

/* Where a person looks: at the declaration, or where that is not known at the rule. */
struct pos ci_place(const struct finding *finding);

/* One of those in base/escape.h. */
typedef void escaper(struct buf *buf, const char *s);

/* "SUBJECT: MESSAGE" */
void add_headline(struct buf *out, const struct finding *finding, escaper *escape);

/* The cause, the margin, the notes and, when @verbose, the reason and the origin: @before and
 * @after around each. */
void add_details(struct buf *out, const struct finding *finding, bool verbose, const char *before,
		 const char *after, escaper *escape);

/* The id of the rule; where several definitions were judged, with what tells this one apart:
 * "twin/size (24 bytes, other.c)". */
void add_case(struct buf *out, const struct findings *findings, size_t index, escaper *escape);

/* "vmlinux (DWARF, x86_64, 64-byte lines)" */
void add_image_name(struct buf *out, const struct layout *layout, uint64_t line, escaper *escape);

/* The outcomes that a summary speaks of, in order. */
struct count {
	size_t n;
	const char *word;
	enum outcome outcome;
};
enum { MAX_COUNTS = 6 };
size_t summary_counts(const struct summary *summary, struct count ret[MAX_COUNTS]);

/* "6 hold, 1 broken" */
void add_counts(struct buf *out, const struct summary *summary);

#endif
