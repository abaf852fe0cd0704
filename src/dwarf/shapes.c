/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/shapes.h"

#include "dwarf/constants.h"
#include "dwarf/expr.h"
#include "dwarf/types.h"

/* By value, deeper than any compiler's templates go; each level costs about a kilobyte of stack. */
enum { NESTING_MAX = 1000 };

/* In the memo, of a type that is being written. */
enum { OPEN = 0xfffffffe };

static bool write_members(struct shapes *s, struct place list, struct cursor *c);

/* ---- words ----------------------------------------------------------------------------------- */

static void __attribute__((noinline)) grow_stack(struct shapes *s)
{
	ARRAY_GROW(s->stack, s->depth, s->cap_stack);
}

static inline void push(struct shapes *s, uint64_t word)
{
	if (s->depth == s->cap_stack)
		grow_stack(s);
	s->stack[s->depth++] = word;
}

static inline void put(struct shapes *s, unsigned what, uint64_t value)
{
	if (value >> WORD_SHIFT) {
		push(s, (uint64_t)(what | WORD_WIDE) << WORD_SHIFT);
		push(s, value);
	} else {
		push(s, (uint64_t)what << WORD_SHIFT | value);
	}
}

static void put_bytes(struct shapes *s, const uint8_t *data, uint32_t len)
{
	put(s, WORD_BYTES, len);
	for (uint32_t i = 0; i < len; i += 8) {
		uint64_t word = 0;

		memcpy(&word, data + i, len - i < 8 ? len - i : 8);
		push(s, word);
	}
}

/* Not a number as it stands: one behind an expression, or something for a running program. */
static void put_expression(struct shapes *s, struct place place, const struct die *die,
			   enum slot slot)
{
	const struct value *value = &die->v[slot];
	uint64_t number;

	if (value_number(s->reader, value, &number)) {
		put(s, WORD_ATTRIBUTE + slot, number);
		return;
	}
	put(s, WORD_ATTRIBUTE + slot, 0);
	if (expr_is_plain(s->reader, value))
		put_bytes(s, value->data, value->len);
	else
		put(s, WORD_UNIQUE,
		    place_key((struct place){place.unit, die->at}) ^ (uint64_t)s->part << 40);
}

/* Those of the slots in @mask that the DIE has, in the order of their numbers. */
static void put_attributes(struct shapes *s, struct place place, const struct die *die,
			   uint32_t mask)
{
	for (uint32_t rest = die->has & mask; rest; rest &= rest - 1) {
		unsigned slot = (unsigned)__builtin_ctz(rest);
		const struct value *value = &die->v[slot];

		if (value->kind == VALUE_UNSIGNED || value->kind == VALUE_SIGNED)
			put(s, WORD_ATTRIBUTE + slot, value->u);
		else
			put_expression(s, place, die, (enum slot)slot);
	}
}

static bool put_name(struct shapes *s, const struct unit *unit, const struct die *die)
{
	const struct value *value = &die->v[SLOT_NAME];
	uint64_t offset;
	uint32_t name;

	if (!die_has(die, SLOT_NAME))
		return true;
	if (s->by_offset && string_is_offset(unit, value)) {
		if (!unit_str_offset(s->reader, unit, value, &offset))
			return false;
		put(s, WORD_STR, offset);
		return true;
	}
	if (!names_add_value(s->names, s->reader, unit, value, &name))
		return false;
	put(s, WORD_NAME, name);
	return true;
}

/* The type a DIE refers to; a DIE without one means void, which has no word. */
static bool put_type(struct shapes *s, struct place place, const struct die *die)
{
	struct place target;
	uint32_t shape;
	bool ok;

	if (!die_has(die, SLOT_TYPE))
		return true;
	if (!follow(s->reader, place, &die->v[SLOT_TYPE], &target))
		return false;
	ok = shapes_of(s, target, &shape);
	follow_done(s->reader, place, target);
	if (ok)
		put(s, WORD_SHAPE, shape);
	return ok;
}

/* ---- members --------------------------------------------------------------------------------- */

static bool write_member(struct shapes *s, struct place list, struct cursor *c, bool is_member)
{
	static const uint32_t mask = 1u << SLOT_LOCATION | 1u << SLOT_DATA_BIT_OFFSET |
				     1u << SLOT_BIT_OFFSET | 1u << SLOT_BYTE_SIZE |
				     1u << SLOT_BIT_SIZE | 1u << SLOT_ALIGNMENT;
	struct place place = list;
	struct die die;

	if (!die_read(s->reader, list.unit, c, &die))
		return false;
	place.at = die.at;
	if (is_member && member_is_static(&die))
		return die_pass_children(s->reader, list.unit, c, &die);
	put(s, WORD_TAG, die.abbrev->tag);
	put_attributes(s, place, &die, mask);
	return put_name(s, list.unit, &die) && put_type(s, place, &die) &&
	       die_pass_children(s->reader, list.unit, c, &die);
}

