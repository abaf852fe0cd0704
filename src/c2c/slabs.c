/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/slabs.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/search.h"

/* Names are few and come in runs. */
void c2c_slabs_add(struct c2c_slabs *slabs, const struct line_object *slab)
{
	const char *last = slabs->n ? slabs->items[slabs->n - 1].cache : NULL;

	ARRAY_GROW(slabs->items, slabs->n, slabs->cap);
	slabs->items[slabs->n] = *slab;
	slabs->items[slabs->n++].cache = last && strcmp(last, slab->cache) == 0
						 ? last
						 : arena_strdup(&slabs->arena, slab->cache);
}

static int compare(const void *left, const void *right)
{
	const struct line_object *a = left, *b = right;
	int order = compare_u64(a->line, b->line);

	return order ? order : compare_u64(a->start, b->start);
}

void c2c_slabs_sort(struct c2c_slabs *slabs)
{
	if (slabs->n)
		qsort(slabs->items, slabs->n, sizeof *slabs->items, compare);
}

void c2c_slabs_release(struct c2c_slabs *slabs)
{
	free(slabs->items);
	arena_release(&slabs->arena);
	*slabs = (struct c2c_slabs){0};
}

const struct line_object *c2c_slabs_on(const struct c2c_slabs *slabs, uint64_t line, size_t *ret_n)
{
	size_t first = FIRST_FROM(slabs->items, slabs->n, line, line), end = first;

	while (end < slabs->n && slabs->items[end].line == line)
		end++;
	*ret_n = end - first;
	return end > first ? &slabs->items[first] : NULL;
}

enum c2c_fit c2c_slabs_fit(const struct line_object *slabs, size_t n, uint64_t start, uint64_t size)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t into = start - slabs[i].start;

		if (start >= slabs[i].start && into < slabs[i].size && size <= slabs[i].size - into)
			return into ? FIT_WITHIN : FIT_EXACT;
	}
	return n ? FIT_NOT : FIT_UNKNOWN;
}
