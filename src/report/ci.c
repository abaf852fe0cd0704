/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words; ci_items.c has what they are made of. */
#include "report/ci.h"

#include <string.h>

bool ci_fails(const struct ci_item *item)
{
	return item->state == CI_FAILS || item->state == CI_UNTOLD;
}

void add_where(struct buf *out, struct pos pos, escaper *escape)
{
	escape(out, pos.file);
	if (pos.line)
		buf_addf(out, ":%u", pos.line);
}

void add_count(struct buf *out, uint64_t n, const char *one, const char *many)
{
	buf_addf(out, "%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

static void add_passed(struct buf *out, const struct ci_report *report)
{
	size_t holds = 0, judged = 0, changes = 0;
	bool is_diff = false;

	for (size_t i = 0; i < report->n; i++) {
		const struct summary *summary = report->runs[i].summary;

		if (!summary) {
			is_diff = true;
			changes += report->runs[i].n;
			continue;
		}
		holds += summary->holds;
		judged += report->runs[i].judged;
	}
	if (is_diff && changes) {
		buf_adds(out, "passed, ");
		add_count(out, changes, "change", "changes");
	} else if (is_diff) {
		buf_adds(out, "passed, no layout changed");
	} else if (judged) {
		buf_adds(out, "passed, ");
		add_count(out, holds, "rule holds", "rules hold");
	} else {
		buf_adds(out, "nothing was checked");
	}
}

void ci_verdict(struct buf *out, const struct ci_report *report)
{
	size_t failures = 0;

	for (size_t i = 0; i < report->n; i++)
		for (size_t k = 0; k < report->runs[i].n; k++)
			failures += ci_fails(&report->runs[i].items[k]);
	if (failures) {
		buf_adds(out, "failed, ");
		if (report->runs[0].diff)
			add_count(out, failures, "change", "changes");
		else
			add_count(out, failures, "finding", "findings");
	} else if (report->nlost) {
		buf_adds(out, "not everything could be read");
	} else {
		add_passed(out, report);
	}
}

void add_headline(struct buf *out, const struct ci_item *item, escaper *escape)
{
	escape(out, item->subject);
	buf_adds(out, ": ");
	escape(out, item->message);
}

void add_waiver(struct buf *out, const struct waiver *waiver, bool in_force, escaper *escape)
{
	buf_adds(out, in_force ? "waived" : "was waived");
	if (waiver->until) {
		buf_adds(out, " until ");
		escape(out, waiver->until);
	}
	if (waiver->owner) {
		buf_adds(out, " by ");
		escape(out, waiver->owner);
	}
	buf_adds(out, in_force ? ": " : ", which has expired: ");
	escape(out, waiver->why);
	buf_adds(out, " (");
	add_where(out, waiver->pos, escape);
	buf_addc(out, ')');
}

void add_fingerprint(struct buf *out, const char *fingerprint)
{
	buf_addf(out, "fingerprint: %.*s", FINGERPRINT_START, fingerprint);
}

static void add_detail(struct buf *out, const char *label, const char *text, const char *before,
		       const char *after, escaper *escape)
{
	if (!text)
		return;
	buf_adds(out, before);
	buf_adds(out, label);
	escape(out, text);
	buf_adds(out, after);
}

void add_details(struct buf *out, const struct ci_item *item, bool verbose, const char *before,
		 const char *after, escaper *escape)
{
	const struct finding *finding = item->finding;

	add_detail(out, "", item->cause, before, after, escape);
	if (item->waiver) {
		buf_adds(out, before);
		add_waiver(out, item->waiver, item->waived, escape);
		buf_adds(out, after);
	}
	if (finding && finding->has_margin && finding->outcome == OUTCOME_HOLDS) {
		buf_adds(out, before);
		add_count(out, finding->margin, "more byte fits", "more bytes fit");
		buf_addf(out, " before it breaks%s", after);
	}
	for (size_t i = 0; finding && i < finding->nnotes; i++)
		add_detail(out, "", finding->notes[i], before, after, escape);
	if (!verbose || !item->rule)
		return;
	add_detail(out, "why: ", item->rule->why, before, after, escape);
	add_detail(out, "origin: ", item->rule->origin, before, after, escape);
}

/* What tells one case of several apart: the first begins a parenthesis. */
static void add_part(struct buf *out, bool *begun, const char *text, escaper *escape)
{
	if (!text)
		return;
	buf_adds(out, *begun ? ", " : " (");
	*begun = true;
	escape(out, text);
}

void add_case(struct buf *out, const struct ci_item *item, escaper *escape)
{
	const struct change *change = item->change;
	bool begun = false;

	if (change) {
		escape(out, item->subject);
		buf_addf(out, "/%s", item->type);
		add_part(out, &begun, change->member, escape);
		add_part(out, &begun, change->other, escape);
		add_part(out, &begun, change->rule, escape);
	} else {
		escape(out, item->id);
	}
	if (item->twin) {
		struct buf size = BUF_INIT;

		add_count(&size, item->twin->type->bits / 8, "byte", "bytes");
		add_part(out, &begun, size.s, escape);
		add_part(out, &begun, item->twin->has_decl ? item->twin->file : NULL, escape);
		buf_release(&size);
	}
	if (begun)
		buf_addc(out, ')');
}

void add_image_name(struct buf *out, const struct layout *layout, uint64_t line, escaper *escape)
{
	escape(out, layout->path);
	buf_addf(out, " (%s, ", layout_source_name(layout->source));
	escape(out, layout->target.arch ? layout->target.arch : "machine unknown");
	if (line)
		buf_addf(out, ", %llu-byte lines)", (unsigned long long)line);
	else
		buf_adds(out, ", line size unknown)");
}

void add_run_name(struct buf *out, const struct ci_run *run, escaper *escape)
{
	if (run->before) {
		add_image_name(out, run->before, run->line, escape);
		escape(out, " -> ");
	}
	add_image_name(out, run->image, run->line, escape);
}

size_t summary_counts(const struct summary *summary, struct count ret[MAX_COUNTS])
{
	const struct count all[MAX_COUNTS] = {
		{summary->holds, "hold", OUTCOME_HOLDS},
		{summary->broken, "broken", OUTCOME_BROKEN},
		{summary->missing, "missing", OUTCOME_MISSING},
		{summary->unknown, "unknown", OUTCOME_UNKNOWN},
		{summary->not_applicable, "not applicable", OUTCOME_NOT_APPLICABLE},
		{summary->waived, "waived", OUTCOME_NOT_APPLICABLE},
		{summary->unmatched,
		 summary->unmatched == 1 ? "waiver unmatched" : "waivers unmatched",
		 OUTCOME_UNKNOWN},
	};
	size_t n = 0;

	/* What holds and what is broken is said even when it is nothing. */
	for (size_t i = 0; i < MAX_COUNTS; i++)
		if (i < 2 || all[i].n)
			ret[n++] = all[i];
	return n;
}

void add_hot_pair(struct buf *out, const struct diff_hot *hot, escaper *escape)
{
	escape(out, hot->subject);
	buf_adds(out, ": ");
	escape(out, hot->read);
	buf_adds(out, " against ");
	escape(out, hot->written);
	buf_addf(out, ": %llu %s", (unsigned long long)hot->hitm,
		 strcmp(hot->fate, "made") == 0 ? "loads" : "HITM");
}

void add_diff_counts(struct buf *out, const struct changes *changes)
{
	add_count(out, changes->summary.compared, "type compared", "types compared");
	buf_addf(out, ", %zu changed, %zu appeared, %zu vanished: ", changes->summary.changed,
		 changes->summary.appeared, changes->summary.vanished);
	add_count(out, changes->summary.errors, "error", "errors");
	buf_adds(out, ", ");
	add_count(out, changes->summary.warnings, "warning", "warnings");
	buf_adds(out, ", ");
	add_count(out, changes->summary.notes, "note", "notes");
	if (changes->summary.waived)
		buf_addf(out, ", %zu waived", changes->summary.waived);
}

void add_counts(struct buf *out, const struct ci_run *run)
{
	struct count counts[MAX_COUNTS];
	size_t n;

	if (run->diff) {
		add_diff_counts(out, run->diff->changes);
		return;
	}
	n = summary_counts(run->summary, counts);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%zu %s", i ? ", " : "", counts[i].n, counts[i].word);
}
