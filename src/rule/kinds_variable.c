/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds about variables and where they lie: size, starts_line, together, within. */
#include <inttypes.h>
#include <string.h>

#include "base/math.h"
#include "rule/kinds.h"
#include "rule/variable.h"

/* ---- size ------------------------------------------------------------------------------------ */

static void judge_size(struct judge *judge)
{
	uint64_t size = judge->variable->extent.size;

	judge_number(judge, size, judge->expr->text);
	judge_says(judge, expr_holds(judge->expr, size), "size is %" PRIu64 ", wanted %s", size,
		   expr_phrase(judge->expr, judge->arena));
}

const struct kind kind_variable_size = {
	.name = "size",
	.arg = ARG_MEMBER_EXPRS,
	.needs_bytes = true,
	.judge = judge_size,
	.help = "the variable's size satisfies the expression",
};

/* ---- starts_line ----------------------------------------------------------------------------- */

/* What ends last before the variable, on the same line. */
static const char *cause_before(const struct judge *judge, const struct extent *extent,
				uint64_t into)
{
	uint64_t start = extent->start - min_u64(into, extent->start);
	struct extents before = data_between(judge->layout->data, extent->section->space, start,
					     extent->start, judge->arena);
	const struct extent *last;

	if (!before.n)
		return NULL;
	last = &before.items[before.n - 1];
	return arena_printf(judge->arena, "%s (%" PRIu64 " bytes) stands before it at -%" PRIu64,
			    last->name, last->size, extent->start - last->start);
}

static void judge_starts_line(struct judge *judge)
{
	const struct extent *extent = &judge->variable->extent;
	struct places places = places_of(judge, extent->section);
	uint64_t into = extent->start % judge->granule;
	struct fate fate = {0};

	for (uint64_t i = 0; i < places.n; i++)
		fate.broken += (extent->start + i * places.step) % judge->granule != 0;
	/* Elsewhere than in a linked image it has more than one. */
	if (places.n == 1) {
		judge_number(judge, into, "0");
		judge->verdict.cause = cause_before(judge, extent, into);
	}
	judge_fate(judge, &places, &fate,
		   arena_printf(judge->arena, "starts a %s", line_word(judge)),
		   places.n == 1
			   ? arena_printf(judge->arena, "begins at byte %" PRIu64 " of a %s", into,
					  line_word(judge))
			   : arena_printf(judge->arena,
					  "begins at byte %" PRIu64
					  " of %s, and no %s does, wherever that is put",
					  extent->start, extent->section->name, line_word(judge)));
}

const struct kind kind_variable_starts_line = {
	.name = "starts_line",
	.arg = ARG_ITEM,
	.each = true,
	.uses_line = true,
	.uses_granule = true,
	.judge = judge_starts_line,
	.help = "the variable starts a line",
};

/* ---- together -------------------------------------------------------------------------------- */

/* Lines that something of the order is on. */
static uint64_t count_lines(const struct judge *judge, const struct variable_order *order,
			    uint64_t base)
{
	uint64_t n = 0, next = 0;

	for (size_t i = 0; i < order->n; i++) {
		const struct extent *extent = order->items[i].extent;
		struct line_span lines;

		if (i && order->items[i - 1].extent->section->space != extent->section->space)
			next = 0;
		if (!lines_of_extent(judge, extent, base, &lines) || lines.last < next)
			continue;
		n += lines.last - max_u64(lines.first, next) + 1;
		next = add_capped(lines.last, 1);
	}
	return n;
}

static void judge_together(struct judge *judge)
{
	struct variable_order order = order_of_variables(judge);
	const struct data_section *section = common_section(judge);
	uint64_t most = judge->rule->params[0], least = UINT64_MAX, worst = 0;
	const char *word = line_word(judge), *name;
	struct places places;
	struct fate fate = {0};

	if (!section) {
		judge_unplaced(judge);
		return;
	}
	places = places_of(judge, section);
	for (uint64_t i = 0; i < places.n; i++) {
		uint64_t n = count_lines(judge, &order, i * places.step);

		least = min_u64(least, n);
		worst = max_u64(worst, n);
		fate.broken += n > most;
	}
	judge_number(judge, worst, arena_printf(judge->arena, "<= %" PRIu64, most));
	name = variable_side_name(judge, &judge->variables[0]);
	judge_fate(judge, &places, &fate,
		   arena_printf(judge->arena, "%s touch %" PRIu64 " %s%s", name, worst, word,
				worst == 1 ? "" : "s"),
		   arena_printf(judge->arena, "%s touch %" PRIu64 " %ss, wanted <= %" PRIu64, name,
				least, word, most));
}

static const struct kind_param together_params[] = {
	{.name = "lines", .fallback = 1, .least = 1, .help = "lines that the variables may touch"},
	{.name = NULL},
};

const struct kind kind_variable_together = {
	.name = "together",
	.arg = ARG_ITEM,
	.fewest = 2,
	.needs_bytes = true,
	.uses_line = true,
	.uses_granule = true,
	.params = together_params,
	.judge = judge_together,
	.help = "the variables touch at most N lines",
};

/* ---- within ---------------------------------------------------------------------------------- */

static void judge_section(struct judge *judge, const char *wanted)
{
	const char *name = judge->variable->extent.section->name;

	judge->verdict.measured = name;
	judge->verdict.wanted = wanted;
	judge_says(judge, strcmp(name, wanted) == 0, "is in %s, wanted %s", name, wanted);
}

/* False, with a verdict, when the label is not there. */
static bool find_bound(struct judge *judge, const char *name, struct extent *ret)
{
	const char *why;

	switch (data_find(judge->layout->data, name, NULL, judge->arena, &why, ret)) {
	case DATA_FOUND:
		return true;
	case DATA_ABSENT:
		judge_missing(judge, "%s", why);
		break;
	case DATA_UNTOLD:
		judge_unknown(judge, "%s", why);
		break;
	}
	return false;
}

static void judge_between(struct judge *judge, const char *const pair[2])
{
	const struct extent *extent = &judge->variable->extent;
	struct extent from, to;
	const char *where;

	if (!find_bound(judge, pair[0], &from) || !find_bound(judge, pair[1], &to))
		return;
	judge->verdict.wanted = arena_printf(judge->arena, "%s to %s", pair[0], pair[1]);
	if (judge->layout->data->is_object &&
	    (from.section != extent->section || to.section != extent->section)) {
		judge_unplaced(judge);
		return;
	}
	where = from.section->space != extent->section->space ? "elsewhere than"
		: extent->start < from.start                  ? "before"
		: extent_end(extent) > to.start               ? "behind"
							      : "in";
	judge_says(judge, strcmp(where, "in") == 0, "is %s what %s and %s enclose", where, pair[0],
		   pair[1]);
}

static void judge_within(struct judge *judge)
{
	const char *section = judge->rule->param_words[0];

	if (section)
		judge_section(judge, section);
	else
		judge_between(judge, judge->rule->pair);
}

static const struct kind_param within_params[] = {
	{.name = "section", .type = PARAM_WORD, .help = "the section that it has to be in"},
	{.name = "between", .type = PARAM_PAIR, .help = "the symbols that it has to lie between"},
	{.name = NULL},
};

const struct kind kind_within = {
	.name = "within",
	.arg = ARG_ITEM,
	.each = true,
	.one_param = true,
	.params = within_params,
	.judge = judge_within,
	.help = "the variable is in a section, or between two symbols",
};
