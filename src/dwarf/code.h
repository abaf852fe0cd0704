/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DIEs that speak of code: functions, blocks, variables, call sites; and the lists of addresses
 * and locations that they point to. The compiled abbreviations of abbrev.h leave these attributes
 * out: whoever reads layouts never looks at them, and here few DIEs are read.
 *
 * Sources: DWARF 5, 2.6.2 (location lists), 2.17.3 (range lists), 7.28, 7.29; DWARF 4, 2.6.2 and
 * 2.17.3.
 */
#ifndef DWARF_CODE_H
#define DWARF_CODE_H

#include "dwarf/foreign.h"

enum code_attr {
	CODE_NAME,
	CODE_TYPE,
	CODE_LOCATION,
	CODE_LOW_PC,
	CODE_HIGH_PC,
	CODE_RANGES,
	CODE_ORIGIN, /* DW_AT_abstract_origin; of a call site DW_AT_call_origin too */
	CODE_SPECIFICATION,
	CODE_FRAME_BASE,
	CODE_RETURN_PC,
	CODE_NORETURN,
	CODE_DECLARATION,
	CODE_SIBLING,
	CODE_ADDR_BASE,
	CODE_RNGLISTS_BASE,
	CODE_LOCLISTS_BASE,
	CODE_ATTRS
};

struct code_die {
	uint32_t at;
	unsigned tag; /* 0: the null entry that ends a list */
	bool has_children;
	uint32_t has;
	struct value v[CODE_ATTRS];
	uint8_t form[CODE_ATTRS];
};

static inline bool code_has(const struct code_die *die, enum code_attr attr)
{
	return die->has >> attr & 1;
}

/* Addresses [low, high). */
struct range {
	uint64_t low, high;
};
struct ranges {
	struct range *items;
	size_t n, cap;
};

bool ranges_hold(const struct ranges *ranges, uint64_t address);

/* The sections that are read here; in memory, for all threads. */
struct code_sections {
	const struct sections *sections;
	struct span_of_bytes ranges, rnglists, loc, loclists, addr, aranges;
};

MUST_CHECK bool code_sections_open(struct image *image, const struct sections *sections,
				   struct err *err, struct code_sections *ret);

/* A unit whose code is looked at. */
struct code_unit {
	const struct code_sections *sections;
	struct reader *reader;
	const struct unit *unit;
	uint64_t low_pc; /* what offsets in lists are counted from */
	uint64_t addr_base, rnglists_base, loclists_base; /* UINT64_MAX: not said */
	struct code_die root;
};

MUST_CHECK bool code_unit_init(const struct code_sections *sections, struct reader *reader,
			       const struct unit *unit, struct code_unit *ret);

/* Reads the DIE at @c and stands behind its attributes. */
MUST_CHECK bool code_die_read(const struct code_unit *cu, const struct unit *unit, struct cursor *c,
			      struct code_die *ret);
MUST_CHECK bool code_die_read_at(const struct code_unit *cu, struct place place,
				 struct code_die *ret);

/* Behind the attributes of a DIE: passes over its children. */
MUST_CHECK bool code_die_pass_children(const struct code_unit *cu, struct cursor *c,
				       const struct code_die *die);

/* An attribute of class address; false: it is of another class (an error is not set). */
bool code_address(const struct code_unit *cu, const struct code_die *die, enum code_attr attr,
		  uint64_t *ret);

/* Adds the addresses that a DIE says are its own; none is fine. */
MUST_CHECK bool code_ranges(const struct code_unit *cu, const struct code_die *die,
			    struct ranges *ret);

/* Is told each place of a variable and its addresses; false ends the list without an error. */
typedef bool location_fn(void *arg, uint64_t low, uint64_t high, const uint8_t *expr, uint64_t len);

/* An attribute that is a location list. */
MUST_CHECK bool code_locations(const struct code_unit *cu, const struct code_die *die,
			       enum code_attr attr, location_fn *fn, void *arg);

/* An entry of .debug_addr. */
bool code_indexed_address(const struct code_unit *cu, uint64_t index, uint64_t *ret);

#endif
