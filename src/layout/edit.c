/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/edit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/text.h"
#include "layout/geometry.h"
#include "layout/lay.h"
#include "layout/path.h"
#include "layout/spell.h"

struct editing {
	struct tree tree;
	const struct def *def;
	const struct layout *layout;
	struct node *root;
	const struct edit *edit; /* the one that is applied */
	struct err *err;
	struct edit_gone *gone;
	size_t ngone;
};

/* ---- finding members ------------------------------------------------------------------------- */

struct place {
	struct node *node;
	size_t at;
};

/* In the node, or through what has no name in it. */
static bool find_name(struct editing *e, struct node *node, const char *name, size_t len,
		      struct place *ret)
{
	for (size_t i = 0; i < node->n; i++) {
		const struct slot *slot = &node->slots[i];
		const char *own = slot->member.name;
		struct node *inner = own ? NULL : slot_node(&e->tree, slot);

		if (own && strlen(own) == len && memcmp(own, name, len) == 0) {
			*ret = (struct place){node, i};
			return true;
		}
		if (inner && find_name(e, inner, name, len, ret))
			return true;
	}
	return false;
}

static bool say_absent(struct editing *e, const char *path)
{
	const char *nearest = path_nearest(e->def->type, path, e->tree.arena);

	if (nearest && strchr(path, '.') == NULL)
		return err_set(e->err, e->edit->text, "%s has no member `%s`; did you mean `%s`?",
			       e->def->name, path, nearest);
	return err_set(e->err, e->edit->text, "%s has no member `%s`", e->def->name, path);
}

static bool find(struct editing *e, const char *path, struct place *ret)
{
	struct node *node = e->root;

	for (const char *p = path;; p++) {
		size_t len = strcspn(p, ".");

		if (!find_name(e, node, p, len, ret))
			return say_absent(e, path);
		p += len;
		if (!*p)
			return true;
		node = slot_node(&e->tree, &ret->node->slots[ret->at]);
		if (!node)
			return err_set(e->err, e->edit->text,
				       "`%.*s` of %s is no struct, and has no members",
				       (int)(p - path), path, e->def->name);
	}
}

/* What is done to @first is done to its mirror, too, which comes after it. */
static struct node *next_alike(struct node *first, const struct node *node)
{
	return node == first ? first->mirror : NULL;
}

/* ---- the type of a new member ---------------------------------------------------------------- */

/* Types have been looked into, each once. */
struct search {
	const char *name;
	enum type_kind kind; /* TYPE_TYPEDEF or TYPE_ENUM */
	const struct type *found;
	unsigned depth;
	size_t visited;
};

/* Through what is there by value. */
static void search(struct search *s, const struct type *type)
{
	if (!type || s->found || s->depth >= DEEPEST_NESTING || s->visited++ >= MOST_LEAVES)
		return;
	if (type->kind == s->kind && type->name && strcmp(type->name, s->name) == 0 &&
	    type_strip(type)->has_size) {
		s->found = type;
		return;
	}
	s->depth++;
	if (type->kind == TYPE_ARRAY || type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUALIFIER)
		search(s, type->target);
	/* Structs with a name are looked into as definitions. */
	if ((type->kind == TYPE_STRUCT || type->kind == TYPE_UNION) &&
	    (!type->name || s->depth == 1))
		for (size_t i = 0; i < type->nmembers; i++)
			search(s, type->members[i].type);
	s->depth--;
}

static const struct type *search_all(const struct layout *layout, enum type_kind kind,
				     const char *name)
{
	struct search s = {.name = name, .kind = kind};

	for (size_t i = 0; i < layout->ndefs && !s.found; i++) {
		s.depth = s.visited = 0;
		search(&s, layout->defs[i].type);
	}
	return s.found;
}

static const struct type *new_type(struct editing *e, enum type_kind kind, uint64_t bits,
				   struct spelling spelling)
{
	struct type *type = arena_alloc(e->tree.arena, sizeof *type);

	type->kind = kind;
	type->has_size = true;
	type->bits = bits;
	spell_store(type, spelling, e->tree.arena);
	return type;
}

