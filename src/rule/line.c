/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/line.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "rule/align.h"

struct bases judge_bases(struct judge *judge)
{
	enum { MOST_BASES = 1 << 16 }; /* a granule that no machine has */
	uint64_t type_align = align_of_def(judge->def, judge->layout).least;
	uint64_t granule = judge->granule, base;
	struct bases one = {granule, 1, true};

	if (judge->block->alloc.kind == ALLOC_UNSAID) {
		if (type_align % granule == 0)
			return one;
		judge->assumed_base = true;
		one.step = granule < judge->line ? granule : judge->line;
		one.n = (granule + one.step - 1) / one.step;
		return one;
	}
	if (!alloc_base(&judge->block->alloc, judge->def->type->bits / 8,
			judge->layout->knows_align ? type_align : 0, granule, judge->target,
			&base) ||
	    !base || granule / base > MOST_BASES) {
		one.told = false;
		return one;
	}
	return (struct bases){base, (granule + base - 1) / base, true};
}

bool lines_of_span(const struct judge *judge, const struct span *span, uint64_t base,
		   struct line_span *ret)
{
	if (span->is_flexible) {
		if (!lines_touched(span->bit_offset, 1, judge->granule, base, ret))
			return false;
		ret->last = UINT64_MAX;
		return true;
	}
	return lines_touched(span->bit_offset, span->bit_size, judge->granule, base, ret);
}

void breaks_add(struct breaks *breaks, uint64_t base)
{
	if (breaks->n < ARRAY_SIZE(breaks->shown))
		breaks->shown[breaks->n] = base;
	breaks->n++;
}

const char *breaks_text(const struct judge *judge, const struct breaks *breaks)
{
	uint64_t shown =
		breaks->n < ARRAY_SIZE(breaks->shown) ? breaks->n : ARRAY_SIZE(breaks->shown);
	struct buf buf = BUF_INIT;
	const char *text;

	if (breaks->bases->n == 1)
		return "";
	if (breaks->n == breaks->bases->n)
		return arena_printf(judge->arena, " wherever in a %s the object begins",
				    line_word(judge));
	buf_adds(&buf, " when the object begins at byte ");
	for (uint64_t i = 0; i < shown; i++)
		buf_addf(&buf, "%s%" PRIu64,
			 !i                                     ? ""
			 : i + 1 == shown && shown == breaks->n ? " or "
								: ", ",
			 breaks->shown[i]);
	if (breaks->n > shown)
		buf_addf(&buf, " or at %" PRIu64 " others", breaks->n - shown);
	buf_addf(&buf, " of a %s", line_word(judge));
	text = arena_strdup(judge->arena, buf.s);
	buf_release(&buf);
	return text;
}

void judge_at_bases(struct judge *judge, const struct breaks *breaks, const char *holds,
		    const char *broken)
{
	if (breaks->n)
		judge_broken(judge, "%s%s", broken, breaks_text(judge, breaks));
	else if (!breaks->bases->told)
		judge_unknown(judge,
			      "where in a %s the object begins cannot be told for this kernel",
			      line_word(judge));
	else
		judge_holds(judge, "%s", holds);
}

const char *line_word(const struct judge *judge)
{
	if (judge->granule == judge->line)
		return "line";
	return arena_printf(judge->arena, "%" PRIu64 "-byte block", judge->granule);
}

const char *cause_of_bases(const struct judge *judge, const struct bases *bases)
{
	const struct alloc *alloc = &judge->block->alloc;

	return arena_printf(judge->arena, "objects%s%s begin at any multiple of %" PRIu64 " bytes",
			    alloc->kind == ALLOC_CACHE ? " of " : "",
			    alloc->kind == ALLOC_CACHE && alloc->cache ? alloc->cache : "",
			    bases->step);
}

/* ---- parts in order -------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->span->bit_offset != y->span->bit_offset)
		return x->span->bit_offset < y->span->bit_offset ? -1 : 1;
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	if (span_end(x->span) != span_end(y->span))
		return span_end(x->span) < span_end(y->span) ? -1 : 1;
	return (x->span > y->span) - (x->span < y->span);
}

void order_sort(struct order *order)
{
	if (order->n)
		qsort(order->items, order->n, sizeof *order->items, by_offset);
}

struct order order_of_sides(const struct side *sides, size_t nsides, struct arena *arena)
{
	struct order ret = {0};
	size_t total = 0;

	for (size_t s = 0; s < nsides; s++)
		total += sides[s].n;
	ret.items = arena_array(arena, total, sizeof *ret.items);
	for (size_t s = 0; s < nsides; s++)
		for (size_t p = 0; p < sides[s].n; p++)
			ret.items[ret.n++] = (struct placed){&sides[s].parts[p].span, s};
	order_sort(&ret);
	return ret;
}

const char *side_name(const struct judge *judge, const struct side *side)
{
	if (!side->label)
		return "the members";
	if (side->n == 1)
		return side->label;
	return arena_printf(judge->arena, "the members of %s", side->label);
}

struct fields fields_of_sides(const struct judge *judge)
{
	return fields_around(judge->geometry, judge->sides, judge->nsides, judge->arena);
}
