/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/abbrev.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "dwarf/constants.h"

static uint8_t slot_of(uint64_t attribute)
{
	switch (attribute) {
	case DW_AT_name:
		return SLOT_NAME;
	case DW_AT_sibling:
		return SLOT_SIBLING;
	case DW_AT_type:
		return SLOT_TYPE;
	case DW_AT_byte_size:
		return SLOT_BYTE_SIZE;
	case DW_AT_bit_size:
		return SLOT_BIT_SIZE;
	case DW_AT_alignment:
		return SLOT_ALIGNMENT;
	case DW_AT_encoding:
		return SLOT_ENCODING;
	case DW_AT_declaration:
		return SLOT_DECLARATION;
	case DW_AT_external:
		return SLOT_EXTERNAL;
	case DW_AT_data_member_location:
		return SLOT_LOCATION;
	case DW_AT_data_bit_offset:
		return SLOT_DATA_BIT_OFFSET;
	case DW_AT_bit_offset:
		return SLOT_BIT_OFFSET;
	case DW_AT_count:
		return SLOT_COUNT;
	case DW_AT_data_location:
		return SLOT_DATA_LOCATION;
	case DW_AT_lower_bound:
		return SLOT_LOWER_BOUND;
	case DW_AT_upper_bound:
		return SLOT_UPPER_BOUND;
	case DW_AT_byte_stride:
		return SLOT_BYTE_STRIDE;
	case DW_AT_bit_stride:
		return SLOT_BIT_STRIDE;
	case DW_AT_specification:
		return SLOT_SPECIFICATION;
	case DW_AT_signature:
		return SLOT_SIGNATURE;
	case DW_AT_stmt_list:
		return SLOT_STMT_LIST;
	case DW_AT_str_offsets_base:
		return SLOT_STR_OFFSETS_BASE;
	case DW_AT_comp_dir:
		return SLOT_COMP_DIR;
	case DW_AT_containing_type:
		return SLOT_CONTAINING_TYPE;
	case DW_AT_language:
		return SLOT_LANGUAGE;
	case DW_AT_import:
		return SLOT_IMPORT;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		return SLOT_DWO_NAME;
	case DW_AT_GNU_dwo_id:
		return SLOT_DWO_ID;
	default:
		return SLOT_NONE;
	}
}

static uint8_t role_of(uint16_t tag, bool named, bool declared)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		return named && !declared ? ROLE_COMPOSITE : ROLE_NONE;
	case DW_TAG_typedef:
		return named ? ROLE_TYPEDEF : ROLE_NONE;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return ROLE_SCOPE;
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return ROLE_CODE;
	case DW_TAG_imported_unit:
		return ROLE_IMPORT;
	default:
		return ROLE_NONE;
	}
}

/* ---- reading the section --------------------------------------------------------------------- */

struct compiler {
	struct abbrev_table *table;
	struct cursor c;
	const char *path;
	struct err *err;
};

enum { PLACE_MAX = 512, SPECS_MAX = 20000 };

/* @at: bytes from the start of the table. */
static const char *name_place(const struct compiler *k, uint64_t at, char place[PLACE_MAX])
{
	snprintf(place, PLACE_MAX, "%s: .debug_abbrev+0x%" PRIx64, k->path, k->table->offset + at);
	return place;
}

static bool PRINTF_LIKE(3, 4) fail_at(struct compiler *k, uint64_t at, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	char place[PLACE_MAX];
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	err_set(k->err, name_place(k, at, place), "%s", text.s);
	buf_release(&text);
	return false;
}

/* A form that is not one of the compact ones: another name for one, or an error. */
static bool translate_form(struct compiler *k, uint64_t form, uint8_t *ret)
{
	char place[PLACE_MAX];

	return form_compact(form, k->table->params, name_place(k, cursor_offset(&k->c), place),
			    k->err, ret);
}

/* The attributes whose places a table keeps. */
enum notable {
	NOTABLE_NONE,
	NOTABLE_NAME,
	NOTABLE_SIBLING,
	NOTABLE_SPECIFICATION,
	NOTABLE_DECLARATION,
	NOTABLES
};
struct places {
	uint32_t position_of[NOTABLES], position; /* bytes of the values before */
	uint32_t varies;                          /* all ones once it depends on the DIE */
	uint8_t form_of[NOTABLES];
};

static const uint8_t notable[0x80] = {
	[DW_AT_name] = NOTABLE_NAME,
	[DW_AT_sibling] = NOTABLE_SIBLING,
	[DW_AT_specification] = NOTABLE_SPECIFICATION,
	[DW_AT_declaration] = NOTABLE_DECLARATION,
};

/*
 * Passes over attributes whose bytes are all below 0x80, as nearly all are, and stops before one
 * that is not, or a form of another kind, or the end of the list.
 *
 * A vmlinux has millions of them, in no order that a branch predictor could learn: so the places of
 * all are noted, most of them where nobody looks.
 */
