/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types as text: each drawn by cache line, or a table with a line each.
 *
 *	struct files_struct
 *	    704 bytes, 11 lines of 64, 2 holes of 35 bytes, 24 bytes of padding
 *	    include/linux/fdtable.h:38, in 1204 compile units
 *
 *	  offset   size
 *	-- line 0 ------------------------------------------------------
 *	       0      4  atomic_t count;
 *	       4      1  bool resize_in_progress;
 *	       5      3  (hole)
 *	...
 *	-- line 2 ------------------------------------------------------
 *	     128      4  spinlock_t file_lock;            starts_line
 */
#include "base/columns.h"
#include "base/escape.h"
#include "report/text.h"

enum {
	INDENT = 4, /* columns a level of nesting */
	OFFSET_COLUMNS = 8,
	BIT_COLUMNS = 3, /* ":31" behind an offset */
	WAS_COLUMNS = 9, /* where a member was, when an edit is shown */
	SIZE_COLUMNS = 7,
	COLUMNS = 80, /* of the rules between lines */
	NOTES_LEAST =
		24, /* where notes begin: behind the widest declaration, within these bounds */
	NOTES_MOST = 56,
};

/* ---- a drawing ----------------------------------------------------------------------------- */

void add_facts(struct buf *out, const struct view *view)
{
	const struct geometry *geometry = &view->geometry;
	uint64_t line = geometry->line;

	if (!geometry->type->has_size) {
		buf_adds(out, "no size before run time");
		return;
	}
	add_count(out, geometry->type->bits / 8, "byte", "bytes");
	if (line) {
		buf_adds(out, ", ");
		add_count(out, geometry->lines, "line", "lines");
		buf_addf(out, " of %llu", (unsigned long long)line);
	}
	if (geometry->leaves.has_dynamic) {
		buf_adds(out, ", holes and padding not known");
	} else if (geometry->holes) {
		buf_adds(out, ", ");
		add_count(out, geometry->holes, "hole", "holes");
		buf_adds(out, " of ");
		add_count(out, geometry->hole_bytes, "byte", "bytes");
	} else {
		buf_adds(out, ", no holes");
	}
	if (geometry->bit_holes) {
		buf_adds(out, ", ");
		add_count(out, geometry->bit_holes, "bit hole", "bit holes");
		buf_adds(out, " of ");
		add_count(out, geometry->bit_hole_bits, "bit", "bits");
	}
	if (geometry->padding) {
		buf_adds(out, ", ");
		add_count(out, geometry->padding, "byte of padding", "bytes of padding");
	}
	if (geometry->bit_padding) {
		buf_adds(out, ", ");
		add_count(out, geometry->bit_padding, "bit of padding", "bits of padding");
	}
	if (geometry->type->has_align)
		buf_addf(out, ", aligned to %llu", (unsigned long long)geometry->type->align);
}

static void add_decl(struct buf *out, const struct def *def)
{
	if (!def->has_decl)
		return;
	buf_adds(out, "    ");
	escape_text(out, def->file);
	buf_addf(out, ":%u, in ", def->line);
	add_count(out, def->cus, "compile unit", "compile units");
	buf_addc(out, '\n');
}

static void add_note(struct buf *out, const struct report_style *style,
		     const struct view_note *note)
{
	paint_foreign(out, style, outcome_ink(note->outcome), note->text);
	if (note->outcome != OUTCOME_HOLDS) {
		buf_adds(out, " (");
		paint(out, style, outcome_ink(note->outcome), outcome_name(note->outcome));
		buf_addc(out, ')');
	}
	if (style->verbose) {
		buf_adds(out, " [");
		escape_text(out, note->rule);
		buf_addc(out, ']');
	}
}

const char *gap_word(enum gap_kind gap)
{
	switch (gap) {
	case GAP_HOLE:
		return "(hole)";
	case GAP_BIT_HOLE:
		return "(bit hole)";
	case GAP_PADDING:
		return "(padding)";
	case GAP_BIT_PADDING:
		return "(bit padding)";
	case GAP_UNKNOWN:
		return "(not known)";
	}
	return "";
}

