/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text.h"

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
