/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the formats for CI systems share: a finding and a change, told in the same words. A format
 * renders runs of items and does not ask which command they come from, but where the two differ.
 * They agree with the exit status: what fails the run is shown as a failure, and nothing else is.
 */
#ifndef REPORT_CI_H
#define REPORT_CI_H

#include "report/report.h"

enum ci_state {
	CI_HOLDS,
	CI_FAILS,     /* broken or missing; a change that is an error, or any with --strict */
	CI_UNTOLD,    /* unknown, which fails the run, too */
	CI_TOLERATED, /* as CI_FAILS, but waived or not severe enough */
	CI_SKIPPED,   /* not applicable; unknown that fails nothing */
};

/* One thing to tell. Strings are foreign, but for those that say otherwise. */
struct ci_item {
	enum ci_state state;
	/* Something to tell a person: of findings all but what holds with room and what does not
	 * apply; of changes all but notes that fail nothing and break no rule, which only a verbose
	 * report tells. */
	bool is_remarkable;
	enum severity severity; /* as it is shown: a note where it can fail nothing */
	/* Ours. Why it is no complaint: "waived", "unknown", "holds"; NULL: it is one. */
	const char *excuse;
	const char *reason; /* ours: why CI_TOLERATED or CI_SKIPPED */
	const char *type;   /* ours: the outcome, or the kind of the change */
	const char *id;     /* of the rule; of a change that no rule speaks of, its kind */
	const char *subject, *member, *message; /* member: a path or NULL */
	const char *cause;                      /* or NULL */
	const struct finding *rule;    /* whose reason and origin are told; NULL: no rule */
	const struct finding *finding; /* exactly one of the two */
	const struct change *change;
	struct pos place; /* where a person looks: at the declaration, or where that is not known
			     at the rule, or in the image */
	bool in_sources;  /* it is a declaration */
	struct pos pack;  /* of the rule; file NULL: there is none */
	const struct def *twin; /* which of several definitions of the name; NULL: the only one */
	const char *fingerprint;
	bool waived;
	const struct waiver *waiver; /* as that of a finding */
};

/* What one image, or a diff, has to say. */
struct ci_run {
	const struct layout *before, *image; /* before: of a diff, else NULL */
	uint64_t line;                       /* bytes; 0: unknown */
	struct ci_item *items;
	size_t n;
	const char *const *warnings;
	size_t nwarnings;
	const struct summary *summary;    /* of findings, or NULL */
	bool judged;                      /* some rule was, waived or not */
	const struct check_report *check; /* exactly one of the two */
	const struct diff_report *diff;
};

/* All of a report. */
struct ci_report {
	struct ci_run *runs;
	size_t n;
	/* What was asked for and is not there, which fails the run; and what of it (ours):
	 * " could not be read". */
	const char *const *lost;
	size_t nlost;
	const char *loss;
};

typedef void ci_renderer(const struct ci_report *report, const struct report_style *style,
			 struct buf *out);

/* What a row of `formats` does: makes items of a report and has them rendered. */
void ci_check(ci_renderer *render, const struct check_report *reports, size_t n,
	      const struct report_style *style, struct buf *out);
void ci_diff(ci_renderer *render, const struct diff_report *diff, const struct report_style *style,
	     struct buf *out);

/* Of findings->items[index]; a run of a check has all of them, in that order, and a run of a diff
 * all changes. */
struct ci_item ci_item_of_finding(const struct check_report *report, size_t index);

/* It is a failure: CI_FAILS or CI_UNTOLD. */
bool ci_fails(const struct ci_item *item);

/* Holds, with less to spare than --margin asks for. */
bool is_narrow(const struct check_report *report, const struct finding *finding);

/* One of those in base/escape.h. */
typedef void escaper(struct buf *buf, const char *s);

/* "FILE:LINE" */
void add_where(struct buf *out, struct pos pos, escaper *escape);

/* "failed, 3 findings", "passed, 6 rules hold" */
void ci_verdict(struct buf *out, const struct ci_report *report);

/* "1 hole", "2 holes" */
void add_count(struct buf *out, uint64_t n, const char *one, const char *many);

/* "SUBJECT: MESSAGE" */
void add_headline(struct buf *out, const struct ci_item *item, escaper *escape);

/* "waived until 2026-12-31 by OWNER: WHY (FILE:LINE)"; not @in_force: "was waived until 2026-12-31
 * by OWNER, which has expired: ..." */
void add_waiver(struct buf *out, const struct waiver *waiver, bool in_force, escaper *escape);

/* The start of a fingerprint that a waiver can name it by. */
void add_fingerprint(struct buf *out, const char *fingerprint);

/* The cause, what waives it, the margin, the notes and, when @verbose, the reason and the origin:
 * @before and
 * @after around each. */
void add_details(struct buf *out, const struct ci_item *item, bool verbose, const char *before,
		 const char *after, escaper *escape);

/* The id of the rule, "twin/size"; of a change the type and the kind, "counter/moved (lock)"; where
 * there are several definitions, with what tells this one apart: "twin/size (24 bytes, other.c)".
 */
void add_case(struct buf *out, const struct ci_item *item, escaper *escape);

/* "vmlinux (DWARF, x86_64, 64-byte lines)" */
void add_image_name(struct buf *out, const struct layout *layout, uint64_t line, escaper *escape);

/* The same of a run; of a diff, two of them and " -> " between. */
void add_run_name(struct buf *out, const struct ci_run *run, escaper *escape);

/* The outcomes that a summary speaks of, in order. */
struct count {
	size_t n;
	const char *word;
	enum outcome outcome;
};
enum { MAX_COUNTS = 7 };
size_t summary_counts(const struct summary *summary, struct count ret[MAX_COUNTS]);

/* "6 hold, 1 broken"; "8 types compared, 2 changed, ...: 3 errors, ..." */
void add_counts(struct buf *out, const struct ci_run *run);
void add_diff_counts(struct buf *out, const struct changes *changes);

/* "counters: reads against writes: 60 HITM" */
void add_hot_pair(struct buf *out, const struct diff_hot *hot, escaper *escape);

#endif
