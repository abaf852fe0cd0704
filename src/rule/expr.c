/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/expr.h"

#include <string.h>

#include "base/text.h"

static const char POWER_OF_TWO[] = "power-of-two";

/* Longer ones first: the first that fits is taken. */
static const struct {
	const char *text;
	enum expr_op op;
} ops[] = {
	{"<=", EXPR_LE}, {">=", EXPR_GE}, {"==", EXPR_EQ},      {"!=", EXPR_NE},
	{"<", EXPR_LT},  {">", EXPR_GT},  {"%", EXPR_MULTIPLE},
};

const char *expr_op_text(enum expr_op op)
{
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].op == op)
			return ops[i].text;
	return POWER_OF_TWO;
}

static enum expr_op take_op(const char **text, bool multiple)
{
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (text_starts_with(*text, ops[i].text) &&
		    (multiple || ops[i].op != EXPR_MULTIPLE)) {
			*text += strlen(ops[i].text);
			*text += strspn(*text, " ");
			return ops[i].op;
		}
	return EXPR_EQ;
}

enum expr_op comparison_parse(const char **text)
{
	return take_op(text, false);
}

bool expr_parse(struct reader *reader, const struct node *node, const char *name, struct expr *ret)
{
	struct expr expr = {0};
	const char *text;

	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	text = node->text + strspn(node->text, " ");
	if (strcmp(text, POWER_OF_TWO) == 0) {
		*ret = (struct expr){.op = EXPR_POWER_OF_TWO, .text = POWER_OF_TWO};
		return true;
	}
	expr.op = take_op(&text, true);
	if (!is_number(text, &expr.value)) {
		oops(reader, node,
		     "`%.60s` is no expression: write 704, \"<= 704\", \"%% 64\" or power-of-two",
		     node->text);
		return false;
	}
	if (expr.op == EXPR_MULTIPLE && !expr.value) {
		oops(reader, node, "nothing is a multiple of 0");
		return false;
	}
	expr.text = expr.op == EXPR_EQ
			    ? arena_strdup(reader->arena, text)
			    : arena_printf(reader->arena, "%s %s", expr_op_text(expr.op), text);
	*ret = expr;
	return true;
}

/* ---- by machine -------------------------------------------------------------------------- */

static bool is_default(const struct node *key)
{
	return strcmp(key->text, "default") == 0;
}

bool is_by_machine(const struct node *map)
{
	size_t machines = 0;

	for (size_t i = 0; i < map->n; i++) {
		if (is_default(node_key(map, i)))
			return true;
		machines += arch_by_name(node_key(map, i)->text) != NULL;
	}
	return map->n && machines == map->n;
}

bool arch_parse(struct reader *reader, const struct node *at, const char *name, const char **ret)
{
	const struct arch *arch = arch_by_name(name);
	const char *const *names;
	unsigned n;

	if (arch) {
		*ret = arch->name;
		return true;
	}
	names = arch_names(&n);
	oops(reader, at, "unknown machine `%.60s`%s", name, did_you_mean(reader, name, names, n));
	return false;
}

/* Two spellings of one machine: amd64 and x86_64. */
static bool stood_before(struct reader *reader, const struct node *key, const char *arch,
			 const struct expr_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (arch && cases[i].arch && strcmp(cases[i].arch, arch) == 0) {
			oops(reader, key, "`%s` is %s, which stands here already", key->text, arch);
			return true;
		}
	return false;
}

static bool parse_machines(struct reader *reader, const struct node *map, const char *name,
			   struct exprs *ret)
{
	struct expr_case *cases = arena_array(reader->arena, map->n, sizeof *cases);
	bool ok = true;
	size_t n = 0;

	for (size_t i = 0; i < map->n; i++) {
		const struct node *key = node_key(map, i);
		struct expr_case one = {0};

		if (!is_default(key) && !arch_parse(reader, key, key->text, &one.arch))
			ok = false;
		else if (stood_before(reader, key, one.arch, cases, n))
			ok = false;
		if (!expr_parse(reader, node_value(map, i), name, &one.expr))
			ok = false;
		cases[n++] = one;
	}
	*ret = (struct exprs){cases, n};
	return ok;
}

bool exprs_parse(struct reader *reader, const struct node *node, const char *name,
		 struct exprs *ret)
{
	struct expr_case *one;

	if (!read_present(reader, node, name))
		return false;
	if (node->kind == NODE_MAP)
		return parse_machines(reader, node, name, ret);
	one = arena_alloc(reader->arena, sizeof *one);
	*ret = (struct exprs){one, 1};
	return expr_parse(reader, node, name, &one->expr);
}
