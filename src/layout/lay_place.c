/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes, alignments, and where members go. */
#include "base/math.h"
#include "layout/lay_private.h"

/* ---- types ----------------------------------------------------------------------------------- */

bool lay_is_composite(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

const struct type *lay_nameless(const struct type *type)
{
	while (type && (type->kind == TYPE_QUALIFIER || type->kind == TYPE_ARRAY))
		type = type->target;
	return type && lay_is_composite(type) && !type->name ? type : NULL;
}

const struct type *lay_embedded(const struct type *type)
{
	while (type && (type->kind == TYPE_QUALIFIER || type->kind == TYPE_ARRAY ||
			type->kind == TYPE_TYPEDEF))
		type = type->target;
	return type && lay_is_composite(type) ? type : NULL;
}

struct node *lay_find_named(const struct tree *tree, const struct type *type)
{
	for (struct node *node = tree->named; node; node = node->next)
		if (node->type == type)
			return node;
	return NULL;
}

uint64_t lay_bits_of(const struct tree *tree, const struct type *type, const struct node *inner)
{
	const struct node *node;

	if (!type)
		return 0;
	switch (type->kind) {
	case TYPE_ARRAY:
		return type->has_count ? multiply_capped(type->count,
							 lay_bits_of(tree, type->target, inner))
				       : 0;
	case TYPE_TYPEDEF:
	case TYPE_QUALIFIER:
		return lay_bits_of(tree, type->target, inner);
	case TYPE_STRUCT:
	case TYPE_UNION:
		node = inner ? inner : lay_find_named(tree, type);
		return node ? node->bits : type->bits;
	default:
		return type->bits;
	}
}

uint64_t tree_bits(struct tree *tree, const struct type *type)
{
	return lay_bits_of(tree, type, NULL);
}

uint64_t lay_align_of(struct tree *tree, const struct type *type, const struct node *inner)
{
	if (!type)
		return 1;
	switch (type->kind) {
	case TYPE_TYPEDEF:
		if (lay_told(type->has_align, type->align))
			return lay_told(type->has_align, type->align);
		return lay_align_of(tree, type->target, inner);
	case TYPE_ARRAY:
	case TYPE_QUALIFIER:
		return lay_align_of(tree, type->target, inner);
	case TYPE_STRUCT:
	case TYPE_UNION:
		return inner ? inner->align : tree_node(tree, type)->align;
	default:
		return abi_align(&tree->abi, type);
	}
}

uint64_t lay_inherited(const struct type *type)
{
	uint64_t align = 0;

	for (; type; type = type->target) {
		align = max_u64(align, lay_told(type->has_align, type->align));
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_QUALIFIER &&
		    type->kind != TYPE_ARRAY)
			break;
	}
	return align;
}

/* ---- laying out ------------------------------------------------------------------------------ */

/* Of a member where it stands. */
static uint64_t slot_align(struct tree *tree, const struct node *node, const struct slot *slot)
{
	uint64_t align = max_u64(slot->asked, 1);

	if (!slot->packed)
		align = max_u64(align, lay_align_of(tree, slot->member.type, slot->inner));
	return node->pack ? min_u64(align, node->pack) : align;
}

static uint64_t place_field(struct tree *tree, const struct node *node, const struct slot *slot,
			    uint64_t at)
{
	const struct type *type = slot->member.type;
	uint64_t unit = lay_align_of(tree, type, NULL) * 8,
		 whole = max_u64(tree_bits(tree, type), unit);

	at = add_capped(at, slot->unnamed);
	if (slot->to_unit)
		at = lay_round_up(at, unit);
	if (slot->asked)
		at = lay_round_up(at, slot->asked * 8);
	if (slot->packed || node->pack)
		return at;
	/* It may not lie in more units than its type has. */
	if ((at % unit + slot->member.bit_size + unit - 1) / unit > whole / unit)
		at = lay_round_up(at, unit);
	return at;
}

uint64_t lay_place(struct tree *tree, const struct node *node, const struct slot *slot, uint64_t at)
{
	if (slot->member.is_bitfield)
		return place_field(tree, node, slot, at);
	return lay_round_up(add_capped(at, slot->unnamed), slot_align(tree, node, slot) * 8);
}

void lay_place_all(struct tree *tree, struct node *node)
{
	uint64_t at = 0, end = 0;

	node->align = node->least;
	for (size_t i = 0; i < node->n; i++) {
		struct slot *slot = &node->slots[i];

		slot->member.bit_offset =
			lay_place(tree, node, slot, node->type->kind == TYPE_UNION ? 0 : at);
		at = add_capped(slot->member.bit_offset, slot->member.bit_size);
		end = max_u64(end, at);
		node->align = max_u64(node->align, slot_align(tree, node, slot));
	}
	node->bits = lay_round_up(add_capped(end, node->tail), node->align * 8);
}
