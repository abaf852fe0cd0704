/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"

/* A page fault a page is what reading 5 MB of BTF is mostly made of: large memory asks for large
 * pages. A machine that has none gives small ones. */
enum { LARGE_PAGE = 2 << 20 };

static void *allocate_large(size_t size)
{
	void *p;

	if (posix_memalign(&p, LARGE_PAGE, size) != 0)
		return NULL;
	madvise(p, size - size % LARGE_PAGE, MADV_HUGEPAGE);
	return p;
}

void *xmalloc(size_t size)
{
	void *p = size < LARGE_PAGE ? malloc(size ? size : 1) : allocate_large(size);

	if (!p)
		die_oom();
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		die_oom();
	return p;
}

void *xrealloc_array(void *old, size_t n, size_t size)
{
	void *p = reallocarray(old, n ? n : 1, size ? size : 1);

	if (!p)
		die_oom();
	return p;
}

char *xstrdup(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(xmalloc(size), s, size);
}

enum { BLOCK_SIZE = 64 * 1024 };

struct arena_block {
	struct arena_block *before;
	size_t used, size;
	alignas(max_align_t) unsigned char data[];
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){0};
}

void arena_release(struct arena *arena)
{
	struct arena_block *block = arena->last;

	while (block) {
		struct arena_block *before = block->before;

		free(block);
		block = before;
	}
	arena_init(arena);
}

void arena_adopt(struct arena *arena, struct arena *from)
{
	struct arena_block *first = from->last;

	if (!first)
		return;
	while (first->before)
		first = first->before;
	/* Behind the current block, whose room is still good. */
	if (arena->last) {
		first->before = arena->last->before;
		arena->last->before = from->last;
	} else {
		arena->last = from->last;
	}
	arena->total += from->total;
	arena_init(from);
}

static struct arena_block *add_block(struct arena *arena, size_t size)
{
	struct arena_block *block;

	if (size > SIZE_MAX - sizeof *block)
		die_oom();
	block = xmalloc(sizeof *block + size);
	block->used = 0;
	block->size = size;
	arena->total += sizeof *block + size;
	/* An oversized block goes behind the current one, whose room is still good. */
	if (arena->last && size > BLOCK_SIZE) {
		block->before = arena->last->before;
		arena->last->before = block;
	} else {
		block->before = arena->last;
		arena->last = block;
	}
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->last;
	void *p;

	if (size > SIZE_MAX - alignof(max_align_t))
		die_oom();
	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!block || size > block->size - block->used)
		block = add_block(arena, size > BLOCK_SIZE ? size : BLOCK_SIZE);
	p = block->data + block->used;
	block->used += size;
	return memset(p, 0, size);
}

void *arena_array(struct arena *arena, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		die_oom();
	return arena_alloc(arena, n * size);
}

void *arena_copy(struct arena *arena, const void *data, size_t size)
{
	void *p = arena_alloc(arena, size);

	return size ? memcpy(p, data, size) : p;
}

void *arena_grow(struct arena *arena, const void *items, size_t n, size_t size)
{
	char *more;

	/* It is full when it holds a power of two. */
	if (n & (n - 1))
		return (void *)(uintptr_t)items;
	more = arena_array(arena, n ? 2 * n : 1, size);
	if (n)
		memcpy(more, items, n * size);
	return more;
}

char *arena_strndup(struct arena *arena, const char *s, size_t len)
{
	char *p = arena_alloc(arena, len + 1);

	if (len)
		memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *arena, const char *s)
{
	return arena_strndup(arena, s, strlen(s));
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list ap, again;
	int len;
	char *p;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		BUG("vsnprintf failed");
	p = arena_alloc(arena, (size_t)len + 1);
	vsnprintf(p, (size_t)len + 1, fmt, again);
	va_end(again);
	return p;
}
