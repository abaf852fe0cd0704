/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/item.h"

#include <stdlib.h>
#include <string.h>

#include "layout/path.h"

/* ---- one member -------------------------------------------------------------------------- */

/* The `..` of `max..low`; that of `m[0..3]` is part of a path. */
static const char *find_range(const char *text)
{
	bool inside = false;

	for (const char *p = text; *p; p++) {
		if (*p == '[' || *p == ']')
			inside = *p == '[';
		else if (!inside && p[0] == '.' && p[1] == '.')
			return p;
	}
	return NULL;
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = *(const struct group *const *)a;
	const struct group *y = *(const struct group *const *)b;

	return strcmp(x->name, y->name);
}

static int compare_to_group(const void *name, const void *group)
{
	return strcmp(name, (*(const struct group *const *)group)->name);
}

static const struct group *find_group(const struct group_list *groups, const char *name)
{
	const struct group **found = NULL;

	if (groups->n)
		found = bsearch(name, groups->by_name, groups->n, sizeof *groups->by_name,
				compare_to_group);
	return found ? *found : NULL;
}

/* What a linker calls a variable: `jiffies_64`, `count.3`. */
static bool check_symbol(struct reader *reader, const struct node *node, const char *name)
{
	size_t plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.$");

	if (plain && !name[plain] && !(*name >= '0' && *name <= '9'))
		return true;
	oops(reader, node, "`%.60s` is no variable's name", name);
	return false;
}

static bool check_path(struct reader *reader, const struct node *node, const char *path,
		       const struct group_list *groups)
{
	const char *why;

	if (find_group(groups, path)) {
		oops(reader, node, "`%.60s` is a group: a %s is wanted here", path,
		     groups->of_variables ? "variable" : "member");
		return false;
	}
	if (groups->of_variables)
		return check_symbol(reader, node, path);
	if (strpbrk(path, " \t\n") || (*path >= '0' && *path <= '9')) {
		oops(reader, node, "`%.60s` is no member's name", path);
		return false;
	}
	if (!path_is_valid(path, &reader->scratch, &why)) {
		oops(reader, node, "%.200s", why);
		return false;
	}
	return true;
}

/* `a|b|c` without the `?`. */
static bool parse_alts(struct reader *reader, const struct node *node,
		       const struct group_list *groups, struct ref *ref)
{
	const char **alts;
	const char *start = ref->text;
	bool ok = true;

	ref->nalts = 1;
	for (const char *p = start; *p; p++)
		ref->nalts += *p == '|';
	alts = arena_array(reader->arena, ref->nalts, sizeof *alts);
	for (size_t i = 0; i < ref->nalts; i++) {
		size_t len = strcspn(start, "|");

		alts[i] = arena_strndup(reader->arena, start, len);
		ok = check_path(reader, node, alts[i], groups) && ok;
		start += len + 1;
	}
	ref->alts = alts;
	return ok;
}

static bool parse_range(struct reader *reader, const struct node *node,
			const struct group_list *groups, const char *dots, struct ref *ref)
{
	const char **first;

	if (groups->of_variables) {
		oops(reader, node, "`%.60s`: variables have no order, and so no ranges", ref->text);
		return false;
	}
	if (strchr(ref->text, '|')) {
		oops(reader, node, "`%.60s`: a range must have one name at each end", ref->text);
		return false;
	}
	first = arena_alloc(reader->arena, sizeof *first);
	*first = arena_strndup(reader->arena, ref->text, (size_t)(dots - ref->text));
	ref->alts = first;
	ref->nalts = 1;
	ref->to = arena_strdup(reader->arena, dots + 2);
	return check_path(reader, node, *first, groups) &&
	       check_path(reader, node, ref->to, groups);
}

/* The scalar at @node is known not to be a group by itself. */
static bool parse_ref(struct reader *reader, const struct node *node,
		      const struct group_list *groups, struct ref *ret)
{
	struct ref ref = {.pos = {reader->source.file, node->line, node->col}};
	size_t len = strlen(node->text);
	const char *dots;
	bool ok;

	ref.optional = len && node->text[len - 1] == '?';
	ref.text = arena_strndup(reader->arena, node->text, len - ref.optional);
	dots = find_range(ref.text);
	ok = dots ? parse_range(reader, node, groups, dots, &ref)
		  : parse_alts(reader, node, groups, &ref);
	if (ok)
		*ret = ref;
	return ok;
}

bool ref_parse(struct reader *reader, const struct node *node, const char *name,
	       const struct group_list *groups, struct ref *ret)
{
	return read_kind(reader, node, name, NODE_SCALAR) && parse_ref(reader, node, groups, ret);
}

/* ---- items ------------------------------------------------------------------------------- */

/* A small file must not become a large one by naming a large group in every rule. */
static bool count_refs(struct reader *reader, const struct node *list, size_t n)
{
	enum { MOST_REFS = 1 << 20 };
	bool was_over = reader->refs > MOST_REFS;

	reader->refs += n;
	if (reader->refs <= MOST_REFS)
		return true;
	if (!was_over)
		oops(reader, list, "the lists of this pack name more than %d members", MOST_REFS);
	return false;
}

/* The group that the element of a list names, or NULL. */
static const struct group *named_group(const struct node *one, const struct group_list *groups)
{
	return one->kind == NODE_SCALAR ? find_group(groups, one->text) : NULL;
}

static int compare_refs(const void *left, const void *right)
{
	const struct ref *a = *(const struct ref *const *)left;
	const struct ref *b = *(const struct ref *const *)right;
	int order = strcmp(a->text, b->text);

	return order ? order : (a > b) - (a < b);
}

