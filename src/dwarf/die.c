/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DIEs: the attributes that matter, and the way past what does not. The inner loops of the room. */
#include <inttypes.h>

#include "dwarf/constants.h"
#include "dwarf/unit.h"

bool die_fail_end(const struct reader *reader, const struct unit *unit, uint32_t at)
{
	return unit_fail(reader, unit, at, "the unit ends inside a DIE");
}

bool die_fail_code(const struct reader *reader, const struct unit *unit, uint32_t at, uint64_t code)
{
	return unit_fail(reader, unit, at,
			 "abbreviation code %" PRIu64 " is not in the table at 0x%" PRIx64, code,
			 unit->abbrev_offset);
}

/* The value of a step that has a size: its bytes are at @p, and known to be there. */
static inline void read_sized(const struct step *step, const uint8_t *p, bool swap,
			      struct value *value)
{
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	value->kind = step->kind;
	switch (step->size) {
	case 1:
		value->u = *p;
		break;
	case 2:
		memcpy(&v16, p, sizeof v16);
		value->u = swap ? __builtin_bswap16(v16) : v16;
		break;
	case 4:
		memcpy(&v32, p, sizeof v32);
		value->u = swap ? __builtin_bswap32(v32) : v32;
		break;
	case 8:
		memcpy(&v64, p, sizeof v64);
		value->u = swap ? __builtin_bswap64(v64) : v64;
		break;
	default:
		value->u = (uint64_t)step->implicit;
		break;
	}
}

bool die_read(struct reader *reader, const struct unit *unit, struct cursor *c, struct die *ret)
{
	uint64_t code;
	const struct step *step;
	unsigned n;

	ret->at = (uint32_t)cursor_offset(c);
	ret->has = 0;
	ret->abbrev = NULL;
	code = cursor_uleb(c);
	if (!code)
		return !c->bad || die_fail_end(reader, unit, ret->at);
	ret->abbrev = abbrev_find(unit->abbrevs, code);
	if (!ret->abbrev)
		return die_fail_code(reader, unit, ret->at, code);
	for (step = abbrev_steps(unit->abbrevs, ret->abbrev, &n); n; n--, step++) {
		const uint8_t *p;

		if (step->size == FORM_VARIES) {
			cursor_skip(c, step->skip);
			ret->v[step->slot] = form_read(c, step->form, unit->params, 0);
			if (c->bad)
				return die_fail_end(reader, unit, ret->at);
		} else {
			p = cursor_bytes(c, step->skip + (uint64_t)step->size);
			if (!p)
				return die_fail_end(reader, unit, ret->at);
			read_sized(step, p + step->skip, c->swap, &ret->v[step->slot]);
		}
		ret->has |= 1u << step->slot;
	}
	return true;
}

bool die_declaration(const struct reader *reader, const struct unit *unit, const struct die *die,
		     uint64_t *ret_file, uint64_t *ret_line)
{
	const struct abbrev_table *table = unit->abbrevs;
	struct cursor specs = cursor_over(table->specs, table->specs_len, false);
	struct cursor c = unit_cursor(reader, unit, die->at);
	bool has_file = false, has_line = false;

	cursor_seek(&specs, die->abbrev->specs);
	(void)cursor_uleb(&c);
	for (;;) {
		struct spec spec = abbrev_read_spec(&specs);
		/* The table was compiled: no form is unknown. */
		uint8_t form = (uint8_t)form_alias(spec.form, unit->params);
		struct value value;

		if (!(spec.attribute | spec.form))
			return has_file && has_line;
		value = form_read(&c, form, unit->params, spec.implicit);
		if (spec.attribute == DW_AT_decl_file) {
			*ret_file = value.u;
			has_file = true;
		} else if (spec.attribute == DW_AT_decl_line) {
			*ret_line = value.u;
			has_line = true;
		}
	}
}

