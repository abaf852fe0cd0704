/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/map.h"

#include <stdlib.h>

#include "base/math.h"

/* A row's bits. */
struct extent {
	size_t row;
	uint64_t start, end;
	unsigned lane;
};

struct mapping {
	const struct view *view;
	struct arena *arena;
	uint64_t width; /* bits a line */
	uint64_t shift; /* bits of the first line before the type begins */
	bool is_around; /* only the lines around `hot` are drawn */
	uint64_t hot;
	struct extent *extents;
	size_t n, cap;
	struct map *map;
};

/* ---- lanes ----------------------------------------------------------------------------------- */

static const uint64_t MOST_BYTES = UINT64_C(1) << 56;

static bool extent_of(const struct view_row *row, struct extent *ret)
{
	bool in_bits = row->is_bitfield || (row->kind == VIEW_GAP && (row->gap == GAP_BIT_HOLE ||
								      row->gap == GAP_BIT_PADDING));
	uint64_t size = in_bits ? row->bit_size : row->size;

	/* Nothing is so large but by mistake. */
	if (row->is_dynamic || !size || size > MOST_BYTES || row->offset > MOST_BYTES)
		return false;
	ret->start = row->offset * 8 + (in_bits ? row->bit_offset : 0);
	ret->end = ret->start + (in_bits ? size : size * 8);
	return true;
}

static void add_extent(struct mapping *m, size_t row, unsigned lane)
{
	struct extent extent = {.row = row, .lane = lane};

	if (!extent_of(&m->view->rows[row], &extent))
		return;
	extent.start += m->shift;
	extent.end += m->shift;
	ARRAY_GROW(m->extents, m->n, m->cap);
	m->extents[m->n++] = extent;
}

/*
 * Gives lanes from @base on to the rows up to the VIEW_CLOSE that belongs to them; returns how many
 * they take. Views nest DEEPEST_NESTING deep at most.
 */
static unsigned assign_lanes(struct mapping *m, size_t *next, bool is_union, unsigned base)
{
	unsigned height = 0;

	while (*next < m->view->nrows) {
		size_t at = (*next)++;
		const struct view_row *row = &m->view->rows[at];
		unsigned lane = is_union && row->kind != VIEW_GAP ? base + height : base;
		unsigned own = 0;

		if (row->inside) /* its member has the box */
			continue;
		if (row->kind == VIEW_CLOSE)
			break;
		if (lane > MOST_LANES)
			lane = MOST_LANES;
		if (row->kind == VIEW_OPEN) {
			own = assign_lanes(m, next, row->is_union, lane);
		} else if (row->kind == VIEW_MEMBER || row->kind == VIEW_GAP) {
			add_extent(m, at, lane);
			own = 1;
		}
		own += lane - base;
		if (own > height)
			height = own;
	}
	return height;
}

static int compare_extents(const void *left, const void *right)
{
	const struct extent *a = left, *b = right;

	return a->start != b->start ? compare_u64(a->start, b->start) : compare_u64(a->row, b->row);
}

/* No two may lie over each other in one lane, whatever the image says of them: the later one takes
 * the next lane that is free, or is hidden. */
