/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/variable.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/math.h"

/* ---- places ---------------------------------------------------------------------------------- */

struct places places_of(const struct judge *judge, const struct data_section *section)
{
	enum { MOST_BASES = 1 << 16 }; /* a granule that no machine has */
	struct places places = {.step = judge->granule, .n = 1};

	if (!judge->layout->data->is_object)
		return places;
	places.section = section;
	places.step = min_u64(section->align, judge->granule);
	places.n = judge->granule / places.step;
	if (places.n > MOST_BASES)
		places.n = 0;
	return places;
}

bool lines_of_extent(const struct judge *judge, const struct extent *extent, uint64_t base,
		     struct line_span *ret)
{
	if (!extent->size)
		return false;
	ret->first = add_capped(extent->start, base) / judge->granule;
	ret->last = (add_capped(extent_end(extent), base) - 1) / judge->granule;
	return true;
}

void judge_fate(struct judge *judge, const struct places *places, const struct fate *fate,
		const char *holds, const char *broken)
{
	const struct data_section *section = places->section;

	if (places->n && fate->broken == places->n)
		judge_broken(judge, "%s", broken);
	else if (places->n && !fate->broken && !fate->open)
		judge_holds(judge, "%s", holds);
	else if (places->n == 1)
		judge_unknown(judge,
			      "what the linker puts beside %s, whose bytes do not fill the %s, is "
			      "not known",
			      section->name, line_word(judge));
	else
		judge_unknown(judge,
			      "where in a %s %s will begin is not known: it is aligned to %" PRIu64
			      " byte%s",
			      line_word(judge), section->name, section->align,
			      section->align == 1 ? "" : "s");
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int compare_placed(const void *left, const void *right)
{
	const struct placed_variable *a = left, *b = right;
	int order = compare_u64(a->extent->section->space, b->extent->section->space);

	if (!order)
		order = compare_u64(a->extent->start, b->extent->start);
	if (!order)
		order = compare_u64(a->side, b->side);
	return order;
}

struct variable_order order_of_variables(const struct judge *judge)
{
	struct variable_order order = {0};
	size_t most = 0;

	for (size_t i = 0; i < judge->nvariables; i++)
		most += judge->variables[i].n;
	order.items = arena_array(judge->arena, most, sizeof *order.items);
	for (size_t i = 0; i < judge->nvariables; i++)
		for (size_t p = 0; p < judge->variables[i].n; p++) {
			order.items[order.n].extent = &judge->variables[i].parts[p].extent;
			order.items[order.n++].side = i;
		}
	if (order.n)
		qsort(order.items, order.n, sizeof *order.items, compare_placed);
	return order;
}

const struct data_section *common_section(const struct judge *judge)
{
	const struct data_section *section = judge->variables[0].parts[0].extent.section;

	for (size_t i = 0; judge->layout->data->is_object && i < judge->nvariables; i++)
		for (size_t p = 0; p < judge->variables[i].n; p++)
			if (judge->variables[i].parts[p].extent.section != section)
				return NULL;
	return section;
}

void judge_unplaced(struct judge *judge)
{
	judge_unknown(judge, "they are in several sections, which the linker has yet to place");
}

const char *variable_side_name(const struct judge *judge, const struct variable_side *side)
{
	if (!side->label)
		return "the variables";
	if (side->n == 1)
		return side->parts[0].extent.name;
	return arena_printf(judge->arena, "the variables of %s", side->label);
}
