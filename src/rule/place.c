/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/place.h"

#include <string.h>

#include "base/text.h"

/* ---- places ---------------------------------------------------------------------------------- */

static bool parse_place(struct reader *reader, const struct node *node, const char *name,
			struct typed_ref *ret)
{
	const struct group_list none = {0};
	const char *dot;
	struct node member;

	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	dot = strchr(node->text, '.');
	if (!dot || dot == node->text || !dot[1]) {
		oops(reader, node, "`%.60s` is no member of a type: write page.flags", node->text);
		return false;
	}
	if (!read_type_name(reader, node,
			    arena_strndup(&reader->scratch, node->text, (size_t)(dot - node->text)),
			    &ret->type))
		return false;
	member = *node;
	member.text = arena_strdup(&reader->scratch, dot + 1);
	ret->text = arena_strdup(reader->arena, node->text);
	if (!ref_parse(reader, &member, name, &none, &ret->ref))
		return false;
	if (ret->ref.to) {
		oops(reader, node, "a range cannot stand here: name the member");
		return false;
	}
	return true;
}

bool places_parse(struct reader *reader, const struct node *list, const char *name,
		  const struct block *block, struct rule *rule)
{
	struct typed_ref *places;
	bool ok, mine = false;

	if (!read_kind(reader, list, name, NODE_LIST))
		return false;
	if (list->n < 2) {
		oops(reader, list, "`%s` must be a list of at least two", name);
		return false;
	}
	ok = nodes_differ(list->items, list->n, 1, "member", &reader->complaints);
	places = arena_array(reader->arena, list->n, sizeof *places);
	for (size_t i = 0; i < list->n; i++) {
		if (!parse_place(reader, list->items[i], name, &places[i])) {
			ok = false;
			mine = true; /* perhaps: one complaint is enough */
			continue;
		}
		mine = mine || strcmp(places[i].type.name, block->type.name) == 0;
	}
	if (!mine) {
		oops(reader, list, "none of these is a member of `%.60s`", block->name);
		ok = false;
	}
	rule->places = places;
	rule->nplaces = list->n;
	return ok;
}

/* ---- distances ------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* The `T` of `sizeof(T)`, which ends @text; NULL: it is something else. */
static const char *sized_type(struct reader *reader, const char *text)
{
	static const char word[] = "sizeof(";
	size_t len = strlen(text);

	if (!text_starts_with(text, word) || len == sizeof word || !text_ends_with(text, ")"))
		return NULL;
	return arena_strndup(&reader->scratch, text + sizeof word - 1, len - sizeof word);
}

bool distance_parse(struct reader *reader, const struct node *node, const char *name,
		    struct distance *ret)
{
	struct distance distance = {.factor = 1};
	const char *text, *star, *type;

	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	text = skip_blanks(node->text);
	distance.text = arena_strdup(reader->arena, text);
	if (is_number(text, &distance.factor)) {
		*ret = distance;
		return true;
	}
	star = strchr(text, '*');
	if (star) {
		size_t len = (size_t)(star - text);

		while (len && text[len - 1] == ' ')
			len--;
		if (!is_number(arena_strndup(&reader->scratch, text, len), &distance.factor))
			star = NULL;
		text = star ? skip_blanks(star + 1) : "";
	}
	type = sized_type(reader, text);
	if (!type) {
		oops(reader, node,
		     "`%.60s` is no distance: write 64, sizeof(page) or 2 * sizeof(page)",
		     node->text);
		return false;
	}
	distance.has_type = true;
	if (!read_type_name(reader, node, type, &distance.type))
		return false;
	*ret = distance;
	return true;
}

/* ---- classes --------------------------------------------------------------------------------- */

bool classes_parse(struct reader *reader, const struct node *map, const char *name,
		   const struct group_list *groups, struct rule *rule)
{
	enum { NCLASSES = 4 };
	struct slot slots[NCLASSES] = {
		{.name = "read_mostly", .required = true},
		{.name = "rarely_written"},
		{.name = "written", .required = true},
		{.name = "cold"},
	};
	struct item *items = arena_array(reader->arena, NCLASSES, sizeof *items);
	bool ok = read_kind(reader, map, name, NODE_MAP) &&
		  read_slots(reader, map, "`classes`", slots, NCLASSES);

	rule->items = items;
	for (size_t i = 0; ok && i < NCLASSES; i++) {
		struct item *item = &items[rule->nitems];

		if (!slots[i].value)
			continue;
		ok = item_parse(reader, slots[i].value, slots[i].name, groups, item) && ok;
		if (ok && item->label && slots[i].value->kind == NODE_SCALAR) {
			const char **group = arena_alloc(reader->arena, sizeof *group);

			*group = item->label; /* that of a group, or of a member alone */
			item->groups = group;
			item->ngroups = 1;
		}
		item->label = slots[i].name;
		rule->nitems++;
	}
	return ok;
}
