/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/scope.h"

#include <stdlib.h>

#include "base/math.h"
#include "dwarf/constants.h"

/* Blocks in one another; origins of origins; places of one function. */
enum { NESTING_MAX = 200, ORIGINS_MAX = 16, LOCATED_MAX = 1 << 20 };

void function_release(struct function *f)
{
	free(f->ranges.items);
	free(f->variables);
	free(f->located);
	free(f->calls);
	free(f->inlined);
	*f = (struct function){0};
}

void function_clear(struct function *f)
{
	f->ranges.n = f->nvariables = f->nlocated = f->ncalls = f->ninlined = 0;
	f->name = NULL;
}

/* ---- entities -------------------------------------------------------------------------------- */

/* What is known of a DIE and of those it came from. */
struct entity {
	const char *name;
	const struct ctype *type;
	bool has_type, is_noreturn;
};

static bool next_origin(struct ctypes *types, struct place *place, const struct code_die *die,
			bool *ret)
{
	enum code_attr attr = code_has(die, CODE_ORIGIN) ? CODE_ORIGIN : CODE_SPECIFICATION;

	*ret = code_has(die, attr);
	return !*ret || ctypes_follow(types, *place, &die->v[attr], place);
}

static bool entity_at(struct code_unit *cu, struct ctypes *types, struct place place,
		      struct entity *ret)
{
	*ret = (struct entity){0};
	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		struct code_die die;
		bool more;

		if (!code_die_read_at(cu, place, &die))
			return false;
		if (!ret->name && code_has(&die, CODE_NAME) &&
		    !unit_string(cu->reader, place.unit, &die.v[CODE_NAME], &ret->name))
			return false;
		if (!ret->has_type && code_has(&die, CODE_TYPE)) {
			ret->has_type = true;
			if (!ctype_of(types, place, &die.v[CODE_TYPE], &ret->type))
				return false;
		}
		ret->is_noreturn |= code_has(&die, CODE_NORETURN) && die.v[CODE_NORETURN].u;
		if (!next_origin(types, &place, &die, &more))
			return false;
		if (!more)
			break;
	}
	if (ret->name)
		ret->name = arena_strdup(types->arena, ret->name);
	return true;
}

/* The name of an entity that may have it behind its origin; NULL in *ret: it has none. */
static bool entity_name(struct code_unit *cu, struct ctypes *types, struct place place,
			const char **ret)
{
	struct entity entity;

	if (!entity_at(cu, types, place, &entity))
		return false;
	*ret = entity.name;
	return true;
}

/* ---- expressions ----------------------------------------------------------------------------- */

enum described { DESCRIBED_NOT, DESCRIBED_LOCATED, DESCRIBED_ADDRESS };

struct description {
	enum described what;
	uint8_t base, how;
	int64_t offset;
	uint64_t address;
};

/* Where the frame base of a function is. */
struct frame {
	bool known;
	uint8_t base;
	int64_t offset;
};

static uint64_t read_constant(struct cursor *c, uint8_t op)
{
	switch (op) {
	case DW_OP_const1u:
		return cursor_u8(c);
	case DW_OP_const1s:
		return (uint64_t)(int64_t)(int8_t)cursor_u8(c);
	case DW_OP_const2u:
		return cursor_u16(c);
	case DW_OP_const2s:
		return (uint64_t)(int64_t)(int16_t)cursor_u16(c);
	case DW_OP_const4u:
		return cursor_u32(c);
	case DW_OP_const4s:
		return (uint64_t)(int64_t)(int32_t)cursor_u32(c);
	case DW_OP_const8u:
	case DW_OP_const8s:
		return cursor_u64(c);
	case DW_OP_constu:
		return cursor_uleb(c);
	case DW_OP_consts:
		return (uint64_t)cursor_sleb(c);
	default:
		return op - (uint64_t)DW_OP_lit0;
	}
}

static bool is_constant(uint8_t op)
{
	return (op >= DW_OP_const1u && op <= DW_OP_consts) ||
	       (op >= DW_OP_lit0 && op <= DW_OP_lit31);
}