/* A struct, a union, or the typedef of one without a tag. */
static const struct type *find_def(struct editing *e, const char *name)
{
	struct arena *arena = e->tree.arena;
	struct def_list found = layout_find(e->layout, type_ref_parse(arena, name), arena);
	bool tagged = strchr(name, ' ') != NULL;
	struct type *alias;
	const struct def *def;

	if (found.n > 1) {
		err_set(e->err, e->edit->text, "%s has %zu different definitions here", name,
			found.n);
		return NULL;
	}
	def = found.n ? found.defs[0] : NULL;
	if (!def || (!tagged && def->kind != DEF_TYPEDEF))
		return NULL;
	if (def->kind != DEF_TYPEDEF)
		return def->type;
	alias = arena_copy(arena, def->type, sizeof *alias);
	*alias = (struct type){.kind = TYPE_TYPEDEF,
			       .name = def->name,
			       .has_size = def->type->has_size,
			       .bits = def->type->bits,
			       .target = def->type};
	spell_store(alias, spell_name(NULL, def->name, arena), arena);
	return alias;
}

static const struct type *find_base(struct editing *e)
{
	const struct edit *edit = e->edit;
	struct arena *arena = e->tree.arena;
	uint64_t bytes = abi_size(&e->tree.abi, edit->type);
	const struct type *type;

	if (bytes)
		return new_type(e, TYPE_BASE, bytes * 8, spell_name(NULL, edit->type, arena));
	if (text_starts_with(edit->type, "enum "))
		type = search_all(e->layout, TYPE_ENUM, strchr(edit->type, ' ') + 1);
	else
		type = find_def(e, edit->type);
	if (!type && !e->err->text && !strchr(edit->type, ' '))
		type = search_all(e->layout, TYPE_TYPEDEF, edit->type);
	if (type && type->has_size)
		return type;
	if (!e->err->text)
		err_set(e->err, edit->text, "%s has no type `%s`", e->layout->path, edit->type);
	return NULL;
}

static const struct type *array_of(struct editing *e, const struct type *element, bool has_count,
				   uint64_t count)
{
	struct arena *arena = e->tree.arena;
	struct type *type = arena_alloc(arena, sizeof *type);
	const char *all = element->spelling;
	size_t at = element->name_at ? element->name_at : strlen(all);
	struct spelling inner = {arena_strndup(arena, all, at), all + at, false};

	type->kind = TYPE_ARRAY;
	type->target = element;
	type->has_count = has_count;
	type->count = count;
	type->has_size = has_count;
	type->bits = has_count ? multiply_capped(count, tree_bits(&e->tree, element)) : 0;
	spell_store(type, spell_array(inner, has_count, count, arena), arena);
	return type;
}

static const struct type *type_of_new(struct editing *e)
{
	const struct edit *edit = e->edit;
	struct arena *arena = e->tree.arena;
	const struct type *type;

	if (*edit->pointers) {
		struct spelling spelling = spell_name(NULL, edit->type, arena);

		for (const char *p = edit->pointers; *p; p++)
			spelling = spell_pointer(spelling, "*", arena);
		type = new_type(e, TYPE_POINTER, e->tree.abi.pointer * 8, spelling);
	} else {
		type = find_base(e);
	}
	for (size_t i = edit->ndimensions; type && i > 0; i--)
		type = array_of(e, type, true, edit->dimensions[i - 1]);
	return type && edit->is_flexible ? array_of(e, type, false, 0) : type;
}

/* ---- edits ----------------------------------------------------------------------------------- */

/* Where `add` puts a member by itself. */
static size_t end_of(const struct node *node)
{
	if (node->n && node->slots[node->n - 1].member.is_flexible)
		return node->n - 1;
	return node->n;
}

static bool check_field(struct editing *e, const struct type *type)
{
	const struct edit *edit = e->edit;
	enum type_kind kind = type_strip(type)->kind;

	if (kind != TYPE_BASE && kind != TYPE_ENUM)
		return err_set(e->err, edit->text, "`%s` cannot be a bit-field", edit->type);
	if (edit->bits > type->bits || (strcmp(edit->type, "bool") == 0 && edit->bits > 1))
		return err_set(e->err, edit->text,
			       "a bit-field of `%s` cannot have %" PRIu64 " bits", edit->type,
			       edit->bits);
	return true;
}

static bool anchor_of(struct editing *e, struct place *ret)
{
	if (!e->edit->anchor) {
		*ret = (struct place){e->root, end_of(e->root)};
		return true;
	}
	if (!find(e, e->edit->anchor, ret))
		return false;
	ret->at += !e->edit->before;
	return true;
}

