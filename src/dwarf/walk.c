/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/walk.h"

#include "dwarf/constants.h"
#include "dwarf/types.h"

/* Namespaces, blocks and classes in one another; each level costs about a kilobyte of stack. */
enum { NESTING_MAX = 500, QUALIFIERS_MAX = 8 };

/* What a list of DIEs stands in. */
struct scope {
	const struct scope *up;
	const char *name; /* NULL: anonymous */
	bool is_code;
	unsigned depth;
};

static bool walk_list(struct walk *w, const struct unit *unit, struct cursor *c,
		      const struct scope *scope);

/* ---- scopes ---------------------------------------------------------------------------------- */

static bool is_code(const struct scope *scope)
{
	for (; scope; scope = scope->up)
		if (scope->is_code)
			return true;
	return false;
}

static void add_scope(struct buf *text, const struct scope *scope)
{
	if (!scope)
		return;
	add_scope(text, scope->up);
	buf_adds(text, text->len ? "::" : "");
	buf_adds(text, scope->name ? scope->name : "(anonymous)");
}

/* As struct def says it. */
static const char *spell_scope(struct walk *w, const struct scope *scope)
{
	w->scope.len = 0;
	if (!scope)
		return NULL;
	if (is_code(scope))
		return "()";
	add_scope(&w->scope, scope);
	return w->scope.s;
}

/*
 * The name that a DIE gives to what it holds; NULL: none. A declaration that stands for a type in a
 * type unit has it from there: that unit is held until follow_done().
 */
static bool scope_name(struct walk *w, struct place place, const struct die *die,
		       struct place *ret_held, const char **ret)
{
	struct cursor c;
	struct die type;

	*ret_held = place;
	*ret = NULL;
	if (die_has(die, SLOT_NAME))
		return unit_string(w->reader, place.unit, &die->v[SLOT_NAME], ret);
	if (!die_has(die, SLOT_SIGNATURE))
		return true;
	if (!follow(w->reader, place, &die->v[SLOT_SIGNATURE], ret_held)) {
		*ret_held = place;
		return false;
	}
	return read_at(w->reader, *ret_held, &type, &c) &&
	       (!die_has(&type, SLOT_NAME) ||
		unit_string(w->reader, ret_held->unit, &type.v[SLOT_NAME], ret));
}

/*
 * Where the DIE at @at stands: looks for it from the top. C++ defines at the top level what was
 * declared in a class or namespace; only the declaration knows its scope.
 */
static bool scope_of(struct walk *w, const struct unit *unit, uint32_t at, struct cursor *c,
		     const struct scope *scope, const char **ret)
{
	for (;;) {
		struct scope inner = {scope, NULL, false, scope ? scope->depth + 1 : 0};
		struct place place, held;
		struct cursor children;
		struct die die;
		bool ok;

		if (cursor_offset(c) == at || !cursor_left(c)) {
			*ret = spell_scope(w, scope);
			return true;
		}
		if (!die_read(w->reader, unit, c, &die))
			return false;
		if (!die.abbrev)
			return unit_fail(w->reader, unit, at, "a reference leads into a DIE");
		children = *c;
		if (!die_pass_children(w->reader, unit, c, &die))
			return false;
		if (at >= cursor_offset(c))
			continue;
		if (inner.depth > NESTING_MAX)
			return unit_fail(w->reader, unit, at, "DIEs are nested too deeply");
		place = (struct place){unit, die.at};
		inner.is_code = die.abbrev->role == ROLE_CODE;
		ok = scope_name(w, place, &die, &held, &inner.name) &&
		     scope_of(w, unit, at, &children, &inner, ret);
		follow_done(w->reader, place, held);
		return ok;
	}
}

/* ---- definitions ----------------------------------------------------------------------------- */

static inline const struct wanted *wanted_in(const struct walk *w, const struct unit *unit)
{
	return unit->section == SECTION_ALTERNATE ? w->wanted_alternate : w->wanted;
}

