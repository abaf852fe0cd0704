/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/junit.h"

#include <string.h>

#include "base/escape.h"
#include "report/ci.h"

/* The findings of a pack: a run, as they are in pack order. Of a diff, all changes. */
struct suite {
	const struct ci_run *run;
	size_t first, end;
};

struct tally {
	size_t tests, failures, errors, skipped;
};

static void count(const struct suite *suite, struct tally *tally)
{
	/* A diff has one test more: that the two could be compared. Where nothing changed, it is
	 * the only one, and servers want one at least. */
	tally->tests += suite->end - suite->first + (suite->run->diff != NULL);
	for (size_t i = suite->first; i < suite->end; i++) {
		enum ci_state state = suite->run->items[i].state;

		tally->failures += state == CI_FAILS;
		tally->errors += state == CI_UNTOLD;
		tally->skipped += state == CI_TOLERATED || state == CI_SKIPPED;
	}
}

/* The one after @suite, whose run is NULL before the first; false: there are no more. */
static bool next_suite(const struct ci_run *run, struct suite *suite)
{
	const struct ci_item *items = run->items;
	size_t first = suite->run ? suite->end : 0;
	bool is_first = !suite->run;

	*suite = (struct suite){run, first, run->n};
	if (run->diff)
		return is_first;
	for (size_t i = first + 1; i < run->n; i++)
		if (strcmp(items[i].pack.file, items[first].pack.file) != 0) {
			suite->end = i;
			break;
		}
	return first < run->n;
}

static void add_tally(struct buf *out, const struct tally *tally)
{
	buf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
		 tally->tests, tally->failures, tally->errors, tally->skipped);
}

static void add_property(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, "      <property name=\"%s\" value=\"", name);
	escape_xml(out, value);
	buf_adds(out, "\"/>\n");
}

static void add_properties(struct buf *out, const struct ci_run *run)
{
	const struct layout *layout = run->image;
	struct buf line = BUF_INIT;

	buf_adds(out, "    <properties>\n");
	if (run->before)
		add_property(out, "old", run->before->path);
	add_property(out, run->before ? "new" : "image", layout->path);
	add_property(out, "source", layout_source_name(layout->source));
	if (layout->target.arch)
		add_property(out, "arch", layout->target.arch);
	if (run->line) {
		buf_addf(&line, "%llu", (unsigned long long)run->line);
		add_property(out, "line", line.s);
		buf_release(&line);
	}
	buf_adds(out, "    </properties>\n");
}

/* <failure>, <error> or <skipped>: the message in an attribute, which lists show, and all of it
 * inside. */
static void add_mishap(struct buf *out, const struct ci_item *item, const char *element,
		       bool verbose)
{
	buf_addf(out, "      <%s", element);
	/* Only <skipped> is without in the schemas there are. */
	if (ci_fails(item))
		buf_addf(out, " type=\"%s\" message=\"", item->type);
	else
		buf_addf(out, " message=\"%s: ", item->reason);
	escape_xml(out, item->message);
	buf_adds(out, "\">");
	add_where(out, item->place, escape_xml);
	buf_adds(out, ": ");
	add_headline(out, item, escape_xml);
	buf_addc(out, '\n');
	add_details(out, item, verbose, "", "\n", escape_xml);
	if (item->pack.file && item->place.file != item->pack.file)
		add_where(out, item->pack, escape_xml);
	buf_addf(out, "</%s>\n", element);
}

static void add_state(struct buf *out, const struct ci_item *item, bool verbose)
{
	switch (item->state) {
	case CI_HOLDS:
		if (!item->is_remarkable)
			return;
		buf_adds(out, "      <system-out>");
		add_headline(out, item, escape_xml);
		buf_addc(out, '\n');
		add_details(out, item, verbose, "", "\n", escape_xml);
		buf_adds(out, "</system-out>\n");
		return;
	case CI_FAILS:
		add_mishap(out, item, "failure", verbose);
		return;
	case CI_UNTOLD:
		add_mishap(out, item, "error", verbose);
		return;
	case CI_TOLERATED:
	case CI_SKIPPED:
		add_mishap(out, item, "skipped", verbose);
		return;
	}
}