/* The operation that an expression begins with: where something is, or from where it is counted. */
static struct description read_base(const struct code_unit *cu, struct cursor *c,
				    const struct frame *frame)
{
	struct description d = {.what = DESCRIBED_LOCATED, .how = LOCATED_MEMORY};
	uint8_t op = cursor_u8(c);
	uint64_t base;

	if ((op >= DW_OP_reg0 && op <= DW_OP_reg31) || op == DW_OP_regx) {
		base = op == DW_OP_regx ? cursor_uleb(c) : op - (uint64_t)DW_OP_reg0;
		d.how = LOCATED_HERE;
	} else if ((op >= DW_OP_breg0 && op <= DW_OP_breg31) || op == DW_OP_bregx) {
		base = op == DW_OP_bregx ? cursor_uleb(c) : op - (uint64_t)DW_OP_breg0;
		d.offset = cursor_sleb(c);
	} else if (op == DW_OP_fbreg && frame && frame->known) {
		base = frame->base;
		d.offset = (int64_t)((uint64_t)cursor_sleb(c) + (uint64_t)frame->offset);
	} else if (op == DW_OP_call_frame_cfa) {
		base = PLACE_CFA;
	} else if (op == DW_OP_addr || op == DW_OP_addrx || op == DW_OP_GNU_addr_index) {
		base = 0;
		d.what = DESCRIBED_ADDRESS;
		if (op == DW_OP_addr)
			d.address = cursor_uint(c, cu->unit->params.address_size);
		else if (!code_indexed_address(cu, cursor_uleb(c), &d.address))
			d.what = DESCRIBED_NOT;
	} else {
		base = PLACE_BASES;
	}
	/* Vector registers have numbers that meet PLACE_CFA. */
	if (base >= PLACE_BASES ||
	    (base >= PLACE_REGS && op != DW_OP_call_frame_cfa && op != DW_OP_fbreg))
		d.what = DESCRIBED_NOT;
	d.base = (uint8_t)base;
	return d;
}

/* A constant that is added or taken away. False: it is something else. */
static bool read_sum(struct cursor *c, uint8_t op, int64_t *offset)
{
	uint64_t constant;

	if (op == DW_OP_plus_uconst) {
		*offset = (int64_t)((uint64_t)*offset + cursor_uleb(c));
		return true;
	}
	if (!is_constant(op))
		return false;
	constant = read_constant(c, op);
	op = cursor_u8(c);
	if (op == DW_OP_minus)
		constant = 0 - constant;
	else if (op != DW_OP_plus)
		return false;
	*offset = (int64_t)((uint64_t)*offset + constant);
	return true;
}

/* Nobody counts from a pointer to another place of the same object over such a way. */
static bool is_near(int64_t offset)
{
	return offset > -(1 << 20) && offset < 1 << 20;
}

static struct description describe(const struct code_unit *cu, const uint8_t *expr, uint64_t len,
				   const struct frame *frame)
{
	const struct description none = {.what = DESCRIBED_NOT};
	struct cursor c = cursor_over(expr, len, cu->reader->sections->swap);
	struct description d;

	if (!len)
		return none;
	d = read_base(cu, &c, frame);
	if (d.what == DESCRIBED_NOT)
		return none;
	while (cursor_left(&c)) {
		uint8_t op = cursor_u8(&c);

		if (op == DW_OP_stack_value && !cursor_left(&c) && d.how == LOCATED_MEMORY &&
		    d.what == DESCRIBED_LOCATED) {
			d.how = LOCATED_VALUE;
			break;
		}
		if (d.how == LOCATED_HERE || d.what == DESCRIBED_ADDRESS ||
		    !read_sum(&c, op, &d.offset))
			return none;
	}
	return c.bad || !is_near(d.offset) ? none : d;
}

/* ---- the walk -------------------------------------------------------------------------------- */

struct scopes {
	struct code_unit *cu;
	struct ctypes *types;
	struct globals *globals;
	struct function *f;
	struct frame frame;
	/* Of the variable at hand. */
	uint32_t variable;
};

