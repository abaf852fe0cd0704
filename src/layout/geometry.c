/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gaps come from coverage: leaves in order of offset, and how far everything so far has reached. So
 * members that lie over each other (unions, struct_group) need no case of their own.
 */
#include "layout/geometry.h"

#include <stdlib.h>

#include "base/math.h"

static uint64_t round_down(uint64_t value, uint64_t unit)
{
	return value - value % unit;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return value % unit ? add_capped(value, unit - value % unit) : value;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

struct collector {
	struct leaf *items;
	size_t n, cap;
	size_t visited;
	bool has_dynamic;
};

/* How far it reaches only a running program could tell; a flexible array has the end to itself. */
static bool is_endless(const struct member *member)
{
	const struct type *type = type_strip(member->type);

	return !type->has_size && !(type->kind == TYPE_ARRAY && !type->has_count);
}

/* A base class brings its virtual bases along, wherever they are. */
static bool brings_dynamic(const struct type *type, unsigned depth)
{
	for (size_t i = 0; type && i < type->nmembers; i++) {
		const struct member *member = &type->members[i];

		if (member->is_dynamic || (member->is_base && depth < DEEPEST_NESTING &&
					   brings_dynamic(type_composite(member->type), depth + 1)))
			return true;
	}
	return false;
}

static void collect(struct collector *c, const struct type *type, uint64_t base, unsigned depth)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];
		const struct type *inner =
			member->name || member->is_base ? NULL : type_composite(member->type);
		uint64_t offset = add_capped(base, member->bit_offset);

		c->has_dynamic |=
			member->is_dynamic || (!inner && is_endless(member)) ||
			(member->is_base && brings_dynamic(type_composite(member->type), depth));
		if (member->is_marker || member->is_dynamic)
			continue;
		c->visited++;
		if (inner && depth < DEEPEST_NESTING && c->visited < MOST_LEAVES) {
			collect(c, inner, offset, depth + 1);
			continue;
		}
		ARRAY_GROW(c->items, c->n, c->cap);
		c->items[c->n] = (struct leaf){member, type, offset, depth, c->n};
		c->n++;
	}
}

struct leaves leaves_of(const struct type *type, struct arena *arena)
{
	struct collector c = {0};
	struct leaves ret;

	collect(&c, type, 0, 0);
	ret.items = arena_copy(arena, c.items, c.n * sizeof *c.items);
	ret.n = c.n;
	ret.has_dynamic = c.has_dynamic;
	free(c.items);
	return ret;
}

static int compare_leaves(const void *left, const void *right)
{
	const struct leaf *a = left, *b = right;
	int order = compare_u64(a->bit_offset, b->bit_offset);

	if (!order)
		order = compare_u64(b->member->bit_size, a->member->bit_size);
	return order ? order : compare_u64(a->index, b->index);
}

void leaves_sort(struct leaves *leaves)
{
	if (leaves->n)
		qsort(leaves->items, leaves->n, sizeof *leaves->items, compare_leaves);
}

/* ---- gaps ------------------------------------------------------------------------------------ */

/* How far the leaves have come, and what a bit-field there leaves behind. */
struct front {
	uint64_t end;            /* bits covered so far, from the start of the type */
	const struct leaf *leaf; /* that ends there; NULL before the first */
	bool in_bitfield;        /* it is a bit-field: up to unit_end its storage unit goes on */
	uint64_t unit, unit_end;
};

struct gaps {
	struct geometry *geometry;
	size_t cap;
};

static void count_gap(struct geometry *geometry, const struct gap *gap)
{
	if (geometry->leaves.has_dynamic)
		return;
	switch (gap->kind) {
	case GAP_HOLE:
		geometry->holes++;
		geometry->hole_bytes += gap->bit_size / 8;
		break;
	case GAP_BIT_HOLE:
		geometry->bit_holes++;
		geometry->bit_hole_bits += gap->bit_size;
		break;
	case GAP_PADDING:
		geometry->padding += gap->bit_size / 8;
		break;
	case GAP_BIT_PADDING:
		geometry->bit_padding += gap->bit_size;
		break;
	case GAP_UNKNOWN:
		break;
	}
}

/* One gap [start, end) of the kind for bits or for bytes; before @after, or at the end. */
static void add_gap(struct gaps *gaps, uint64_t start, uint64_t end, bool bits,
		    const struct leaf *before, const struct leaf *after)
{
	struct geometry *geometry = gaps->geometry;
	struct gap gap = {.bit_offset = start, .before = before, .after = after};

	if (start >= end)
		return;
	gap.bit_size = end - start;
	if (geometry->leaves.has_dynamic && !bits)
		gap.kind = GAP_UNKNOWN;
	else if (after)
		gap.kind = bits ? GAP_BIT_HOLE : GAP_HOLE;
	else
		gap.kind = bits ? GAP_BIT_PADDING : GAP_PADDING;
	ARRAY_GROW(geometry->gaps, geometry->ngaps, gaps->cap);
	geometry->gaps[geometry->ngaps++] = gap;
	count_gap(geometry, &gap);
}

