/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs, unions and classes, and their members. */
#include <inttypes.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/decode.h"
#include "dwarf/expr.h"
#include "dwarf/types.h"

/* The type whose members are read: they are on d->stack from `first` on. */
struct holder {
	struct place place;
	size_t first;
	bool has_size;
	uint64_t bits; /* of the whole type: what variants may fill */
};

static bool read_list(struct decoder *d, struct holder *holder, struct cursor *c);

static struct member *push_member(struct decoder *d)
{
	ARRAY_GROW(d->stack, d->depth, d->cap_stack);
	/* Padding too: members are compared byte by byte. */
	return memset(&d->stack[d->depth++], 0, sizeof *d->stack);
}

/* ---- where a member is ----------------------------------------------------------------------- */

/*
 * The bits of a bit-field, three ways. DWARF 4 and 5 count them from the start of the struct in the
 * order of storage, which is what the model does. DWARF 2 and 3 (and compilers that still write
 * that) place a unit of storage, and count from its most significant bit down to the field's: on a
 * little-endian machine that is from the far end. A field that reaches over its unit has a negative
 * count.
 */
static bool place_bits(struct decoder *d, struct place place, const struct die *die,
		       uint64_t location, struct member *m)
{
	uint64_t from_msb, storage = m->type->bits;
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != d->reader.sections->swap;

	if (!value_number(&d->reader, &die->v[SLOT_BIT_SIZE], &m->bit_size))
		return unit_fail(&d->reader, place.unit, place.at,
				 "the size of a bit-field is not a number");
	m->is_bitfield = true;
	m->bit_offset = location;
	if (die_has(die, SLOT_DATA_BIT_OFFSET)) {
		if (value_number(&d->reader, &die->v[SLOT_DATA_BIT_OFFSET], &from_msb))
			m->bit_offset += from_msb;
		else
			m->is_dynamic = true;
		return true;
	}
	if (!die_has(die, SLOT_BIT_OFFSET))
		return true;
	if (die_has(die, SLOT_BYTE_SIZE))
		storage = die->v[SLOT_BYTE_SIZE].u * 8;
	if (!value_number(&d->reader, &die->v[SLOT_BIT_OFFSET], &from_msb)) {
		m->is_dynamic = true;
		return true;
	}
	m->bit_offset += little ? storage - from_msb - m->bit_size : from_msb;
	return m->bit_offset < UINT64_MAX / 2 ||
	       unit_fail(&d->reader, place.unit, place.at, "a bit-field begins before its struct");
}

static bool place_member(struct decoder *d, struct place place, const struct die *die,
			 struct member *m)
{
	uint64_t location = 0, bits;

	if (die_has(die, SLOT_LOCATION) &&
	    !value_number(&d->reader, &die->v[SLOT_LOCATION], &location))
		m->is_dynamic = true;
	if (location > UINT64_MAX / 16)
		return unit_fail(&d->reader, place.unit, place.at,
				 "a member at 0x%" PRIx64 " bytes is not possible", location);
	if (die_has(die, SLOT_ALIGNMENT)) {
		m->has_align = true;
		m->align = die->v[SLOT_ALIGNMENT].u;
	}
	if (die_has(die, SLOT_BIT_SIZE))
		return place_bits(d, place, die, location * 8, m);
	m->bit_offset = location * 8;
	/* A member without bit_size may still count its place in bits. */
	if (die_has(die, SLOT_DATA_BIT_OFFSET) &&
	    value_number(&d->reader, &die->v[SLOT_DATA_BIT_OFFSET], &bits))
		m->bit_offset += bits;
	m->bit_size = m->type->has_size ? m->type->bits : 0;
	if (die_has(die, SLOT_BYTE_SIZE) &&
	    value_number(&d->reader, &die->v[SLOT_BYTE_SIZE], &bits) && bits <= UINT64_MAX / 8)
		m->bit_size = bits * 8;
	return true;
}

/*
 * A class with virtual bases is shorter as a base of another: only the whole object has them,
 * behind its last member or wherever. It reaches to the end of what it has a place for.
 */
static uint64_t base_bits(const struct member *base)
{
	const struct type *type = type_composite(base->type);
	bool is_shorter = false;
	uint64_t end = 0;

	for (size_t i = 0; type && i < type->nmembers; i++) {
		const struct member *m = &type->members[i];
		const struct type *inner = m->is_base ? type_composite(m->type) : NULL;

		is_shorter |= inner && (m->is_dynamic || m->bit_size < inner->bits);
		if (!m->is_dynamic && m->bit_offset + m->bit_size > end)
			end = m->bit_offset + m->bit_size;
	}
	end += -end % 8;
	return is_shorter && end < base->bit_size ? end : base->bit_size;
}

static bool read_member(struct decoder *d, struct holder *holder, const struct die *die,
			struct cursor *c)
{
	struct place place = {holder->place.unit, die->at};
	struct member m;

	memset(&m, 0, sizeof m);
	m.is_base = die->abbrev->tag == DW_TAG_inheritance;
	if (!decode_name(d, place, die, &m.name) || !decode_type_of(d, place, die, &m.type) ||
	    !place_member(d, place, die, &m) || !die_pass_children(&d->reader, place.unit, c, die))
		return false;
	if (m.is_base && !m.is_dynamic)
		m.bit_size = base_bits(&m);
	m.is_marker = m.name && !m.bit_size && is_marker_name(m.name);
	*push_member(d) = m;
	return true;
}

/* Those above @first; while there are none, there may be no stack. */
static void pop_members(struct decoder *d, size_t first, struct type *type)
{
	type->nmembers = d->depth - first;
	if (type->nmembers)
		type->members = cons(&d->cons, d->stack + first, type->nmembers * sizeof *d->stack);
	d->depth = first;
}

