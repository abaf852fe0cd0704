/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/math.h"
#include "dwarf/constants.h"
#include "dwarf/split.h"

#undef unit_fail
bool unit_fail(const struct reader *reader, const struct unit *unit, uint64_t at, const char *fmt,
	       ...)
{
	struct buf text = BUF_INIT;
	char place[512];
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	snprintf(place, sizeof place, "%s: %s+0x%" PRIx64,
		 sections_of(reader->sections, unit->section)->path,
		 unit_section_name(reader->sections, unit->section), unit->offset + at);
	err_set(reader->err, place, "%s", text.s);
	buf_release(&text);
	return false;
}

/* ---- abbreviation tables that several units may share ---------------------------------------- */

struct pinned_table {
	struct abbrev_table table;
	const struct sections *sections; /* of its file */
	unsigned pins;                   /* units that use it */
	uint64_t used;                   /* when it was last asked for */
	bool filled;
};

/* More tables than this are kept only while units use them. */
enum { TABLES_KEPT = 4 };

void reader_init(struct reader *reader, const struct sections *sections, struct err *err)
{
	*reader = (struct reader){.sections = sections, .err = err};
}

void reader_release(struct reader *reader)
{
	for (size_t i = 0; i < reader->ntables; i++) {
		abbrev_release(&reader->tables[i]->table);
		free(reader->tables[i]);
	}
	free(reader->tables);
	reader->tables = NULL;
	reader->ntables = reader->cap_tables = 0;
}

static bool is_same_table(const struct pinned_table *pinned, const struct sections *sections,
			  const struct unit *unit)
{
	const struct abbrev_table *table = &pinned->table;

	return pinned->filled && pinned->sections == sections &&
	       table->offset == unit->abbrev_offset &&
	       table->params.version == unit->params.version &&
	       table->params.address_size == unit->params.address_size &&
	       table->params.offset_size == unit->params.offset_size;
}

/* The one to be overwritten: the one not used for the longest time, or a new one. */
static struct pinned_table *oldest_table(struct reader *reader)
{
	struct pinned_table *oldest = NULL;

	for (size_t i = 0; i < reader->ntables; i++) {
		struct pinned_table *pinned = reader->tables[i];

		if (!pinned->pins && (!oldest || pinned->used < oldest->used))
			oldest = pinned;
	}
	if (oldest && reader->ntables >= TABLES_KEPT)
		return oldest;
	ARRAY_GROW(reader->tables, reader->ntables, reader->cap_tables);
	oldest = xcalloc(1, sizeof *oldest);
	reader->tables[reader->ntables++] = oldest;
	return oldest;
}

static bool pin_table(struct reader *reader, struct unit *unit)
{
	const struct sections *s = sections_of(reader->sections, unit->section);
	struct pinned_table *pinned = NULL;

	for (size_t i = 0; i < reader->ntables && !pinned; i++)
		if (is_same_table(reader->tables[i], s, unit))
			pinned = reader->tables[i];
	if (!pinned) {
		pinned = oldest_table(reader);
		pinned->sections = s;
		pinned->filled =
			abbrev_compile(&pinned->table, s->path, s->abbrev.data, s->abbrev.size,
				       unit->abbrev_offset, s->swap, unit->params, reader->err);
		if (!pinned->filled)
			return false;
	}
	pinned->pins++;
	pinned->used = ++reader->clock;
	unit->abbrevs = &pinned->table;
	return true;
}

void unit_close(struct reader *reader, struct unit *unit)
{
	for (size_t i = 0; i < reader->ntables; i++)
		if (&reader->tables[i]->table == unit->abbrevs)
			reader->tables[i]->pins--;
	unit->abbrevs = NULL;
}

/* ---- unit headers ---------------------------------------------------------------------------- */

static uint64_t read_offset(struct cursor *c, const struct unit *unit)
{
	return unit->params.offset_size == 8 ? cursor_u64(c) : cursor_u32(c);
}

static bool is_address_size(unsigned size)
{
	return size == 2 || size == 4 || size == 8;
}

