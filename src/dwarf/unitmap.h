/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which compile unit covers a code address: by .debug_aranges; units that it leaves out (clang's)
 * say it in their root DIE, and those that do not, in their functions.
 */
#ifndef DWARF_UNITMAP_H
#define DWARF_UNITMAP_H

#include "dwarf/code.h"

struct unit_range {
	uint64_t low, high, unit;
	uint64_t reach; /* the highest `high` up to here */
};

struct unit_map {
	struct unit_range *items; /* by low */
	size_t n, cap;
};

MUST_CHECK bool unit_map_read(const struct code_sections *sections, struct err *err,
			      struct unit_map *ret);
void unit_map_release(struct unit_map *map);

/* The unit at @pc; UINT64_MAX: none. */
uint64_t unit_map_at(const struct unit_map *map, uint64_t pc);

#endif
