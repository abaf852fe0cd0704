/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text for people: what its two renderers share. ASCII but for foreign names. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/ci.h"

extern const struct format format_text;

void text_check(const struct check_report *reports, size_t n, const struct report_style *style,
		struct buf *out);
void text_show(const struct show_report *reports, size_t n, const struct report_style *style,
	       struct buf *out);

void text_diff(const struct diff_report *report, const struct report_style *style, struct buf *out);

#define WHY "    why: " /* the label of a rule's reason */

void text_c2c(const struct c2c_print *print, const struct report_style *style, struct buf *out);

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_RED, INK_YELLOW, INK_GREEN, INK_CYAN };

/* Text of our own, in colour when the style has any. */
void paint(struct buf *out, const struct report_style *style, enum ink ink, const char *text);

/* A foreign string: escaped. */
void paint_foreign(struct buf *out, const struct report_style *style, enum ink ink,
		   const char *text);

/* Prose: its words behind @label, on lines of style->width, each but the first @hang columns in. */
void add_prose(struct buf *out, const struct report_style *style, const char *label, size_t hang,
	       const char *text);

/* Who waives it, or did, on lines of its own. */
void add_waiver_lines(struct buf *out, const struct report_style *style,
		      const struct waiver *waiver, bool in_force);

/* The ink that shows how a rule fared. */
enum ink outcome_ink(enum outcome outcome);

/* "64 bytes, 1 line of 64, no holes" */
void add_facts(struct buf *out, const struct view *view);

const char *gap_word(enum gap_kind gap); /* "(hole)" */

/* "vmlinux (DWARF, x86_64, 64-byte lines)" */
void add_image(struct buf *out, const struct layout *layout, uint64_t line);

#endif
