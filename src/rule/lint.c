/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/lint.h"

#include <inttypes.h>
#include <string.h>

#include "rule/cond.h"
#include "rule/errors.h"
#include "rule/kind.h"

/* ---- groups ---------------------------------------------------------------------------------- */

static bool item_names(const struct item *item, const char *group)
{
	if (item->label && strcmp(item->label, group) == 0)
		return true;
	for (size_t i = 0; i < item->ngroups; i++)
		if (strcmp(item->groups[i], group) == 0)
			return true;
	return false;
}

static bool is_used(const struct block *block, const char *group)
{
	for (size_t r = 0; r < block->nrules; r++)
		for (size_t i = 0; i < block->rules[r].nitems; i++)
			if (item_names(&block->rules[r].items[i], group))
				return true;
	return false;
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Expressions that must all hold for one number. */
struct claims {
	const struct expr *exprs[64];
	size_t n;
	uint64_t unit; /* it is a multiple of this */
};

static bool all_hold(const struct claims *claims, uint64_t value)
{
	for (size_t i = 0; i < claims->n; i++)
		if (!expr_holds(claims->exprs[i], value))
			return false;
	return true;
}

/* The multiples of the unit on both sides of @value, and @value. */
static bool holds_near(const struct claims *claims, uint64_t value)
{
	uint64_t below = value - value % claims->unit;

	return all_hold(claims, value) || all_hold(claims, below) ||
	       all_hold(claims, below + claims->unit);
}

/*
 * Some number satisfies all. Bounds are numbers of the expressions or next to them, so that what
 * there is to find is near one, or is a power of two.
 */
static bool satisfiable(const struct claims *claims)
{
	if (holds_near(claims, 0))
		return true;
	for (size_t i = 0; i < claims->n; i++) {
		uint64_t value = claims->exprs[i]->value;

		if (holds_near(claims, value) || holds_near(claims, value + 1) ||
		    (value && holds_near(claims, value - 1)))
			return true;
	}
	for (uint64_t power = 1; power; power *= 2)
		if (all_hold(claims, power))
			return true;
	return false;
}

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
	uint64_t x = a, y = b, product;

	while (y) {
		uint64_t rest = x % y;

		x = y;
		y = rest;
	}
	return __builtin_mul_overflow(a / x, b, &product) ? 1 : product;
}

static void claims_add(struct claims *claims, const struct expr *expr)
{
	if (claims->n == ARRAY_SIZE(claims->exprs))
		return;
	claims->exprs[claims->n++] = expr;
	if (expr->op == EXPR_MULTIPLE)
		claims->unit = common_multiple(claims->unit, expr->value);
}

/* What `size: X` says on every machine and under no condition; NULL: it does not. */
static const struct expr *plain_size(const struct rule *rule)
{
	if (strcmp(rule->kind->name, "size") != 0 || rule->when || rule->exprs.n != 1 ||
	    rule->exprs.cases[0].arch)
		return NULL;
	return &rule->exprs.cases[0].expr;
}

/* The first rule that no size satisfies together with those before it. */
static const struct rule *find_contradiction(const struct block *block)
{
	struct claims claims = {.unit = 1};

	for (size_t r = 0; r < block->nrules; r++) {
		const struct expr *expr = plain_size(&block->rules[r]);

		if (!expr)
			continue;
		claims_add(&claims, expr);
		if (claims.n > 1 && !satisfiable(&claims))
			return &block->rules[r];
	}
	return NULL;
}

static const struct expr *impossible(const struct exprs *exprs)
{
	for (size_t i = 0; i < exprs->n; i++) {
		struct claims claims = {.unit = 1};

		claims_add(&claims, &exprs->cases[i].expr);
		if (!satisfiable(&claims))
			return &exprs->cases[i].expr;
	}
	return NULL;
}

/* An alignment is a power of two. */
static bool is_no_alignment(const struct exprs *exprs)
{
	for (size_t i = 0; i < exprs->n; i++) {
		const struct expr *expr = &exprs->cases[i].expr;

		if ((expr->op == EXPR_EQ || expr->op == EXPR_MULTIPLE) &&
		    (!expr->value || expr->value & (expr->value - 1)))
			return true;
	}
	return false;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* A member that two items name. */
static const char *shared_member(const struct item *a, const struct item *b)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n; k++)
			if (strcmp(a->refs[i].text, b->refs[k].text) == 0)
				return a->refs[i].text;
	return NULL;
}

/* In `classes` all but the two that must not meet may share a line. */
static bool must_part(const struct rule *rule, const struct item *item)
{
	return rule->kind->arg == ARG_ITEMS || strcmp(item->label, "read_mostly") == 0 ||
	       strcmp(item->label, "written") == 0;
}

static const char *member_of_two(const struct rule *rule)
{
	if (rule->kind->arg != ARG_ITEMS && rule->kind->arg != ARG_CLASSES)
		return NULL;
	for (size_t i = 0; i < rule->nitems; i++)
		for (size_t k = i + 1; k < rule->nitems; k++) {
			const char *member = shared_member(&rule->items[i], &rule->items[k]);

			if (member && must_part(rule, &rule->items[i]) &&
			    must_part(rule, &rule->items[k]))
				return member;
		}
	return NULL;
}

