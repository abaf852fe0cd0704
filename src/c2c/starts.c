/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/starts.h"

#include <stdlib.h>

#include "base/math.h"

static int compare_pointers(const void *left, const void *right)
{
	return compare_u64((uintptr_t) * (const struct object *const *)left,
			   (uintptr_t) * (const struct object *const *)right);
}

static int compare_starts(const void *left, const void *right)
{
	const struct start_of *a = left, *b = right;
	int order = compare_u64((uintptr_t)a->def, (uintptr_t)b->def);

	return order ? order : compare_u64(a->start, b->start);
}

/* Equal ones become one. */
static void merge(struct starts *starts)
{
	size_t kept = 0;

	if (starts->n)
		qsort(starts->items, starts->n, sizeof *starts->items, compare_starts);
	for (size_t i = 0; i < starts->n; i++) {
		if (!kept || compare_starts(&starts->items[kept - 1], &starts->items[i]) != 0) {
			starts->items[kept++] = starts->items[i];
			continue;
		}
		starts->items[kept - 1].objects += starts->items[i].objects;
		starts->items[kept - 1].samples += starts->items[i].samples;
	}
	starts->n = kept;
}

void starts_find(const struct c2c_table *table, const struct attribution *attribution,
		 struct starts *ret)
{
	const struct object **objects = xcalloc(attribution->nnamed, sizeof *objects);
	size_t n = 0;

	*ret = (struct starts){0};
	for (size_t i = 0; i < attribution->nnamed; i++)
		if (attribution->named[i].object && !attribution->named[i].object->of_functions)
			objects[n++] = attribution->named[i].object;
	if (n)
		qsort(objects, n, sizeof *objects, compare_pointers);
	for (size_t i = 0; i < n; i++) {
		if (i && objects[i] == objects[i - 1])
			continue;
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n++] = (struct start_of){objects[i]->def,
							 objects[i]->base & (table->line_size - 1),
							 1, objects[i]->explained};
	}
	free(objects);
	merge(ret);
}

void starts_release(struct starts *starts)
{
	free(starts->items);
	*starts = (struct starts){0};
}

/* The first of a type. */
static size_t first_of(const struct starts *starts, const struct def *def)
{
	const struct start_of wanted = {.def = def};
	size_t low = 0, high = starts->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_starts(&starts->items[mid], &wanted) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void starts_of(const struct starts *starts, const struct def *def, uint64_t line_size,
	       struct arena *arena, struct c2c_object *ret)
{
	size_t first = first_of(starts, def), end = first;
	uint64_t bits = line_size, *values;

	while (end < starts->n && starts->items[end].def == def)
		end++;
	values = arena_array(arena, end - first, sizeof *values);
	for (size_t i = first; i < end; i++) {
		values[i - first] = starts->items[i].start;
		bits |= starts->items[i].start;
		ret->seen += starts->items[i].objects;
	}
	ret->starts = values;
	ret->nstarts = end - first;
	ret->floats = ret->nstarts > 1;
	/* The largest power of two that divides them all; a line is as much as is asked. */
	ret->alignment = bits & -bits;
}
