/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule that would forbid what a line suffers from, where no pack has one. */
#ifndef C2C_ADVICE_H
#define C2C_ADVICE_H

#include "c2c/c2c.h"

/* Two members of one definition, as paths that a pack takes: an element stands for its array. */
struct c2c_sides {
	const struct def *def;
	const char *written, *read;
	uint64_t written_offset, read_offset; /* bytes from the start of the type */
};

/* Of a pair; false: they are one member, or not both members of one object. */
bool advice_sides(const struct c2c_line *line, const struct c2c_pair *pair, struct arena *arena,
		  struct c2c_sides *ret);

/* Worth a rule: what the pair takes of the HITM of members that no other CPU stores to is at least
 * a twentieth of the line's. */
bool advice_is_due(const struct c2c_line *line, const struct c2c_pair *pair);

/* Fills line->advice, a whole pack in YAML, and line->advice_cost. */
void advice_give(const struct c2c_sides *sides, const struct c2c_pair *pair, uint64_t line_size,
		 struct arena *arena, struct c2c_line *line);

/* Fills line->remedy, and line->advice unless it is there, when the pair is of two variables;
 * false: it is not. */
bool advice_give_variables(const struct c2c_pair *pair, uint64_t line_size, bool is_kernel,
			   struct arena *arena, struct c2c_line *line);

#endif
