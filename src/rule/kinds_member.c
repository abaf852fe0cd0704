/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds about members by themselves: align (of the type, too), offset, order, complete, present,
 * absent.
 *
 * Margin: of `offset` the bytes that can be added before the member, into the hole that is there
 * and as far as the expression allows; the others have none.
 */
#include <inttypes.h>

#include "rule/align.h"
#include "rule/cause.h"
#include "rule/judge.h"
#include "rule/kinds.h"
#include "rule/line.h"

/* The fields of the type, with those opened up that the member in question lies inside. */
static struct fields fields_of_part(const struct judge *judge)
{
	const struct side side = {.parts = (struct part *)judge->part, .n = judge->part ? 1 : 0};

	return fields_around(judge->geometry, &side, 1, judge->arena);
}

/* ---- align ----------------------------------------------------------------------------------- */

/* Over every alignment that is possible: one that satisfies, one that does not. */
static void try_aligns(const struct expr *expr, struct align_range range, bool *some, bool *none)
{
	*some = *none = false;
	for (uint64_t align = range.least;; align *= 2) {
		if (expr_holds(expr, align))
			*some = true;
		else
			*none = true;
		if (align >= range.most)
			break;
	}
}

static void judge_align(struct judge *judge)
{
	const struct span *span = judge->part ? &judge->part->span : NULL;
	struct align_range range = span ? align_of_span(span, judge->def, judge->layout)
					: align_of_def(judge->def, judge->layout);
	const char *wanted = expr_phrase(judge->expr, judge->arena);
	const char *of = span ? arena_printf(judge->arena, " of %s", span->path) : "";
	bool some, none;

	try_aligns(judge->expr, range, &some, &none);
	judge->verdict.wanted = judge->expr->text;
	if (range.least == range.most) {
		judge_number(judge, range.most, judge->expr->text);
		judge_says(judge, some, "alignment%s is %" PRIu64 ", wanted %s", of, range.most,
			   wanted);
	} else if (some && none) {
		judge_unknown(judge,
			      "alignment%s cannot be told from %s: up to %" PRIu64
			      " is possible, wanted %s",
			      of, layout_source_name(layout_origin(judge->layout)), range.most,
			      wanted);
	} else {
		judge->verdict.measured = arena_printf(judge->arena, "<= %" PRIu64, range.most);
		judge_says(judge, some, "alignment%s is at most %" PRIu64 ", wanted %s", of,
			   range.most, wanted);
	}
	if (span && none && !some) {
		struct fields fields = fields_of_part(judge);

		judge->verdict.cause =
			arena_printf(judge->arena, "%s is at offset %" PRIu64 "; %s", span->path,
				     span->bit_offset / 8, cause_before(judge, &fields, span));
	} else if (none && !some) {
		judge->verdict.cause = arena_printf(judge->arena, "its size is %" PRIu64 " bytes",
						    judge->def->type->bits / 8);
	}
}

const struct kind kind_align = {
	.name = "align",
	.arg = ARG_EXPRS_OR_MEMBERS,
	.judge = judge_align,
	.help = "the alignment of the type, or of members, satisfies the expression",
};

/* ---- offset ---------------------------------------------------------------------------------- */

static void margin_of_offset(struct judge *judge, const struct fields *fields,
			     const struct span *span)
{
	const struct expr *expr = judge->expr;
	const struct field *before = field_before(fields, span->bit_offset);
	uint64_t offset = span->bit_offset / 8, step = align_step(span, judge->layout);
	uint64_t hole = offset - (before ? span_end(&before->span) / 8 : 0), limit = offset;

	switch (expr->op) {
	case EXPR_LT:
		limit = expr->value - 1;
		break;
	case EXPR_LE:
		limit = expr->value;
		break;
	case EXPR_MULTIPLE:
		if (align_of_span(span, judge->def, judge->layout).least % expr->value == 0)
			return;
		break;
	case EXPR_EQ:
	case EXPR_POWER_OF_TWO:
		break;
	case EXPR_NE:
	case EXPR_GT:
	case EXPR_GE:
		return;
	}
	judge_margin(judge, hole + (limit - offset) / step * step);
}

