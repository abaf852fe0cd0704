// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What our readers make of an image, for tests/kernels/compare: a line of JSON for each definition,
 * straight from the model. `show` says the same in bytes; here are bits, and what is inside a named
 * member of an anonymous type. All definitions, or those of the names given.
 *
 * *	dump dwarf|btf IMAGE [NAME]...
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "btf/btf.h"
#include "dwarf/dwarf.h"
#include "layout/geometry.h"

static json_t *text(const char *s)
{
	return s ? json_string(s) : json_null();
}

/* The anonymous struct or union that the declaration of a member has in it, through arrays. */
static const struct type *anonymous_inside(const struct type *type)
{
	while (type && type->kind != TYPE_TYPEDEF &&
	       (type->kind == TYPE_ARRAY || type->kind == TYPE_QUALIFIER))
		type = type->target;
	if (!type || type->name || (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
		return NULL;
	return type;
}

static json_t *members_of(const struct type *type)
{
	json_t *array = json_array();

	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *m = &type->members[i];
		const struct type *inside = anonymous_inside(m->type);
		json_t *member =
			json_pack("{so, ss, sI, sI, sb, sb, sb, sb, sI}", "name", text(m->name),
				  "type", m->type->spelling, "offset", (json_int_t)m->bit_offset,
				  "size", (json_int_t)m->bit_size, "bits", m->is_bitfield,
				  "flexible", m->is_flexible, "marker", m->is_marker, "dynamic",
				  m->is_dynamic, "of", (json_int_t)m->type->bits);

		if (inside)
			json_object_set_new(member, "members", members_of(inside));
		json_array_append_new(array, member);
	}
	return array;
}

static void print_def(const struct def *def)
{
	const struct type *type = def->type;
	struct arena arena = {0};
	struct geometry g;
	json_t *line;

	geometry_of(type, 64, &arena, &g);
	line = json_pack("{ss, so, ss, sb, sI, so, si, si, sI, so, sI, sI, sI, sI, sI, sI}", "name",
			 def->name, "scope", text(def->scope), "kind", def_kind_word(def->kind),
			 "union", type->kind == TYPE_UNION, "size", (json_int_t)type->bits, "file",
			 text(def->file), "line", def->line, "cus", def->cus, "align",
			 type->has_align ? (json_int_t)type->align : 0, "members", members_of(type),
			 "holes", (json_int_t)g.holes, "hole_bytes", (json_int_t)g.hole_bytes,
			 "bit_holes", (json_int_t)g.bit_holes, "bit_hole_bits",
			 (json_int_t)g.bit_hole_bits, "padding", (json_int_t)g.padding,
			 "bit_padding", (json_int_t)g.bit_padding);
	json_dumpf(line, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(line);
	arena_release(&arena);
}

static bool read_image(const char *reader, const char *path, const struct want *want,
		       struct err *err, struct layout **ret)
{
	const struct image_options options = {.no_separate = true};
	struct image *image = NULL;
	bool ok = image_open(path, &options, err, &image);

	if (ok && strcmp(reader, "btf") == 0)
		ok = btf_read(image, NULL, want, &(struct btf_options){0}, err, ret);
	else if (ok)
		ok = dwarf_read(image, want, &(struct dwarf_options){0}, err, ret);
	image_close(image);
	return ok;
}

int main(int argc, char **argv)
{
	struct want_list names = {0};
	struct want want = {.all = true};
	struct err err = ERR_INIT;
	struct layout *layout = NULL;

	if (argc < 3 || (strcmp(argv[1], "dwarf") != 0 && strcmp(argv[1], "btf") != 0)) {
		fprintf(stderr, "usage: %s dwarf|btf IMAGE [NAME]...\n", argv[0]);
		return 2;
	}
	for (int i = 3; i < argc; i++)
		want_list_add(&names, argv[i]);
	if (names.n)
		want = want_list_finish(&names);
	if (!read_image(argv[1], argv[2], &want, &err, &layout)) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	for (size_t i = 0; i < layout->ndefs; i++)
		print_def(&layout->defs[i]);
	layout_free(layout);
	want_list_release(&names);
	return fflush(stdout) == 0 ? 0 : 2;
}
