/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/junit.h"

#include <string.h>

#include "base/escape.h"
#include "report/ci.h"

/* The findings of a pack: a run, as they are in pack order. */
struct suite {
	const struct check_report *report;
	size_t first, end;
};

struct tally {
	size_t tests, failures, errors, skipped;
};

static void count(const struct suite *suite, struct tally *tally)
{
	tally->tests += suite->end - suite->first;
	for (size_t i = suite->first; i < suite->end; i++) {
		enum ci_state state = ci_state(suite->report, &suite->report->findings->items[i]);

		tally->failures += state == CI_FAILS;
		tally->errors += state == CI_UNTOLD;
		tally->skipped += state == CI_TOLERATED || state == CI_SKIPPED;
	}
}

/* From @first on; false: there are no more. */
static bool next_suite(const struct check_report *report, size_t first, struct suite *ret)
{
	const struct findings *findings = report->findings;

	if (first == findings->n)
		return false;
	*ret = (struct suite){report, first, first + 1};
	while (ret->end < findings->n &&
	       strcmp(findings->items[ret->end].pack.file, findings->items[first].pack.file) == 0)
		ret->end++;
	return true;
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

static void add_properties(struct buf *out, const struct check_report *report)
{
	const struct layout *layout = report->layout;
	struct buf line = BUF_INIT;

	buf_adds(out, "    <properties>\n");
	add_property(out, "image", layout->path);
	add_property(out, "source", layout_source_name(layout->source));
	if (layout->target.arch)
		add_property(out, "arch", layout->target.arch);
	if (report->line) {
		buf_addf(&line, "%llu", (unsigned long long)report->line);
		add_property(out, "line", line.s);
		buf_release(&line);
	}
	buf_adds(out, "    </properties>\n");
}

/* <failure>, <error> or <skipped>: the message in an attribute, which lists show, and all of it
 * inside. */
static void add_mishap(struct buf *out, const struct finding *finding, const char *element,
		       const char *excuse, bool verbose)
{
	struct pos place = ci_place(finding);

	buf_addf(out, "      <%s", element);
	/* Only <skipped> is without in the schemas there are. */
	if (!excuse) {
		buf_adds(out, " type=\"");
		buf_adds(out, outcome_name(finding->outcome));
		buf_addc(out, '"');
	}
	buf_adds(out, " message=\"");
	if (excuse)
		buf_addf(out, "%s: ", excuse);
	escape_xml(out, finding->message);
	buf_adds(out, "\">");
	escape_xml(out, place.file);
	if (place.line)
		buf_addf(out, ":%u", place.line);
	buf_adds(out, ": ");
	add_headline(out, finding, escape_xml);
	buf_addc(out, '\n');
	add_details(out, finding, verbose, "", "\n", escape_xml);
	if (place.file != finding->pack.file) {
		escape_xml(out, finding->pack.file);
		if (finding->pack.line)
			buf_addf(out, ":%u", finding->pack.line);
	}
	buf_addf(out, "</%s>\n", element);
}

static void add_state(struct buf *out, const struct check_report *report,
		      const struct finding *finding, bool verbose)
{
	switch (ci_state(report, finding)) {
	case CI_HOLDS:
		if (!is_narrow(report, finding))
			return;
		buf_adds(out, "      <system-out>");
		add_headline(out, finding, escape_xml);
		buf_addc(out, '\n');
		add_details(out, finding, verbose, "", "\n", escape_xml);
		buf_adds(out, "</system-out>\n");
		return;
	case CI_FAILS:
		add_mishap(out, finding, "failure", NULL, verbose);
		return;
	case CI_UNTOLD:
		add_mishap(out, finding, "error", NULL, verbose);
		return;
	case CI_TOLERATED:
		add_mishap(out, finding, "skipped",
			   finding->waived ? "waived" : severity_name(finding->severity), verbose);
		return;
	case CI_SKIPPED:
		add_mishap(out, finding, "skipped",
			   finding->waived ? "waived" : outcome_name(finding->outcome), verbose);
		return;
	}
}

static void add_testcase(struct buf *out, const struct suite *suite, size_t index, bool verbose)
{
	const struct finding *finding = &suite->report->findings->items[index];
	struct pos place = ci_place(finding);

	buf_adds(out, "    <testcase classname=\"");
	escape_xml(out, suite->report->layout->path);
	buf_addc(out, ':');
	escape_xml(out, finding->subject);
	buf_adds(out, "\" name=\"");
	add_case(out, suite->report->findings, index, escape_xml);
	buf_adds(out, "\" file=\"");
	escape_xml(out, place.file);
	if (place.line)
		buf_addf(out, "\" line=\"%u", place.line);
	buf_adds(out, "\">\n");
	add_state(out, suite->report, finding, verbose);
	buf_adds(out, "    </testcase>\n");
}

static void add_suite(struct buf *out, const struct suite *suite, const struct report_style *style)
{
	const struct check_report *report = suite->report;
	struct tally tally = {0};

	count(suite, &tally);
	buf_adds(out, "  <testsuite name=\"");
	escape_xml(out, report->findings->items[suite->first].pack.file);
	buf_adds(out, " on ");
	escape_xml(out, report->layout->path);
	buf_addc(out, '"');
	add_tally(out, &tally);
	buf_adds(out, ">\n");
	add_properties(out, report);
	for (size_t i = suite->first; i < suite->end; i++)
		add_testcase(out, suite, i, style->verbose);
	/* Of the image: said with its first pack. */
	if (suite->first == 0 && report->nwarnings && !style->quiet) {
		buf_adds(out, "    <system-err>");
		for (size_t i = 0; i < report->nwarnings; i++) {
			buf_adds(out, "warning: ");
			escape_xml(out, report->warnings[i]);
			buf_addc(out, '\n');
		}
		buf_adds(out, "</system-err>\n");
	}
	buf_adds(out, "  </testsuite>\n");
}

static void add_unread(struct buf *out, const char *path)
{
	static const struct tally tally = {.tests = 1, .errors = 1};

	buf_adds(out, "  <testsuite name=\"");
	escape_xml(out, path);
	buf_addc(out, '"');
	add_tally(out, &tally);
	buf_adds(out, ">\n    <testcase classname=\"");
	escape_xml(out, path);
	buf_adds(out, "\" name=\"image\">\n"
		      "      <error type=\"unread\" message=\"it could not be read\"></error>\n"
		      "    </testcase>\n  </testsuite>\n");
}

static void junit_check(const struct check_report *reports, size_t n,
			const struct report_style *style, struct buf *out)
{
	struct tally tally = {.tests = style->nunread, .errors = style->nunread};
	struct suite suite;

	for (size_t i = 0; i < n; i++)
		for (size_t at = 0; next_suite(&reports[i], at, &suite); at = suite.end)
			count(&suite, &tally);
	buf_adds(out,
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"layoutcheck\"");
	add_tally(out, &tally);
	buf_adds(out, ">\n");
	for (size_t i = 0; i < n; i++)
		for (size_t at = 0; next_suite(&reports[i], at, &suite); at = suite.end)
			add_suite(out, &suite, style);
	for (size_t i = 0; i < style->nunread; i++)
		add_unread(out, style->unread[i]);
	buf_adds(out, "</testsuites>\n");
}

const struct format format_junit = {.name = "junit",
				    .help = "JUnit XML, a test case for each rule",
				    .wants_all = true,
				    .check = junit_check};
