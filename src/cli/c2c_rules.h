/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rule packs have to say of the hot lines of a recording. */
#ifndef CLI_C2C_RULES_H
#define CLI_C2C_RULES_H

#include "c2c/c2c.h"
#include "rule/check.h"

/*
 * Gives every line the rules that speak of its pairs: those that keep the two apart, or one of them
 * alone. A line whose pairs no rule speaks of gets the advice of one to add.
 */
void c2c_add_rules(const struct packs *packs, const struct layout *layout,
		   const struct check_options *options, struct c2c_report *report);

/* A rule keeps the members of a pair from one line. */
bool c2c_rule_covers(const struct rule_notes *notes, const char *rule,
		     const struct c2c_datum *written, const struct c2c_datum *read);

#endif
