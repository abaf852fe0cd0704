/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/view.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/text.h"
#include "layout/spell.h"

struct drawing {
	struct arena *arena;
	const struct geometry *geometry;
	struct view_row *rows;
	size_t n, cap;
	size_t next_gap; /* of geometry->gaps: drawn are those before it */
	bool has_line;   /* a VIEW_LINE was drawn, last_line its number */
	uint64_t last_line;
	size_t visited;
	/* Inside of members whose type has no name: their path, where they begin. */
	const char *path;
	uint64_t base;
};

static unsigned to_unsigned(uint64_t value)
{
	return value < UINT_MAX ? (unsigned)value : UINT_MAX;
}

static void append(struct drawing *d, struct view_row row)
{
	row.inside = d->path != NULL;
	if (d->path && row.name)
		row.path = arena_printf(d->arena, "%s.%s", d->path, row.name);
	ARRAY_GROW(d->rows, d->n, d->cap);
	d->rows[d->n++] = row;
}

/* ---- where a row lies ------------------------------------------------------------------------ */

/* The end of a group lies behind its last member: it opens no line. */
static bool opens_line(const struct view_row *row)
{
	return row->kind != VIEW_MARKER || !text_starts_with(row->name, "__cacheline_group_end__");
}

/* Appends a row that begins at @bit_offset, and before it the line that it is the first on. */
static void place(struct drawing *d, struct view_row row, uint64_t bit_offset)
{
	uint64_t line = d->geometry->line;

	row.offset = bit_offset / 8;
	if (line) {
		row.line = row.offset / line;
		if (opens_line(&row) && (!d->has_line || row.line > d->last_line)) {
			append(d, (struct view_row){.kind = VIEW_LINE,
						    .line = row.line,
						    .offset = row.line * line});
			d->has_line = true;
			d->last_line = row.line;
		}
	}
	append(d, row);
}

static void set_lines(struct view_row *row, uint64_t bit_offset, uint64_t bit_size, uint64_t line)
{
	struct line_span span;

	if (!lines_touched(bit_offset, bit_size, line, 0, &span))
		return;
	row->crosses = span.last > span.first;
	row->last_line = span.last;
	row->straddles = straddles(bit_offset, bit_size, line);
}

static void draw_gap(struct drawing *d, const struct gap *gap, unsigned depth)
{
	struct view_row row = {.kind = VIEW_GAP, .depth = depth, .gap = gap->kind};
	uint64_t at = add_capped(d->base, gap->bit_offset);

	if (gap->kind == GAP_BIT_HOLE || gap->kind == GAP_BIT_PADDING) {
		row.bit_offset = at % 8;
		row.bit_size = to_unsigned(gap->bit_size);
	}
	row.size = gap->bit_size / 8 + (gap->bit_size % 8 != 0);
	set_lines(&row, at, gap->bit_size, d->geometry->line);
	row.straddles = false;
	place(d, row, at);
}

/* Draws the gaps that begin before @start, and those that end by @end. */
static void draw_gaps(struct drawing *d, uint64_t start, uint64_t end, unsigned depth)
{
	for (; d->next_gap < d->geometry->ngaps; d->next_gap++) {
		const struct gap *gap = &d->geometry->gaps[d->next_gap];
		uint64_t at = add_capped(d->base, gap->bit_offset);

		if (at >= start && add_capped(at, gap->bit_size) > end)
			return;
		draw_gap(d, gap, depth);
	}
}

/* ---- members --------------------------------------------------------------------------------- */

/* The declaration without its semicolon. Of a flexible array the first dimension is open, also
 * where BTF has [0]. */
static const char *declaration(const struct member *member, struct arena *arena)
{
	const struct type *type = type_strip(member->type);
	const char *name = member->name;

	if (member->is_flexible && type->kind == TYPE_ARRAY && type->target && name)
		return spell_decl(type->target, arena_printf(arena, "%s[]", name), arena);
	if (member->is_bitfield)
		name = arena_printf(arena, "%s:%" PRIu64, name ? name : "", member->bit_size);
	return spell_decl(member->type, name, arena);
}

/* What opening, plain and marker rows have in common. */
static struct view_row member_row(const struct member *member, uint64_t bit_offset, unsigned depth)
{
	struct view_row row = {
		.depth = depth,
		.member = member,
		.name = member->name,
		.type = member->type->spelling,
		.size = member->bit_size / 8 + (member->bit_size % 8 != 0),
		.is_flexible = member->is_flexible,
		.is_dynamic = member->is_dynamic,
		.has_align = member->has_align,
		.align = member->align,
	};

	if (member->is_base)
		row.base = member->is_dynamic ? "virtual base class" : "base class";
	if (member->is_bitfield) {
		row.is_bitfield = true;
		row.bit_offset = bit_offset % 8;
		row.bit_size = to_unsigned(member->bit_size);
	}
	return row;
}

static void draw_plain(struct drawing *d, const struct member *member, uint64_t bit_offset,
		       const char *head, unsigned depth)
{
	struct view_row row = member_row(member, bit_offset, depth);

	row.kind = member->is_marker ? VIEW_MARKER : VIEW_MEMBER;
	row.decl = declaration(member, d->arena);
	row.head = head;
	if (member->is_dynamic) {
		append(d, row);
		return;
	}
	set_lines(&row, bit_offset, member->bit_size, d->geometry->line);
	place(d, row, bit_offset);
}

static void draw_members(struct drawing *d, const struct type *type, uint64_t base, unsigned depth);

