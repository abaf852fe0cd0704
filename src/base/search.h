/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a number is in an array that ascends by one: the position, from 0 to the number of items.
 * Of structs @member is the name of the uint64_t they ascend by; several may have the same.
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first of @n items of @size bytes whose number, @at bytes into each, is not below @key. */
static inline size_t search_u64(const void *items, size_t n, size_t size, size_t at, uint64_t key)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;
		uint64_t number;

		memcpy(&number, (const char *)items + middle * size + at, sizeof number);
		if (number < key)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* The member's offset; a compile error unless it is 64 bits wide. */
#define SEARCH_AT(items, member)                                                                   \
	(offsetof(__typeof__(*(items)), member) +                                                  \
	 0 * sizeof(char[sizeof((items)->member) == sizeof(uint64_t) ? 1 : -1]))

/* The first that is not below @key, and the first that is above it. */
#define FIRST_FROM(items, n, member, key)                                                          \
	search_u64((items), (n), sizeof *(items), SEARCH_AT(items, member), (key))
#define FIRST_ABOVE(items, n, member, key)                                                         \
	((key) == UINT64_MAX ? (n) : FIRST_FROM(items, n, member, (key) + 1))

#endif
