/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How C spells the type of a DIE. A type with a name is spelled by it, so this ends soon. */
#include <inttypes.h>
#include <stdlib.h>

#include "dwarf/constants.h"
#include "dwarf/decode.h"
#include "dwarf/expr.h"
#include "dwarf/types.h"

enum { NESTING_MAX = 500, OPEN = 0xfffffffe };

static const char *word_of(unsigned tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	case DW_TAG_atomic_type:
		return "_Atomic";
	case DW_TAG_packed_type:
		return "packed";
	case DW_TAG_shared_type:
		return "shared";
	case DW_TAG_immutable_type:
		return "immutable";
	default:
		return type_word(tag);
	}
}

bool decode_full_name(struct decoder *d, struct place place, const struct die *die,
		      const char **ret)
{
	struct place other;
	struct die other_die;
	struct cursor c;
	bool ok;

	if (die_has(die, SLOT_NAME) || !die_has(die, SLOT_SPECIFICATION))
		return decode_name(d, place, die, ret);
	if (!follow(&d->reader, place, &die->v[SLOT_SPECIFICATION], &other))
		return false;
	ok = read_at(&d->reader, other, &other_die, &c) && decode_name(d, other, &other_die, ret);
	follow_done(&d->reader, place, other);
	return ok;
}

static bool spell_named(struct decoder *d, struct place place, const struct die *die,
			struct spelling *ret)
{
	const char *name;

	if (!decode_full_name(d, place, die, &name))
		return false;
	*ret = spell_name(word_of(die->abbrev->tag), name, &d->scratch);
	return true;
}

struct parameters {
	struct spelling *items;
	size_t n, cap;
	bool variadic;
};

/* With @is_method the first one is the object, which C++ does not write. */
static bool read_parameters(struct decoder *d, struct place place, struct cursor *c, bool is_method,
			    struct parameters *ret)
{
	bool is_object = is_method;

	for (;;) {
		struct spelling spelling;
		struct die die;

		if (!die_read(&d->reader, place.unit, c, &die))
			return false;
		if (!die.abbrev)
			return true;
		if (die.abbrev->tag == DW_TAG_formal_parameter && is_object) {
			is_object = false;
		} else if (die.abbrev->tag == DW_TAG_formal_parameter) {
			struct place parameter = {place.unit, die.at};

			if (!decode_spelling_of(d, parameter, &die, &spelling))
				return false;
			ARRAY_GROW(ret->items, ret->n, ret->cap);
			ret->items[ret->n++] = spelling;
		}
		ret->variadic |= die.abbrev->tag == DW_TAG_unspecified_parameters;
		if (!die_pass_children(&d->reader, place.unit, c, &die))
			return false;
	}
}

static bool spell_function_die(struct decoder *d, struct place place, const struct die *die,
			       struct cursor *c, bool is_method, struct spelling *ret)
{
	struct parameters parameters = {0};
	struct spelling result;
	bool ok = decode_spelling_of(d, place, die, &result);

	if (ok && die->abbrev->has_children)
		ok = read_parameters(d, place, c, is_method, &parameters);
	if (ok)
		*ret = spell_function(result, parameters.items, parameters.n, parameters.variadic,
				      &d->scratch);
	free(parameters.items);
	return ok;
}

/* "int A::*", "int (A::*)(int)". */
static bool spell_pointer_to_member(struct decoder *d, struct place place, const struct die *die,
				    struct spelling *ret)
{
	struct place class, function;
	const char *name = NULL;
	struct die of;
	struct cursor c;
	bool ok;

	if (!follow(&d->reader, place, &die->v[SLOT_CONTAINING_TYPE], &class))
		return false;
	ok = read_at(&d->reader, class, &of, &c) && decode_full_name(d, class, &of, &name);
	follow_done(&d->reader, place, class);
	if (!ok)
		return false;
	if (!die_has(die, SLOT_TYPE)) {
		*ret = (struct spelling){"void", "", false};
	} else {
		if (!follow(&d->reader, place, &die->v[SLOT_TYPE], &function))
			return false;
		ok = read_at(&d->reader, function, &of, &c);
		if (ok && type_class(of.abbrev->tag) == CLASS_FUNCTION)
			ok = spell_function_die(d, function, &of, &c, true, ret);
		else
			ok = ok && decode_spelling(d, function, ret);
		follow_done(&d->reader, place, function);
		if (!ok)
			return false;
	}
	*ret = spell_pointer(*ret, arena_printf(&d->scratch, "%s::*", name ? name : "{...}"),
			     &d->scratch);
	return true;
}

