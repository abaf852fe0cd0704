/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits of a struct, and the layout that a compiler would give it then.
 *
 *	add TYPE NAME [after|before MEMBER]
 *	move MEMBER after|before MEMBER
 *	remove MEMBER
 *	align [MEMBER] N
 *	pack [MEMBER]
 *
 * What is added may be an array, NAME[N], or a bit-field, NAME:BITS; without a place it comes last,
 * before a flexible array. An alignment is in bytes and replaces what was asked for before, but is
 * never less than the type needs. `pack` does what __attribute__((packed)) does. `align` and `pack`
 * without a member are of the struct.
 *
 * An edit changes a declaration where it stands in the source: MEMBER is found through anonymous
 * structs and unions, and what is added beside it is then in there, too. A dotted path leads into
 * embedded structs; one that has a name then changes wherever it is embedded. In a union everything
 * begins at 0. What struct_group() declares twice is edited twice.
 *
 * How a struct is laid out (layout/lay.h) is known of C on ELF targets: each member at the next
 * multiple of its alignment, bit-fields as the System V ABIs have them (no bit-field crosses more
 * units of its type than it needs to). Which alignments were asked for, and what is packed, is
 * found out from the layout that there is; where no such rules make that layout, there is no edit.
 */
#ifndef LAYOUT_EDIT_H
#define LAYOUT_EDIT_H

#include "base/err.h"
#include "layout/model.h"

enum edit_op { EDIT_ADD, EDIT_MOVE, EDIT_REMOVE, EDIT_ALIGN, EDIT_PACK };

enum { MOST_DIMENSIONS = 8 };

struct edit {
	const char *text; /* as written */
	enum edit_op op;
	const char *member;   /* of `add` the new name; else a path, or NULL: the struct */
	const char *type;     /* of `add`: "struct list_head", words with one blank between */
	const char *pointers; /* "*", "**const"; "": it is none */
	uint64_t dimensions[MOST_DIMENSIONS];
	size_t ndimensions;
	bool is_flexible;   /* NAME[] */
	uint64_t bits;      /* of a bit-field; 0: it is none */
	const char *anchor; /* the member that it is placed beside, or NULL */
	bool before;        /* else after */
	uint64_t align;     /* bytes; EDIT_ALIGN */
};

/* Strings in @arena; @ret->text is @text itself, which must live as long. False: @err says what is
 * wrong, and at which column. */
MUST_CHECK bool edit_parse(const char *text, struct arena *arena, struct err *err,
			   struct edit *ret);

/* What has to be loaded of an image for the type of the edit; false: it needs every type, as names
 * of typedefs may stand in any. */
bool edit_wanted(const struct edit *edit, struct want_list *list);

/* Where a member of the edited struct was, in bits from the outermost type. */
struct edit_was {
	const struct member *member; /* of the edited struct or of one without a name in it */
	bool is_new;
	uint64_t bit_offset;
};

/* A member that was removed, and where it was. */
struct edit_gone {
	const char *path;              /* as the edit names it */
	uint64_t bit_offset, bit_size; /* bits from the outermost type */
};

/* What has become of a type. */
struct edited {
	struct def def; /* as the one that was edited, but for its type and digest */
	const struct edit_was *was;
	size_t nwas;
	const struct edit_gone *gone; /* members that were removed */
	size_t ngone;
	const char *const *assumed; /* sentences: what the layout does not tell */
	size_t nassumed;
};

/*
 * Applies the edits one after the other. @layout is the one that has @def, and the types that are
 * added. Everything in @arena. False: @err says why it cannot be done.
 */
MUST_CHECK bool edit_apply(const struct def *def, const struct layout *layout,
			   const struct edit *edits, size_t n, struct arena *arena, struct err *err,
			   struct edited *ret);

#endif
