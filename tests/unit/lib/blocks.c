/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void blocks_add(struct blocks *blocks, struct buf *text)
{
	ARRAY_GROW(blocks->items, blocks->n, blocks->cap);
	blocks->items[blocks->n++] = buf_detach(text);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void blocks_join(struct blocks *blocks, struct buf *ret)
{
	if (blocks->n)
		qsort(blocks->items, blocks->n, sizeof *blocks->items, compare);
	for (size_t i = 0; i < blocks->n; i++)
		if (!i || strcmp(blocks->items[i - 1], blocks->items[i]) != 0)
			buf_adds(ret, blocks->items[i]);
	for (size_t i = 0; i < blocks->n; i++)
		free(blocks->items[i]);
	free(blocks->items);
	*blocks = (struct blocks){0};
}
