/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comment: the verdict, then for each image what it was judged as, a table of what there is to
 * tell, failures first, and what holds or does not apply folded away. The first line is for the bot
 * that looks for its own comment to update it.
 */
#include "report/markdown.h"

#include "base/escape.h"
#include "report/ci.h"

static bool fails(const struct check_report *report, const struct finding *finding)
{
	enum ci_state state = ci_state(report, finding);

	return state == CI_FAILS || state == CI_UNTOLD;
}

static void add_verdict(struct buf *out, const struct check_report *reports, size_t n,
			const struct report_style *style)
{
	size_t failures = 0, holds = 0, judged = 0;

	for (size_t i = 0; i < n; i++) {
		const struct summary *summary = &reports[i].findings->summary;

		holds += summary->holds;
		judged += summary->holds + summary->broken + summary->missing;
		for (size_t k = 0; k < reports[i].findings->n; k++)
			failures += fails(&reports[i], &reports[i].findings->items[k]);
	}
	buf_adds(out, "### layoutcheck: ");
	if (failures)
		buf_addf(out, "failed, %zu %s\n", failures, failures == 1 ? "finding" : "findings");
	else if (style->nunread)
		buf_adds(out, "not everything could be read\n");
	else if (!judged)
		buf_adds(out, "nothing was checked\n");
	else
		buf_addf(out, "passed, %zu %s\n", holds, holds == 1 ? "rule holds" : "rules hold");
	for (size_t i = 0; i < style->nunread; i++) {
		buf_adds(out, i ? "\\\n" : "\n");
		escape_markdown(out, style->unread[i]);
		buf_adds(out, " could not be read");
	}
	if (style->nunread)
		buf_addc(out, '\n');
}

/* In code, where nothing is made a link or a mention of. */
static void add_code(struct buf *out, const char *text)
{
	buf_adds(out, "<code>");
	escape_markdown(out, text);
	buf_adds(out, "</code>");
}

static void add_place(struct buf *out, struct pos place)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, place.file);
	if (place.line)
		buf_addf(&text, ":%u", place.line);
	add_code(out, text.s);
	buf_release(&text);
}

static void add_row(struct buf *out, const struct check_report *report,
		    const struct finding *finding, const struct report_style *style)
{
	const char *excuse = ci_excuse(report, finding);

	buf_addf(out, "| %s%s%s | ", fails(report, finding) ? "**" : "",
		 excuse ? excuse : severity_name(finding->severity),
		 fails(report, finding) ? "**" : "");
	add_code(out, finding->subject);
	buf_adds(out, " | ");
	escape_markdown(out, finding->message);
	add_details(out, finding, style->verbose, "<br>", "", escape_markdown);
	buf_adds(out, " | ");
	add_code(out, finding->rule);
	buf_adds(out, "<br>");
	add_place(out, finding->pack);
	buf_adds(out, " | ");
	if (finding->def && finding->def->has_decl)
		add_place(out, ci_place(finding));
	buf_adds(out, " |\n");
}

static void add_table(struct buf *out, const struct check_report *report,
		      const struct report_style *style)
{
	const struct findings *findings = report->findings;
	bool begun = false;

	for (int failed = 1; failed >= 0; failed--)
		for (size_t i = 0; i < findings->n; i++) {
			const struct finding *finding = &findings->items[i];

			if (!is_remarkable(report, finding) ||
			    fails(report, finding) != (failed == 1))
				continue;
			if (!begun)
				buf_adds(out, "\n| | struct | finding | rule | declared at |\n"
					      "|---|---|---|---|---|\n");
			begun = true;
			add_row(out, report, finding, style);
		}
}

/* A folded list. The empty line behind the summary is what makes Markdown of the rest. */
static void add_folded(struct buf *out, const struct check_report *report, enum outcome outcome,
		       const char *one, const char *many)
{
	const struct findings *findings = report->findings;
	size_t n = 0;

	for (size_t i = 0; i < findings->n; i++)
		n += findings->items[i].outcome == outcome;
	if (!n)
		return;
	buf_addf(out, "\n<details><summary>%zu %s</summary>\n\n", n, n == 1 ? one : many);
	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->items[i];

		if (finding->outcome != outcome)
			continue;
		buf_adds(out, "- <code>");
		add_case(out, findings, i, escape_markdown);
		buf_adds(out, "</code>: ");
		escape_markdown(out, finding->message);
		buf_addc(out, '\n');
	}
	buf_adds(out, "\n</details>\n");
}

static void markdown_check(const struct check_report *reports, size_t n,
			   const struct report_style *style, struct buf *out)
{
	buf_adds(out, "<!-- layoutcheck -->\n");
	add_verdict(out, reports, n, style);
	for (size_t i = 0; i < n; i++) {
		const struct check_report *report = &reports[i];

		if (!style->quiet) {
			buf_addc(out, '\n');
			add_image_name(out, report->layout, report->line, escape_markdown);
			buf_adds(out, ": ");
			add_counts(out, &report->findings->summary);
			buf_addc(out, '\n');
		}
		for (size_t k = 0; k < report->nwarnings && !style->quiet; k++) {
			buf_adds(out, "\n> warning: ");
			escape_markdown(out, report->warnings[k]);
			buf_addc(out, '\n');
		}
		add_table(out, report, style);
		add_folded(out, report, OUTCOME_HOLDS, "rule holds", "rules hold");
		add_folded(out, report, OUTCOME_NOT_APPLICABLE, "rule does not apply",
			   "rules do not apply");
	}
}

const struct format format_markdown = {.name = "markdown",
				       .help = "a comment on a pull or merge request",
				       .wants_all = true,
				       .check = markdown_check};