static bool spell_pointer_die(struct decoder *d, struct place place, const struct die *die,
			      struct spelling *ret)
{
	const char *sigil = "*";
	struct spelling target;

	if (die_has(die, SLOT_CONTAINING_TYPE))
		return spell_pointer_to_member(d, place, die, ret);
	if (!decode_spelling_of(d, place, die, &target))
		return false;
	if (die->abbrev->tag == DW_TAG_reference_type)
		sigil = "&";
	if (die->abbrev->tag == DW_TAG_rvalue_reference_type)
		sigil = "&&";
	*ret = spell_pointer(target, sigil, &d->scratch);
	return true;
}

static bool spell_array_die(struct decoder *d, struct place place, const struct die *die,
			    struct cursor *c, struct spelling *ret)
{
	size_t first = d->ndimensions;

	if (!decode_spelling_of(d, place, die, ret) || !decode_dimensions(d, place, die, c))
		return false;
	while (d->ndimensions > first) {
		struct dimension dimension = d->dimensions[--d->ndimensions];

		*ret = spell_array(*ret, dimension.has_count, dimension.count, &d->scratch);
	}
	return true;
}

/* As Fortran writes it; a length that is not known before run time is a colon. */
static struct spelling spell_string(struct decoder *d, const struct die *die)
{
	uint64_t length = 0;
	const char *text = "character(:)";

	if (die_has(die, SLOT_BYTE_SIZE) &&
	    value_number(&d->reader, &die->v[SLOT_BYTE_SIZE], &length) && length)
		text = arena_printf(&d->scratch, "character(%" PRIu64 ")", length);
	return (struct spelling){text, "", false};
}

static bool spell_at(struct decoder *d, struct place place, struct spelling *ret)
{
	struct spelling target;
	struct cursor c;
	struct die die;
	const char *word;

	if (!read_at(&d->reader, place, &die, &c))
		return false;
	switch (type_class(die.abbrev->tag)) {
	case CLASS_POINTER:
		return spell_pointer_die(d, place, &die, ret);
	case CLASS_FUNCTION:
		return spell_function_die(d, place, &die, &c, false, ret);
	case CLASS_ARRAY:
		return spell_array_die(d, place, &die, &c, ret);
	case CLASS_ALIAS:
		word = word_of(die.abbrev->tag);
		if (!word)
			return spell_named(d, place, &die, ret);
		if (!decode_spelling_of(d, place, &die, &target))
			return false;
		*ret = spell_qualified(word, target, &d->scratch);
		return true;
	default:
		/* A part of a type, as Ada has them, or that type in fewer bits. */
		if (die.abbrev->tag == DW_TAG_string_type && !die_has(&die, SLOT_NAME)) {
			*ret = spell_string(d, &die);
			return true;
		}
		if (!type_word(die.abbrev->tag) && !die_has(&die, SLOT_NAME))
			return decode_spelling_of(d, place, &die, ret);
		return spell_named(d, place, &die, ret);
	}
}

bool decode_spelling(struct decoder *d, struct place place, struct spelling *ret)
{
	bool home = place.unit == d->unit;
	struct memo *memo = home ? &d->spelled_here : &d->spelled_elsewhere;
	uint64_t key = home ? place.at : place_key(place);
	uint32_t known = memo_get(memo, key);
	bool ok;

	if (known < OPEN) {
		*ret = d->spellings[known];
		return true;
	}
	if (known == OPEN || d->spelling_nesting == NESTING_MAX)
		return unit_fail(&d->reader, place.unit, place.at,
				 known == OPEN ? "the type is made of itself"
					       : "types are nested too deeply");
	memo_set(memo, key, OPEN);
	d->spelling_nesting++;
	ok = spell_at(d, place, ret);
	d->spelling_nesting--;
	if (!ok)
		return false;
	memo_set(memo, key, (uint32_t)d->nspellings);
	ARRAY_GROW(d->spellings, d->nspellings, d->cap_spellings);
	d->spellings[d->nspellings++] = *ret;
	return true;
}

bool decode_spelling_of(struct decoder *d, struct place place, const struct die *die,
			struct spelling *ret)
{
	struct place target;
	bool ok;

	*ret = (struct spelling){"void", "", false};
	if (!die_has(die, SLOT_TYPE))
		return true;
	if (!follow(&d->reader, place, &die->v[SLOT_TYPE], &target))
		return false;
	ok = decode_spelling(d, target, ret);
	follow_done(&d->reader, place, target);
	return ok;
}
