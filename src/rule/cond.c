/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/cond.h"

#include <inttypes.h>
#include <string.h>

#include "layout/kconfig.h"
#include "layout/path.h"

static bool is_power_of_two(uint64_t value)
{
	return value && !(value & (value - 1));
}

static bool order_satisfies(enum expr_op op, int order)
{
	switch (op) {
	case EXPR_EQ:
		return order == 0;
	case EXPR_NE:
		return order != 0;
	case EXPR_LT:
		return order < 0;
	case EXPR_LE:
		return order <= 0;
	case EXPR_GT:
		return order > 0;
	case EXPR_GE:
		return order >= 0;
	case EXPR_MULTIPLE:
	case EXPR_POWER_OF_TWO:
		break;
	}
	return false;
}

bool expr_holds(const struct expr *expr, uint64_t value)
{
	switch (expr->op) {
	case EXPR_MULTIPLE:
		return expr->value && value % expr->value == 0;
	case EXPR_POWER_OF_TWO:
		return is_power_of_two(value);
	default:
		return order_satisfies(expr->op, (value > expr->value) - (value < expr->value));
	}
}

const char *expr_phrase(const struct expr *expr, struct arena *arena)
{
	switch (expr->op) {
	case EXPR_MULTIPLE:
		return arena_printf(arena, "a multiple of %" PRIu64, expr->value);
	case EXPR_POWER_OF_TWO:
		return "a power of two";
	default:
		return expr->text;
	}
}

/* @word names the machine @arch, by any of its names. */
static bool same_arch(const char *word, const char *arch)
{
	const struct arch *a = arch_by_name(word), *b = arch_by_name(arch);

	return a && b ? a == b : strcmp(word, arch) == 0;
}

const struct expr *exprs_for(const struct exprs *exprs, const struct target *target, bool *told)
{
	const struct expr *fallback = NULL;
	bool by_machine = false;

	for (size_t i = 0; i < exprs->n; i++) {
		const struct expr_case *c = &exprs->cases[i];

		if (!c->arch) {
			fallback = &c->expr;
			continue;
		}
		by_machine = true;
		if (target->arch && same_arch(c->arch, target->arch)) {
			*told = true;
			return &c->expr;
		}
	}
	*told = target->arch || !by_machine;
	return *told ? fallback : NULL;
}

static enum truth truth_of(bool yes)
{
	return yes ? TRUTH_YES : TRUTH_NO;
}

static enum truth unknown(struct cond_reason *reason, const char *why)
{
	reason->why = why;
	return TRUTH_UNKNOWN;
}

static enum truth eval_arch(const struct cond *cond, const struct cond_context *context,
			    struct cond_reason *reason)
{
	const char *arch = context->layout->target.arch;

	if (!arch)
		return unknown(reason, "the image does not say its machine");
	for (size_t i = 0; i < cond->nwords; i++)
		if (same_arch(cond->words[i], arch))
			return TRUTH_YES;
	return TRUTH_NO;
}

static enum truth eval_bits(const struct cond *cond, const struct cond_context *context,
			    struct cond_reason *reason)
{
	unsigned bits = context->layout->target.bits;

	if (!bits)
		return unknown(reason, "the image does not say whether it is 32 or 64 bit");
	return truth_of(expr_holds(&cond->expr, bits));
}

static enum truth eval_kernel(const struct cond *cond, const struct cond_context *context,
			      struct cond_reason *reason)
{
	struct kernel_version version = context->layout->target.kernel;

	if (!context->layout->target.has_kernel)
		return unknown(reason, "the image does not say its kernel release");
	if (cond->any_patch)
		version.patch = cond->version.patch;
	return truth_of(order_satisfies(cond->op, kernel_version_compare(version, cond->version)));
}

/* The definitions that has() and sizeof() speak of. */
static struct def_list cond_defs(const struct cond *cond, const struct cond_context *context)
{
	struct def_list defs = layout_find(context->layout, cond->type, context->arena);

	for (size_t i = 0; i < defs.n; i++)
		if (defs.defs[i] == context->def)
			return (struct def_list){&defs.defs[i], 1};
	return defs;
}

static enum truth has_path(const struct def *def, const struct cond *cond,
			   const struct cond_context *context, struct cond_reason *reason)
{
	const char *why = NULL;
	struct span span;

	switch (path_resolve(def->type, cond->path, context->arena, &why, &span)) {
	case PATH_FOUND:
	case PATH_DYNAMIC:
		return TRUTH_YES;
	case PATH_ABSENT:
		return TRUTH_NO;
	case PATH_INVALID:
		break;
	}
	return unknown(reason, why);
}

