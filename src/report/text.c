/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text.h"

#include <string.h>

#include "base/columns.h"
#include "base/escape.h"

const struct format format_text = {.name = "text",
				   .help = "for people and editors",
				   .check = text_check,
				   .show = text_show,
				   .diff = text_diff,
				   .c2c = text_c2c};

/* Standard SGR sequences (ECMA-48, 8.3.117); the dark colours, which both backgrounds show. */
static const char *const inks[] = {
	[INK_PLAIN] = "",         [INK_BOLD] = "\033[1m",    [INK_DIM] = "\033[2m",
	[INK_RED] = "\033[1;31m", [INK_YELLOW] = "\033[33m", [INK_GREEN] = "\033[32m",
	[INK_CYAN] = "\033[36m",
};

static bool begin_ink(struct buf *out, const struct report_style *style, enum ink ink)
{
	if (!style->color || ink == INK_PLAIN)
		return false;
	buf_adds(out, inks[ink]);
	return true;
}

void paint(struct buf *out, const struct report_style *style, enum ink ink, const char *text)
{
	bool inked = begin_ink(out, style, ink);

	buf_adds(out, text);
	if (inked)
		buf_adds(out, "\033[0m");
}

void paint_foreign(struct buf *out, const struct report_style *style, enum ink ink,
		   const char *text)
{
	bool inked = begin_ink(out, style, ink);

	escape_text(out, text);
	if (inked)
		buf_adds(out, "\033[0m");
}

void add_prose(struct buf *out, const struct report_style *style, const char *label, size_t hang,
	       const char *text)
{
	static const char blanks[] = " \t\n\r";
	size_t width = style->width ? style->width : REPORT_WIDTH, column = strlen(label);
	struct buf raw = BUF_INIT, word = BUF_INIT;
	bool first = true;

	buf_adds(out, label);
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		size_t len = strcspn(text, blanks), columns;

		raw.len = word.len = 0;
		buf_add(&raw, text, len);
		escape_text(&word, raw.s);
		columns = columns_of(word.s, word.len);
		if (!first && column + 1 + columns > width) {
			buf_addc(out, '\n');
			buf_pad(out, ' ', hang);
			column = hang;
		} else if (!first) {
			buf_addc(out, ' ');
			column++;
		}
		buf_add(out, word.s, word.len);
		column += columns;
		first = false;
		text += len;
	}
	buf_addc(out, '\n');
	buf_release(&raw);
	buf_release(&word);
}

void add_waiver_lines(struct buf *out, const struct report_style *style,
		      const struct waiver *waiver, bool in_force)
{
	struct buf text = BUF_INIT;

	add_waiver(&text, waiver, in_force, buf_adds);
	add_prose(out, style, "    ", 8, text.s);
	buf_release(&text);
}

enum ink outcome_ink(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_HOLDS:
		return INK_GREEN;
	case OUTCOME_BROKEN:
	case OUTCOME_MISSING:
		return INK_RED;
	case OUTCOME_UNKNOWN:
		return INK_YELLOW;
	case OUTCOME_NOT_APPLICABLE:
		return INK_DIM;
	}
	return INK_PLAIN;
}

void add_image(struct buf *out, const struct layout *layout, uint64_t line)
{
	add_image_name(out, layout, line, escape_text);
}
