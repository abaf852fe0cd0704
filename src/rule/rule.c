/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/rule.h"

#include <string.h>

#include "rule/block.h"
#include "rule/expr.h"
#include "rule/kind.h"
#include "rule/place.h"
#include "rule/waive.h"
#include "rule/when.h"

/* The keys of a rule. Behind them come the kinds, and the parameters of its own. */
enum {
	ID,
	WHY,
	ORIGIN,
	OWNER,
	SEVERITY,
	WHEN,
	SINCE,
	UNTIL,
	OPTIONAL,
	WAIVE,
	GRANULE,
	NCOMMON,
	MOST_SLOTS = 128
};

/* ---- the argument of a kind -------------------------------------------------------------- */

/* `{lock: 64, "next|succ": "% 8"}` */
static bool parse_member_exprs(struct reader *reader, const struct node *map, const char *name,
			       const struct group_list *groups, struct rule *rule)
{
	struct member_exprs *all = arena_array(reader->arena, map->n, sizeof *all);
	bool ok = true;

	for (size_t i = 0; i < map->n; i++) {
		const struct node *key = node_key(map, i);

		if (!ref_parse(reader, key, name, groups, &all[i].ref)) {
			ok = false;
		} else if (all[i].ref.to) {
			oops(reader, key, "a range cannot stand here: name the member");
			ok = false;
		}
		ok = exprs_parse(reader, node_value(map, i), key->text, &all[i].exprs) && ok;
	}
	rule->member_exprs = all;
	rule->nmember_exprs = map->n;
	return ok;
}

static bool parse_item(struct reader *reader, const struct node *node, const char *name,
		       const struct group_list *groups, struct rule *rule)
{
	struct item *item = arena_alloc(reader->arena, sizeof *item);

	rule->items = item;
	rule->nitems = 1;
	return item_parse(reader, node, name, groups, item);
}

/* A list of at least two. */
static bool parse_items(struct reader *reader, const struct node *list, const char *name,
			const struct group_list *groups, struct rule *rule)
{
	struct item *items;
	bool ok;

	if (!read_kind(reader, list, name, NODE_LIST))
		return false;
	if (list->n < 2) {
		oops(reader, list, "`%s` must be a list of at least two", name);
		return false;
	}
	ok = nodes_differ(list->items, list->n, 1, "item", &reader->complaints);
	items = arena_array(reader->arena, list->n, sizeof *items);
	for (size_t i = 0; i < list->n; i++)
		ok = item_parse(reader, list->items[i], name, groups, &items[i]) && ok;
	rule->items = items;
	rule->nitems = list->n;
	return ok;
}

/* A name without blanks. */
static bool parse_word(struct reader *reader, const struct node *node, const char *name,
		       const char **ret)
{
	if (!read_text(reader, node, name, ret))
		return false;
	if (strpbrk(*ret, " \t\n")) {
		oops(reader, node, "`%s` must be a name", name);
		return false;
	}
	return true;
}

static bool parse_argument(struct reader *reader, const struct node *node,
			   const struct block *block, const struct group_list *groups,
			   struct rule *rule)
{
	const char *name = rule->kind->name;

	switch (rule->kind->arg) {
	case ARG_EXPRS:
		return exprs_parse(reader, node, name, &rule->exprs);
	case ARG_MEMBER_EXPRS:
		return read_kind(reader, node, name, NODE_MAP) &&
		       parse_member_exprs(reader, node, name, groups, rule);
	case ARG_EXPRS_OR_MEMBERS:
		if (node->kind == NODE_MAP && node->n && !is_by_machine(node))
			return parse_member_exprs(reader, node, name, groups, rule);
		return exprs_parse(reader, node, name, &rule->exprs);
	case ARG_ITEM:
		return parse_item(reader, node, name, groups, rule);
	case ARG_ITEMS:
		return parse_items(reader, node, name, groups, rule);
	case ARG_NUMBER:
		return read_number(reader, node, name, 0, &rule->number);
	case ARG_WORD:
		return parse_word(reader, node, name, &rule->word);
	case ARG_PLACES:
		return places_parse(reader, node, name, block, rule);
	case ARG_CLASSES:
		return classes_parse(reader, node, name, groups, rule);
	}
	BUG("argument of no type");
}

/* ---- parameters -------------------------------------------------------------------------- */

