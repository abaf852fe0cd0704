/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of whole images the tables of the worst; then of each type what is said of it, and of the worst
 * before and after side by side; types of which only notes are said are listed.
 */
#include "base/escape.h"
#include "report/html.h"
#include "report/text.h"

static void add_changes(struct buf *out, const struct ci_run *run, const struct diff_type *type)
{
	size_t first = (size_t)(type->changes - run->diff->changes->items);

	buf_adds(out, "<ol class=\"said\">\n");
	for (size_t i = 0; i < type->n; i++)
		html_item(out, &run->items[first + i], i + 1);
	buf_adds(out, "</ol>\n");
}

static void add_side(struct buf *out, const struct view *view, const char *caption)
{
	struct buf text = BUF_INIT;

	buf_adds(out, "<div>\n");
	if (view) {
		buf_addf(&text, "<b>%s</b> ", caption);
		add_facts(&text, view);
		html_map(out, view, text.s);
	} else {
		buf_addf(out, "<h3><b>%s</b> not there</h3>\n", caption);
	}
	buf_adds(out, "</div>\n");
	buf_release(&text);
}

static void add_type(struct buf *out, const struct ci_run *run, const struct diff_type *type,
		     size_t number)
{
	const struct view *view = type->after ? type->after : type->before;

	buf_addf(out, "<section class=\"type\" id=\"t%zu\">\n", number);
	if (!view) {
		buf_adds(out, "<h2>");
		escape_xml(out, type->subject);
		buf_adds(out, "</h2>\n");
		add_changes(out, run, type);
		buf_adds(out, "</section>\n");
		return;
	}
	html_title(out, view);
	add_changes(out, run, type);
	html_legend(out, view);
	buf_adds(out, "<div class=\"pair\">\n");
	add_side(out, type->before, "before");
	add_side(out, type->after, "after");
	buf_adds(out, "</div>\n</section>\n");
}

static void add_contents(struct buf *out, const struct diff_report *report)
{
	if (report->ntypes < 2 || !report->nranked)
		return;
	if (report->ndrawn < report->nranked)
		buf_addf(out,
			 "<p>The %zu worst of %zu types are drawn, and of the others the changes "
			 "listed; with <code>-C NAME</code> each is drawn.</p>\n",
			 report->ndrawn, report->nranked);
	buf_adds(out, "<nav><ul>\n");
	for (size_t i = 0; i < report->nranked; i++) {
		buf_addf(out, "<li><a href=\"#t%zu\">", i);
		escape_xml(out, report->ranked[i]->subject);
		buf_adds(out, "</a></li>\n");
	}
	buf_adds(out, "</ul></nav>\n");
}

static bool is_listed(const struct ci_run *run, const struct ci_item *item)
{
	const struct diff_report *report = run->diff;
	size_t low = 0, high = report->ntypes;

	/* The last type whose changes begin at or before this one. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (report->types[middle].changes <= item->change)
			low = middle;
		else
			high = middle;
	}
	return !report->types[low].is_remarkable;
}

static void add_worst(struct buf *out, const struct worst_table *table)
{
	buf_addf(out, "<div><h3>%s</h3>\n<table>\n", table->heading);
	for (size_t i = 0; i < table->n; i++) {
		const struct worst_row *row = &table->rows[i];

		buf_adds(out, "<tr><td><code>");
		escape_xml(out, row->subject);
		if (row->member) {
			buf_addc(out, '.');
			escape_xml(out, row->member);
		}
		buf_adds(out, "</code></td><td class=\"n\">");
		escape_xml(out, row->was);
		buf_adds(out, "</td><td class=\"n\">");
		escape_xml(out, row->now);
		buf_adds(out, "</td><td class=\"n\">");
		escape_xml(out, row->delta);
		buf_adds(out, "</td></tr>\n");
	}
	buf_adds(out, "</table></div>\n");
}

static void add_hot(struct buf *out, const struct diff_report *report)
{
	if (!report->nhot)
		return;
	buf_adds(out, "<h3>hot pairs of members</h3>\n<ul>\n");
	for (size_t i = 0; i < report->nhot; i++) {
		buf_addf(out, "<li>%s: ", report->hot[i].fate);
		add_hot_pair(out, &report->hot[i], escape_xml);
		buf_adds(out, "</li>\n");
	}
	buf_adds(out, "</ul>\n");
}

void html_diff_run(struct buf *out, const struct ci_run *run)
{
	const struct diff_report *report = run->diff;

	add_hot(out, report);
	if (report->changes->nworst) {
		buf_adds(out, "<div class=\"tables\">\n");
		for (size_t i = 0; i < report->changes->nworst; i++)
			add_worst(out, &report->changes->worst[i]);
		buf_adds(out, "</div>\n");
	}
	add_contents(out, report);
	for (size_t i = 0; i < report->nranked; i++)
		add_type(out, run, report->ranked[i], i);
	html_folded(out, run, is_listed, "note on types of which nothing else is said",
		    "notes on types of which nothing else is said");
}
