/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/dwarf.h"

#include "dwarf/fill.h"
#include "layout/join.h"

bool dwarf_present(struct image *image)
{
	struct err err = ERR_INIT;
	struct section *section = NULL;
	/* One that cannot be read is there: reading it will say why not. */
	bool present = !image_section(image, ".debug_info", &err, &section) || section;

	err_release(&err);
	return present;
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

/* Leaves what is not in the join yet. */
static void drop_known(struct join *join, struct definitions *found)
{
	size_t kept = 0;

	for (size_t i = 0; i < found->n; i++) {
		const struct definition *from = &found->items[i];
		const struct def key = {.name = from->name,
					.scope = from->scope,
					.kind = from->kind,
					.cus = from->cus,
					.digest = from->digest};

		if (!join_count(join, &key))
			found->items[kept++] = *from;
	}
	found->n = kept;
}

bool dwarf_read(struct image *image, const struct want *want, const struct dwarf_options *options,
		struct err *err, struct layout **ret)
{
	static const struct dwarf_options usual = {0};
	struct definitions found = {0};
	struct sections sections;
	struct layout *layout;
	bool ok;

	if (!sections_open(image, err, &sections))
		return false;
	layout = layout_new();
	describe(image, layout);
	options = options ? options : &usual;
	ok = index_find(&sections, want, options, err, &found);
	if (ok && options->join)
		drop_known(options->join, &found);
	ok = ok && fill(&sections, &found, options->threads, err, layout);
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