/* Ascending numbers. */
static bool parse_list_param(struct reader *reader, const struct node *list,
			     const struct kind_param *param, struct rule *rule)
{
	uint64_t *numbers, last = 0;

	if (!read_kind(reader, list, param->name, NODE_LIST))
		return false;
	numbers = arena_array(reader->arena, list->n, sizeof *numbers);
	for (size_t i = 0; i < list->n; i++) {
		if (!read_number(reader, list->items[i], param->name, param->least, &numbers[i]))
			return false;
		if (i && numbers[i] <= last) {
			oops(reader, list->items[i], "`%s` must ascend: %s comes too late",
			     param->name, list->items[i]->text);
			return false;
		}
		last = numbers[i];
	}
	rule->buckets = numbers;
	rule->nbuckets = list->n;
	return true;
}

/* A list of two names. */
static bool parse_pair(struct reader *reader, const struct node *list, const char *name,
		       const char *ret[2])
{
	if (!read_kind(reader, list, name, NODE_LIST))
		return false;
	if (list->n != 2) {
		oops(reader, list, "`%s` must be a list of two", name);
		return false;
	}
	return parse_word(reader, list->items[0], name, &ret[0]) &&
	       parse_word(reader, list->items[1], name, &ret[1]);
}

static bool parse_expr_param(struct reader *reader, const struct node *node, const char *name,
			     const struct expr **ret)
{
	struct expr *expr = arena_alloc(reader->arena, sizeof *expr);

	*ret = expr;
	return expr_parse(reader, node, name, expr);
}

static bool parse_param(struct reader *reader, const struct node *value,
			const struct kind_param *param, size_t i, const struct group_list *groups,
			struct rule *rule)
{
	switch (param->type) {
	case PARAM_NUMBER:
		return read_number(reader, value, param->name, param->least, &rule->params[i]);
	case PARAM_NUMBERS:
		return parse_list_param(reader, value, param, rule);
	case PARAM_EXPR:
		return parse_expr_param(reader, value, param->name, &rule->param_exprs[i]);
	case PARAM_ITEM:
		return parse_item(reader, value, param->name, groups, rule);
	case PARAM_DISTANCE:
		return distance_parse(reader, value, param->name, &rule->plus);
	case PARAM_WORD:
		return parse_word(reader, value, param->name, &rule->param_words[i]);
	case PARAM_PAIR:
		return parse_pair(reader, value, param->name, rule->pair);
	}
	BUG("parameter of no type");
}

static bool parse_params(struct reader *reader, const struct slot *slots,
			 const struct group_list *groups, struct rule *rule)
{
	const struct kind_param *params = rule->kind->params;
	bool ok = true;

	for (size_t i = 0; params && params[i].name; i++) {
		const struct node *value = slots[i].value;

		if (i == MOST_PARAMS)
			BUG("a kind with too many parameters");
		rule->params[i] = params[i].fallback;
		if (value)
			ok = parse_param(reader, value, &params[i], i, groups, rule) && ok;
	}
	return ok;
}

/* "`order` or `cpus`" */
static const char *params_listed(struct reader *reader, const struct kind_param *params)
{
	const char *text = "";

	for (size_t i = 0; params[i].name; i++)
		text = arena_printf(&reader->scratch, "%s%s`%s`", text, i ? " or " : "",
				    params[i].name);
	return text;
}

/* What a kind must be told beside its argument. */
static bool check_told(struct reader *reader, const struct node *map, const struct slot *slots,
		       const struct block *block, const struct kind *kind)
{
	size_t given = 0;
	bool ok = true;

	if (kind->asks_slab && block->alloc.kind != ALLOC_KMALLOC &&
	    block->alloc.kind != ALLOC_CACHE) {
		oops(reader, map,
		     "`%s` is about a slab: `%.60s` needs `alloc: kmalloc` or `alloc: {cache: "
		     "NAME}`",
		     kind->name, block->name);
		ok = false;
	}
	for (size_t i = 0; kind->params && kind->params[i].name; i++)
		given += slots[i].value != NULL;
	if (kind->params && kind->one_param && given != 1) {
		oops(reader, map, "`%s` needs %s of %s", kind->name, given ? "a single one" : "one",
		     params_listed(reader, kind->params));
		ok = false;
	}
	return ok;
}

/* ---- which kind -------------------------------------------------------------------------- */

static size_t add_slot(struct slot *slots, size_t n, const char *name, const char *refusal)
{
	if (n == MOST_SLOTS)
		BUG("more keys than a rule has room for");
	slots[n] = (struct slot){.name = name, .refusal = refusal};
	return n + 1;
}

