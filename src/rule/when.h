/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions: the value of `when:`. */
#ifndef RULE_WHEN_H
#define RULE_WHEN_H

#include "rule/read.h"

/* A mapping of conditions, all of which must be true; or one that says it all, `has(fdtable)`. */
bool when_parse(struct reader *reader, const struct node *node, struct cond *ret);

#endif
