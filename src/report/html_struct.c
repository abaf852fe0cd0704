/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A type drawn as memory:
 *
 *	<div class="map">
 *	  <div class="line"><span class="at">line 1</span>
 *	    <div class="lanes">
 *	      <div class="lane"><b class="box g1" style="width:12.5%">...</b>...</div>
 *
 * A box is named by its text, by its tip, which shows while it is pointed at or has the focus, and
 * by the table of members.
 */
#include "report/html.h"

#include <inttypes.h>

#include "base/escape.h"
#include "layout/map.h"
#include "report/text.h"

/* ---- a row in words -------------------------------------------------------------------------- */

static bool is_bits(const struct view_row *row)
{
	return row->is_bitfield ||
	       (row->kind == VIEW_GAP && (row->gap == GAP_BIT_HOLE || row->gap == GAP_BIT_PADDING));
}

static void add_align(struct buf *out, const struct view_row *row)
{
	if (row->has_align)
		buf_addf(out, " __aligned(%" PRIu64 ")", row->align);
}

static void add_declaration(struct buf *out, const struct view_row *row)
{
	if (row->kind == VIEW_GAP) {
		buf_adds(out, gap_word(row->gap));
		return;
	}
	if (!row->decl) {
		escape_xml(out, row->name);
		return;
	}
	escape_xml(out, row->decl);
	add_align(out, row);
	buf_adds(out, row->kind == VIEW_OPEN ? " {" : ";");
}

/* "offset 64, 8 bytes, lines 1 to 2 (straddles)" */
static void add_place(struct buf *out, bool has_line, const struct view_row *row)
{
	buf_addf(out, "offset %" PRIu64, row->offset);
	if (is_bits(row)) {
		buf_addf(out, ", bit %u, ", row->bit_offset);
		add_count(out, row->bit_size, "bit", "bits");
	} else {
		buf_adds(out, ", ");
		add_count(out, row->size, "byte", "bytes");
	}
	if (!has_line)
		return;
	if (row->crosses)
		buf_addf(out, ", lines %" PRIu64 " to %" PRIu64 "%s", row->line, row->last_line,
			 row->straddles ? " (straddles)" : "");
	else
		buf_addf(out, ", line %" PRIu64, row->line);
}

