/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holes of whole bytes that opened, grew, shrank or were used. A hole is known by the member in
 * front of it, or by the one behind it where that one is new.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/compare.h"

struct hole {
	const struct field *before, *after; /* before NULL: at the start of its struct */
	uint64_t bit_offset, bytes;         /* from the outermost type */
	bool met;                           /* of an old one: it is there on the new side */
};

struct holes {
	struct hole *items;
	size_t n;
	bool unknown;                 /* what is placed at run time may lie in them */
	size_t *by_before, *by_after; /* of the field with that index: its hole, plus 1 */
};

/* The first field of a leaf; NULL: none, or of a struct in which nothing is. */
static const struct field *field_of(const struct fields *fields, const struct level *level,
				    const struct leaf *leaf)
{
	size_t first;

	if (!leaf)
		return NULL;
	first = level->first[leaf->index];
	return first < fields->n ? &fields->items[first] : NULL;
}

static struct holes holes_of(struct comparison *c, const struct fields *fields,
			     const struct level *level)
{
	struct geometry geometry;
	struct holes holes = {0};

	geometry_of(level->type, 0, &c->scratch, &geometry);
	holes.unknown = geometry.leaves.has_dynamic;
	if (!geometry.holes)
		return holes;
	holes.items = arena_array(&c->scratch, geometry.holes, sizeof *holes.items);
	holes.by_before = arena_array(&c->scratch, fields->n, sizeof *holes.by_before);
	holes.by_after = arena_array(&c->scratch, fields->n, sizeof *holes.by_after);
	for (size_t i = 0; i < geometry.ngaps; i++) {
		const struct gap *gap = &geometry.gaps[i];
		struct hole hole = {.before = field_of(fields, level, gap->before),
				    .after = field_of(fields, level, gap->after),
				    .bit_offset = level->bit_offset + gap->bit_offset,
				    .bytes = gap->bit_size / 8};

		if (gap->kind != GAP_HOLE || !hole.after)
			continue;
		holes.items[holes.n++] = hole;
		holes.by_after[hole.after - fields->items] = holes.n;
		if (hole.before)
			holes.by_before[hole.before - fields->items] = holes.n;
	}
	return holes;
}

/* ---- which hole was which ----------------------------------------------------------------------
 */

static struct hole *find_by(const struct comparison *c, struct holes *old, const size_t *index,
			    const struct field *field)
{
	size_t at = old->n && field && field->match ? index[field->match - c->old.items] : 0;

	return at && !old->items[at - 1].met ? &old->items[at - 1] : NULL;
}

static struct hole *find_old(const struct comparison *c, struct holes *old, const struct hole *hole)
{
	struct hole *found = find_by(c, old, old->by_before, hole->before);

	return found ? found : find_by(c, old, old->by_after, hole->after);
}

/* What stood in front of it is gone, and it is part of a larger one now. */
static bool is_merged(const struct fields *new_fields, const struct holes *new,
		      const struct hole *was)
{
	const struct field *after = was->after->match;

	return new->n && was->before &&
	       !was->before->match &&after &&new->by_after[after - new_fields->items];
}

/* ---- telling --------------------------------------------------------------------------------- */

static void place_hole(const struct comparison *c, const struct hole *hole, struct change *change)
{
	change_place(c, hole->before ? hole->before : hole->after, change);
	change->bit_offset = hole->bit_offset;
	change->bit_size = hole->bytes * 8;
	change->has_cacheline = c->line != 0;
	if (c->line)
		change->cacheline = hole->bit_offset / 8 / c->line;
}

/* "behind `failcnt`" */
static const char *where(const struct comparison *c, const struct hole *hole)
{
	return hole->before ? arena_printf(c->arena, "behind `%s`", hole->before->path)
			    : arena_printf(c->arena, "before `%s`", hole->after->path);
}

static void tell_opened(struct comparison *c, const struct hole *was, const struct hole *hole)
{
	struct change change = change_new(CHANGE_HOLE_OPENED);

	place_hole(c, hole, &change);
	change.now = bytes_text(hole->bytes, c->arena);
	if (was) {
		change.was = bytes_text(was->bytes, c->arena);
		change.message = arena_printf(c->arena, "the hole %s grew from %s to %s",
					      where(c, hole), change.was, change.now);
	} else {
		change.message =
			arena_printf(c->arena, "a hole of %s opened %s (offset %" PRIu64 ")",
				     change.now, where(c, hole), hole->bit_offset / 8);
	}
	compare_add(c, &change);
}

/* Who lies where the hole was: what came from elsewhere and stands just before the member that was
 * behind it. */
static const struct field *find_user(const struct comparison *c, const struct hole *was)
{
	const struct field *after = was->after->match, *user;

	if (!after)
		return NULL;
	user = field_reaching(&c->new, after->bit_offset);
	return user && (!user->match || user->relocated) ? user : NULL;
}

/* What the hole was: "used by `x`". */
static const char *user_text(const struct comparison *c, const struct hole *was)
{
	const struct field *user = find_user(c, was);

	if (user)
		return arena_printf(c->arena, "used by `%s`", user->path);
	if (was->before && was->before->match &&
	    was->before->match->bit_size > was->before->bit_size)
		return arena_printf(c->arena, "used by `%s`, which grew", was->before->path);
	return "closed";
}

static void tell_used(struct comparison *c, const struct hole *was, const struct hole *hole)
{
	struct change change = change_new(CHANGE_HOLE_USED);

	place_hole(c, hole ? hole : was, &change);
	change.was = bytes_text(was->bytes, c->arena);
	if (hole) {
		change.now = bytes_text(hole->bytes, c->arena);
		change.message = arena_printf(c->arena, "the hole %s shrank from %s to %s",
					      where(c, hole), change.was, change.now);
	} else {
		change.message = arena_printf(c->arena, "the hole of %s %s was %s", change.was,
					      where(c, was), user_text(c, was));
	}
	compare_add(c, &change);
}

/* ---- a level --------------------------------------------------------------------------------- */

static void compare_levels(struct comparison *c, const struct level *old_level,
			   const struct level *new_level)
{
	struct holes old = holes_of(c, &c->old, old_level);
	struct holes new = holes_of(c, &c->new, new_level);

	if (old.unknown || new.unknown)
		return;
	for (size_t i = 0; i < new.n; i++) {
		const struct hole *hole = &new.items[i];
		struct hole *was = find_old(c, &old, hole);

		if (was)
			was->met = true;
		if (!was || was->bytes < hole->bytes)
			tell_opened(c, was, hole);
		else if (was->bytes > hole->bytes)
			tell_used(c, was, hole);
	}
	for (size_t i = 0; i < old.n; i++)
		if (!old.items[i].met && !is_merged(&c->new, &new, &old.items[i]))
			tell_used(c, &old.items[i], NULL);
}

/* Nameless structs between one and where it was before; a struct has a handful in all. */
enum { FARTHEST = 1000 };

void compare_gaps(struct comparison *c)
{
	for (size_t n = 0, o = 0; n < c->new.nlevels; n++) {
		const struct level *level = &c->new.levels[n];

		/* Both are in the order of the source: the search begins where the last one ended.
		 */
		for (size_t i = 0; i < c->old.nlevels && i < FARTHEST; i++) {
			size_t at = (o + i) % c->old.nlevels;
			const char *path = c->old.levels[at].path;

			if (path && level->path ? strcmp(path, level->path) != 0
						: path != level->path)
				continue;
			compare_levels(c, &c->old.levels[at], level);
			o = at + 1;
			break;
		}
	}
}
