/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/map_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/search.h"

static int compare_maps(const void *a, const void *b)
{
	const struct map *l = a, *r = b;

	return stamp_compare(l->since, r->since);
}

static int compare_words(const void *a, const void *b)
{
	return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

static uint64_t map_end(const struct map *map)
{
	return add_capped(map->start, map->len);
}

/* The number of bounds that are not above @address. */
static size_t count_bounds(const struct map_tree *tree, uint64_t address)
{
	if (address == UINT64_MAX)
		return tree->nbounds;
	return search_u64(tree->bounds, tree->nbounds, sizeof *tree->bounds, 0, address + 1);
}

static void set_bounds(struct map_tree *tree)
{
	size_t n = 0;

	tree->bounds = xrealloc_array(NULL, tree->nmaps * 2, sizeof *tree->bounds);
	for (size_t i = 0; i < tree->nmaps; i++) {
		tree->bounds[2 * i] = tree->maps[i].start;
		tree->bounds[2 * i + 1] = map_end(&tree->maps[i]);
	}
	qsort(tree->bounds, tree->nmaps * 2, sizeof *tree->bounds, compare_words);
	for (size_t i = 0; i < tree->nmaps * 2; i++)
		if (n == 0 || tree->bounds[n - 1] != tree->bounds[i])
			tree->bounds[n++] = tree->bounds[i];
	tree->nbounds = n;
	tree->nleaves = n;
}

/* Calls for the nodes that together cover the map: @count adds to first[node], else to `listed`. */
static void list_map(struct map_tree *tree, const struct map *map, uint32_t number, bool count)
{
	size_t left = count_bounds(tree, map->start) - 1 + tree->nleaves;
	size_t right = count_bounds(tree, map_end(map)) - 1 + tree->nleaves;

	for (; left < right; left >>= 1, right >>= 1) {
		size_t nodes[2], n = 0;

		if (left & 1)
			nodes[n++] = left++;
		if (right & 1)
			nodes[n++] = --right;
		for (size_t i = 0; i < n; i++) {
			if (count)
				tree->first[nodes[i] + 1]++;
			else
				tree->listed[tree->first[nodes[i]]++] = number;
		}
	}
}

void map_tree_init(struct map *maps, size_t n, struct map_tree *ret)
{
	size_t nnodes;

	qsort(maps, n, sizeof *maps, compare_maps);
	*ret = (struct map_tree){.maps = maps, .nmaps = n};
	set_bounds(ret);
	nnodes = 2 * ret->nleaves;
	ret->first = xcalloc(nnodes + 1, sizeof *ret->first);
	for (size_t i = 0; i < n; i++)
		list_map(ret, &maps[i], (uint32_t)i, true);
	for (size_t i = 0; i < nnodes; i++)
		ret->first[i + 1] += ret->first[i];
	ret->listed = xrealloc_array(NULL, ret->first[nnodes] + 1, sizeof *ret->listed);
	for (size_t i = 0; i < n; i++)
		list_map(ret, &maps[i], (uint32_t)i, false);
	/* Listing has moved each start to its end, which is the start of the next. */
	memmove(ret->first + 1, ret->first, nnodes * sizeof *ret->first);
	ret->first[0] = 0;
}

void map_tree_release(struct map_tree *tree)
{
	free(tree->bounds);
	free(tree->first);
	free(tree->listed);
	*tree = (struct map_tree){0};
}

/* The last map at a node that was there at @at; NULL: none. */
static const struct map *last_at_node(const struct map_tree *tree, size_t node, struct stamp at)
{
	size_t from = tree->first[node], to = tree->first[node + 1], start = from;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (stamp_compare(tree->maps[tree->listed[middle]].since, at) <= 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from > start ? &tree->maps[tree->listed[from - 1]] : NULL;
}

const struct map *map_tree_find(const struct map_tree *tree, uint64_t address, struct stamp at)
{
	const struct map *last = NULL;
	size_t stretch;

	if (tree->nmaps == 0)
		return NULL;
	stretch = count_bounds(tree, address);
	if (stretch == 0 || stretch == tree->nbounds)
		return NULL;
	for (size_t node = stretch - 1 + tree->nleaves; node >= 1; node >>= 1) {
		const struct map *map = last_at_node(tree, node, at);

		if (map && (!last || map > last)) /* they are in the order of time */
			last = map;
	}
	return last;
}