static enum truth eval_has(const struct cond *cond, const struct cond_context *context,
			   struct cond_reason *reason)
{
	struct def_list defs = cond_defs(cond, context);
	enum truth all = TRUTH_NO;

	if (!defs.n && !layout_tells_of(context->layout, cond->type.name))
		return unknown(reason, context->layout->source == SOURCE_SYMBOLS
					       ? "the image has no debug info"
					       : arena_printf(context->arena,
							      "the snapshot was taken without %s",
							      cond->type.name));
	if (!cond->path)
		return truth_of(defs.n > 0);
	for (size_t i = 0; i < defs.n; i++) {
		enum truth one = has_path(defs.defs[i], cond, context, reason);

		if (one == TRUTH_UNKNOWN)
			return TRUTH_UNKNOWN;
		if (i && one != all)
			return unknown(reason, arena_printf(context->arena,
							    "the definitions of %s disagree",
							    cond->type.name));
		all = one;
	}
	return all;
}

static enum truth eval_sizeof(const struct cond *cond, const struct cond_context *context,
			      struct cond_reason *reason)
{
	struct def_list defs = cond_defs(cond, context);

	if (!defs.n)
		return unknown(reason, arena_printf(context->arena, "%s is not in this image",
						    cond->type.name));
	for (size_t i = 0; i < defs.n; i++)
		if (!defs.defs[i]->type->has_size ||
		    defs.defs[i]->type->bits != defs.defs[0]->type->bits)
			return unknown(reason, arena_printf(context->arena,
							    "the size of %s is not one number",
							    cond->type.name));
	return truth_of(expr_holds(&cond->expr, defs.defs[0]->type->bits / 8));
}

/* "n" is how people write what is not set. */
static enum truth eval_config(const struct cond *cond, const struct cond_context *context,
			      struct cond_reason *reason)
{
	const struct kconfig *config = context->layout->target.kconfig;
	const char *value;

	if (!config)
		return unknown(reason, "its configuration is not known (--config gives it)");
	value = kconfig_value(config, cond->path);
	if (!cond->nwords)
		return truth_of(value != NULL);
	return truth_of(strcmp(value ? value : "n", cond->words[0]) == 0);
}

static enum truth eval_all(const struct cond *cond, const struct cond_context *context,
			   struct cond_reason *reason)
{
	struct cond_reason first_unknown = {0};
	bool is_unknown = false;

	for (size_t i = 0; i < cond->nconds; i++) {
		enum truth one = cond_eval(&cond->conds[i], context, reason);

		if (one == TRUTH_NO)
			return TRUTH_NO;
		if (one == TRUTH_UNKNOWN && !is_unknown) {
			first_unknown = *reason;
			is_unknown = true;
		}
	}
	if (!is_unknown)
		return TRUTH_YES;
	*reason = first_unknown;
	return TRUTH_UNKNOWN;
}

static enum truth eval_not(const struct cond *cond, const struct cond_context *context,
			   struct cond_reason *reason)
{
	switch (eval_all(cond, context, reason)) {
	case TRUTH_NO:
		return TRUTH_YES;
	case TRUTH_YES:
		reason->cond = cond;
		return TRUTH_NO;
	case TRUTH_UNKNOWN:
		break;
	}
	return TRUTH_UNKNOWN;
}

enum truth cond_eval(const struct cond *cond, const struct cond_context *context,
		     struct cond_reason *reason)
{
	reason->cond = cond;
	reason->why = NULL;
	switch (cond->kind) {
	case COND_ALL:
		return eval_all(cond, context, reason);
	case COND_NOT:
		return eval_not(cond, context, reason);
	case COND_ARCH:
		return eval_arch(cond, context, reason);
	case COND_BITS:
		return eval_bits(cond, context, reason);
	case COND_KERNEL:
		return eval_kernel(cond, context, reason);
	case COND_HAS:
		return eval_has(cond, context, reason);
	case COND_SIZEOF:
		return eval_sizeof(cond, context, reason);
	case COND_CONFIG:
		return eval_config(cond, context, reason);
	}
	return unknown(reason, "the condition is of no known kind");
}

void cond_wanted(const struct cond *cond, struct want_list *list)
{
	if (cond->kind == COND_HAS || cond->kind == COND_SIZEOF)
		want_list_add(list, cond->type.name);
	for (size_t i = 0; i < cond->nconds; i++)
		cond_wanted(&cond->conds[i], list);
}

bool cond_asks_config(const struct cond *cond)
{
	for (size_t i = 0; i < cond->nconds; i++)
		if (cond_asks_config(&cond->conds[i]))
			return true;
	return cond->kind == COND_CONFIG;
}
