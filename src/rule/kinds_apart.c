/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds about what may not be on one line: apart, classes, alone. All are judged at every base that
 * the allocator allows (rule/line.h), and hold when they hold at all of them.
 *
 * Margin, at the worst base: the bytes that can be added before the earlier of two sides, into the
 * hole there and on the free bytes behind it, until the later one has come onto its last line.
 * Rounded down to steps of the earlier one's alignment. None where they are a line or more from
 * each other, or an alignment keeps them apart whatever is added.
 */
#include <inttypes.h>
#include <string.h>

#include "rule/align.h"
#include "rule/cause.h"
#include "rule/judge.h"
#include "rule/kinds.h"
#include "rule/line.h"
#include "rule/room.h"

/* ---- apart ----------------------------------------------------------------------------------- */

/* Two parts of different sides on one line; `earlier` begins first. */
struct meeting {
	struct placed earlier, later;
	uint64_t line; /* the last one of `earlier` that `later` is on */
};

/* How far the sides so far reach: the one that reaches furthest, and the furthest of the others. */
struct reach {
	const struct placed *placed;
	uint64_t last;
};

static void reach_add(struct reach reach[2], const struct placed *placed, uint64_t last)
{
	if (reach[0].placed && placed->side == reach[0].placed->side) {
		if (last >= reach[0].last)
			reach[0] = (struct reach){placed, last};
	} else if (!reach[0].placed || last >= reach[0].last) {
		reach[1] = reach[0];
		reach[0] = (struct reach){placed, last};
	} else if (!reach[1].placed || last >= reach[1].last) {
		reach[1] = (struct reach){placed, last};
	}
}

/* The one of the two that is of another side than @placed. */
static const struct reach *reach_other(const struct reach reach[2], const struct placed *placed)
{
	const struct reach *other = &reach[0];

	if (other->placed && other->placed->side == placed->side)
		other = &reach[1];
	return other->placed ? other : NULL;
}

/* The first meeting at @base. Parts begin on lines in their order, so only how far those before
 * reach counts. */
static bool find_meeting(const struct judge *judge, const struct order *order, uint64_t base,
			 struct meeting *ret)
{
	struct reach reach[2] = {0};

	for (size_t i = 0; i < order->n; i++) {
		const struct placed *placed = &order->items[i];
		const struct reach *other;
		struct line_span lines;

		if (!lines_of_span(judge, placed->span, base, &lines))
			continue;
		other = reach_other(reach, placed);
		if (other && other->last >= lines.first) {
			*ret = (struct meeting){*other->placed, *placed, lines.first};
			return true;
		}
		reach_add(reach, placed, lines.last);
	}
	return false;
}

/* Meetings at all bases; the one at the first base that has one is in @ret. */
static void find_meetings(const struct judge *judge, const struct order *order,
			  struct breaks *breaks, struct meeting *ret)
{
	for (uint64_t i = 0; i < breaks->bases->n; i++) {
		struct meeting meeting;

		if (!find_meeting(judge, order, i * breaks->bases->step, &meeting))
			continue;
		if (!breaks->n)
			*ret = meeting;
		breaks_add(breaks, i * breaks->bases->step);
	}
}

/* Where fields begin, in bits, that an alignment keeps at the start of a line. */
struct pins {
	uint64_t *items;
	size_t n;
};

static struct pins find_pins(const struct judge *judge, const struct fields *fields)
{
	struct pins pins = {arena_array(judge->arena, fields->n, sizeof *pins.items), 0};

	for (size_t i = 0; i < fields->n; i++)
		if (is_pinned(judge, &fields->items[i].span))
			pins.items[pins.n++] = fields->items[i].span.bit_offset;
	return pins;
}

static bool any_pin(const struct pins *pins, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < pins->n; i++)
		if (pins->items[i] >= start && pins->items[i] <= end)
			return true;
	return false;
}

/* Bytes between two parts that no field covers: they may take up what is added before. */
static uint64_t holes_between(const struct fields *fields, uint64_t start, uint64_t end)
{
	uint64_t holes = 0, covered_to = start;

	for (size_t i = 0; i < fields->n && fields->items[i].span.bit_offset <= end; i++) {
		const struct span *span = &fields->items[i].span;

		if (span->bit_offset > covered_to)
			holes += span->bit_offset - covered_to;
		if (span_end(span) > covered_to)
			covered_to = span_end(span);
	}
	return holes / 8;
}

/*
 * Two parts that are apart: can they meet when something is added before both? The earlier one's
 * last byte moves in steps of its alignment; the closest it comes to the start of a line is what
 * remains of it by that step, and from there the line must reach to the later one, which may stay
 * behind by the holes between them.
 */
