/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/dwarf.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "dwarf/decode.h"
#include "dwarf/index.h"
#include "dwarf/locate.h"

bool dwarf_present(struct image *image)
{
	struct err err = ERR_INIT;
	struct section *section = NULL;
	/* One that cannot be read is there: reading it will say why not. */
	bool present = !image_section(image, ".debug_info", &err, &section) || section;

	err_release(&err);
	return present;
}

static unsigned threads_of(const struct dwarf_options *options)
{
	long processors;

	if (options && options->threads)
		return options->threads;
	processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 1 ? 1 : processors > 8 ? 8 : (unsigned)processors;
}

static const char *copy(struct arena *arena, const char *s)
{
	return s ? arena_strdup(arena, s) : NULL;
}

static void describe(struct image *image, struct layout *layout)
{
	const struct target *target = image_target(image);

	layout->path = arena_strdup(&layout->arena, image_path(image));
	layout->source = SOURCE_DWARF;
	layout->knows_align = layout->knows_decl = true;
	layout->target = *target;
	layout->target.arch = copy(&layout->arena, target->arch);
	layout->target.release = copy(&layout->arena, target->release);
	layout->target.build_id = copy(&layout->arena, target->build_id);
	layout->target.module = copy(&layout->arena, target->module);
}

/* Where the definitions are declared, once all are decoded. */
static bool locate(const struct sections *sections, const struct declaration *declared,
		   struct err *err, struct layout *layout)
{
	struct file_query *queries = xcalloc(layout->ndefs, sizeof *queries);
	struct file_query **order = xcalloc(layout->ndefs, sizeof *order);
	size_t n = 0;
	bool ok;

	for (size_t i = 0; i < layout->ndefs; i++) {
		queries[i] = (struct file_query){.line_table = declared[i].line_table,
						 .file = declared[i].file,
						 .address_size = declared[i].address_size,
						 .comp_dir = declared[i].comp_dir};
		if (declared[i].known)
			order[n++] = &queries[i];
	}
	ok = locate_files(sections, order, n, &layout->arena, err);
	for (size_t i = 0; i < layout->ndefs && ok; i++) {
		layout->defs[i].has_decl = queries[i].name && declared[i].line <= UINT_MAX;
		if (!layout->defs[i].has_decl)
			continue;
		layout->defs[i].file = queries[i].name;
		layout->defs[i].line = (unsigned)declared[i].line;
	}
	free(queries);
	free(order);
	return ok;
}

/* What the index found, with its types. */
static bool fill(const struct sections *sections, const struct definitions *found, struct err *err,
		 struct layout *layout)
{
	struct declaration *declared = xcalloc(found->n, sizeof *declared);
	struct decoder decoder;
	bool ok = true;

	layout->defs = arena_array(&layout->arena, found->n, sizeof *layout->defs);
	decoder_init(&decoder, sections, &layout->arena, err);
	for (size_t i = 0; i < found->n && ok; i++) {
		const struct definition *from = &found->items[i];
		struct def *def = &layout->defs[layout->ndefs++];

		*def = (struct def){.name = arena_strdup(&layout->arena, from->name),
				    .scope = copy(&layout->arena, from->scope),
				    .kind = from->kind,
				    .cus = from->cus,
				    .digest = from->digest};
		ok = decode_definition(&decoder, from->section, from->unit, from->at, &declared[i],
				       &def->type);
	}
	ok = ok && locate(sections, declared, err, layout);
	decoder_release(&decoder);
	free(declared);
	return ok;
}

bool dwarf_read(struct image *image, const struct want *want, const struct dwarf_options *options,
		struct err *err, struct layout **ret)
{
	struct definitions found = {0};
	struct sections sections;
	struct layout *layout;
	bool ok;

	if (!sections_open(image, err, &sections))
		return false;
	layout = layout_new();
	describe(image, layout);
	ok = index_find(&sections, want, threads_of(options), err, &found) &&
	     fill(&sections, &found, err, layout);
	definitions_release(&found);
	sections_close(&sections);
	if (!ok) {
		layout_free(layout);
		return false;
	}
	layout_sort(layout);
	*ret = layout;
	return true;
}