/* A variant part holds variants, and those members: lists inside the list. */
static bool write_variants(struct shapes *s, struct place list, struct cursor *c)
{
	struct die die;
	bool ok = true;

	if (!die_read(s->reader, list.unit, c, &die))
		return false;
	put(s, WORD_TAG, die.abbrev->tag);
	if (die.abbrev->has_children) {
		if (s->nesting >= NESTING_MAX)
			return unit_fail(s->reader, list.unit, die.at,
					 "types are nested over %d levels deep", NESTING_MAX);
		s->nesting++;
		ok = write_members(s, list, c);
		s->nesting--;
	}
	put(s, WORD_END, 0);
	return ok;
}

static bool write_members(struct shapes *s, struct place list, struct cursor *c)
{
	for (;;) {
		const uint8_t *start = c->pos;
		uint32_t at = (uint32_t)cursor_offset(c);
		uint64_t code = cursor_uleb(c);
		const struct abbrev *abbrev = code ? abbrev_find(list.unit->abbrevs, code) : NULL;
		bool ok;

		if (!code)
			return !c->bad || die_fail_end(s->reader, list.unit, at);
		if (!abbrev)
			return die_fail_code(s->reader, list.unit, at, code);
		switch (abbrev->tag) {
		case DW_TAG_member:
		case DW_TAG_inheritance:
			c->pos = start;
			ok = write_member(s, list, c, abbrev->tag == DW_TAG_member);
			break;
		case DW_TAG_variant_part:
		case DW_TAG_variant:
			c->pos = start;
			ok = write_variants(s, list, c);
			break;
		default:
			ok = die_pass(s->reader, list.unit, c, abbrev);
		}
		if (!ok)
			return false;
	}
}

/* ---- types ----------------------------------------------------------------------------------- */

static void put_type_attributes(struct shapes *s, struct place place, const struct die *die)
{
	static const uint32_t mask = 1u << SLOT_BYTE_SIZE | 1u << SLOT_BIT_SIZE |
				     1u << SLOT_ALIGNMENT | 1u << SLOT_ENCODING |
				     1u << SLOT_DECLARATION | 1u << SLOT_BYTE_STRIDE |
				     1u << SLOT_BIT_STRIDE | 1u << SLOT_DATA_LOCATION;

	put(s, WORD_TAG, die->abbrev->tag);
	put_attributes(s, place, die, mask);
}

/* Compilers give the count or the last index: one and the same, when it is a number. */
static bool write_dimension(struct shapes *s, struct place list, struct cursor *c)
{
	static const uint32_t strides = 1u << SLOT_BYTE_STRIDE | 1u << SLOT_BIT_STRIDE;
	static const uint32_t bounds =
		1u << SLOT_COUNT | 1u << SLOT_UPPER_BOUND | 1u << SLOT_LOWER_BOUND;
	struct dimension dimension;
	struct die die;

	if (!die_read(s->reader, list.unit, c, &die))
		return false;
	put(s, WORD_TAG, die.abbrev->tag);
	dimension = dimension_of(s->reader, list.unit, &die);
	if (dimension.has_count)
		put(s, WORD_ATTRIBUTE + SLOT_COUNT, dimension.count);
	put_attributes(s, list, &die, dimension.has_count ? strides : strides | bounds);
	return die_pass_children(s->reader, list.unit, c, &die);
}

static bool write_dimensions(struct shapes *s, struct place list, struct cursor *c)
{
	for (;;) {
		const uint8_t *start = c->pos;

		if (!cursor_uleb(c))
			break;
		c->pos = start;
		if (!write_dimension(s, list, c))
			return false;
	}
	return !c->bad || die_fail_end(s->reader, list.unit, list.at);
}

/* A declaration may stand for the type that a type unit defines. */
static bool write_signed(struct shapes *s, struct place place, const struct die *die, uint32_t *ret)
{
	struct place target;
	bool ok;

	if (!follow(s->reader, place, &die->v[SLOT_SIGNATURE], &target))
		return false;
	ok = shapes_of(s, target, ret);
	follow_done(s->reader, place, target);
	return ok;
}

static bool write_composite(struct shapes *s, struct place place, const struct die *die,
			    struct cursor *c, uint32_t *ret)
{
	size_t start = s->depth;

	put_type_attributes(s, place, die);
	if (die->abbrev->has_children && !write_members(s, place, c))
		return false;
	*ret = shapes_intern(s, s->stack + start, s->depth - start);
	return true;
}

static bool write_array(struct shapes *s, struct place place, const struct die *die,
			struct cursor *c, uint32_t *ret)
{
	size_t start = s->depth;