/* Behind the version: version 5 says more, and in another order. */
static void read_header_fields(struct cursor *c, struct unit *u)
{
	uint64_t type_at = 0;

	if (u->params.version >= 5) {
		u->type = cursor_u8(c);
		u->params.address_size = cursor_u8(c);
		u->abbrev_offset = read_offset(c, u);
	} else {
		u->type = u->section == SECTION_TYPES ? DW_UT_type : DW_UT_compile;
		u->abbrev_offset = read_offset(c, u);
		u->params.address_size = cursor_u8(c);
	}
	if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
		u->dwo_id = cursor_u64(c);
	if (u->type == DW_UT_type || u->type == DW_UT_split_type) {
		u->signature = cursor_u64(c);
		type_at = read_offset(c, u);
	}
	u->type_at = type_at < u->size ? (uint32_t)type_at : u->size;
}

/*
 * Its abbreviations and strings are where the index of the package says; without one each section
 * is the unit's alone. The table of string offsets is not named: it is behind its header, which
 * version 4 has not.
 */
static bool place_split(const struct reader *reader, struct unit *u)
{
	const struct contribution *own =
		split_contribution(reader->sections->split, u->section, u->offset);
	unsigned header = u->params.offset_size == 8 ? 16 : 8;

	if (!own)
		return unit_fail(reader, u, 0, "the index of the package does not list it");
	u->abbrev_offset = add_capped(u->abbrev_offset, own->abbrev);
	u->str_offsets_base = own->str_offsets + (u->params.version >= 5 ? header : 0);
	u->line_base = own->line;
	return true;
}

/* From here on split units are like all others. */
static void settle_type(struct unit *u)
{
	u->is_skeleton = u->type == DW_UT_skeleton;
	if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
		u->type = DW_UT_compile;
	else if (u->type == DW_UT_split_type)
		u->type = DW_UT_type;
}

static bool check_header(const struct reader *reader, const struct unit *u)
{
	if (!is_address_size(u->params.address_size))
		return unit_fail(reader, u, 0, "an address size of %u bytes is not supported",
				 u->params.address_size);
	if (reader->sections->split ? u->type == DW_UT_skeleton
				    : u->type == DW_UT_split_compile || u->type == DW_UT_split_type)
		return unit_fail(reader, u, 0,
				 "unit type %u of split DWARF does not belong into this file",
				 u->type);
	if (u->type < DW_UT_compile || u->type > DW_UT_split_type)
		return unit_fail(reader, u, 0, "unit type %u is not known", u->type);
	if (u->abbrev_offset >= sections_of(reader->sections, u->section)->abbrev.size)
		return unit_fail(reader, u, 0,
				 "its abbreviations at 0x%" PRIx64 " are behind the end of "
				 ".debug_abbrev",
				 u->abbrev_offset);
	if ((u->type == DW_UT_type || u->type == DW_UT_split_type) &&
	    (u->type_at < u->root || u->type_at >= u->size))
		return unit_fail(reader, u, 0, "the type of the type unit is outside of it");
	return true;
}

bool unit_read_header(const struct reader *reader, enum unit_section section, uint64_t offset,
		      const uint8_t *bytes, uint64_t len, struct unit *ret)
{
	struct cursor c = cursor_over(bytes, len, reader->sections->swap);
	struct unit u = {.section = section, .offset = offset, .bytes = bytes};
	uint64_t size = cursor_u32(&c);

	u.params.offset_size = size == 0xffffffff ? 8 : 4;
	if (u.params.offset_size == 8)
		size = cursor_u64(&c);
	if (size >= UINT32_MAX - cursor_offset(&c))
		return unit_fail(reader, &u, 0, "units of 4 GiB and more are not supported");
	u.size = (uint32_t)(size + cursor_offset(&c));
	u.params.version = 0;
	size = cursor_u16(&c);
	if (c.bad || size < 2 || size > 5)
		return unit_fail(reader, &u, 0, "version %" PRIu64 " of DWARF is not known", size);
	u.params.version = (uint8_t)size;
	read_header_fields(&c, &u);
	if (c.bad || cursor_offset(&c) > u.size)
		return unit_fail(reader, &u, 0, "the unit is too short for its header");
	u.root = (uint32_t)cursor_offset(&c);
	if ((reader->sections->split && !place_split(reader, &u)) || !check_header(reader, &u))
		return false;
	settle_type(&u);
	*ret = u;
	return true;
}