static void add_align(struct buf *out, const struct view_row *row)
{
	if (row->has_align)
		buf_addf(out, " __aligned(%llu)", (unsigned long long)row->align);
}

/* What stands in the column of declarations, plain. */
static void add_declaration(struct buf *out, const struct view_row *row)
{
	buf_pad(out, ' ', (size_t)row->depth * INDENT);
	switch (row->kind) {
	case VIEW_GAP:
		buf_adds(out, gap_word(row->gap));
		return;
	case VIEW_CLOSE:
		buf_adds(out, row->decl ? "} " : "}");
		escape_text(out, row->decl ? row->decl : "");
		add_align(out, row);
		buf_addc(out, ';');
		return;
	case VIEW_OPEN:
		escape_text(out, row->decl);
		buf_adds(out, " {");
		return;
	case VIEW_LINE:
		return;
	case VIEW_MEMBER:
	case VIEW_MARKER:
		escape_text(out, row->head ? row->head : row->decl);
		if (row->head) {
			buf_adds(out, " {");
			return;
		}
		add_align(out, row);
		buf_addc(out, ';');
		return;
	}
}

/* "new", or where it was, when it was elsewhere. */
static void add_was(struct buf *out, const struct report_style *style, const struct view_row *row)
{
	struct buf was = BUF_INIT;
	size_t len;

	if (row->moved == VIEW_NEW)
		buf_adds(&was, "new");
	else if (row->moved == VIEW_MOVED)
		buf_addf(&was, "%llu", (unsigned long long)row->was);
	if (row->moved == VIEW_MOVED && row->is_bitfield)
		buf_addf(&was, ":%u", row->was_bit);
	len = was.len;
	buf_pad(out, ' ', len < WAS_COLUMNS ? WAS_COLUMNS - len : 1);
	paint(out, style, INK_CYAN, was.s);
	buf_release(&was);
}

/* "    12:3    :5  ": where it is and how much of it there is. */
static void add_place(struct buf *out, const struct report_style *style, const struct view *view,
		      const struct view_row *row)
{
	bool is_bits = row->is_bitfield || (row->kind == VIEW_GAP && (row->gap == GAP_BIT_HOLE ||
								      row->gap == GAP_BIT_PADDING));
	struct buf bit = BUF_INIT, size = BUF_INIT;

	if (row->kind == VIEW_CLOSE) {
		buf_pad(out, ' ',
			OFFSET_COLUMNS + BIT_COLUMNS + SIZE_COLUMNS + 2 +
				(view->edit ? WAS_COLUMNS : 0));
		return;
	}
	if (is_bits)
		buf_addf(&bit, ":%u", row->bit_offset);
	if (is_bits)
		buf_addf(&size, ":%u", row->bit_size);
	else if (row->is_flexible)
		buf_adds(&size, "...");
	else if (row->kind != VIEW_MARKER)
		buf_addf(&size, "%llu", (unsigned long long)row->size);
	if (row->is_dynamic)
		buf_addf(out, "%*s", OFFSET_COLUMNS, "?");
	else
		buf_addf(out, "%*llu", OFFSET_COLUMNS, (unsigned long long)row->offset);
	buf_addf(out, "%-*s", BIT_COLUMNS, bit.s);
	if (view->edit)
		add_was(out, style, row);
	buf_addf(out, "%*s  ", SIZE_COLUMNS, size.s);
	buf_release(&bit);
	buf_release(&size);
}

static enum ink row_ink(const struct view_row *row)
{
	switch (row->kind) {
	case VIEW_GAP:
		return INK_YELLOW;
	case VIEW_MARKER:
		return INK_DIM;
	case VIEW_LINE:
	case VIEW_MEMBER:
	case VIEW_OPEN:
	case VIEW_CLOSE:
		break;
	}
	return INK_PLAIN;
}

static void add_group(struct buf *out, const struct report_style *style,
		      const struct view_group *group)
{
	const char *access = group_class_name(group->access);

	paint(out, style, INK_CYAN, "group ");
	paint_foreign(out, style, INK_CYAN, group->name);
	if (access)
		buf_addf(out, " (%s)", access);
}

