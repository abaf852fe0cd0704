/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/ctype.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/expr.h"
#include "dwarf/types.h"
#include "layout/spell.h"

/* Typedefs and qualifiers on the way to a type, and types in one another. */
enum { ALIASES_MAX = 64, NESTING_MAX = 32 };

/* Types looked at for one question; unions of unions would make it endless. */
enum { STEPS_MAX = 20000 };

void ctypes_init(struct ctypes *types, struct reader *reader, struct arena *arena)
{
	*types = (struct ctypes){.reader = reader, .arena = arena};
	memo_init(&types->known);
}

void ctypes_end(struct ctypes *types)
{
	for (size_t i = 0; i < types->nheld; i++)
		fetch_done(types->reader, types->held[i]);
	types->nheld = types->n = 0;
	memo_forget(&types->known);
}

void ctypes_release(struct ctypes *types)
{
	ctypes_end(types);
	memo_release(&types->known);
	free(types->items);
	free(types->held);
}

bool ctypes_follow(struct ctypes *types, struct place from, const struct value *ref,
		   struct place *ret)
{
	if (!follow(types->reader, from, ref, ret))
		return false;
	if (ret->unit == from.unit)
		return true;
	for (size_t i = 0; i < types->nheld; i++) {
		if (types->held[i] == ret->unit) {
			fetch_done(types->reader, ret->unit);
			return true;
		}
	}
	ARRAY_GROW(types->held, types->nheld, types->cap_held);
	types->held[types->nheld++] = ret->unit;
	return true;
}

/* ---- from a DIE to a type -------------------------------------------------------------------- */

static bool name_of(struct ctypes *types, struct place place, const struct die *die,
		    const char **ret)
{
	const char *name;

	*ret = NULL;
	if (!die_has(die, SLOT_NAME))
		return true;
	if (!unit_string(types->reader, place.unit, &die->v[SLOT_NAME], &name))
		return false;
	*ret = *name ? arena_strdup(types->arena, name) : NULL;
	return true;
}

static bool kind_of(unsigned tag, uint8_t *ret)
{
	switch (type_class(tag)) {
	case CLASS_PLAIN:
		*ret = CTYPE_SCALAR;
		return true;
	case CLASS_COMPOSITE:
		*ret = CTYPE_COMPOSITE;
		return true;
	case CLASS_ARRAY:
		*ret = CTYPE_ARRAY;
		return true;
	case CLASS_POINTER:
		*ret = CTYPE_POINTER;
		return true;
	case CLASS_FUNCTION:
		*ret = CTYPE_FUNCTION;
		return true;
	default:
		return false;
	}
}

/* A type that is no alias, new to us. */
static bool make_type(struct ctypes *types, struct place place, const struct die *die,
		      struct ctype **ret)
{
	struct ctype *type = arena_alloc(types->arena, sizeof *type);

	*type = (struct ctype){.place = place, .word = type_word(die->abbrev->tag)};
	*ret = NULL;
	if (!kind_of(die->abbrev->tag, &type->kind))
		return true;
	if (!name_of(types, place, die, &type->name))
		return false;
	type->is_union = die->abbrev->tag == DW_TAG_union_type;
	type->is_declaration = die_has(die, SLOT_DECLARATION) && die->v[SLOT_DECLARATION].u;
	if (type->kind == CTYPE_POINTER) {
		type->has_size = true;
		if (!pointer_size(types->reader, place, die, &type->size))
			return false;
	} else if (die_has(die, SLOT_BYTE_SIZE)) {
		type->has_size = value_number(types->reader, &die->v[SLOT_BYTE_SIZE], &type->size);
	}
	*ret = type;
	return true;
}

/* Remembers what a DIE stands for; NULL too. */
static void remember(struct ctypes *types, struct place place, struct ctype *type)
{
	memo_set(&types->known, place_key(place), (uint32_t)types->n);
	ARRAY_GROW(types->items, types->n, types->cap);
	types->items[types->n++] = type;
}

/* Of Rust, C++: the definition names its declaration, which has the name. */
static bool complete(struct ctypes *types, const struct die *die, struct ctype *type)
{
	struct place declaration;
	struct cursor c;
	struct die other;

	if (!type || type->name || !die_has(die, SLOT_SPECIFICATION))
		return true;
	return ctypes_follow(types, type->place, &die->v[SLOT_SPECIFICATION], &declaration) &&
	       read_at(types->reader, declaration, &other, &c) &&
	       name_of(types, declaration, &other, &type->name);
}