static void judge_offset(struct judge *judge)
{
	const struct span *span = &judge->part->span;
	struct fields fields = fields_of_part(judge);
	uint64_t offset = span->bit_offset / 8;
	bool holds = expr_holds(judge->expr, offset);

	judge_number(judge, offset, judge->expr->text);
	judge_says(judge, holds, "offset of %s is %" PRIu64 ", wanted %s", span->path, offset,
		   expr_phrase(judge->expr, judge->arena));
	if (holds)
		margin_of_offset(judge, &fields, span);
	else
		judge->verdict.cause = cause_before(judge, &fields, span);
}

const struct kind kind_offset = {
	.name = "offset",
	.arg = ARG_MEMBER_EXPRS,
	.judge = judge_offset,
	.help = "the offsets of members satisfy their expressions",
};

/* ---- order ----------------------------------------------------------------------------------- */

static void judge_order(struct judge *judge)
{
	const struct side *side = &judge->sides[0];
	struct spot *spots;

	for (size_t i = 1; i < side->n; i++) {
		const struct span *before = &side->parts[i - 1].span, *after = &side->parts[i].span;

		if (after->bit_offset > before->bit_offset)
			continue;
		judge_broken(judge, "%s does not come behind %s", span_at(after, judge->arena),
			     span_at(before, judge->arena));
		spots = judge_spots(judge, 2);
		spots[0] = spot_of_span(before);
		spots[1] = spot_of_span(after);
		if (after->bit_offset == before->bit_offset)
			judge->verdict.cause = "both begin at the same bit";
		return;
	}
	judge_holds(judge, "the %zu members are in order", side->n);
}

const struct kind kind_order = {
	.name = "order",
	.arg = ARG_ITEM,
	.fewest = 2,
	.judge = judge_order,
	.help = "offsets strictly increase in this order",
};

/* ---- complete -------------------------------------------------------------------------------- */

static void judge_complete(struct judge *judge)
{
	struct fields fields = fields_of_sides(judge);
	struct name_list others = {.most = 64, .text = BUF_INIT};

	for (size_t i = 0; i < fields.n; i++)
		if (!fields.items[i].mine)
			name_list_add(&others, fields.items[i].span.path);
	judge_number(judge, others.n, "0");
	if (others.n)
		judge_broken(judge, "%" PRIu64 " of %zu members %s not listed%s", others.n,
			     fields.n, others.n == 1 ? "is" : "are",
			     name_list_finish(&others, judge->arena));
	else
		judge_holds(judge, "all of the %zu members are listed", fields.n);
}

const struct kind kind_complete = {
	.name = "complete",
	.arg = ARG_ITEM,
	.is_whole = true,
	.judge = judge_complete,
	.help = "the type has no other members",
};

/* ---- present, absent ------------------------------------------------------------------------- */

static void judge_present(struct judge *judge)
{
	if (judge->found == PATH_FOUND || judge->found == PATH_DYNAMIC)
		judge_holds(judge, "%s is there", judge->ref->text);
	else if (judge->ref->optional || judge->rule->optional)
		judge_not_applicable(judge, "%s", judge->absent_why);
	else
		judge_broken(judge, "%s", judge->absent_why);
}

const struct kind kind_present = {
	.name = "present",
	.arg = ARG_ITEM,
	.each = true,
	.asks_presence = true,
	.judge = judge_present,
	.help = "the member exists",
};

static void judge_absent(struct judge *judge)
{
	switch (judge->found) {
	case PATH_FOUND:
		judge_broken(judge, "%s is there", span_full(&judge->part->span, judge->arena));
		break;
	case PATH_DYNAMIC:
		judge_broken(judge, "%s", judge->absent_why);
		break;
	case PATH_ABSENT:
		judge_holds(judge, "%s is not there", judge->ref->text);
		break;
	case PATH_INVALID: /* not a question that this type answers: behind a pointer, say */
		judge_unknown(judge, "%s", judge->absent_why);
		break;
	}
}

const struct kind kind_absent = {
	.name = "absent",
	.arg = ARG_ITEM,
	.each = true,
	.asks_presence = true,
	.judge = judge_absent,
	.help = "the member does not exist",
};
