/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/text.h"
#include "layout/geometry.h"

/* ---- syntax ---------------------------------------------------------------------------------- */

/* One step: a name, or an index behind it. */
struct step {
	const char *name; /* NULL: an index */
	uint64_t first, last;
	bool is_range;
};

struct steps {
	struct step *items;
	size_t n;
};

static bool refuse(struct arena *arena, const char **why, const char *path, const char *what)
{
	*why = arena_printf(arena, "`%s` is no path: %s", path, what);
	return false;
}

/* The digits from @s to @end as a number. */
static bool parse_index(struct arena *arena, const char *s, const char *end, uint64_t *ret)
{
	return text_to_u64(arena_strndup(arena, s, (size_t)(end - s)), ret);
}

/* "[i]" or "[i..j]" at *s, passed over. */
static bool parse_brackets(struct arena *arena, const char *path, const char **s, struct step *step,
			   const char **why)
{
	const char *open = *s + 1, *close = strchr(open, ']'), *dots;

	if (!close)
		return refuse(arena, why, path, "a `[` without its `]`");
	dots = memmem(open, (size_t)(close - open), "..", 2);
	*step = (struct step){.is_range = dots != NULL};
	if (!parse_index(arena, open, dots ? dots : close, &step->first) ||
	    !parse_index(arena, dots ? dots + 2 : open, close, &step->last))
		return refuse(arena, why, path, "an index is `[i]` or `[i..j]`, unsigned numbers");
	if (step->first > step->last)
		return refuse(arena, why, path, "the range ends before it begins");
	*s = close + 1;
	return true;
}

static bool parse_name(struct arena *arena, const char *path, const char **s, struct step *step,
		       const char **why)
{
	size_t len = strcspn(*s, ".[]");

	if (!len)
		return refuse(arena, why, path, "a name is missing");
	*step = (struct step){.name = arena_strndup(arena, *s, len)};
	*s += len;
	return true;
}

static bool parse_path(const char *path, struct arena *arena, const char **why, struct steps *ret)
{
	/* A step takes at least one byte of the path. */
	struct step *items = arena_array(arena, strlen(path) + 1, sizeof *items);
	const char *s = path;
	size_t n = 0;

	for (;;) {
		if (!parse_name(arena, path, &s, &items[n++], why))
			return false;
		while (*s == '[') {
			if (items[n - 1].is_range)
				return refuse(arena, why, path, "nothing may follow a range");
			if (!parse_brackets(arena, path, &s, &items[n++], why))
				return false;
		}
		if (!*s)
			break;
		if (*s++ != '.')
			return refuse(arena, why, path, "a dot is missing behind `]`");
		if (items[n - 1].is_range)
			return refuse(arena, why, path, "nothing may follow a range");
	}
	*ret = (struct steps){items, n};
	return true;
}

bool path_is_valid(const char *path, struct arena *arena, const char **why)
{
	struct steps steps;

	return parse_path(path, arena, why, &steps);
}

/* ---- looking up one name --------------------------------------------------------------------- */

/* A member and where it lies in the type that was searched. */
struct place {
	const struct member *member;
	uint64_t bit_offset;
	bool is_dynamic; /* it, or something unnamed round it, is placed at run time */
};

static uint64_t static_offset(const struct member *member)
{
	return member->is_dynamic ? 0 : member->bit_offset;
}

struct search {
	const char *name;
	size_t visited;
};

static bool find_name(struct search *search, const struct type *type, bool bases, unsigned depth,
		      struct place *ret);

/* In the unnamed members: anonymous structs and unions, or base classes. */
static bool find_inside(struct search *search, const struct type *type, bool bases, unsigned depth,
			struct place *ret)
{
	if (depth >= DEEPEST_NESTING)
		return false;
	for (size_t i = 0; i < type->nmembers && search->visited < MOST_LEAVES; i++) {
		const struct member *member = &type->members[i];
		const struct type *inner = member->name ? NULL : type_composite(member->type);

		if (!inner || member->is_base != bases ||
		    !find_name(search, inner, bases, depth + 1, ret))
			continue;
		ret->bit_offset = add_capped(ret->bit_offset, static_offset(member));
		ret->is_dynamic |= member->is_dynamic;
		return true;
	}
	return false;
}

/* A member's own name wins, then anonymous structs and unions, then what a base class brings. */
static bool find_name(struct search *search, const struct type *type, bool bases, unsigned depth,
		      struct place *ret)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];

		search->visited++;
		if (member->name && strcmp(member->name, search->name) == 0) {
			*ret = (struct place){member, static_offset(member), member->is_dynamic};
			return true;
		}
	}
	return find_inside(search, type, false, depth, ret) ||
	       (bases && find_inside(search, type, true, depth, ret));
}

static bool lookup(const struct type *type, const char *name, struct place *ret)
{
	struct search search = {.name = name};

	return find_name(&search, type, true, 0, ret);
}

/* ---- walking a path -------------------------------------------------------------------------- */

struct walk {
	struct arena *arena;
	const char **why;
	const char *label; /* what `type` is called in a message */
	const struct type *type;
	bool is_dynamic;
	struct span span;
};

static enum path_result invalid(struct walk *walk, const char *what)
{
	*walk->why = arena_printf(walk->arena, "`%s` %s", walk->label, what);
	return PATH_INVALID;
}

