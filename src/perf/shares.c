/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"

/* By inode, or where a build id stands in its place by that. */
static bool has_file(const struct map *map)
{
	return map->is_shared && map->file && (map->inode || map->file->build_id_size > 0);
}

static int compare_files(const void *left, const void *right)
{
	const struct map *a = left, *b = right;
	int order = compare_u64(a->device, b->device);

	if (!order)
		order = compare_u64(a->inode, b->inode);
	if (!order)
		order = compare_u64(a->generation, b->generation);
	if (!order && !a->inode)
		order = compare_u64((uintptr_t)a->file, (uintptr_t)b->file);
	return order;
}

void shares_add(struct shares *shares, const struct map *map)
{
	struct map turned = *map;

	if (!has_file(map))
		return;
	turned.start = map->pgoff;
	turned.pgoff = map->start;
	turned.since = (struct stamp){~map->since.time, ~map->since.seq};
	ARRAY_GROW(shares->maps, shares->nmaps, shares->cap_maps);
	shares->maps[shares->nmaps++] = turned;
}

void shares_sort(struct shares *shares)
{
	if (shares->nmaps)
		qsort(shares->maps, shares->nmaps, sizeof *shares->maps, compare_files);
	for (size_t i = 0, end; i < shares->nmaps; i = end) {
		struct share share = {.maps = &shares->maps[i]};

		for (end = i + 1;
		     end < shares->nmaps && compare_files(share.maps, &shares->maps[end]) == 0;
		     end++)
			;
		share.nmaps = end - i;
		map_tree_init(share.maps, share.nmaps, &share.tree);
		ARRAY_GROW(shares->items, shares->n, shares->cap);
		shares->items[shares->n++] = share;
	}
}

void shares_release(struct shares *shares)
{
	for (size_t i = 0; i < shares->n; i++)
		map_tree_release(&shares->items[i].tree);
	free(shares->items);
	free(shares->maps);
	*shares = (struct shares){0};
}

static int compare_to_share(const void *map, const void *share)
{
	return compare_files(map, ((const struct share *)share)->maps);
}

void shares_find(const struct shares *shares, const struct map *map, uint64_t address,
		 int32_t *ret_pid, uint64_t *ret_address)
{
	const struct stamp ever = {UINT64_MAX, UINT64_MAX};
	uint64_t offset = map->pgoff + (address - map->start);
	const struct share *share = NULL;
	const struct map *first = NULL;

	*ret_pid = map->pid;
	*ret_address = address;
	if (has_file(map) && shares->n)
		share = bsearch(map, shares->items, shares->n, sizeof *shares->items,
				compare_to_share);
	if (share)
		first = map_tree_find(&share->tree, offset, ever);
	if (first) {
		*ret_pid = first->pid;
		*ret_address = first->pgoff + (offset - first->start);
	}
}