static void pass_plain(struct cursor *c, const int8_t *sizes, struct places *places)
{
	struct places at = *places;
	const uint8_t *p = c->pos;

	while (c->end - p >= 3) {
		unsigned attribute = p[0], form = p[1], place;
		bool implicit = form == DW_FORM_implicit_const;

		if ((attribute | form) > 0x7f || form >= FORMS || sizes[form] == FORM_UNKNOWN ||
		    (implicit && p[2] > 0x7f))
			break;
		place = notable[attribute];
		at.position_of[place] = at.position | at.varies;
		at.form_of[place] = (uint8_t)form;
		at.varies |= (uint32_t)(sizes[form] >> 7);
		at.position += (uint32_t)sizes[form] & 0x1f;
		p += 2 + implicit;
	}
	c->pos = p;
	*places = at;
}

static void note_place(struct places *places, const int8_t *sizes, uint64_t attribute, uint8_t form)
{
	unsigned place = attribute < ARRAY_SIZE(notable) ? notable[attribute] : NOTABLE_NONE;

	places->position_of[place] = places->position | places->varies;
	places->form_of[place] = form;
	places->varies |= (uint32_t)(sizes[form] >> 7);
	places->position += (uint32_t)sizes[form] & 0x1f;
}

static uint16_t clamp(uint32_t position)
{
	return position < POSITION_NONE ? (uint16_t)position : POSITION_NONE;
}

/* The attributes of one abbreviation: where its name and sibling are, and how long it is. */
static bool read_specs(struct compiler *k, struct abbrev *a)
{
	const int8_t *sizes = k->table->sizes.of;
	struct places places = {0};

	for (;;) {
		struct spec spec;
		uint8_t form;

		pass_plain(&k->c, sizes, &places);
		spec = abbrev_read_spec(&k->c);
		form = (uint8_t)spec.form;
		if (!(spec.attribute | spec.form) || k->c.bad)
			break; /* the caller looks at k->c.bad */
		if ((spec.form >= FORMS || sizes[form] == FORM_UNKNOWN) &&
		    !translate_form(k, spec.form, &form))
			return false;
		note_place(&places, sizes, spec.attribute, form);
	}
	if (cursor_offset(&k->c) - a->specs > SPECS_MAX)
		return fail_at(k, a->specs, "an abbreviation of over %d bytes", SPECS_MAX);
	a->fixed = clamp(places.position | places.varies);
	a->name_form = places.form_of[NOTABLE_NAME];
	a->name_at = a->name_form ? clamp(places.position_of[NOTABLE_NAME]) : POSITION_NONE;
	a->sibling_form = places.form_of[NOTABLE_SIBLING];
	a->sibling_at =
		a->sibling_form ? clamp(places.position_of[NOTABLE_SIBLING]) : POSITION_NONE;
	a->role = role_of(a->tag, a->name_form || places.form_of[NOTABLE_SPECIFICATION],
			  places.form_of[NOTABLE_DECLARATION] == DW_FORM_flag_present);
	return true;
}

static bool fits_lane(unsigned position)
{
	return position <= LANE_BYTES - 4;
}

static struct lane lane_of(const struct abbrev *a)
{
	struct lane lane = {.open = false};

	lane.named = a->role == ROLE_COMPOSITE || a->role == ROLE_TYPEDEF;
	lane.jumps = a->has_children;
	lane.open = a->role != ROLE_SCOPE && a->role != ROLE_IMPORT &&
		    (!lane.named || a->name_form == DW_FORM_strp);
	if (lane.named)
		lane.open = lane.open && fits_lane(a->name_at);
	if (lane.jumps)
		lane.open =
			lane.open && a->sibling_form == DW_FORM_ref4 && fits_lane(a->sibling_at);
	else
		lane.open = lane.open && a->fixed != POSITION_NONE;
	if (lane.open && lane.named)
		lane.name_at = (uint8_t)a->name_at;
	if (lane.open && lane.jumps)
		lane.sibling_at = (uint8_t)a->sibling_at;
	return lane;
}

static struct abbrev *add_abbrev(struct abbrev_table *table, uint64_t code)
{
	if (table->n == table->cap) {
		table->cap = table->cap ? 2 * table->cap : 64;
		table->items = xrealloc_array(table->items, table->cap, sizeof *table->items);
		table->codes = xrealloc_array(table->codes, table->cap, sizeof *table->codes);
	}
	table->codes[table->n] = code;
	table->items[table->n] = (struct abbrev){.nsteps = STEPS_NONE};
	return &table->items[table->n++];
}

static bool read_abbrev(struct compiler *k, uint64_t code)
{
	uint64_t at = cursor_offset(&k->c);
	struct abbrev *a = add_abbrev(k->table, code);
	uint64_t tag = cursor_uleb(&k->c);

	a->has_children = cursor_u8(&k->c) != 0;
	a->tag = (uint16_t)tag;
	a->specs = (uint32_t)cursor_offset(&k->c);
	if (tag > UINT16_MAX)
		return fail_at(k, at, "tag 0x%" PRIx64 " is not known", tag);
	if (cursor_offset(&k->c) > UINT32_MAX)
		return fail_at(k, at, "the table is over 4 GiB");
	if (!read_specs(k, a))
		return false;
	a->lane = lane_of(a);
	return true;
}

