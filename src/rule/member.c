/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"

/* ---- spans ----------------------------------------------------------------------------------- */

uint64_t span_end(const struct span *span)
{
	return span->is_flexible ? UINT64_MAX : add_capped(span->bit_offset, span->bit_size);
}

bool span_occupies(const struct span *span)
{
	return span->is_flexible || span->bit_size;
}

static const char *member_name(const struct member *member)
{
	if (member->name)
		return member->name;
	if (member->type->name)
		return member->type->name;
	return member->type->spelling ? member->type->spelling : "(unnamed)";
}

struct span span_of_leaf(const struct leaf *leaf)
{
	const struct member *member = leaf->member;

	return (struct span){
		.path = member_name(member),
		.bit_offset = leaf->bit_offset,
		.bit_size = member->bit_size,
		.is_flexible = member->is_flexible,
		.is_bitfield = member->is_bitfield,
		.member = member,
		.type = member->type,
	};
}

/* ---- finding --------------------------------------------------------------------------------- */

static void found_not(struct found *ret, enum path_result result, const char *why)
{
	*ret = (struct found){.result = result, .why = why};
}

static void add_nearest(const struct ref *ref, const struct def *def, struct arena *arena,
			struct found *ret)
{
	const char *nearest = path_nearest(def->type, ref->alts[0], arena);

	if (nearest)
		ret->why = arena_printf(arena, "%s; the nearest is `%s`", ret->why, nearest);
}

static void find_first(const struct ref *ref, const struct def *def, struct arena *arena,
		       struct found *ret)
{
	const char *why = NULL;
	struct part *part = arena_alloc(arena, sizeof *part);

	part->ref = ref;
	found_not(ret, PATH_ABSENT, NULL);
	for (size_t i = 0; i < ref->nalts; i++) {
		enum path_result result =
			path_resolve(def->type, ref->alts[i], arena, &why, &part->span);

		if (result == PATH_FOUND) {
			*ret = (struct found){PATH_FOUND, NULL, part, 1};
			return;
		}
		if (result == PATH_DYNAMIC)
			why = arena_printf(arena, "`%s` is placed at run time", ref->alts[i]);
		/* What cannot be asked is worth more words than what is merely not there. */
		if (!ret->why || (ret->result == PATH_ABSENT && result != PATH_ABSENT))
			found_not(ret, result, why);
	}
	if (ret->result != PATH_ABSENT)
		return;
	if (ref->nalts > 1)
		ret->why = arena_printf(arena, "none of `%s` is there", ref->text);
	add_nearest(ref, def, arena, ret);
}

/* Keeps the bits of @span inside [start, end). */
static bool cut(struct span *span, uint64_t start, uint64_t end)
{
	uint64_t last = span_end(span);

	if (!span_occupies(span) || start >= end || span->bit_offset >= end || last <= start)
		return false;
	if (span->bit_offset < start)
		span->bit_offset = start;
	if (last > end) {
		last = end;
		span->is_flexible = false;
	}
	if (!span->is_flexible)
		span->bit_size = last - span->bit_offset;
	return true;
}

static void find_range(const struct ref *ref, const struct def *def,
		       const struct geometry *geometry, struct arena *arena, struct found *ret)
{
	const struct ref last_ref = {.text = ref->to, .alts = &ref->to, .nalts = 1};
	struct found first, last;
	uint64_t start, end;

	find_first(ref, def, arena, &first);
	find_first(&last_ref, def, arena, &last);
	if (first.result != PATH_FOUND || last.result != PATH_FOUND) {
		*ret = first.result != PATH_FOUND ? first : last;
		return;
	}
	start = first.parts->span.bit_offset;
	end = span_end(&last.parts->span);
	if (last.parts->span.bit_offset < start) {
		found_not(ret, PATH_INVALID,
			  arena_printf(arena,
				       "`%s` runs backwards here: %s is at offset %" PRIu64
				       ", %s at %" PRIu64,
				       ref->text, ref->alts[0], start / 8, ref->to,
				       last.parts->span.bit_offset / 8));
		return;
	}
	*ret = (struct found){.result = PATH_FOUND};
	ret->parts = arena_array(arena, geometry->leaves.n + 1, sizeof *ret->parts);
	for (size_t i = 0; i < geometry->leaves.n; i++) {
		struct span span = span_of_leaf(&geometry->leaves.items[i]);

		if (cut(&span, start, end))
			ret->parts[ret->n++] = (struct part){ref, span};
	}
	if (!ret->n) /* both ends are of size zero */
		ret->parts[ret->n++] = (struct part){ref, first.parts->span};
}

void member_find(const struct ref *ref, const struct def *def, const struct geometry *geometry,
		 struct arena *arena, struct found *ret)
{
	if (ref->to)
		find_range(ref, def, geometry, arena, ret);
	else
		find_first(ref, def, arena, ret);
}

