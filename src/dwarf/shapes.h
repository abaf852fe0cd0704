/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout digest: which definitions lay out the same.
 *
 * A shape is the serialised layout of one type: what of its DIE bears on the layout, members in
 * order, and in the place of each type it holds by value that type's shape. Equal bytes are one
 * shape, so a shape's number is an exact digest: nothing different is ever merged. Equal layouts
 * may be split, when one is written in another way.
 *
 *	type		tag, byte_size, bit_size, alignment, encoding, declaration
 *	member		tag, name, locations and bit attributes, byte_size, alignment, shape of
 *			its type; in order, base classes and variant parts too, static ones not
 *	array		shape of the element, strides, every count; what is none, as bounds
 *	typedef,	shape of the target, and alignment: its name does not count
 *	qualifier
 *	pointer		tag and size
 *
 * What only a running program could tell makes a shape unique, unless it is an expression that
 * means the same everywhere. A type that holds itself, or is nested absurdly deep, is an error.
 *
 * One per thread; numbers of two threads have nothing in common: see dwarf/merge.h.
 */
#ifndef DWARF_SHAPES_H
#define DWARF_SHAPES_H

#include "dwarf/foreign.h"
#include "dwarf/memo.h"
#include "dwarf/names.h"

/*
 * A word of a shape: what it is, then 56 bits of value. With WORD_WIDE the value is the next word;
 * behind WORD_BYTES come as many bytes, rounded up to words.
 */
enum word {
	WORD_TAG,
	WORD_ATTRIBUTE,                     /* + its slot: a number */
	WORD_NAME = WORD_ATTRIBUTE + SLOTS, /* the value is a number of struct names */
	WORD_STR,                           /* the value is an offset of .debug_str */
	WORD_SHAPE,                         /* the value is a shape */
	WORD_BYTES,                         /* an expression; the value is its length */
	WORD_UNIQUE,                        /* the value is this DIE's own place */
	WORD_END,                           /* of a variant part or variant */
	WORD_WIDE = 0x80,
};
enum { WORD_SHIFT = 56 };

struct shape {
	uint64_t hash;
	size_t start; /* in words */
	uint32_t len;
};

struct shapes {
	struct reader *reader;
	struct names *names;
	uint64_t *words; /* of all shapes, one behind the other */
	size_t nwords, cap_words;
	struct shape *items; /* a shape's number is its index; those it holds come before it */
	size_t n, cap;
	uint32_t *index; /* open addressing, 0 is free, else shape + 1 */
	size_t index_size;
	uint64_t *stack; /* shapes that are being written */
	size_t depth, cap_stack;
	unsigned nesting;
	struct memo here, elsewhere; /* shapes of DIEs of the unit begun, and of fetched ones */
	const struct unit *unit;
	unsigned part;  /* of a join: the same place in two parts is not one */
	bool by_offset; /* names of .debug_str are told apart by where they are */
};

void shapes_init(struct shapes *shapes, struct reader *reader, struct names *names);
void shapes_release(struct shapes *shapes);

/* The DIEs asked about from now on are in @unit, or found from there. */
void shapes_begin(struct shapes *shapes, const struct unit *unit);

/* The shape of the type at @place. */
MUST_CHECK bool shapes_of(struct shapes *shapes, struct place place, uint32_t *ret);

/* The shape with these bytes, made when it is new. */
uint32_t shapes_intern(struct shapes *shapes, const uint64_t *words, size_t len);

#endif