static void draw_anonymous(struct drawing *d, const struct member *member, const struct type *inner,
			   uint64_t bit_offset, unsigned depth)
{
	const char *word = inner->kind == TYPE_UNION ? "union" : "struct";
	struct view_row row = member_row(member, bit_offset, depth);

	row.kind = VIEW_OPEN;
	row.is_union = inner->kind == TYPE_UNION;
	row.decl = inner->name ? arena_printf(d->arena, "%s %s", word, inner->name) : word;
	place(d, row, bit_offset);
	draw_members(d, inner, bit_offset, depth + 1);
	draw_gaps(d, bit_offset, add_capped(bit_offset, member->bit_size), depth + 1);
	append(d, (struct view_row){.kind = VIEW_CLOSE, .depth = depth});
}

/* A struct or union without a name that a member declares; of an array, its elements'. */
static const struct type *declared_in(const struct member *member)
{
	const struct type *type =
		member->name && !member->is_marker && !member->is_dynamic && !member->is_base
			? member->type
			: NULL;

	while (type && (type->kind == TYPE_QUALIFIER || type->kind == TYPE_ARRAY))
		type = type->target;
	return type && (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION) && !type->name &&
			       type->nmembers
		       ? type
		       : NULL;
}

/* The member itself, then what is in there, which has holes of its own. */
static void draw_declared(struct drawing *d, const struct member *member, const struct type *inner,
			  uint64_t bit_offset, unsigned depth)
{
	static const char body[] = "{...} ";
	const char *whole = declaration(member, d->arena), *found = strstr(whole, body);
	const struct drawing outside = *d;
	struct view_row close = {.kind = VIEW_CLOSE,
				 .depth = depth,
				 .has_align = member->has_align,
				 .align = member->align};
	struct geometry geometry;

	if (!found || found == whole) {
		draw_plain(d, member, bit_offset, NULL, depth);
		return;
	}
	draw_plain(d, member, bit_offset,
		   arena_strndup(d->arena, whole, (size_t)(found - whole) - 1), depth);
	close.decl = found + strlen(body);
	geometry_of(inner, d->geometry->line, d->arena, &geometry);
	d->path = d->path ? arena_printf(d->arena, "%s.%s", d->path, member->name) : member->name;
	d->geometry = &geometry;
	d->next_gap = 0;
	d->base = bit_offset;
	draw_members(d, inner, bit_offset, depth + 1);
	draw_gaps(d, UINT64_MAX, UINT64_MAX, depth + 1);
	append(d, close);
	d->path = outside.path;
	d->geometry = outside.geometry;
	d->next_gap = outside.next_gap;
	d->base = outside.base;
}

static void draw_member(struct drawing *d, const struct member *member, uint64_t base,
			unsigned depth)
{
	const struct type *declared = declared_in(member);
	const struct type *inner = member->name || member->is_base || member->is_dynamic
					   ? NULL
					   : type_composite(member->type);
	uint64_t bit_offset = add_capped(base, member->is_dynamic ? 0 : member->bit_offset);

	d->visited++;
	if (member->is_dynamic && depth == 0)
		bit_offset = UINT64_MAX; /* behind the padding */
	draw_gaps(d, bit_offset, 0, depth);
	if (inner && depth < DEEPEST_NESTING && d->visited < MOST_LEAVES)
		draw_anonymous(d, member, inner, bit_offset, depth);
	else if (declared && depth < DEEPEST_NESTING && d->visited < MOST_LEAVES)
		draw_declared(d, member, declared, bit_offset, depth);
	else
		draw_plain(d, member, bit_offset, NULL, depth);
}

/* One level in the order it is drawn in. */
static int compare_members(const void *left, const void *right)
{
	const struct member *a = *(const struct member *const *)left;
	const struct member *b = *(const struct member *const *)right;

	if (a->is_dynamic != b->is_dynamic)
		return a->is_dynamic ? 1 : -1;
	if (!a->is_dynamic && a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	return (a > b) - (a < b);
}

static void draw_members(struct drawing *d, const struct type *type, uint64_t base, unsigned depth)
{
	const struct member **order;

	if (!type->nmembers)
		return;
	order = xcalloc(type->nmembers, sizeof *order);
	for (size_t i = 0; i < type->nmembers; i++)
		order[i] = &type->members[i];
	if (type->kind == TYPE_STRUCT)
		qsort(order, type->nmembers, sizeof *order, compare_members);
	for (size_t i = 0; i < type->nmembers; i++)
		draw_member(d, order[i], base, depth);
	free(order);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *title_of(const struct def *def, struct arena *arena)
{
	const char *word = def_kind_word(def->kind);

	if (!def->scope)
		return arena_printf(arena, "%s %s", word, def->name);
	if (strcmp(def->scope, "()") == 0)
		return arena_printf(arena, "%s %s (inside a function)", word, def->name);
	return arena_printf(arena, "%s %s::%s", word, def->scope, def->name);
}

void view_make(const struct def *def, const struct target *target, struct arena *arena,
	       struct view *ret)
{
	struct drawing d = {.arena = arena, .geometry = &ret->geometry};

	*ret = (struct view){.def = def, .title = title_of(def, arena)};
	geometry_of(def->type, target->line, arena, &ret->geometry);
	draw_members(&d, def->type, 0, 0);
	draw_gaps(&d, UINT64_MAX, UINT64_MAX, 0);
	ret->rows = arena_copy(arena, d.rows, d.n * sizeof *d.rows);
	ret->nrows = d.n;
	free(d.rows);
	view_group_markers(ret, arena);
}