static void clear_lanes(struct mapping *m)
{
	uint64_t ends[MOST_LANES] = {0};
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct extent *extent = &m->extents[i];

		while (extent->lane < MOST_LANES && ends[extent->lane] > extent->start)
			extent->lane++;
		if (extent->lane >= MOST_LANES) {
			m->map->hidden++;
			continue;
		}
		ends[extent->lane] = extent->end;
		m->extents[n++] = *extent;
	}
	m->n = n;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int compare_numbers(const void *left, const void *right)
{
	return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* The lines at which a picture begins that the line before did not have: where extents begin and
 * end, and behind. */
static uint64_t *find_stops(const struct mapping *m, size_t *ret_n)
{
	enum { AROUND = 4 };
	uint64_t *stops = xcalloc(m->n * 4 + AROUND, sizeof *stops);
	size_t n = 0, kept = 0;

	for (uint64_t i = 0; m->is_around && i < AROUND; i++)
		if (m->hot + i)
			stops[n++] = m->hot + i - 1;

	for (size_t i = 0; i < m->n; i++) {
		uint64_t first = m->extents[i].start / m->width;
		uint64_t last = (m->extents[i].end - 1) / m->width;

		stops[n++] = first;
		stops[n++] = first + 1;
		stops[n++] = last;
		stops[n++] = last + 1;
	}
	qsort(stops, n, sizeof *stops, compare_numbers);
	for (size_t i = 0; i < n; i++)
		if (!kept || stops[i] != stops[kept - 1])
			stops[kept++] = stops[i];
	*ret_n = kept;
	return stops;
}

static int compare_lanes(const void *left, const void *right)
{
	const struct extent *a = left, *b = right;

	return a->lane != b->lane ? compare_u64(a->lane, b->lane) : compare_extents(a, b);
}

/* One lane of a line: the @n extents that lie there, in order. */
static void draw_lane(const struct mapping *m, const struct extent *extents, size_t n,
		      uint64_t start, struct map_lane *ret)
{
	struct map_box *boxes = arena_array(m->arena, n, sizeof *boxes);
	uint64_t at = start, end = start + m->width;

	for (size_t i = 0; i < n; i++) {
		uint64_t from = extents[i].start > start ? extents[i].start : start;
		uint64_t to = extents[i].end < end ? extents[i].end : end;

		boxes[i] = (struct map_box){
			.row = extents[i].row,
			.before = from - at,
			.bits = to - from,
			.is_rest = extents[i].start<start, .goes_on = extents[i].end> end,
		};
		at = to;
	}
	*ret = (struct map_lane){boxes, n};
}

static void draw_line(const struct mapping *m, struct extent *extents, size_t n, uint64_t line,
		      uint64_t same)
{
	struct map_line *ret = &m->map->lines[m->map->nlines++];
	struct map_lane *lanes = arena_array(m->arena, MOST_LANES, sizeof *lanes);

	*ret = (struct map_line){.offset =
					 (int64_t)(line * (m->width / 8)) - (int64_t)(m->shift / 8),
				 .line = line,
				 .same = same,
				 .is_hot = m->is_around && line == m->hot,
				 .lanes = lanes};
	qsort(extents, n, sizeof *extents, compare_lanes);
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i; k < n && extents[k].lane == extents[i].lane; k++)
			;
		draw_lane(m, extents + i, k - i, line * m->width, &lanes[ret->nlanes++]);
	}
}

static bool is_drawn(const struct mapping *m, uint64_t line)
{
	return !m->is_around || (line + 1 >= m->hot && line <= m->hot + 1);
}

/* Sweeps over the stops: of the extents, those that touch the line. */
static void draw_lines(struct mapping *m)
{
	size_t nstops, next = 0, n = 0;
	uint64_t *stops = find_stops(m, &nstops);
	struct extent *on = xcalloc(m->n, sizeof *on);

	m->map->lines = arena_array(m->arena, nstops, sizeof *m->map->lines);
	for (size_t i = 0; i + 1 < nstops; i++) {
		uint64_t line = stops[i];
		size_t kept = 0;

		for (size_t k = 0; k < n; k++)
			if ((on[k].end - 1) / m->width >= line)
				on[kept++] = on[k];
		n = kept;
		while (next < m->n && m->extents[next].start / m->width <= line)
			on[n++] = m->extents[next++];
		if (n && is_drawn(m, line))
			draw_line(m, on, n, line, stops[i + 1] - line);
	}
	free(on);
	free(stops);
}

static void draw(struct mapping *m)
{
	size_t next = 0;

	assign_lanes(m, &next, m->view->geometry.type->kind == TYPE_UNION, 0);
	if (m->n) {
		qsort(m->extents, m->n, sizeof *m->extents, compare_extents);
		clear_lanes(m);
	}
	if (m->n)
		draw_lines(m);
	free(m->extents);
}

void map_of(const struct view *view, struct arena *arena, struct map *ret)
{
	uint64_t line = view->geometry.line;
	struct mapping m = {.view = view, .arena = arena, .map = ret};

	*ret = (struct map){.width = line ? line : MAP_WIDTH, .has_line = line != 0};
	m.width = ret->width * 8;
	draw(&m);
}

void map_around(const struct view *view, int64_t offset, struct arena *arena, struct map *ret)
{
	int64_t width = (int64_t)(view->geometry.line ? view->geometry.line : MAP_WIDTH);
	struct mapping m = {.view = view, .arena = arena, .map = ret, .is_around = true};
	int64_t shift = (width - offset % width) % width;

	*ret = (struct map){.width = (uint64_t)width, .has_line = view->geometry.line && !shift};
	if (offset <= -width || offset > (int64_t)MOST_BYTES)
		return;
	m.width = ret->width * 8;
	m.shift = (uint64_t)shift * 8;
	m.hot = (uint64_t)((offset + shift) / width);
	draw(&m);
}
