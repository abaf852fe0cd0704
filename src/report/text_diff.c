/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes as text:
 *
 *	FILE:LINE: SEVERITY: SUBJECT: MESSAGE [KIND]
 *	    what made it so
 *	    PACK:LINE, of a rule
 *
 * The place is where the type is declared; where no image can tell, it is the image. Then, of whole
 * images, the tables of the worst.
 */
#include <string.h>

#include "base/columns.h"
#include "base/escape.h"
#include "report/ci.h"
#include "report/text.h"

static enum ink severity_ink(enum severity severity)
{
	switch (severity) {
	case SEVERITY_ERROR:
		return INK_RED;
	case SEVERITY_WARNING:
		return INK_YELLOW;
	case SEVERITY_NOTE:
		return INK_CYAN;
	}
	return INK_PLAIN;
}

/* The definition whose place is told: the new one, where it is known. */
static const struct def *declared(const struct change *change)
{
	if (change->new_def && change->new_def->has_decl)
		return change->new_def;
	if (change->old_def && change->old_def->has_decl)
		return change->old_def;
	return NULL;
}

static void add_place(struct buf *out, const struct diff_report *report,
		      const struct report_style *style, const struct change *change)
{
	const struct def *def = declared(change);
	struct buf place = BUF_INIT;

	if (def) {
		buf_adds(&place, def->file);
		if (def->line)
			buf_addf(&place, ":%u", def->line);
	} else {
		buf_adds(&place, change->new_def || change->of_variables ? report->after->path
									 : report->before->path);
	}
	paint_foreign(out, style, INK_BOLD, place.s);
	buf_release(&place);
	buf_adds(out, ": ");
}

static void add_change(struct buf *out, const struct diff_report *report,
		       const struct report_style *style, const struct change *change)
{
	add_place(out, report, style, change);
	if (change->waived)
		paint(out, style, INK_DIM, "waived");
	else
		paint(out, style, severity_ink(change->severity), severity_name(change->severity));
	buf_adds(out, ": ");
	escape_text(out, change->subject);
	buf_adds(out, ": ");
	escape_text(out, change->message);
	buf_addf(out, " [%s]\n", change_rows[change->kind].name);
	if (change->cause) {
		buf_adds(out, "    ");
		escape_text(out, change->cause);
		buf_addc(out, '\n');
	}
	if (change->waiver)
		add_waiver_lines(out, style, change->waiver, change->waived);
	if (change->finding && style->verbose && change->finding->why)
		add_prose(out, style, WHY, strlen(WHY), change->finding->why);
	if (style->verbose) {
		buf_adds(out, "    ");
		add_fingerprint(out, change->fingerprint);
		buf_addc(out, '\n');
	}
	if (change->pack.file) {
		buf_adds(out, "    ");
		escape_text(out, change->pack.file);
		if (change->pack.line)
			buf_addf(out, ":%u", change->pack.line);
		buf_addc(out, '\n');
	}
}

/* ---- tables ---------------------------------------------------------------------------------- */

enum { COLUMNS = 4 };

/* The escaped cells of a row: type and member, was, now, by how much. */
static void fill_cells(const struct worst_row *row, struct buf cells[COLUMNS])
{
	for (size_t i = 0; i < COLUMNS; i++)
		cells[i].len = 0;
	escape_text(&cells[0], row->subject);
	if (row->member) {
		buf_addc(&cells[0], '.');
		escape_text(&cells[0], row->member);
	}
	escape_text(&cells[1], row->was);
	escape_text(&cells[2], row->now);
	escape_text(&cells[3], row->delta);
}

static void add_table(struct buf *out, const struct report_style *style,
		      const struct worst_table *table)
{
	struct buf cells[COLUMNS] = {BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT};
	size_t widths[COLUMNS] = {0};

	buf_addc(out, '\n');
	paint(out, style, INK_BOLD, table->heading);
	buf_addc(out, '\n');
	for (size_t i = 0; i < table->n; i++) {
		fill_cells(&table->rows[i], cells);
		for (size_t k = 0; k < COLUMNS; k++)
			if (columns_of(cells[k].s, cells[k].len) > widths[k])
				widths[k] = columns_of(cells[k].s, cells[k].len);
	}
	for (size_t i = 0; i < table->n; i++) {
		fill_cells(&table->rows[i], cells);
		for (size_t k = 0; k < COLUMNS; k++) {
			buf_adds(out, "  ");
			buf_add(out, cells[k].s, cells[k].len);
			if (k + 1 < COLUMNS)
				buf_pad(out, ' ', widths[k] - columns_of(cells[k].s, cells[k].len));
		}
		buf_addc(out, '\n');
	}
	for (size_t k = 0; k < COLUMNS; k++)
		buf_release(&cells[k]);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_summary(struct buf *out, const struct diff_report *report)
{
	add_image(out, report->before, report->line);
	buf_adds(out, " -> ");
	add_image(out, report->after, report->line);
	buf_adds(out, ": ");
	add_diff_counts(out, report->changes);
	buf_addc(out, '\n');
}

static void add_hot(struct buf *out, const struct report_style *style,
		    const struct diff_report *report)
{
	for (size_t i = 0; i < report->nhot; i++) {
		const struct diff_hot *hot = &report->hot[i];
		bool good = strcmp(hot->fate, "fixed") == 0;

		buf_adds(out, "hot: ");
		paint(out, style, good ? INK_GREEN : INK_YELLOW, hot->fate);
		buf_adds(out, ": ");
		add_hot_pair(out, hot, escape_text);
		buf_addc(out, '\n');
	}
}

void text_diff(const struct diff_report *report, const struct report_style *style, struct buf *out)
{
	const struct changes *changes = report->changes;

	for (size_t i = 0; i < changes->nwarnings && !style->quiet; i++) {
		paint(out, style, INK_YELLOW, "warning");
		buf_adds(out, ": ");
		escape_text(out, changes->warnings[i]);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < changes->n; i++)
		add_change(out, report, style, &changes->items[i]);
	add_hot(out, style, report);
	if (style->quiet)
		return;
	for (size_t i = 0; i < changes->nworst; i++)
		add_table(out, style, &changes->worst[i]);
	if (changes->nworst)
		buf_addc(out, '\n');
	add_summary(out, report);
}
