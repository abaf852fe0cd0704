/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds about the groups that the kernel marks itself (layout/groups.h): group, max_ungrouped.
 *
 * Margin of `group`: the bytes that can be added at its end until it is larger than `bytes` allows,
 * or, where the object begins at one place of a line alone, on more lines than `lines` does.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/math.h"
#include "base/text.h"
#include "layout/groups.h"
#include "rule/cause.h"
#include "rule/judge.h"
#include "rule/kinds.h"
#include "rule/line.h"
#include "rule/room.h"

enum { BYTES, START, LINES, MEMBERS };

/* A group and where it lies. */
struct group_at {
	const struct marker_group *group;
	struct span span;
	uint64_t bytes, start; /* its size and offset */
	uint64_t free;
	struct bases bases;
	uint64_t touched, needed, first, last; /* lines; the first and the last from base 0 */
};

static void group_missing(struct judge *judge, const struct marker_groups *groups)
{
	const char *names[64], *nearest = NULL;
	size_t n = 0;

	for (; n < groups->n && n < ARRAY_SIZE(names); n++)
		names[n] = groups->items[n].name;
	if (n)
		nearest = text_nearest(judge->rule->word, names, n);
	if (judge->rule->optional)
		judge_not_applicable(judge, "%s has no marked group `%s`", judge->block->name,
				     judge->rule->word);
	else
		judge_missing(judge, "%s has no marked group `%s`%s%s%s", judge->block->name,
			      judge->rule->word, nearest ? "; the nearest is `" : "",
			      nearest ? nearest : "", nearest ? "`" : "");
}

static uint64_t lines_at(const struct judge *judge, const struct span *span, uint64_t base)
{
	struct line_span lines;

	return lines_of_span(judge, span, base, &lines) ? lines.last - lines.first + 1 : 0;
}

static struct group_at place_group(struct judge *judge, const struct marker_group *group)
{
	uint64_t bits = group->end - group->begin, bytes = bits / 8 + (bits % 8 != 0);
	struct group_at at = {
		.group = group,
		.span = {.path = group->name, .bit_offset = group->begin, .bit_size = bits},
		.bytes = bytes,
		.start = group->begin / 8,
		.free = marker_group_free(group, &judge->geometry->leaves),
		.bases = judge_bases(judge),
		.needed = bytes / judge->granule + (bytes % judge->granule != 0),
	};
	struct line_span lines;

	for (uint64_t i = 0; i < at.bases.n; i++)
		at.touched = max_u64(at.touched, lines_at(judge, &at.span, i * at.bases.step));
	if (lines_of_span(judge, &at.span, 0, &lines)) {
		at.first = lines.first;
		at.last = lines.last;
	}
	return at;
}

/* "sock_read_rx (offset 216, 68 bytes, 0 free) touches lines 3 to 4" */
static const char *group_text(const struct judge *judge, const struct group_at *at)
{
	struct buf buf = BUF_INIT;
	const char *text;

	buf_addf(&buf, "%s (offset %" PRIu64 ", %" PRIu64 " byte%s, %" PRIu64 " free)",
		 at->group->name, at->start, at->bytes, at->bytes == 1 ? "" : "s", at->free);
	if (at->bases.n > 1)
		buf_addf(&buf, " touches up to %" PRIu64 " %ss", at->touched, line_word(judge));
	else if (at->touched == 1)
		buf_addf(&buf, " touches %s %" PRIu64, line_word(judge), at->first);
	else if (at->touched)
		buf_addf(&buf, " touches %ss %" PRIu64 " to %" PRIu64, line_word(judge), at->first,
			 at->last);
	if (at->touched > at->needed)
		buf_addf(&buf, ", and fits %" PRIu64, at->needed);
	text = arena_strdup(judge->arena, buf.s);
	buf_release(&buf);
	return text;
}

/* The first of the members that the rule puts in the group and that is not there. */
static const struct span *find_outside(const struct judge *judge, const struct group_at *at)
{
	for (size_t s = 0; s < judge->nsides; s++)
		for (size_t p = 0; p < judge->sides[s].n; p++) {
			const struct span *span = &judge->sides[s].parts[p].span;

			if (span->bit_offset < at->group->begin || span_end(span) > at->group->end)
				return span;
		}
	return NULL;
}

/* What stands before the group, as a cause. */
static const char *cause_of_group(const struct judge *judge, const struct group_at *at)
{
	struct fields fields = fields_around(judge->geometry, NULL, 0, judge->arena);
	const struct field *before = field_before(&fields, at->group->begin);
	uint64_t byte = at->start % judge->granule;

	if (!byte || !before)
		return NULL;
	return arena_printf(judge->arena,
			    "it begins at byte %" PRIu64 " of %s %" PRIu64 ", behind %s", byte,
			    line_word(judge), at->start / judge->granule,
			    span_full(&before->span, judge->arena));
}

static void margin_of_group(struct judge *judge, const struct group_at *at)
{
	const struct expr *bytes = judge->rule->param_exprs[BYTES];
	uint64_t lines = judge->rule->params[LINES], room;
	struct least least = {0};

	if (bytes && (bytes->op == EXPR_LE || bytes->op == EXPR_EQ))
		least_add(&least, bytes->value - at->bytes);
	else if (bytes && bytes->op == EXPR_LT)
		least_add(&least, bytes->value - 1 - at->bytes);
	if (lines != NOT_GIVEN && at->bases.n == 1 &&
	    !__builtin_mul_overflow(lines, judge->granule, &room))
		least_add(&least, room - at->start % judge->granule - at->bytes);
	least_margin(judge, &least);
}

