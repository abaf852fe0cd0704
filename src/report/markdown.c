/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comment: the verdict, then for each run what was looked at, a table of what there is to tell,
 * failures first, and the rest folded away. The first line is for the bot that looks for its own
 * comment to update it.
 *
 * GitHub takes no comment above 65,536 characters: what comes after is counted, not told.
 */
#include "report/markdown.h"

#include <stdlib.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/ci.h"

enum {
	MOST = 65536,
	ROOM = MOST - 1024, /* what closes an element and counts the rest has its own */
	IN_SIGHT = 25,      /* rows; of more, those that fail nothing are folded away */
};

struct comment {
	struct buf *out;
	const struct report_style *style;
	struct buf part; /* that is being made: as a whole it is told or is not */
	size_t left_out;
};

/* Ends the part that is being made: it is an entry. */
static void end_part(struct comment *comment)
{
	if (comment->left_out || comment->out->len + comment->part.len > ROOM)
		comment->left_out++;
	else
		buf_add(comment->out, comment->part.s, comment->part.len);
	comment->part.len = 0;
}

/* ---- the verdict --------------------------------------------------------------------------- */

static void begin(struct buf *out, const struct ci_report *report)
{
	buf_adds(out, "### layoutcheck: ");
	ci_verdict(out, report);
	buf_addc(out, '\n');
	for (size_t i = 0; i < report->nlost; i++) {
		buf_adds(out, i ? "\\\n" : "\n");
		escape_markdown(out, report->lost[i]);
		buf_adds(out, report->loss);
	}
	if (report->nlost)
		buf_addc(out, '\n');
}

/* ---- the table ----------------------------------------------------------------------------- */

/* In code, where nothing is made a link or a mention of. */
static void add_code(struct buf *out, const char *text)
{
	buf_adds(out, "<code>");
	escape_markdown(out, text);
	buf_adds(out, "</code>");
}

static void add_place(struct buf *out, struct pos place)
{
	buf_adds(out, "<code>");
	add_where(out, place, escape_markdown);
	buf_adds(out, "</code>");
}

static void add_row(struct buf *out, const struct ci_item *item, const struct report_style *style)
{
	const char *mark = ci_fails(item) ? "**" : "";

	buf_addf(out, "| %s%s%s | ", mark,
		 item->excuse ? item->excuse : severity_name(item->severity), mark);
	add_code(out, item->subject);
	buf_adds(out, " | ");
	escape_markdown(out, item->message);
	add_details(out, item, style->verbose, "<br>", "", escape_markdown);
	buf_adds(out, " | ");
	add_code(out, item->change ? item->type : item->id);
	if (item->pack.file) {
		buf_adds(out, "<br>");
		add_place(out, item->pack);
	}
	buf_adds(out, " | ");
	if (item->in_sources)
		add_place(out, item->place);
	buf_adds(out, " |\n");
}

/* Behind what the part already has, if anything. */
static void add_rows(struct comment *comment, const struct ci_run *run,
		     const struct ci_item *const *items, size_t n)
{
	if (!n)
		return;
	buf_addf(&comment->part, "\n| | %s | declared at |\n|---|---|---|---|---|\n",
		 run->diff ? "type | change | kind" : "struct | finding | rule");
	for (size_t i = 0; i < n; i++) {
		add_row(&comment->part, items[i], comment->style);
		end_part(comment);
	}
}

/* What there is to tell, failures first. Returns how many; *ret_failed of them fail. */
static size_t pick(const struct ci_run *run, const struct ci_item **picked, size_t *ret_failed)
{
	size_t n = 0;

	for (int failed = 1; failed >= 0; failed--) {
		for (size_t i = 0; i < run->n; i++)
			if (run->items[i].is_remarkable &&
			    ci_fails(&run->items[i]) == (failed == 1))
				picked[n++] = &run->items[i];
		if (failed)
			*ret_failed = n;
	}
	return n;
}

/* ---- what is folded away ------------------------------------------------------------------- */

/* The empty line behind the summary is what makes Markdown of the rest. Returns where the comment
 * ended before. */
static size_t begin_fold(struct comment *comment, size_t n, const char *summary)
{
	buf_adds(&comment->part, "\n<details><summary>");
	if (n)
		buf_addf(&comment->part, "%zu ", n);
	escape_markdown(&comment->part, summary);
	buf_adds(&comment->part, "</summary>\n");
	return comment->out->len;
}

static void end_fold(struct comment *comment, size_t begun)
{
	if (comment->out->len > begun)
		buf_adds(comment->out, "\n</details>\n");
}

typedef bool is_folded(const struct ci_item *item);

static bool holds(const struct ci_item *item)
{
	return item->finding && item->finding->outcome == OUTCOME_HOLDS;
}

static bool does_not_apply(const struct ci_item *item)
{
	return item->finding && item->finding->outcome == OUTCOME_NOT_APPLICABLE;
}

static bool is_note(const struct ci_item *item)
{
	return item->change && !item->is_remarkable;
}

