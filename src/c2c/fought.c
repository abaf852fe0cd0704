/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/fought.h"

#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/search.h"

void foughts_add(struct c2c_foughts *foughts, const struct access_pair *fought)
{
	ARRAY_GROW(foughts->items, foughts->n, foughts->cap);
	foughts->items[foughts->n++] = *fought;
}

static int compare(const void *left, const void *right)
{
	const struct access_pair *a = left, *b = right;
	int order = compare_u64(a->reader_address, b->reader_address);

	if (!order)
		order = compare_u64(a->reader_ip, b->reader_ip);
	if (!order)
		order = compare_u64(a->writer_address, b->writer_address);
	return order ? order : compare_u64(a->writer_ip, b->writer_ip);
}

void foughts_sort(struct c2c_foughts *foughts)
{
	if (foughts->n)
		qsort(foughts->items, foughts->n, sizeof *foughts->items, compare);
}

void foughts_release(struct c2c_foughts *foughts)
{
	free(foughts->items);
	*foughts = (struct c2c_foughts){0};
}

const struct access_pair *foughts_on(const struct c2c_foughts *foughts, uint64_t address,
				     uint64_t size, size_t *ret_n)
{
	size_t first = FIRST_FROM(foughts->items, foughts->n, reader_address, address);
	size_t end = first;

	while (end < foughts->n && foughts->items[end].reader_address - address < size)
		end++;
	*ret_n = end - first;
	return foughts->items ? foughts->items + first : NULL;
}