/* ---- fields ---------------------------------------------------------------------------------- */

struct field_list {
	const struct side *sides;
	size_t nsides;
	struct field *items;
	size_t n, cap;
	struct arena *arena;
};

static void add_field(struct field_list *list, struct span span, bool mine)
{
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = (struct field){span, mine};
}

enum overlap { APART, INSIDE, AROUND };

/* How @span lies to the parts: off all of them, inside one, or around (or across) some. */
static enum overlap overlap_of(const struct field_list *list, const struct span *span)
{
	enum overlap all = APART;

	for (size_t s = 0; s < list->nsides; s++)
		for (size_t p = 0; p < list->sides[s].n; p++) {
			const struct span *part = &list->sides[s].parts[p].span;
			uint64_t start = part->bit_offset, end = span_end(part);

			if (!span_occupies(part) || start >= span_end(span) ||
			    end <= span->bit_offset)
				continue;
			if (start <= span->bit_offset && end >= span_end(span))
				return INSIDE;
			all = AROUND;
		}
	return all;
}

/* The start of the first part in [from, end), and where that part ends. */
static bool next_part(const struct field_list *list, uint64_t from, uint64_t end,
		      uint64_t *ret_start, uint64_t *ret_end)
{
	bool is_there = false;

	for (size_t s = 0; s < list->nsides; s++)
		for (size_t p = 0; p < list->sides[s].n; p++) {
			const struct span *part = &list->sides[s].parts[p].span;
			uint64_t start = part->bit_offset < from ? from : part->bit_offset;

			if (!span_occupies(part) || span_end(part) <= from || start >= end ||
			    (is_there && start >= *ret_start))
				continue;
			*ret_start = start;
			*ret_end = span_end(part);
			is_there = true;
		}
	return is_there;
}

/* What cannot be opened (an array around one of its elements): the parts, and what lies between. */
static void add_pieces(struct field_list *list, const struct span *span)
{
	uint64_t from = span->bit_offset, end = span_end(span), start, stop;
	struct span piece = *span;

	while (from < end && next_part(list, from, end, &start, &stop)) {
		if (cut(&piece, from, start))
			add_field(list, piece, false);
		piece = *span;
		if (cut(&piece, start, stop))
			add_field(list, piece, true);
		piece = *span;
		from = stop;
	}
	if (from < end && cut(&piece, from, end))
		add_field(list, piece, false);
}

static void add_span(struct field_list *list, const struct span *span, unsigned depth);

static void open_span(struct field_list *list, const struct span *span, const struct type *type,
		      unsigned depth)
{
	struct leaves leaves = leaves_of(type, list->arena);

	for (size_t i = 0; i < leaves.n; i++) {
		struct span inner = span_of_leaf(&leaves.items[i]);

		inner.bit_offset = add_capped(inner.bit_offset, span->bit_offset);
		inner.path = arena_printf(list->arena, "%s.%s", span->path, inner.path);
		add_span(list, &inner, depth + 1);
	}
}

static void add_span(struct field_list *list, const struct span *span, unsigned depth)
{
	enum { DEEPEST = 64 }; /* no type nests so far but by mistake */
	const struct type *type = type_composite(span->type);

	if (!span_occupies(span))
		return;
	switch (overlap_of(list, span)) {
	case APART:
		add_field(list, *span, false);
		break;
	case INSIDE:
		add_field(list, *span, true);
		break;
	case AROUND:
		if (type && depth < DEEPEST)
			open_span(list, span, type, depth);
		else
			add_pieces(list, span);
		break;
	}
}

static int by_offset(const void *a, const void *b)
{
	const struct span *x = &((const struct field *)a)->span;
	const struct span *y = &((const struct field *)b)->span;

	if (x->bit_offset != y->bit_offset)
		return x->bit_offset < y->bit_offset ? -1 : 1;
	if (span_end(x) != span_end(y))
		return span_end(x) > span_end(y) ? -1 : 1;
	return strcmp(x->path, y->path);
}

struct fields fields_around(const struct geometry *geometry, const struct side *sides,
			    size_t nsides, struct arena *arena)
{
	struct field_list list = {.sides = sides, .nsides = nsides, .arena = arena};
	struct fields ret;

	for (size_t i = 0; i < geometry->leaves.n; i++) {
		struct span span = span_of_leaf(&geometry->leaves.items[i]);

		add_span(&list, &span, 0);
	}
	ret.n = list.n;
	ret.items = arena_copy(arena, list.items, list.n * sizeof *list.items);
	free(list.items);
	if (ret.n)
		qsort(ret.items, ret.n, sizeof *ret.items, by_offset);
	return ret;
}
