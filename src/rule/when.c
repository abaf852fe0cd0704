/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/when.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "layout/kconfig.h"
#include "layout/path.h"
#include "rule/expr.h"

/* ---- arch, bits, kernel ------------------------------------------------------------------ */

/* A scalar, or the scalars of a list: how many, and the i-th. */
static size_t count_elements(const struct node *node)
{
	return node->kind == NODE_LIST ? node->n : 1;
}

static const struct node *element(const struct node *node, size_t i)
{
	return node->kind == NODE_LIST ? node->items[i] : node;
}

static bool parse_arch(struct reader *reader, const struct node *node, const char *name,
		       struct cond *ret)
{
	size_t n = count_elements(node);
	const char **words = arena_array(reader->arena, n, sizeof *words);
	bool ok = true;

	for (size_t i = 0; i < n; i++) {
		const struct node *one = element(node, i);

		ok = read_kind(reader, one, name, NODE_SCALAR) &&
		     arch_parse(reader, one, one->text, &words[i]) && ok;
	}
	if (!ok)
		return false;
	ret->kind = COND_ARCH;
	ret->words = words;
	ret->nwords = n;
	ret->text = arena_printf(reader->arena, "arch: %s", listed(reader, words, n));
	return true;
}

static bool parse_bits(struct reader *reader, const struct node *node, const char *name,
		       struct cond *ret)
{
	uint64_t bits;

	if (!read_number(reader, node, name, 1, &bits))
		return false;
	if (bits != 32 && bits != 64) {
		oops(reader, node, "`bits` must be 32 or 64");
		return false;
	}
	ret->kind = COND_BITS;
	ret->expr = (struct expr){EXPR_EQ, bits, arena_strdup(reader->arena, node->text)};
	ret->text = arena_printf(reader->arena, "bits: %s", ret->expr.text);
	return true;
}

/* Two or three numbers and nothing behind them: "6.5", "6.12.3". */
static bool parse_release(const char *text, struct cond *ret)
{
	size_t dots = 0;

	for (const char *p = text; *p; p++)
		dots += *p == '.';
	ret->kind = COND_KERNEL;
	ret->any_patch = dots == 1;
	return !text[strspn(text, "0123456789.")] && dots <= 2 && !text_ends_with(text, ".") &&
	       kernel_version_parse(text, &ret->version);
}

/* "< 6.5", "6.12.3" */
static bool parse_kernel(struct reader *reader, const struct node *node, const char *name,
			 struct cond *ret)
{
	const char *text;

	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	text = node->text + strspn(node->text, " ");
	ret->op = comparison_parse(&text);
	if (!parse_release(text, ret)) {
		oops(reader, node,
		     "`%.60s` compares no kernel: write \"< 6.5\", \">= 6.12.3\" or 6.1",
		     node->text);
		return false;
	}
	ret->text = arena_printf(reader->arena, "kernel: %s%s%s",
				 ret->op == EXPR_EQ ? "" : expr_op_text(ret->op),
				 ret->op == EXPR_EQ ? "" : " ", text);
	return true;
}

static bool parse_bound(struct reader *reader, const struct node *node, const char *name,
			enum expr_op op, struct cond *ret)
{
	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	if (!parse_release(node->text, ret)) {
		oops(reader, node, "`%s` must be a kernel, as 6.5 or 6.12.3", name);
		return false;
	}
	ret->op = op;
	ret->text = arena_printf(reader->arena, "%s: %s", name, node->text);
	return true;
}

bool since_parse(struct reader *reader, const struct node *node, struct cond *ret)
{
	return parse_bound(reader, node, "since", EXPR_GE, ret);
}

bool until_parse(struct reader *reader, const struct node *node, struct cond *ret)
{
	return parse_bound(reader, node, "until", EXPR_LT, ret);
}

/* ---- has(struct.member), sizeof(T) ------------------------------------------------------- */

/* "fdtable.full_fds_bits" or "fdtable". A path begins at the first dot. */
static bool parse_has_text(struct reader *reader, const struct node *at, const char *text,
			   struct cond *ret)
{
	size_t len = strcspn(text, ".");
	const char *why, *type = arena_strndup(&reader->scratch, text, len);

