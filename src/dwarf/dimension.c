/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many elements an array has. */
#include "dwarf/constants.h"
#include "dwarf/decode.h"
#include "dwarf/expr.h"

static void add_dimension(struct decoder *d, struct dimension dimension)
{
	ARRAY_GROW(d->dimensions, d->ndimensions, d->cap_dimensions);
	d->dimensions[d->ndimensions++] = dimension;
}

bool decode_dimensions(struct decoder *d, struct place place, const struct die *array,
		       struct cursor *c)
{
	size_t first = d->ndimensions;
	struct die die;

	while (array->abbrev->has_children) {
		if (!die_read(&d->reader, place.unit, c, &die))
			return false;
		if (!die.abbrev)
			break;
		add_dimension(d, dimension_of(&d->reader, place.unit, &die));
		if (!die_pass_children(&d->reader, place.unit, c, &die))
			return false;
	}
	if (d->ndimensions == first)
		add_dimension(d, (struct dimension){false, 0});
	return true;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

bool decode_descriptor(struct decoder *d, struct place place, const struct die *array,
		       struct cursor *c, uint64_t *ret)
{
	static const enum slot slots[] = {SLOT_LOWER_BOUND, SLOT_UPPER_BOUND, SLOT_COUNT,
					  SLOT_BYTE_STRIDE};
	struct die die;

	*ret = expr_reach(&d->reader, place.unit, &array->v[SLOT_DATA_LOCATION]);
	while (array->abbrev->has_children) {
		if (!die_read(&d->reader, place.unit, c, &die))
			return false;
		if (!die.abbrev)
			break;
		for (size_t i = 0; i < ARRAY_SIZE(slots); i++)
			if (die_has(&die, slots[i]))
				*ret = larger(*ret,
					      expr_reach(&d->reader, place.unit, &die.v[slots[i]]));
		if (!die_pass_children(&d->reader, place.unit, c, &die))
			return false;
	}
	return true;
}

uint64_t array_stride(const struct reader *reader, const struct die *die)
{
	uint64_t stride;

	if (die_has(die, SLOT_BIT_STRIDE) &&
	    value_number(reader, &die->v[SLOT_BIT_STRIDE], &stride))
		return stride;
	if (die_has(die, SLOT_BYTE_STRIDE) &&
	    value_number(reader, &die->v[SLOT_BYTE_STRIDE], &stride))
		return stride * 8;
	return 0;
}