/* ---- codes that do not count 1, 2, 3 --------------------------------------------------------- */

static size_t slot_for(const struct abbrev_table *table, uint64_t code)
{
	size_t mask = table->index_size - 1;
	size_t i = (size_t)(code * 0x9e3779b97f4a7c15u >> 32) & mask;

	while (table->index[i] && table->codes[table->index[i] - 1] != code)
		i = (i + 1) & mask;
	return i;
}

const struct abbrev *abbrev_find_sparse(const struct abbrev_table *table, uint64_t code)
{
	uint32_t item = table->index ? table->index[slot_for(table, code)] : 0;

	return item ? &table->items[item - 1] : NULL;
}

static bool index_sparse(struct compiler *k)
{
	struct abbrev_table *table = k->table;

	table->dense = 0;
	while (table->dense < table->n && table->codes[table->dense] == table->dense + 1)
		table->dense++;
	if (table->dense == table->n)
		return true;
	for (table->index_size = 16; table->index_size < 2 * table->n;)
		table->index_size *= 2;
	table->index = xcalloc(table->index_size, sizeof *table->index);
	for (size_t i = 0; i < table->n; i++) {
		size_t slot = slot_for(table, table->codes[i]);

		if (table->index[slot])
			return fail_at(k, table->items[i].specs,
				       "abbreviation code %" PRIu64 " is there twice",
				       table->codes[i]);
		table->index[slot] = (uint32_t)i + 1;
	}
	return true;
}

/* ---- the table as a whole -------------------------------------------------------------------- */

/* Keeps the memory for the next table. */
static void empty(struct abbrev_table *table)
{
	free(table->index);
	table->index = NULL;
	table->n = table->dense = table->nsteps = table->index_size = 0;
}

static bool read_table(struct compiler *k)
{
	uint64_t code;

	while ((code = cursor_uleb(&k->c)) != 0)
		if (!read_abbrev(k, code))
			return false;
	if (k->c.bad)
		return fail_at(k, k->table->specs_len,
			       "the section ends inside the table that begins at 0x%" PRIx64,
			       k->table->offset);
	return index_sparse(k);
}

bool abbrev_compile(struct abbrev_table *table, const char *path, const uint8_t *data, uint64_t len,
		    uint64_t offset, bool swap, struct form_params params, struct err *err)
{
	struct compiler k = {table, {0}, path, err};

	empty(table);
	table->offset = offset;
	table->params = params;
	table->specs = data + offset;
	table->specs_len = len - offset;
	form_sizes_init(&table->sizes, params);
	k.c = cursor_over(table->specs, table->specs_len, swap);
	if (read_table(&k))
		return true;
	empty(table);
	return false;
}

void abbrev_release(struct abbrev_table *table)
{
	empty(table);
	free(table->items);
	free(table->codes);
	free(table->steps);
	*table = (struct abbrev_table){0};
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void add_step(struct abbrev_table *table, struct abbrev *a, struct step step)
{
	ARRAY_GROW(table->steps, table->nsteps, table->cap_steps);
	table->steps[table->nsteps++] = step;
	a->nsteps++;
}

static struct step step_for(struct spec spec, uint8_t slot, uint8_t form, int8_t size)
{
	struct step step = {.slot = slot, .form = form, .kind = form_kind(form)};

	step.size = size == 3 || size > 8 ? FORM_VARIES : size;
	step.implicit = form == DW_FORM_flag_present ? 1 : spec.implicit;
	return step;
}

void abbrev_make_steps(struct abbrev_table *table, struct abbrev *a)
{
	struct cursor c = cursor_over(table->specs, table->specs_len, false);
	unsigned skip = 0;

	/* There is an array, even when it stays empty: a pointer into it is made. */
	ARRAY_GROW(table->steps, table->nsteps, table->cap_steps);
	a->nsteps = 0;
	a->first_step = (uint32_t)table->nsteps;
	cursor_seek(&c, a->specs);
	for (;;) {
		struct spec spec = abbrev_read_spec(&c);
		uint8_t form = (uint8_t)form_alias(spec.form, table->params);
		int8_t size = table->sizes.of[form];
		uint8_t slot = slot_of(spec.attribute);
		struct step step;

		if (!spec.attribute && !spec.form)
			break;
		if (slot == SLOT_NONE && size != FORM_VARIES && skip < UINT16_MAX / 2) {
			skip += (unsigned)size;
			continue;
		}
		step = step_for(spec, slot, form, size);
		step.skip = (uint16_t)skip;
		add_step(table, a, step);
		skip = 0;
	}
	if (skip)
		add_step(table, a, (struct step){.skip = (uint16_t)skip, .slot = SLOT_NONE});
}