/* What would be embedded in itself has no size. Its mirror becomes what the node does. */
static bool check_embedding(struct editing *e, const struct slot *slot, struct node *into)
{
	for (struct node *node = into; node; node = next_alike(into, node))
		if (slot_holds(&e->tree, slot, node))
			return err_set(e->err, e->edit->text, "`%s` cannot be %s into itself",
				       e->edit->member, e->edit->op == EDIT_MOVE ? "moved" : "put");
	return true;
}

static bool add(struct editing *e)
{
	const struct edit *edit = e->edit;
	struct slot slot = {.is_new = true};
	struct place at, known;
	const struct type *type = type_of_new(e);

	if (!type || (edit->bits && !check_field(e, type)))
		return false;
	if (!anchor_of(e, &at))
		return false;
	if (find_name(e, at.node == e->root || !strchr(edit->anchor, '.') ? e->root : at.node,
		      edit->member, strlen(edit->member), &known))
		return err_set(e->err, edit->text, "%s has a member `%s` already", e->def->name,
			       edit->member);
	slot.member = (struct member){
		.name = edit->member,
		.type = type,
		.bit_size = edit->bits ? edit->bits : tree_bits(&e->tree, type),
		.is_bitfield = edit->bits != 0,
		.is_flexible = edit->is_flexible,
	};
	if (!check_embedding(e, &slot, at.node))
		return false;
	for (struct node *node = at.node; node; node = next_alike(at.node, node)) {
		slot.packed = node->packed;
		node_insert(&e->tree, node, at.at, &slot);
	}
	return true;
}

/* Where the member of the edit was before all edits. */
static uint64_t was_at(struct editing *e, const struct slot *slot)
{
	const char *why;
	struct span span;

	/* A struct with a name that it is in may stand at several places. */
	if (path_resolve(e->def->type, e->edit->member, e->tree.arena, &why, &span) == PATH_FOUND)
		return span.bit_offset;
	return slot->was;
}

static bool move(struct editing *e)
{
	const struct edit *edit = e->edit;
	struct node *from_mirror, *to_mirror;
	struct place from, to;
	struct slot slot, twin;

	if (!find(e, edit->member, &from) || !find(e, edit->anchor, &to))
		return false;
	if (from.node == to.node && from.at == to.at)
		return err_set(e->err, edit->text, "`%s` cannot be moved beside itself",
			       edit->member);
	slot = from.node->slots[from.at];
	if (from.node != to.node && !slot.is_new)
		slot.was = was_at(e, &slot);
	if (!check_embedding(e, &slot, to.node))
		return false;
	/* What is packed with its struct is not, elsewhere. */
	if (from.node->packed || to.node->packed)
		slot.packed = to.node->packed;
	twin = slot;
	from_mirror = from.node->mirror;
	to_mirror = to.node->mirror;
	if (from_mirror)
		twin.inner = from_mirror->slots[from.at].inner;
	node_remove(from.node, from.at);
	if (from_mirror)
		node_remove(from_mirror, from.at);
	to.at += !edit->before;
	if (to.node == from.node && to.at > from.at)
		to.at--;
	node_insert(&e->tree, to.node, to.at, &slot);
	if (to_mirror)
		node_insert(&e->tree, to_mirror, to.at, &twin);
	return true;
}

static void note_gone(struct editing *e, const struct slot *slot)
{
	struct edit_gone *more = arena_array(e->tree.arena, e->ngone + 1, sizeof *more);

	if (slot->is_new)
		return;
	for (size_t i = 0; i < e->ngone; i++)
		more[i] = e->gone[i];
	more[e->ngone++] =
		(struct edit_gone){e->edit->member, was_at(e, slot), slot->member.bit_size};
	e->gone = more;
}

static bool remove_member(struct editing *e)
{
	struct place at;

	if (!find(e, e->edit->member, &at))
		return false;
	note_gone(e, &at.node->slots[at.at]);
	if (at.node->mirror)
		node_remove(at.node->mirror, at.at);
	node_remove(at.node, at.at);
	return true;
}

