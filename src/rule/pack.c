/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "rule/block.h"

void packs_init(struct packs *packs)
{
	*packs = (struct packs){0};
	arena_init(&packs->arena);
}

void packs_release(struct packs *packs)
{
	free(packs->items);
	arena_release(&packs->arena);
	*packs = (struct packs){0};
}

/* ---- one file ---------------------------------------------------------------------------- */

/* False: a later language, in which anything may be right. */
static bool parse_version(struct reader *reader, const struct node *node)
{
	uint64_t version = 1;

	if (read_number(reader, node, "layoutcheck", 1, &version) && version != 1)
		oops(reader, node, "version %s of the rule language is not known here; 1 is",
		     node->text);
	return version == 1;
}

/* "vmlinux", "user", "module:NAME". */
static void parse_image(struct reader *reader, const struct node *node, const char **ret)
{
	static const char MODULE[] = "module:";
	const char *text = NULL, *name;

	if (!read_text(reader, node, "image", &text))
		return;
	name = text_starts_with(text, MODULE) ? text + strlen(MODULE) : NULL;
	if (strcmp(text, "vmlinux") != 0 && strcmp(text, "user") != 0 &&
	    (!name || !*name || strpbrk(name, " \t\n/"))) {
		static const char *const words[] = {"vmlinux", "user", "module:NAME"};

		oops(reader, node, "`image` must be vmlinux, user or module:NAME, not `%.60s`%s",
		     text, did_you_mean(reader, text, words, 2));
		return;
	}
	*ret = text;
}

static void parse_structs(struct reader *reader, const struct node *map, struct block_list *list)
{
	if (!read_kind(reader, map, "structs", NODE_MAP))
		return;
	for (size_t i = 0; i < map->n; i++)
		blocks_parse(reader, node_key(map, i), node_value(map, i), list);
}

/* In the order of the file, which is that of the findings. */
static void parse_blocks(struct reader *reader, const struct node *root, struct pack *pack)
{
	struct block_list list = {0};

	for (size_t i = 0; i < root->n; i++) {
		const struct node *key = node_key(root, i), *value = node_value(root, i);

		if (strcmp(key->text, "structs") == 0)
			parse_structs(reader, value, &list);
		else if (strcmp(key->text, "variables") == 0)
			variables_parse(reader, key, value, &list);
	}
	if (list.n)
		pack->blocks = arena_copy(reader->arena, list.items, list.n * sizeof *list.items);
	pack->nblocks = list.n;
	free(list.items);
}

static void parse_pack(struct reader *reader, const struct node *root, struct pack *pack)
{
	enum { VERSION, TITLE, IMAGE, CACHELINE, STRUCTS, VARIABLES, N };
	struct slot slots[N] = {
		[VERSION] = {.name = "layoutcheck", .required = true},
		[TITLE] = {.name = "title"},
		[IMAGE] = {.name = "image"},
		[CACHELINE] = {.name = "cacheline"},
		[STRUCTS] = {.name = "structs"},
		[VARIABLES] = {.name = "variables"},
	};

	if (root->kind == NODE_MAP)
		for (size_t i = 0; i < root->n; i++)
			if (strcmp(node_key(root, i)->text, slots[VERSION].name) == 0 &&
			    !parse_version(reader, node_value(root, i)))
				return;
	read_slots(reader, root, "a pack", slots, N);
	if (slots[TITLE].value)
		read_text(reader, slots[TITLE].value, "title", &pack->title);
	if (slots[IMAGE].value)
		parse_image(reader, slots[IMAGE].value, &pack->image);
	if (slots[CACHELINE].value)
		read_power_of_two(reader, slots[CACHELINE].value, "cacheline", &pack->cacheline);
	if (slots[STRUCTS].value || slots[VARIABLES].value)
		parse_blocks(reader, root, pack);
	else if (root->kind == NODE_MAP && root->n)
		oops(reader, root, "a pack needs `structs` or `variables`");
}

