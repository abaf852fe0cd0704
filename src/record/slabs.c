/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/slabs.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_CACHES = 1 << 12, /* a list that has more goes in a circle */
	LONGEST_NAME = 128,
	PAGE_SHIFT = 12,
	MOST_SIZE = 1 << 24,
};

struct cache {
	uint64_t address, size, object_size;
	const char *name;
};

struct slabs {
	const struct memory *memory;
	struct slab_facts facts;
	uint64_t direct, pages; /* where physical 0 and its struct page are */
	struct arena arena;
	struct cache *caches; /* by address */
	size_t n, cap;
};

static bool read_u64(const struct memory *memory, uint64_t address, uint64_t *ret)
{
	return memory_read(memory, address, ret, sizeof *ret);
}

/* Up to a NUL, a byte a time: the page behind it need not be there. */
static bool read_name(struct slabs *slabs, uint64_t address, const char **ret)
{
	char name[LONGEST_NAME];

	for (size_t len = 0; len < sizeof name; len++) {
		if (!memory_read(slabs->memory, address + len, &name[len], 1))
			return false;
		if (!name[len]) {
			*ret = arena_strdup(&slabs->arena, name);
			return len != 0;
		}
	}
	return false;
}

static bool read_cache(struct slabs *slabs, uint64_t address)
{
	struct cache cache = {.address = address};
	uint64_t name;
	uint32_t size, object_size;

	if (!read_u64(slabs->memory, address + slabs->facts.cache_name, &name) ||
	    !read_name(slabs, name, &cache.name) ||
	    !memory_read(slabs->memory, address + slabs->facts.cache_size, &size, sizeof size) ||
	    !memory_read(slabs->memory, address + slabs->facts.cache_object_size, &object_size,
			 sizeof object_size) ||
	    !size || size > MOST_SIZE || object_size > size)
		return false;
	cache.size = size;
	cache.object_size = object_size;
	ARRAY_GROW(slabs->caches, slabs->n, slabs->cap);
	slabs->caches[slabs->n++] = cache;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct cache *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static bool read_caches(struct slabs *slabs, struct err *err)
{
	const struct memory *memory = slabs->memory;
	uint64_t head = slabs->facts.slab_caches, at;

	if (!read_u64(memory, slabs->facts.page_offset_base, &slabs->direct) ||
	    !read_u64(memory, slabs->facts.vmemmap_base, &slabs->pages) ||
	    !read_u64(memory, head, &at))
		return err_set(err, memory->path,
			       "the guest's memory does not have the kernel where it was linked");
	while (at != head)
		if (slabs->n == MOST_CACHES || !read_cache(slabs, at - slabs->facts.cache_list) ||
		    !read_u64(memory, at, &at))
			return err_set(err, memory->path,
				       "the guest's list of slab caches is broken behind %zu",
				       slabs->n);
	if (!slabs->n)
		return err_set(err, memory->path, "the guest has no slab caches");
	qsort(slabs->caches, slabs->n, sizeof *slabs->caches, by_address);
	return true;
}

bool slabs_open(const struct memory *memory, const struct slab_facts *facts, struct err *err,
		struct slabs **ret)
{
	struct slabs *slabs = xcalloc(1, sizeof *slabs);

	slabs->memory = memory;
	slabs->facts = *facts;
	if (read_caches(slabs, err)) {
		*ret = slabs;
		return true;
	}
	slabs_close(slabs);
	return false;
}

void slabs_close(struct slabs *slabs)
{
	if (!slabs)
		return;
	arena_release(&slabs->arena);
	free(slabs->caches);
	free(slabs);
}

/* The struct page of the first page of what that of @at is part of. */
static bool head_page(const struct slabs *slabs, uint64_t at, uint64_t *ret)
{
	uint64_t page = slabs->pages + (at >> PAGE_SHIFT) * slabs->facts.page_size, head;

	if (!read_u64(slabs->memory, page + slabs->facts.compound_head, &head))
		return false;
	*ret = head & 1 ? head - 1 : page; /* the lowest bit tells a tail */
	return *ret >= slabs->pages && *ret <= page;
}

bool slabs_find(const struct slabs *slabs, uint64_t at, struct slab_object *ret)
{
	struct cache key = {0};
	const struct cache *cache;
	uint64_t page, first;

	if (!head_page(slabs, at, &page) ||
	    !read_u64(slabs->memory, page + slabs->facts.slab_cache, &key.address))
		return false;
	cache = bsearch(&key, slabs->caches, slabs->n, sizeof key, by_address);
	if (!cache)
		return false;
	first = (page - slabs->pages) / slabs->facts.page_size << PAGE_SHIFT;
	ret->cache = cache->name;
	ret->size = cache->object_size;
	ret->address = slabs->direct + first + (at - first) / cache->size * cache->size;
	return true;
}
