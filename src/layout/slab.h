/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slab arithmetic: where objects begin, and which kmalloc bucket takes one. Bytes throughout.
 * Sources: mm/slab_common.c (kmalloc_info, calculate_alignment), mm/slub.c (calculate_sizes,
 * calculate_order),
 * include/linux/slab.h (KMALLOC_MIN_SIZE), arch/<arch>/include/asm/cache.h (ARCH_KMALLOC_MINALIGN).
 */
#ifndef LAYOUT_SLAB_H
#define LAYOUT_SLAB_H

#include <stddef.h>

#include "layout/target.h"

enum alloc_kind {
	ALLOC_UNSAID, /* the pack does not say: every base that the line allows is assumed to be 0,
			 and said once */
	ALLOC_KMALLOC,
	ALLOC_STATIC, /* a variable: aligned as the type is */
	ALLOC_LINE,   /* aligned to the line */
	ALLOC_CACHE,  /* a kmem_cache of its own */
};

enum freeptr {
	FREEPTR_INSIDE,
	FREEPTR_AFTER
}; /* SLUB's free pointer: in the object, or one word behind it */

struct alloc {
	enum alloc_kind kind;
	const char *cache; /* ALLOC_CACHE: its name */
	bool hwcache_align;
	enum freeptr freeptr;
	uint64_t align; /* kmem_cache_create()'s align; 0: none given */
};

/*
 * Distance between the starts of two objects of @size bytes: the bucket, or the size with its free
 * pointer and rounding; for the other kinds, which promise nothing of what follows, the size.
 * False: cannot be told (kmalloc on an unknown pair of arch and version, hwcache_align and no
 * line).
 */
bool alloc_stride(const struct alloc *alloc, uint64_t size, const struct target *target,
		  uint64_t *ret);

/*
 * What the allocator guarantees of an object's address: a multiple of the result, itself a divisor
 * of @granule: gcd(stride, granule). Without alloc: of the line, and ALLOC_UNSAID is for the report
 * to mention. @type_align: bytes, 0 when not known; a variable's alignment. False: cannot be told.
 */
bool alloc_base(const struct alloc *alloc, uint64_t size, uint64_t type_align, uint64_t granule,
		const struct target *target, uint64_t *ret);

/* The bucket sizes of kmalloc() for this target, ascending; NULL: unknown pair of arch and version,
 * or a choice of the configuration. */
const uint64_t *kmalloc_buckets(const struct target *target, size_t *ret_n);

/* The bucket that kmalloc(@size) lands in, whatever the configuration; false: unknown target,
 * larger than the largest bucket, or nothing at all. */
bool kmalloc_bucket(uint64_t size, const struct target *target, uint64_t *ret);

/*
 * The order of the slabs of a cache whose objects begin every @stride bytes: a slab is 2^order
 * pages. SLUB chooses it by the number of processors that were present when the cache was made,
 * unless the command line of the kernel says otherwise. False: the size of a page or the version is
 * not known, or no slab is large enough.
 */
bool slab_order(uint64_t stride, unsigned cpus, const struct target *target, unsigned *ret);

/* Bytes of a slab of that order. False: the size of a page is not known, or no slab is so large. */
bool slab_bytes(unsigned order, const struct target *target, uint64_t *ret);

/* How many objects a slab of the order that SLUB chooses holds. False as above. */
bool slab_objects(uint64_t stride, unsigned cpus, const struct target *target, uint64_t *ret);

#endif