static bool type_bits(const struct type *type, uint64_t *ret)
{
	const struct type *stripped = type_strip(type);

	*ret = stripped->bits;
	return stripped->has_size;
}

/* Why nothing can be looked up in a type that is no struct. */
static enum path_result no_members(struct walk *walk)
{
	switch (type_strip(walk->type)->kind) {
	case TYPE_POINTER:
		return invalid(walk, "is a pointer: what it points to is another object");
	case TYPE_ARRAY:
		return invalid(walk, "is an array: `[i]` says which element");
	case TYPE_INCOMPLETE:
		return invalid(walk, "is only declared: its members are not known");
	default:
		return invalid(walk, "is no struct or union: it has no members");
	}
}

static enum path_result step_name(struct walk *walk, const struct step *step)
{
	const struct type *type = type_composite(walk->type);
	struct span *span = &walk->span;
	struct place place;

	if (!type)
		return no_members(walk);
	if (!lookup(type, step->name, &place)) {
		*walk->why = arena_printf(walk->arena, "`%s` has no member `%s`", walk->label,
					  step->name);
		return PATH_ABSENT;
	}
	if (__builtin_add_overflow(span->bit_offset, place.bit_offset, &span->bit_offset))
		return invalid(walk, "lies past what 64 bits can say");
	span->member = place.member;
	span->type = place.member->type;
	span->bit_size = place.member->is_flexible ? 0 : place.member->bit_size;
	span->is_flexible = place.member->is_flexible;
	span->is_bitfield = place.member->is_bitfield;
	walk->is_dynamic |= place.is_dynamic;
	walk->type = place.member->type;
	walk->label = step->name;
	return PATH_FOUND;
}

static enum path_result step_index(struct walk *walk, const struct step *step)
{
	const struct type *array = type_strip(walk->type);
	struct span *span = &walk->span;
	bool endless = span->is_flexible || !array->has_count;
	uint64_t element, offset, count;

	if (array->kind != TYPE_ARRAY)
		return invalid(walk, "is no array");
	if (!array->target || !type_bits(array->target, &element))
		return invalid(walk, "has elements of unknown size");
	if (!endless && step->last >= array->count) {
		*walk->why = arena_printf(
			walk->arena, "`%s` has %" PRIu64 " elements, `[%" PRIu64 "]` is past them",
			walk->label, array->count, step->last);
		return PATH_INVALID;
	}
	if (__builtin_mul_overflow(step->first, element, &offset) ||
	    __builtin_add_overflow(span->bit_offset, offset, &span->bit_offset) ||
	    __builtin_add_overflow(step->last - step->first, 1, &count) ||
	    __builtin_mul_overflow(count, element, &span->bit_size))
		return invalid(walk, "goes past what 64 bits can say");
	span->is_flexible = span->is_bitfield = false;
	span->type = walk->type = array->target;
	walk->label = arena_printf(walk->arena, "%s[%" PRIu64 "]", walk->label, step->first);
	return PATH_FOUND;
}

enum path_result path_resolve(const struct type *type, const char *path, struct arena *arena,
			      const char **why, struct span *ret)
{
	struct walk walk = {.arena = arena, .why = why, .type = type};
	struct steps steps;

	walk.label = type->name ? type->name : type->spelling ? type->spelling : "it";
	if (!parse_path(path, arena, why, &steps))
		return PATH_INVALID;
	for (size_t i = 0; i < steps.n; i++) {
		const struct step *step = &steps.items[i];
		enum path_result result =
			step->name ? step_name(&walk, step) : step_index(&walk, step);

		if (result != PATH_FOUND)
			return result;
	}
	if (walk.is_dynamic)
		return PATH_DYNAMIC;
	walk.span.path = arena_strdup(arena, path);
	*ret = walk.span;
	return PATH_FOUND;
}

/* ---- names for messages ---------------------------------------------------------------------- */

struct names {
	const char **items;
	size_t n, cap, visited;
};

/* Every name that a lookup in @type can find. */
static void gather_names(struct names *names, const struct type *type, unsigned depth)
{
	for (size_t i = 0; i < type->nmembers && names->visited < MOST_LEAVES; i++) {
		const struct member *member = &type->members[i];
		const struct type *inner = member->name ? NULL : type_composite(member->type);

		names->visited++;
		if (inner && depth < DEEPEST_NESTING)
			gather_names(names, inner, depth + 1);
		if (!member->name || member->is_marker)
			continue;
		ARRAY_GROW(names->items, names->n, names->cap);
		names->items[names->n++] = member->name;
	}
}

static const char *nearest_in(const struct type *type, const char *name)
{
	struct names names = {0};
	const char *ret;

	gather_names(&names, type, 0);
	ret = text_nearest(name, names.items, names.n);
	free(names.items);
	return ret;
}

const char *path_nearest(const struct type *type, const char *path, struct arena *arena)
{
	const char *why;
	struct walk walk = {.arena = arena, .why = &why, .type = type, .label = path};
	struct steps steps;

	if (!parse_path(path, arena, &why, &steps))
		return NULL;
	for (size_t i = 0; i < steps.n; i++) {
		const struct step *step = &steps.items[i];
		enum path_result result;

		result = step->name ? step_name(&walk, step) : step_index(&walk, step);
		if (result == PATH_ABSENT)
			return nearest_in(type_composite(walk.type), step->name);
		if (result != PATH_FOUND)
			return NULL;
	}
	return NULL;
}