static bool is_listed(const struct rule *rule)
{
	for (size_t i = 0; i < rule->nbuckets; i++)
		if (rule->buckets[i] == rule->number)
			return true;
	return false;
}

/* What is at least @lower is not below @upper. */
static bool exclude_each_other(const struct cond *lower, const struct cond *upper)
{
	struct kernel_version least = lower->version, most = upper->version;
	int order;

	if ((lower->op != EXPR_GE && lower->op != EXPR_GT) ||
	    (upper->op != EXPR_LT && upper->op != EXPR_LE))
		return false;
	if (upper->any_patch)
		least.patch = most.patch = 0;
	order = kernel_version_compare(least, most);
	return order > 0 || (order == 0 && upper->op == EXPR_LT);
}

/* Some kernel version of @cond, where all must be true, excludes @other. */
static bool excludes(const struct cond *cond, const struct cond *other)
{
	if (cond->kind == COND_KERNEL)
		return exclude_each_other(cond, other) || exclude_each_other(other, cond);
	for (size_t i = 0; cond->kind == COND_ALL && i < cond->nconds; i++)
		if (excludes(&cond->conds[i], other))
			return true;
	return false;
}

/* @cond is part of @all, where everything must be true. */
static bool never_true(const struct cond *cond, const struct cond *all)
{
	if (cond->kind == COND_KERNEL)
		return excludes(all, cond);
	for (size_t i = 0; cond->kind == COND_ALL && i < cond->nconds; i++)
		if (never_true(&cond->conds[i], all))
			return true;
	return false;
}

static void lint_exprs(struct complaints *list, const struct rule *rule, const struct exprs *exprs)
{
	const struct expr *expr;

	if (!exprs->cases)
		return;
	expr = impossible(exprs);
	if (expr)
		complain(list, rule->pos.line, rule->pos.col,
			 "this can never hold: no number is %s", expr->text);
	else if (strcmp(rule->kind->name, "align") == 0 && is_no_alignment(exprs))
		complain(list, rule->pos.line, rule->pos.col,
			 "this can never hold: an alignment is a power of two");
}

static void lint_rule(struct complaints *list, const struct rule *rule)
{
	const char *member = member_of_two(rule);

	lint_exprs(list, rule, &rule->exprs);
	for (size_t i = 0; i < rule->nmember_exprs; i++)
		lint_exprs(list, rule, &rule->member_exprs[i].exprs);
	if (member)
		complain(list, rule->pos.line, rule->pos.col,
			 "this can never hold: `%.60s` is on both sides", member);
	if (rule->nbuckets && !is_listed(rule))
		complain(list, rule->pos.line, rule->pos.col,
			 "this can never hold: %" PRIu64 " is none of its `buckets`", rule->number);
	if (strcmp(rule->kind->name, "max_lines") == 0 && !rule->number)
		complain(list, rule->pos.line, rule->pos.col,
			 "this can never hold: what has a size covers a line");
	if (rule->when && never_true(rule->when, rule->when))
		complain(list, rule->pos.line, rule->pos.col,
			 "this never applies: no kernel is of these versions");
}

/* `present` and `absent` of one member. */
static void lint_pair(struct complaints *list, const struct rule *a, const struct rule *b)
{
	bool opposed =
		(strcmp(a->kind->name, "present") == 0 && strcmp(b->kind->name, "absent") == 0) ||
		(strcmp(a->kind->name, "absent") == 0 && strcmp(b->kind->name, "present") == 0);
	const char *member;

	if (!opposed || a->when || b->when)
		return;
	member = shared_member(&a->items[0], &b->items[0]);
	if (member)
		complain(list, b->pos.line, b->pos.col,
			 "this can never hold with the rule of line %u: `%.60s` is there or not",
			 a->pos.line, member);
}

static void lint_block(struct complaints *list, const struct block *block)
{
	const struct rule *contradiction = find_contradiction(block);

	for (size_t g = 0; g < block->ngroups; g++)
		if (!is_used(block, block->groups[g].name))
			complain(list, block->groups[g].pos.line, block->groups[g].pos.col,
				 "no rule uses the group `%.60s`", block->groups[g].name);
	for (size_t r = 0; r < block->nrules; r++) {
		lint_rule(list, &block->rules[r]);
		for (size_t k = 0; k < r; k++)
			lint_pair(list, &block->rules[k], &block->rules[r]);
	}
	if (contradiction)
		complain(list, contradiction->pos.line, contradiction->pos.col,
			 "this can never hold with the sizes that are wanted before it");
}

void packs_lint(const struct packs *packs, struct pack_errors *ret)
{
	for (size_t p = 0; p < packs->n; p++) {
		const struct pack *pack = &packs->items[p];
		struct source source = {pack->file, pack->text, pack->len};
		struct complaints list;

		complaints_init(&list);
		for (size_t b = 0; b < pack->nblocks; b++)
			lint_block(&list, &pack->blocks[b]);
		complaints_print(&list, &source, ret);
		complaints_release(&list);
	}
}
