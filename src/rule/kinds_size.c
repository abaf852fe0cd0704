/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds about a type as a whole: size, bucket, max_lines, max_hole, max_padding.
 *
 * Margin of the first three: the bytes that can be added behind the last member, its padding
 * included, before the rule breaks; where the alignment of the type is not known, the largest that
 * its size allows is taken. The other two have none: what is added makes holes and padding smaller.
 */
#include <inttypes.h>

#include "rule/align.h"
#include "rule/cause.h"
#include "rule/judge.h"
#include "rule/kinds.h"

/* ---- margins --------------------------------------------------------------------------------- */

static uint64_t used_bytes(const struct judge *judge)
{
	return judge->def->type->bits / 8 - judge->geometry->padding;
}

/* The type may grow to @limit bytes, which it does not exceed yet. */
static void margin_to(struct judge *judge, uint64_t limit)
{
	uint64_t align = align_of_def(judge->def, judge->layout).most;
	uint64_t largest = limit - limit % align;

	if (judge->geometry->leaves.has_dynamic)
		return;
	if (largest >= used_bytes(judge))
		judge_margin(judge, largest - used_bytes(judge));
}

/* The type has to keep its size. */
static void margin_within(struct judge *judge)
{
	if (!judge->geometry->leaves.has_dynamic)
		judge_margin(judge, judge->geometry->padding);
}

static void margin_of_expr(struct judge *judge, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_LT:
		margin_to(judge, expr->value - 1);
		break;
	case EXPR_LE:
		margin_to(judge, expr->value);
		break;
	case EXPR_MULTIPLE:
		/* A type that is aligned so will be a multiple whatever is added. */
		if (align_of_def(judge->def, judge->layout).least % expr->value)
			margin_within(judge);
		break;
	case EXPR_EQ:
	case EXPR_POWER_OF_TWO:
		margin_within(judge);
		break;
	case EXPR_NE:
	case EXPR_GT:
	case EXPR_GE:
		break;
	}
}

/* ---- size ------------------------------------------------------------------------------------ */

static uint64_t power_of_two_below(uint64_t value)
{
	while (value & (value - 1))
		value &= value - 1;
	return value;
}

/* Breaking @expr, is the size too large for it? Then @ret is the largest that is not. */
static bool size_limit(const struct expr *expr, uint64_t size, uint64_t *ret)
{
	switch (expr->op) {
	case EXPR_EQ:
	case EXPR_LE:
		*ret = expr->value;
		return size > expr->value;
	case EXPR_LT:
		*ret = expr->value ? expr->value - 1 : 0;
		return true;
	case EXPR_POWER_OF_TWO:
		*ret = power_of_two_below(size);
		return size > 0;
	case EXPR_MULTIPLE:
		*ret = size - size % expr->value;
		return size > expr->value;
	case EXPR_NE:
	case EXPR_GT:
	case EXPR_GE:
		break;
	}
	return false;
}

static const char *bucket_words(const struct judge *judge, uint64_t size)
{
	uint64_t bucket;

	if (!kmalloc_bucket(size, judge->target, &bucket))
		return "";
	return arena_printf(judge->arena, "; it lands in kmalloc-%" PRIu64, bucket);
}

static void judge_size(struct judge *judge)
{
	const struct expr *expr = judge->expr;
	uint64_t size = judge->def->type->bits / 8, limit;
	bool holds = expr_holds(expr, size);

	judge_number(judge, size, expr->text);
	if (expr->op == EXPR_POWER_OF_TWO)
		judge_says(judge, holds, "size is %" PRIu64 "%s%s", size,
			   holds ? ", a power of two" : ", not a power of two",
			   bucket_words(judge, size));
	else
		judge_says(judge, holds, "size is %" PRIu64 ", wanted %s", size,
			   expr_phrase(expr, judge->arena));
	if (holds)
		margin_of_expr(judge, expr);
	else
		judge->verdict.cause = size_limit(expr, size, &limit)
					       ? cause_too_large(judge, limit)
					       : cause_tail(judge);
}

const struct kind kind_size = {
	.name = "size",
	.arg = ARG_EXPRS,
	.judge = judge_size,
	.help = "the type's size satisfies the expression",
};

/* ---- bucket ---------------------------------------------------------------------------------- */

/* From the rule's own list, else from the table. */
static bool find_bucket(const struct judge *judge, uint64_t size, uint64_t *ret)
{
	const struct rule *rule = judge->rule;

	if (!rule->nbuckets)
		return kmalloc_bucket(size, judge->target, ret);
	for (size_t i = 0; i < rule->nbuckets; i++)
		if (size <= rule->buckets[i]) {
			*ret = rule->buckets[i];
			return size > 0;
		}
	return false;
}

static void judge_bucket(struct judge *judge)
{
	uint64_t size = judge->def->type->bits / 8, wanted = judge->rule->number, bucket;
	size_t n;

	judge->verdict.wanted = arena_printf(judge->arena, "%" PRIu64, wanted);
	if (find_bucket(judge, size, &bucket)) {
		judge_number(judge, bucket, judge->verdict.wanted);
		judge_says(judge, bucket == wanted,
			   "size %" PRIu64 " lands in kmalloc-%" PRIu64 ", wanted kmalloc-%" PRIu64,
			   size, bucket, wanted);
		if (bucket == wanted)
			margin_to(judge, wanted);
	} else if (size > wanted) { /* whatever buckets there are */
		judge_broken(judge, "size %" PRIu64 " does not fit kmalloc-%" PRIu64, size, wanted);
	} else if (judge->rule->nbuckets || (!size && kmalloc_buckets(judge->target, &n))) {
		judge_broken(judge, "no bucket takes size %" PRIu64 ", wanted kmalloc-%" PRIu64,
			     size, wanted);
	} else {
		judge_unknown(judge, "the buckets of kmalloc() are not known for %s%s%s",
			      judge->target->arch ? judge->target->arch : "an unknown machine",
			      judge->target->release ? ", kernel " : "",
			      judge->target->release ? judge->target->release : "");
	}
	judge->verdict.cause = size > wanted ? cause_too_large(judge, wanted) : cause_tail(judge);
}

