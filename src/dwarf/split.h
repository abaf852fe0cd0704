/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split DWARF. A program has skeleton units, which say in which .dwo file the rest is; packages
 * (.dwp) hold many of those, and an index tells which parts of its sections are a unit's own.
 *
 * Formats: DWARF 5, 3.1.2, 7.3.2 and 7.3.5; for version 4 GNU's "DebugFission" and
 * "DebugFissionDWP" (DW_AT_GNU_dwo_name, version 2 of the index). What a split unit declares is in
 * the line table of its skeleton; type units have one of their own.
 */
#ifndef DWARF_SPLIT_H
#define DWARF_SPLIT_H

#include <stdatomic.h>

#include "dwarf/sections.h"

struct skeleton {
	uint64_t id;                     /* of the unit that belongs to it */
	uint64_t unit;                   /* where in .debug_info of the program */
	const char *dwo_name, *comp_dir; /* comp_dir may be NULL */
	bool has_line_table;
	uint64_t line_table;
	atomic_bool is_read; /* its unit has been met */
};

/* Where in the sections of a package the parts of a unit begin. */
struct contribution {
	enum unit_section section;
	uint64_t unit, abbrev, line, str_offsets;
};

/* What makes sense of the units of a .dwo or .dwp file: what `split` of its sections points to. */
struct split {
	const struct sections *program; /* that has the skeletons */
	struct skeleton *skeletons;     /* by id */
	size_t n;
	struct contribution *contributions; /* by section and unit; none: it is no package */
	size_t ncontributions, cap_contributions;
};

/* The skeleton with this id, NULL: there is none. */
struct skeleton *split_skeleton(const struct split *split, uint64_t id);

/* Of the unit at @offset; of a file that is no package one that begins everywhere at 0. NULL: the
 * index does not know it. */
const struct contribution *split_contribution(const struct split *split, enum unit_section section,
					      uint64_t offset);

/*
 * Calls @read with the sections of each file that has units of the @n @skeletons (in the order of
 * the program, changed here): of the program itself (clang -gsplit-dwarf=single), of the package
 * beside it, or of the .dwo files that the skeletons name, from the directory of the build or of
 * the program. False when @read fails, a file cannot be read, or a skeleton is left without its
 * unit: the file is missing, or of another build.
 */
typedef bool split_read_fn(void *arg, struct image *image, const struct sections *sections,
			   struct err *err);
MUST_CHECK bool split_each(struct image *image, const struct sections *program,
			   struct skeleton *skeletons, size_t n, split_read_fn *read, void *arg,
			   struct err *err);

#endif
