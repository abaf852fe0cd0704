/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which member became which: by path, and by place where only the name is another. */
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "diff/compare.h"

/* The fields of a side that have no match yet, in some order. */
struct pool {
	struct field **items;
	size_t n;
};

static struct pool unmatched(const struct fields *fields, struct arena *arena,
			     int (*compare)(const void *, const void *))
{
	struct pool pool = {arena_array(arena, fields->n, sizeof *pool.items), 0};

	for (size_t i = 0; i < fields->n; i++)
		if (!fields->items[i].match)
			pool.items[pool.n++] = &fields->items[i];
	if (pool.n)
		qsort(pool.items, pool.n, sizeof *pool.items, compare);
	return pool;
}

static int compare_paths(const struct field *a, const struct field *b)
{
	return strcmp(a->path, b->path);
}

/* What tells two members of one name apart is their order in the source. */
static int by_path(const void *left, const void *right)
{
	const struct field *a = *(struct field *const *)left, *b = *(struct field *const *)right;
	int order = compare_paths(a, b);

	return order ? order : (a > b) - (a < b);
}

static const char *spelling(const struct field *field)
{
	return field->member->type->spelling ? field->member->type->spelling : "";
}

/* Same place, same size, a bit-field or none. */
static int compare_places(const struct field *a, const struct field *b)
{
	int order = compare_u64(a->bit_offset, b->bit_offset);

	if (!order)
		order = compare_u64(a->bit_size, b->bit_size);
	return order ? order : (int)a->member->is_bitfield - (int)b->member->is_bitfield;
}

/* In a union the same place can have several: those of one type stand together. */
static int by_place(const void *left, const void *right)
{
	const struct field *a = *(struct field *const *)left, *b = *(struct field *const *)right;
	int order = compare_places(a, b);

	if (!order)
		order = strcmp(spelling(a), spelling(b));
	return order ? order : (a > b) - (a < b);
}

static void join(struct field *old, struct field *new)
{
	old->match = new;
	new->match = old;
}

static void match_by_path(struct pool old, struct pool new)
{
	size_t o = 0, n = 0;

	while (o < old.n && n < new.n) {
		int order = compare_paths(old.items[o], new.items[n]);

		if (!order)
			join(old.items[o++], new.items[n++]);
		else if (order < 0)
			o++;
		else
			n++;
	}
}

static bool is_rename(const struct field *old, const struct field *new)
{
	return old->member->is_flexible ==
	       new->member->is_flexible &&alike_spelling(spelling(old), spelling(new),
							 old->member->is_flexible, true);
}

static void match_by_place(struct pool old, struct pool new)
{
	size_t o = 0, n = 0;

	while (o < old.n && n < new.n) {
		int order = compare_places(old.items[o], new.items[n]);

		if (!order && !is_rename(old.items[o], new.items[n]))
			order = strcmp(spelling(old.items[o]), spelling(new.items[n]));
		if (!order)
			join(old.items[o++], new.items[n++]);
		else if (order < 0)
			o++;
		else
			n++;
	}
}

void match_fields(struct comparison *c)
{
	match_by_path(unmatched(&c->old, &c->scratch, by_path),
		      unmatched(&c->new, &c->scratch, by_path));
	match_by_place(unmatched(&c->old, &c->scratch, by_place),
		       unmatched(&c->new, &c->scratch, by_place));
}
