/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds about members on lines: starts_line, together, no_straddle. Each is judged at every base
 * that the allocator allows (rule/line.h), and holds when it holds at all of them.
 *
 * Margins, at the worst base, in bytes that can be added without breaking the rule:
 *	starts_line	before the member: the hole there
 *	together	before the last of the members: the hole there, and as far as it can move
 *	no_straddle	before the member: the same
 * Members move in steps of their alignment. There is no margin where that, or an explicit
 * alignment, keeps the rule whatever is added.
 */
#include <inttypes.h>
#include <string.h>

#include "rule/align.h"
#include "rule/cause.h"
#include "rule/judge.h"
#include "rule/kinds.h"
#include "rule/line.h"
#include "rule/room.h"

/* ---- starts_line ----------------------------------------------------------------------------- */

static bool starts_line(const struct judge *judge, const struct span *span, uint64_t base)
{
	uint64_t granule = judge->granule;

	return span->bit_offset % 8 == 0 && (span->bit_offset / 8 % granule + base) % granule == 0;
}

static void judge_starts_line(struct judge *judge)
{
	struct order order = order_of_sides(judge->sides, judge->nsides, judge->arena);
	const struct span *first = order.items[0].span;
	struct fields fields = fields_of_sides(judge);
	struct bases bases = judge_bases(judge);
	struct breaks breaks = {.bases = &bases};
	uint64_t byte = first->bit_offset / 8 % judge->granule;
	const char *at = span_at(first, judge->arena), *word = line_word(judge);

	for (uint64_t i = 0; i < bases.n; i++)
		if (!starts_line(judge, first, i * bases.step))
			breaks_add(&breaks, i * bases.step);
	judge->verdict.has_cacheline = true;
	judge->verdict.cacheline = first->bit_offset / 8 / judge->granule;
	judge_number(judge, byte, "0");
	if (breaks.n && !breaks.shown[0])
		judge_broken(judge, "%s is at byte %" PRIu64 " of %s %" PRIu64 ", not at its start",
			     at, byte, word, judge->verdict.cacheline);
	else
		judge_at_bases(judge, &breaks,
			       arena_printf(judge->arena, "%s starts a %s", at, word),
			       arena_printf(judge->arena, "%s does not start a %s", at, word));
	if (!is_pinned(judge, first))
		judge_margin(judge, hole_before(&fields, first));
	if (breaks.n)
		judge->verdict.cause = breaks.shown[0] ? cause_of_bases(judge, &bases)
						       : cause_before(judge, &fields, first);
}

const struct kind kind_starts_line = {
	.name = "starts_line",
	.arg = ARG_ITEM,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_starts_line,
	.help = "the member, or a group's first byte, begins a line",
};

/* ---- together -------------------------------------------------------------------------------- */

/* Distinct lines of the parts, which are in order of offset; UINT64_MAX with a flexible array. */
static uint64_t count_lines(const struct judge *judge, const struct order *order, uint64_t base)
{
	uint64_t n = 0, next = 0; /* lines before `next` are counted, or not touched */

	for (size_t i = 0; i < order->n; i++) {
		struct line_span lines;

		if (!lines_of_span(judge, order->items[i].span, base, &lines))
			continue;
		if (lines.last == UINT64_MAX)
			return UINT64_MAX;
		if (lines.first < next)
			lines.first = next;
		if (lines.last >= lines.first) {
			n += lines.last - lines.first + 1;
			next = lines.last + 1;
		}
	}
	return n;
}

/* The parts but the one that ends last, and room for that. */
struct others {
	struct order order, scratch;
	uint64_t end; /* of the last of them, in bytes */
};

static const struct span *take_last(const struct judge *judge, const struct order *order,
				    struct others *ret)
{
	size_t last = 0;

