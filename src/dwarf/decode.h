/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the model's types of DIEs: one definition after the other, each with all it holds by value.
 * Types are shared: what two definitions hold alike is one struct type. Types behind pointers are
 * only spelled.
 */
#ifndef DWARF_DECODE_H
#define DWARF_DECODE_H

#include "dwarf/cons.h"
#include "dwarf/foreign.h"
#include "dwarf/memo.h"
#include "dwarf/types.h"
#include "layout/spell.h"

struct decoder {
	struct reader reader;
	uint64_t named, most_named; /* bytes of names: names_most() */
	struct cons cons;           /* everything that goes into the layout */
	/* By DIE of the unit at hand, and of those that it refers to. */
	const struct unit *unit;
	struct memo here, elsewhere, spelled_here, spelled_elsewhere;
	const struct type **types;
	size_t ntypes, cap_types;
	struct spelling *spellings;
	size_t nspellings, cap_spellings;
	struct arena scratch; /* of spellings, for as long as the unit is at hand */
	struct member *stack; /* members of the types that are being decoded */
	size_t depth, cap_stack;
	/* Dimensions of the arrays that are being decoded. */
	struct dimension *dimensions;
	size_t ndimensions, cap_dimensions;
	unsigned nesting, spelling_nesting;
	const struct type *void_type;
};

/* Where a type says that it is declared: a line, and a file of its unit's line table. */
struct declaration {
	bool known;
	const struct sections *lines; /* whose line table it is */
	uint64_t line_table, file, line;
	uint8_t address_size;
	const char *comp_dir; /* NULL: not said */
};

/* What is decoded lives in @arena. */
void decoder_init(struct decoder *decoder, const struct sections *sections, struct arena *arena,
		  struct err *err);
void decoder_release(struct decoder *decoder);

/*
 * The definition whose DIE is at @at of the unit at @offset: its struct or union, and where it is
 * declared. Definitions of one unit in a row cost least.
 */
MUST_CHECK bool decode_definition(struct decoder *decoder, enum unit_section section,
				  uint64_t offset, uint32_t at, struct declaration *ret_declared,
				  const struct type **ret);

/* ---- shared by the files that decode --------------------------------------------------------- */

/* As in the digest, which has seen all types before. */
enum { DECODE_NESTING_MAX = 1000 };

/* The type at @place; the one that a DIE at @place refers to (void without one). */
MUST_CHECK bool decode_type(struct decoder *decoder, struct place place, const struct type **ret);
MUST_CHECK bool decode_type_of(struct decoder *decoder, struct place place, const struct die *die,
			       const struct type **ret);

/* How C spells them, in the scratch arena. */
MUST_CHECK bool decode_spelling(struct decoder *decoder, struct place place, struct spelling *ret);
MUST_CHECK bool decode_spelling_of(struct decoder *decoder, struct place place,
				   const struct die *die, struct spelling *ret);

/* The struct, union or class @die, at whose members @c is. */
MUST_CHECK bool decode_composite(struct decoder *decoder, struct place place, const struct die *die,
				 struct cursor *c, const struct type **ret);

/* Its dimensions behind d->dimensions, at least one, the outermost first. */
MUST_CHECK bool decode_dimensions(struct decoder *decoder, struct place place,
				  const struct die *array, struct cursor *c);

/* The bytes of the descriptor that stands where an array with a DW_AT_data_location is; 0: unknown.
 */
MUST_CHECK bool decode_descriptor(struct decoder *decoder, struct place place,
				  const struct die *array, struct cursor *c, uint64_t *ret);

/* Bits from one element to the next, when that is not the size of one; else 0. */
uint64_t array_stride(const struct reader *reader, const struct die *die);

/* DW_AT_name; NULL when there is none. */
MUST_CHECK bool decode_name(struct decoder *decoder, struct place place, const struct die *die,
			    const char **ret);

/* The same; a definition that completes a declaration has that one's name. */
MUST_CHECK bool decode_full_name(struct decoder *decoder, struct place place, const struct die *die,
				 const char **ret);

/* Size and alignment as the DIE says them. */
void decode_size(struct decoder *decoder, struct type *type, const struct die *die);

/* The one type that is like this one. */
const struct type *decode_finish(struct decoder *decoder, struct type *type,
				 struct spelling spelling);

#endif
