/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/cons.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void cons_init(struct cons *cons, struct arena *arena)
{
	*cons = (struct cons){.arena = arena, .capacity = 1024};
	cons->entries = xcalloc(cons->capacity, sizeof *cons->entries);
}

void cons_release(struct cons *cons)
{
	free(cons->entries);
	*cons = (struct cons){0};
}

static struct cons_entry *find(const struct cons *cons, uint64_t hash, const void *data,
			       size_t size)
{
	size_t mask = cons->capacity - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct cons_entry *entry = &cons->entries[i];

		if (!entry->object || (entry->hash == hash && entry->size == size &&
				       memcmp(entry->object, data, size) == 0))
			return entry;
	}
}

static void grow(struct cons *cons)
{
	struct cons_entry *old = cons->entries;
	size_t n = cons->capacity, mask;

	cons->capacity *= 2;
	cons->entries = xcalloc(cons->capacity, sizeof *cons->entries);
	mask = cons->capacity - 1;
	for (size_t i = 0; i < n; i++) {
		size_t to = old[i].hash & mask;

		if (!old[i].object)
			continue;
		while (cons->entries[to].object)
			to = (to + 1) & mask;
		cons->entries[to] = old[i];
	}
	free(old);
}

const void *cons(struct cons *cons, const void *data, size_t size)
{
	uint64_t hash = hash128(data, size).lo;
	struct cons_entry *entry;

	if (2 * cons->n >= cons->capacity)
		grow(cons);
	entry = find(cons, hash, data, size);
	if (!entry->object) {
		*entry = (struct cons_entry){hash, arena_copy(cons->arena, data, size), size};
		cons->n++;
	}
	return entry->object;
}

const char *cons_string(struct cons *cons_, const char *s)
{
	return cons(cons_, s, strlen(s) + 1);
}