static void broken_expr(struct judge *judge, const struct group_at *at, const char *what,
			uint64_t value, const struct expr *expr)
{
	judge_number(judge, value, expr->text);
	judge_broken(judge, "%s: its %s is %" PRIu64 ", wanted %s", group_text(judge, at), what,
		     value, expr_phrase(expr, judge->arena));
	judge->verdict.cause = cause_of_group(judge, at);
}

static void broken_lines(struct judge *judge, const struct group_at *at,
			 const struct breaks *breaks)
{
	uint64_t lines = judge->rule->params[LINES];
	const char *wanted = arena_printf(judge->arena, "<= %" PRIu64, lines);

	judge_number(judge, at->touched, wanted);
	judge_broken(judge, "%s: wanted %s %s%s%s", group_text(judge, at), wanted, line_word(judge),
		     lines == 1 ? "" : "s", breaks_text(judge, breaks));
	judge->verdict.cause =
		breaks->shown[0] ? cause_of_bases(judge, breaks->bases) : cause_of_group(judge, at);
}

static void judge_placed(struct judge *judge, const struct group_at *at)
{
	const struct rule *rule = judge->rule;
	const struct expr *bytes = rule->param_exprs[BYTES], *start = rule->param_exprs[START];
	const struct span *outside = find_outside(judge, at);
	struct breaks breaks = {.bases = &at->bases};

	for (uint64_t i = 0; i < at->bases.n && rule->params[LINES] != NOT_GIVEN; i++)
		if (lines_at(judge, &at->span, i * at->bases.step) > rule->params[LINES])
			breaks_add(&breaks, i * at->bases.step);
	judge->verdict.has_cacheline = at->bases.n == 1 && at->touched;
	judge->verdict.cacheline = at->first;
	if (outside) {
		judge_broken(judge, "%s lies outside of %s", span_full(outside, judge->arena),
			     group_text(judge, at));
	} else if (bytes && !expr_holds(bytes, at->bytes)) {
		broken_expr(judge, at, "size", at->bytes, bytes);
	} else if (start && !expr_holds(start, at->start)) {
		broken_expr(judge, at, "offset", at->start, start);
	} else if (breaks.n) {
		broken_lines(judge, at, &breaks);
	} else if (rule->params[LINES] != NOT_GIVEN && !at->bases.told) {
		judge_unknown(judge,
			      "where in a %s the object begins cannot be told for this kernel",
			      line_word(judge));
	} else {
		judge_number(judge, at->bytes, bytes ? bytes->text : NULL);
		judge_holds(judge, "%s", group_text(judge, at));
		margin_of_group(judge, at);
	}
}

static void judge_group(struct judge *judge)
{
	struct marker_groups groups = marker_groups_of(judge->def->type, judge->arena);
	const struct marker_group *group = marker_group_find(&groups, judge->rule->word);
	struct group_at at;

	if (!group) {
		group_missing(judge, &groups);
		return;
	}
	at = place_group(judge, group);
	judge_placed(judge, &at);
}

static const struct kind_param group_params[] = {
	[BYTES] = {.name = "bytes", .type = PARAM_EXPR, .help = "its size"},
	[START] = {.name = "start", .type = PARAM_EXPR, .help = "its offset"},
	[LINES] = {.name = "lines",
		   .fallback = NOT_GIVEN,
		   .least = 1,
		   .help = "lines that it may touch"},
	[MEMBERS] = {.name = "members",
		     .type = PARAM_ITEM,
		     .help = "a member, a group of the pack or a list: what lies inside"},
	{.name = NULL},
};

const struct kind kind_group = {
	.name = "group",
	.arg = ARG_WORD,
	.uses_line = true,
	.uses_granule = true,
	.tells = true,
	.params = group_params,
	.judge = judge_group,
	.help = "the struct has a group marked so, as the parameters want it",
};

/* ---- max_ungrouped --------------------------------------------------------------------------- */

static bool is_grouped(const struct marker_groups *groups, const struct leaf *leaf)
{
	for (size_t i = 0; i < groups->n; i++)
		if (marker_group_has(&groups->items[i], leaf))
			return true;
	return false;
}

/* The leaves outside. */
static struct name_list list_ungrouped(const struct judge *judge,
				       const struct marker_groups *groups)
{
	struct name_list list = {.most = 8, .text = BUF_INIT};

	for (size_t i = 0; i < judge->geometry->leaves.n; i++) {
		const struct leaf *leaf = &judge->geometry->leaves.items[i];
		struct span span = span_of_leaf(leaf);

		if (span_occupies(&span) && !is_grouped(groups, leaf))
			name_list_add(&list, span.path);
	}
	return list;
}

static void judge_max_ungrouped(struct judge *judge)
{
	struct marker_groups groups = marker_groups_of(judge->def->type, judge->arena);
	const char *wanted = arena_printf(judge->arena, "<= %" PRIu64, judge->rule->number);
	struct name_list list;

	if (!groups.n && judge->rule->optional) {
		judge_not_applicable(judge, "%s has no marked groups", judge->block->name);
		return;
	}
	if (!groups.n) {
		judge_missing(judge, "%s has no marked groups", judge->block->name);
		return;
	}
	list = list_ungrouped(judge, &groups);
	judge_number(judge, list.n, wanted);
	judge_says(judge, list.n <= judge->rule->number,
		   "%" PRIu64 " member%s in none of the %zu marked groups, wanted %s%s", list.n,
		   list.n == 1 ? " is" : "s are", groups.n, wanted,
		   name_list_finish(&list, judge->arena));
}

const struct kind kind_max_ungrouped = {
	.name = "max_ungrouped",
	.arg = ARG_NUMBER,
	.tells = true,
	.judge = judge_max_ungrouped,
	.help = "at most N members are in no marked group",
};
