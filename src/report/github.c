/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	::LEVEL file=FILE,line=LINE,title=RULE::STRUCT: MESSAGE%0ADETAIL...
 *
 * The runner takes a line that begins with `::` as a command and nothing else: all lines are.
 */
#include "report/github.h"

#include "base/escape.h"
#include "report/ci.h"

static const char *const levels[] = {
	[SEVERITY_NOTE] = "notice", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};

static void add_finding(struct buf *out, const struct check_report *report,
			const struct report_style *style, const struct finding *finding)
{
	struct pos place = ci_place(finding);
	const char *excuse = ci_excuse(report, finding);

	buf_addf(out, "::%s file=", levels[ci_severity(report, finding)]);
	escape_command_property(out, place.file);
	if (place.line)
		buf_addf(out, ",line=%u", place.line);
	buf_adds(out, ",title=");
	escape_command_property(out, finding->rule);
	buf_adds(out, "::");
	if (excuse)
		buf_addf(out, "%s: ", excuse);
	add_headline(out, finding, escape_command_data);
	add_details(out, finding, style->verbose, "%0A", "", escape_command_data);
	buf_addc(out, '\n');
}

static void github_check(const struct check_report *reports, size_t n,
			 const struct report_style *style, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct check_report *report = &reports[i];

		for (size_t k = 0; k < report->nwarnings && !style->quiet; k++) {
			buf_adds(out, "::warning title=layoutcheck::");
			escape_command_data(out, report->layout->path);
			buf_adds(out, ": ");
			escape_command_data(out, report->warnings[k]);
			buf_addc(out, '\n');
		}
		for (size_t k = 0; k < report->findings->n; k++)
			if (is_remarkable(report, &report->findings->items[k]))
				add_finding(out, report, style, &report->findings->items[k]);
		if (style->quiet)
			continue;
		buf_adds(out, "::notice title=layoutcheck::");
		add_image_name(out, report->layout, report->line, escape_command_data);
		buf_adds(out, ": ");
		add_counts(out, &report->findings->summary);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < style->nunread; i++) {
		buf_adds(out, "::error title=layoutcheck::");
		escape_command_data(out, style->unread[i]);
		buf_adds(out, " could not be read\n");
	}
}

const struct format format_github = {
	.name = "github", .help = "annotations of GitHub Actions", .check = github_check};