static bool can_meet(const struct judge *judge, const struct fields *fields,
		     const struct span *earlier, const struct span *later, uint64_t base)
{
	uint64_t last = (span_end(earlier) - 1) / 8, step = align_step(earlier, judge->layout);
	uint64_t closest = judge->granule % step ? 0 : (last + base) % step;
	uint64_t apart = later->bit_offset / 8 - last;

	if (closest + apart < judge->granule)
		return true;
	return closest + apart - holes_between(fields, span_end(earlier), later->bit_offset) <
	       judge->granule;
}

static void margin_of_apart(struct judge *judge, const struct order *order,
			    const struct bases *bases)
{
	struct fields fields = fields_of_sides(judge);
	struct pins pins = find_pins(judge, &fields);
	struct reach reach[2] = {0};
	struct least least = {0};

	for (size_t i = 0; i < order->n; i++) {
		const struct placed *placed = &order->items[i];
		const struct reach *other = reach_other(reach, placed);
		const struct span *earlier = other ? other->placed->span : NULL;

		if (earlier && !is_pinned(judge, earlier) &&
		    !any_pin(&pins, span_end(earlier), placed->span->bit_offset))
			for (uint64_t base = 0; base < bases->n * bases->step; base += bases->step)
				if (can_meet(judge, &fields, earlier, placed->span, base))
					least_add(&least,
						  room_before(judge, &fields, earlier,
							      free_behind(judge, earlier, base)));
		reach_add(reach, placed, span_end(placed->span));
	}
	least_margin(judge, &least);
}

static const char *meeting_text(const struct judge *judge, const struct meeting *meeting,
				const struct breaks *breaks)
{
	const char *earlier = span_at(meeting->earlier.span, judge->arena);
	const char *later = span_at(meeting->later.span, judge->arena);

	/* A line has a number when the object begins on one. */
	if (breaks->shown[0])
		return arena_printf(judge->arena, "%s shares a %s with %s", earlier,
				    line_word(judge), later);
	return arena_printf(judge->arena, "%s shares %s %" PRIu64 " with %s", earlier,
			    line_word(judge), meeting->line, later);
}

static void judge_meeting(struct judge *judge, const struct meeting *meeting,
			  const struct breaks *breaks, const char *holds)
{
	struct fields fields = fields_of_sides(judge);
	struct spot *spots;

	judge_at_bases(judge, breaks, holds,
		       breaks->n ? meeting_text(judge, meeting, breaks) : NULL);
	if (!breaks->n)
		return;
	spots = judge_spots(judge, 2);
	spots[0] = spot_of_span(meeting->earlier.span);
	spots[1] = spot_of_span(meeting->later.span);
	judge->verdict.has_cacheline = !breaks->shown[0];
	judge->verdict.cacheline = meeting->line;
	judge->verdict.cause = breaks->shown[0] ? cause_of_bases(judge, breaks->bases)
						: cause_before(judge, &fields, meeting->later.span);
}

static void judge_apart(struct judge *judge)
{
	struct order order = order_of_sides(judge->sides, judge->nsides, judge->arena);
	struct bases bases = judge_bases(judge);
	struct breaks breaks = {.bases = &bases};
	struct meeting meeting = {0};

	find_meetings(judge, &order, &breaks, &meeting);
	if (!breaks.n)
		margin_of_apart(judge, &order, &bases);
	judge_meeting(judge, &meeting, &breaks,
		      arena_printf(judge->arena, "no %s holds something of two of the %zu items",
				   line_word(judge), judge->nsides));
}

const struct kind kind_apart = {
	.name = "apart",
	.arg = ARG_ITEMS,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_apart,
	.help = "no line holds something of two items",
};

/* ---- classes --------------------------------------------------------------------------------- */

/* The two classes that must not meet, at the start of @ret; false: one of them has no members. */
static bool pick_classes(const struct judge *judge, struct side ret[2])
{
	size_t n = 0;

	for (size_t i = 0; i < judge->nsides; i++)
		if (strcmp(judge->sides[i].label, "read_mostly") == 0 ||
		    strcmp(judge->sides[i].label, "written") == 0)
			ret[n++] = judge->sides[i];
	return n == 2;
}

/* The lines, from base 0, that hold something of both, as a note: a finding speaks of one. */
static void note_meetings(struct judge *judge, const struct order *order, uint64_t first)
{
	struct order rest = {order->items, 0};
	const char *text = NULL;
	uint64_t last = first;
	unsigned n = 0;

	for (size_t start = 0; start < order->n; start++) {
		struct meeting meeting;

		rest.items = order->items + start;
		rest.n = order->n - start;
		if (!find_meeting(judge, &rest, 0, &meeting))
			break;
		if (meeting.line <= last)
			continue;
		last = meeting.line;
		text = text ? arena_printf(judge->arena, "%s, %" PRIu64, text, last)
			    : arena_printf(judge->arena, "%" PRIu64, last);
		n++;
	}
	if (text)
		judge_note(judge, "they share %s%s %s, too", line_word(judge), n > 1 ? "s" : "",
			   text);
}

