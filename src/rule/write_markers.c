/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "layout/groups.h"
#include "rule/member.h"
#include "rule/write.h"
#include "rule/yaml_write.h"

/* A type with groups. */
struct marked {
	const struct def *def;
	struct marker_groups groups;
	struct leaves leaves;
	uint64_t line;
	struct buf *out;
};

static bool is_member_of(const struct marker_group *group, const struct leaf *leaf)
{
	struct span span = span_of_leaf(leaf);

	return span_occupies(&span) && marker_group_has(group, leaf);
}

static bool has_name(const struct leaf *leaf)
{
	return leaf->member->name && is_plain_name(leaf->member->name);
}

/* Of those, the ones that a pack can name; struct_group() has some twice. */
static size_t list_members(const struct marked *marked, const struct marker_group *group,
			   struct yaml_list *list)
{
	const struct leaf *items = marked->leaves.items;
	size_t n = 0;

	for (size_t i = 0; i < marked->leaves.n; i++) {
		bool stood = false;

		if (!is_member_of(group, &items[i]) || !has_name(&items[i]))
			continue;
		for (size_t k = 0; k < i && !stood; k++)
			stood = has_name(&items[k]) && is_member_of(group, &items[k]) &&
				strcmp(items[k].member->name, items[i].member->name) == 0;
		if (stood)
			continue;
		if (list)
			yaml_list_add(list, items[i].member->name);
		n++;
	}
	return n;
}

static void write_groups(const struct marked *marked)
{
	struct yaml_list list;
	bool any = false;

	for (size_t i = 0; i < marked->groups.n; i++) {
		const struct marker_group *group = &marked->groups.items[i];

		if (!list_members(marked, group, NULL))
			continue;
		if (!any)
			buf_adds(marked->out, "    groups:\n");
		any = true;
		yaml_list_begin(&list, marked->out, 6, group->name);
		list_members(marked, group, &list);
		yaml_list_end(&list);
	}
}

static void write_group_rule(const struct marked *marked, const struct marker_group *group)
{
	uint64_t bytes = (group->end - group->begin + 7) / 8;

	buf_addf(marked->out, "      - group: %s\n", group->name);
	if (marked->line && bytes)
		buf_addf(marked->out, "        lines: %" PRIu64 "\n",
			 (bytes + marked->line - 1) / marked->line);
	if (list_members(marked, group, NULL))
		buf_addf(marked->out, "        members: %s\n", group->name);
	buf_adds(marked->out, "        severity: note\n");
}

static size_t count_ungrouped(const struct marked *marked)
{
	size_t n = 0;

	for (size_t i = 0; i < marked->leaves.n; i++) {
		struct span span = span_of_leaf(&marked->leaves.items[i]);
		bool grouped = !span_occupies(&span);

		for (size_t g = 0; g < marked->groups.n && !grouped; g++)
			grouped = marker_group_has(&marked->groups.items[g],
						   &marked->leaves.items[i]);
		n += !grouped;
	}
	return n;
}

static void write_apart(const struct marked *marked, const struct marker_group *a,
			const struct marker_group *b)
{
	if (a->access == b->access || a->access == GROUP_UNTOLD || b->access == GROUP_UNTOLD ||
	    !list_members(marked, a, NULL) || !list_members(marked, b, NULL))
		return;
	buf_addf(marked->out,
		 "      - apart: [%s, %s]\n"
		 "        severity: warning\n"
		 "        why: the one is %s, the other %s\n",
		 a->name, b->name, group_class_name(a->access), group_class_name(b->access));
}

static void write_rules(const struct marked *marked)
{
	const struct marker_groups *groups = &marked->groups;

	buf_adds(marked->out, "    rules:\n");
	for (size_t i = 0; i < groups->n; i++)
		write_group_rule(marked, &groups->items[i]);
	buf_addf(marked->out, "      - max_ungrouped: %zu\n        severity: note\n",
		 count_ungrouped(marked));
	for (size_t i = 0; i < groups->n; i++)
		for (size_t k = i + 1; k < groups->n; k++)
			write_apart(marked, &groups->items[i], &groups->items[k]);
}

/* Groups that a pack can name. */
static struct marker_groups plain_groups(const struct def *def, struct arena *arena)
{
	struct marker_groups groups = marker_groups_of(def->type, arena);
	size_t n = 0;

	for (size_t i = 0; i < groups.n; i++)
		if (is_plain_name(groups.items[i].name))
			groups.items[n++] = groups.items[i];
	groups.n = n;
	return groups;
}

size_t pack_write_markers(const struct layout *layout, uint64_t line, struct buf *out)
{
	struct arena arena;
	const char *last = "";
	size_t n = 0;

	arena_init(&arena);
	for (size_t i = 0; i < layout->ndefs; i++) {
		const struct def *def = &layout->defs[i];
		struct marked marked = {.def = def, .line = line, .out = out};
		const char *name = pack_type_name(def, &arena);

		/* Definitions of one name are judged by the rules of the first. */
		if (!name || strcmp(name, last) == 0)
			continue;
		marked.groups = plain_groups(def, &arena);
		if (!marked.groups.n)
			continue;
		last = name;
		if (!n++)
			buf_adds(out, "layoutcheck: 1\n"
				      "title: Groups of members that the source marks\n"
				      "structs:\n");
		buf_addf(out, "  %s:\n", name);
		marked.leaves = leaves_of(def->type, &arena);
		write_groups(&marked);
		write_rules(&marked);
	}
	arena_release(&arena);
	return n;
}
