/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/decode.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/expr.h"
#include "dwarf/names.h"
#include "dwarf/types.h"

/* In a memo, of a type that is being decoded. */
enum { OPEN = 0xfffffffe };

void decoder_init(struct decoder *d, const struct sections *sections, struct arena *arena,
		  struct err *err)
{
	struct type void_type = {.kind = TYPE_VOID, .spelling = "void"};

	*d = (struct decoder){.unit = NULL};
	d->most_named = names_most(sections);
	reader_init(&d->reader, sections, err);
	d->reader.takes_skeletons = true; /* the index has seen to what they leave out */
	cons_init(&d->cons, arena);
	memo_init(&d->here);
	memo_init(&d->elsewhere);
	memo_init(&d->spelled_here);
	memo_init(&d->spelled_elsewhere);
	d->void_type = arena_copy(arena, &void_type, sizeof void_type);
}

void decoder_release(struct decoder *d)
{
	if (d->unit)
		fetch_done(&d->reader, d->unit);
	foreign_release(&d->reader);
	reader_release(&d->reader);
	cons_release(&d->cons);
	memo_release(&d->here);
	memo_release(&d->elsewhere);
	memo_release(&d->spelled_here);
	memo_release(&d->spelled_elsewhere);
	arena_release(&d->scratch);
	free(d->types);
	free(d->spellings);
	free(d->stack);
	free(d->dimensions);
}

/* ---- common parts ---------------------------------------------------------------------------- */

bool decode_name(struct decoder *d, struct place place, const struct die *die, const char **ret)
{
	const char *name;

	*ret = NULL;
	if (!die_has(die, SLOT_NAME))
		return true;
	if (!unit_string(&d->reader, place.unit, &die->v[SLOT_NAME], &name))
		return false;
	d->named += strlen(name);
	if (!names_are_few(d->reader.sections->path, d->named, d->most_named, d->reader.err))
		return false;
	*ret = cons_string(&d->cons, name);
	return true;
}

static void set_size(struct type *type, uint64_t bytes)
{
	type->has_size = bytes <= UINT64_MAX / 8;
	type->bits = type->has_size ? bytes * 8 : 0;
}

void decode_size(struct decoder *d, struct type *type, const struct die *die)
{
	uint64_t number;

	if (die_has(die, SLOT_BYTE_SIZE)) {
		if (value_number(&d->reader, &die->v[SLOT_BYTE_SIZE], &number))
			set_size(type, number);
	} else if (die_has(die, SLOT_BIT_SIZE) &&
		   value_number(&d->reader, &die->v[SLOT_BIT_SIZE], &number)) {
		type->has_size = true;
		type->bits = number;
	}
	if (die_has(die, SLOT_ALIGNMENT)) {
		type->has_align = true;
		type->align = die->v[SLOT_ALIGNMENT].u;
	}
}

const struct type *decode_finish(struct decoder *d, struct type *type, struct spelling spelling)
{
	const char *text = spell_join(spelling, NULL, &d->scratch);

	type->spelling = cons_string(&d->cons, text);
	type->name_at = strlen(spelling.before);
	return cons(&d->cons, type, sizeof *type);
}

/* ---- types that hold nothing ----------------------------------------------------------------- */

/* Without a size of its own it has that of the type below: enumerations, subranges. */
static bool decode_plain(struct decoder *d, struct place place, const struct die *die,
			 struct type *type)
{
	const struct type *below;

	type->kind = die->abbrev->tag == DW_TAG_enumeration_type ? TYPE_ENUM : TYPE_BASE;
	decode_size(d, type, die);
	if (!decode_name(d, place, die, &type->name))
		return false;
	/* std::nullptr_t, which is as large as any pointer. */
	if (die->abbrev->tag == DW_TAG_unspecified_type && type->name &&
	    strcmp(type->name, "decltype(nullptr)") == 0 && !type->has_size)
		set_size(type, place.unit->params.address_size);
	if (type->has_size || !die_has(die, SLOT_TYPE))
		return true;
	if (!decode_type_of(d, place, die, &below))
		return false;
	type->has_size = below->has_size;
	type->bits = below->bits;
	return true;
}

static bool decode_pointer(struct decoder *d, struct place place, const struct die *die,
			   struct type *type)
{
	uint64_t size;

	if (!pointer_size(&d->reader, place, die, &size))
		return false;
	decode_size(d, type, die);
	set_size(type, size);
	type->kind = TYPE_POINTER;
	return true;
}

