/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of type a DIE is, as far as layouts care. Shared by the digest and the decoder. */
#ifndef DWARF_TYPES_H
#define DWARF_TYPES_H

#include "dwarf/foreign.h"

enum type_class {
	CLASS_NONE,      /* no type */
	CLASS_PLAIN,     /* base types, enumerations and the like: a size and nothing inside */
	CLASS_COMPOSITE, /* struct, union, class */
	CLASS_ARRAY,
	CLASS_ALIAS, /* typedefs and qualifiers */
	CLASS_POINTER,
	CLASS_FUNCTION,
};

enum type_class type_class(unsigned tag);

/* "struct", "union", "enum", ...: the word before the tag of such a type; NULL for others. */
const char *type_word(unsigned tag);

/* A member that is no part of the object: C++ static members. */
bool member_is_static(const struct die *die);

/*
 * Bytes of a pointer or reference. Compilers may leave the size out: it is that of an address, and
 * twice that for a pointer to a member function (Itanium C++ ABI, 2.3).
 */
MUST_CHECK bool pointer_size(struct reader *reader, struct place place, const struct die *die,
			     uint64_t *ret);

/* One dimension of an array, from its DW_TAG_subrange_type; no count: T[], or told at run time. */
struct dimension {
	bool has_count;
	uint64_t count;
};
struct dimension dimension_of(const struct reader *reader, const struct unit *unit,
			      const struct die *die);

/* Reads the DIE at @place; ret_c is behind its attributes. The null entry is an error. */
MUST_CHECK bool read_at(struct reader *reader, struct place place, struct die *ret,
			struct cursor *ret_c);

#endif
