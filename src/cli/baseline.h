/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check --baseline: what changed since an older build tells why a rule is broken. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "cli/source.h"
#include "diff/diff.h"
#include "rule/pack.h"

struct baseline; /* opaque: the older build, read once */

/* Reads the types that the packs speak of. */
MUST_CHECK bool baseline_open(const char *path, const struct common *common,
			      const struct packs *packs, struct err *err, struct baseline **ret);
void baseline_close(struct baseline *baseline); /* NULL is fine */

/*
 * Gives findings on @layout the causes that the diff with the baseline knows; others keep theirs.
 * The changes must outlive the findings. False when the two cannot be compared.
 */
MUST_CHECK bool baseline_explain(const struct baseline *baseline, const struct layout *layout,
				 uint64_t line, struct findings *findings, struct err *err,
				 struct changes *ret);

#endif