static bool decode_alias(struct decoder *d, struct place place, const struct die *die,
			 struct type *type)
{
	bool named =
		die->abbrev->tag == DW_TAG_typedef || die->abbrev->tag == DW_TAG_template_alias;
	const struct type *target;

	type->kind = named ? TYPE_TYPEDEF : TYPE_QUALIFIER;
	if (!decode_type_of(d, place, die, &target) || !decode_name(d, place, die, &type->name))
		return false;
	type->has_size = target->has_size;
	type->bits = target->bits;
	type->has_align = target->has_align;
	type->align = target->align;
	if (die_has(die, SLOT_ALIGNMENT)) {
		type->has_align = true;
		type->align = die->v[SLOT_ALIGNMENT].u;
	}
	type->target = target == d->void_type ? NULL : target;
	return true;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static const struct type *make_array(struct decoder *d, const struct type *element,
				     struct spelling spelling, struct dimension dimension,
				     uint64_t stride)
{
	struct type type = {.kind = TYPE_ARRAY,
			    .target = element,
			    .has_count = dimension.has_count,
			    .count = dimension.count,
			    .has_align = element->has_align,
			    .align = element->align};

	type.has_size = dimension.has_count && (stride || element->has_size) &&
			!__builtin_mul_overflow(stride ? stride : element->bits, dimension.count,
						&type.bits);
	if (!type.has_size)
		type.bits = 0;
	return decode_finish(d, &type, spelling);
}

/*
 * An array that lies elsewhere, as a Fortran pointer or allocatable member does: in its place is a
 * descriptor, which holds the address and the bounds, and is as long as what is read of it.
 */
static bool decode_elsewhere(struct decoder *d, struct place place, const struct die *die,
			     struct cursor c, struct type *whole)
{
	uint64_t bytes;

	if (!decode_descriptor(d, place, die, &c, &bytes))
		return false;
	whole->kind = TYPE_BASE;
	whole->target = NULL;
	whole->has_count = whole->has_align = false;
	whole->count = whole->align = 0;
	set_size(whole, bytes);
	whole->has_size = bytes != 0;
	return true;
}

/* int a[2][3]: from the last dimension outwards. What the DIE says of its size holds for the whole.
 */
static bool decode_array(struct decoder *d, struct place place, const struct die *die,
			 struct cursor *c, const struct type **ret)
{
	size_t first = d->ndimensions;
	struct cursor dimensions = *c;
	struct spelling spelling;
	uint64_t stride;
	struct type whole;

