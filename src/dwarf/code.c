/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/code.h"

#include <inttypes.h>

#include "base/mem.h"
#include "dwarf/constants.h"

bool ranges_hold(const struct ranges *ranges, uint64_t address)
{
	for (size_t i = 0; i < ranges->n; i++)
		if (address >= ranges->items[i].low && address < ranges->items[i].high)
			return true;
	return false;
}

bool code_sections_open(struct image *image, const struct sections *sections, struct err *err,
			struct code_sections *ret)
{
	struct code_sections s = {.sections = sections};

	if (!section_bytes(image, ".debug_ranges", err, &s.ranges) ||
	    !section_bytes(image, ".debug_rnglists", err, &s.rnglists) ||
	    !section_bytes(image, ".debug_loc", err, &s.loc) ||
	    !section_bytes(image, ".debug_loclists", err, &s.loclists) ||
	    !section_bytes(image, ".debug_addr", err, &s.addr) ||
	    !section_bytes(image, ".debug_aranges", err, &s.aranges))
		return false;
	*ret = s;
	return true;
}

/* ---- DIEs ------------------------------------------------------------------------------------ */

static unsigned attr_of(uint64_t attribute)
{
	switch (attribute) {
	case DW_AT_name:
		return CODE_NAME;
	case DW_AT_type:
		return CODE_TYPE;
	case DW_AT_location:
		return CODE_LOCATION;
	case DW_AT_low_pc:
		return CODE_LOW_PC;
	case DW_AT_high_pc:
		return CODE_HIGH_PC;
	case DW_AT_ranges:
		return CODE_RANGES;
	case DW_AT_abstract_origin:
	case DW_AT_call_origin:
		return CODE_ORIGIN;
	case DW_AT_specification:
		return CODE_SPECIFICATION;
	case DW_AT_frame_base:
		return CODE_FRAME_BASE;
	case DW_AT_call_return_pc:
		return CODE_RETURN_PC;
	case DW_AT_noreturn:
		return CODE_NORETURN;
	case DW_AT_declaration:
		return CODE_DECLARATION;
	case DW_AT_sibling:
		return CODE_SIBLING;
	case DW_AT_addr_base:
		return CODE_ADDR_BASE;
	case DW_AT_rnglists_base:
		return CODE_RNGLISTS_BASE;
	case DW_AT_loclists_base:
		return CODE_LOCLISTS_BASE;
	default:
		return CODE_ATTRS;
	}
}

bool code_die_read(const struct code_unit *cu, const struct unit *unit, struct cursor *c,
		   struct code_die *ret)
{
	const struct abbrev_table *table = unit->abbrevs;
	struct cursor specs = cursor_over(table->specs, table->specs_len, false);
	const struct abbrev *abbrev;
	uint64_t code;

	ret->at = (uint32_t)cursor_offset(c);
	ret->tag = 0;
	ret->has = 0;
	ret->has_children = false;
	code = cursor_uleb(c);
	if (!code)
		return !c->bad || die_fail_end(cu->reader, unit, ret->at);
	abbrev = abbrev_find(table, code);
	if (!abbrev)
		return die_fail_code(cu->reader, unit, ret->at, code);
	ret->tag = abbrev->tag;
	ret->has_children = abbrev->has_children;
	cursor_seek(&specs, abbrev->specs);
	for (;;) {
		struct spec spec = abbrev_read_spec(&specs);
		/* The table was compiled: no form is unknown. */
		uint8_t form = (uint8_t)form_alias(spec.form, unit->params);
		unsigned attr = attr_of(spec.attribute);
		struct value value;

		if (!(spec.attribute | spec.form))
			return !c->bad || die_fail_end(cu->reader, unit, ret->at);
		value = form_read(c, form, unit->params, spec.implicit);
		if (attr == CODE_ATTRS)
			continue;
		ret->v[attr] = value;
		ret->form[attr] = form;
		ret->has |= 1u << attr;
	}
}

bool code_die_read_at(const struct code_unit *cu, struct place place, struct code_die *ret)
{
	struct cursor c = unit_cursor(cu->reader, place.unit, place.at);

	if (!code_die_read(cu, place.unit, &c, ret))
		return false;
	return ret->tag || unit_fail(cu->reader, place.unit, place.at,
				     "a reference leads to the end of a list");
}

bool code_die_pass_children(const struct code_unit *cu, struct cursor *c,
			    const struct code_die *die)
{
	struct cursor again = unit_cursor(cu->reader, cu->unit, die->at);
	uint64_t code = cursor_uleb(&again);

	if (!die->has_children)
		return true;
	if (!die_pass(cu->reader, cu->unit, &again, abbrev_find(cu->unit->abbrevs, code)))
		return false;
	c->pos = again.pos;
	return true;
}

