/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/package.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "base/math.h"
#include "base/mem.h"

/* Columns of both versions that are looked at; those of locations and macros are not. */
enum { COLUMN_INFO = 1, COLUMN_TYPES = 2, COLUMN_ABBREV = 3, COLUMN_LINE = 4, COLUMN_STR = 6 };
enum { COLUMNS = 9 }; /* more than any version has */

struct index {
	const char *path, *name;
	struct cursor c;
	uint32_t version, columns, units, slots;
	size_t ids, offsets, sizes; /* where the tables begin: u32, columns of them a row */
	uint64_t room[COLUMNS];     /* bytes of the section of a column */
};

static bool fail(const struct index *x, struct err *err, const char *what)
{
	return err_set(err, x->path, "%s: %s", x->name, what);
}

static bool section_size(struct image *image, const char *name, struct err *err, uint64_t *ret)
{
	struct section *section;

	if (!image_section(image, name, err, &section))
		return false;
	*ret = section ? section->size : 0;
	return true;
}

static bool read_rooms(struct image *image, struct err *err, struct index *x)
{
	return section_size(image, ".debug_info.dwo", err, &x->room[COLUMN_INFO]) &&
	       section_size(image, ".debug_types.dwo", err, &x->room[COLUMN_TYPES]) &&
	       section_size(image, ".debug_abbrev.dwo", err, &x->room[COLUMN_ABBREV]) &&
	       section_size(image, ".debug_line.dwo", err, &x->room[COLUMN_LINE]) &&
	       section_size(image, ".debug_str_offsets.dwo", err, &x->room[COLUMN_STR]);
}

/* Version 5 has it in 16 bits, and as many of padding. */
static bool read_header(struct index *x, struct err *err)
{
	uint64_t rows;

	x->version = cursor_u32(&x->c);
	if (x->version != 2) {
		cursor_seek(&x->c, 0);
		x->version = cursor_u16(&x->c);
		cursor_skip(&x->c, 2);
	}
	x->columns = cursor_u32(&x->c);
	x->units = cursor_u32(&x->c);
	x->slots = cursor_u32(&x->c);
	if (x->c.bad)
		return fail(x, err, "it ends inside its header");
	if (x->version != 2 && x->version != 5)
		return err_set(err, x->path, "%s: version %u of the index is not known", x->name,
			       x->version);
	if (x->columns >= COLUMNS)
		return fail(x, err, "it has more columns than there are sections");
	if (!x->columns && x->units)
		return fail(x, err, "it has units and no columns");
	rows = (uint64_t)x->columns * x->units;
	x->ids = cursor_offset(&x->c) + (size_t)x->slots * 12; /* a signature, and its row */
	x->offsets = x->ids + (size_t)x->columns * 4;
	x->sizes = x->offsets + (size_t)rows * 4;
	if (rows > UINT32_MAX || x->sizes + rows * 4 > cursor_offset(&x->c) + cursor_left(&x->c))
		return fail(x, err, "its tables run past the end of the section");
	return true;
}

static uint32_t number_at(struct index *x, size_t table, size_t i)
{
	cursor_seek(&x->c, table + 4 * i);
	return cursor_u32(&x->c);
}

static bool is_known(const struct index *x, uint32_t column)
{
	return column == COLUMN_INFO || column == COLUMN_ABBREV || column == COLUMN_LINE ||
	       column == COLUMN_STR || (column == COLUMN_TYPES && x->version == 2);
}

static bool read_row(struct index *x, size_t row, struct err *err, struct split *split)
{
	struct contribution found = {.section = UNIT_SECTIONS};

	for (uint32_t i = 0; i < x->columns; i++) {
		uint32_t column = number_at(x, x->ids, i);
		uint64_t offset = number_at(x, x->offsets, row * x->columns + i);
		uint64_t size = number_at(x, x->sizes, row * x->columns + i);

		if (!is_known(x, column))
			continue;
		if (add_capped(offset, size) > x->room[column])
			return fail(x, err, "a unit's part runs past the end of its section");
		if (column == COLUMN_ABBREV)
			found.abbrev = offset;
		else if (column == COLUMN_LINE)
			found.line = offset;
		else if (column == COLUMN_STR)
			found.str_offsets = offset;
		else if (size) {
			found.section = column == COLUMN_TYPES ? SECTION_TYPES : SECTION_INFO;
			found.unit = offset;
		}
	}
	if (found.section == UNIT_SECTIONS)
		return true;
	ARRAY_GROW(split->contributions, split->ncontributions, split->cap_contributions);
	split->contributions[split->ncontributions++] = found;
	return true;
}

static bool read_index(struct image *image, const char *name, struct err *err, struct split *split)
{
	struct index x = {.path = image_path(image), .name = name};
	struct span_of_bytes bytes = {0};

	if (!section_bytes(image, name, err, &bytes) || !bytes.size)
		return !err->text;
	x.c = cursor_over(bytes.data, bytes.size, split->program->swap);
	if (!read_rooms(image, err, &x) || !read_header(&x, err))
		return false;
	for (size_t row = 0; row < x.units; row++)
		if (!read_row(&x, row, err, split))
			return false;
	return true;
}

static int compare_contributions(const void *left, const void *right)
{
	const struct contribution *a = left, *b = right;

	return a->section != b->section ? compare_u64(a->section, b->section)
					: compare_u64(a->unit, b->unit);
}

bool package_read(struct image *image, struct err *err, struct split *split)
{
	if (!read_index(image, ".debug_cu_index", err, split) ||
	    !read_index(image, ".debug_tu_index", err, split))
		return false;
	if (split->ncontributions)
		qsort(split->contributions, split->ncontributions, sizeof *split->contributions,
		      compare_contributions);
	return true;
}
