/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTML: one file that needs nothing else, no network and no script, and says so in its
 * Content-Security-Policy. It is well-formed XML, too. Here are the pieces of its pages; what a
 * page is about is in html_check.c, html_show.c, html_diff.c and html_c2c.c. Foreign text is
 * escaped by escape_xml().
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "layout/map.h"
#include "report/ci.h"

extern const struct format format_html;

/* The style sheet: src/report/html.css, made into a string by the Makefile. */
extern const char html_css[];

/* What a run of a check or a diff has to say, behind the header. */
void html_check_run(struct buf *out, const struct ci_run *run);
void html_diff_run(struct buf *out, const struct ci_run *run);
void html_c2c(const struct c2c_print *print, const struct report_style *style, struct buf *out);
void html_show(const struct show_report *reports, size_t n, const struct report_style *style,
	       struct buf *out);

/* ---- the page (html.c) ----------------------------------------------------------------------- */

enum html_state { HTML_PLAIN, HTML_PASSES, HTML_FAILS, HTML_UNTOLD };

/* Up to and with the headline, of our own words; what follows is in the header until
 * html_header_end(). */
void html_begin(struct buf *out, enum html_state state, const char *headline);
void html_header_end(struct buf *out);
void html_end(struct buf *out);

/* "vmlinux (DWARF, ...)", behind a @label of ours, or "". */
void html_image(struct buf *out, const char *label, const struct layout *layout, uint64_t line);

/* What is said of a type: an entry of a list. @number: of its marks in the drawing. */
void html_item(struct buf *out, const struct ci_item *item, size_t number);

/* A warning, escaped. */
void html_warning(struct buf *out, const char *text);

/* The items that @folds, closed; nothing when there are none. */
void html_folded(struct buf *out, const struct ci_run *run,
		 bool (*folds)(const struct ci_run *run, const struct ci_item *item),
		 const char *one, const char *many);

/* ---- a type (html_struct.c) ------------------------------------------------------------------ */

/* Its title, and where it is declared. */
void html_title(struct buf *out, const struct view *view);

/* What lies where; its groups; its members as a table. @caption: of our own words. */
void html_map(struct buf *out, const struct view *view, const char *caption);
void html_legend(struct buf *out, const struct view *view);

/* Lines of a map around a hot one, on which what was seen is told; what its colours mean. */
void html_map_part(struct buf *out, const struct view *view, const struct map *map,
		   const char *caption);
void html_heat_legend(struct buf *out);
void html_members(struct buf *out, const struct view *view, bool open);

/* The rules that speak of the type as a whole. */
void html_notes(struct buf *out, const struct view *view);

#endif