static inline uint64_t str_size(const struct walk *w, const struct unit *unit)
{
	return sections_of(w->reader->sections, unit->section)->str.size;
}

/* An offset of .debug_str, which has @size bytes, is that of a wanted name, or of none at all. */
static inline bool may_be_named(const struct wanted *wanted, uint64_t size, uint64_t offset)
{
	return wanted_offset(wanted, offset) || offset >= size;
}

/*
 * Looks at the name only, where it stands ready: false for nearly every DIE. True also when there
 * is more to look at.
 */
static inline bool may_be_wanted(const struct walk *w, const struct abbrev *abbrev,
				 const struct cursor *c, const struct unit *unit)
{
	struct cursor name = *c;
	uint64_t offset;

	if (w->wanted->all || abbrev->name_form != DW_FORM_strp || abbrev->name_at == POSITION_NONE)
		return true;
	cursor_skip(&name, abbrev->name_at);
	offset = unit->params.offset_size == 4 ? cursor_u32(&name) : cursor_u64(&name);
	return name.bad || may_be_named(wanted_in(w, unit), str_size(w, unit), offset);
}

static bool is_wanted(const struct walk *w, const struct unit *unit, const struct value *name,
		      bool *ret)
{
	const char *text;
	uint64_t offset;

	*ret = true;
	if (w->wanted->all)
		return true;
	if (name->kind == VALUE_STRP || name->kind == VALUE_STRX) {
		if (!unit_str_offset(w->reader, unit, name, &offset))
			return false;
		*ret = wanted_offset(wanted_in(w, unit), offset);
		return true;
	}
	if (!unit_string(w->reader, unit, name, &text))
		return false;
	*ret = wanted_text(w->wanted, text);
	return true;
}

static bool report(struct walk *w, const struct hit *hit)
{
	bool wanted;

	if (!is_wanted(w, hit->name_unit, hit->name, &wanted))
		return false;
	return !wanted || w->found(w->arg, hit);
}

/* A definition that completes a declaration stands elsewhere; its scope is the declaration's. */
static bool report_completed(struct walk *w, struct hit *hit, const struct value *reference)
{
	struct place declaration;
	struct cursor c, top;
	struct die die;
	bool ok;

	if (!follow(w->reader, hit->die, reference, &declaration))
		return false;
	top = unit_cursor(w->reader, declaration.unit, declaration.unit->children);
	ok = read_at(w->reader, declaration, &die, &c);
	if (ok && !hit->name && die_has(&die, SLOT_NAME)) {
		hit->name = &die.v[SLOT_NAME];
		hit->name_unit = declaration.unit;
	}
	if (ok && hit->name)
		ok = scope_of(w, declaration.unit, declaration.at, &top, NULL, &hit->scope) &&
		     report(w, hit);
	follow_done(w->reader, hit->die, declaration);
	return ok;
}

static bool report_composite(struct walk *w, const struct unit *unit, const struct die *die,
			     const struct scope *scope)
{
	struct hit hit = {.die = {unit, die->at}, .type = {unit, die->at}, .kind = DEF_STRUCT};

	if (die_has(die, SLOT_DECLARATION) && die->v[SLOT_DECLARATION].u)
		return true;
	if (die->abbrev->tag == DW_TAG_union_type)
		hit.kind = DEF_UNION;
	if (die_has(die, SLOT_NAME)) {
		hit.name = &die->v[SLOT_NAME];
		hit.name_unit = unit;
	}
	if (die_has(die, SLOT_SPECIFICATION))
		return report_completed(w, &hit, &die->v[SLOT_SPECIFICATION]);
	hit.scope = spell_scope(w, scope);
	return report(w, &hit);
}

static bool is_anonymous_composite(const struct die *die)
{
	return type_class(die->abbrev->tag) == CLASS_COMPOSITE && !die_has(die, SLOT_NAME) &&
	       !die_has(die, SLOT_SPECIFICATION) && !die_has(die, SLOT_DECLARATION);
}