static bool array_size(struct ctypes *types, struct ctype *type, const struct die *die,
		       struct cursor *c);

static bool type_at(struct ctypes *types, struct place place, unsigned depth,
		    const struct ctype **ret)
{
	uint32_t known = memo_get(&types->known, place_key(place));
	struct ctype *type = NULL;
	struct cursor c;
	struct die die;

	*ret = NULL;
	if (known != MEMO_NONE) {
		*ret = types->items[known];
		return true;
	}
	if (depth > ALIASES_MAX)
		return true;
	if (!read_at(types->reader, place, &die, &c))
		return false;
	if (type_class(die.abbrev->tag) == CLASS_ALIAS) {
		const struct ctype *target = NULL;
		const char *alias;
		struct place next;

		if (die_has(&die, SLOT_TYPE) &&
		    (!ctypes_follow(types, place, &die.v[SLOT_TYPE], &next) ||
		     !type_at(types, next, depth + 1, &target)))
			return false;
		/* All types are ours to change; only callers may not. */
		type = (struct ctype *)(uintptr_t)target;
		if (type && !type->name && !type->alias && die.abbrev->tag == DW_TAG_typedef) {
			if (!name_of(types, place, &die, &alias))
				return false;
			type->alias = alias;
		}
	} else if (!make_type(types, place, &die, &type) || !complete(types, &die, type)) {
		return false;
	}
	remember(types, place, type);
	*ret = type;
	return !type || type->kind != CTYPE_ARRAY || type->has_size ||
	       array_size(types, type, &die, &c);
}

bool ctype_of(struct ctypes *types, struct place from, const struct value *ref,
	      const struct ctype **ret)
{
	struct place place;

	return ctypes_follow(types, from, ref, &place) && type_at(types, place, 0, ret);
}

bool ctype_target(struct ctypes *types, const struct ctype *type, const struct ctype **ret)
{
	struct ctype *own = (struct ctype *)(uintptr_t)type;
	struct cursor c;
	struct die die;

	if (!own->has_target) {
		own->has_target = true;
		if (!read_at(types->reader, own->place, &die, &c))
			return false;
		if (die_has(&die, SLOT_TYPE) &&
		    !ctype_of(types, own->place, &die.v[SLOT_TYPE], &own->target))
			return false;
	}
	*ret = own->target;
	return true;
}