/* The bits of a storage unit: those of the declared type; a byte when that is not known. */
static uint64_t storage_unit(const struct member *member)
{
	const struct type *type = type_strip(member->type);

	return type->has_size && type->bits && type->bits % 8 == 0 ? type->bits : 8;
}

/* Where the storage unit begins that holds the first bit of a bit-field. Units are aligned in the
 * struct that declares the bit-field. */
static uint64_t unit_start(const struct leaf *leaf)
{
	uint64_t inside = leaf->member->bit_offset;

	return leaf->bit_offset - (inside - round_down(inside, storage_unit(leaf->member)));
}

static uint64_t unit_end(const struct leaf *leaf)
{
	const struct member *member = leaf->member;
	uint64_t end = add_capped(member->bit_offset, member->bit_size);

	return add_capped(leaf->bit_offset - member->bit_offset,
			  round_up(end, storage_unit(member)));
}

/*
 * What lies between the front and @end, where @after begins (NULL: where the type ends). First what
 * is left of the storage unit of a bit-field, then whole bytes, then what a bit-field leaves free
 * at the start of its own unit.
 */
static void add_gaps(struct gaps *gaps, const struct front *front, uint64_t end,
		     const struct leaf *after)
{
	const struct leaf *before = front->leaf;
	uint64_t pos = front->end, bytes_end = end;

	if (front->in_bitfield && front->unit_end > pos)
		pos = min_u64(front->unit_end, end);
	else
		pos = min_u64(round_up(pos, 8), end);
	if (after && after->member->is_bitfield)
		bytes_end = unit_start(after);
	bytes_end = round_down(min_u64(bytes_end, end), 8);
	/* No whole byte between two units: one bit hole. */
	if (bytes_end <= pos) {
		add_gap(gaps, front->end, end, true, before, after);
		return;
	}
	add_gap(gaps, front->end, pos, true, before, after);
	add_gap(gaps, pos, bytes_end, false, before, after);
	add_gap(gaps, bytes_end, end, true, before, after);
}

/* Takes the front past @leaf. */
static void advance(struct front *front, const struct leaf *leaf)
{
	const struct member *member = leaf->member;
	uint64_t end = add_capped(leaf->bit_offset, member->bit_size), unit;

	if (end < front->end)
		return;
	if (!member->is_bitfield) {
		front->in_bitfield = false;
	} else if (end > front->end) {
		/* In a run of bit-fields the widest unit counts: `int a:5; char b:3;` leaves 24
		 * bits. */
		unit = storage_unit(member);
		if (!front->in_bitfield || end > front->unit_end || unit > front->unit) {
			front->unit = unit;
			front->unit_end = unit_end(leaf);
		}
		front->in_bitfield = true;
	}
	front->end = end;
	front->leaf = leaf;
}

static void find_gaps(struct geometry *geometry, struct arena *arena)
{
	const struct type *type = geometry->type;
	struct gaps gaps = {.geometry = geometry};
	struct front front = {0};
	struct gap *found;

	for (size_t i = 0; i < geometry->leaves.n; i++) {
		const struct leaf *leaf = &geometry->leaves.items[i];

		if (leaf->bit_offset > type->bits)
			break;
		if (leaf->bit_offset > front.end)
			add_gaps(&gaps, &front, leaf->bit_offset, leaf);
		advance(&front, leaf);
	}
	if (front.end < type->bits)
		add_gaps(&gaps, &front, type->bits, NULL);
	found = geometry->gaps;
	geometry->gaps = arena_copy(arena, found, geometry->ngaps * sizeof *found);
	free(found);
}

void geometry_of(const struct type *type, uint64_t line, struct arena *arena, struct geometry *ret)
{
	*ret = (struct geometry){.type = type, .line = line, .leaves = leaves_of(type, arena)};
	leaves_sort(&ret->leaves);
	if (!type->has_size)
		return;
	find_gaps(ret, arena);
	if (line)
		ret->lines = round_up(round_up(type->bits, 8) / 8, line) / line;
}

/* ---- lines ----------------------------------------------------------------------------------- */

bool lines_touched(uint64_t bit_offset, uint64_t bit_size, uint64_t line, uint64_t base,
		   struct line_span *ret)
{
	uint64_t last_bit;

	if (!bit_size || !line)
		return false;
	last_bit = add_capped(bit_offset, bit_size - 1);
	ret->first = add_capped(bit_offset / 8, base) / line;
	ret->last = add_capped(last_bit / 8, base) / line;
	return true;
}

bool straddles(uint64_t bit_offset, uint64_t bit_size, uint64_t line)
{
	struct line_span span;
	uint64_t bytes;

	if (!lines_touched(bit_offset, bit_size, line, 0, &span))
		return false;
	bytes = add_capped(bit_offset, bit_size - 1) / 8 - bit_offset / 8 + 1;
	return span.last - span.first + 1 > (bytes - 1) / line + 1;
}