static bool is_qualifier(const struct die *die)
{
	return type_class(die->abbrev->tag) == CLASS_ALIAS && die->abbrev->tag != DW_TAG_typedef &&
	       die->abbrev->tag != DW_TAG_template_alias;
}

/* A typedef is a definition when only qualifiers stand between it and an anonymous type. */
static bool report_alias(struct walk *w, struct hit *hit, struct place from,
			 const struct die *alias, unsigned depth)
{
	struct die die;
	struct cursor c;
	bool ok;

	if (!die_has(alias, SLOT_TYPE))
		return true;
	if (!follow(w->reader, from, &alias->v[SLOT_TYPE], &hit->type))
		return false;
	ok = read_at(w->reader, hit->type, &die, &c);
	if (ok && is_anonymous_composite(&die))
		ok = w->found(w->arg, hit);
	else if (ok && is_qualifier(&die) && depth < QUALIFIERS_MAX)
		ok = report_alias(w, hit, hit->type, &die, depth + 1);
	follow_done(w->reader, from, hit->type);
	return ok;
}

static bool report_typedef(struct walk *w, const struct unit *unit, const struct die *die,
			   const struct scope *scope)
{
	struct hit hit = {.die = {unit, die->at}, .kind = DEF_TYPEDEF};
	bool wanted;

	if (!is_wanted(w, unit, &die->v[SLOT_NAME], &wanted))
		return false;
	if (!wanted)
		return true;
	hit.name = &die->v[SLOT_NAME];
	hit.name_unit = unit;
	hit.scope = spell_scope(w, scope);
	return report_alias(w, &hit, hit.die, die, 0);
}

