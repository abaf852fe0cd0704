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

/* One set of sections: what it has that options->join has not. */
static bool read_set(const struct sections *sections, const struct want *want,
		     const struct dwarf_options *options, struct err *err,
		     struct definitions *ret_found, struct layout *layout)
{
	bool ok = index_find(sections, want, options, err, ret_found);

	if (ok && options->join)
		drop_known(options->join, ret_found);
	ok = ok && fill(sections, ret_found, options->threads, err, layout);
	if (ok)
		layout_sort(layout);
	return ok;
}

/* ---- split DWARF ----------------------------------------------------------------------------- */

struct split_reading {
	struct image *program;
	const struct want *want;
	struct dwarf_options options;
};

static bool read_split(void *arg, struct image *image, const struct sections *sections,
		       struct err *err)
{
	struct split_reading *reading = arg;
	struct definitions found = {0};
	struct layout *layout = layout_new();
	bool ok;

	(void)image;
	describe(reading->program, layout);
	ok = read_set(sections, reading->want, &reading->options, err, &found, layout);
	if (ok)
		join_add(reading->options.join, layout);
	else
		layout_free(layout);
	definitions_release(&found);
	return ok;
}

/* Adds to options->join what is behind the skeletons that were found. */
static bool join_split(struct image *image, const struct sections *sections,
		       struct definitions *found, const struct want *want,
		       const struct dwarf_options *options, struct err *err)
{
	struct split_reading reading = {.program = image, .want = want, .options = *options};

	return split_each(image, sections, found->skeletons, found->nskeletons, read_split,
			  &reading, err);
}

/* Makes of @layout, which is what the program itself has, the whole. */
static bool join_whole(struct image *image, const struct sections *sections,
		       struct definitions *found, const struct want *want,
		       const struct dwarf_options *options, struct err *err, struct layout **layout)
{
	struct dwarf_options own = *options;
	struct want_list missing = {0};
	struct want rest;
	bool ok;

	own.join = join_new();
	own.depth = options->depth == DWARF_BOTH ? DWARF_TOP : options->depth;
	join_add(own.join, *layout);
	*layout = NULL;
	ok = join_split(image, sections, found, want, &own, err);
	rest = join_missing(own.join, want, &missing);
	own.depth = DWARF_INSIDE;
	ok = ok && (options->depth != DWARF_BOTH || !rest.n ||
		    join_split(image, sections, found, &rest, &own, err));
	want_list_release(&missing);
	if (ok)
		*layout = join_finish(own.join, image_path(image));
	else
		join_free(own.join);
	return ok;
}

bool dwarf_read(struct image *image, const struct want *want, const struct dwarf_options *options,
		struct err *err, struct layout **ret)
{
	static const struct dwarf_options usual = {0};
	struct definitions found = {0};
	struct sections sections;
	struct layout *layout;
	bool ok;

	options = options ? options : &usual;
	if (!sections_open(image, err, &sections))
		return false;
	layout = layout_new();
	describe(image, layout);
	ok = read_set(&sections, want, options, err, &found, layout);
	if (ok && found.nskeletons)
		ok = options->join
			     ? join_split(image, &sections, &found, want, options, err)
			     : join_whole(image, &sections, &found, want, options, err, &layout);
	definitions_release(&found);
	sections_close(&sections);
	if (!ok) {
		layout_free(layout);
		return false;
	}
	*ret = layout;
	return true;
}
