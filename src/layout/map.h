/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map: a view as memory, a row a cache line, what lies there as boxes to scale. Where members lie
 * over each other (unions, struct_group), a line has several lanes: each alternative of a union has
 * lanes of its own, the same on every line. Lines that one and the same members cover from end to
 * end are told once.
 */
#ifndef LAYOUT_MAP_H
#define LAYOUT_MAP_H

#include "layout/view.h"

/* Lanes that a line has at most: what lies over even more is counted, and not drawn. */
enum { MOST_LANES = 16, MAP_WIDTH = 64 };

/* A member or a gap, or as much of it as lies on this line. */
struct map_box {
	size_t row;      /* of the view */
	uint64_t before; /* bits that are free before it in its lane */
	uint64_t bits;
	bool is_rest, goes_on; /* it begins on an earlier line; it ends on a later one */
};

struct map_lane {
	const struct map_box *boxes; /* in order of offset, none over another */
	size_t n;
};

struct map_line {
	int64_t offset; /* bytes from the start of the type */
	uint64_t line;  /* number, counted from the start of the type */
	uint64_t same;  /* lines that look as this one does, itself included */
	bool is_hot;    /* the one that map_around() was asked for */
	const struct map_lane *lanes;
	size_t nlanes;
};

struct map {
	uint64_t width; /* bytes a line; MAP_WIDTH where the size of a line is not known */
	bool has_line;  /* it is known, and the type begins on a line */
	struct map_line *lines;
	size_t nlines;
	size_t hidden; /* members that found no lane */
};

/* Everything in @arena. Rows without extent (flexible arrays, markers, what is placed at run time)
 * have no box. */
void map_of(const struct view *view, struct arena *arena, struct map *ret);

/*
 * Of an object in memory, which need not begin on a line: the line whose first byte is @offset
 * bytes from the start of the object, perhaps before it, and those before and behind. No two are
 * told as one.
 */
void map_around(const struct view *view, int64_t offset, struct arena *arena, struct map *ret);

#endif