static const struct kind_param bucket_params[] = {
	{.name = "buckets",
	 .least = 1,
	 .type = PARAM_NUMBERS,
	 .help = "the bucket sizes of kmalloc(), for an image that does not tell its kernel"},
	{.name = NULL},
};

const struct kind kind_bucket = {
	.name = "bucket",
	.arg = ARG_NUMBER,
	.params = bucket_params,
	.judge = judge_bucket,
	.help = "kmalloc() of the type lands in this bucket",
};

/* ---- at most --------------------------------------------------------------------------------- */

static const char *at_most(const struct judge *judge)
{
	return arena_printf(judge->arena, "<= %" PRIu64, judge->rule->number);
}

static void judge_max_lines(struct judge *judge)
{
	uint64_t lines = judge->geometry->lines, most = judge->rule->number, bytes;
	const char *wanted = at_most(judge);

	if (__builtin_mul_overflow(most, judge->line, &bytes))
		bytes = UINT64_MAX;
	judge_number(judge, lines, wanted);
	judge_says(judge, lines <= most, "covers %" PRIu64 " line%s, wanted %s", lines,
		   lines == 1 ? "" : "s", wanted);
	if (lines <= most)
		margin_to(judge, bytes);
	else
		judge->verdict.cause = cause_too_large(judge, bytes);
}

const struct kind kind_max_lines = {
	.name = "max_lines",
	.arg = ARG_NUMBER,
	.uses_line = true,
	.judge = judge_max_lines,
	.help = "the type covers at most N lines",
};

/* The first of the largest of a kind. */
static const struct gap *largest_gap(const struct geometry *geometry, enum gap_kind kind)
{
	const struct gap *largest = NULL;

	for (size_t i = 0; i < geometry->ngaps; i++) {
		const struct gap *gap = &geometry->gaps[i];

		if (gap->kind == kind && (!largest || gap->bit_size > largest->bit_size))
			largest = gap;
	}
	return largest;
}

/* Bytes are free in which something may lie that is placed at run time: more than may be free. */
static bool too_much_unknown(struct judge *judge, const struct gap *gap)
{
	if (!gap || gap->bit_size / 8 <= judge->rule->number)
		return false;
	judge->verdict.wanted = at_most(judge);
	judge_unknown(judge,
		      "what is placed at run time may lie in the %" PRIu64
		      " bytes from offset %" PRIu64 " on",
		      gap->bit_size / 8, gap->bit_offset / 8);
	return true;
}

static void judge_max_hole(struct judge *judge)
{
	const struct gap *hole = largest_gap(judge->geometry, GAP_HOLE);
	uint64_t bytes = hole ? hole->bit_size / 8 : 0;
	const char *wanted = at_most(judge);
	struct span before, after;

	if (too_much_unknown(judge, largest_gap(judge->geometry, GAP_UNKNOWN)))
		return;
	judge_number(judge, bytes, wanted);
	if (!hole) {
		judge_holds(judge, "has no hole, wanted %s", wanted);
		return;
	}
	judge_says(judge, bytes <= judge->rule->number,
		   "has a hole of %" PRIu64 " byte%s at offset %" PRIu64 ", wanted %s", bytes,
		   bytes == 1 ? "" : "s", hole->bit_offset / 8, wanted);
	if (bytes > judge->rule->number)
		*judge_spots(judge, 1) = (struct spot){NULL, hole->bit_offset, hole->bit_size};
	if (!hole->after)
		return;
	after = span_of_leaf(hole->after);
	if (hole->before) {
		before = span_of_leaf(hole->before);
		judge->verdict.cause = arena_printf(judge->arena, "it lies between %s and %s",
						    span_full(&before, judge->arena),
						    span_at(&after, judge->arena));
	}
	if (judge->verdict.cause && hole->after->member->has_align)
		judge->verdict.cause =
			arena_printf(judge->arena, "%s, which is aligned to %" PRIu64,
				     judge->verdict.cause, hole->after->member->align);
}

const struct kind kind_max_hole = {
	.name = "max_hole",
	.arg = ARG_NUMBER,
	.judge = judge_max_hole,
	.help = "the type's largest hole is at most N bytes",
};

static void judge_max_padding(struct judge *judge)
{
	const struct geometry *geometry = judge->geometry;
	const struct gap *last = geometry->ngaps ? &geometry->gaps[geometry->ngaps - 1] : NULL;
	uint64_t padding = geometry->padding;
	const char *wanted = at_most(judge);

	if (last && !last->after && last->kind == GAP_UNKNOWN && too_much_unknown(judge, last))
		return;
	judge_number(judge, padding, wanted);
	judge_says(judge, padding <= judge->rule->number,
		   "ends with %" PRIu64 " byte%s of padding, wanted %s", padding,
		   padding == 1 ? "" : "s", wanted);
	if (padding > judge->rule->number)
		*judge_spots(judge, 1) =
			(struct spot){NULL, judge->def->type->bits - padding * 8, padding * 8};
	judge->verdict.cause = cause_tail(judge);
}

const struct kind kind_max_padding = {
	.name = "max_padding",
	.arg = ARG_NUMBER,
	.judge = judge_max_padding,
	.help = "at most N bytes follow the last member",
};
