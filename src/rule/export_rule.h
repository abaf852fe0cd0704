/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One rule on its way to C: what export.c and export_kinds.c share. */
#ifndef RULE_EXPORT_RULE_H
#define RULE_EXPORT_RULE_H

#include "base/buf.h"
#include "base/err.h"
#include "rule/cond.h"
#include "rule/kind.h"

struct exporting {
	const struct block *block;
	const struct rule *rule;
	const struct def *def; /* NULL: no image says more */
	const char *type;      /* "struct fdtable" */
	const char *granule;   /* "LAYOUTCHECK_LINE", or a number */
	struct arena *arena;
	/* The answer, unless `why_not`: terms that must all be true, each behind "&&". */
	struct buf terms;
	size_t nterms;
	const char *why_not;
	/* Lines of the comment above. */
	const char **notes;
	size_t nnotes, cap_notes;
};

/* Fills the answer for the kind of the rule. */
void export_kind(struct exporting *export);

void export_term(struct exporting *export, const char *fmt, ...) PRINTF_LIKE(2, 3);
void export_note(struct exporting *export, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* "sizeof(struct fdtable) <= 704": @expr of @what in C. */
const char *export_expr(struct exporting *export, const struct expr *expr, const char *what);

/*
 * `when` as a condition of the preprocessor; "" for none, NULL with a clause in *ret_why when it
 * cannot ask. What it cannot ask is asked of @like, unless that is NULL.
 */
const char *export_when(const struct cond *when, const struct cond_context *like,
			struct arena *arena, const char **ret_why);

/* The condition that the compiler builds for that machine. */
const char *export_arch(const char *arch);

#endif