static bool has_remarks(const struct view_row *row)
{
	return row->base || row->straddles || row->crosses || row->ngroups || row->nnotes;
}

/* Remarks on the member itself, its groups, then the rules that speak of it. */
static void add_remarks(struct buf *out, const struct report_style *style, const struct view *view,
			const struct view_row *row)
{
	const char *separator = "";

	if (row->base) {
		paint(out, style, INK_DIM, row->base);
		separator = ", ";
	}
	if (row->straddles || row->crosses) {
		struct buf text = BUF_INIT;

		buf_adds(out, separator);
		buf_addf(&text, "%sto line %llu", row->straddles ? "straddles " : "",
			 (unsigned long long)row->last_line);
		paint(out, style, row->straddles ? INK_YELLOW : INK_DIM, text.s);
		buf_release(&text);
		separator = ", ";
	}
	for (size_t i = 0; i < row->ngroups; i++) {
		buf_adds(out, separator);
		add_group(out, style, &view->groups[row->groups[i]]);
		separator = ", ";
	}
	for (size_t i = 0; i < row->nnotes; i++) {
		buf_adds(out, separator);
		add_note(out, style, &row->notes[i]);
		separator = ", ";
	}
}

static void add_line_row(struct buf *out, const struct report_style *style,
			 const struct view_row *row)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "-- line %llu ", (unsigned long long)row->line);
	buf_pad(&text, '-', COLUMNS - text.len);
	paint(out, style, INK_DIM, text.s);
	buf_addc(out, '\n');
	buf_release(&text);
}

static void add_row(struct buf *out, const struct report_style *style, const struct view *view,
		    const struct view_row *row, size_t notes_at)
{
	struct buf decl = BUF_INIT;

	if (row->kind == VIEW_LINE) {
		add_line_row(out, style, row);
		return;
	}
	add_place(out, style, view, row);
	add_declaration(&decl, row);
	paint(out, style, row_ink(row), decl.s);
	if (has_remarks(row)) {
		size_t columns = columns_of(decl.s, decl.len);

		buf_pad(out, ' ', columns < notes_at ? notes_at - columns : 0);
		buf_adds(out, "  ");
		add_remarks(out, style, view, row);
	}
	buf_addc(out, '\n');
	buf_release(&decl);
}

/* Wide declarations push their own notes aside, not everybody's. */
static size_t notes_column(const struct view *view)
{
	size_t widest = NOTES_LEAST;

	for (size_t i = 0; i < view->nrows; i++) {
		struct buf decl = BUF_INIT;

		size_t columns;

		add_declaration(&decl, &view->rows[i]);
		columns = columns_of(decl.s, decl.len);
		if (columns > widest && columns <= NOTES_MOST)
			widest = columns;
		buf_release(&decl);
	}
	return widest;
}

/* "    group lookup: 2 members, lines 0 to 1" */
static void add_groups(struct buf *out, const struct report_style *style, const struct view *view)
{
	for (size_t i = 0; i < view->ngroups; i++) {
		const struct view_group *group = &view->groups[i];

		buf_adds(out, "    ");
		add_group(out, style, group);
		buf_adds(out, ": ");
		add_count(out, group->members, "member", "members");
		if (group->has_lines && group->first_line == group->last_line)
			buf_addf(out, ", line %llu", (unsigned long long)group->first_line);
		else if (group->has_lines)
			buf_addf(out, ", lines %llu to %llu", (unsigned long long)group->first_line,
				 (unsigned long long)group->last_line);
		buf_addc(out, '\n');
	}
}

/* ---- edits --------------------------------------------------------------------------------- */

static void add_verdict(struct buf *out, const struct report_style *style,
			const struct view_verdict *verdict)
{
	buf_adds(out, "    ");
	paint(out, style, outcome_ink(verdict->after), outcome_name(verdict->after));
	buf_addf(out, ", was %s: ", outcome_name(verdict->before));
	escape_text(out, verdict->message);
	buf_adds(out, " [");
	escape_text(out, verdict->rule);
	buf_adds(out, "]\n");
	if (!verdict->cause)
		return;
	buf_adds(out, "        ");
	escape_text(out, verdict->cause);
	buf_addc(out, '\n');
}

