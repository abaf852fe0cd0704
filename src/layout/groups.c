/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/text.h"

/* ---- markers --------------------------------------------------------------------------------- */

enum marker { MARKER_BEGIN, MARKER_END, MARKER_PAD, NMARKERS };

struct found {
	const char *name;
	bool has[NMARKERS];
	uint64_t at[NMARKERS];
	size_t index;
};

struct collector {
	struct found *items;
	size_t n, cap;
	size_t visited;
};

static struct found *group_of(struct collector *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->items[i].name, name) == 0)
			return &c->items[i];
	ARRAY_GROW(c->items, c->n, c->cap);
	c->items[c->n] = (struct found){.name = name, .index = c->n};
	return &c->items[c->n++];
}

static void add_marker(struct collector *c, const char *name, uint64_t offset)
{
	static const char *const prefixes[NMARKERS] = {
		[MARKER_BEGIN] = "__cacheline_group_begin__",
		[MARKER_END] = "__cacheline_group_end__",
		[MARKER_PAD] = "__cacheline_group_pad__",
	};

	for (int i = 0; i < NMARKERS; i++) {
		struct found *group;

		if (!text_starts_with(name, prefixes[i]) || !name[strlen(prefixes[i])])
			continue;
		group = group_of(c, name + strlen(prefixes[i]));
		if (!group->has[i]) {
			group->has[i] = true;
			group->at[i] = offset;
		}
	}
}

static void collect(struct collector *c, const struct type *type, uint64_t base, unsigned depth)
{
	for (size_t i = 0; i < type->nmembers && c->visited < MOST_LEAVES; i++) {
		const struct member *member = &type->members[i];
		const struct type *inner = member->name ? NULL : type_composite(member->type);
		uint64_t offset = add_capped(base, member->bit_offset);

		c->visited++;
		if (member->is_marker && member->name)
			add_marker(c, member->name, offset);
		else if (inner && !member->is_base && depth < DEEPEST_NESTING)
			collect(c, inner, offset, depth + 1);
	}
}

static int by_offset(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = compare_u64(x->at[MARKER_BEGIN], y->at[MARKER_BEGIN]);

	return order ? order : compare_u64(x->index, y->index);
}

/* ---- what names say -------------------------------------------------------------------------- */

static bool has_word(const char *name, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = name; (p = strstr(p, word)); p += len)
		if ((p == name || p[-1] == '_') && (!p[len] || p[len] == '_'))
			return true;
	return false;
}

enum group_class group_class_of(const char *name)
{
	if (has_word(name, "write") || has_word(name, "written"))
		return GROUP_WRITE;
	if (has_word(name, "cold"))
		return GROUP_COLD;
	return has_word(name, "read") ? GROUP_READ : GROUP_UNTOLD;
}

const char *group_class_name(enum group_class access)
{
	switch (access) {
	case GROUP_READ:
		return "read";
	case GROUP_WRITE:
		return "written";
	case GROUP_COLD:
		return "cold";
	case GROUP_UNTOLD:
		break;
	}
	return NULL;
}

/* ---- groups ---------------------------------------------------------------------------------- */

struct marker_groups marker_groups_of(const struct type *type, struct arena *arena)
{
	struct marker_groups ret = {0};
	struct collector c = {0};

	collect(&c, type, 0, 0);
	if (c.n)
		qsort(c.items, c.n, sizeof *c.items, by_offset);
	ret.items = arena_array(arena, c.n, sizeof *ret.items);
	for (size_t i = 0; i < c.n; i++) {
		const struct found *found = &c.items[i];
		uint64_t end = found->at[MARKER_END];

		if (!found->has[MARKER_BEGIN] || !found->has[MARKER_END] ||
		    end < found->at[MARKER_BEGIN])
			continue;
		ret.items[ret.n++] = (struct marker_group){
			.name = arena_strdup(arena, found->name),
			.begin = found->at[MARKER_BEGIN],
			.end = end,
			.kept = max_u64(end, found->at[MARKER_PAD]),
			.access = group_class_of(found->name),
		};
	}
	free(c.items);
	return ret;
}

const struct marker_group *marker_group_find(const struct marker_groups *groups, const char *name)
{
	for (size_t i = 0; i < groups->n; i++)
		if (strcmp(groups->items[i].name, name) == 0)
			return &groups->items[i];
	return NULL;
}

bool marker_group_has(const struct marker_group *group, const struct leaf *leaf)
{
	return leaf->bit_offset >= group->begin && leaf->bit_offset < group->end;
}

uint64_t marker_group_free(const struct marker_group *group, const struct leaves *leaves)
{
	uint64_t at = group->begin, bits = 0;

	for (size_t i = 0; i < leaves->n; i++) {
		const struct leaf *leaf = &leaves->items[i];
		uint64_t end = add_capped(leaf->bit_offset, leaf->member->bit_size);

		if (!marker_group_has(group, leaf) || end <= at)
			continue;
		bits += leaf->bit_offset > at ? leaf->bit_offset - at : 0;
		at = end;
	}
	return (bits + (group->kept > at ? group->kept - at : 0)) / 8;
}
