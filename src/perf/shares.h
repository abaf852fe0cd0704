/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that processes share by mapping a file: each may have it at an address of its own. A byte
 * is known by where the process has it that mapped it first.
 */
#ifndef PERF_SHARES_H
#define PERF_SHARES_H

#include "perf/map_tree.h"

struct shares {
	struct share {
		struct map *maps; /* of one file: `start` is the offset in it, `pgoff` the address,
				     and what was mapped first comes last */
		size_t nmaps;
		struct map_tree tree;
	} * items; /* by file */
	size_t n, cap;
	struct map *maps; /* of all, by file */
	size_t nmaps, cap_maps;
};

/* A map of those that processes share; of others nothing is done. */
void shares_add(struct shares *shares, const struct map *map);
void shares_sort(struct shares *shares); /* after the last */
void shares_release(struct shares *shares);

/*
 * The process and the address of the byte at @address of @map, in the first map of it. Of a map
 * that does not say of which file it is, those of itself.
 */
void shares_find(const struct shares *shares, const struct map *map, uint64_t address,
		 int32_t *ret_pid, uint64_t *ret_address);

#endif