static void add_folded(struct comment *comment, const struct ci_run *run, is_folded *is,
		       const char *one, const char *many)
{
	size_t n = 0, begun;

	for (size_t i = 0; i < run->n; i++)
		n += is(&run->items[i]);
	if (!n)
		return;
	begun = begin_fold(comment, n, n == 1 ? one : many);
	buf_addc(&comment->part, '\n');
	for (size_t i = 0; i < run->n; i++) {
		if (!is(&run->items[i]))
			continue;
		buf_adds(&comment->part, "- <code>");
		add_case(&comment->part, &run->items[i], escape_markdown);
		buf_adds(&comment->part, "</code>: ");
		escape_markdown(&comment->part, run->items[i].message);
		buf_addc(&comment->part, '\n');
		end_part(comment);
	}
	end_fold(comment, begun);
}

static void add_worst(struct comment *comment, const struct worst_table *table)
{
	size_t begun = begin_fold(comment, 0, table->heading);

	buf_adds(&comment->part, "\n| type | was | is | by |\n|---|---|---|---|\n");
	for (size_t i = 0; i < table->n; i++) {
		const struct worst_row *row = &table->rows[i];

		buf_adds(&comment->part, "| <code>");
		escape_markdown(&comment->part, row->subject);
		if (row->member) {
			buf_addc(&comment->part, '.');
			escape_markdown(&comment->part, row->member);
		}
		buf_adds(&comment->part, "</code> | ");
		escape_markdown(&comment->part, row->was);
		buf_adds(&comment->part, " | ");
		escape_markdown(&comment->part, row->now);
		buf_adds(&comment->part, " | ");
		escape_markdown(&comment->part, row->delta);
		buf_adds(&comment->part, " |\n");
		end_part(comment);
	}
	end_fold(comment, begun);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void add_heading(struct comment *comment, const struct ci_run *run)
{
	struct buf *part = &comment->part;

	buf_addc(part, '\n');
	add_run_name(part, run, escape_markdown);
	buf_adds(part, ": ");
	add_counts(part, run);
	buf_addc(part, '\n');
	end_part(comment);
	for (size_t i = 0; i < run->nwarnings; i++) {
		buf_adds(part, "\n> warning: ");
		escape_markdown(part, run->warnings[i]);
		buf_addc(part, '\n');
		end_part(comment);
	}
}

static void add_hot(struct comment *comment, const struct diff_report *report)
{
	size_t begun;

	if (!report->nhot)
		return;
	begun = begin_fold(comment, 0, "hot pairs of members");
	buf_addc(&comment->part, '\n');
	for (size_t i = 0; i < report->nhot; i++) {
		buf_addf(&comment->part, "- %s: ", report->hot[i].fate);
		add_hot_pair(&comment->part, &report->hot[i], escape_markdown);
		buf_addc(&comment->part, '\n');
		end_part(comment);
	}
	end_fold(comment, begun);
}

static void add_run(struct comment *comment, const struct ci_run *run)
{
	const struct ci_item **picked = xcalloc(run->n, sizeof *picked);
	size_t failed, n = pick(run, picked, &failed), seen = n;

	if (seen > IN_SIGHT)
		seen = failed > IN_SIGHT ? failed : IN_SIGHT;
	if (!comment->style->quiet)
		add_heading(comment, run);
	add_rows(comment, run, picked, seen);
	if (run->diff)
		add_hot(comment, run->diff);
	for (size_t i = 0; run->diff && i < run->diff->changes->nworst; i++)
		add_worst(comment, &run->diff->changes->worst[i]);
	if (n > seen) {
		size_t begun = begin_fold(comment, n - seen, "more");

		add_rows(comment, run, picked + seen, n - seen);
		end_fold(comment, begun);
	}
	add_folded(comment, run, holds, "rule holds", "rules hold");
	add_folded(comment, run, does_not_apply, "rule does not apply", "rules do not apply");
	add_folded(comment, run, is_note, "note", "notes");
	free(picked);
}

static void render(const struct ci_report *report, const struct report_style *style,
		   struct buf *out)
{
	struct comment comment = {.out = out, .style = style, .part = BUF_INIT};

	buf_adds(out, "<!-- layoutcheck -->\n");
	begin(out, report);
	for (size_t i = 0; i < report->n; i++)
		add_run(&comment, &report->runs[i]);
	if (comment.left_out) {
		buf_addf(out,
			 "\n%zu more %s left out: a comment has room for %d characters. "
			 "<code>layoutcheck -f text</code> prints all.\n",
			 comment.left_out, comment.left_out == 1 ? "entry is" : "entries are",
			 MOST);
	}
	buf_release(&comment.part);
}

static void markdown_check(const struct check_report *reports, size_t n,
			   const struct report_style *style, struct buf *out)
{
	ci_check(render, reports, n, style, out);
}

static void markdown_diff(const struct diff_report *diff, const struct report_style *style,
			  struct buf *out)
{
	ci_diff(render, diff, style, out);
}

const struct format format_markdown = {.name = "markdown",
				       .help = "a comment on a pull or merge request",
				       .wants_all = true,
				       .tells_unread = true,
				       .check = markdown_check,
				       .diff = markdown_diff};
