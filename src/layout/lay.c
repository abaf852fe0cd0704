/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/lay.h"

#include <inttypes.h>
#include <string.h>

#include "base/math.h"
#include "layout/geometry.h"
#include "layout/lay_private.h"

void tree_assume(struct tree *tree, const char *sentence)
{
	const char **more = arena_array(tree->arena, tree->nassumed + 1, sizeof *more);

	for (size_t i = 0; i < tree->nassumed; i++)
		more[i] = tree->assumed[i];
	more[tree->nassumed++] = sentence;
	tree->assumed = more;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool declares_the_same(const struct node *a, const struct node *b)
{
	if (!a || !b || !a->n || a->n != b->n || a->type->kind != TYPE_STRUCT ||
	    b->type->kind != TYPE_STRUCT)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const char *x = a->slots[i].member.name, *y = b->slots[i].member.name;

		if (!x != !y || (x && strcmp(x, y) != 0))
			return false;
	}
	return true;
}

/* union { struct { MEMBERS }; struct { MEMBERS } NAME; } */
static void find_mirror(struct tree *tree, struct node *node)
{
	struct node *a, *b;

	if (node->type->kind != TYPE_UNION || node->n != 2 || node->slots[0].member.name)
		return;
	a = slot_node(tree, &node->slots[0]);
	b = slot_node(tree, &node->slots[1]);
	if (a == b || !declares_the_same(a, b))
		return;
	a->mirror = b;
	b->mirror = a;
}

static struct node *node_new(struct tree *tree, const struct type *type, unsigned depth)
{
	struct node *node = arena_alloc(tree->arena, sizeof *node);

	node->type = type;
	node->least = node->align = 1;
	node->bits = type->bits;
	node->n = type->nmembers;
	node->slots = arena_array(tree->arena, node->n, sizeof *node->slots);
	tree->nslots += node->n;
	for (size_t i = 0; i < node->n; i++) {
		struct slot *slot = &node->slots[i];
		const struct type *inner;

		slot->member = type->members[i];
		inner = lay_nameless(slot->member.type);
		if (inner && depth < DEEPEST_NESTING && tree->nslots < MOST_LEAVES)
			slot->inner = node_new(tree, inner, depth + 1);
	}
	return node;
}

/* From the inside out. */
static void node_settle(struct tree *tree, struct node *node)
{
	for (size_t i = 0; i < node->n; i++)
		if (node->slots[i].inner)
			node_settle(tree, node->slots[i].inner);
	lay_find_attributes(tree, node);
	find_mirror(tree, node);
}

struct node *tree_node(struct tree *tree, const struct type *type)
{
	struct node *node = lay_find_named(tree, type);

	if (node)
		return node;
	node = node_new(tree, type, 0);
	node->next = tree->named;
	tree->named = node;
	node_settle(tree, node);
	return node;
}

struct node *slot_node(struct tree *tree, const struct slot *slot)
{
	const struct type *type;

	if (slot->inner)
		return slot->inner;
	type = slot->member.type ? lay_embedded(slot->member.type) : NULL;
	return type ? tree_node(tree, type) : NULL;
}

static bool holds(struct tree *tree, const struct slot *slot, const struct node *node)
{
	struct node *inner = slot_node(tree, slot);

	if (!inner || inner == node)
		return inner;
	if (inner->turn == tree->turn)
		return false;
	inner->turn = tree->turn;
	for (size_t i = 0; i < inner->n; i++)
		if (holds(tree, &inner->slots[i], node))
			return true;
	return false;
}

bool slot_holds(struct tree *tree, const struct slot *slot, const struct node *node)
{
	tree->turn++;
	return holds(tree, slot, node);
}

void node_insert(struct tree *tree, struct node *node, size_t at, const struct slot *slot)
{
	struct slot *more = arena_array(tree->arena, node->n + 1, sizeof *more);

	for (size_t i = 0; i < at; i++)
		more[i] = node->slots[i];
	more[at] = *slot;
	for (size_t i = at; i < node->n; i++)
		more[i + 1] = node->slots[i];
	node->slots = more;
	node->n++;
	node->changed = true;
}

void node_remove(struct node *node, size_t at)
{
	node->n--;
	for (size_t i = at; i < node->n; i++)
		node->slots[i] = node->slots[i + 1];
	node->changed = true;
}

bool tree_init(struct tree *tree, const struct layout *layout, struct arena *arena, struct err *err)
{
	*tree = (struct tree){
		.arena = arena,
		.line = layout->target.line,
		.knows_align = layout->knows_align,
		.source = layout_source_name(layout_origin(layout)),
	};
	if (!abi_of(&layout->target, &tree->abi))
		return err_set(err, layout->path,
			       "the machine is not known, whose compiler lays out types: give "
			       "--arch");
	if (!tree->knows_align)
		tree_assume(tree,
			    arena_printf(arena,
					 "%s does not tell which alignments were asked for: those "
					 "that leave no hole are not known",
					 tree->source));
	return true;
}

/* ---- after edits ----------------------------------------------------------------------------- */