	*ret = (struct others){0};
	ret->order.items = arena_array(judge->arena, order->n, sizeof *order->items);
	ret->scratch.items = arena_array(judge->arena, order->n, sizeof *order->items);
	for (size_t i = 1; i < order->n; i++)
		if (span_end(order->items[i].span) > span_end(order->items[last].span))
			last = i;
	for (size_t i = 0; i < order->n; i++) {
		if (i == last)
			continue;
		ret->order.items[ret->order.n++] = order->items[i];
		if (span_end(order->items[i].span) / 8 > ret->end)
			ret->end = span_end(order->items[i].span) / 8;
	}
	return order->items[last].span;
}

static bool keeps_together(const struct judge *judge, const struct span *moved, uint64_t base,
			   void *context)
{
	struct others *others = context;
	struct order *scratch = &others->scratch;

	scratch->n = others->order.n;
	memcpy(scratch->items, others->order.items, scratch->n * sizeof *scratch->items);
	scratch->items[scratch->n++] = (struct placed){moved, 0};
	order_sort(scratch);
	return count_lines(judge, scratch, base) <= judge->rule->params[0];
}

/* Moved so far that it shares no line with the others, the last member will touch no more. */
static void margin_of_together(struct judge *judge, const struct order *order,
			       const struct bases *bases)
{
	struct others others;
	const struct span *last = take_last(judge, order, &others);
	struct fields fields = fields_of_sides(judge);
	uint64_t most = 2 * judge->granule, start = last->bit_offset / 8, margin;

	if (last->is_flexible)
		return;
	if (others.end > start)
		most += others.end - start;
	if (room_until(judge, &fields, last, bases, most, keeps_together, &others, &margin))
		judge_margin(judge, margin);
}

/* The first part that begins on none of the lines that those before it touch. */
static const struct span *first_on_new_line(const struct judge *judge, const struct order *order)
{
	uint64_t most = judge->rule->params[0], n = 0, next = 0;

	for (size_t i = 0; i < order->n; i++) {
		struct line_span lines;

		if (!lines_of_span(judge, order->items[i].span, 0, &lines) || lines.last < next)
			continue;
		n += lines.last - (lines.first < next ? next : lines.first) + 1;
		next = lines.last + 1;
		if (n > most || lines.last == UINT64_MAX)
			return order->items[i].span;
	}
	return order->items[order->n - 1].span;
}

static const char *cause_of_together(const struct judge *judge, const struct order *order)
{
	const struct span *span = first_on_new_line(judge, order);
	struct fields fields = fields_of_sides(judge);
	uint64_t line = span->bit_offset / 8 / judge->granule;
	const struct field *before;
	const char *opened;

	if (span->is_flexible)
		return arena_printf(judge->arena, "%s is a flexible array, which has no end",
				    span_at(span, judge->arena));
	opened = cause_opened(judge, &fields, line);
	if (!opened || !line)
		return cause_before(judge, &fields, span);
	/* It opened the line itself. */
	before = field_before(&fields, span->bit_offset);
	if (!before || span_end(&before->span) <= line * judge->granule * 8)
		return opened;
	return arena_printf(judge->arena, "%s is on %s %" PRIu64 "; %s",
			    span_full(span, judge->arena), line_word(judge), line, opened);
}

