/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the slab allocator of a guest had on the lines that were fought over. */
#include <stdlib.h>

#include "base/math.h"
#include "cli/record_run.h"
#include "elf/image.h"
#include "record/memory.h"

/* ---- what is known of the kernel ------------------------------------------------------------ */

static bool find_symbols(struct record *record, struct err *err)
{
	struct slab_facts *facts = &record->slab_facts;
	const struct {
		const char *name;
		uint64_t *ret;
	} symbols[] = {
		{"page_offset_base", &facts->page_offset_base},
		{"vmemmap_base", &facts->vmemmap_base},
		{"slab_caches", &facts->slab_caches},
		{"init_top_pgt", &record->page_table},
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (!image_symbol(source_image(record->source), symbols[i].name, symbols[i].ret,
				  &(uint64_t){0}))
			return err_set(err, source_path(record->source),
				       "has no symbol `%s`, which --objects needs",
				       symbols[i].name);
	return true;
}

static bool find_members(struct record *record, const struct record_facts *from)
{
	struct slab_facts *facts = &record->slab_facts;

	return record_size(from, "page", &facts->page_size) &&
	       record_offset(from, "page", "compound_head", &facts->compound_head) &&
	       record_offset(from, "slab", "slab_cache", &facts->slab_cache) &&
	       record_offset(from, "kmem_cache", "list", &facts->cache_list) &&
	       record_offset(from, "kmem_cache", "name", &facts->cache_name) &&
	       record_offset(from, "kmem_cache", "size", &facts->cache_size) &&
	       record_offset(from, "kmem_cache", "object_size", &facts->cache_object_size);
}

bool record_slab_facts(struct record *record, struct err *err)
{
	static const char *const names[] = {"page", "slab", "kmem_cache"};
	const struct want want = {.names = names, .n = ARRAY_SIZE(names)};
	struct record_facts facts = {.record = record, .err = err};
	struct layout *layout;
	bool ok;

	if (!find_symbols(record, err) || !source_read(record->source, &want, err, &layout))
		return false;
	facts.layout = layout;
	ok = find_members(record, &facts);
	layout_free(layout);
	return ok;
}

/* ---- the walk ------------------------------------------------------------------------------- */

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
static struct line_seen *fought_lines(const struct record *record, const struct trace *trace,
				      size_t *ret_n)
{
	uint64_t direct = record->machine.plugin.direct, mask = ~(trace->header->line - 1);
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

bool record_objects(struct record *record, const struct trace *trace, struct err *err,
		    struct line_object **ret, size_t *ret_n)
{
	struct object_list list = {0};
	struct line_seen *lines;
	struct slabs *slabs = NULL;
	struct memory memory;
	size_t n;

	if (!memory_open(record->machine.plugin.snapshot, record->page_table, err, &memory))
		return false;
	if (!slabs_open(&memory, &record->slab_facts, err, &slabs)) {
		memory_close(&memory);
		return false;
	}
	lines = fought_lines(record, trace, &n);
	for (size_t i = 0; i < n; i++)
		add_objects(slabs, &lines[i], trace->header->line, &record->arena, &list);
	free(lines);
	slabs_close(slabs);
	memory_close(&memory);
	*ret = list.items;
	*ret_n = list.n;
	return true;
}
