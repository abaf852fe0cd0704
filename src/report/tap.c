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
 * Of a diff the first test is that the two could be compared, and each change is one more. With
 * several images each is a test whose own stand indented before it. The numbers of failed
 * tests and the exit status agree: a broken rule that fails nothing is an expected failure.
 * Documentation/dev-tools/ktap.rst of the kernel.
 */
#include "report/tap.h"

#include "base/escape.h"
#include "report/ci.h"

/* What a person must know of one that is not plainly fine, before its result. */
static void add_diagnostics(struct buf *out, const struct ci_item *item,
			    const struct report_style *style, const char *indent)
{
	struct buf before = BUF_INIT;

	buf_addf(&before, "%s# ", indent);
	buf_adds(out, before.s);
	add_where(out, item->place, escape_tap);
	buf_adds(out, ": ");
	add_headline(out, item, escape_tap);
	buf_addc(out, '\n');
	add_details(out, item, style->verbose, before.s, "\n", escape_tap);
	buf_release(&before);
}

static void add_result(struct buf *out, const struct ci_item *item, size_t number,
		       const struct report_style *style, const char *indent)
{
	if (item->is_remarkable)
		add_diagnostics(out, item, style, indent);
	buf_addf(out, "%s%sok %zu - ", indent, ci_fails(item) ? "not " : "", number);
	add_case(out, item, escape_tap);
	if (item->state == CI_TOLERATED)
		buf_addf(out, " # XFAIL %s", item->reason);
	else if (item->state == CI_SKIPPED)
		buf_addf(out, " # SKIP %s", item->reason);
	buf_addc(out, '\n');
}

static void add_loss(struct buf *out, const struct ci_report *report, size_t index, size_t number)
{
	buf_addf(out, "not ok %zu - ", number);
	escape_tap(out, report->lost[index]);
	buf_addf(out, "%s\n", report->loss);
}

/* Returns whether a test failed. */
static bool add_run(struct buf *out, const struct ci_report *report, const struct ci_run *run,
		    const struct report_style *style, const char *indent)
{
	/* Those of images are tests beside the images; those of a diff beside its changes. */
	size_t nlost = run->diff ? report->nlost : 0, first = run->diff ? 2 : 1;
	bool failed = false;

	buf_addf(out, "%s# ", indent);
	add_run_name(out, run, escape_tap);
	buf_addf(out, "\n%s1..%zu\n", indent, first - 1 + run->n + nlost);
	for (size_t i = 0; i < run->nwarnings && !style->quiet; i++) {
		buf_addf(out, "%s# warning: ", indent);
		escape_tap(out, run->warnings[i]);
		buf_addc(out, '\n');
	}
	/* Where nothing changed, something was tested all the same. */
	if (run->diff)
		buf_adds(out, "ok 1 - compared\n");
	for (size_t i = 0; i < run->n; i++) {
		add_result(out, &run->items[i], first + i, style, indent);
		failed = failed || ci_fails(&run->items[i]);
	}
	for (size_t i = 0; i < nlost; i++)
		add_loss(out, report, i, first + run->n + i);
	if (!style->quiet) {
		buf_addf(out, "%s# ", indent);
		add_counts(out, run);
		buf_addc(out, '\n');
	}
	return failed;
}

static void render(const struct ci_report *report, const struct report_style *style,
		   struct buf *out)
{
	buf_adds(out, "KTAP version 1\n");
	if (!style->several && report->n) {
		add_run(out, report, &report->runs[0], style, "");
		return;
	}
	buf_addf(out, "1..%zu\n", report->n + report->nlost);
	for (size_t i = 0; i < report->n; i++) {
		bool failed;

		buf_adds(out, "  KTAP version 1\n");
		failed = add_run(out, report, &report->runs[i], style, "  ");
		buf_addf(out, "%sok %zu - ", failed ? "not " : "", i + 1);
		escape_tap(out, report->runs[i].image->path);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < report->nlost; i++)
		add_loss(out, report, i, report->n + i + 1);
}

static void tap_check(const struct check_report *reports, size_t n,
		      const struct report_style *style, struct buf *out)
{
	ci_check(render, reports, n, style, out);
}

static void tap_diff(const struct diff_report *diff, const struct report_style *style,
		     struct buf *out)
{
	ci_diff(render, diff, style, out);
}

const struct format format_tap = {.name = "tap",
				  .help = "KTAP 1, as kernel tests print",
				  .wants_all = true,
				  .tells_unread = true,
				  .check = tap_check,
				  .diff = tap_diff};
