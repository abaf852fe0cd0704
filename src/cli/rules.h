/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rule packs a run uses: --rules, else $LAYOUTCHECK_RULES (paths, colons between them), else
 * rules/ of the build tree that the program runs from, else the installed packs. */
#ifndef CLI_RULES_H
#define CLI_RULES_H

#include "cli/common.h"
#include "rule/pack.h"

/*
 * Loads them all. False when one is wrong, which has been complained about, every mistake of every
 * pack. packs_release() afterwards, whatever the result. @need: packs that came with the program
 * and cannot be found are a mistake too. common->wants_config is set when a rule asks,
 * common->only_variables when none asks for a type.
 */
MUST_CHECK bool rules_load(struct common *common, bool need, struct packs *ret);

#endif
