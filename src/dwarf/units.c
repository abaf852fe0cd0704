/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/units.h"

#include "base/text.h"
#include "dwarf/index.h"

static const char *copy(struct arena *arena, const char *s)
{
	return s ? arena_strdup(arena, s) : NULL;
}

/* What the root DIE says of its unit. */
static bool describe(struct reader *reader, const struct unit *unit, struct arena *arena,
		     struct least_unit *ret)
{
	struct cursor c = unit_cursor(reader, unit, unit->root);
	const char *name = NULL;
	struct die root;

	if (!die_read(reader, unit, &c, &root) ||
	    (die_has(&root, SLOT_NAME) && !unit_string(reader, unit, &root.v[SLOT_NAME], &name)))
		return false;
	ret->unit = copy(arena, name);
	ret->comp_dir = copy(arena, unit->comp_dir);
	ret->bytes = unit->size;
	return true;
}

static bool find_least(struct reader *reader, const struct definition *from, struct arena *arena,
		       struct least_unit *ret)
{
	const struct unit *unit;
	bool ok;

	*ret = (struct least_unit){.name = arena_strdup(arena, from->name),
				   .scope = copy(arena, from->scope),
				   .kind = from->kind,
				   .digest = from->digest};
	if (!from->least_bytes)
		return true;
	if (!fetch_unit(reader, SECTION_INFO, from->least_unit, &unit))
		return false;
	ok = describe(reader, unit, arena, ret);
	fetch_done(reader, unit);
	return ok;
}

static bool find_all(const struct sections *sections, const struct definitions *found,
		     struct err *err, struct arena *arena, struct least_units *ret)
{
	struct reader reader;
	bool ok = true;

	reader_init(&reader, sections, err);
	ret->items = arena_array(arena, found->n, sizeof *ret->items);
	for (ret->n = 0; ok && ret->n < found->n; ret->n++)
		ok = find_least(&reader, &found->items[ret->n], arena, &ret->items[ret->n]);
	foreign_release(&reader);
	reader_release(&reader);
	return ok;
}

bool dwarf_least_units(struct image *image, const struct want *want, struct err *err,
		       struct arena *arena, struct least_units *ret)
{
	struct definitions found = {0};
	struct sections sections;
	bool ok;

	if (!sections_open(image, err, &sections))
		return false;
	ok = index_find(&sections, want, &(struct dwarf_options){0}, err, &found) &&
	     (!found.nskeletons || err_set(err, image_path(image),
					   "its debug info is split, and units of .dwo files are "
					   "not looked at for this")) &&
	     find_all(&sections, &found, err, arena, ret);
	definitions_release(&found);
	sections_close(&sections);
	return ok;
}

const struct least_unit *least_unit_of(const struct least_units *units, const struct def *def)
{
	for (size_t i = 0; i < units->n; i++) {
		const struct least_unit *unit = &units->items[i];

		if (unit->kind == def->kind && unit->digest == def->digest &&
		    text_same(unit->name, def->name) && text_same(unit->scope, def->scope))
			return unit;
	}
	return NULL;
}
