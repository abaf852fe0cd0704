/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/ci.h"

#include <string.h>

enum ci_state ci_state(const struct check_report *report, const struct finding *finding)
{
	bool fails = finding_fails(finding, report->fail_on, report->allow_unknown);

	switch (finding->outcome) {
	case OUTCOME_HOLDS:
		return CI_HOLDS;
	case OUTCOME_BROKEN:
	case OUTCOME_MISSING:
		return fails ? CI_FAILS : CI_TOLERATED;
	case OUTCOME_UNKNOWN:
		return fails ? CI_UNTOLD : CI_SKIPPED;
	case OUTCOME_NOT_APPLICABLE:
		break;
	}
	return CI_SKIPPED;
}

bool is_narrow(const struct check_report *report, const struct finding *finding)
{
	return finding->outcome == OUTCOME_HOLDS && finding->has_margin && report->has_margin &&
	       finding->margin < report->margin;
}

bool is_remarkable(const struct check_report *report, const struct finding *finding)
{
	return finding->outcome == OUTCOME_HOLDS ? is_narrow(report, finding)
						 : finding->outcome != OUTCOME_NOT_APPLICABLE;
}

static bool is_complaint(const struct check_report *report, const struct finding *finding)
{
	return finding_fails(finding, SEVERITY_NOTE, report->allow_unknown);
}

enum severity ci_severity(const struct check_report *report, const struct finding *finding)
{
	return is_complaint(report, finding) ? finding->severity : SEVERITY_NOTE;
}

const char *ci_excuse(const struct check_report *report, const struct finding *finding)
{
	if (is_complaint(report, finding))
		return NULL;
	return finding->waived ? "waived" : outcome_name(finding->outcome);
}

struct pos ci_place(const struct finding *finding)
{
	if (finding->def && finding->def->has_decl)
		return (struct pos){finding->def->file, finding->def->line, 0};
	return finding->pack;
}

void add_headline(struct buf *out, const struct finding *finding, escaper *escape)
{
	escape(out, finding->subject);
	buf_adds(out, ": ");
	escape(out, finding->message);
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

void add_details(struct buf *out, const struct finding *finding, bool verbose, const char *before,
		 const char *after, escaper *escape)
{
	add_detail(out, "", finding->cause, before, after, escape);
	if (finding->has_margin && finding->outcome == OUTCOME_HOLDS)
		buf_addf(out, "%s%llu more %s before it breaks%s", before,
			 (unsigned long long)finding->margin,
			 finding->margin == 1 ? "byte fits" : "bytes fit", after);
	for (size_t i = 0; i < finding->nnotes; i++)
		add_detail(out, "", finding->notes[i], before, after, escape);
	if (!verbose)
		return;
	add_detail(out, "why: ", finding->why, before, after, escape);
	add_detail(out, "origin: ", finding->origin, before, after, escape);
}

/* Another definition was judged by the rule of the finding at @index. Findings of one rule are
 * neighbours. */
static bool has_twin(const struct findings *findings, size_t index)
{
	const struct finding *items = findings->items;

	return (index && strcmp(items[index - 1].rule, items[index].rule) == 0) ||
	       (index + 1 < findings->n && strcmp(items[index + 1].rule, items[index].rule) == 0);
}

void add_case(struct buf *out, const struct findings *findings, size_t index, escaper *escape)
{
	const struct finding *finding = &findings->items[index];
	const struct def *def = finding->def;

	escape(out, finding->rule);
	if (!def || !has_twin(findings, index))
		return;
	buf_addf(out, " (%llu bytes", (unsigned long long)(def->type->bits / 8));
	if (def->has_decl) {
		buf_adds(out, ", ");
		escape(out, def->file);
	}
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

size_t summary_counts(const struct summary *summary, struct count ret[MAX_COUNTS])
{
	const struct count all[MAX_COUNTS] = {
		{summary->holds, "hold", OUTCOME_HOLDS},
		{summary->broken, "broken", OUTCOME_BROKEN},
		{summary->missing, "missing", OUTCOME_MISSING},
		{summary->unknown, "unknown", OUTCOME_UNKNOWN},
		{summary->not_applicable, "not applicable", OUTCOME_NOT_APPLICABLE},
		{summary->waived, "waived", OUTCOME_NOT_APPLICABLE},
	};
	size_t n = 0;

	/* What holds and what is broken is said even when it is nothing. */
	for (size_t i = 0; i < MAX_COUNTS; i++)
		if (i < 2 || all[i].n)
			ret[n++] = all[i];
	return n;
}

void add_counts(struct buf *out, const struct summary *summary)
{
	struct count counts[MAX_COUNTS];
	size_t n = summary_counts(summary, counts);

	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%zu %s", i ? ", " : "", counts[i].n, counts[i].word);
}
