/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings beside findings and changes: what a broken rule costs, what a new build mends. */
#ifndef CLI_OBSERVED_H
#define CLI_OBSERVED_H

#include "cli/recorded.h"
#include "report/report.h"
#include "rule/pack.h"

/*
 * check --c2c: gives every finding the HITM observed on what it speaks of, sorts them by that, and
 * adds a warning for each hot line that no rule speaks of. @source is the image that was recorded;
 * @ret stays open as long as the findings.
 */
MUST_CHECK bool observe_findings(const struct strings *recordings, struct source *source,
				 const struct common *common, const struct packs *packs,
				 struct findings *findings, struct strings *warnings,
				 struct err *err, struct recorded *ret);

/*
 * diff --c2c: what becomes of the pairs that were seen on the old build when its members are laid
 * out as in the new one. In @arena, the most HITM first.
 */
const struct diff_hot *observe_changes(const struct recorded *recorded, const struct layout *after,
				       struct arena *arena, size_t *ret_n);

#endif