static void add_testcase(struct buf *out, const struct ci_run *run, const struct ci_item *item,
			 bool verbose)
{
	buf_adds(out, "    <testcase classname=\"");
	escape_xml(out, run->image->path);
	buf_addc(out, ':');
	escape_xml(out, item->subject);
	buf_adds(out, "\" name=\"");
	add_case(out, item, escape_xml);
	buf_adds(out, "\" file=\"");
	escape_xml(out, item->place.file);
	if (item->place.line)
		buf_addf(out, "\" line=\"%u", item->place.line);
	buf_adds(out, "\">\n");
	add_state(out, item, verbose);
	buf_adds(out, "    </testcase>\n");
}

static void add_compared(struct buf *out, const struct ci_run *run)
{
	buf_adds(out, "    <testcase classname=\"");
	escape_xml(out, run->image->path);
	buf_adds(out, "\" name=\"compared\">\n      <system-out>");
	add_counts(out, run);
	buf_adds(out, "</system-out>\n    </testcase>\n");
}

static void add_suite(struct buf *out, const struct suite *suite, const struct report_style *style)
{
	const struct ci_run *run = suite->run;
	struct tally tally = {0};

	count(suite, &tally);
	buf_adds(out, "  <testsuite name=\"");
	if (run->before) {
		escape_xml(out, run->before->path);
		escape_xml(out, " -> ");
	} else {
		escape_xml(out, run->items[suite->first].pack.file);
		buf_adds(out, " on ");
	}
	escape_xml(out, run->image->path);
	buf_addc(out, '"');
	add_tally(out, &tally);
	buf_adds(out, ">\n");
	add_properties(out, run);
	if (run->diff)
		add_compared(out, run);
	for (size_t i = suite->first; i < suite->end; i++)
		add_testcase(out, run, &run->items[i], style->verbose);
	/* Of the image: said with its first pack. */
	if (suite->first == 0 && run->nwarnings && !style->quiet) {
		buf_adds(out, "    <system-err>");
		for (size_t i = 0; i < run->nwarnings; i++) {
			buf_adds(out, "warning: ");
			escape_xml(out, run->warnings[i]);
			buf_addc(out, '\n');
		}
		buf_adds(out, "</system-err>\n");
	}
	buf_adds(out, "  </testsuite>\n");
}

static void add_lost(struct buf *out, const char *name, const char *loss)
{
	static const struct tally tally = {.tests = 1, .errors = 1};

	buf_adds(out, "  <testsuite name=\"");
	escape_xml(out, name);
	buf_addc(out, '"');
	add_tally(out, &tally);
	buf_adds(out, ">\n    <testcase classname=\"");
	escape_xml(out, name);
	buf_addf(out,
		 "\" name=\"read\">\n"
		 "      <error type=\"lost\" message=\"it%s\"></error>\n"
		 "    </testcase>\n  </testsuite>\n",
		 loss);
}

static void render(const struct ci_report *report, const struct report_style *style,
		   struct buf *out)
{
	struct tally tally = {.tests = report->nlost, .errors = report->nlost};

	for (size_t i = 0; i < report->n; i++)
		for (struct suite suite = {0}; next_suite(&report->runs[i], &suite);)
			count(&suite, &tally);
	buf_adds(out,
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"layoutcheck\"");
	add_tally(out, &tally);
	buf_adds(out, ">\n");
	for (size_t i = 0; i < report->n; i++)
		for (struct suite suite = {0}; next_suite(&report->runs[i], &suite);)
			add_suite(out, &suite, style);
	for (size_t i = 0; i < report->nlost; i++)
		add_lost(out, report->lost[i], report->loss);
	buf_adds(out, "</testsuites>\n");
}

static void junit_check(const struct check_report *reports, size_t n,
			const struct report_style *style, struct buf *out)
{
	ci_check(render, reports, n, style, out);
}

static void junit_diff(const struct diff_report *diff, const struct report_style *style,
		       struct buf *out)
{
	ci_diff(render, diff, style, out);
}

const struct format format_junit = {.name = "junit",
				    .help = "JUnit XML, a test case for each rule or change",
				    .wants_all = true,
				    .tells_unread = true,
				    .check = junit_check,
				    .diff = junit_diff};