/* ---- the root DIE ---------------------------------------------------------------------------- */

static uint8_t default_lower_bound(uint64_t language)
{
	switch (language) {
	case DW_LANG_Ada83:
	case DW_LANG_Ada95:
	case DW_LANG_Fortran95:
	case DW_LANG_Modula3:
	case DW_LANG_Julia:
	case DW_LANG_PLI:
		return 1;
	default:
		return (language >= DW_LANG_Cobol74 && language <= DW_LANG_Modula2) ||
		       (language >= DW_LANG_Fortran03 && language <= DW_LANG_Fortran08) ||
		       (language >= DW_LANG_Fortran18 && language <= DW_LANG_Ada2012);
	}
}

static bool is_c(uint64_t language)
{
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == DW_LANG_C17;
}

/* Before version 5 only the root tells that a unit is a skeleton. */
static bool read_skeleton(struct reader *reader, struct unit *u, const struct die *root)
{
	if (die_has(root, SLOT_DWO_NAME) && die_has(root, SLOT_DWO_ID)) {
		u->is_skeleton = true;
		u->dwo_id = root->v[SLOT_DWO_ID].u;
	}
	if (!u->is_skeleton)
		return true;
	if (!reader->takes_skeletons)
		return unit_fail(reader, u, root->at,
				 "its debug info is split, and code described in .dwo files is not "
				 "looked at");
	if (!die_has(root, SLOT_DWO_NAME))
		return unit_fail(reader, u, root->at,
				 "it is split DWARF and does not name its .dwo file");
	return unit_string(reader, u, &root->v[SLOT_DWO_NAME], &u->dwo_name);
}

/* The skeleton has the line table and where the compiler ran; type units have tables here. */
static bool read_split_root(struct reader *reader, struct unit *u, const struct die *root)
{
	const struct split *split = reader->sections->split;
	const struct skeleton *skeleton;

	u->line_table = add_capped(u->line_table, u->line_base);
	if (u->type == DW_UT_type)
		return true;
	if (die_has(root, SLOT_DWO_ID))
		u->dwo_id = root->v[SLOT_DWO_ID].u;
	skeleton = split_skeleton(split, u->dwo_id);
	u->is_unclaimed = !skeleton;
	u->has_line_table = skeleton && skeleton->has_line_table;
	if (!skeleton)
		return true;
	u->line_table = skeleton->line_table;
	u->lines = split->program;
	u->comp_dir = skeleton->comp_dir;
	return true;
}

static bool read_root(struct reader *reader, struct unit *u)
{
	struct cursor c = unit_cursor(reader, u, u->root);
	struct die root;

	u->lines = sections_of(reader->sections, u->section);
	if (!reader->sections->split)
		u->str_offsets_base = UINT64_MAX;
	if (u->root == u->size)
		return true; /* a unit of nothing but its header */
	if (!die_read(reader, u, &c, &root))
		return false;
	if (!root.abbrev)
		return true;
	/* Before version 5 only the root tells. */
	if (root.abbrev->tag == DW_TAG_partial_unit)
		u->type = DW_UT_partial;
	if (root.abbrev->has_children)
		u->children = (uint32_t)cursor_offset(&c);
	if (die_has(&root, SLOT_STR_OFFSETS_BASE))
		u->str_offsets_base = root.v[SLOT_STR_OFFSETS_BASE].u;
	u->nests_types = true;
	if (die_has(&root, SLOT_LANGUAGE)) {
		u->is_go = root.v[SLOT_LANGUAGE].u == DW_LANG_Go;
		u->lower_bound = default_lower_bound(root.v[SLOT_LANGUAGE].u);
		u->nests_types = !is_c(root.v[SLOT_LANGUAGE].u);
	}
	u->has_line_table = die_has(&root, SLOT_STMT_LIST);
	if (u->has_line_table)
		u->line_table = root.v[SLOT_STMT_LIST].u;
	if (die_has(&root, SLOT_COMP_DIR) &&
	    !unit_string(reader, u, &root.v[SLOT_COMP_DIR], &u->comp_dir))
		return false;
	return reader->sections->split ? read_split_root(reader, u, &root)
				       : read_skeleton(reader, u, &root);
}

