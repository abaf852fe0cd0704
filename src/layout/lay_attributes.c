/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes that a struct was declared with, found out from its layout. */
#include <inttypes.h>

#include "base/math.h"
#include "layout/lay_private.h"

/* ---- finding out attributes ------------------------------------------------------------------ */

static bool is_as_read(const struct node *node)
{
	if (node->bits != node->type->bits)
		return false;
	for (size_t i = 0; i < node->n; i++)
		if (node->slots[i].member.bit_offset != node->type->members[i].bit_offset)
			return false;
	return true;
}

/* With what the type itself asks for, as far as its members do not. */
static bool fits_so(struct tree *tree, struct node *node)
{
	uint64_t told = lay_told(node->type->has_align, node->type->align);

	node->least = 1;
	lay_place_all(tree, node);
	if (told > node->align) {
		node->least = told;
		lay_place_all(tree, node);
		if (is_as_read(node))
			return true;
		/* clang writes the alignment of members of packed structs. */
		node->least = 1;
		lay_place_all(tree, node);
	}
	return is_as_read(node);
}

static void ask_as_told(struct slot *slot)
{
	uint64_t told = lay_told(slot->member.has_align, slot->member.align);

	slot->packed = false;
	slot->unnamed = 0;
	slot->to_unit = false;
	slot->asked = told > lay_inherited(slot->member.type) ? told : 0;
}

/* @of_types: what a member has of its type is written of it though it is packed, as clang does. */
static bool fits_packed(struct tree *tree, struct node *node, bool of_types)
{
	node->packed = true;
	for (size_t i = 0; i < node->n; i++) {
		struct slot *slot = &node->slots[i];
		uint64_t told = lay_told(slot->member.has_align, slot->member.align);

		slot->packed = true;
		slot->asked = told > 1 && !(of_types && told == lay_inherited(slot->member.type))
				      ? told
				      : 0;
	}
	if (fits_so(tree, node))
		return true;
	node->packed = false;
	for (size_t i = 0; i < node->n; i++)
		ask_as_told(&node->slots[i]);
	return false;
}

static bool fits_pragma(struct tree *tree, struct node *node)
{
	static const uint64_t packs[] = {2, 4, 8};

	for (size_t i = 0; i < ARRAY_SIZE(packs); i++) {
		node->pack = packs[i];
		if (fits_so(tree, node))
			return true;
	}
	node->pack = 0;
	return false;
}

/*
 * The alignment above @least that takes @from to @to: that of a line, or the smallest; 0: none. The
 * size of the struct is a multiple of it.
 */
static uint64_t guess_align(const struct tree *tree, const struct node *node, uint64_t from,
			    uint64_t to, uint64_t least)
{
	enum { MOST = 4096 };
	uint64_t size = node->type->bits, line = tree->line;

	if (line > least && lay_round_up(from, line * 8) == to && size % (line * 8) == 0)
		return line;
	for (uint64_t align = least * 2; align <= MOST; align *= 2)
		if (lay_round_up(from, align * 8) == to && size % (align * 8) == 0)
			return align;
	return 0;
}

static const char *title(const struct tree *tree, const struct node *node)
{
	return node->type->name ? arena_printf(tree->arena, "%s: ", node->type->name) : "";
}

static void assume_unnamed(struct tree *tree, const struct node *node, uint64_t bits,
			   const char *where)
{
	tree_assume(tree,
		    arena_printf(tree->arena,
				 "%s%" PRIu64 " bit%s %s are taken for bit-fields without a name",
				 title(tree, node), bits, bits == 1 ? "" : "s", where));
}

/* By an alignment that nobody has told of. */
static bool explain_hole(struct tree *tree, const struct node *node, struct slot *slot,
			 uint64_t from, uint64_t to)
{
	uint64_t natural = lay_align_of(tree, slot->member.type, slot->inner);
	uint64_t align = slot->member.is_bitfield ? 0 : guess_align(tree, node, from, to, natural);

	if (!align)
		return false;
	slot->asked = align;
	tree_assume(tree, arena_printf(tree->arena,
				       "%s`%s` is taken to be aligned to %" PRIu64
				       " bytes, by nothing but where it is",
				       title(tree, node), lay_slot_name(slot), align));
	return true;
}

/* By what has no name, of which an image says nothing. */
static bool explain_unnamed(struct tree *tree, const struct node *node, struct slot *slot,
			    uint64_t from, uint64_t to)
{
	slot->to_unit = slot->member.is_bitfield;
	if (lay_place(tree, node, slot, from) != to) {
		slot->to_unit = false;
		slot->unnamed = to > from ? to - from : 0;
		if (lay_place(tree, node, slot, from) != to)
			return false;
	}
	assume_unnamed(tree, node, to - from,
		       arena_printf(tree->arena, "before `%s`", lay_slot_name(slot)));
	return true;
}

/* How the member came to be at @to, when @from was free. */
static bool explain(struct tree *tree, const struct node *node, struct slot *slot, uint64_t from,
		    uint64_t to)
{
	const uint64_t packed[] = {lay_told(slot->member.has_align, slot->member.align), 0, 2, 4,
				   8};

	if (lay_place(tree, node, slot, from) == to)
		return true;
	slot->packed = true;
	for (size_t i = 0; i < ARRAY_SIZE(packed); i++) {
		slot->asked = packed[i];
		if (lay_place(tree, node, slot, from) == to)
			return true;
	}
	ask_as_told(slot);
	return explain_hole(tree, node, slot, from, to) ||
	       explain_unnamed(tree, node, slot, from, to);
}

/* Where alignments are told, what is left at the end was not aligned. */
static bool explain_size(struct tree *tree, struct node *node)
{
	uint64_t bits = node->type->bits, align;

	if (fits_so(tree, node))
		return true;
	align = tree->knows_align ? 0 : guess_align(tree, node, node->bits, bits, node->align);
	if (align) {
		node->least = align;
		tree_assume(tree,
			    arena_printf(tree->arena,
					 "%s %s is taken to be aligned to %" PRIu64
					 " bytes, by nothing but its size",
					 node->type->kind == TYPE_UNION ? "union" : "struct",
					 node->type->name ? node->type->name : "without a name",
					 align));
	} else if (bits > node->bits) {
		node->tail = bits - node->bits;
		assume_unnamed(tree, node, node->tail, "at the end");
	}
	lay_place_all(tree, node);
	return is_as_read(node);
}

static bool fits_explained(struct tree *tree, struct node *node)
{
	uint64_t at = 0;

	for (size_t i = 0; i < node->n; i++) {
		struct slot *slot = &node->slots[i];
		uint64_t from = node->type->kind == TYPE_UNION ? 0 : at;
		uint64_t to = node->type->members[i].bit_offset;

		if (!explain(tree, node, slot, from, to))
			return false;
		at = add_capped(to, slot->member.bit_size);
	}
	return explain_size(tree, node);
}

void lay_find_attributes(struct tree *tree, struct node *node)
{
	size_t known = tree->nassumed;

	for (size_t i = 0; i < node->n; i++)
		ask_as_told(&node->slots[i]);
	node->fits = fits_so(tree, node) || fits_packed(tree, node, false) ||
		     fits_packed(tree, node, true) || fits_pragma(tree, node) ||
		     fits_explained(tree, node);
	if (node->fits)
		return;
	/* As it is, until an edit asks. */
	tree->nassumed = known;
	node->tail = 0;
	node->bits = node->type->bits;
	for (size_t i = 0; i < node->n; i++) {
		ask_as_told(&node->slots[i]);
		node->slots[i].member.bit_offset = node->type->members[i].bit_offset;
	}
}
