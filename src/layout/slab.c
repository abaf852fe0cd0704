/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/slab.h"

#include <stdbool.h>
#include <string.h>

#include "base/math.h"
#include "base/mem.h"

/* ---- kmalloc --------------------------------------------------------------------------------- */

/* A minimum of 8; 96 is there up to a minimum of 32, and 192 up to one of 64. */
static const uint64_t from_8[] = {8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192};
static const uint64_t from_32[] = {32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192};
static const uint64_t from_64[] = {64, 128, 192, 256, 512, 1024, 2048, 4096, 8192};
static const uint64_t from_128[] = {128, 256, 512, 1024, 2048, 4096, 8192};

/*
 * Kernels from `from` on and before `until` (0: to this day), with SLUB, the default since 2.6.23
 * and the only allocator since 6.8; under SLAB 32 was the smallest. What is built in by a choice of
 * the configuration is not in the table: everything before SLUB (x86_64 had lines of 64 or 128
 * bytes, and 96 and 192 with them), mips, ppc, riscv from 6.0 to 6.6 (RISCV_DMA_NONCOHERENT raised
 * the minimum to 64). Since 6.5 arm64, and since 6.7 riscv, choose the minimum at boot: 8 where
 * bounce buffers are there or DMA is coherent, as nearly everywhere.
 *
 * arm has a minimum of its line, 32 or 64 bytes by the configuration: what both have is known,
 * which is all above 96.
 *
 * 8192 is what two pages of 4 KiB take. Machines with larger pages have more, see kmalloc_large().
 */
static const struct bucket_row {
	const char *arch;
	struct kernel_version from, until;
	const uint64_t *sizes;
	size_t n;
	/* What there is with another configuration; NULL: always the same. */
	const uint64_t *others;
	size_t nothers;
} bucket_rows[] = {
	{"x86_64", {2, 6, 32}, {0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"i386", {2, 6, 32}, {0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"s390x", {2, 6, 32}, {0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"ppc64", {2, 6, 32}, {0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"ppc64le", {3, 13, 0}, {0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"arm64", {4, 9, 0}, {6, 5, 0}, from_128, ARRAY_SIZE(from_128), NULL, 0},
	{"arm64", {6, 5, 0}, {0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"riscv64", {4, 15, 0}, {6, 0, 0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"riscv64", {6, 7, 0}, {0}, from_8, ARRAY_SIZE(from_8), NULL, 0},
	{"arm", {3, 0, 0}, {0}, from_32, ARRAY_SIZE(from_32), from_64, ARRAY_SIZE(from_64)},
};

static const struct bucket_row *row_of(const struct target *target)
{
	const struct arch *arch = target->arch ? arch_by_name(target->arch) : NULL;

	if (!arch || !target->has_kernel)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(bucket_rows); i++) {
		const struct bucket_row *row = &bucket_rows[i];

		if (arch_by_name(row->arch) == arch &&
		    kernel_version_compare(target->kernel, row->from) >= 0 &&
		    (!row->until.major || kernel_version_compare(target->kernel, row->until) < 0))
			return row;
	}
	return NULL;
}

const uint64_t *kmalloc_buckets(const struct target *target, size_t *ret_n)
{
	const struct bucket_row *row = row_of(target);

	if (!row || row->others)
		return NULL;
	*ret_n = row->n;
	return row->sizes;
}

/* 0: none is so large. */
static uint64_t first_from(const uint64_t *sizes, size_t n, uint64_t size)
{
	for (size_t i = 0; i < n; i++)
		if (size <= sizes[i])
			return sizes[i];
	return 0;
}

bool kmalloc_bucket(uint64_t size, const struct target *target, uint64_t *ret)
{
	const struct bucket_row *row = row_of(target);
	uint64_t bucket = row && size ? first_from(row->sizes, row->n, size) : 0;

	if (!bucket || (row->others && first_from(row->others, row->nothers, size) != bucket))
		return false;
	*ret = bucket;
	return true;
}

/*
 * Above the largest bucket, kmalloc() takes the next power of two: as pages, or, with larger pages,
 * as a bucket.
 */
static bool kmalloc_large(uint64_t size, const struct target *target, uint64_t *ret)
{
	const struct bucket_row *row = row_of(target);
	uint64_t power;

	if (!row || size <= row->sizes[row->n - 1] || size > UINT64_C(1) << 62)
		return false;
	for (power = row->sizes[row->n - 1]; power < size;)
		power *= 2;
	*ret = power;
	return true;
}

/* ---- strides --------------------------------------------------------------------------------- */

/* False when the sum does not fit. */
static bool round_up(uint64_t value, uint64_t unit, uint64_t *ret)
{
	uint64_t rest = value % unit;

	return !__builtin_add_overflow(value, rest ? unit - rest : 0, ret);
}

/* SLAB_HWCACHE_ALIGN: the line, halved for objects of which two or more fit in one. */
static uint64_t hwcache_alignment(uint64_t size, uint64_t line)
{
	uint64_t align = line;

	while (align > 1 && size <= align / 2)
		align /= 2;
	return align;
}

static bool cache_stride(const struct alloc *alloc, uint64_t size, const struct target *target,
			 uint64_t *ret)
{
	/* arch_slab_minalign(), the alignment of an unsigned long long. */
	uint64_t word = target->bits / 8, align = max_u64(alloc->align, 8), stride;

	if (!word || (alloc->hwcache_align && !target->line))
		return false;
	if (alloc->hwcache_align)
		align = max_u64(align, hwcache_alignment(size, target->line));
	if (!round_up(align, word, &align) || !round_up(max_u64(size, 1), word, &stride))
		return false;
	if (alloc->freeptr == FREEPTR_AFTER && __builtin_add_overflow(stride, word, &stride))
		return false;
	return round_up(stride, align, ret);
}

bool alloc_stride(const struct alloc *alloc, uint64_t size, const struct target *target,
		  uint64_t *ret)
{
	switch (alloc->kind) {
	case ALLOC_KMALLOC:
		return size &&
		       (kmalloc_bucket(size, target, ret) || kmalloc_large(size, target, ret));
	case ALLOC_CACHE:
		return cache_stride(alloc, size, target, ret);
	case ALLOC_UNSAID:
	case ALLOC_STATIC:
	case ALLOC_LINE:
		*ret = size;
		return true;
	}
	return false;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

bool alloc_base(const struct alloc *alloc, uint64_t size, uint64_t type_align, uint64_t granule,
		const struct target *target, uint64_t *ret)
{
	uint64_t multiple = 0;

	switch (alloc->kind) {
	case ALLOC_KMALLOC:
	case ALLOC_CACHE:
		if (!alloc_stride(alloc, size, target, &multiple))
			return false;
		break;
	case ALLOC_STATIC:
		multiple = type_align;
		break;
	case ALLOC_UNSAID:
	case ALLOC_LINE:
		multiple = target->line;
		break;
	}
	if (!multiple || !granule)
		return false;
	*ret = greatest_common_divisor(multiple, granule);
	return true;
}
