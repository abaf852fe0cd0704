/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds about the slab that objects of a type come from: waste, objects_per_slab.
 *
 * Margin: the bytes that can be added behind the last member, its padding included, before the rule
 * breaks; where the alignment of the type is not known, the largest that its size allows is taken.
 */
#include <inttypes.h>
#include <limits.h>

#include "rule/align.h"
#include "rule/judge.h"
#include "rule/kinds.h"

static uint64_t size_of(const struct judge *judge)
{
	return judge->def->type->bits / 8;
}

/* What the rule measures, of an object of @size bytes; false: it cannot be told. */
typedef bool measure_size(const struct judge *judge, uint64_t size, uint64_t *ret);

/* Sizes are tried, one after the other: more members can make the measure better and worse. */
static void margin_of_sizes(struct judge *judge, measure_size *measure)
{
	enum { MOST_TRIES = 1 << 14 };
	uint64_t align = align_of_def(judge->def, judge->layout).most, size = size_of(judge);
	uint64_t used = size - judge->geometry->padding, value;

	if (judge->geometry->leaves.has_dynamic)
		return;
	for (unsigned i = 0; i < MOST_TRIES; i++) {
		if (!measure(judge, size + align, &value))
			return;
		if (!expr_holds(judge->expr, value)) {
			judge_margin(judge, size - used);
			return;
		}
		size += align;
	}
}

/* "objects of dentry begin every 192 bytes". */
static const char *cause_of_stride(const struct judge *judge, uint64_t stride)
{
	const struct alloc *alloc = &judge->block->alloc;

	if (alloc->kind == ALLOC_KMALLOC)
		return arena_printf(judge->arena,
				    "size %" PRIu64 " takes %" PRIu64 " bytes of kmalloc()",
				    size_of(judge), stride);
	return arena_printf(judge->arena, "objects of %s begin every %" PRIu64 " bytes%s",
			    alloc->cache, stride,
			    alloc->freeptr == FREEPTR_AFTER ? ", the free pointer included" : "");
}

static void stride_untold(struct judge *judge)
{
	judge_unknown(judge, "how far apart two objects are cannot be told for this kernel");
}

/* ---- waste ----------------------------------------------------------------------------------- */

static bool measure_waste(const struct judge *judge, uint64_t size, uint64_t *ret)
{
	if (!alloc_stride(&judge->block->alloc, size, judge->target, ret))
		return false;
	*ret -= size;
	return true;
}

static void judge_waste(struct judge *judge)
{
	uint64_t size = size_of(judge), waste;

	judge->verdict.wanted = judge->expr->text;
	if (!measure_waste(judge, size, &waste)) {
		stride_untold(judge);
		return;
	}
	judge_number(judge, waste, judge->expr->text);
	judge_says(judge, expr_holds(judge->expr, waste),
		   "%" PRIu64 " of the %" PRIu64
		   " bytes an object takes are not its own, wanted %s",
		   waste, size + waste, expr_phrase(judge->expr, judge->arena));
	if (judge->verdict.outcome == OUTCOME_HOLDS)
		margin_of_sizes(judge, measure_waste);
	else
		judge->verdict.cause = cause_of_stride(judge, size + waste);
}

const struct kind kind_waste = {
	.name = "waste",
	.arg = ARG_EXPRS,
	.asks_slab = true,
	.judge = judge_waste,
	.help = "the bytes between two objects of a slab satisfy the expression",
};

/* ---- objects_per_slab ------------------------------------------------------------------------ */

enum { ORDER, CPUS };

/* The slab that objects come from, in bytes; false: it cannot be told. */
static bool find_slab(const struct judge *judge, uint64_t stride, uint64_t *ret)
{
	const uint64_t *params = judge->rule->params;
	unsigned order;

	if (params[ORDER] != NOT_GIVEN)
		return params[ORDER] <= UINT_MAX &&
		       slab_bytes((unsigned)params[ORDER], judge->target, ret);
	return slab_order(stride, params[CPUS] < UINT_MAX ? (unsigned)params[CPUS] : UINT_MAX,
			  judge->target, &order) &&
	       slab_bytes(order, judge->target, ret);
}

/* Above two pages kmalloc() takes pages, and no slab. */
static bool takes_pages(const struct judge *judge, uint64_t stride)
{
	uint64_t page;

	return judge->block->alloc.kind == ALLOC_KMALLOC && slab_bytes(0, judge->target, &page) &&
	       stride > 2 * page;
}

static bool measure_objects(const struct judge *judge, uint64_t size, uint64_t *ret)
{
	uint64_t stride, slab;

	if (!alloc_stride(&judge->block->alloc, size, judge->target, &stride) || !stride)
		return false;
	if (takes_pages(judge, stride)) {
		*ret = 0;
		return true;
	}
	if (!find_slab(judge, stride, &slab))
		return false;
	*ret = slab / stride;
	return true;
}

static void judge_objects(struct judge *judge)
{
	const char *wanted = expr_phrase(judge->expr, judge->arena);
	uint64_t size = size_of(judge), stride, slab, objects;
	bool holds;

	judge->verdict.wanted = judge->expr->text;
	if (!alloc_stride(&judge->block->alloc, size, judge->target, &stride)) {
		stride_untold(judge);
		return;
	}
	if (takes_pages(judge, stride)) {
		judge_number(judge, 0, judge->expr->text);
		judge_broken(judge,
			     "there is no slab: %" PRIu64
			     " bytes of kmalloc() are pages, wanted %s objects",
			     stride, wanted);
		return;
	}
	if (!measure_objects(judge, size, &objects) || !find_slab(judge, stride, &slab)) {
		judge_unknown(judge, "how large a slab is cannot be told for this kernel");
		return;
	}
	holds = expr_holds(judge->expr, objects);
	judge_number(judge, objects, judge->expr->text);
	judge_says(judge, holds,
		   "a slab of %" PRIu64 " bytes holds %" PRIu64 " object%s, wanted %s", slab,
		   objects, objects == 1 ? "" : "s", wanted);
	if (holds)
		margin_of_sizes(judge, measure_objects);
	else
		judge->verdict.cause = cause_of_stride(judge, stride);
}

static const struct kind_param objects_params[] = {
	[ORDER] = {.name = "order", .fallback = NOT_GIVEN, .help = "a slab is 2^N pages"},
	[CPUS] = {.name = "cpus",
		  .fallback = NOT_GIVEN,
		  .least = 1,
		  .help = "processors that were present when the kernel chose the order"},
	{.name = NULL},
};

const struct kind kind_objects_per_slab = {
	.name = "objects_per_slab",
	.arg = ARG_EXPRS,
	.asks_slab = true,
	.one_param = true,
	.params = objects_params,
	.judge = judge_objects,
	.help = "the objects in a slab satisfy the expression",
};
