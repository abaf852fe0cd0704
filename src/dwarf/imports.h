/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions as they are counted, and what is said of those in partial units (dwz): whose they are
 * is told by the compile units that import these, directly or by one another (DWARF
 * 5, 3.1.1, 3.2.5).
 */
#ifndef DWARF_IMPORTS_H
#define DWARF_IMPORTS_H

#include <stddef.h>
#include <stdint.h>

struct records;

/* Of units by their unit_key(). */
struct import {
	uint64_t from, to;
	uint32_t bytes; /* of `from`, when it is a compile unit; else 0 */
};

/* A definition in a partial unit. */
struct partial {
	size_t record; /* its number */
	uint64_t unit;
};

struct imports {
	struct import *items;
	size_t n, cap;
	struct partial *partials;
	size_t npartials, cap_partials;
};

void imports_add(struct imports *imports, struct import import);
void imports_add_partial(struct imports *imports, struct partial partial);
void imports_release(struct imports *imports);

/*
 * Counts the units that import them for the definitions in partial units, and finds the smallest.
 * One that nobody imports counts as in one.
 */
void imports_count(struct imports *imports, struct records *records);

#endif