/* What was done, what it was before, what has come of it. */
static void add_edit(struct buf *out, const struct report_style *style,
		     const struct view_edit *edit)
{
	const struct edited *edited = edit->edited;

	buf_adds(out, "    before: ");
	add_facts(out, edit->before);
	buf_addc(out, '\n');
	for (size_t i = 0; i < edit->n; i++) {
		buf_adds(out, "    what if: ");
		paint_foreign(out, style, INK_CYAN, edit->edits[i].text);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < edited->ngone; i++) {
		buf_adds(out, "    removed: ");
		escape_text(out, edited->gone[i].path);
		buf_addf(out, ", was at offset %llu\n",
			 (unsigned long long)edited->gone[i].bit_offset / 8);
	}
	for (size_t i = 0; i < edited->nassumed; i++) {
		buf_adds(out, "    assumed: ");
		escape_text(out, edited->assumed[i]);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < edit->nverdicts; i++)
		add_verdict(out, style, &edit->verdicts[i]);
}

static void draw(struct buf *out, const struct report_style *style, const struct view *view)
{
	size_t notes_at = notes_column(view);

	paint_foreign(out, style, INK_BOLD, view->title);
	buf_addc(out, '\n');
	buf_adds(out, "    ");
	add_facts(out, view);
	buf_addc(out, '\n');
	add_decl(out, view->def);
	if (view->edit)
		add_edit(out, style, view->edit);
	for (size_t i = 0; i < view->nnotes; i++) {
		buf_adds(out, "    ");
		add_note(out, style, &view->notes[i]);
		buf_addc(out, '\n');
	}
	add_groups(out, style, view);
	if (!style->quiet)
		buf_addf(out, "\n%*s%*s%*s%*s\n", OFFSET_COLUMNS, "offset", BIT_COLUMNS, "",
			 view->edit ? WAS_COLUMNS : 0, view->edit ? "was" : "", SIZE_COLUMNS,
			 "size");
	for (size_t i = 0; i < view->nrows; i++)
		add_row(out, style, view, &view->rows[i], notes_at);
}

/* ---- the list ------------------------------------------------------------------------------ */

static void list(struct buf *out, const struct report_style *style,
		 const struct show_report *report)
{
	if (!style->quiet)
		buf_addf(out, "%10s %7s %6s %10s %8s  %s\n", "size", "lines", "holes", "hole bytes",
			 "padding", "type");
	for (size_t i = 0; i < report->n; i++) {
		const struct view *view = &report->views[i];
		const struct geometry *geometry = &view->geometry;

		if (geometry->type->has_size)
			buf_addf(out, "%10llu ", (unsigned long long)geometry->type->bits / 8);
		else
			buf_addf(out, "%10s ", "?");
		if (report->line && geometry->type->has_size)
			buf_addf(out, "%7llu ", (unsigned long long)geometry->lines);
		else
			buf_addf(out, "%7s ", "?");
		if (geometry->leaves.has_dynamic || !geometry->type->has_size)
			buf_addf(out, "%6s %10s %8s  ", "?", "?", "?");
		else
			buf_addf(out, "%6llu %10llu %8llu  ", (unsigned long long)geometry->holes,
				 (unsigned long long)geometry->hole_bytes,
				 (unsigned long long)geometry->padding);
		escape_text(out, view->title);
		if (style->verbose && view->def->has_decl) {
			buf_adds(out, "  ");
			escape_text(out, view->def->file);
			buf_addf(out, ":%u", view->def->line);
		}
		buf_addc(out, '\n');
	}
}

void text_show(const struct show_report *reports, size_t n, const struct report_style *style,
	       struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct show_report *report = &reports[i];

		if (i)
			buf_addc(out, '\n');
		if (!style->quiet) {
			add_image(out, report->layout, report->line);
			buf_adds(out, "\n\n");
		}
		if (report->is_list)
			list(out, style, report);
		for (size_t k = 0; k < report->n && !report->is_list; k++) {
			if (k)
				buf_addc(out, '\n');
			draw(out, style, &report->views[k]);
		}
	}
}
