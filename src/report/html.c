/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html.h"

#include "base/escape.h"

/* Nothing may be loaded, no script may run. */
static const char policy[] =
	"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/* ---- pieces ---------------------------------------------------------------------------------- */

void html_begin(struct buf *out, enum html_state state, const char *headline)
{
	static const char *const classes[] = {
		[HTML_PLAIN] = "plain",
		[HTML_PASSES] = "passes",
		[HTML_FAILS] = "fails",
		[HTML_UNTOLD] = "untold",
	};

	buf_adds(out, "<!DOCTYPE html>\n"
		      "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
		      "<meta charset=\"utf-8\"/>\n");
	buf_addf(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\"/>\n", policy);
	buf_adds(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		      "<meta name=\"color-scheme\" content=\"light dark\"/>\n");
	buf_addf(out, "<title>layoutcheck: %s</title>\n<style>\n%s</style>\n</head>\n<body>\n",
		 headline, html_css);
	buf_addf(out, "<header class=\"%s\">\n<h1>%s</h1>\n", classes[state], headline);
}

void html_header_end(struct buf *out)
{
	buf_adds(out, "</header>\n<main>\n");
}

void html_end(struct buf *out)
{
	buf_adds(out, "</main>\n<footer>Made by layoutcheck. A row is a cache line, a box is as "
		      "wide as its bytes. Point at a box, tap it, or go to it with Tab, to read "
		      "more.</footer>\n</body>\n</html>\n");
}

void html_image(struct buf *out, const char *label, const struct layout *layout, uint64_t line)
{
	buf_addf(out, "<p>%s<code>", label);
	add_image_name(out, layout, line, escape_xml);
	buf_adds(out, "</code></p>\n");
}

void html_item(struct buf *out, const struct ci_item *item, size_t number)
{
	const char *class = severity_name(item->severity);

	buf_addf(out, "<li><b class=\"number %s\">%zu</b> <span class=\"severity %s\">%s</span>: ",
		 class, number, class, item->excuse ? item->excuse : class);
	escape_xml(out, item->message);
	buf_adds(out, " <code class=\"dim\">[");
	escape_xml(out, item->change ? item->type : item->id);
	buf_adds(out, "]</code>\n");
	add_details(out, item, true, "<div>", "</div>\n", escape_xml);
	if (item->pack.file) {
		buf_adds(out, "<div class=\"where\">");
		add_where(out, item->pack, escape_xml);
		buf_adds(out, "</div>\n");
	}
	buf_adds(out, "</li>\n");
}

void html_warning(struct buf *out, const char *text)
{
	buf_adds(out, "<p><span class=\"severity warning\">warning</span>: ");
	escape_xml(out, text);
	buf_adds(out, "</p>\n");
}

void html_folded(struct buf *out, const struct ci_run *run,
		 bool (*folds)(const struct ci_run *run, const struct ci_item *item),
		 const char *one, const char *many)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n; i++)
		n += folds(run, &run->items[i]);
	if (!n)
		return;
	buf_adds(out, "<details class=\"folded\"><summary>");
	add_count(out, n, one, many);
	buf_adds(out, "</summary>\n<ul>\n");
	for (size_t i = 0; i < run->n; i++) {
		const struct ci_item *item = &run->items[i];

		if (!folds(run, item))
			continue;
		buf_adds(out, "<li><code>");
		add_case(out, item, escape_xml);
		buf_adds(out, "</code>: ");
		escape_xml(out, item->message);
		buf_adds(out, "</li>\n");
	}
	buf_adds(out, "</ul></details>\n");
}

/* ---- a page about findings or changes -------------------------------------------------------- */

static bool fails(const struct ci_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		for (size_t k = 0; k < report->runs[i].n; k++)
			if (ci_fails(&report->runs[i].items[k]))
				return true;
	return false;
}

/* Nothing was looked at, or not all of it. */
static bool is_untold(const struct ci_report *report)
{
	bool judged = false;

	for (size_t i = 0; i < report->n; i++)
		judged = judged || report->runs[i].judged || report->runs[i].diff;
	return report->nlost || !judged;
}

static void add_run_header(struct buf *out, const struct ci_run *run)
{
	if (run->before)
		html_image(out, "<span class=\"dim\">before</span> ", run->before, run->line);
	html_image(out, run->before ? "<span class=\"dim\">after</span> " : "", run->image,
		   run->line);
	buf_adds(out, "<p>");
	add_counts(out, run);
	buf_adds(out, "</p>\n");
}

static void add_header(struct buf *out, const struct ci_report *report)
{
	struct buf verdict = BUF_INIT;

	ci_verdict(&verdict, report);
	html_begin(out,
		   fails(report)       ? HTML_FAILS
		   : is_untold(report) ? HTML_UNTOLD
				       : HTML_PASSES,
		   verdict.s);
	buf_release(&verdict);
	for (size_t i = 0; i < report->nlost; i++) {
		buf_adds(out, "<p class=\"error\">");
		escape_xml(out, report->lost[i]);
		buf_addf(out, "%s</p>\n", report->loss);
	}
	for (size_t i = 0; i < report->n; i++)
		add_run_header(out, &report->runs[i]);
	html_header_end(out);
}

static void render(const struct ci_report *report, const struct report_style *style,
		   struct buf *out)
{
	add_header(out, report);
	for (size_t i = 0; i < report->n; i++) {
		const struct ci_run *run = &report->runs[i];

		if (style->several)
			add_run_header(out, run);
		for (size_t k = 0; k < run->nwarnings; k++)
			html_warning(out, run->warnings[k]);
		if (run->diff)
			html_diff_run(out, run);
		else
			html_check_run(out, run);
	}
	html_end(out);
}

static void html_check(const struct check_report *reports, size_t n,
		       const struct report_style *style, struct buf *out)
{
	ci_check(render, reports, n, style, out);
}

static void html_diff(const struct diff_report *report, const struct report_style *style,
		      struct buf *out)
{
	ci_diff(render, report, style, out);
}

const struct format format_html = {.name = "html",
				   .help = "a page with drawings, in one file",
				   .draws = true,
				   .wants_all = true,
				   .tells_unread = true,
				   .check = html_check,
				   .show = html_show,
				   .diff = html_diff,
				   .c2c = html_c2c};
