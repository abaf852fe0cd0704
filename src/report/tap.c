/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	KTAP version 1
 *	1..N
 *	# DIAGNOSTIC
 *	ok 1 - RULE
 *	not ok 2 - RULE
 *	ok 3 - RULE # SKIP not-applicable
 *	ok 4 - RULE # XFAIL waived
 *
 * With several images each is a test whose own stand indented before it. The numbers of failed
 * tests and the exit status agree: a broken rule that fails nothing is an expected failure.
 * Documentation/dev-tools/ktap.rst of the kernel.
 */
#include "report/tap.h"

#include "base/escape.h"
#include "report/ci.h"

static bool is_failure(enum ci_state state)
{
	return state == CI_FAILS || state == CI_UNTOLD;
}

/* What a person must know of one that is not plainly fine, before its result. */
static void add_diagnostics(struct buf *out, const struct finding *finding,
			    const struct report_style *style, const char *indent)
{
	struct pos place = ci_place(finding);
	struct buf before = BUF_INIT;

	buf_addf(&before, "%s# ", indent);
	buf_adds(out, before.s);
	escape_tap(out, place.file);
	if (place.line)
		buf_addf(out, ":%u", place.line);
	buf_adds(out, ": ");
	add_headline(out, finding, escape_tap);
	buf_addc(out, '\n');
	add_details(out, finding, style->verbose, before.s, "\n", escape_tap);
	buf_release(&before);
}

static void add_result(struct buf *out, const struct check_report *report, size_t index,
		       const struct report_style *style, const char *indent)
{
	const struct finding *finding = &report->findings->items[index];
	enum ci_state state = ci_state(report, finding);

	if (is_remarkable(report, finding))
		add_diagnostics(out, finding, style, indent);
	buf_addf(out, "%s%sok %zu - ", indent, is_failure(state) ? "not " : "", index + 1);
	add_case(out, report->findings, index, escape_tap);
	if (state == CI_TOLERATED)
		buf_addf(out, " # XFAIL %s",
			 finding->waived ? "waived" : severity_name(finding->severity));
	else if (state == CI_SKIPPED)
		buf_addf(out, " # SKIP %s",
			 finding->waived ? "waived" : outcome_name(finding->outcome));
	buf_addc(out, '\n');
}

/* Returns whether a test failed. */
static bool add_image_results(struct buf *out, const struct check_report *report,
			      const struct report_style *style, const char *indent)
{
	bool failed = false;

	buf_addf(out, "%s# ", indent);
	add_image_name(out, report->layout, report->line, escape_tap);
	buf_addf(out, "\n%s1..%zu\n", indent, report->findings->n);
	for (size_t k = 0; k < report->nwarnings && !style->quiet; k++) {
		buf_addf(out, "%s# warning: ", indent);
		escape_tap(out, report->warnings[k]);
		buf_addc(out, '\n');
	}
	for (size_t k = 0; k < report->findings->n; k++) {
		add_result(out, report, k, style, indent);
		failed = is_failure(ci_state(report, &report->findings->items[k])) || failed;
	}
	if (!style->quiet) {
		buf_addf(out, "%s# ", indent);
		add_counts(out, &report->findings->summary);
		buf_addc(out, '\n');
	}
	return failed;
}

static void tap_check(const struct check_report *reports, size_t n,
		      const struct report_style *style, struct buf *out)
{
	buf_adds(out, "KTAP version 1\n");
	if (!style->several) {
		add_image_results(out, &reports[0], style, "");
		return;
	}
	buf_addf(out, "1..%zu\n", n + style->nunread);
	for (size_t i = 0; i < n; i++) {
		bool failed;

		buf_adds(out, "  KTAP version 1\n");
		failed = add_image_results(out, &reports[i], style, "  ");
		buf_addf(out, "%sok %zu - ", failed ? "not " : "", i + 1);
		escape_tap(out, reports[i].layout->path);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < style->nunread; i++) {
		buf_addf(out, "not ok %zu - ", n + i + 1);
		escape_tap(out, style->unread[i]);
		buf_adds(out, " could not be read\n");
	}
}

const struct format format_tap = {.name = "tap",
				  .help = "KTAP 1, as kernel tests print",
				  .wants_all = true,
				  .check = tap_check};
