/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions: the value of `when:`. */
#ifndef RULE_WHEN_H
#define RULE_WHEN_H

#include "rule/read.h"

/* A mapping of conditions, all of which must be true; or one that says it all, `has(fdtable)`. */
bool when_parse(struct reader *reader, const struct node *node, struct cond *ret);

/* `since: 6.6` and `until: 6.12.3` of a rule, which are conditions on the kernel as `when` has
 * them:
 * ">= 6.6", "< 6.12.3". */
bool since_parse(struct reader *reader, const struct node *node, struct cond *ret);
bool until_parse(struct reader *reader, const struct node *node, struct cond *ret);

#endif
