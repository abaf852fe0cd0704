/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of many maps that lie over each other is the last over an address. They are found in a
 * segment tree: its leaves are the stretches between any two neighbouring ends of maps, and a map
 * is listed at the few nodes that together cover it, so that however maps lie over each other a
 * look-up passes the nodes above one leaf only. At each node maps are in the order of time.
 */
#ifndef PERF_MAP_TREE_H
#define PERF_MAP_TREE_H

#include "perf/maps.h"

/* Zero bytes are a valid tree of no maps. */
struct map_tree {
	const struct map *maps; /* in the order of time */
	size_t nmaps;
	uint64_t *bounds; /* ends of stretches, rising */
	size_t nbounds, nleaves;
	size_t *first; /* node -> its part of `listed`; one more at the end */
	uint32_t *listed;
};

/* Sorts @maps, at least one, by time; they must outlive the tree. */
void map_tree_init(struct map *maps, size_t n, struct map_tree *ret);
void map_tree_release(struct map_tree *tree);

/* The last of those over @address that was there @at; NULL: none. */
const struct map *map_tree_find(const struct map_tree *tree, uint64_t address, struct stamp at);

#endif
