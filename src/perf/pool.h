/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings kept once each: memory is in proportion to the distinct ones. */
#ifndef PERF_POOL_H
#define PERF_POOL_H

#include "base/mem.h"

/* Zero bytes are a valid empty set. */
struct pool {
	struct arena arena;
	const char **slots; /* hash table of a power of two */
	size_t n, cap;
	const char *last;
};

void pool_release(struct pool *pool);

/* The kept string that equals the @len bytes at @s; the same pointer each time. */
const char *pool_get(struct pool *pool, const char *s, size_t len);

#endif