static bool go_to_sibling(const struct reader *reader, const struct unit *unit, struct cursor *c,
			  uint32_t from, uint64_t sibling)
{
	if (sibling <= from || sibling > unit->size)
		return unit_fail(reader, unit, from,
				 "DW_AT_sibling 0x%" PRIx64 " does not lead forward in the unit",
				 sibling);
	c->pos = c->start + sibling;
	return true;
}

/* Over the attributes one by one; the sibling when one is named. */
static bool pass_steps(struct reader *reader, const struct unit *unit, struct cursor *c,
		       const struct abbrev *abbrev, uint64_t *sibling)
{
	uint32_t at = (uint32_t)cursor_offset(c);
	unsigned n;

	for (const struct step *step = abbrev_steps(unit->abbrevs, abbrev, &n); n; n--, step++) {
		cursor_skip(c, step->skip);
		if (step->slot == SLOT_SIBLING)
			*sibling = form_read(c, step->form, unit->params, 0).u;
		else if (step->size == FORM_VARIES)
			form_skip(c, step->form, unit->params);
		else
			cursor_skip(c, (uint64_t)step->size);
	}
	return !c->bad || die_fail_end(reader, unit, at);
}

/*
 * Behind the code of a DIE: to its sibling, when it has children and names it, else behind its
 * attributes. True in *ret_inside: its children follow.
 */
static inline bool pass_self(struct reader *reader, const struct unit *unit, struct cursor *c,
			     const struct abbrev *abbrev, bool *ret_inside)
{
	uint32_t at = (uint32_t)cursor_offset(c);
	uint64_t sibling = 0;

	*ret_inside = false;
	if (abbrev->has_children && abbrev->sibling_at != POSITION_NONE) {
		cursor_skip(c, abbrev->sibling_at);
		sibling = abbrev->sibling_form == DW_FORM_ref4
				  ? cursor_u32(c)
				  : form_read(c, abbrev->sibling_form, unit->params, 0).u;
		if (c->bad)
			return die_fail_end(reader, unit, at);
		return go_to_sibling(reader, unit, c, at, sibling);
	}
	if (abbrev->fixed != POSITION_NONE) {
		if (!cursor_bytes(c, abbrev->fixed))
			return die_fail_end(reader, unit, at);
	} else if (!pass_steps(reader, unit, c, abbrev, &sibling)) {
		return false;
	}
	if (abbrev->has_children && sibling)
		return go_to_sibling(reader, unit, c, at, sibling);
	*ret_inside = abbrev->has_children;
	return true;
}

/* Over all DIEs down to the null entry that ends the list. */
static bool pass_list(struct reader *reader, const struct unit *unit, struct cursor *c)
{
	for (uint64_t depth = 1; depth;) {
		uint32_t at = (uint32_t)cursor_offset(c);
		uint64_t code = cursor_uleb(c);
		const struct abbrev *abbrev;
		bool inside;

		if (!code) {
			if (c->bad)
				return die_fail_end(reader, unit, at);
			depth--;
			continue;
		}
		abbrev = abbrev_find(unit->abbrevs, code);
		if (!abbrev)
			return die_fail_code(reader, unit, at, code);
		if (!pass_self(reader, unit, c, abbrev, &inside))
			return false;
		depth += inside;
	}
	return true;
}

bool die_pass(struct reader *reader, const struct unit *unit, struct cursor *c,
	      const struct abbrev *abbrev)
{
	bool inside;

	return pass_self(reader, unit, c, abbrev, &inside) &&
	       (!inside || pass_list(reader, unit, c));
}

bool die_pass_children(struct reader *reader, const struct unit *unit, struct cursor *c,
		       const struct die *die)
{
	if (!die->abbrev->has_children)
		return true;
	if (die_has(die, SLOT_SIBLING))
		return go_to_sibling(reader, unit, c, die->at, die->v[SLOT_SIBLING].u);
	return pass_list(reader, unit, c);
}
