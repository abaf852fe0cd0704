/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types as a page: each drawn, or a table with a row each. */
#include <inttypes.h>

#include "base/escape.h"
#include "report/html.h"
#include "report/text.h"

static void add_verdict(struct buf *out, const struct view_verdict *verdict)
{
	const char *class = verdict->after == OUTCOME_HOLDS ? "holds" : "error";

	buf_addf(out, "<li><span class=\"%s\">%s</span>, was %s: ", class,
		 outcome_name(verdict->after), outcome_name(verdict->before));
	escape_xml(out, verdict->message);
	buf_adds(out, " [");
	escape_xml(out, verdict->rule);
	buf_adds(out, "]");
	if (verdict->cause) {
		buf_adds(out, "<div>");
		escape_xml(out, verdict->cause);
		buf_adds(out, "</div>");
	}
	buf_adds(out, "</li>\n");
}

/* What was done, and what has come of it. */
static void add_edit(struct buf *out, const struct view_edit *edit)
{
	const struct edited *edited = edit->edited;

	buf_adds(out, "<ul>\n");
	for (size_t i = 0; i < edit->n; i++) {
		buf_adds(out, "<li>what if: <code>");
		escape_xml(out, edit->edits[i].text);
		buf_adds(out, "</code></li>\n");
	}
	for (size_t i = 0; i < edited->ngone; i++) {
		buf_adds(out, "<li>removed: <code>");
		escape_xml(out, edited->gone[i].path);
		buf_addf(out, "</code>, was at offset %" PRIu64 "</li>\n",
			 edited->gone[i].bit_offset / 8);
	}
	for (size_t i = 0; i < edited->nassumed; i++) {
		buf_adds(out, "<li class=\"warning\">assumed: ");
		escape_xml(out, edited->assumed[i]);
		buf_adds(out, "</li>\n");
	}
	for (size_t i = 0; i < edit->nverdicts; i++)
		add_verdict(out, &edit->verdicts[i]);
	buf_adds(out, "</ul>\n");
}

static void add_side(struct buf *out, const char *caption, const struct view *view)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "<b>%s</b> ", caption);
	add_facts(&text, view);
	buf_adds(out, "<div>\n");
	html_map(out, view, text.s);
	buf_adds(out, "</div>\n");
	buf_release(&text);
}

static void add_maps(struct buf *out, const struct view *view)
{
	struct buf facts = BUF_INIT;

	if (view->edit) {
		buf_adds(out, "<div class=\"pair\">\n");
		add_side(out, "before", view->edit->before);
		add_side(out, "after", view);
		buf_adds(out, "</div>\n");
		return;
	}
	add_facts(&facts, view);
	html_map(out, view, facts.s);
	buf_release(&facts);
}

static void add_type(struct buf *out, const struct view *view)
{
	buf_adds(out, "<section class=\"type\">\n");
	html_title(out, view);
	if (view->edit)
		add_edit(out, view->edit);
	html_notes(out, view);
	html_legend(out, view);
	add_maps(out, view);
	html_members(out, view, true);
	buf_adds(out, "</section>\n");
}

static void add_row(struct buf *out, const struct view *view, uint64_t line)
{
	const struct geometry *geometry = &view->geometry;

	bool has_size = geometry->type->has_size;

	buf_adds(out, "<tr><td class=\"n\">");
	if (has_size)
		buf_addf(out, "%" PRIu64, geometry->type->bits / 8);
	else
		buf_addc(out, '?');
	buf_adds(out, "</td><td class=\"n\">");
	if (line && has_size)
		buf_addf(out, "%" PRIu64, geometry->lines);
	else
		buf_addc(out, '?');
	if (geometry->leaves.has_dynamic || !has_size)
		buf_adds(out, "</td><td class=\"n\">?</td><td class=\"n\">?</td>"
			      "<td class=\"n\">?</td><td>");
	else
		buf_addf(out,
			 "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
			 "</td><td class=\"n\">%" PRIu64 "</td><td>",
			 geometry->holes, geometry->hole_bytes, geometry->padding);
	escape_xml(out, view->title);
	buf_adds(out, "</td></tr>\n");
}

static void add_list(struct buf *out, const struct show_report *report)
{
	buf_adds(out, "<table class=\"members\"><thead><tr><th class=\"n\">size</th>"
		      "<th class=\"n\">lines</th><th class=\"n\">holes</th>"
		      "<th class=\"n\">hole bytes</th><th class=\"n\">padding</th><th>type</th>"
		      "</tr></thead><tbody>\n");
	for (size_t i = 0; i < report->n; i++)
		add_row(out, &report->views[i], report->line);
	buf_adds(out, "</tbody></table>\n");
}

void html_show(const struct show_report *reports, size_t n, const struct report_style *style,
	       struct buf *out)
{
	struct buf headline = BUF_INIT;
	size_t types = 0;

	for (size_t i = 0; i < n; i++)
		types += reports[i].n;
	add_count(&headline, types, "type", "types");
	html_begin(out, HTML_PLAIN, headline.s);
	buf_release(&headline);
	for (size_t i = 0; i < n; i++)
		html_image(out, "", reports[i].layout, reports[i].line);
	html_header_end(out);
	for (size_t i = 0; i < n; i++) {
		if (style->several)
			html_image(out, "", reports[i].layout, reports[i].line);
		if (reports[i].is_list)
			add_list(out, &reports[i]);
		for (size_t k = 0; k < reports[i].n && !reports[i].is_list; k++)
			add_type(out, &reports[i].views[k]);
	}
	html_end(out);
}
