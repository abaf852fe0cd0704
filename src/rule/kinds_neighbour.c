/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds about the variables that share a line: apart, alone. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/math.h"
#include "rule/kinds.h"
#include "rule/variable.h"

/* ---- apart ----------------------------------------------------------------------------------- */

/* Two of different sides that are on one line. */
struct pair {
	const struct extent *earlier, *later;
};

static bool find_pair(const struct judge *judge, const struct variable_order *order, uint64_t base,
		      struct pair *ret)
{
	for (size_t i = 0; i < order->n; i++) {
		const struct extent *earlier = order->items[i].extent;
		struct line_span a, b;

		if (!lines_of_extent(judge, earlier, base, &a))
			continue;
		for (size_t k = i + 1; k < order->n; k++) {
			const struct extent *later = order->items[k].extent;

			if (later->section->space != earlier->section->space ||
			    !lines_of_extent(judge, later, base, &b) || b.first > a.last)
				break;
			if (order->items[k].side == order->items[i].side)
				continue;
			*ret = (struct pair){earlier, later};
			return true;
		}
	}
	return false;
}

/* In an object file: the linker could bring the end of one section to the start of another. */
static bool could_touch(const struct judge *judge, const struct variable_order *order)
{
	for (size_t i = 0; i < order->n; i++)
		if (order->items[i].extent->section->align < judge->granule)
			return true;
	return false;
}

static const char *pair_text(const struct judge *judge, const struct pair *pair)
{
	if (pair->earlier->start == pair->later->start)
		return arena_printf(judge->arena, "%s and %s are one variable", pair->earlier->name,
				    pair->later->name);
	return arena_printf(judge->arena, "%s follows %s at +%" PRIu64 " on its %s",
			    pair->later->name, pair->earlier->name,
			    pair->later->start - pair->earlier->start, line_word(judge));
}

static void judge_apart(struct judge *judge)
{
	struct variable_order order = order_of_variables(judge);
	const struct data_section *section = common_section(judge);
	const char *holds = arena_printf(judge->arena, "no %s holds two of the %zu",
					 line_word(judge), judge->nvariables);
	struct pair pair = {0};
	struct places places;
	struct fate fate = {0};

	if (!section && could_touch(judge, &order)) {
		judge_unplaced(judge);
		return;
	}
	places = places_of(judge, section ? section : order.items[0].extent->section);
	for (uint64_t i = 0; i < places.n; i++)
		fate.broken += find_pair(judge, &order, i * places.step, &pair);
	judge_fate(judge, &places, &fate, holds, fate.broken ? pair_text(judge, &pair) : NULL);
}

const struct kind kind_variable_apart = {
	.name = "apart",
	.arg = ARG_ITEMS,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_apart,
	.help = "no line holds two of the variables, or of the groups",
};

/* ---- alone ----------------------------------------------------------------------------------- */

/* Who is on the lines of a part. */
struct neighbours {
	struct neighbour {
		const struct extent *part;
		struct extent other;
	} * items;
	size_t n, cap;
	bool open; /* the line reaches over the section's end, in an object file */
};

static bool overlap(const struct extent *a, const struct extent *b)
{
	return a->section->space == b->section->space && a->start < extent_end(b) &&
	       b->start < extent_end(a);
}

static bool is_mine(const struct variable_side *side, const struct extent *extent)
{
	for (size_t i = 0; i < side->n; i++)
		if (overlap(&side->parts[i].extent, extent))
			return true;
	return false;
}

static bool is_known(const struct neighbours *list, const struct extent *extent)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].other.start == extent->start)
			return true;
	return false;
}

static void add_neighbours(const struct judge *judge, const struct extent *part, uint64_t base,
			   struct neighbours *ret)
{
	const struct data_table *data = judge->layout->data;
	struct line_span lines;
	struct extents extents;
	uint64_t start, end;

	if (!lines_of_extent(judge, part, base, &lines))
		return;
	start = lines.first * judge->granule;
	end = multiply_capped(lines.last + 1, judge->granule) - base;
	ret->open |= data->is_object && (start < base || end > part->section->size);
	start -= min_u64(start, base);
	extents = data_between(data, part->section->space, start, end, judge->arena);
	for (size_t i = 0; i < extents.n; i++) {
		const struct extent *other = &extents.items[i];

		if (is_mine(&judge->variables[0], other) || is_known(ret, other))
			continue;
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n++] = (struct neighbour){part, *other};
	}
}