bool ctype_element(struct ctypes *types, const struct ctype *type, const struct ctype **ret)
{
	for (unsigned i = 0; type && type->kind == CTYPE_ARRAY; i++) {
		if (i == NESTING_MAX)
			type = NULL;
		else if (!ctype_target(types, type, &type))
			return false;
	}
	*ret = type;
	return true;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* From the element's size and the dimensions; unknown when one of them is. */
static bool array_size(struct ctypes *types, struct ctype *type, const struct die *die,
		       struct cursor *c)
{
	const struct ctype *element;
	uint64_t count = 1;
	struct die child;
	bool ok;

	if (!die->abbrev->has_children || types->nesting == NESTING_MAX)
		return true;
	for (;;) {
		struct dimension dimension;

		if (!die_read(types->reader, type->place.unit, c, &child))
			return false;
		if (!child.abbrev)
			break;
		dimension = dimension_of(types->reader, type->place.unit, &child);
		if (!dimension.has_count)
			return true;
		if (__builtin_mul_overflow(count, dimension.count, &count))
			return true;
		if (!die_pass_children(types->reader, type->place.unit, c, &child))
			return false;
	}
	types->nesting++;
	ok = ctype_target(types, type, &element);
	types->nesting--;
	if (!ok)
		return false;
	type->has_size = element && element->has_size &&
			 !__builtin_mul_overflow(count, element->size, &type->size);
	return true;
}

/* ---- members --------------------------------------------------------------------------------- */

struct member_list {
	struct ctype_member *items;
	size_t n, cap;
};

/* Bytes that a member begins at; bit-fields by the byte of their first bit. */
static bool member_offset(struct ctypes *types, const struct die *die, uint64_t *ret)
{
	*ret = 0;
	if (die_has(die, SLOT_DATA_BIT_OFFSET)) {
		if (!value_number(types->reader, &die->v[SLOT_DATA_BIT_OFFSET], ret))
			return false;
		*ret /= 8;
		return true;
	}
	return !die_has(die, SLOT_LOCATION) ||
	       value_number(types->reader, &die->v[SLOT_LOCATION], ret);
}

static bool add_member(struct ctypes *types, const struct ctype *type, const struct die *die,
		       struct member_list *list)
{
	struct ctype_member m = {0};

	if (member_is_static(die) || !member_offset(types, die, &m.offset))
		return true;
	if (!name_of(types, type->place, die, &m.name))
		return false;
	if (die_has(die, SLOT_TYPE) && !ctype_of(types, type->place, &die->v[SLOT_TYPE], &m.type))
		return false;
	if (m.type && m.type->has_size)
		m.size = m.type->size;
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = m;
	return true;
}

static bool read_members(struct ctypes *types, const struct ctype *type, struct member_list *list)
{
	struct cursor c;
	struct die die;

	if (!read_at(types->reader, type->place, &die, &c))
		return false;
	if (!die.abbrev->has_children)
		return true;
	for (;;) {
		if (!die_read(types->reader, type->place.unit, &c, &die))
			return false;
		if (!die.abbrev)
			return true;
		if ((die.abbrev->tag == DW_TAG_member || die.abbrev->tag == DW_TAG_inheritance) &&
		    !add_member(types, type, &die, list))
			return false;
		if (!die_pass_children(types->reader, type->place.unit, &c, &die))
			return false;
	}
}

/* Fills the members of a struct, union or class. */
static bool ctype_members(struct ctypes *types, const struct ctype *type)
{
	struct ctype *own = (struct ctype *)(uintptr_t)type;
	struct member_list list = {0};
	bool ok;

	if (own->has_members || own->kind != CTYPE_COMPOSITE)
		return true;
	own->has_members = true;
	ok = read_members(types, type, &list);
	if (ok) {
		own->nmembers = list.n;
		own->members = arena_array(types->arena, list.n, sizeof *list.items);
		if (list.n)
			memcpy(own->members, list.items, list.n * sizeof *list.items);
	}
	for (size_t i = 0; i < own->nmembers; i++)
		own->members[i].is_last_array = own->members[i].type &&
						own->members[i].type->kind == CTYPE_ARRAY &&
						(own->is_union || i + 1 == own->nmembers);
	free(list.items);
	return ok;
}

/* ---- spelling -------------------------------------------------------------------------------- */

static bool spell(struct ctypes *types, const struct ctype *type, unsigned depth,
		  struct spelling *ret)
{
	const struct ctype *target;
	uint64_t count = 0;

	*ret = (struct spelling){"void", "", false};
	if (!type)
		return true;
	if (depth > NESTING_MAX) {
		*ret = (struct spelling){"...", "", false};
		return true;
	}
	switch (type->kind) {
	case CTYPE_POINTER:
		if (!ctype_target(types, type, &target) || !spell(types, target, depth + 1, ret))
			return false;
		*ret = spell_pointer(*ret, "*", types->arena);
		return true;
	case CTYPE_ARRAY:
		if (!ctype_target(types, type, &target) || !spell(types, target, depth + 1, ret))
			return false;
		if (target && target->size)
			count = type->size / target->size;
		*ret = spell_array(*ret, type->has_size, count, types->arena);
		return true;
	case CTYPE_FUNCTION:
		if (!ctype_target(types, type, &target) || !spell(types, target, depth + 1, ret))
			return false;
		*ret = spell_function(*ret, NULL, 0, true, types->arena);
		return true;
	default:
		if (!type->name && type->alias)
			*ret = spell_name(NULL, type->alias, types->arena);
		else
			*ret = spell_name(type->word, type->name, types->arena);
		return true;
	}
}

bool ctype_spelling(struct ctypes *types, const struct ctype *type, const char **ret)
{
	struct ctype *own = (struct ctype *)(uintptr_t)type;
	struct spelling spelling;

	if (!type->spelling) {
		if (!spell(types, type, 0, &spelling))
			return false;
		own->spelling = spell_join(spelling, NULL, types->arena);
	}
	*ret = type->spelling;
	return true;
}

/* ---- what is where --------------------------------------------------------------------------- */

static bool same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* The same type; a declaration is the type of its name. */
static bool alike(const struct ctype *a, const struct ctype *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->kind != b->kind)
		return false;
	switch (a->kind) {
	case CTYPE_COMPOSITE:
		return a->name && same_name(a->name, b->name) &&
		       (a->is_declaration || b->is_declaration || a->size == b->size);
	case CTYPE_SCALAR:
		return a->size == b->size;
	case CTYPE_POINTER:
		return true;
	default:
		return false;
	}
}