static bool report_import(struct walk *w, const struct unit *unit, const struct die *die)
{
	struct place place = {unit, die->at};
	enum unit_section section;
	uint64_t offset;

	if (!die_has(die, SLOT_IMPORT))
		return true;
	if (!find_import(w->reader, place, &die->v[SLOT_IMPORT], &section, &offset))
		return false;
	if (offset != UINT64_MAX)
		w->imported(w->arg, unit, section, offset);
	return true;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Its list of children, in a scope of its own. */
static bool enter(struct walk *w, const struct unit *unit, struct cursor *c, const struct die *die,
		  const struct scope *up)
{
	struct scope scope = {up, NULL, die->abbrev->role == ROLE_CODE, up ? up->depth + 1 : 0};
	struct place place = {unit, die->at}, held = place;
	bool ok;

	if (!die->abbrev->has_children)
		return true;
	if (scope.depth > NESTING_MAX)
		return unit_fail(w->reader, unit, die->at, "DIEs are nested over %d levels deep",
				 NESTING_MAX);
	ok = (scope.is_code || scope_name(w, place, die, &held, &scope.name)) &&
	     walk_list(w, unit, c, &scope);
	follow_done(w->reader, place, held);
	return ok;
}

/* Definitions may stand among its members: not in C, where they move out to where it stands. */
static inline bool is_nest(const struct unit *unit, const struct abbrev *abbrev)
{
	return unit->nests_types && type_class(abbrev->tag) == CLASS_COMPOSITE;
}

/* A DIE that may be a definition or hold one. */
static bool visit(struct walk *w, const struct unit *unit, struct cursor *c,
		  const struct scope *scope)
{
	struct die die;
	bool inside, ok = true;

	if (!die_read(w->reader, unit, c, &die))
		return false;
	switch (die.abbrev->role) {
	case ROLE_COMPOSITE:
		ok = report_composite(w, unit, &die, scope);
		break;
	case ROLE_TYPEDEF:
		ok = report_typedef(w, unit, &die, scope);
		break;
	case ROLE_IMPORT:
		ok = report_import(w, unit, &die);
		break;
	}
	if (!ok)
		return false;
	inside = die.abbrev->role == ROLE_SCOPE || is_nest(unit, die.abbrev) ||
		 (w->deep && die.abbrev->role == ROLE_CODE);
	return inside ? enter(w, unit, c, &die, scope)
		      : die_pass_children(w->reader, unit, c, &die);
}

static inline bool is_interesting(const struct walk *w, const struct unit *unit,
				  const struct abbrev *abbrev, const struct cursor *c)
{
	switch (abbrev->role) {
	case ROLE_COMPOSITE:
	case ROLE_TYPEDEF:
		return may_be_wanted(w, abbrev, c, unit) || is_nest(unit, abbrev);
	case ROLE_SCOPE:
	case ROLE_IMPORT:
		return true;
	case ROLE_CODE:
		return w->deep;
	default:
		return is_nest(unit, abbrev);
	}
}

static inline uint32_t load32(const uint8_t *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return swap ? __builtin_bswap32(v) : v;
}

/*
 * The fast lane. Passes over DIEs in a row that are nothing but passed over, and stops at the first
 * one that wants a closer look, for whatever reason: that one is then read step by step, with every
 * check. Here one comparison a DIE keeps all reads inside the unit: nothing further than LANE_BYTES
 * behind the code is read.
 */
static void take_lane(const struct walk *w, const struct unit *unit, struct cursor *c)
{
	const struct abbrev *abbrevs = unit->abbrevs->items;
	const uint64_t dense = unit->abbrevs->dense, size = str_size(w, unit);
	const struct wanted *wanted = wanted_in(w, unit);
	const uint8_t *p = c->pos;

	while (c->end - p >= LANE_BYTES + 2) {
		const uint8_t *values = p + 1, *next;
		const struct abbrev *abbrev;
		uint64_t code = p[0];

		if (code > 0x7f) {
			code = (code & 0x7f) | (uint64_t)p[1] << 7;
			values++;
		}
		/* A longer code is too large for a table, or is found to be none. */
		if (code - 1 >= dense || !abbrevs[code - 1].lane.open)
			break;
		abbrev = &abbrevs[code - 1];
		if (unit->nests_types && is_nest(unit, abbrev))
			break;
		if (abbrev->lane.named &&
		    may_be_named(wanted, size, load32(values + abbrev->lane.name_at, c->swap)))
			break;
		if (abbrev->lane.jumps)
			next = c->start + load32(values + abbrev->lane.sibling_at, c->swap);
		else
			next = values + abbrev->fixed;
		if (next <= p || next > c->end)
			break;
		p = next;
	}
	c->pos = p;
}

/* The end of the unit ends the outermost list too. */
static bool walk_list(struct walk *w, const struct unit *unit, struct cursor *c,
		      const struct scope *scope)
{
	bool lane = !w->deep && !w->wanted->all && unit->params.offset_size == 4;

	for (;;) {
		const struct abbrev *abbrev;
		const uint8_t *start;
		uint64_t code;
		bool ok;

		if (lane)
			take_lane(w, unit, c);
		start = c->pos;
		code = cursor_uleb(c);
		if (!code)
			return !c->bad || (!scope && start == c->end) ||
			       die_fail_end(w->reader, unit, (uint32_t)(start - c->start));
		abbrev = abbrev_find(unit->abbrevs, code);
		if (!abbrev)
			return die_fail_code(w->reader, unit, (uint32_t)(start - c->start), code);
		if (is_interesting(w, unit, abbrev, c)) {
			c->pos = start;
			ok = visit(w, unit, c, scope);
		} else {
			ok = die_pass(w->reader, unit, c, abbrev);
		}
		if (!ok)
			return false;
	}
}

bool walk_unit(struct walk *w, const struct unit *unit)
{
	struct cursor c;

	if (!unit->children)
		return true;
	c = unit_cursor(w->reader, unit, unit->children);
	return walk_list(w, unit, &c, NULL);
}
