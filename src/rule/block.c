/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/block.h"

#include <string.h>

/* ---- alloc ------------------------------------------------------------------------------- */

static bool parse_cache(struct reader *reader, const struct node *map, struct alloc *ret)
{
	static const char *const freeptrs[] = {
		[FREEPTR_INSIDE] = "inside", [FREEPTR_AFTER] = "after"};
	enum { CACHE, HWCACHE_ALIGN, FREEPTR, ALIGN, N };
	struct slot slots[N] = {
		[CACHE] = {.name = "cache", .required = true},
		[HWCACHE_ALIGN] = {.name = "hwcache_align"},
		[FREEPTR] = {.name = "freeptr"},
		[ALIGN] = {.name = "align"},
	};
	struct alloc alloc = {.kind = ALLOC_CACHE, .freeptr = FREEPTR_INSIDE};
	bool ok = read_slots(reader, map, "`alloc`", slots, N);
	size_t where;

	if (slots[CACHE].value)
		ok = read_text(reader, slots[CACHE].value, "cache", &alloc.cache) && ok;
	if (slots[HWCACHE_ALIGN].value)
		ok = read_bool(reader, slots[HWCACHE_ALIGN].value, "hwcache_align",
			       &alloc.hwcache_align) &&
		     ok;
	if (slots[FREEPTR].value) {
		if (read_choice(reader, slots[FREEPTR].value, "freeptr", freeptrs, 2, &where))
			alloc.freeptr = (enum freeptr)where;
		else
			ok = false;
	}
	if (slots[ALIGN].value)
		ok = read_power_of_two(reader, slots[ALIGN].value, "align", &alloc.align) && ok;
	if (ok)
		*ret = alloc;
	return ok;
}

static bool parse_alloc(struct reader *reader, const struct node *node, struct alloc *ret)
{
	static const char *const words[] = {"kmalloc", "static", "line"};
	static const enum alloc_kind kinds_of_words[] = {ALLOC_KMALLOC, ALLOC_STATIC, ALLOC_LINE};
	size_t which;

	if (node->kind == NODE_MAP)
		return parse_cache(reader, node, ret);
	if (node->kind == NODE_SCALAR && strcmp(node->text, "cache") == 0) {
		oops(reader, node, "a cache has a name: write {cache: NAME}");
		return false;
	}
	if (!read_choice(reader, node, "alloc", words, ARRAY_SIZE(words), &which))
		return false;
	ret->kind = kinds_of_words[which];
	return true;
}

/* ---- one struct -------------------------------------------------------------------------- */

static void parse_rules(struct reader *reader, const struct node *list,
			const struct group_list *groups, struct block *block)
{
	struct rule *rules;

	if (!read_kind(reader, list, "rules", NODE_LIST))
		return;
	rules = arena_array(reader->arena, list->n, sizeof *rules);
	for (size_t i = 0; i < list->n; i++)
		if (rule_parse(reader, list->items[i], block, groups, &rules[block->nrules]))
			block->nrules++;
	block->rules = rules;
}

/* Reads the groups and the rules that speak of them; each NULL where it is not said. */
static void add_block(struct reader *reader, const struct node *groups, const struct node *rules,
		      struct block *block, struct block_list *list)
{
	struct group_list read = {.of_variables = block->of_variables};

	if (groups)
		groups_parse(reader, groups, &read);
	block->groups = read.items;
	block->ngroups = read.n;
	if (rules)
		parse_rules(reader, rules, &read, block);
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = *block;
}

static void parse_block(struct reader *reader, const struct node *key, const struct node *map,
			struct block_list *list)
{
	enum { SOURCE, ALLOC, GROUPS, RULES, OPTIONAL, N };
	struct slot slots[N] = {
		[SOURCE] = {.name = "source"},     [ALLOC] = {.name = "alloc"},
		[GROUPS] = {.name = "groups"},     [RULES] = {.name = "rules", .required = true},
		[OPTIONAL] = {.name = "optional"},
	};
	struct block block = {.pos = {reader->source.file, key->line, key->col}};

	block.name = arena_strdup(reader->arena, key->text);
	if (!read_type_name(reader, key, key->text, &block.type))
		block.type = (struct type_ref){.kind = DEF_ANY, .name = block.name};
	read_slots(reader, map, arena_printf(&reader->scratch, "`%.60s`", key->text), slots, N);
	if (slots[SOURCE].value)
		read_text(reader, slots[SOURCE].value, "source", &block.source);
	if (slots[ALLOC].value)
		parse_alloc(reader, slots[ALLOC].value, &block.alloc);
	if (slots[OPTIONAL].value)
		read_bool(reader, slots[OPTIONAL].value, "optional", &block.optional);
	add_block(reader, slots[GROUPS].value, slots[RULES].value, &block, list);
}

typedef void parse_one(struct reader *reader, const struct node *key, const struct node *value,
		       struct block_list *list);

static void parse_all(struct reader *reader, const struct node *key, const struct node *value,
		      parse_one *parse, struct block_list *list)
{
	if (value->kind != NODE_LIST) {
		parse(reader, key, value, list);
		return;
	}
	if (!read_present(reader, value, key->text))
		return;
	for (size_t i = 0; i < value->n; i++)
		parse(reader, key, value->items[i], list);
}

void blocks_parse(struct reader *reader, const struct node *key, const struct node *value,
		  struct block_list *list)
{
	parse_all(reader, key, value, parse_block, list);
}

/* ---- variables --------------------------------------------------------------------------- */

static void parse_variables(struct reader *reader, const struct node *key, const struct node *map,
			    struct block_list *list)
{
	enum { SOURCE, GROUPS, RULES, OPTIONAL, N };
	struct slot slots[N] = {
		[SOURCE] = {.name = "source"},
		[GROUPS] = {.name = "groups"},
		[RULES] = {.name = "rules", .required = true},
		[OPTIONAL] = {.name = "optional"},
	};
	struct block block = {.name = "variables",
			      .of_variables = true,
			      .pos = {reader->source.file, key->line, key->col}};

	read_slots(reader, map, "`variables`", slots, N);
	if (slots[SOURCE].value)
		read_text(reader, slots[SOURCE].value, "source", &block.source);
	if (slots[OPTIONAL].value)
		read_bool(reader, slots[OPTIONAL].value, "optional", &block.optional);
	add_block(reader, slots[GROUPS].value, slots[RULES].value, &block, list);
}

void variables_parse(struct reader *reader, const struct node *key, const struct node *value,
		     struct block_list *list)
{
	parse_all(reader, key, value, parse_variables, list);
}
