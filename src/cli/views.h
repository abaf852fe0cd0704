/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views as reports want them: with what packs say of each member, and with what a check or a diff
 * found marked. */
#ifndef CLI_VIEWS_H
#define CLI_VIEWS_H

#include "report/report.h"
#include "rule/rule.h"

/* The view of @def, the rules that speak of its members noted and their groups told. @line: from
 * the command line, 0 when not given. Everything in @arena. */
void views_make(const struct def *def, const struct layout *layout, const struct packs *packs,
		uint64_t line, struct arena *arena, struct view *ret);

/* Fills the types of @report, with a mark for each finding. */
void views_of_findings(struct check_report *report, const struct packs *packs, uint64_t line,
		       struct arena *arena);

/* Ranks the @types of @report, and fills the views of those that are drawn: all that are
 * remarkable, or with @most not 0 that many, the worst. A mark for each change is on the side where
 * it is seen. */
void views_of_changes(struct diff_report *report, struct diff_type *types, size_t most,
		      const struct packs *packs, uint64_t line, struct arena *arena);

#endif
