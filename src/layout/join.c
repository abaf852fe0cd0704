/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"

/* Open addressing: indexes of what hashes alike stand one behind the other; 0 is free, else index
 * + 1. */
struct slots {
	size_t *at, size;
};

struct claim {
	uint64_t key;
	unsigned part;
};

struct join {
	struct layout *layout; /* NULL before the first part */
	struct def *defs;
	size_t n, cap;
	struct slots by_def, by_name;
	struct claim *claims;
	size_t nclaims, cap_claims;
	struct slots by_key;
	unsigned parts;
};

struct join *join_new(void)
{
	return xcalloc(1, sizeof(struct join));
}

void join_free(struct join *join)
{
	if (!join)
		return;
	layout_free(join->layout);
	free(join->defs);
	free(join->claims);
	free(join->by_def.at);
	free(join->by_name.at);
	free(join->by_key.at);
	free(join);
}

unsigned join_parts(const struct join *join)
{
	return join->parts;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static uint64_t hash_name(const char *name)
{
	return name ? hash128(name, strlen(name)).lo : 0;
}

static uint64_t hash_def(const struct def *def)
{
	return hash_name(def->name) ^ def->digest * 0x9e3779b97f4a7c15u;
}

static bool is_same(const struct def *a, const struct def *b)
{
	return a->digest == b->digest && a->kind == b->kind && text_same(a->name, b->name) &&
	       text_same(a->scope, b->scope);
}

/* Where a search for @hash begins; the next place to look. */
static size_t slot_first(const struct slots *slots, uint64_t hash)
{
	return (size_t)(hash * 0x9e3779b97f4a7c15u >> 32) & (slots->size - 1);
}

static size_t slot_next(const struct slots *slots, size_t i)
{
	return (i + 1) & (slots->size - 1);
}

/* Notes that @item has this hash. */
static void slots_put(struct slots *slots, uint64_t hash, size_t item)
{
	size_t i = slot_first(slots, hash);

	while (slots->at[i])
		i = slot_next(slots, i);
	slots->at[i] = item + 1;
}

/* Makes room for @n items. True: it is empty now, and all that were there are to be put again. */
static bool slots_reserve(struct slots *slots, size_t n)
{
	if (slots->size && 2 * n <= slots->size)
		return false;
	free(slots->at);
	slots->size = slots->size ? slots->size : 64;
	while (slots->size < 4 * n)
		slots->size *= 2;
	slots->at = xcalloc(slots->size, sizeof *slots->at);
	return true;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static struct def *find(const struct join *join, const struct def *key)
{
	const struct slots *slots = &join->by_def;

	if (!join->n)
		return NULL;
	for (size_t i = slot_first(slots, hash_def(key)); slots->at[i]; i = slot_next(slots, i))
		if (is_same(&join->defs[slots->at[i] - 1], key))
			return &join->defs[slots->at[i] - 1];
	return NULL;
}

bool join_has_name(const struct join *join, const char *name)
{
	const struct slots *slots = &join->by_name;

	if (!join->n)
		return false;
	for (size_t i = slot_first(slots, hash_name(name)); slots->at[i]; i = slot_next(slots, i))
		if (text_same(join->defs[slots->at[i] - 1].name, name))
			return true;
	return false;
}

struct want join_missing(const struct join *join, const struct want *want, struct want_list *list)
{
	for (size_t i = 0; i < want->n; i++)
		if (!join_has_name(join, want->names[i]))
			want_list_add(list, want->names[i]);
	return want_list_finish(list);
}

bool join_count(struct join *join, const struct def *key)
{
	struct def *def = find(join, key);

	if (def)
		def->cus += key->cus;
	return def;
}

/* One name can have many definitions: of each name the first is enough. */
static void index_def(struct join *join, size_t i)
{
	const struct def *def = &join->defs[i];

	slots_put(&join->by_def, hash_def(def), i);
	if (!join_has_name(join, def->name))
		slots_put(&join->by_name, hash_name(def->name), i);
}

static void add_def(struct join *join, const struct def *def)
{
	bool moved;

	ARRAY_GROW(join->defs, join->n, join->cap);
	join->defs[join->n++] = *def;
	moved = slots_reserve(&join->by_def, join->n);
	moved |= slots_reserve(&join->by_name, join->n);
	for (size_t i = moved ? 0 : join->n - 1; i < join->n; i++)
		index_def(join, i);
}

void join_add(struct join *join, struct layout *part)
{
	for (size_t i = 0; i < part->ndefs; i++)
		if (!join_count(join, &part->defs[i]))
			add_def(join, &part->defs[i]);
	join->parts++;
	if (!join->layout) {
		join->layout = part;
		return;
	}
	arena_adopt(&join->layout->arena, &part->arena);
	layout_free(part);
}

/* ---- claims ---------------------------------------------------------------------------------- */

bool join_claim(struct join *join, uint64_t key)
{
	struct slots *slots = &join->by_key;

	if (slots_reserve(slots, join->nclaims + 1))
		for (size_t i = 0; i < join->nclaims; i++)
			slots_put(slots, join->claims[i].key, i);
	for (size_t i = slot_first(slots, key); slots->at[i]; i = slot_next(slots, i))
		if (join->claims[slots->at[i] - 1].key == key)
			return join->claims[slots->at[i] - 1].part == join->parts;
	slots_put(slots, key, join->nclaims);
	ARRAY_GROW(join->claims, join->nclaims, join->cap_claims);
	join->claims[join->nclaims++] = (struct claim){key, join->parts};
	return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

struct layout *join_finish(struct join *join, const char *path)
{
	struct layout *layout = join->layout;

	if (!layout)
		BUG("a layout of no parts");
	layout->path = arena_strdup(&layout->arena, path);
	layout->defs = arena_copy(&layout->arena, join->defs, join->n * sizeof *join->defs);
	layout->ndefs = join->n;
	layout_sort(layout);
	join->layout = NULL;
	join_free(join);
	return layout;
}
