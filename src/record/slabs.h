/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which object of which slab cache is on a line: SLUB's own books, read in the memory of a guest
 * that stands still. It is certain where attribution from code is likely.
 *
 * A page belongs to a slab when what its head has for `slab_cache` is on the list of caches; no
 * version's way of marking such pages is relied on. struct slab lies over struct page since Linux
 * 5.17.
 */
#ifndef RECORD_SLABS_H
#define RECORD_SLABS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "record/memory.h"

/* From the symbols and the debug info of the vmlinux. */
struct slab_facts {
	/* Addresses of variables. */
	uint64_t page_offset_base, vmemmap_base, slab_caches;
	/* Bytes: the size of struct page, and offsets. */
	uint64_t page_size, compound_head;           /* struct page */
	uint64_t slab_cache;                         /* struct slab */
	uint64_t cache_list, cache_name, cache_size; /* struct kmem_cache; size: from one object to
							the next */
	uint64_t cache_object_size;                  /* and what users have of that */
};

struct slab_object {
	const char *cache;      /* lives as long as the slabs */
	uint64_t address, size; /* virtual; size: without what the allocator adds */
};

struct slabs; /* opaque */

/* Reads the list of caches. The memory must stay open. */
MUST_CHECK bool slabs_open(const struct memory *memory, const struct slab_facts *facts,
			   struct err *err, struct slabs **ret);
void slabs_close(struct slabs *slabs); /* NULL is fine */

/*
 * The object that the byte at physical address @at is in. False: none, the page is in no slab. A
 * line can have several: ask again for the byte behind it.
 */
bool slabs_find(const struct slabs *slabs, uint64_t at, struct slab_object *ret);

#endif