static size_t add_params(struct slot *slots, size_t n, const struct kind *kind, const char *refusal)
{
	for (const struct kind_param *param = kind->params; param && param->name; param++)
		n = add_slot(slots, n, param->name, refusal);
	return n;
}

/*
 * All keys that a rule of @kind can have, its parameters right behind the common ones; and those
 * that only rules of other kinds can. Without a kind all are allowed: what is missing is told
 * apart.
 */
static size_t fill_slots(struct slot *slots, const struct kind *const *table,
			 const struct kind *kind)
{
	static const char *const common[NCOMMON] = {
		[ID] = "id",       [WHY] = "why",           [ORIGIN] = "origin",
		[OWNER] = "owner", [SEVERITY] = "severity", [WHEN] = "when",
		[SINCE] = "since", [UNTIL] = "until",       [OPTIONAL] = "optional",
		[WAIVE] = "waive"};
	size_t n = 0;

	for (size_t i = 0; i < GRANULE; i++)
		n = add_slot(slots, n, common[i], NULL);
	n = add_slot(slots, n, "granule",
		     kind && !kind->uses_granule ? "means nothing to this kind" : NULL);
	if (kind) {
		n = add_params(slots, n, kind, NULL);
		n = add_slot(slots, n, kind->name, NULL); /* before a parameter of that name */
	}
	for (const struct kind *const *other = table; *other; other++) {
		bool mine = !kind || *other == kind;

		n = add_slot(slots, n, (*other)->name,
			     mine ? NULL : "is a second kind: make it a rule of its own");
		n = add_params(slots, n, *other, mine ? NULL : "is no parameter of this kind");
	}
	return n;
}

/* `order` is a kind, and beside `objects_per_slab` a parameter of that. */
static bool is_param_here(const struct kind *const *table, const struct node *map, const char *name)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct kind *kind = kind_find(table, node_key(map, i)->text);

		for (size_t k = 0; kind && kind->params && kind->params[k].name; k++)
			if (strcmp(kind->params[k].name, name) == 0)
				return true;
	}
	return false;
}

/* The first kind among the keys, with its argument; NULL when there is none. */
static const struct kind *first_kind(const struct kind *const *table, const struct node *map,
				     const struct node **ret)
{
	for (size_t i = 0; map->kind == NODE_MAP && i < map->n; i++) {
		const struct kind *kind = kind_find(table, node_key(map, i)->text);

		if (kind && !is_param_here(table, map, kind->name)) {
			*ret = node_value(map, i);
			return kind;
		}
	}
	return NULL;
}

static void complain_no_kind(struct reader *reader, const struct kind *const *table,
			     const struct node *map)
{
	const char *names[MOST_SLOTS];
	size_t n = 0;

	for (; table[n]; n++)
		names[n] = table[n]->name;
	oops(reader, map, "a rule must have a kind: one of %s", listed(reader, names, n));
}

/* ---- a rule ------------------------------------------------------------------------------ */

static bool parse_severity(struct reader *reader, const struct node *node, struct rule *rule)
{
	const char *names[SEVERITY_ERROR + 1];
	size_t which;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		names[i] = severity_name((enum severity)i);
	if (!read_choice(reader, node, "severity", names, ARRAY_SIZE(names), &which))
		return false;
	rule->severity = (enum severity)which;
	return true;
}

/* Ids stand in brackets, in attributes and on command lines. */
static bool parse_id(struct reader *reader, const struct node *node, struct rule *rule)
{
	if (!read_text(reader, node, "id", &rule->id))
		return false;
	for (const char *p = rule->id; *p; p++)
		if ((unsigned char)*p <= ' ') {
			oops(reader, node, "an id must not have blanks");
			return false;
		}
	return true;
}

/* `since`, `until` and `when`: all must be true. */
static bool parse_when(struct reader *reader, const struct slot *slots, struct rule *rule)
{
	static const struct {
		int slot;
		bool (*parse)(struct reader *reader, const struct node *node, struct cond *ret);
	} parts[] = {{SINCE, since_parse}, {UNTIL, until_parse}, {WHEN, when_parse}};
	struct cond conds[ARRAY_SIZE(parts)] = {0};
	struct cond *when;
	size_t n = 0;
	bool ok = true;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct node *node = slots[parts[i].slot].value;

		if (node)
			ok = parts[i].parse(reader, node, &conds[n++]) && ok;
	}
	if (!n)
		return true;
	when = arena_alloc(reader->arena, sizeof *when);
	*when = conds[0];
	if (n > 1)
		*when = (struct cond){.kind = COND_ALL,
				      .conds = arena_copy(reader->arena, conds, n * sizeof *conds),
				      .nconds = n};
	rule->when = when;
	return ok;
}

