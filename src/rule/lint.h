/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with packs that are right: rules that hold on no image, conditions that are never
 * true, groups that no rule uses. (Ids that two rules share are errors, see packs_finish().)
 */
#ifndef RULE_LINT_H
#define RULE_LINT_H

#include "rule/pack.h"

/* Each as a complaint in @ret, at its place. */
void packs_lint(const struct packs *packs, struct pack_errors *ret);

#endif
