/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through the DIEs of a unit and reports the definitions that are wanted: named structs,
 * unions and classes, and typedefs of anonymous ones. Declarations are none.
 *
 * The plain walk sees the top level and namespaces, and jumps over everything else. The deep one
 * looks inside functions and, in languages that nest types, inside types.
 *
 * A unit that is imported is not walked into. Those of the image are walked by themselves; those of
 * the alternate file belong to the image only when they are imported.
 */
#ifndef DWARF_WALK_H
#define DWARF_WALK_H

#include "base/buf.h"
#include "dwarf/foreign.h"
#include "dwarf/wanted.h"

struct hit {
	struct place die;  /* the definition: of a typedef, the typedef */
	struct place type; /* the struct, union or class itself; elsewhere for a typedef */
	enum def_kind kind;
	const struct value *name; /* a string of `name_unit` */
	const struct unit *name_unit;
	/* As struct def says it; NULL at the top level. Overwritten by the next hit. */
	const char *scope;
};

struct walk {
	struct reader *reader;
	const struct wanted *wanted;           /* in .debug_str of the image */
	const struct wanted *wanted_alternate; /* in that of the alternate file; NULL: none */
	bool deep;
	/* False ends the walk: an error was set. */
	bool (*found)(void *arg, const struct hit *hit);
	/* A unit imports another one, perhaps not for the first time. */
	void (*imported)(void *arg, const struct unit *unit, enum unit_section section,
			 uint64_t offset);
	void *arg;
	struct buf scope;
};

MUST_CHECK bool walk_unit(struct walk *walk, const struct unit *unit);

#endif