static void find_neighbours(const struct judge *judge, uint64_t base, struct neighbours *ret)
{
	const struct variable_side *side = &judge->variables[0];

	ret->n = 0;
	ret->open = false;
	for (size_t i = 0; i < side->n; i++)
		add_neighbours(judge, &side->parts[i].extent, base, ret);
}

/* "+40", "-8" */
static const char *distance(const struct neighbour *neighbour, struct arena *arena)
{
	uint64_t part = neighbour->part->start, other = neighbour->other.start;

	return other < part ? arena_printf(arena, "-%" PRIu64, part - other)
			    : arena_printf(arena, "+%" PRIu64, other - part);
}

static const char *first_text(const struct judge *judge, const struct neighbour *neighbour)
{
	bool is_single = judge->variables[0].n == 1;

	return arena_printf(judge->arena, "%s %s%s%s at %s on its %s", neighbour->other.name,
			    neighbour->other.start < neighbour->part->start ? "stands before"
									    : "follows",
			    is_single ? "" : " ", is_single ? "" : neighbour->part->name,
			    distance(neighbour, judge->arena), line_word(judge));
}

/* "nr_memmap_pages at +48 and 2 others are on it, too" */
static const char *others_text(const struct judge *judge, const struct neighbours *list)
{
	enum { MOST_SHOWN = 4 };
	size_t shown = list->n - 1 > MOST_SHOWN ? MOST_SHOWN : list->n - 1;
	struct buf buf = BUF_INIT;
	const char *text;

	for (size_t i = 1; i <= shown; i++)
		buf_addf(&buf, "%s%s at %s",
			 i == 1                               ? ""
			 : i == shown && shown + 1 == list->n ? " and "
							      : ", ",
			 list->items[i].other.name, distance(&list->items[i], judge->arena));
	if (shown + 1 < list->n)
		buf_addf(&buf, " and %zu other%s", list->n - 1 - shown,
			 list->n - 1 - shown == 1 ? "" : "s");
	buf_addf(&buf, " %s there, too", list->n == 2 ? "is" : "are");
	text = arena_strdup(judge->arena, buf.s);
	buf_release(&buf);
	return text;
}

/* An alignment of the variable keeps others from its line only before it. */
static const char *trap_text(const struct judge *judge, const struct neighbours *list)
{
	const struct extent *part = &judge->variables[0].parts[0].extent;
	uint64_t rest = part->size % judge->granule;

	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].other.start < part->start)
			return NULL;
	if (judge->variables[0].n > 1 || part->start % judge->granule || !rest)
		return NULL;
	return arena_printf(judge->arena,
			    "%s starts a %s and fills %" PRIu64 " of its %" PRIu64
			    " bytes: an alignment keeps only the start",
			    part->name, line_word(judge), rest, judge->granule);
}

static void explain(struct judge *judge, const struct neighbours *list)
{
	const char *trap = trap_text(judge, list);
	const char *others = list->n > 1 ? others_text(judge, list) : NULL;

	judge_number(judge, list->n, "0");
	judge->verdict.cause = others && trap ? arena_printf(judge->arena, "%s; %s", others, trap)
			       : others       ? others
					      : trap;
}

/* "its lines", "the lines of the variables of counters" */
static const char *lines_text(const struct judge *judge)
{
	const struct variable_side *side = &judge->variables[0];

	if (side->n == 1)
		return arena_printf(judge->arena, "its %ss", line_word(judge));
	return arena_printf(judge->arena, "the %ss of %s", line_word(judge),
			    variable_side_name(judge, side));
}

static void judge_alone(struct judge *judge)
{
	const struct data_section *section = common_section(judge);
	const char *whose = lines_text(judge), *broken = NULL;
	struct neighbours list = {0};
	struct fate fate = {0};
	struct places places;

	if (!section) {
		judge_unplaced(judge);
		return;
	}
	places = places_of(judge, section);
	for (uint64_t i = 0; i < places.n; i++) {
		find_neighbours(judge, i * places.step, &list);
		fate.broken += list.n != 0;
		fate.open += !list.n && list.open;
		if (list.n && !broken) {
			broken = first_text(judge, &list.items[0]);
			explain(judge, &list);
		}
	}
	if (!fate.broken && judge->layout->data->is_partial)
		judge_unknown(judge, "local symbols are stripped: what else is on %s is not known",
			      whose);
	else
		judge_fate(judge, &places, &fate,
			   arena_printf(judge->arena, "nothing else is on %s", whose), broken);
	free(list.items);
}

const struct kind kind_variable_alone = {
	.name = "alone",
	.arg = ARG_ITEM,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_alone,
	.help = "nothing else is on the lines of the variables",
};
