/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/types.h"

#include "dwarf/constants.h"
#include "dwarf/expr.h"

enum type_class type_class(unsigned tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		return CLASS_COMPOSITE;
	case DW_TAG_array_type:
		return CLASS_ARRAY;
	case DW_TAG_typedef:
	case DW_TAG_template_alias:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_immutable_type:
		return CLASS_ALIAS;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
		return CLASS_POINTER;
	case DW_TAG_subroutine_type:
		return CLASS_FUNCTION;
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_subrange_type:
	case DW_TAG_string_type:
	case DW_TAG_set_type:
	case DW_TAG_file_type:
		return CLASS_PLAIN;
	default:
		return tag >= DW_TAG_lo_user ? CLASS_PLAIN : CLASS_NONE;
	}
}

const char *type_word(unsigned tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct";
	case DW_TAG_union_type:
		return "union";
	case DW_TAG_class_type:
		return "class";
	case DW_TAG_interface_type:
		return "interface";
	case DW_TAG_enumeration_type:
		return "enum";
	default:
		return NULL;
	}
}

bool member_is_static(const struct die *die)
{
	return (die_has(die, SLOT_EXTERNAL) && die->v[SLOT_EXTERNAL].u) ||
	       (die_has(die, SLOT_DECLARATION) && die->v[SLOT_DECLARATION].u);
}

bool read_at(struct reader *reader, struct place place, struct die *ret, struct cursor *ret_c)
{
	*ret_c = unit_cursor(reader, place.unit, place.at);
	if (!die_read(reader, place.unit, ret_c, ret))
		return false;
	return ret->abbrev ||
	       unit_fail(reader, place.unit, place.at, "a reference leads to the end of a list");
}

bool pointer_size(struct reader *reader, struct place place, const struct die *die, uint64_t *ret)
{
	struct place target;
	struct die target_die;
	struct cursor c;
	bool ok;

	*ret = place.unit->params.address_size;
	if (die_has(die, SLOT_BYTE_SIZE)) {
		*ret = die->v[SLOT_BYTE_SIZE].u;
		return true;
	}
	if (die->abbrev->tag != DW_TAG_ptr_to_member_type || !die_has(die, SLOT_TYPE))
		return true;
	if (!follow(reader, place, &die->v[SLOT_TYPE], &target))
		return false;
	ok = read_at(reader, target, &target_die, &c);
	if (ok && type_class(target_die.abbrev->tag) == CLASS_FUNCTION)
		*ret *= 2;
	follow_done(reader, place, target);
	return ok;
}

/*
 * An upper bound below the lower one is an array of nothing, which old compilers write as -1 in
 * four or eight bytes without a sign.
 */
static uint64_t count_up_to(const struct value *upper, uint64_t upper_bound, uint64_t lower_bound)
{
	bool minus_one = upper->kind == VALUE_UNSIGNED &&
			 (upper_bound == UINT32_MAX || upper_bound == UINT64_MAX);

	if (minus_one || (int64_t)upper_bound < (int64_t)lower_bound)
		return 0;
	return upper_bound - lower_bound + 1;
}

struct dimension dimension_of(const struct reader *reader, const struct unit *unit,
			      const struct die *die)
{
	struct dimension ret = {false, 0};
	uint64_t lower = unit->lower_bound, upper;

	if (die_has(die, SLOT_COUNT)) {
		ret.has_count = value_number(reader, &die->v[SLOT_COUNT], &ret.count);
		return ret;
	}
	if (!die_has(die, SLOT_UPPER_BOUND) ||
	    !value_number(reader, &die->v[SLOT_UPPER_BOUND], &upper))
		return ret;
	if (die_has(die, SLOT_LOWER_BOUND) &&
	    !value_number(reader, &die->v[SLOT_LOWER_BOUND], &lower))
		return ret;
	ret.has_count = true;
	ret.count = count_up_to(&die->v[SLOT_UPPER_BOUND], upper, lower);
	return ret;
}
