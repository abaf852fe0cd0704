/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of the compile units that define a type, the smallest: what is built fastest to see its layout.
 * The size is that of the unit in .debug_info, which tells how much the compiler had to read; that
 * of the code tells nothing, since a file that includes a thousand types may have none.
 */
#ifndef DWARF_UNITS_H
#define DWARF_UNITS_H

#include "elf/image.h"
#include "layout/model.h"

struct least_unit {
	/* What it defines: together the same as those of one struct def that dwarf_read() gives. */
	const char *name, *scope;
	enum def_kind kind;
	uint64_t digest;
	/* DW_AT_name; NULL: not said, or it is defined in type units alone, of which nothing tells
	 * whose they are. */
	const char *unit;
	const char *comp_dir; /* DW_AT_comp_dir; NULL: not said */
	uint64_t bytes;
};

struct least_units {
	struct least_unit *items; /* in the order of the file */
	size_t n;
};

/* One for each distinct definition of the names wanted, in @arena. */
MUST_CHECK bool dwarf_least_units(struct image *image, const struct want *want, struct err *err,
				  struct arena *arena, struct least_units *ret);

/* That of @def; NULL: there is none. */
const struct least_unit *least_unit_of(const struct least_units *units, const struct def *def);

#endif