bool code_unit_init(const struct code_sections *sections, struct reader *reader,
		    const struct unit *unit, struct code_unit *ret)
{
	struct cursor c = unit_cursor(reader, unit, unit->root);

	*ret = (struct code_unit){.sections = sections, .reader = reader, .unit = unit};
	ret->addr_base = ret->rnglists_base = ret->loclists_base = UINT64_MAX;
	if (unit->root == unit->size)
		return true;
	if (!code_die_read(ret, unit, &c, &ret->root))
		return false;
	if (code_has(&ret->root, CODE_ADDR_BASE))
		ret->addr_base = ret->root.v[CODE_ADDR_BASE].u;
	if (code_has(&ret->root, CODE_RNGLISTS_BASE))
		ret->rnglists_base = ret->root.v[CODE_RNGLISTS_BASE].u;
	if (code_has(&ret->root, CODE_LOCLISTS_BASE))
		ret->loclists_base = ret->root.v[CODE_LOCLISTS_BASE].u;
	(void)code_address(ret, &ret->root, CODE_LOW_PC, &ret->low_pc);
	return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static uint64_t read_address(struct cursor *c, const struct unit *unit)
{
	return cursor_uint(c, unit->params.address_size);
}

static struct cursor cursor_in(const struct code_unit *cu, const struct span_of_bytes *bytes,
			       uint64_t offset)
{
	struct cursor c = cursor_over(bytes->data, bytes->size, cu->reader->sections->swap);

	cursor_seek(&c, offset);
	return c;
}

bool code_indexed_address(const struct code_unit *cu, uint64_t index, uint64_t *ret)
{
	const struct span_of_bytes *addr = &cu->sections->addr;
	struct cursor c;

	if (cu->addr_base == UINT64_MAX || index > addr->size)
		return false;
	c = cursor_in(cu, addr, cu->addr_base);
	cursor_skip(&c, index * cu->unit->params.address_size);
	*ret = read_address(&c, cu->unit);
	return !c.bad;
}

bool code_address(const struct code_unit *cu, const struct code_die *die, enum code_attr attr,
		  uint64_t *ret)
{
	if (!code_has(die, attr))
		return false;
	switch (die->form[attr]) {
	case DW_FORM_addr:
		*ret = die->v[attr].u;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		return code_indexed_address(cu, die->v[attr].u, ret);
	default:
		return false;
	}
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* A list of either kind: where it is read, and what its entries have behind the addresses. */
struct list {
	const struct code_unit *cu;
	const char *section;
	struct cursor c;
	uint64_t base;
	bool has_locations;
	location_fn *fn;
	void *arg;
	uint64_t start; /* where it begins, for messages */
};

static bool fail_list(const struct list *l)
{
	return unit_fail(l->cu->reader, l->cu->unit, 0,
			 "its list at %s+0x%" PRIx64 " cannot be read", l->section, l->start);
}

/* One entry; what it places is behind it in the list. False in *ret_on: enough. */
static bool tell(struct list *l, uint64_t low, uint64_t high, bool *ret_on)
{
	uint64_t len = 0;
	const uint8_t *expr = NULL;

	*ret_on = true;
	if (l->has_locations) {
		len = l->cu->unit->params.version >= 5 ? cursor_uleb(&l->c) : cursor_u16(&l->c);
		expr = cursor_bytes(&l->c, len);
	}
	if (l->c.bad)
		return fail_list(l);
	if (low < high)
		*ret_on = l->fn(l->arg, low, high, expr, len);
	return true;
}

/* DWARF 2 to 4: pairs of addresses. */
static bool walk_pairs(struct list *l)
{
	const struct unit *unit = l->cu->unit;
	uint64_t last = unit->params.address_size == 8
				? UINT64_MAX
				: (1ull << 8 * unit->params.address_size) - 1;
	bool on = true;

	while (on) {
		uint64_t low = read_address(&l->c, unit);
		uint64_t high = read_address(&l->c, unit);

		if (l->c.bad)
			return fail_list(l);
		if (!low && !high)
			return true;
		if (low == last)
			l->base = high;
		else if (!tell(l, low + l->base, high + l->base, &on))
			return false;
	}
	return true;
}

/* DWARF 5's kinds of entries under one set of names: those of location lists. */
static unsigned entry_kind(const struct list *l, uint8_t kind)
{
	if (l->has_locations)
		return kind;
	switch (kind) {
	case DW_RLE_base_address:
		return DW_LLE_base_address;
	case DW_RLE_start_end:
		return DW_LLE_start_end;
	case DW_RLE_start_length:
		return DW_LLE_start_length;
	default:
		return kind <= DW_RLE_offset_pair ? kind : UINT8_MAX;
	}
}

static uint64_t read_indexed(struct list *l)
{
	uint64_t address = 0;

	if (!code_indexed_address(l->cu, cursor_uleb(&l->c), &address))
		cursor_fail(&l->c);
	return address;
}

/* DWARF 5. */
static bool walk_entries(struct list *l)
{
	const struct unit *unit = l->cu->unit;
	bool on = true;

	while (on) {
		uint64_t low = 0, high = 0;

		switch (entry_kind(l, cursor_u8(&l->c))) {
		case DW_LLE_end_of_list:
			return !l->c.bad || fail_list(l);
		case DW_LLE_base_addressx:
			l->base = read_indexed(l);
			continue;
		case DW_LLE_base_address:
			l->base = read_address(&l->c, unit);
			continue;
		case DW_LLE_GNU_view_pair:
			(void)cursor_uleb(&l->c);
			(void)cursor_uleb(&l->c);
			continue;
		case DW_LLE_startx_endx:
			low = read_indexed(l);
			high = read_indexed(l);
			break;
		case DW_LLE_startx_length:
			low = read_indexed(l);
			high = low + cursor_uleb(&l->c);
			break;
		case DW_LLE_offset_pair:
			low = l->base + cursor_uleb(&l->c);
			high = l->base + cursor_uleb(&l->c);
			break;
		case DW_LLE_default_location:
			high = UINT64_MAX;
			break;
		case DW_LLE_start_end:
			low = read_address(&l->c, unit);
			high = read_address(&l->c, unit);
			break;
		case DW_LLE_start_length:
			low = read_address(&l->c, unit);
			high = low + cursor_uleb(&l->c);
			break;
		default:
			return fail_list(l);
		}
		if (!tell(l, low, high, &on))
			return false;
	}
	return true;
}

/* Where in its section the list is that an attribute means. */
static bool list_offset(const struct code_unit *cu, const struct span_of_bytes *bytes,
			const struct code_die *die, enum code_attr attr, uint64_t base,
			uint64_t *ret)
{
	uint64_t size = cu->unit->params.offset_size, index = die->v[attr].u;
	struct cursor c;

	*ret = index;
	if (die->form[attr] != DW_FORM_loclistx && die->form[attr] != DW_FORM_rnglistx)
		return true;
	if (base == UINT64_MAX || index > bytes->size)
		return false;
	c = cursor_in(cu, bytes, base);
	cursor_skip(&c, index * size);
	*ret = base + cursor_uint(&c, (unsigned)size);
	return !c.bad;
}

static bool is_list(const struct code_die *die, enum code_attr attr)
{
	switch (die->form[attr]) {
	case DW_FORM_sec_offset:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		return code_has(die, attr);
	default:
		return false;
	}
}

static bool walk_list(struct list *l, const struct code_die *die, enum code_attr attr)
{
	const struct code_sections *s = l->cu->sections;
	bool five = l->cu->unit->params.version >= 5;
	const struct span_of_bytes *bytes;
	uint64_t base;

	if (l->has_locations) {
		bytes = five ? &s->loclists : &s->loc;
		l->section = five ? ".debug_loclists" : ".debug_loc";
		base = l->cu->loclists_base;
	} else {
		bytes = five ? &s->rnglists : &s->ranges;
		l->section = five ? ".debug_rnglists" : ".debug_ranges";
		base = l->cu->rnglists_base;
	}
	l->start = die->v[attr].u;
	if (!list_offset(l->cu, bytes, die, attr, base, &l->start))
		return fail_list(l);
	l->c = cursor_in(l->cu, bytes, l->start);
	l->base = l->cu->low_pc;
	return five ? walk_entries(l) : walk_pairs(l);
}

bool code_locations(const struct code_unit *cu, const struct code_die *die, enum code_attr attr,
		    location_fn *fn, void *arg)
{
	struct list l = {.cu = cu, .has_locations = true, .fn = fn, .arg = arg};

	return !is_list(die, attr) || walk_list(&l, die, attr);
}

/* More ranges than this has nothing that a compiler makes. */
enum { RANGES_MAX = 1 << 16 };

static bool add_range(void *arg, uint64_t low, uint64_t high, const uint8_t *expr, uint64_t len)
{
	struct ranges *ranges = arg;

	(void)expr;
	(void)len;
	ARRAY_GROW(ranges->items, ranges->n, ranges->cap);
	ranges->items[ranges->n++] = (struct range){low, high};
	return ranges->n < RANGES_MAX;
}

bool code_ranges(const struct code_unit *cu, const struct code_die *die, struct ranges *ret)
{
	struct list l = {.cu = cu, .fn = add_range, .arg = ret};
	uint64_t low, high;

	if (is_list(die, CODE_RANGES))
		return walk_list(&l, die, CODE_RANGES);
	if (!code_address(cu, die, CODE_LOW_PC, &low) || !code_has(die, CODE_HIGH_PC))
		return true;
	if (!code_address(cu, die, CODE_HIGH_PC, &high))
		high = low + die->v[CODE_HIGH_PC].u;
	if (low < high)
		(void)add_range(ret, low, high, NULL, 0);
	return true;
}
