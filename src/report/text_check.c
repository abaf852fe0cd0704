/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings as text:
 *
 *	FILE:LINE: SEVERITY: SUBJECT: MESSAGE [RULE]
 *	    what more there is to say, a line each
 *	    PACK:LINE
 *
 * The place is where the type is declared; where the image cannot tell, it is that of the rule.
 */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "report/text.h"

/* The word after the place: a severity where the finding is a complaint, else how the rule fared.
 */
static void add_verdict(struct buf *out, const struct check_report *report,
			const struct report_style *style, const struct finding *finding)
{
	static const enum ink severity_ink[] = {
		[SEVERITY_NOTE] = INK_CYAN,
		[SEVERITY_WARNING] = INK_YELLOW,
		[SEVERITY_ERROR] = INK_RED,
	};

	if (finding->waived)
		paint(out, style, INK_DIM, "waived");
	else if (finding_fails(finding, SEVERITY_NOTE, report->allow_unknown))
		paint(out, style, severity_ink[finding->severity],
		      severity_name(finding->severity));
	else if (is_narrow(report, finding))
		paint(out, style, INK_CYAN, severity_name(SEVERITY_NOTE));
	else
		paint(out, style, outcome_ink(finding->outcome), outcome_name(finding->outcome));
}

static void add_detail(struct buf *out, const char *label, const char *text)
{
	if (!text)
		return;
	buf_addf(out, "    %s", label);
	escape_text(out, text);
	buf_addc(out, '\n');
}

static void add_pos(struct buf *out, const struct report_style *style, enum ink ink,
		    const char *file, unsigned line)
{
	struct buf place = BUF_INIT;

	buf_adds(&place, file);
	if (line)
		buf_addf(&place, ":%u", line);
	paint_foreign(out, style, ink, place.s);
	buf_release(&place);
}

static void add_finding(struct buf *out, const struct check_report *report,
			const struct report_style *style, const struct finding *finding)
{
	bool has_decl = finding->def && finding->def->has_decl;

	if (has_decl)
		add_pos(out, style, INK_BOLD, finding->def->file, finding->def->line);
	else
		add_pos(out, style, INK_BOLD, finding->pack.file, finding->pack.line);
	buf_adds(out, ": ");
	add_verdict(out, report, style, finding);
	buf_adds(out, ": ");
	escape_text(out, finding->subject);
	buf_adds(out, ": ");
	escape_text(out, finding->message);
	buf_adds(out, " [");
	escape_text(out, finding->rule);
	buf_adds(out, "]\n");

	add_detail(out, "", finding->cause);
	if (finding->waiver)
		add_waiver_lines(out, style, finding->waiver, finding->waived);
	if (finding->has_margin && finding->outcome == OUTCOME_HOLDS) {
		buf_adds(out, "    ");
		add_count(out, finding->margin, "more byte fits", "more bytes fit");
		buf_adds(out, " before it breaks\n");
	}
	for (size_t i = 0; i < finding->nnotes; i++)
		add_detail(out, "", finding->notes[i]);
	if (style->verbose) {
		if (finding->why)
			add_prose(out, style, WHY, strlen(WHY), finding->why);
		add_detail(out, "origin: ", finding->origin);
		buf_adds(out, "    ");
		add_fingerprint(out, finding->fingerprint);
		buf_addc(out, '\n');
	}
	if (has_decl) {
		buf_adds(out, "    ");
		add_pos(out, style, INK_DIM, finding->pack.file, finding->pack.line);
		buf_addc(out, '\n');
	}
}

static bool is_repeated(const struct check_report *report, const struct finding *finding,
			const struct finding *first)
{
	return finding->outcome == OUTCOME_UNKNOWN && !finding->waiver &&
	       !finding_fails(finding, report->fail_on, report->allow_unknown) &&
	       strcmp(finding->message, first->message) == 0;
}

/* How many findings from @index on say that the image cannot tell, all for one reason, and fail
 * nothing: a line for each of them hides the others. */
static size_t count_repeated(const struct check_report *report, size_t index)
{
	const struct finding *first = &report->findings->items[index];
	size_t n = 0;

	while (index + n < report->findings->n && is_repeated(report, first + n, first))
		n++;
	return n;
}

static void add_findings(struct buf *out, const struct check_report *report,
			 const struct report_style *style)
{
	enum { FEW = 3 };

	for (size_t i = 0; i < report->findings->n; i++) {
		size_t n = style->verbose ? 0 : count_repeated(report, i);

		add_finding(out, report, style, &report->findings->items[i]);
		if (n <= FEW)
			continue;
		i += n - 1;
		buf_addf(out, "    the same of %zu more rules, the last at ", n - 1);
		add_pos(out, style, INK_DIM, report->findings->items[i].pack.file,
			report->findings->items[i].pack.line);
		buf_adds(out, " (-v lists them)\n");
	}
}

static void add_summary(struct buf *out, const struct check_report *report,
			const struct report_style *style)
{
	struct count counts[MAX_COUNTS];
	size_t n = summary_counts(&report->findings->summary, counts);

	add_image(out, report->layout, report->line);
	for (size_t i = 0; i < n; i++) {
		char text[64];

		snprintf(text, sizeof text, "%zu %s", counts[i].n, counts[i].word);
		buf_adds(out, i ? ", " : ": ");
		paint(out, style, counts[i].n ? outcome_ink(counts[i].outcome) : INK_PLAIN, text);
	}
	buf_addc(out, '\n');
}

void text_check(const struct check_report *reports, size_t n, const struct report_style *style,
		struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct check_report *report = &reports[i];

		for (size_t k = 0; k < report->nwarnings && !style->quiet; k++) {
			paint_foreign(out, style, INK_BOLD, report->layout->path);
			buf_adds(out, ": ");
			paint(out, style, INK_YELLOW, "warning");
			buf_adds(out, ": ");
			escape_text(out, report->warnings[k]);
			buf_addc(out, '\n');
		}
		add_findings(out, report, style);
		if (!style->quiet)
			add_summary(out, report, style);
	}
}
