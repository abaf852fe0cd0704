/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members that packs keep apart and that share a line now: new neighbours of the worst kind. What
 * was on one line before is not new, and is the rule's to tell.
 */
#include <inttypes.h>
#include <string.h>

#include "diff/compare.h"
#include "layout/path.h"

/* What one entry of a group names, on both sides. */
struct part {
	const char *path;
	bool was, is; /* there, on the old side and on the new one */
	uint64_t old_offset, old_bits, new_offset, new_bits;
};

struct parts {
	struct part *items;
	size_t n;
};

static bool resolve(struct comparison *c, const struct type *type, const struct diff_members *entry,
		    uint64_t *ret_offset, uint64_t *ret_bits)
{
	struct span first, last;
	const char *why;

	if (path_resolve(type, entry->from, &c->scratch, &why, &first) != PATH_FOUND)
		return false;
	last = first;
	if (entry->to && path_resolve(type, entry->to, &c->scratch, &why, &last) != PATH_FOUND)
		return false;
	if (last.bit_offset < first.bit_offset ||
	    (!last.bit_size && !last.is_flexible && !entry->to))
		return false;
	*ret_offset = first.bit_offset;
	*ret_bits = last.bit_offset - first.bit_offset + (last.bit_size ? last.bit_size : 1);
	return true;
}

static struct parts parts_of(struct comparison *c, const struct diff_group *group)
{
	struct parts parts = {arena_array(&c->scratch, group->nmembers, sizeof *parts.items),
			      group->nmembers};

	for (size_t i = 0; i < group->nmembers; i++) {
		const struct diff_members *entry = &group->members[i];
		struct part *part = &parts.items[i];

		part->path = entry->from;
		part->was =
			resolve(c, c->pair->old->type, entry, &part->old_offset, &part->old_bits);
		part->is =
			resolve(c, c->pair->new->type, entry, &part->new_offset, &part->new_bits);
	}
	return parts;
}

/* The first line that both ranges touch. */
static bool shared_line(uint64_t line, uint64_t a, uint64_t a_bits, uint64_t b, uint64_t b_bits,
			uint64_t *ret)
{
	struct line_span of_a, of_b;

	if (!lines_touched(a, a_bits, line, 0, &of_a) || !lines_touched(b, b_bits, line, 0, &of_b))
		return false;
	*ret = of_a.first > of_b.first ? of_a.first : of_b.first;
	return of_a.first <= of_b.last && of_b.first <= of_a.last;
}

static bool are_new_neighbours(const struct comparison *c, const struct part *a,
			       const struct part *b, uint64_t *ret_line)
{
	uint64_t line;

	if (!a->is || !b->is ||
	    !shared_line(c->line, a->new_offset, a->new_bits, b->new_offset, b->new_bits, ret_line))
		return false;
	return !a->was || !b->was ||
	       !shared_line(c->line, a->old_offset, a->old_bits, b->old_offset, b->old_bits, &line);
}

/* Who came: the one that was not there, else the one that begins on another line. */
static bool came(const struct comparison *c, const struct part *part)
{
	uint64_t line_bits = c->line * 8;

	return !part->was || part->old_offset / line_bits != part->new_offset / line_bits;
}

/* "`lock` (written)"; a member that stands alone is its own group. */
static const char *part_text(const struct comparison *c, const struct part *part,
			     const struct diff_group *group)
{
	if (strcmp(part->path, group->name) == 0)
		return arena_printf(c->arena, "`%s`", part->path);
	return arena_printf(c->arena, "`%s` (%s)", part->path, group->name);
}

static const char *cause_of(const struct comparison *c, const struct part *part)
{
	if (!part->was)
		return arena_printf(c->arena, "%s (offset %" PRIu64 ") was added", part->path,
				    part->new_offset / 8);
	for (size_t i = 0; i < c->nruns; i++) {
		const struct run *run = &c->runs[i];

		if (run->first->bit_offset <= part->new_offset &&
		    part->new_offset < field_end(run->last) &&
		    (int64_t)(part->new_offset - part->old_offset) == run->bits)
			return run->because;
	}
	return NULL;
}

static void tell(struct comparison *c, const struct diff_group *group,
		 const struct diff_group *other, const struct part *part, const struct part *with,
		 uint64_t line)
{
	struct change change = change_new(CHANGE_NEIGHBOUR);

	if (!came(c, part) && came(c, with)) {
		const struct diff_group *swap_group = group;
		const struct part *swap_part = part;

		group = other;
		other = swap_group;
		part = with;
		with = swap_part;
	}
	change.severity = group->severity < other->severity ? group->severity : other->severity;
	if (group->waiver && other->waiver) {
		change.waived = true;
		change.waiver = group->waiver;
	}
	change.member = arena_strdup(c->arena, part->path);
	change.members = 1;
	change.other = arena_strdup(c->arena, with->path);
	change.has_bits = true;
	change.bit_offset = part->new_offset;
	change.bit_size = part->new_bits;
	change.has_cacheline = true;
	change.cacheline = line;
	change.now = arena_printf(c->arena, "line %" PRIu64, line);
	if (part->was)
		change.was =
			arena_printf(c->arena, "line %" PRIu64, part->old_offset / 8 / c->line);
	change.message = arena_printf(c->arena, "%s shares line %" PRIu64 " with %s now",
				      part_text(c, part, group), line, part_text(c, with, other));
	change.cause = cause_of(c, part);
	compare_add(c, &change);
}

/* One change for each line that two groups have come to share. */
static void compare_two(struct comparison *c, const struct diff_group *group,
			const struct diff_group *other)
{
	struct parts a = parts_of(c, group), b = parts_of(c, other);
	uint64_t *told = arena_array(&c->scratch, a.n * b.n + 1, sizeof *told), line;
	size_t n = 0;

	for (size_t i = 0; i < a.n; i++)
		for (size_t k = 0; k < b.n; k++) {
			size_t t = 0;

			if (!are_new_neighbours(c, &a.items[i], &b.items[k], &line))
				continue;
			while (t < n && told[t] != line)
				t++;
			if (t < n)
				continue;
			told[n++] = line;
			tell(c, group, other, &a.items[i], &b.items[k], line);
		}
}

static bool is_about(const struct comparison *c, const struct diff_group *group)
{
	struct type_ref ref = group->type;
	const struct def *def = c->pair->new;

	if (strcmp(def->name, ref.name) != 0 || (ref.kind != DEF_ANY && ref.kind != def->kind))
		return false;
	if (ref.scope || def->scope)
		return ref.scope && def->scope && strcmp(ref.scope, def->scope) == 0;
	return true;
}

static bool is_apart(const struct diff_group *group, const struct diff_group *other)
{
	for (size_t i = 0; i < group->napart; i++)
		if (strcmp(group->apart_from[i], other->name) == 0)
			return true;
	return false;
}

void compare_conflicts(struct comparison *c)
{
	const struct diff_options *options = c->options;

	for (size_t i = 0; i < options->ngroups && c->line; i++) {
		if (!is_about(c, &options->groups[i]))
			continue;
		for (size_t k = i + 1; k < options->ngroups; k++)
			if (is_about(c, &options->groups[k]) &&
			    (is_apart(&options->groups[i], &options->groups[k]) ||
			     is_apart(&options->groups[k], &options->groups[i])))
				compare_two(c, &options->groups[i], &options->groups[k]);
	}
}
