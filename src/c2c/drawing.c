/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/drawing.h"

#include "base/math.h"

/* ---- what is drawn --------------------------------------------------------------------------- */

/* Where the line begins in the object, or in the one of an array of them that it begins in. */
static int64_t offset_in_type(const struct c2c_line *line)
{
	int64_t size = (int64_t)(line->object.def->type->bits / 8);

	return line->object.offset < size ? line->object.offset : line->object.offset % size;
}

/* An object that began in an earlier line, or an array of them, may end in this one, and another
 * variable or object follow. */
const struct def *c2c_drawn_type(const struct c2c_line *line)
{
	const struct def *def = line->object.def;
	uint64_t size = def ? def->type->bits / 8 : 0;
	int64_t offset;

	if (!size || size > INT64_MAX)
		return NULL;
	offset = offset_in_type(line);
	for (size_t i = 0; i < line->ndata; i++) {
		const struct c2c_datum *datum = &line->data[i];
		int64_t begins = offset + datum->begins;

		if (begins < 0 || add_capped((uint64_t)begins, datum->size) > size)
			return NULL;
	}
	return def;
}

/* ---- heat ------------------------------------------------------------------------------------ */

static void add_heat(const struct c2c_line *line, const struct c2c_datum *datum,
		     struct arena *arena, struct view_row *row)
{
	size_t n = row->heat ? row->heat->nseen : 0;
	struct view_seen *seen = arena_array(arena, n + 1, sizeof *seen);
	struct view_heat *heat = arena_alloc(arena, sizeof *heat);

	if (row->heat)
		*heat = *row->heat;
	for (size_t i = 0; i < n; i++)
		seen[i] = heat->seen[i];
	seen[n] = (struct view_seen){datum->name, datum->counts.hitm, datum->counts.loads,
				     datum->counts.stores};
	heat->hitm += datum->counts.hitm;
	heat->loads += datum->counts.loads;
	heat->stores += datum->counts.stores;
	heat->all_hitm = line->counts.hitm;
	heat->seen = seen;
	heat->nseen = n + 1;
	row->heat = heat;
}

/* Alternatives of a union share bytes: where the member is known, its name chooses. */
static void heat_rows(const struct c2c_line *line, const struct c2c_datum *datum, bool by_name,
		      int64_t offset, struct arena *arena, struct view *view)
{
	const struct spot spot = {.path = by_name ? datum->member : NULL,
				  .bit_offset = (uint64_t)(offset + datum->begins) * 8,
				  .bit_size = datum->size * 8};
	bool found = false;

	for (size_t i = 0; i < view->nrows; i++) {
		struct view_row *row = &view->rows[i];

		if (row->kind != VIEW_MEMBER || !view_row_is(row, &spot))
			continue;
		add_heat(line, datum, arena, row);
		found = true;
	}
	if (!found && by_name)
		heat_rows(line, datum, false, offset, arena, view);
}

/* ---- a line alone ---------------------------------------------------------------------------- */

/* As much of the datum as lies on the line. */
static struct view_row row_of(const struct c2c_datum *datum, uint64_t line_size)
{
	uint64_t end = add_capped(datum->offset, datum->size);

	if (datum->begins < 0)
		end = (uint64_t)(datum->begins + (int64_t)datum->size);
	return (struct view_row){
		.kind = VIEW_MEMBER,
		.name = datum->name,
		.offset = datum->offset,
		.size = min_u64(end, line_size) - min_u64(datum->offset, line_size),
	};
}

static struct view *view_of_line(const struct c2c_line *line, uint64_t line_size,
				 struct arena *arena)
{
	struct type *type = arena_alloc(arena, sizeof *type);
	struct view *view = arena_alloc(arena, sizeof *view);

	*type = (struct type){.kind = TYPE_STRUCT, .has_size = true, .bits = line_size * 8};
	view->rows = arena_array(arena, line->ndata, sizeof *view->rows);
	view->nrows = line->ndata;
	view->geometry.type = type;
	view->geometry.line = line_size;
	for (size_t i = 0; i < line->ndata; i++) {
		view->rows[i] = row_of(&line->data[i], line_size);
		add_heat(line, &line->data[i], arena, &view->rows[i]);
	}
	return view;
}

void c2c_draw(const struct c2c_line *line, uint64_t line_size, struct view *view,
	      struct arena *arena, struct c2c_drawing *ret)
{
	int64_t offset = view ? offset_in_type(line) : 0;

	*ret = (struct c2c_drawing){.has_type = view, .view = view};
	for (size_t i = 0; view && i < line->ndata; i++) {
		const struct c2c_datum *datum = &line->data[i];

		heat_rows(line, datum, datum->def == view->def && datum->member, offset, arena,
			  view);
	}
	if (!view)
		ret->view = view_of_line(line, line_size, arena);
	map_around(ret->view, offset, arena, &ret->map);
	ret->map.has_line &= ret->has_type;
}
