/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/field.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/text.h"

struct collector {
	struct arena *arena;
	struct field *fields;
	size_t nfields, cap_fields;
	struct level *levels;
	size_t nlevels, cap_levels;
};

/* ---- paths ----------------------------------------------------------------------------------- */

static const char *leaf_name(const struct leaf *leaf)
{
	const char *name = leaf->member->name;

	if (!name && leaf->member->is_base)
		name = type_strip(leaf->member->type)->name;
	return name ? name : "(unnamed)";
}

static const char *join(const char *prefix, const char *name, struct arena *arena)
{
	return prefix ? arena_printf(arena, "%s.%s", prefix, name) : name;
}

/* ---- what is looked into -----------------------------------------------------------------------
 */

/* The struct or union behind qualifiers alone that no other definition would tell of. */
static const struct type *nameless(const struct type *type)
{
	while (type && type->kind == TYPE_QUALIFIER)
		type = type->target;
	if (!type || (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
		return NULL;
	return type->name || !type->nmembers ? NULL : type;
}

static bool has_leaf_at(const struct leaves *leaves, const char *name, uint64_t bit_offset)
{
	for (size_t i = 0; i < leaves->n; i++)
		if (leaves->items[i].bit_offset == bit_offset && leaves->items[i].member->name &&
		    strcmp(leaves->items[i].member->name, name) == 0)
			return true;
	return false;
}

/*
 * struct_group() declares its members twice, once in an anonymous struct and once in a member with
 * the group's name: what happens inside is told of the former.
 */
static bool is_mirror(const struct leaf *leaf, const struct type *inner,
		      const struct leaves *around)
{
	/* No group of the kernel has more than a few dozen members. */
	if (leaf->parent->kind != TYPE_UNION || inner->nmembers > MOST_LEAVES / (around->n + 1))
		return false;
	for (size_t i = 0; i < inner->nmembers; i++) {
		const struct member *member = &inner->members[i];

		if (member->name && !member->is_marker &&
		    !has_leaf_at(around, member->name,
				 add_capped(leaf->bit_offset, member->bit_offset)))
			return false;
	}
	return true;
}

static const struct type *to_expand(const struct collector *c, const struct leaf *leaf,
				    const struct leaves *around, unsigned depth)
{
	const struct type *inner = leaf->member->is_base ? NULL : nameless(leaf->member->type);

	if (!inner || depth >= DEEPEST_NESTING || c->nfields >= MOST_LEAVES)
		return NULL;
	return is_mirror(leaf, inner, around) ? NULL : inner;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static void add_field(struct collector *c, const struct leaf *leaf, const char *path, uint64_t base,
		      size_t level)
{
	ARRAY_GROW(c->fields, c->nfields, c->cap_fields);
	c->fields[c->nfields++] = (struct field){
		.path = path,
		.member = leaf->member,
		.parent = leaf->parent,
		.bit_offset = add_capped(base, leaf->bit_offset),
		.bit_size = leaf->member->is_flexible ? 0 : leaf->member->bit_size,
		.level = level,
	};
}

static void collect(struct collector *c, const struct type *type, const char *prefix, uint64_t base,
		    unsigned depth)
{
	struct leaves leaves = leaves_of(type, c->arena);
	size_t *first = arena_array(c->arena, leaves.n, sizeof *first), level = c->nlevels;

	ARRAY_GROW(c->levels, c->nlevels, c->cap_levels);
	c->levels[c->nlevels++] = (struct level){prefix, type, base, first, leaves.n};
	for (size_t i = 0; i < leaves.n; i++) {
		const struct leaf *leaf = &leaves.items[i];
		const char *path = join(prefix, leaf_name(leaf), c->arena);
		const struct type *inner = to_expand(c, leaf, &leaves, depth);

		first[i] = c->nfields;
		if (inner)
			collect(c, inner, path, add_capped(base, leaf->bit_offset), depth + 1);
		else
			add_field(c, leaf, path, base, level);
	}
}

/* ---- markers --------------------------------------------------------------------------------- */

struct markers {
	struct marker_group *items;
	size_t n, cap;
	size_t visited;
};

/* More than any struct has; a broken image would make the search for a name slow. */
enum { MOST_GROUPS = 1000 };

/* NULL: too many. */
static struct marker_group *group_named(struct markers *markers, const char *name)
{
	for (size_t i = 0; i < markers->n; i++)
		if (strcmp(markers->items[i].name, name) == 0)
			return &markers->items[i];
	if (markers->n == MOST_GROUPS)
		return NULL;
	ARRAY_GROW(markers->items, markers->n, markers->cap);
	markers->items[markers->n] = (struct marker_group){name, UINT64_MAX, UINT64_MAX};
	return &markers->items[markers->n++];
}

static void add_marker(struct markers *markers, const char *name, uint64_t at)
{
	static const char begin[] = "__cacheline_group_begin__", end[] = "__cacheline_group_end__";
	bool begins = text_starts_with(name, begin);
	struct marker_group *group;

	if (!begins && !text_starts_with(name, end))
		return;
	group = group_named(markers, name + (begins ? sizeof begin : sizeof end) - 1);
	if (group)
		*(begins ? &group->begin : &group->end) = at;
}

static void find_markers(struct markers *markers, const struct type *type, uint64_t base,
			 unsigned depth)
{
	for (size_t i = 0; i < type->nmembers && markers->visited < MOST_LEAVES; i++) {
		const struct member *member = &type->members[i];
		const struct type *inner = member->name ? NULL : type_composite(member->type);
		uint64_t at = add_capped(base, member->bit_offset);

		markers->visited++;
		if (member->is_dynamic)
			continue;
		if (member->is_marker && member->name)
			add_marker(markers, member->name, at);
		else if (inner && !member->is_base && depth < DEEPEST_NESTING)
			find_markers(markers, inner, at, depth + 1);
	}
}

static int compare_groups(const void *left, const void *right)
{
	const struct marker_group *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void add_groups(const struct type *type, struct arena *arena, struct fields *fields)
{
	struct markers markers = {0};

	find_markers(&markers, type, 0, 0);
	if (markers.n)
		qsort(markers.items, markers.n, sizeof *markers.items, compare_groups);
	fields->groups = arena_copy(arena, markers.items, markers.n * sizeof *markers.items);
	fields->ngroups = markers.n;
	free(markers.items);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int compare_fields(const void *left, const void *right)
{
	const struct field *a = *(struct field *const *)left, *b = *(struct field *const *)right;

	if (a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	if (a->bit_size != b->bit_size)
		return a->bit_size > b->bit_size ? -1 : 1;
	return (a > b) - (a < b);
}

/* The fields by where they lie, and how far each stretch of them reaches. */
static void put_in_order(struct fields *fields, struct arena *arena)
{
	fields->by_offset = arena_array(arena, fields->n, sizeof *fields->by_offset);
	fields->reach = arena_array(arena, fields->n, sizeof *fields->reach);
	for (size_t i = 0; i < fields->n; i++)
		fields->by_offset[i] = &fields->items[i];
	if (fields->n)
		qsort(fields->by_offset, fields->n, sizeof *fields->by_offset, compare_fields);
	for (size_t i = 0; i < fields->n; i++) {
		struct field *field = fields->by_offset[i];

		fields->reach[i] = i && field_end(fields->reach[i - 1]) > field_end(field)
					   ? fields->reach[i - 1]
					   : field;
	}
}

void fields_of(const struct type *type, struct arena *arena, struct fields *ret)
{
	struct collector c = {.arena = arena};

	collect(&c, type, NULL, 0, 0);
	*ret = (struct fields){
		.items = arena_copy(arena, c.fields, c.nfields * sizeof *c.fields),
		.n = c.nfields,
		.levels = arena_copy(arena, c.levels, c.nlevels * sizeof *c.levels),
		.nlevels = c.nlevels,
		.bits = type->bits,
	};
	free(c.fields);
	free(c.levels);
	put_in_order(ret, arena);
	add_groups(type, arena, ret);
}

/* ---- small questions ------------------------------------------------------------------------- */

uint64_t field_end(const struct field *field)
{
	return add_capped(field->bit_offset, field->bit_size);
}

bool field_occupies(const struct field *field)
{
	return field->bit_size || field->member->is_flexible;
}

bool field_lines(const struct field *field, uint64_t line, struct line_span *ret)
{
	if (!field_occupies(field))
		return false;
	return lines_touched(field->bit_offset, field->bit_size ? field->bit_size : 1, line, 0,
			     ret);
}

const char *field_size(const struct field *field, struct arena *arena)
{
	if (field->member->is_flexible)
		return "no end";
	if (field->member->is_bitfield || field->bit_size % 8)
		return arena_printf(arena, "%" PRIu64 " bit%s", field->bit_size,
				    field->bit_size == 1 ? "" : "s");
	return arena_printf(arena, "%" PRIu64 " byte%s", field->bit_size / 8,
			    field->bit_size == 8 ? "" : "s");
}

const char *field_at(const struct field *field, struct arena *arena)
{
	return arena_printf(arena, "%s (offset %" PRIu64 ")", field->path, field->bit_offset / 8);
}

const char *field_full(const struct field *field, struct arena *arena)
{
	return arena_printf(arena, "%s (offset %" PRIu64 ", %s)", field->path,
			    field->bit_offset / 8, field_size(field, arena));
}

const struct field *field_reaching(const struct fields *fields, uint64_t bit_offset)
{
	size_t low = 0, high = fields->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (fields->by_offset[middle]->bit_offset < bit_offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? fields->reach[low - 1] : NULL;
}