static void judge_classes(struct judge *judge)
{
	struct side sides[2];
	struct order order;
	struct bases bases;
	struct breaks breaks = {.bases = &bases};
	struct meeting meeting = {0};

	if (!pick_classes(judge, sides)) {
		judge_not_applicable(judge, "too few of its members are there to judge");
		return;
	}
	order = order_of_sides(sides, 2, judge->arena);
	bases = judge_bases(judge);
	find_meetings(judge, &order, &breaks, &meeting);
	if (!breaks.n)
		margin_of_apart(judge, &order, &bases);
	else if (!breaks.shown[0])
		note_meetings(judge, &order, meeting.line);
	judge_meeting(judge, &meeting, &breaks,
		      arena_printf(judge->arena,
				   "no %s holds both what is written and what is read mostly",
				   line_word(judge)));
}

const struct kind kind_classes = {
	.name = "classes",
	.arg = ARG_CLASSES,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_classes,
	.help = "nothing written is on a line with something read mostly",
};

/* ---- alone ----------------------------------------------------------------------------------- */

/* The members and, as a second side, everything else. */
static void alone_sides(const struct judge *judge, struct side ret[2])
{
	struct fields fields = fields_of_sides(judge);

	ret[0] = judge->sides[0];
	ret[1] = (struct side){.label = "others"};
	ret[1].parts = arena_array(judge->arena, fields.n, sizeof *ret[1].parts);
	for (size_t i = 0; i < fields.n; i++)
		if (!fields.items[i].mine)
			ret[1].parts[ret[1].n++].span = fields.items[i].span;
}

/*
 * Does the object before or behind come onto the lines of the members? Before: the first line, when
 * the object does not begin on one. Behind: the line on which the next object begins. A flexible
 * array ends where only the allocation does.
 */
static bool meets_neighbour(const struct judge *judge, const struct order *order, uint64_t base,
			    uint64_t stride)
{
	uint64_t granule = judge->granule, next = base + stride;

	for (size_t i = 0; i < order->n; i++) {
		struct line_span lines;

		if (order->items[i].side ||
		    !lines_of_span(judge, order->items[i].span, base, &lines))
			continue;
		if (base % granule && lines.first == 0)
			return true;
		if (next % granule && lines.first <= next / granule && lines.last >= next / granule)
			return true;
	}
	return false;
}

static bool is_endless(const struct side *side)
{
	for (size_t i = 0; i < side->n; i++)
		if (side->parts[i].span.is_flexible)
			return true;
	return false;
}

/* Nothing of the struct is on the lines of the members: what about its neighbours? */
static void judge_neighbours(struct judge *judge, const struct order *order,
			     const struct bases *bases)
{
	struct breaks breaks = {.bases = bases};
	const char *word = line_word(judge);
	uint64_t stride;

	if (!alloc_stride(&judge->block->alloc, judge->def->type->bits / 8, judge->target,
			  &stride)) {
		judge_unknown(judge,
			      "how far apart two objects are cannot be told for this kernel");
		return;
	}
	for (uint64_t i = 0; i < bases->n; i++)
		if (meets_neighbour(judge, order, i * bases->step, stride))
			breaks_add(&breaks, i * bases->step);
	if (!breaks.n && is_endless(&judge->sides[0])) {
		judge_unknown(judge, "a flexible array ends where its allocation does");
		return;
	}
	if (!breaks.n && judge->geometry->leaves.has_dynamic) {
		judge_unknown(judge, "what is placed at run time may lie on the %ss of %s", word,
			      side_name(judge, &judge->sides[0]));
		return;
	}
	judge_at_bases(
		judge, &breaks,
		arena_printf(judge->arena, "nothing else is on the %ss of %s", word,
			     side_name(judge, &judge->sides[0])),
		arena_printf(judge->arena,
			     "the next object comes onto a %s of %s: one begins every %" PRIu64
			     " bytes",
			     word, side_name(judge, &judge->sides[0]), stride));
	if (breaks.n)
		judge->verdict.cause = cause_tail(judge);
}

static void judge_alone(struct judge *judge)
{
	struct bases bases = judge_bases(judge);
	struct breaks breaks = {.bases = &bases};
	struct meeting meeting = {0};
	struct order order;
	struct side sides[2];

	alone_sides(judge, sides);
	order = order_of_sides(sides, 2, judge->arena);
	find_meetings(judge, &order, &breaks, &meeting);
	if (breaks.n) {
		judge_meeting(judge, &meeting, &breaks, NULL);
		return;
	}
	judge_neighbours(judge, &order, &bases);
	margin_of_apart(judge, &order, &bases);
}

const struct kind kind_alone = {
	.name = "alone",
	.arg = ARG_ITEM,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_alone,
	.help = "nothing else is on the member's lines",
};
