/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hot line as something to draw: where all that was accessed lies in one object whose type is
 * known, the members of that type on the line and beside it, with what was seen of each; else the
 * line alone, with a box for each datum. Offsets and sizes are in BYTES.
 */
#ifndef C2C_DRAWING_H
#define C2C_DRAWING_H

#include "c2c/c2c.h"
#include "layout/map.h"

struct c2c_drawing {
	bool has_type;     /* else offsets are from the start of the line */
	struct view *view; /* rows on the line that were accessed have their heat */
	struct map map;    /* its line that is_hot is the one */
};

/* The type that c2c_draw() wants a view of; NULL: none, the line is drawn alone. */
const struct def *c2c_drawn_type(const struct c2c_line *line);

/*
 * @view: of c2c_drawn_type(), with lines of @line_size, for this line alone: its rows get their
 * heat; NULL when there is no such type. Everything in @arena, and what @line says is only pointed
 * to.
 */
void c2c_draw(const struct c2c_line *line, uint64_t line_size, struct view *view,
	      struct arena *arena, struct c2c_drawing *ret);

#endif