	if (!read_type_name(reader, at, type, &ret->type))
		return false;
	if (text[len]) {
		if (!path_is_valid(text + len + 1, &reader->scratch, &why)) {
			oops(reader, at, "%.200s", why);
			return false;
		}
		ret->path = arena_strdup(reader->arena, text + len + 1);
	}
	ret->kind = COND_HAS;
	ret->text = arena_printf(reader->arena, "has(%s)", text);
	return true;
}

static bool parse_has(struct reader *reader, const struct node *node, const char *name,
		      struct cond *ret)
{
	return read_kind(reader, node, name, NODE_SCALAR) &&
	       parse_has_text(reader, node, node->text, ret);
}

static bool parse_size(struct reader *reader, const struct node *at, const char *type,
		       const struct node *value, struct cond *ret)
{
	const char *name = arena_printf(&reader->scratch, "sizeof(%.60s)", type);

	if (!read_type_name(reader, at, type, &ret->type) ||
	    !expr_parse(reader, value, name, &ret->expr))
		return false;
	ret->kind = COND_SIZEOF;
	ret->text = arena_printf(reader->arena, "sizeof(%s): %s", type, ret->expr.text);
	return true;
}

/* ---- config ------------------------------------------------------------------------------ */

/* "CONFIG_SMP": it is set; "CONFIG_HZ=250": it is that. */
static bool parse_config(struct reader *reader, const struct node *node, const char *name,
			 struct cond *ret)
{
	const char *text, **words;
	size_t len;

	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	text = node->text;
	len = strcspn(text, "=");
	if (!kconfig_is_name(text, len) || (text[len] && !text[len + 1])) {
		oops(reader, node,
		     "`%.60s` is no option: write CONFIG_SMP, CONFIG_HZ=250 or CONFIG_KASAN=n",
		     text);
		return false;
	}
	ret->kind = COND_CONFIG;
	ret->path = arena_strndup(reader->arena, text, len);
	if (text[len]) {
		words = arena_array(reader->arena, 1, sizeof *words);
		words[0] = arena_strdup(reader->arena, text + len + 1);
		ret->words = words;
		ret->nwords = 1;
	}
	ret->text = arena_printf(reader->arena, "config: %s", text);
	return true;
}

/* ---- all of them ------------------------------------------------------------------------- */

struct cond_list {
	struct cond *items;
	size_t n, cap;
};

/* Moves the conditions to where they stay: @kind over all of them. */
static void join(struct reader *reader, struct cond_list *list, enum cond_kind kind,
		 struct cond *ret)
{
	struct buf text = BUF_INIT;
	const char *end = kind == COND_NOT && list->n > 1 ? ")" : "";

	if (kind == COND_NOT)
		buf_adds(&text, list->n > 1 ? "not (" : "not ");
	for (size_t i = 0; i < list->n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", list->items[i].text);
	buf_adds(&text, end);
	*ret = (struct cond){.kind = kind, .nconds = list->n};
	ret->conds = arena_copy(reader->arena, list->items, list->n * sizeof *list->items);
	ret->text = arena_strdup(reader->arena, text.s);
	buf_release(&text);
}

static bool parse_all(struct reader *reader, const struct node *map, const char *name,
		      enum cond_kind kind, struct cond *ret);

static bool parse_not(struct reader *reader, const struct node *node, const char *name,
		      struct cond *ret)
{
	return parse_all(reader, node, name, COND_NOT, ret);
}

/* The words that begin a condition. */
static const struct word {
	const char *name;
	bool (*parse)(struct reader *reader, const struct node *node, const char *name,
		      struct cond *ret);
	bool each; /* of a list every element is a condition */
} words[] = {
	{"arch", parse_arch, false}, {"bits", parse_bits, false},    {"kernel", parse_kernel, true},
	{"has", parse_has, true},    {"config", parse_config, true}, {"not", parse_not, false},
};

static void add_cond(struct cond_list *list, const struct cond *cond)
{
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = *cond;
}

static bool parse_word(struct reader *reader, const struct word *word, const struct node *value,
		       struct cond_list *list)
{
	size_t n = word->each ? count_elements(value) : 1;
	bool ok = true;