/* An offset from the start of one of several objects in a row -> from the start of one. */
static bool wrap(const struct ctype *type, int64_t *offset)
{
	int64_t size = (int64_t)type->size;

	if (!type->has_size || size <= 0)
		return *offset >= 0;
	*offset %= size;
	if (*offset < 0)
		*offset += size;
	return true;
}

/* Bytes [offset, ...) of a member of which @at is one. */
static bool covers(const struct ctype_member *m, int64_t at)
{
	int64_t offset = (int64_t)m->offset;

	if (!m->type || at < offset)
		return false;
	return at - offset < (int64_t)m->size || (m->is_last_array && !m->size);
}

static bool holds(struct ctypes *types, const struct ctype *outer, int64_t offset,
		  const struct ctype *inner, unsigned depth, bool *ret)
{
	const struct ctype *element;

	*ret = false;
	if (!outer || depth > NESTING_MAX || offset < 0 || ++types->steps > STEPS_MAX)
		return true;
	if (!offset && alike(outer, inner)) {
		*ret = true;
		return true;
	}
	if (outer->kind == CTYPE_ARRAY) {
		if (!ctype_target(types, outer, &element))
			return false;
		return !element || !wrap(element, &offset) ||
		       holds(types, element, offset, inner, depth + 1, ret);
	}
	if (outer->kind != CTYPE_COMPOSITE)
		return true;
	if (!ctype_members(types, outer))
		return false;
	for (size_t i = 0; i < outer->nmembers && !*ret; i++)
		if (covers(&outer->members[i], offset) &&
		    !holds(types, outer->members[i].type,
			   offset - (int64_t)outer->members[i].offset, inner, depth + 1, ret))
			return false;
	return true;
}

bool ctype_holds(struct ctypes *types, const struct ctype *outer, int64_t offset,
		 const struct ctype *inner, bool *ret)
{
	*ret = false;
	types->steps = 0;
	if (outer->kind != CTYPE_COMPOSITE && outer->kind != CTYPE_ARRAY)
		return true;
	return !wrap(outer, &offset) || holds(types, outer, offset, inner, 0, ret);
}

/* What is told of each thing without parts that is at an offset; all of them in a union. */
typedef void leaf_fn(const struct ctype *type, int64_t offset, void *arg);

static bool each_leaf(struct ctypes *types, const struct ctype *type, int64_t offset,
		      unsigned depth, leaf_fn *fn, void *arg)
{
	const struct ctype *element;

	if (!type || depth > NESTING_MAX || offset < 0 || ++types->steps > STEPS_MAX)
		return true;
	switch (type->kind) {
	case CTYPE_ARRAY:
		if (!ctype_target(types, type, &element))
			return false;
		return !element || !wrap(element, &offset) ||
		       each_leaf(types, element, offset, depth + 1, fn, arg);
	case CTYPE_COMPOSITE:
		if (!ctype_members(types, type))
			return false;
		for (size_t i = 0; i < type->nmembers; i++)
			if (covers(&type->members[i], offset) &&
			    !each_leaf(types, type->members[i].type,
				       offset - (int64_t)type->members[i].offset, depth + 1, fn,
				       arg))
				return false;
		return true;
	default:
		fn(type, offset, arg);
		return true;
	}
}

static void take_pointer(const struct ctype *type, int64_t offset, void *arg)
{
	struct ctype_pointers *found = arg;

	if (type->kind != CTYPE_POINTER) {
		found->or_number = true;
		return;
	}
	for (size_t i = 0; i < found->n; i++)
		if (found->items[i] == type)
			return;
	if (!offset && found->n < POINTERS_MAX)
		found->items[found->n++] = type;
}

bool ctype_pointers_at(struct ctypes *types, const struct ctype *type, int64_t offset,
		       struct ctype_pointers *ret)
{
	*ret = (struct ctype_pointers){.n = 0};
	types->steps = 0;
	return !wrap(type, &offset) || each_leaf(types, type, offset, 0, take_pointer, ret);
}

struct fit {
	uint32_t size;
	bool found;
};

static void take_fit(const struct ctype *type, int64_t offset, void *arg)
{
	struct fit *fit = arg;

	fit->found |= !offset && type->has_size && type->size == fit->size;
}

bool ctype_fits(struct ctypes *types, const struct ctype *type, int64_t offset, uint32_t size,
		bool *ret)
{
	struct fit fit = {size, false};
	bool ok;

	types->steps = 0;
	ok = !wrap(type, &offset) || each_leaf(types, type, offset, 0, take_fit, &fit);
	*ret = fit.found;
	return ok;
}