static void add_located(struct scopes *s, uint64_t low, uint64_t high, const struct description *d)
{
	struct function *f = s->f;

	if (f->nlocated == LOCATED_MAX)
		return;
	ARRAY_GROW(f->located, f->nlocated, f->cap_located);
	f->located[f->nlocated++] = (struct located){.low = low,
						     .high = high,
						     .offset = d->offset,
						     .variable = s->variable,
						     .base = d->base,
						     .how = d->how};
}

static bool take_location(void *arg, uint64_t low, uint64_t high, const uint8_t *expr, uint64_t len)
{
	struct scopes *s = arg;
	struct description d = describe(s->cu, expr, len, &s->frame);

	if (d.what == DESCRIBED_LOCATED)
		add_located(s, low, high, &d);
	return s->f->nlocated < LOCATED_MAX;
}

static void add_global(struct globals *globals, struct global global)
{
	ARRAY_GROW(globals->items, globals->n, globals->cap);
	globals->items[globals->n++] = global;
}

static bool read_variable(struct scopes *s, const struct code_die *die, const struct ranges *ranges)
{
	struct entity entity;
	struct description d;

	if (!code_has(die, CODE_LOCATION))
		return true;
	if (!entity_at(s->cu, s->types, (struct place){s->cu->unit, die->at}, &entity))
		return false;
	s->variable = (uint32_t)s->f->nvariables;
	ARRAY_GROW(s->f->variables, s->f->nvariables, s->f->cap_variables);
	s->f->variables[s->f->nvariables++] = (struct variable){entity.name, entity.type};
	if (die->v[CODE_LOCATION].kind != VALUE_BLOCK)
		return code_locations(s->cu, die, CODE_LOCATION, take_location, s);
	d = describe(s->cu, die->v[CODE_LOCATION].data, die->v[CODE_LOCATION].len, &s->frame);
	if (d.what == DESCRIBED_ADDRESS)
		add_global(s->globals, (struct global){entity.name, entity.type, true, d.address});
	else if (d.what == DESCRIBED_LOCATED)
		for (size_t i = 0; i < ranges->n; i++)
			add_located(s, ranges->items[i].low, ranges->items[i].high, &d);
	return true;
}

static bool read_call(struct scopes *s, const struct code_die *die)
{
	struct call call = {0};
	struct entity callee;
	struct place place;

	/* GCC's own call sites say it with DW_AT_low_pc. */
	if (!code_address(s->cu, die, CODE_RETURN_PC, &call.return_pc) &&
	    !code_address(s->cu, die, CODE_LOW_PC, &call.return_pc))
		return true;
	if (!code_has(die, CODE_ORIGIN))
		return true;
	if (!ctypes_follow(s->types, (struct place){s->cu->unit, die->at}, &die->v[CODE_ORIGIN],
			   &place) ||
	    !entity_at(s->cu, s->types, place, &callee))
		return false;
	call.is_noreturn = callee.is_noreturn;
	call.result = callee.type;
	ARRAY_GROW(s->f->calls, s->f->ncalls, s->f->cap_calls);
	s->f->calls[s->f->ncalls++] = call;
	return true;
}

static void add_inlined(struct function *f, const struct ranges *ranges, const char *name)
{
	for (size_t i = 0; i < ranges->n; i++) {
		ARRAY_GROW(f->inlined, f->ninlined, f->cap_inlined);
		f->inlined[f->ninlined++] =
			(struct inlined){ranges->items[i].low, ranges->items[i].high, name};
	}
}

static bool walk(struct scopes *s, struct cursor *c, const struct ranges *ranges, unsigned depth);

/* A block or an inlined function: what is in it holds at its own addresses. */
static bool walk_scope(struct scopes *s, struct cursor *c, const struct code_die *die,
		       const struct ranges *outer, unsigned depth)
{
	struct place place = {s->cu->unit, die->at};
	struct ranges own = {0};
	const char *name;
	bool ok = code_ranges(s->cu, die, &own);

	if (ok && die->tag == DW_TAG_inlined_subroutine) {
		ok = entity_name(s->cu, s->types, place, &name);
		if (ok)
			add_inlined(s->f, &own, name);
	}
	if (ok && die->has_children)
		ok = walk(s, c, own.n ? &own : outer, depth + 1);
	free(own.items);
	return ok;
}

