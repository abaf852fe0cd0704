/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory. Every allocator here returns memory or ends the process (die_oom), so no caller tests for
 * NULL. Most data lives in an arena and is freed with it; there is no per-node free.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size); /* zeroed; the product is checked */
void *xrealloc_array(void *old, size_t n, size_t size);
char *xstrdup(const char *s);

/*
 * Makes room for one more element in a malloc'd array: `items`, `n` used, `cap` allocated.
 *	ARRAY_GROW(list->items, list->n, list->cap);
 *	list->items[list->n++] = x;
 */
#define ARRAY_GROW(items, n, cap)                                                                  \
	do {                                                                                       \
		if ((n) == (cap)) {                                                                \
			(cap) = (cap) ? (cap)*2 : 8;                                               \
			(items) = xrealloc_array((items), (cap), sizeof *(items));                 \
		}                                                                                  \
	} while (0)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof *(a))

/* Memory that lives until arena_release(). Zero bytes are a valid empty arena. Not thread-safe: one
 * each. */
struct arena {
	struct arena_block *last;
	size_t total; /* bytes allocated from the system, for the statistics of -v and the tests */
};

void arena_init(struct arena *arena);
void arena_release(struct arena *arena);

/* What is in @from is in @arena from now on; nothing moves. */
void arena_adopt(struct arena *arena, struct arena *from);

void *arena_alloc(struct arena *arena, size_t size); /* zeroed, aligned for any type */
void *arena_array(struct arena *arena, size_t n,
		  size_t size); /* the same; the product is checked */
void *arena_copy(struct arena *arena, const void *data, size_t size);
/*
 * Room behind the @n items of an array that begins with none and grows by this alone, one item a
 * time: where they are now. Those that were handed out before stay where they were.
 */
void *arena_grow(struct arena *arena, const void *items, size_t n, size_t size);
char *arena_strdup(struct arena *arena, const char *s);
char *arena_strndup(struct arena *arena, const char *s, size_t len); /* NUL added */
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