bool unit_open(struct reader *reader, enum unit_section section, uint64_t offset,
	       const uint8_t *bytes, uint64_t len, struct unit *ret)
{
	if (!unit_read_header(reader, section, offset, bytes, len, ret))
		return false;
	if (ret->size > len)
		return unit_fail(reader, ret, 0, "the unit runs past the end of the section");
	if (!pin_table(reader, ret))
		return false;
	if (read_root(reader, ret))
		return true;
	unit_close(reader, ret);
	return false;
}

/* ---- strings --------------------------------------------------------------------------------- */

static bool str_offset_of_index(const struct reader *reader, const struct unit *unit,
				uint64_t index, uint64_t *ret)
{
	const struct span_of_bytes *table =
		&sections_of(reader->sections, unit->section)->str_offsets;
	struct cursor c = cursor_over(table->data, table->size, reader->sections->swap);

	if (unit->str_offsets_base == UINT64_MAX)
		return unit_fail(reader, unit, 0,
				 "it names strings by index but has no DW_AT_str_offsets_base");
	cursor_seek(&c, unit->str_offsets_base);
	if (index > table->size)
		index = table->size;
	cursor_skip(&c, index * unit->params.offset_size);
	*ret = read_offset(&c, unit);
	return !c.bad || unit_fail(reader, unit, 0,
				   "string index %" PRIu64 " is behind the end of "
				   ".debug_str_offsets",
				   index);
}

/* The bytes at @offset of a section of strings. */
static bool string_at(const struct reader *reader, const struct unit *unit,
		      const struct span_of_bytes *strings, const char *name, uint64_t offset,
		      const char **ret)
{
	if (offset >= strings->size)
		return unit_fail(reader, unit, 0,
				 "string offset 0x%" PRIx64 " is behind the end of %s", offset,
				 name);
	*ret = (const char *)strings->data + offset;
	return true;
}

bool unit_str_offset(const struct reader *reader, const struct unit *unit,
		     const struct value *value, uint64_t *ret)
{
	const char *text;

	*ret = value->u;
	if (value->kind == VALUE_STRX && !str_offset_of_index(reader, unit, value->u, ret))
		return false;
	return string_at(reader, unit, &sections_of(reader->sections, unit->section)->str,
			 ".debug_str", *ret, &text);
}

static bool alternate_string(const struct reader *reader, const struct unit *unit, uint64_t offset,
			     const char **ret)
{
	const struct sections *alternate = reader->sections->alternate;

	if (!alternate || unit->section == SECTION_ALTERNATE)
		return unit_fail(reader, unit, 0,
				 "a string of an alternate debug file (dwz -m), but neither "
				 ".gnu_debugaltlink nor .debug_sup names one");
	return string_at(reader, unit, &alternate->str, ".debug_str of the alternate debug file",
			 offset, ret);
}

bool unit_string(const struct reader *reader, const struct unit *unit, const struct value *value,
		 const char **ret)
{
	const struct sections *s = sections_of(reader->sections, unit->section);
	uint64_t offset;

	switch (value->kind) {
	case VALUE_STRING:
		*ret = (const char *)value->data;
		return true;
	case VALUE_STRP:
	case VALUE_STRX:
		if (!unit_str_offset(reader, unit, value, &offset))
			return false;
		*ret = (const char *)s->str.data + offset;
		return true;
	case VALUE_LINE_STRP:
		return string_at(reader, unit, &s->line_str, ".debug_line_str", value->u, ret);
	case VALUE_STRP_ALT:
		return alternate_string(reader, unit, value->u, ret);
	default:
		return unit_fail(reader, unit, 0, "a name is not a string");
	}
}