static void add_note(struct buf *out, const char *element, const struct view_note *note)
{
	static const char *const classes[] = {
		[OUTCOME_HOLDS] = "holds",        [OUTCOME_BROKEN] = "error",
		[OUTCOME_MISSING] = "error",      [OUTCOME_UNKNOWN] = "warning",
		[OUTCOME_NOT_APPLICABLE] = "dim",
	};

	buf_addf(out, "<%s class=\"%s\">", element, classes[note->outcome]);
	escape_xml(out, note->text);
	buf_addf(out, " (%s) [", outcome_name(note->outcome));
	escape_xml(out, note->rule);
	buf_addf(out, "]</%s>", element);
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* A line of a map on its way out. */
struct drawn {
	const struct view *view;
	const struct map *map;
	const struct map_line *line;
};

/* What was seen is told of one line: a member may lie on several. */
static const struct view_heat *heat_of(const struct drawn *drawn, const struct view_row *row)
{
	return drawn->line->is_hot ? row->heat : NULL;
}

static unsigned hitm_percent(const struct view_heat *heat)
{
	return heat->all_hitm ? (unsigned)((100 * heat->hitm + heat->all_hitm / 2) / heat->all_hitm)
			      : 0;
}

/* The colour of a box tells who accesses it; the bar above, in four steps, its share of the HITM.
 */
static void add_heat_classes(struct buf *out, const struct view_heat *heat)
{
	enum { STEP = 25, MOST = 4 };
	unsigned step = hitm_percent(heat) / STEP + 1;

	buf_adds(out, !heat->stores ? " read" : heat->loads ? " both" : " written");
	if (heat->hitm)
		buf_addf(out, " hitm%u", step < MOST ? step : MOST);
}

/* "81 %" and, below it, "L 2951 S 1761" */
static void add_heat(struct buf *out, const struct view_heat *heat)
{
	buf_adds(out, "<span class=\"heat\">");
	if (heat->hitm)
		buf_addf(out, "<i>%s%u&#160;%%</i> ", hitm_percent(heat) ? "" : "&lt;",
			 hitm_percent(heat) ? hitm_percent(heat) : 1);
	if (heat->loads)
		buf_addf(out, "L%" PRIu64 " ", heat->loads);
	if (heat->stores)
		buf_addf(out, "S%" PRIu64, heat->stores);
	buf_adds(out, "</span>");
}

void html_heat_legend(struct buf *out)
{
	buf_adds(out,
		 "<p class=\"legend\"><span><b class=\"read\"></b>loaded (L)</span>\n"
		 "<span><b class=\"written\"></b>stored to (S)</span>\n"
		 "<span><b class=\"both\"></b>both</span>\n"
		 "<span><b class=\"hitm1\"></b>below 25&#160;% of the HITM of the line</span>\n"
		 "<span><b class=\"hitm4\"></b>75&#160;% and more</span></p>\n");
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* The bands that tell groups apart, g1 to g6 of the style sheet; with more groups than that, the
 * tips do. */
enum { BANDS = 6 };

static void add_group_class(struct buf *out, size_t group)
{
	buf_addf(out, " g%zu", group % BANDS + 1);
}

/* "group sock_read_rx (read)" */
static void add_group(struct buf *out, const struct view_group *group)
{
	const char *access = group_class_name(group->access);

	buf_adds(out, "group ");
	escape_xml(out, group->name);
	if (access)
		buf_addf(out, " (%s)", access);
}

/* Where an edit moved it from. */
static void add_was(struct buf *out, const struct view_row *row)
{
	buf_addf(out, "%" PRIu64, row->was);
	if (row->is_bitfield)
		buf_addf(out, ":%u", row->was_bit);
}

static void add_moved(struct buf *out, const struct view_row *row)
{
	if (row->moved == VIEW_NEW)
		buf_adds(out, "<span>new</span>");
	if (row->moved != VIEW_MOVED)
		return;
	buf_adds(out, "<span>was at offset ");
	add_was(out, row);
	buf_adds(out, "</span>");
}

/* "files_struct.fd_array[3]: 316 HITM, 320 loads, 0 stores" */
static void add_seen(struct buf *out, const struct view_seen *seen)
{
	buf_adds(out, "<span>");
	escape_xml(out, seen->name);
	buf_addf(out, ": %" PRIu64 " HITM, ", seen->hitm);
	add_count(out, seen->loads, "load", "loads");
	buf_adds(out, ", ");
	add_count(out, seen->stores, "store", "stores");
	buf_adds(out, "</span>");
}

static void add_tip(struct buf *out, const struct drawn *drawn, const struct view_row *row)
{
	const struct view *view = drawn->view;
	const struct view_heat *heat = heat_of(drawn, row);

	buf_adds(out, "<span class=\"tip\"><span><b>");
	add_declaration(out, row);
	buf_adds(out, "</b></span><span>");
	add_place(out, drawn->map->has_line, row);
	buf_adds(out, "</span>");
	add_moved(out, row);
	for (size_t i = 0; heat && i < heat->nseen; i++)
		add_seen(out, &heat->seen[i]);
	for (size_t i = 0; i < row->ngroups; i++) {
		buf_adds(out, "<span>");
		add_group(out, &view->groups[row->groups[i]]);
		buf_adds(out, "</span>");
	}
	for (size_t i = 0; i < row->nnotes; i++)
		add_note(out, "span", &row->notes[i]);
	for (size_t i = 0; i < row->nmarks; i++) {
		if (!row->marks[i].text)
			continue;
		buf_addf(out, "<span class=\"%s\">%zu: ", severity_name(row->marks[i].severity),
			 row->marks[i].number);
		escape_xml(out, row->marks[i].text);
		buf_adds(out, "</span>");
	}
	buf_adds(out, "</span>");
}

static void add_number(struct buf *out, const struct view_mark *mark)
{
	buf_addf(out, "<i class=\"number %s\">%zu</i>", severity_name(mark->severity),
		 mark->number);
}

/* A long name breaks behind its underscores. */
static void add_breakable(struct buf *out, const char *name)
{
	struct buf text = BUF_INIT;

	escape_xml(&text, name);
	for (const char *p = text.s; *p; p++) {
		buf_addc(out, *p);
		if (*p == '_' && p[1])
			buf_adds(out, "<wbr/>");
	}
	buf_release(&text);
}

static void add_inscription(struct buf *out, const struct drawn *drawn, const struct view_row *row)
{
	const struct view_heat *heat = heat_of(drawn, row);

	buf_adds(out, "<span class=\"in\"><span>");
	if (row->kind != VIEW_GAP)
		add_breakable(out, row->name ? row->name : row->type);
	else if (is_bits(row))
		buf_addf(out, "%u bits", row->bit_size);
	else
		buf_addf(out, "%s %" PRIu64,
			 row->gap == GAP_HOLE      ? "hole"
			 : row->gap == GAP_PADDING ? "padding"
						   : "not known",
			 row->size);
	buf_adds(out, "</span>");
	if (heat)
		add_heat(out, heat);
	if (row->nmarks) {
		buf_adds(out, "<span class=\"marks\">");
		for (size_t i = 0; i < row->nmarks; i++)
			add_number(out, &row->marks[i]);
		buf_adds(out, "</span>");
	}
	buf_adds(out, "</span>");
}

static void add_classes(struct buf *out, const struct drawn *drawn, const struct map_box *box)
{
	const struct view_row *row = &drawn->view->rows[box->row];
	const struct view_heat *heat = heat_of(drawn, row);

	buf_adds(out, "box");
	if (row->kind == VIEW_GAP)
		buf_adds(out,
			 row->gap == GAP_HOLE || row->gap == GAP_BIT_HOLE ? " hole" : " padding");
	if (row->ngroups)
		add_group_class(out, row->groups[0]);
	if (row->moved == VIEW_NEW)
		buf_adds(out, " added");
	if (box->is_rest)
		buf_adds(out, " rest");
	if (box->goes_on)
		buf_adds(out, " goes");
	if (heat)
		add_heat_classes(out, heat);
	for (size_t i = 0; i < row->nmarks; i++)
		buf_addf(out, " m-%s %s", severity_name(row->marks[i].severity),
			 row->marks[i].word);
}

/* A length in percent of a line. */
static void add_share(struct buf *out, const char *property, uint64_t bits, const struct map *map)
{
	buf_addf(out, "%s:%.7g%%;", property, (double)bits * 100 / (double)(map->width * 8));
}

static void add_box(struct buf *out, const struct drawn *drawn, const struct map_box *box)
{
	const struct view_row *row = &drawn->view->rows[box->row];

	buf_adds(out, "<b class=\"");
	add_classes(out, drawn, box);
	buf_adds(out, "\" tabindex=\"0\" style=\"");
	if (box->before)
		add_share(out, "margin-left", box->before, drawn->map);
	add_share(out, "width", box->bits, drawn->map);
	buf_adds(out, "\">");
	add_inscription(out, drawn, row);
	add_tip(out, drawn, row);
	buf_adds(out, "</b>");
}

/* ---- the map --------------------------------------------------------------------------------- */

static void add_line(struct buf *out, const struct drawn *drawn)
{
	const struct map_line *line = drawn->line;

	buf_addf(out, "<div class=\"line%s%s\"><span class=\"at\">", line->same > 1 ? " many" : "",
		 line->is_hot ? " hot" : "");
	if (drawn->map->has_line && line->same > 1)
		buf_addf(out, "<i>lines </i>%" PRIu64 "<br/>to %" PRIu64, line->line,
			 line->line + line->same - 1);
	else if (drawn->map->has_line)
		buf_addf(out, "<i>line </i>%" PRIu64 "<br/><i>at %" PRId64 "</i>", line->line,
			 line->offset);
	else
		buf_addf(out, "<i>at </i>%" PRId64, line->offset);
	buf_adds(out, "</span><div class=\"lanes\">\n");
	for (size_t i = 0; i < line->nlanes; i++) {
		buf_adds(out, "<div class=\"lane\">");
		for (size_t k = 0; k < line->lanes[i].n; k++)
			add_box(out, drawn, &line->lanes[i].boxes[k]);
		buf_adds(out, "</div>\n");
	}
	buf_adds(out, "</div></div>\n");
}

static void add_lines(struct buf *out, const struct view *view, const struct map *map)
{
	for (size_t i = 0; i < map->nlines; i++) {
		const struct drawn drawn = {view, map, &map->lines[i]};

		add_line(out, &drawn);
	}
	if (map->hidden)
		buf_addf(out, "<p class=\"loose\">%zu more lie over these</p>\n", map->hidden);
}

/* Members that have no box. */
static void add_loose(struct buf *out, const struct view *view)
{
	for (size_t i = 0; i < view->nrows; i++) {
		const struct view_row *row = &view->rows[i];

		if (row->kind != VIEW_MEMBER || (!row->is_flexible && !row->is_dynamic))
			continue;
		buf_adds(out, "<p class=\"loose\">");
		add_declaration(out, row);
		if (row->is_dynamic)
			buf_adds(out, " is placed at run time");
		else
			buf_addf(out, " goes on from offset %" PRIu64, row->offset);
		buf_adds(out, "</p>\n");
	}
}

void html_map(struct buf *out, const struct view *view, const char *caption)
{
	struct arena arena;
	struct map map;

	arena_init(&arena);
	map_of(view, &arena, &map);
	buf_addf(out, "<div class=\"map\"><h3>%s", caption);
	for (size_t i = 0; i < view->nmarks; i++) {
		buf_addc(out, ' ');
		add_number(out, &view->marks[i]);
	}
	buf_adds(out, "</h3>\n");
	add_lines(out, view, &map);
	add_loose(out, view);
	buf_adds(out, "</div>\n");
	arena_release(&arena);
}

void html_map_part(struct buf *out, const struct view *view, const struct map *map,
		   const char *caption)
{
	buf_addf(out, "<div class=\"map part\"><h3>%s</h3>\n", caption);
	add_lines(out, view, map);
	buf_adds(out, "</div>\n");
}

void html_legend(struct buf *out, const struct view *view)
{
	if (!view->ngroups)
		return;
	buf_adds(out, "<p class=\"legend\">");
	for (size_t i = 0; i < view->ngroups; i++) {
		buf_adds(out, "<span><b class=\"");
		add_group_class(out, i);
		buf_adds(out, "\"></b>");
		escape_xml(out, view->groups[i].name);
		buf_adds(out, "</span>\n");
	}
	buf_adds(out, "</p>\n");
}

/* ---- words ----------------------------------------------------------------------------------- */

void html_notes(struct buf *out, const struct view *view)
{
	for (size_t i = 0; i < view->nnotes; i++) {
		add_note(out, "p", &view->notes[i]);
		buf_addc(out, '\n');
	}
}

void html_title(struct buf *out, const struct view *view)
{
	const struct def *def = view->def;

	buf_adds(out, "<h2>");
	escape_xml(out, view->title);
	buf_adds(out, "</h2>\n");
	if (!def->has_decl)
		return;
	buf_adds(out, "<p class=\"where\">");
	escape_xml(out, def->file);
	buf_addf(out, ":%u, in ", def->line);
	add_count(out, def->cus, "compile unit", "compile units");
	buf_adds(out, "</p>\n");
}

static void add_numbers(struct buf *out, const struct view_row *row)
{
	if (row->kind == VIEW_CLOSE) {
		buf_adds(out, "<td class=\"n\"></td><td class=\"n\"></td>");
		return;
	}
	buf_adds(out, "<td class=\"n\">");
	if (row->is_dynamic)
		buf_addc(out, '?');
	else
		buf_addf(out, "%" PRIu64, row->offset);
	if (is_bits(row))
		buf_addf(out, ":%u</td><td class=\"n\">:%u</td>", row->bit_offset, row->bit_size);
	else if (row->is_flexible)
		buf_adds(out, "</td><td class=\"n\">...</td>");
	else
		buf_addf(out, "</td><td class=\"n\">%" PRIu64 "</td>", row->size);
}

/* What is declared in place: "struct {" ... "} slots[4];" */
static void add_head(struct buf *out, const struct view_row *row)
{
	escape_xml(out, row->head);
	buf_adds(out, " {");
}

static void add_close(struct buf *out, const struct view_row *row)
{
	buf_adds(out, row->decl ? "} " : "}");
	escape_xml(out, row->decl ? row->decl : "");
	add_align(out, row);
	buf_addc(out, ';');
}

static void add_member(struct buf *out, const struct view *view, const struct view_row *row,
		       bool is_first)
{
	enum { INDENT = 4 };

	buf_addf(out, "<tr%s>",
		 row->kind == VIEW_GAP ? " class=\"gap\""
		 : is_first            ? " class=\"first\""
				       : "");
	add_numbers(out, row);
	if (view->edit) {
		buf_adds(out, "<td class=\"n\">");
		if (row->moved == VIEW_NEW)
			buf_adds(out, "new");
		else if (row->moved == VIEW_MOVED)
			add_was(out, row);
		buf_adds(out, "</td>");
	}
	buf_adds(out, "<td class=\"n\">");
	if (view->geometry.line && !row->is_dynamic && row->kind != VIEW_CLOSE)
		buf_addf(out, "%" PRIu64, row->line);
	buf_adds(out, "</td><td><pre>");
	buf_pad(out, ' ', (size_t)row->depth * INDENT);
	if (row->kind == VIEW_CLOSE)
		add_close(out, row);
	else if (row->head)
		add_head(out, row);
	else
		add_declaration(out, row);
	buf_adds(out, "</pre></td><td>");
	for (size_t i = 0; i < row->ngroups; i++) {
		add_group(out, &view->groups[row->groups[i]]);
		buf_adds(out, ". ");
	}
	if (row->base)
		buf_addf(out, "%s. ", row->base);
	if (row->straddles)
		buf_addf(out, "straddles to line %" PRIu64 ". ", row->last_line);
	for (size_t i = 0; i < row->nnotes; i++)
		add_note(out, "div", &row->notes[i]);
	buf_adds(out, "</td></tr>\n");
}

void html_members(struct buf *out, const struct view *view, bool open)
{
	bool is_first = false;

	buf_addf(out, "<details class=\"folded\"%s><summary>Members as a table</summary>\n",
		 open ? " open=\"open\"" : "");
	buf_addf(out,
		 "<table class=\"members\"><thead><tr><th class=\"n\">offset</th>"
		 "<th class=\"n\">size</th>%s<th class=\"n\">line</th><th>declaration</th>"
		 "<th>rules</th></tr></thead><tbody>\n",
		 view->edit ? "<th class=\"n\">was</th>" : "");
	for (size_t i = 0; i < view->nrows; i++) {
		if (view->rows[i].kind != VIEW_LINE)
			add_member(out, view, &view->rows[i], is_first);
		is_first = view->rows[i].kind == VIEW_LINE;
	}
	buf_adds(out, "</tbody></table></details>\n");
}