static void judge_together(struct judge *judge)
{
	struct order order = order_of_sides(judge->sides, judge->nsides, judge->arena);
	struct bases bases = judge_bases(judge);
	struct breaks breaks = {.bases = &bases};
	uint64_t most = judge->rule->params[0], worst = 0;
	const char *touched, *word = line_word(judge), *name = side_name(judge, &judge->sides[0]);
	struct spot *spots;

	for (uint64_t i = 0; i < bases.n; i++) {
		uint64_t n = count_lines(judge, &order, i * bases.step);

		if (n > worst)
			worst = n;
		if (n > most)
			breaks_add(&breaks, i * bases.step);
	}
	if (worst == UINT64_MAX)
		touched = arena_printf(judge->arena, "%s touch %ss without end", name, word);
	else
		touched = arena_printf(judge->arena, "%s touch %" PRIu64 " %s%s", name, worst, word,
				       worst == 1 ? "" : "s");
	if (worst != UINT64_MAX)
		judge_number(judge, worst, NULL);
	judge->verdict.wanted = arena_printf(judge->arena, "<= %" PRIu64, most);
	judge_at_bases(judge, &breaks, touched,
		       arena_printf(judge->arena, "%s, wanted %s", touched, judge->verdict.wanted));
	if (!breaks.n) {
		margin_of_together(judge, &order, &bases);
		return;
	}
	judge->verdict.cause =
		breaks.shown[0] ? cause_of_bases(judge, &bases) : cause_of_together(judge, &order);
	spots = judge_spots(judge, order.n);
	for (size_t i = 0; i < order.n; i++)
		spots[i] = spot_of_span(order.items[i].span);
}

static const struct kind_param together_params[] = {
	{.name = "lines", .fallback = 1, .least = 1, .help = "lines that the members may touch"},
	{.name = NULL},
};

const struct kind kind_together = {
	.name = "together",
	.arg = ARG_ITEM,
	.fewest = 2,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.params = together_params,
	.judge = judge_together,
	.help = "the members touch at most N lines",
};

/* ---- no_straddle ----------------------------------------------------------------------------- */

static uint64_t lines_needed(const struct judge *judge, const struct span *span)
{
	uint64_t bytes = span->bit_size / 8 + (span->bit_size % 8 != 0);

	return bytes / judge->granule + (bytes % judge->granule != 0);
}

static uint64_t lines_taken(const struct judge *judge, const struct span *span, uint64_t base)
{
	struct line_span lines;

	return lines_of_span(judge, span, base, &lines) ? lines.last - lines.first + 1 : 0;
}

static bool keeps_whole(const struct judge *judge, const struct span *moved, uint64_t base,
			void *context)
{
	(void)context;
	return lines_taken(judge, moved, base) <= lines_needed(judge, moved);
}

static void judge_straddle(struct judge *judge, const struct bases *bases)
{
	const struct span *span = &judge->part->span;
	const struct side side = {.parts = (struct part *)judge->part, .n = 1};
	struct fields fields = fields_around(judge->geometry, &side, 1, judge->arena);
	struct breaks breaks = {.bases = bases};
	uint64_t needed = lines_needed(judge, span), most = 0, margin;
	const char *name = span_full(span, judge->arena), *word = line_word(judge);

	for (uint64_t i = 0; i < bases->n; i++) {
		uint64_t taken = lines_taken(judge, span, i * bases->step);

		if (taken > needed)
			breaks_add(&breaks, i * bases->step);
		if (taken > most)
			most = taken;
	}
	judge_number(judge, most, arena_printf(judge->arena, "%" PRIu64, needed));
	judge_at_bases(
		judge, &breaks,
		arena_printf(judge->arena, "%s touches no more %ss than it needs", name, word),
		arena_printf(judge->arena, "%s touches %" PRIu64 " %ss, and fits %" PRIu64, name,
			     most, word, needed));
	if (breaks.n)
		judge->verdict.cause = breaks.shown[0] ? cause_of_bases(judge, bases)
						       : cause_before(judge, &fields, span);
	else if (room_until(judge, &fields, span, bases, 2 * judge->granule, keeps_whole, NULL,
			    &margin))
		judge_margin(judge, margin);
}

static void judge_no_straddle(struct judge *judge)
{
	struct bases bases;

	if (judge->part->span.is_flexible) {
		judge_not_applicable(judge, "%s is a flexible array, which has no size",
				     judge->part->span.path);
		return;
	}
	bases = judge_bases(judge);
	judge_straddle(judge, &bases);
}

const struct kind kind_no_straddle = {
	.name = "no_straddle",
	.arg = ARG_ITEM,
	.each = true,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_no_straddle,
	.help = "the member touches no more lines than its size needs",
};
