/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arithmetic on 64-bit numbers that may come from a broken file: what does not fit stays at the
 * largest number there is, and never wraps round to a small one.
 */
#ifndef BASE_MATH_H
#define BASE_MATH_H

#include <stdint.h>

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Below, at or above 0, for qsort(). */
static inline int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static inline uint64_t add_capped(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t multiply_capped(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

#endif