	if (!read_present(reader, value, word->name))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct cond cond = {0};

		if (word->parse(reader, word->each ? element(value, i) : value, word->name, &cond))
			add_cond(list, &cond);
		else
			ok = false;
	}
	return ok;
}

/* `sizeof: {spinlock: 4}` */
static bool parse_sizes(struct reader *reader, const struct node *map, struct cond_list *list)
{
	bool ok = true;

	if (!read_kind(reader, map, "sizeof", NODE_MAP))
		return false;
	for (size_t i = 0; i < map->n; i++) {
		const struct node *key = node_key(map, i);
		struct cond cond = {0};

		if (parse_size(reader, key, key->text, node_value(map, i), &cond))
			add_cond(list, &cond);
		else
			ok = false;
	}
	return ok;
}

/* What stands between the parentheses of "has(fdtable)" in the scratch arena, or NULL. */
static const char *argument(struct reader *reader, const char *text, const char *function)
{
	size_t len = strlen(function), all = strlen(text);

	if (!text_starts_with(text, function) || text[len] != '(' || text[all - 1] != ')')
		return NULL;
	return arena_strndup(&reader->scratch, text + len + 1, all - len - 2);
}

/* `has(fdtable): true`, or false: not. */
static bool parse_has_call(struct reader *reader, const struct node *key, const char *text,
			   const struct node *value, struct cond_list *list)
{
	struct cond_list one = {0};
	struct cond has = {0}, not ;
	bool yes, ok;

	ok = parse_has_text(reader, key, text, &has);
	if (!read_bool(reader, value, key->text, &yes) || !ok)
		return false;
	if (yes) {
		add_cond(list, &has);
		return true;
	}
	add_cond(&one, &has);
	join(reader, &one, COND_NOT, &not );
	free(one.items);
	add_cond(list, &not );
	return true;
}

static bool unknown_word(struct reader *reader, const struct node *key)
{
	const char *names[ARRAY_SIZE(words) + 1] = {"sizeof"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		names[i + 1] = words[i].name;
	oops(reader, key, "unknown condition `%.60s`%s", key->text,
	     did_you_mean(reader, key->text, names, ARRAY_SIZE(names)));
	return false;
}

static bool parse_entry(struct reader *reader, const struct node *key, const struct node *value,
			struct cond_list *list)
{
	const char *has = argument(reader, key->text, "has");
	const char *type = argument(reader, key->text, "sizeof");
	struct cond cond = {0};

	if (has)
		return parse_has_call(reader, key, has, value, list);
	if (type) {
		if (!parse_size(reader, key, type, value, &cond))
			return false;
		add_cond(list, &cond);
		return true;
	}
	if (strcmp(key->text, "sizeof") == 0)
		return parse_sizes(reader, value, list);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(words[i].name, key->text) == 0)
			return parse_word(reader, &words[i], value, list);
	return unknown_word(reader, key);
}

/* Not deeper than the tree, which is bounded. */
static bool parse_all(struct reader *reader, const struct node *map, const char *name,
		      enum cond_kind kind, struct cond *ret)
{
	struct cond_list list = {0};
	const char *has = map->kind == NODE_SCALAR ? argument(reader, map->text, "has") : NULL;
	bool ok = true;

	if (has) {
		struct cond cond = {0};

		ok = parse_has_text(reader, map, has, &cond);
		add_cond(&list, &cond);
	} else if (!read_kind(reader, map, name, NODE_MAP)) {
		return false;
	} else {
		for (size_t i = 0; i < map->n; i++)
			ok = parse_entry(reader, node_key(map, i), node_value(map, i), &list) && ok;
	}
	if (ok)
		join(reader, &list, kind, ret);
	free(list.items);
	return ok;
}

bool when_parse(struct reader *reader, const struct node *node, struct cond *ret)
{
	return parse_all(reader, node, "when", COND_ALL, ret);
}