	put_type_attributes(s, place, die);
	if (!put_type(s, place, die))
		return false;
	if (die->abbrev->has_children && !write_dimensions(s, place, c))
		return false;
	*ret = shapes_intern(s, s->stack + start, s->depth - start);
	return true;
}

/* A name adds nothing to a layout: only an alignment makes an alias a shape of its own. */
static bool write_alias(struct shapes *s, struct place place, const struct die *die, uint32_t *ret)
{
	size_t start = s->depth;

	put(s, WORD_TAG, DW_TAG_typedef);
	put_attributes(s, place, die, 1u << SLOT_ALIGNMENT);
	if (!put_type(s, place, die))
		return false;
	if (die_has(die, SLOT_ALIGNMENT) || s->depth != start + 2)
		*ret = shapes_intern(s, s->stack + start, s->depth - start);
	else
		*ret = (uint32_t)s->stack[start + 1];
	return true;
}

/* The abbreviation alone says all there is about the pointer. */
static bool says_all(struct abbrev_table *table, const struct die *die)
{
	const struct step *step;
	unsigned n;

	if (die->abbrev->tag == DW_TAG_ptr_to_member_type || die_has(die, SLOT_ALIGNMENT))
		return false;
	for (step = abbrev_steps(table, die->abbrev, &n); n; n--, step++)
		if (step->slot == SLOT_BYTE_SIZE && step->size != 0)
			return false;
	return true;
}

static bool write_pointer(struct shapes *s, struct place place, const struct die *die,
			  uint32_t *ret)
{
	struct abbrev_table *table = place.unit->abbrevs;
	size_t start = s->depth;
	uint64_t size;

	if (!pointer_size(s->reader, place, die, &size))
		return false;
	put(s, WORD_TAG, die->abbrev->tag);
	put(s, WORD_ATTRIBUTE + SLOT_BYTE_SIZE, size);
	put_attributes(s, place, die, 1u << SLOT_ALIGNMENT);
	*ret = shapes_intern(s, s->stack + start, s->depth - start);
	if (says_all(table, die))
		table->items[die->abbrev - table->items].shape = *ret + 1;
	return true;
}

/* Most members are pointers, and most pointers of a unit have one abbreviation. */
static inline bool shape_of_abbrev(const struct shapes *s, struct place place, uint32_t *ret)
{
	struct cursor c = unit_cursor(s->reader, place.unit, place.at);
	const struct abbrev *abbrev = abbrev_find(place.unit->abbrevs, cursor_uleb(&c));

	if (!abbrev || !abbrev->shape)
		return false;
	*ret = abbrev->shape - 1;
	return true;
}

static bool write_type(struct shapes *s, struct place place, uint32_t *ret)
{
	size_t start = s->depth;
	struct cursor c;
	struct die die;

	if (!read_at(s->reader, place, &die, &c))
		return false;
	if (die_has(&die, SLOT_SIGNATURE))
		return write_signed(s, place, &die, ret);
	switch (type_class(die.abbrev->tag)) {
	case CLASS_COMPOSITE:
		return write_composite(s, place, &die, &c, ret);
	case CLASS_ARRAY:
		return write_array(s, place, &die, &c, ret);
	case CLASS_ALIAS:
		return write_alias(s, place, &die, ret);
	case CLASS_POINTER:
		return write_pointer(s, place, &die, ret);
	case CLASS_FUNCTION:
		put(s, WORD_TAG, die.abbrev->tag);
		break;
	case CLASS_PLAIN:
		put_type_attributes(s, place, &die);
		/* An enumeration may leave its size to its underlying type. */
		if (!die_has(&die, SLOT_BYTE_SIZE) && !put_type(s, place, &die))
			return false;
		break;
	case CLASS_NONE:
		return unit_fail(s->reader, place.unit, place.at, "tag 0x%x is no type",
				 die.abbrev->tag);
	}
	*ret = shapes_intern(s, s->stack + start, s->depth - start);
	return true;
}

bool shapes_of(struct shapes *s, struct place place, uint32_t *ret)
{
	bool home = place.unit == s->unit;
	struct memo *memo = home ? &s->here : &s->elsewhere;
	uint64_t key = home ? place.at : place_key(place);
	size_t depth = s->depth;
	bool ok;

	if (shape_of_abbrev(s, place, ret))
		return true;
	*ret = memo_get(memo, key);
	if (*ret < OPEN)
		return true;
	if (*ret == OPEN)
		return unit_fail(s->reader, place.unit, place.at, "the type holds itself");
	if (s->nesting >= NESTING_MAX)
		return unit_fail(s->reader, place.unit, place.at,
				 "types are nested over %d levels deep", NESTING_MAX);
	memo_set(memo, key, OPEN);
	s->nesting++;
	ok = write_type(s, place, ret);
	s->nesting--;
	s->depth = depth;
	memo_set(memo, key, ok ? *ret : MEMO_NONE);
	return ok;
}