/* ---- variants -------------------------------------------------------------------------------- */

static const struct type *make_anonymous(struct decoder *d, enum type_kind kind, size_t first,
					 const struct holder *holder)
{
	struct type type = {.kind = kind, .has_size = holder->has_size, .bits = holder->bits};
	struct spelling spelling =
		spell_name(kind == TYPE_UNION ? "union" : "struct", NULL, &d->scratch);

	pop_members(d, first, &type);
	return decode_finish(d, &type, spelling);
}

/*
 * Rust's enums: a variant part is a union that covers the whole type, of its discriminant and of a
 * struct for each variant. All count their places from the start of the type.
 */
static bool read_variants(struct decoder *d, struct holder *holder, const struct die *die,
			  struct cursor *c)
{
	enum type_kind kind = die->abbrev->tag == DW_TAG_variant ? TYPE_STRUCT : TYPE_UNION;
	struct holder inner = *holder;
	const struct type *type;
	struct member *m;
	bool ok = true;

	inner.first = d->depth;
	if (d->nesting >= DECODE_NESTING_MAX)
		return unit_fail(&d->reader, holder->place.unit, die->at,
				 "types are nested too deeply");
	d->nesting++;
	if (die->abbrev->has_children)
		ok = read_list(d, &inner, c);
	d->nesting--;
	if (!ok)
		return false;
	/* What tells the variants apart has no name, but it is no hole. */
	for (size_t i = inner.first; kind == TYPE_UNION && i < d->depth; i++)
		if (!d->stack[i].name && !type_composite(d->stack[i].type))
			d->stack[i].name = "(discriminant)";
	type = make_anonymous(d, kind, inner.first, holder);
	m = push_member(d);
	m->type = type;
	m->bit_size = type->bits;
	return true;
}

/* ---- the list of members --------------------------------------------------------------------- */

static bool read_entry(struct decoder *d, struct holder *holder, const struct die *die,
		       struct cursor *c)
{
	switch (die->abbrev->tag) {
	case DW_TAG_member:
		if (member_is_static(die))
			break;
		return read_member(d, holder, die, c);
	case DW_TAG_inheritance:
		return read_member(d, holder, die, c);
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return read_variants(d, holder, die, c);
	}
	return die_pass_children(&d->reader, holder->place.unit, c, die);
}

static bool read_list(struct decoder *d, struct holder *holder, struct cursor *c)
{
	struct die die;

	for (;;) {
		if (!die_read(&d->reader, holder->place.unit, c, &die))
			return false;
		if (!die.abbrev)
			return true;
		if (!read_entry(d, holder, &die, c))
			return false;
	}
}

/* T[] anywhere, T[0] at the end of a struct, what has no size: see struct member. */
static void mark_flexible(enum type_kind kind, struct member *members, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct type *type = type_strip(members[i].type);

		if (!type->has_size && (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION) &&
		    members[i].name)
			members[i].is_flexible = true;
		if (type->kind == TYPE_ARRAY && !members[i].is_marker && !members[i].is_bitfield &&
		    (!type->has_count || (!type->count && kind == TYPE_STRUCT && i == n - 1)))
			members[i].is_flexible = true;
	}
}

static const struct type *element_of(const struct type *type)
{
	type = type_strip(type);
	while (type->kind == TYPE_ARRAY)
		type = type_strip(type->target);
	return type;
}

/* A member that lies otherwise is one of a packed struct, whatever is said of it. */
static bool fits_alignment(const struct type *type, const struct member *m, uint64_t align)
{
	return align <= UINT64_MAX / 8 && !m->is_dynamic && m->bit_offset % (align * 8) == 0 &&
	       type->bits % (align * 8) == 0;
}

/*
 * The strictest of what was said of the members. What is said of a member's type binds the struct
 * too, unless something else is said of the member: gcc says so of those of a packed struct. clang
 * does not; there only the places and sizes tell.
 */
static void align_to_members(struct type *type)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *m = &type->members[i];
		const struct type *of = m->type->has_align ? m->type : element_of(m->type);
		uint64_t align = 0;

		if (m->has_align)
			align = m->align;
		else if (of->has_align)
			align = of->align;
		if (align > type->align && fits_alignment(type, m, align)) {
			type->has_align = true;
			type->align = align;
		}
	}
}

/* ---- the type -------------------------------------------------------------------------------- */

static void take_members(struct decoder *d, size_t first, struct type *type)
{
	if (d->depth > first)
		mark_flexible(type->kind, d->stack + first, d->depth - first);
	pop_members(d, first, type);
	align_to_members(type);
}

bool decode_composite(struct decoder *d, struct place place, const struct die *die,
		      struct cursor *c, const struct type **ret)
{
	struct type type = {.kind = die->abbrev->tag == DW_TAG_union_type ? TYPE_UNION
									  : TYPE_STRUCT};
	struct holder holder = {.place = place, .first = d->depth};
	struct spelling spelling;

	if (!decode_spelling(d, place, &spelling) || !decode_full_name(d, place, die, &type.name))
		return false;
	decode_size(d, &type, die);
	if (die_has(die, SLOT_DECLARATION) && die->v[SLOT_DECLARATION].u) {
		type.kind = TYPE_INCOMPLETE;
		type.has_size = false;
	} else if (die->abbrev->has_children) {
		holder.has_size = type.has_size;
		holder.bits = type.bits;
		if (!read_list(d, &holder, c))
			return false;
		take_members(d, holder.first, &type);
	}
	*ret = decode_finish(d, &type, spelling);
	return true;
}