static bool parse_waive(struct reader *reader, const struct node *map, struct rule *rule)
{
	struct waiver *waiver = arena_alloc(reader->arena, sizeof *waiver);
	struct slot slots[WAIVE_SLOTS];
	bool ok;

	rule->waive = waiver;
	waive_slots(slots);
	ok = read_slots(reader, map, "`waive`", slots, WAIVE_SLOTS);
	return waive_parse(reader, map, slots, waiver) && ok;
}

static bool parse_common(struct reader *reader, const struct slot *slots, struct rule *rule)
{
	bool ok = true;

	if (slots[ID].value)
		ok = parse_id(reader, slots[ID].value, rule) && ok;
	if (slots[WHY].value)
		ok = read_text(reader, slots[WHY].value, "why", &rule->why) && ok;
	if (slots[ORIGIN].value)
		ok = read_text(reader, slots[ORIGIN].value, "origin", &rule->origin) && ok;
	if (slots[OWNER].value)
		ok = read_text(reader, slots[OWNER].value, "owner", &rule->owner) && ok;
	if (slots[SEVERITY].value)
		ok = parse_severity(reader, slots[SEVERITY].value, rule) && ok;
	ok = parse_when(reader, slots, rule) && ok;
	if (slots[OPTIONAL].value)
		ok = read_bool(reader, slots[OPTIONAL].value, "optional", &rule->optional) && ok;
	if (slots[WAIVE].value)
		ok = parse_waive(reader, slots[WAIVE].value, rule) && ok;
	if (slots[GRANULE].value)
		ok = read_power_of_two(reader, slots[GRANULE].value, "granule", &rule->granule) &&
		     ok;
	return ok;
}

/* Those of a group are checked with the rest of it, classes are the whole struct's. */
static bool items_tell_apart(const struct kind *kind)
{
	return !kind->is_whole && (kind->arg == ARG_ITEM || kind->arg == ARG_ITEMS);
}

/* struct/kind[/members], as in files_struct/apart/lookup,written. */
static const char *default_id(struct reader *reader, const struct block *block,
			      const struct rule *rule)
{
	struct buf id = BUF_INIT;
	const char *ret;

	if (block->type.scope)
		buf_addf(&id, "%s::", block->type.scope);
	buf_addf(&id, "%s/%s", block->of_variables ? block->name : block->type.name,
		 rule->kind->name);
	if (rule->word)
		buf_addf(&id, "/%s", rule->word);
	for (size_t i = 0; i < rule->nplaces; i++)
		buf_addf(&id, "%c%s", i ? ',' : '/', rule->places[i].text);
	for (size_t i = 0; i < rule->nitems && items_tell_apart(rule->kind); i++) {
		buf_addc(&id, i ? ',' : '/');
		item_describe(&rule->items[i], rule->nitems > 1, &id);
	}
	for (size_t i = 0; i < rule->nmember_exprs; i++)
		buf_addf(&id, "%c%s", i ? ',' : '/', rule->member_exprs[i].ref.text);
	ret = arena_strdup(reader->arena, id.s);
	buf_release(&id);
	return ret;
}

bool rule_parse(struct reader *reader, const struct node *node, const struct block *block,
		const struct group_list *groups, struct rule *ret)
{
	const struct kind *const *table = block->of_variables ? variable_kinds : kinds;
	struct slot slots[MOST_SLOTS];
	struct rule rule = {.severity = SEVERITY_ERROR,
			    .pos = {reader->source.file, node->line, node->col}};
	const struct node *argument = NULL;
	bool ok;

	rule.kind = first_kind(table, node, &argument);
	ok = read_slots(reader, node, "a rule", slots, fill_slots(slots, table, rule.kind));
	if (node->kind != NODE_MAP)
		return false;
	ok = parse_common(reader, slots, &rule) && ok;
	if (!rule.kind) {
		if (ok)
			complain_no_kind(reader, table, node);
		return false;
	}
	ok = check_told(reader, node, slots + NCOMMON, block, rule.kind) && ok;
	ok = parse_params(reader, slots + NCOMMON, groups, &rule) && ok;
	if (!parse_argument(reader, argument, block, groups, &rule) || !ok)
		return false;
	if (!rule.id)
		rule.id = default_id(reader, block, &rule);
	*ret = rule;
	return true;
}
