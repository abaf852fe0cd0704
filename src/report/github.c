/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	::LEVEL file=FILE,line=LINE,title=RULE OR KIND::STRUCT: MESSAGE%0ADETAIL...
 *
 * The runner takes a line that begins with `::` as a command and nothing else: all lines are.
 */
#include "report/github.h"

#include "base/escape.h"
#include "report/ci.h"

static const char *const levels[] = {
	[SEVERITY_NOTE] = "notice", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};

static void add_item(struct buf *out, const struct ci_item *item, const struct report_style *style)
{
	buf_addf(out, "::%s file=", levels[item->severity]);
	escape_command_property(out, item->place.file);
	if (item->place.line)
		buf_addf(out, ",line=%u", item->place.line);
	buf_adds(out, ",title=");
	escape_command_property(out, item->id);
	buf_adds(out, "::");
	if (item->excuse)
		buf_addf(out, "%s: ", item->excuse);
	add_headline(out, item, escape_command_data);
	add_details(out, item, style->verbose, "%0A", "", escape_command_data);
	buf_addc(out, '\n');
}

static void add_run(struct buf *out, const struct ci_run *run, const struct report_style *style)
{
	for (size_t i = 0; i < run->nwarnings && !style->quiet; i++) {
		buf_adds(out, "::warning title=layoutcheck::");
		escape_command_data(out, run->image->path);
		buf_adds(out, ": ");
		escape_command_data(out, run->warnings[i]);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < run->n; i++)
		if (run->items[i].is_remarkable)
			add_item(out, &run->items[i], style);
	if (style->quiet)
		return;
	buf_adds(out, "::notice title=layoutcheck::");
	add_run_name(out, run, escape_command_data);
	buf_adds(out, ": ");
	add_counts(out, run);
	buf_addc(out, '\n');
}

static void render(const struct ci_report *report, const struct report_style *style,
		   struct buf *out)
{
	for (size_t i = 0; i < report->n; i++)
		add_run(out, &report->runs[i], style);
	for (size_t i = 0; i < report->nlost; i++) {
		buf_adds(out, "::error title=layoutcheck::");
		escape_command_data(out, report->lost[i]);
		buf_addf(out, "%s\n", report->loss);
	}
}

static void github_check(const struct check_report *reports, size_t n,
			 const struct report_style *style, struct buf *out)
{
	ci_check(render, reports, n, style, out);
}

static void github_diff(const struct diff_report *diff, const struct report_style *style,
			struct buf *out)
{
	ci_diff(render, diff, style, out);
}

const struct format format_github = {.name = "github",
				     .help = "annotations of GitHub Actions",
				     .tells_unread = true,
				     .check = github_check,
				     .diff = github_diff};