	if (!decode_type_of(d, place, die, ret) || !decode_spelling_of(d, place, die, &spelling) ||
	    !decode_dimensions(d, place, die, c))
		return false;
	stride = array_stride(&d->reader, die);
	while (d->ndimensions > first) {
		struct dimension dimension = d->dimensions[--d->ndimensions];

		spelling = spell_array(spelling, dimension.has_count, dimension.count, &d->scratch);
		*ret = make_array(d, *ret, spelling, dimension, stride);
		stride = 0;
	}
	whole = **ret;
	if (die_has(die, SLOT_DATA_LOCATION) &&
	    !decode_elsewhere(d, place, die, dimensions, &whole))
		return false;
	decode_size(d, &whole, die);
	*ret = cons(&d->cons, &whole, sizeof whole);
	return true;
}

/* ---- any type -------------------------------------------------------------------------------- */

/* A declaration may stand for the type that a type unit defines. */
static bool decode_signed(struct decoder *d, struct place place, const struct die *die,
			  const struct type **ret)
{
	struct place target;
	bool ok;

	if (!follow(&d->reader, place, &die->v[SLOT_SIGNATURE], &target))
		return false;
	ok = decode_type(d, target, ret);
	follow_done(&d->reader, place, target);
	return ok;
}

static bool decode_at(struct decoder *d, struct place place, const struct type **ret)
{
	struct type type = {.kind = TYPE_FUNCTION};
	struct spelling spelling;
	struct cursor c;
	struct die die;
	bool ok = true;

	if (!read_at(&d->reader, place, &die, &c))
		return false;
	if (die_has(&die, SLOT_SIGNATURE))
		return decode_signed(d, place, &die, ret);
	switch (type_class(die.abbrev->tag)) {
	case CLASS_COMPOSITE:
		return decode_composite(d, place, &die, &c, ret);
	case CLASS_ARRAY:
		return decode_array(d, place, &die, &c, ret);
	case CLASS_PLAIN:
		ok = decode_plain(d, place, &die, &type);
		break;
	case CLASS_POINTER:
		ok = decode_pointer(d, place, &die, &type);
		break;
	case CLASS_ALIAS:
		ok = decode_alias(d, place, &die, &type);
		break;
	case CLASS_FUNCTION:
		if (place.unit->is_go)
			set_size(&type, place.unit->params.address_size);
		break;
	case CLASS_NONE:
		return unit_fail(&d->reader, place.unit, place.at, "tag 0x%x is no type",
				 die.abbrev->tag);
	}
	if (!ok || !decode_spelling(d, place, &spelling))
		return false;
	*ret = decode_finish(d, &type, spelling);
	return true;
}

bool decode_type(struct decoder *d, struct place place, const struct type **ret)
{
	bool home = place.unit == d->unit;
	struct memo *memo = home ? &d->here : &d->elsewhere;
	uint64_t key = home ? place.at : place_key(place);
	uint32_t known = memo_get(memo, key);
	bool ok;

	if (known < OPEN) {
		*ret = d->types[known];
		return true;
	}
	if (known == OPEN || d->nesting == DECODE_NESTING_MAX)
		return unit_fail(&d->reader, place.unit, place.at,
				 known == OPEN ? "the type holds itself"
					       : "types are nested too deeply");
	memo_set(memo, key, OPEN);
	d->nesting++;
	ok = decode_at(d, place, ret);
	d->nesting--;
	if (!ok)
		return false;
	memo_set(memo, key, (uint32_t)d->ntypes);
	ARRAY_GROW(d->types, d->ntypes, d->cap_types);
	d->types[d->ntypes++] = *ret;
	return true;
}

bool decode_type_of(struct decoder *d, struct place place, const struct die *die,
		    const struct type **ret)
{
	struct place target;
	bool ok;

	*ret = d->void_type;
	if (!die_has(die, SLOT_TYPE))
		return true;
	if (!follow(&d->reader, place, &die->v[SLOT_TYPE], &target))
		return false;
	ok = decode_type(d, target, ret);
	follow_done(&d->reader, place, target);
	return ok;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static bool go_to_unit(struct decoder *d, enum unit_section section, uint64_t offset)
{
	if (d->unit && d->unit->section == section && d->unit->offset == offset)
		return true;
	if (d->unit)
		fetch_done(&d->reader, d->unit);
	d->unit = NULL;
	memo_forget(&d->here);
	memo_forget(&d->spelled_here);
	memo_forget(&d->elsewhere);
	memo_forget(&d->spelled_elsewhere);
	arena_release(&d->scratch);
	d->ntypes = d->nspellings = 0;
	return fetch_unit(&d->reader, section, offset, &d->unit);
}

static void note_declaration(struct decoder *d, struct place place, const struct die *die,
			     struct declaration *ret)
{
	const struct unit *unit = place.unit;

	if (ret->known || !unit->has_line_table ||
	    !die_declaration(&d->reader, unit, die, &ret->file, &ret->line))
		return;
	ret->known = true;
	ret->lines = unit->lines;
	ret->line_table = unit->line_table;
	ret->address_size = unit->params.address_size;
	if (unit->comp_dir)
		ret->comp_dir = cons_string(&d->cons, unit->comp_dir);
}

/* Through qualifiers down to the struct or union, which knows best where it is declared. */
static bool decode_behind(struct decoder *d, struct place place, struct declaration *declared,
			  const struct type **ret)
{
	struct place target;
	struct cursor c;
	struct die die;
	bool ok;

	if (!read_at(&d->reader, place, &die, &c))
		return false;
	if (type_class(die.abbrev->tag) == CLASS_ALIAS && die_has(&die, SLOT_TYPE)) {
		if (!follow(&d->reader, place, &die.v[SLOT_TYPE], &target))
			return false;
		ok = decode_behind(d, target, declared, ret);
		follow_done(&d->reader, place, target);
	} else {
		ok = decode_type(d, place, ret);
	}
	note_declaration(d, place, &die, declared);
	return ok;
}

bool decode_definition(struct decoder *d, enum unit_section section, uint64_t offset, uint32_t at,
		       struct declaration *ret_declared, const struct type **ret)
{
	*ret_declared = (struct declaration){.known = false};
	return go_to_unit(d, section, offset) &&
	       decode_behind(d, (struct place){d->unit, at}, ret_declared, ret);
}
