/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions: `704`, `"<= 704"`, `"% 64"`, `power-of-two`; alone or by machine. */
#ifndef RULE_EXPR_H
#define RULE_EXPR_H

#include "rule/read.h"

bool expr_parse(struct reader *reader, const struct node *node, const char *name, struct expr *ret);

/* An expression, or a mapping from names of machines and `default` to expressions. */
bool exprs_parse(struct reader *reader, const struct node *node, const char *name,
		 struct exprs *ret);

/* A mapping whose keys are machines: it has `default`, or nothing else. */
bool is_by_machine(const struct node *map);

/* The machine called @name, or a complaint at @at; its canonical name. */
bool arch_parse(struct reader *reader, const struct node *at, const char *name, const char **ret);

/* `<`, `<=`, `>`, `>=`, `==`, `!=` at the start of @text, passed over; EXPR_EQ when there is none.
 */
enum expr_op comparison_parse(const char **text);

/* "<", "%", as it is written. */
const char *expr_op_text(enum expr_op op);

#endif
