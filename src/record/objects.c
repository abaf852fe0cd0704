/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/objects.h"

#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"
#include "record/memory.h"

struct line_seen {
	uint64_t address, physical; /* of its first byte */
};

static int compare_lines(const void *left, const void *right)
{
	const struct line_seen *a = left, *b = right;

	return compare_u64(a->address, b->address);
}

/* The lines of the direct map, where the allocator's objects are, that somebody fought over; each
 * once, malloc'd. */
static struct line_seen *fought_lines(const struct trace *trace, uint64_t direct, size_t *ret_n)
{
	uint64_t mask = ~(trace->header->line - 1);
	struct line_seen *lines = xcalloc(trace->header->naccesses, sizeof *lines);
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < trace->header->naccesses; i++) {
		const struct trace_access *access = &trace->accesses[i];

		if (trace_access_met(access) && access->address - direct == access->physical)
			lines[n++] =
				(struct line_seen){access->address & mask, access->physical & mask};
	}
	if (n)
		qsort(lines, n, sizeof *lines, compare_lines);
	for (size_t i = 0; i < n; i++)
		if (!kept || lines[kept - 1].address != lines[i].address)
			lines[kept++] = lines[i];
	*ret_n = kept;
	return lines;
}

struct object_list {
	struct line_object *items;
	size_t n, cap;
};

/* Objects are aligned to words: one may begin at each. */
enum { WORD = 8 };

static void add_objects(const struct slabs *slabs, const struct line_seen *line, uint64_t size,
			struct arena *arena, struct object_list *list)
{
	struct slab_object object;
	uint64_t last = 0;

	for (uint64_t at = 0; at < size; at += WORD) {
		uint64_t address = line->address + at;

		if (!slabs_find(slabs, line->physical + at, &object) || object.address == last)
			continue;
		last = object.address;
		/* Behind what users have of it the line is the allocator's. */
		if (address - object.address >= object.size)
			continue;
		ARRAY_GROW(list->items, list->n, list->cap);
		list->items[list->n++] =
			(struct line_object){line->address, object.address, object.size,
					     arena_strdup(arena, object.cache)};
	}
}

static void walk(const struct slabs *slabs, const struct trace *trace, uint64_t direct,
		 struct arena *arena, struct object_list *list)
{
	size_t n;
	struct line_seen *lines = fought_lines(trace, direct, &n);

	for (size_t i = 0; i < n; i++)
		add_objects(slabs, &lines[i], trace->header->line, arena, list);
	free(lines);
}

bool objects_find(const struct objects_source *source, const struct trace *trace,
		  struct arena *arena, struct err *err, struct line_object **ret, size_t *ret_n)
{
	struct object_list list = {0};
	struct slabs *slabs = NULL;
	struct memory memory;
	bool ok;

	if (!memory_open(source->snapshot, source->page_table, err, &memory))
		return false;
	ok = slabs_open(&memory, &source->facts, err, &slabs);
	if (ok)
		walk(slabs, trace, source->direct, arena, &list);
	slabs_close(slabs);
	memory_close(&memory);
	*ret = list.items;
	*ret_n = list.n;
	return ok;
}
