/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF -> model: our own reader. DWARF 2 to 5, 32- and 64-bit, either byte order.
 *
 *	sections, unit, die,	the format: bounded windows, headers, attributes in a compiled form
 *	abbrev, form, expr
 *	foreign			references that leave their unit, or the file (dwz -m)
 *	wanted, walk		which DIEs define the wanted names, siblings skipped
 *	shapes, names		tells distinct definitions apart: layouts as numbers, exactly
 *	index, merge		all units, shared out over threads, into one list
 *	imports			how many of them, of what is in partial units
 *	split, package		the .dwo and .dwp files of a program
 *	units			which unit to build to have a definition
 *	fill			one definition of each, shared out over threads
 *	decode, composite,	a definition -> struct type
 *	spelling, dimension
 *
 * The result does not depend on the number of threads. What cannot be read is an error that names
 * the section and the offset; what is not supported is an error that names the
 * feature.
 */
#ifndef DWARF_DWARF_H
#define DWARF_DWARF_H

#include "elf/image.h"
#include "layout/model.h"

/* The image has .debug_info. */
bool dwarf_present(struct image *image);

struct join; /* layout/join.h */

/* Where definitions are looked for. */
enum dwarf_depth {
	DWARF_BOTH,   /* at the top level and in namespaces, then inside functions for what is not
			 there */
	DWARF_TOP,    /* at the top level and in namespaces */
	DWARF_INSIDE, /* everywhere, inside functions too */
};

struct dwarf_options {
	unsigned threads; /* 0: one a processor, at most 8 */
	enum dwarf_depth depth;
	/*
	 * The image is a part of what is joined here; NULL: it is the whole. What the join has
	 * already is counted there and not read again, type units that another part had are passed
	 * over, and the caller adds the result to it.
	 */
	struct join *join;
};

/*
 * Every distinct definition of the names wanted, with all they embed. The caller frees *ret with
 * layout_free().
 */
MUST_CHECK bool dwarf_read(struct image *image, const struct want *want,
			   const struct dwarf_options *options, struct err *err,
			   struct layout **ret);

#endif
