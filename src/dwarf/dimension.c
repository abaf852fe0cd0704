/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many elements an array has. */
#include "dwarf/constants.h"
#include "dwarf/decode.h"
#include "dwarf/expr.h"

/*
 * An upper bound below the lower one is an array of nothing, which old compilers write as -1 in
 * four or eight bytes without a sign.
 */
static uint64_t count_up_to(const struct value *upper, uint64_t upper_bound, uint64_t lower_bound)
{
	bool minus_one = upper->kind == VALUE_UNSIGNED &&
			 (upper_bound == UINT32_MAX || upper_bound == UINT64_MAX);

	if (minus_one || (int64_t)upper_bound < (int64_t)lower_bound)
		return 0;
	return upper_bound - lower_bound + 1;
}

static struct dimension read_dimension(const struct reader *reader, const struct unit *unit,
				       const struct die *die)
{
	struct dimension ret = {false, 0};
	uint64_t lower = unit->lower_bound, upper;

	if (die_has(die, SLOT_COUNT)) {
		ret.has_count = value_number(reader, &die->v[SLOT_COUNT], &ret.count);
		return ret;
	}
	if (!die_has(die, SLOT_UPPER_BOUND) ||
	    !value_number(reader, &die->v[SLOT_UPPER_BOUND], &upper))
		return ret;
	if (die_has(die, SLOT_LOWER_BOUND) &&
	    !value_number(reader, &die->v[SLOT_LOWER_BOUND], &lower))
		return ret;
	ret.has_count = true;
	ret.count = count_up_to(&die->v[SLOT_UPPER_BOUND], upper, lower);
	return ret;
}

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
		add_dimension(d, read_dimension(&d->reader, place.unit, &die));
		if (!die_pass_children(&d->reader, place.unit, c, &die))
			return false;
	}
	if (d->ndimensions == first)
		add_dimension(d, (struct dimension){false, 0});
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