static bool refuse(const struct tree *tree, const struct node *node, const char *name,
		   struct err *err)
{
	const char *of = node->type->name ? node->type->name : name;

	for (size_t i = 0; i < node->n; i++)
		if (node->slots[i].member.is_base || node->slots[i].member.is_dynamic)
			return err_set(err, of, "a class with bases is not laid out as C does");
	return err_set(err, of,
		       "the compiler laid it out otherwise than the rules of C say that are known "
		       "here, so what it would make of the edit is not known%s",
		       tree->knows_align ? "" : ": perhaps DWARF tells more");
}

static bool is_open(const struct tree *tree, const struct slot *slot)
{
	const struct type *type = type_strip(slot->member.type);

	return slot->member.is_flexible && type->kind == TYPE_ARRAY &&
	       (!type->has_count || !tree->knows_align);
}

static bool check_flexible(const struct tree *tree, struct node *node, const char *name,
			   struct err *err)
{
	for (size_t i = 0; i < node->n; i++) {
		struct slot *slot = &node->slots[i];
		const struct type *type = type_strip(slot->member.type);
		bool is_last = i + 1 == node->n;

		if (node->type->kind == TYPE_STRUCT && !is_last && is_open(tree, slot))
			return err_set(err, node->type->name ? node->type->name : name,
				       "`%s` is a flexible array, which is always last",
				       lay_slot_name(slot));
		/* An array of nothing is one at the end alone. */
		if (type->kind == TYPE_ARRAY && type->has_count && !type->count &&
		    !slot->member.is_marker)
			slot->member.is_flexible = is_last;
	}
	return true;
}

/* So that no sum of two sizes overflows. */
static const uint64_t MOST_BITS = UINT64_C(1) << 62;

/* Returns false with @err set. */
static bool lay(struct tree *tree, struct node *node, const char *name, struct err *err)
{
	if (node->turn == tree->turn)
		return true;
	node->turn = tree->turn;
	node->touched = node->changed;
	for (size_t i = 0; i < node->n; i++) {
		struct slot *slot = &node->slots[i];
		struct node *inner = slot_node(tree, slot);

		if (!inner)
			continue;
		if (!lay(tree, inner, name, err))
			return false;
		node->touched |= inner->touched;
		if (inner->touched && !slot->member.is_flexible)
			slot->member.bit_size = lay_bits_of(tree, slot->member.type, slot->inner);
	}
	if (!node->touched)
		return true;
	if (!node->fits)
		return refuse(tree, node, name, err);
	lay_place_all(tree, node);
	if (node->bits > MOST_BITS)
		return err_set(err, name, "it would be larger than any object is");
	return !node->changed || check_flexible(tree, node, name, err);
}

bool tree_lay(struct tree *tree, struct node *root, const char *name, struct err *err)
{
	if (tree->nslots >= MOST_LEAVES)
		return err_set(err, name, "it has too many members to be laid out again");
	tree->turn++;
	root->changed = true; /* whatever is edited, its own layout must be understood */
	return lay(tree, root, name, err);
}

/* ---- types anew ------------------------------------------------------------------------------ */

static const struct type *make(struct tree *tree, struct node *node, bool always);

/* The type of a member, with what is in it made anew. */
static const struct type *wrap(struct tree *tree, const struct type *type, struct node *inner)
{
	const struct type *target;
	struct type *copy;

	if (!type)
		return NULL;
	if (lay_is_composite(type)) {
		struct node *node = inner ? inner : lay_find_named(tree, type);

		return node ? make(tree, node, inner != NULL) : type;
	}
	if (type->kind != TYPE_ARRAY && type->kind != TYPE_TYPEDEF && type->kind != TYPE_QUALIFIER)
		return type;
	target = wrap(tree, type->target, inner);
	if (target == type->target)
		return type;
	copy = arena_copy(tree->arena, type, sizeof *type);
	copy->target = target;
	copy->bits = lay_bits_of(tree, type, inner);
	return copy;
}

/* Explicit alignments, as the model has them of a type. */
static void make_align(const struct tree *tree, const struct node *node, struct type *type)
{
	uint64_t align = node->least;

	if (!tree->knows_align || !node->touched)
		return;
	for (size_t i = 0; i < type->nmembers; i++)
		if (type->members[i].has_align)
			align = max_u64(align, type->members[i].align);
	type->has_align = align > 1;
	type->align = type->has_align ? align : 0;
}

static const struct type *make(struct tree *tree, struct node *node, bool always)
{
	struct member *members;
	struct type *type;

	if (node->made)
		return node->made;
	if (!always && !node->touched)
		return node->type;
	members = arena_array(tree->arena, node->n, sizeof *members);
	type = arena_copy(tree->arena, node->type, sizeof *type);
	node->made = type;
	for (size_t i = 0; i < node->n; i++) {
		members[i] = node->slots[i].member;
		members[i].type = wrap(tree, members[i].type, node->slots[i].inner);
	}
	type->bits = node->bits;
	type->members = members;
	type->nmembers = node->n;
	make_align(tree, node, type);
	return type;
}

const struct type *tree_type(struct tree *tree, struct node *root)
{
	return make(tree, root, true);
}