bool packs_parse(struct packs *packs, const char *file, const char *text, size_t len,
		 struct pack_errors *errors)
{
	struct reader reader = {.arena = &packs->arena};
	struct pack pack = {.file = arena_strdup(&packs->arena, file),
			    .text = arena_strndup(&packs->arena, text, len),
			    .len = len};
	size_t before = errors->n;
	const struct node *root;

	/* arena_strndup() keeps NULs, so that the text is what was read. */
	arena_init(&reader.scratch);
	complaints_init(&reader.complaints);
	reader.source = (struct source){pack.file, pack.text, pack.len};
	root = yaml_parse(&reader.source, &reader.scratch, &reader.complaints);
	if (root)
		parse_pack(&reader, root, &pack);
	complaints_print(&reader.complaints, &reader.source, errors);
	complaints_release(&reader.complaints);
	arena_release(&reader.scratch);
	ARRAY_GROW(packs->items, packs->n, packs->cap);
	packs->items[packs->n++] = pack;
	return errors->n == before;
}

/* ---- all files --------------------------------------------------------------------------- */

struct placed_rule {
	const struct rule *rule;
	const struct pack *pack;
	size_t nth;
	const struct rule *taken_by; /* the first rule with this id; NULL: this one */
};

static int compare_ids(const void *a, const void *b)
{
	const struct placed_rule *x = a, *y = b;
	int order = strcmp(x->rule->id, y->rule->id);

	return order ? order : x->nth < y->nth ? -1 : 1;
}

static int compare_places(const void *a, const void *b)
{
	const struct placed_rule *x = a, *y = b;

	return x->nth < y->nth ? -1 : 1;
}

static struct placed_rule *list_rules(const struct packs *packs, size_t *ret_n)
{
	struct placed_rule *all = NULL;
	size_t n = 0, cap = 0;

	for (size_t p = 0; p < packs->n; p++) {
		const struct pack *pack = &packs->items[p];

		for (size_t b = 0; b < pack->nblocks; b++)
			for (size_t r = 0; r < pack->blocks[b].nrules; r++) {
				const struct rule *rule = &pack->blocks[b].rules[r];

				ARRAY_GROW(all, n, cap);
				all[n] = (struct placed_rule){rule, pack, n, NULL};
				n++;
			}
	}
	*ret_n = n;
	return all;
}

static void find_taken(struct placed_rule *all, size_t n)
{
	if (n)
		qsort(all, n, sizeof *all, compare_ids);
	for (size_t i = 1; i < n; i++) {
		const struct placed_rule *before = &all[i - 1];

		if (strcmp(before->rule->id, all[i].rule->id) == 0)
			all[i].taken_by = before->taken_by ? before->taken_by : before->rule;
	}
	if (n)
		qsort(all, n, sizeof *all, compare_places);
}

static void complain_taken(struct complaints *complaints, const struct rule *rule,
			   const struct rule *first)
{
	complain(complaints, rule->pos.line, rule->pos.col,
		 "id `%s` is that of %s:%u:%u already: give this rule an `id` of its own", rule->id,
		 first->pos.file, first->pos.line, first->pos.col);
}

bool packs_finish(struct packs *packs, struct pack_errors *errors)
{
	size_t n, i = 0, before = errors->n;
	struct placed_rule *all = list_rules(packs, &n);

	find_taken(all, n);
	while (i < n) {
		const struct pack *pack = all[i].pack;
		struct source source = {pack->file, pack->text, pack->len};
		struct complaints complaints;

		complaints_init(&complaints);
		for (; i < n && all[i].pack == pack; i++)
			if (all[i].taken_by)
				complain_taken(&complaints, all[i].rule, all[i].taken_by);
		complaints_print(&complaints, &source, errors);
		complaints_release(&complaints);
	}
	free(all);
	return errors->n == before;
}
