/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/fought.h"

#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"

void foughts_add(struct c2c_foughts *foughts, const struct c2c_fought *fought)
{
	ARRAY_GROW(foughts->items, foughts->n, foughts->cap);
	foughts->items[foughts->n++] = *fought;
}

static int compare(const void *left, const void *right)
{
	const struct c2c_fought *a = left, *b = right;
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

/* The first at or behind an address. */
static size_t first_from(const struct c2c_foughts *foughts, uint64_t address)
{
	size_t low = 0, high = foughts->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (foughts->items[middle].reader_address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct c2c_fought *foughts_on(const struct c2c_foughts *foughts, uint64_t address,
				    uint64_t size, size_t *ret_n)
{
	size_t first = first_from(foughts, address), end = first;

	while (end < foughts->n && foughts->items[end].reader_address - address < size)
		end++;
	*ret_n = end - first;
	return foughts->items ? foughts->items + first : NULL;
}
