/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void pool_release(struct pool *pool)
{
	free(pool->slots);
	arena_release(&pool->arena);
}

static bool is_same(const char *kept, const char *s, size_t len)
{
	return strncmp(kept, s, len) == 0 && kept[len] == 0;
}

/* The slot of the string, or the free one where it belongs. */
static size_t slot_of(const struct pool *pool, const char *s, size_t len)
{
	size_t slot = (size_t)hash128(s, len).lo & (pool->cap - 1);

	while (pool->slots[slot] && !is_same(pool->slots[slot], s, len))
		slot = (slot + 1) & (pool->cap - 1);
	return slot;
}

static void grow(struct pool *pool)
{
	struct pool old = *pool;

	pool->cap = old.cap ? old.cap * 2 : 64;
	pool->slots = xcalloc(pool->cap, sizeof *pool->slots);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i])
			pool->slots[slot_of(pool, old.slots[i], strlen(old.slots[i]))] =
				old.slots[i];
	free(old.slots);
}

const char *pool_get(struct pool *pool, const char *s, size_t len)
{
	size_t slot;

	/* Rows of one thread and one function come one after the other. */
	if (pool->last && is_same(pool->last, s, len))
		return pool->last;
	if (pool->n * 2 >= pool->cap)
		grow(pool);
	slot = slot_of(pool, s, len);
	if (!pool->slots[slot]) {
		pool->slots[slot] = arena_strndup(&pool->arena, s, len);
		pool->n++;
	}
	return pool->last = pool->slots[slot];
}