static bool align(struct editing *e)
{
	const struct edit *edit = e->edit;
	struct place at;

	if (!edit->member) {
		e->root->least = edit->align;
		e->root->changed = true;
		return true;
	}
	if (!find(e, edit->member, &at))
		return false;
	for (struct node *node = at.node; node; node = next_alike(at.node, node)) {
		struct slot *slot = &node->slots[at.at];

		slot->asked = edit->align;
		slot->member.has_align = e->tree.knows_align && edit->align > 1;
		slot->member.align = slot->member.has_align ? edit->align : 0;
		node->changed = true;
	}
	return true;
}

static void pack_slot(struct slot *slot)
{
	slot->packed = true;
	if (!slot->asked)
		slot->member.has_align = false;
}

static bool pack(struct editing *e)
{
	const struct edit *edit = e->edit;
	struct place at;

	if (!edit->member) {
		for (size_t i = 0; i < e->root->n; i++)
			pack_slot(&e->root->slots[i]);
		e->root->packed = e->root->changed = true;
		return true;
	}
	if (!find(e, edit->member, &at))
		return false;
	for (struct node *node = at.node; node; node = next_alike(at.node, node)) {
		pack_slot(&node->slots[at.at]);
		node->changed = true;
	}
	return true;
}

static bool apply(struct editing *e)
{
	switch (e->edit->op) {
	case EDIT_ADD:
		return add(e);
	case EDIT_MOVE:
		return move(e);
	case EDIT_REMOVE:
		return remove_member(e);
	case EDIT_ALIGN:
		return align(e);
	case EDIT_PACK:
		return pack(e);
	}
	BUG("no such edit");
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Where everything was, before it is moved. */
static void note_places(struct node *node, uint64_t base)
{
	for (size_t i = 0; i < node->n; i++) {
		struct slot *slot = &node->slots[i];

		slot->was = add_capped(base, slot->member.bit_offset);
		if (slot->inner)
			note_places(slot->inner, slot->was);
	}
}

static size_t count_slots(const struct node *node)
{
	size_t n = node->n;

	for (size_t i = 0; i < node->n; i++)
		if (node->slots[i].inner)
			n += count_slots(node->slots[i].inner);
	return n;
}

static void tell_places(const struct node *node, struct edit_was *was, size_t *n)
{
	for (size_t i = 0; i < node->n; i++) {
		const struct slot *slot = &node->slots[i];

		was[(*n)++] = (struct edit_was){&node->made->members[i], slot->is_new, slot->was};
		if (slot->inner)
			tell_places(slot->inner, was, n);
	}
}

/* Where nothing tells of alignments, a member that began a line may have been aligned to it. */
static void doubt_places(struct editing *e)
{
	uint64_t line = e->tree.line * 8;

	for (size_t i = 0; i < e->root->n && line && !e->tree.knows_align; i++) {
		const struct slot *slot = &e->root->slots[i];

		if (slot->is_new || slot->asked || !slot->was || slot->was % line ||
		    slot->member.bit_offset % line == 0 || !slot->member.name)
			continue;
		tree_assume(&e->tree,
			    arena_printf(e->tree.arena,
					 "`%s` began line %" PRIu64
					 " and does not any more: it is taken not to be aligned",
					 slot->member.name, slot->was / line));
	}
}

bool edit_apply(const struct def *def, const struct layout *layout, const struct edit *edits,
		size_t n, struct arena *arena, struct err *err, struct edited *ret)
{
	struct editing e = {.def = def, .layout = layout, .err = err};
	struct edit_was *was;

	if (!tree_init(&e.tree, layout, arena, err))
		return false;
	e.root = tree_node(&e.tree, def->type);
	if (!tree_lay(&e.tree, e.root, def->name, err))
		return false;
	note_places(e.root, 0);
	for (size_t i = 0; i < n; i++) {
		e.edit = &edits[i];
		if (!apply(&e))
			return false;
	}
	if (!tree_lay(&e.tree, e.root, def->name, err))
		return false;
	doubt_places(&e);
	*ret = (struct edited){.def = *def,
			       .gone = e.gone,
			       .ngone = e.ngone,
			       .assumed = e.tree.assumed,
			       .nassumed = e.tree.nassumed};
	ret->def.type = tree_type(&e.tree, e.root);
	was = arena_array(arena, count_slots(e.root), sizeof *was);
	tell_places(e.root, was, &ret->nwas);
	ret->was = was;
	return true;
}