static bool walk_one(struct scopes *s, struct cursor *c, const struct code_die *die,
		     const struct ranges *ranges, unsigned depth)
{
	switch (die->tag) {
	case DW_TAG_formal_parameter:
	case DW_TAG_variable:
		return read_variable(s, die, ranges) && code_die_pass_children(s->cu, c, die);
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		return read_call(s, die) && code_die_pass_children(s->cu, c, die);
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_inlined_subroutine:
		if (depth < NESTING_MAX)
			return walk_scope(s, c, die, ranges, depth);
		return unit_fail(s->cu->reader, s->cu->unit, die->at,
				 "blocks are nested over %d levels deep", NESTING_MAX);
	default:
		return code_die_pass_children(s->cu, c, die);
	}
}

static bool walk(struct scopes *s, struct cursor *c, const struct ranges *ranges, unsigned depth)
{
	for (;;) {
		struct code_die die;

		if (!code_die_read(s->cu, s->cu->unit, c, &die))
			return false;
		if (!die.tag)
			return true;
		if (!walk_one(s, c, &die, ranges, depth))
			return false;
	}
}

/* ---- functions ------------------------------------------------------------------------------- */

static int compare_located(const void *left, const void *right)
{
	const struct located *a = left, *b = right;

	if (a->base != b->base)
		return a->base - b->base;
	if (a->low != b->low)
		return compare_u64(a->low, b->low);
	/* The order of the DIEs, whatever qsort does. */
	return compare_u64(a->variable, b->variable);
}

static int compare_calls(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	return compare_u64(a->return_pc, b->return_pc);
}

static void sort(struct function *f)
{
	size_t at = 0;

	if (f->nlocated)
		qsort(f->located, f->nlocated, sizeof *f->located, compare_located);
	if (f->ncalls)
		qsort(f->calls, f->ncalls, sizeof *f->calls, compare_calls);
	for (unsigned base = 0; base <= PLACE_BASES; base++) {
		while (at < f->nlocated && f->located[at].base < base)
			at++;
		f->first[base] = at;
	}
}

bool function_read(struct code_unit *cu, struct ctypes *types, struct cursor *c,
		   const struct code_die *die, struct globals *globals, struct function *ret)
{
	struct scopes s = {.cu = cu, .types = types, .globals = globals, .f = ret};

	ret->place = (struct place){cu->unit, die->at};
	if (!entity_name(cu, types, ret->place, &ret->name))
		return false;
	if (code_has(die, CODE_FRAME_BASE) && die->v[CODE_FRAME_BASE].kind == VALUE_BLOCK) {
		struct description d = describe(cu, die->v[CODE_FRAME_BASE].data,
						die->v[CODE_FRAME_BASE].len, NULL);

		s.frame = (struct frame){d.what == DESCRIBED_LOCATED, d.base, d.offset};
	}
	if (die->has_children && !walk(&s, c, &ret->ranges, 0))
		return false;
	sort(ret);
	return true;
}

bool global_read(struct code_unit *cu, struct ctypes *types, const struct code_die *die,
		 struct globals *globals)
{
	struct global global = {0};
	struct entity entity;

	if (!entity_at(cu, types, (struct place){cu->unit, die->at}, &entity))
		return false;
	global.name = entity.name;
	global.type = entity.type;
	if (code_has(die, CODE_LOCATION) && die->v[CODE_LOCATION].kind == VALUE_BLOCK) {
		struct description d =
			describe(cu, die->v[CODE_LOCATION].data, die->v[CODE_LOCATION].len, NULL);

		global.has_address = d.what == DESCRIBED_ADDRESS;
		global.address = d.address;
	}
	if (global.name && global.type)
		add_global(globals, global);
	return true;
}