/* Leaves each member once, where it stood first; it may be absent only if all agree. Returns how
 * many are left. */
static size_t drop_twins(struct reader *reader, struct ref *refs, size_t n)
{
	struct ref **order = arena_array(&reader->scratch, n, sizeof *order);
	bool *drop = arena_array(&reader->scratch, n, sizeof *drop);
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		order[i] = &refs[i];
	if (n)
		qsort(order, n, sizeof *order, compare_refs);
	for (size_t i = 1, first = 0; i < n; i++) {
		if (strcmp(order[first]->text, order[i]->text) != 0) {
			first = i;
			continue;
		}
		order[first]->optional &= order[i]->optional;
		drop[order[i] - refs] = true;
	}
	for (size_t i = 0; i < n; i++)
		if (!drop[i])
			refs[kept++] = refs[i];
	return kept;
}

/* Members and, from @groups, the members of groups: one flat run. */
static bool parse_list(struct reader *reader, const struct node *list, const char *name,
		       const struct group_list *groups, struct item *ret)
{
	struct ref *refs;
	const char **names = arena_array(reader->arena, list->n, sizeof *names);
	bool ok = nodes_differ(list->items, list->n, 1, "member", &reader->complaints);
	size_t most = 0, n = 0, nnames = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct group *group = named_group(list->items[i], groups);

		most += group ? group->item.n : 1;
		if (group)
			names[nnames++] = group->name;
	}
	if (!count_refs(reader, list, most))
		return false;
	refs = arena_array(reader->arena, most, sizeof *refs);
	for (size_t i = 0; i < list->n; i++) {
		const struct node *one = list->items[i];
		const struct group *group = named_group(one, groups);

		for (size_t k = 0; group && k < group->item.n; k++)
			refs[n++] = group->item.refs[k];
		if (!group && ref_parse(reader, one, name, groups, &refs[n]))
			n++;
		else if (!group)
			ok = false;
	}
	if (nnames)
		n = drop_twins(reader, refs, n);
	*ret = (struct item){.refs = refs, .n = n, .groups = names, .ngroups = nnames};
	return ok;
}

bool item_parse(struct reader *reader, const struct node *node, const char *name,
		const struct group_list *groups, struct item *ret)
{
	const struct group *group;
	struct ref *ref;

	if (!read_present(reader, node, name))
		return false;
	if (node->kind == NODE_LIST)
		return parse_list(reader, node, name, groups, ret);
	if (node->kind == NODE_MAP) {
		oops(reader, node,
		     "`%s` must be a member, a group, or a list of them, not a mapping", name);
		return false;
	}
	group = find_group(groups, node->text);
	if (group) {
		*ret = group->item;
		return true;
	}
	ref = arena_alloc(reader->arena, sizeof *ref);
	if (!parse_ref(reader, node, groups, ref))
		return false;
	*ret = (struct item){.label = ref->text, .refs = ref, .n = 1};
	return true;
}

void item_describe(const struct item *item, bool inner, struct buf *buf)
{
	if (item->label) {
		buf_adds(buf, item->label);
		return;
	}
	for (size_t i = 0; i < item->n; i++)
		buf_addf(buf, "%s%s", !i ? "" : inner ? "+" : ",", item->refs[i].text);
}

/* ---- groups ------------------------------------------------------------------------------ */

static bool is_group_name(const char *name)
{
	size_t plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-");

	return plain && !name[plain];
}

static bool parse_group(struct reader *reader, const struct node *list, const char *name,
			const struct group_list *groups, struct item *ret)
{
	struct ref *refs;
	bool ok = nodes_differ(list->items, list->n, 1, "member", &reader->complaints);
	size_t n = 0;

	if (!count_refs(reader, list, list->n))
		return false;
	refs = arena_array(reader->arena, list->n, sizeof *refs);
	for (size_t i = 0; i < list->n; i++)
		if (ref_parse(reader, list->items[i], name, groups, &refs[n]))
			n++;
		else
			ok = false;
	ret->refs = refs;
	ret->n = n;
	return ok;
}

/* All names come first, so that a group that stands in a group is told from a member. */
static struct group *name_groups(struct reader *reader, const struct node *map,
				 struct group_list *ret)
{
	struct group *groups = arena_array(reader->arena, map->n, sizeof *groups);

	ret->by_name = arena_array(reader->arena, map->n, sizeof *ret->by_name);
	ret->items = groups;
	ret->n = map->n;
	for (size_t i = 0; i < map->n; i++) {
		const struct node *key = node_key(map, i);

		groups[i].name = arena_strdup(reader->arena, key->text);
		groups[i].item.label = groups[i].name;
		groups[i].pos = (struct pos){reader->source.file, key->line, key->col};
		ret->by_name[i] = &groups[i];
	}
	qsort(ret->by_name, ret->n, sizeof *ret->by_name, compare_groups);
	return groups;
}

bool groups_parse(struct reader *reader, const struct node *node, struct group_list *ret)
{
	struct group *groups;
	bool ok = true;

	if (!read_kind(reader, node, "groups", NODE_MAP))
		return false;
	groups = name_groups(reader, node, ret);
	for (size_t i = 0; i < node->n; i++) {
		const struct node *key = node_key(node, i), *value = node_value(node, i);

		if (!is_group_name(key->text)) {
			oops(reader, key, "a group's name must be letters, digits, `_` and `-`");
			ok = false;
		}
		ok = read_kind(reader, value, key->text, NODE_LIST) &&
		     parse_group(reader, value, key->text, ret, &groups[i].item) && ok;
	}
	return ok;
}
