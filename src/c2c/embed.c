/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "layout/geometry.h"

/* Deeper, a type of a broken image could hold itself a million times. */
enum { MOST_HOLDERS = 1 << 22 };

struct visit {
	struct embed *embed;
	const struct def *outer;
	uint64_t stride, count; /* of the innermost array above */
};

static void add(const struct visit *visit, const char *name, uint64_t offset)
{
	struct embed *embed = visit->embed;

	if (!name || embed->n >= MOST_HOLDERS)
		return;
	ARRAY_GROW(embed->items, embed->n, embed->cap);
	embed->items[embed->n++] =
		(struct embed_name){name, {visit->outer, offset, visit->stride, visit->count}};
}

static void visit_type(struct visit visit, const struct type *type, uint64_t offset,
		       unsigned depth);

static void visit_members(const struct visit *visit, const struct type *type, uint64_t offset,
			  unsigned depth)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];

		if (!member->is_marker && !member->is_dynamic && !member->is_bitfield)
			visit_type(*visit, member->type, offset + member->bit_offset / 8,
				   depth + 1);
	}
}

static void visit_type(struct visit visit, const struct type *type, uint64_t offset, unsigned depth)
{
	const struct type *bare = type_strip(type);

	if (depth > DEEPEST_NESTING || visit.embed->n >= MOST_HOLDERS)
		return;
	if (bare->kind == TYPE_ARRAY && bare->target) {
		const struct type *element = type_strip(bare->target);

		visit.stride = element->has_size ? element->bits / 8 : 0;
		visit.count = bare->has_count ? bare->count : 0;
		visit_type(visit, bare->target, offset, depth + 1);
		return;
	}
	if (bare->kind != TYPE_STRUCT && bare->kind != TYPE_UNION)
		return;
	if (depth) {
		add(&visit, bare->name, offset);
		/* Of an anonymous one the typedef is the name. */
		for (; type && !bare->name && type->kind != bare->kind; type = type->target)
			if (type->kind == TYPE_TYPEDEF)
				add(&visit, type->name, offset);
	}
	visit_members(&visit, bare, offset, depth);
}

static int compare(const void *left, const void *right)
{
	const struct embed_name *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = strcmp(a->holder.outer->name, b->holder.outer->name);
	if (!order)
		order = compare_u64(a->holder.outer->digest, b->holder.outer->digest);
	return order ? order : compare_u64(a->holder.offset, b->holder.offset);
}

void embed_init(const struct layout *layout, struct embed *ret)
{
	*ret = (struct embed){0};
	for (size_t i = 0; layout && i < layout->ndefs; i++)
		visit_type((struct visit){ret, &layout->defs[i], 0, 1}, layout->defs[i].type, 0, 0);
	if (ret->n)
		qsort(ret->items, ret->n, sizeof *ret->items, compare);
}

void embed_release(struct embed *embed)
{
	free(embed->items);
	*embed = (struct embed){0};
}

size_t embed_holders(const struct embed *embed, const char *name, const struct embed_name **ret)
{
	size_t low = 0, high = embed->n, end;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(embed->items[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < embed->n && strcmp(embed->items[end].name, name) == 0; end++)
		;
	if (ret)
		*ret = low < end ? embed->items + low : NULL;
	return end - low;
}

static bool has_at(const struct holder *holder, uint64_t offset)
{
	uint64_t into = offset - holder->offset;

	if (offset < holder->offset)
		return false;
	return !into || (holder->stride && into % holder->stride == 0 &&
			 into / holder->stride < holder->count);
}

bool embed_holds(const struct embed *embed, const struct def *outer, const char *name,
		 uint64_t offset)
{
	const struct embed_name *holders;
	size_t n = embed_holders(embed, name, &holders), low = 0, high = n;

	if (!holders)
		return false;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(holders[mid].holder.outer->name, outer->name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < n && strcmp(holders[low].holder.outer->name, outer->name) == 0; low++)
		if (holders[low].holder.outer == outer && has_at(&holders[low].holder, offset))
			return true;
	return false;
}
