/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the walk over a guest's slabs has to know of its kernel. */
#include "cli/record_run.h"
#include "elf/image.h"

static bool find_symbols(struct record *record, struct err *err)
{
	struct slab_facts *facts = &record->slabs.facts;
	const struct {
		const char *name;
		uint64_t *ret;
	} symbols[] = {
		{"page_offset_base", &facts->page_offset_base},
		{"vmemmap_base", &facts->vmemmap_base},
		{"slab_caches", &facts->slab_caches},
		{"init_top_pgt", &record->slabs.page_table},
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
	struct slab_facts *facts = &record->slabs.facts;

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
