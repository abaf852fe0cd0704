/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of layout/lay.h share. */
#ifndef LAYOUT_LAY_PRIVATE_H
#define LAYOUT_LAY_PRIVATE_H

#include "base/math.h"
#include "layout/lay.h"

static inline uint64_t lay_round_up(uint64_t value, uint64_t unit)
{
	return value % unit ? add_capped(value, unit - value % unit) : value;
}

/*
 * An alignment that an image tells; 0: none. It can tell any number, and none that a compiler takes
 * is above this, so that in bits it is one, too.
 */
static inline uint64_t lay_told(bool has_align, uint64_t align)
{
	enum { MOST = 1 << 28 }; /* of gcc */

	return has_align ? min_u64(align, MOST) : 0;
}

/* For a sentence. */
static inline const char *lay_slot_name(const struct slot *slot)
{
	return slot->member.name ? slot->member.name : "a member without a name";
}

/* ---- lay_place.c ----------------------------------------------------------------------------- */

bool lay_is_composite(const struct type *type);

/* A struct or union without a name that is declared in place, also as an array; or NULL. */
const struct type *lay_nameless(const struct type *type);

/* A struct or union that is there by value, also as an array or behind a typedef; or NULL. */
const struct type *lay_embedded(const struct type *type);

struct node *lay_find_named(const struct tree *tree, const struct type *type);

/* @inner: of a type without a name, else NULL. */
uint64_t lay_bits_of(const struct tree *tree, const struct type *type, const struct node *inner);
uint64_t lay_align_of(struct tree *tree, const struct type *type, const struct node *inner);

/* What the type of a member asks for by an attribute, which gcc writes of the member, too; 0:
 * nothing. */
uint64_t lay_inherited(const struct type *type);

/* Where the member begins when @at is free. */
uint64_t lay_place(struct tree *tree, const struct node *node, const struct slot *slot,
		   uint64_t at);

/* All members, the size and the alignment. */
void lay_place_all(struct tree *tree, struct node *node);

/* ---- lay_attributes.c ------------------------------------------------------------------------ */

/* Sets what its slots and the node ask for, and whether that gives the layout that was read. */
void lay_find_attributes(struct tree *tree, struct node *node);

#endif
