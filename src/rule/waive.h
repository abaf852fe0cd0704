/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One waiver as it is written: the keys that those of packs and of waiver files share. */
#ifndef RULE_WAIVE_H
#define RULE_WAIVE_H

#include "layout/finding.h"
#include "rule/read.h"

enum { WAIVE_SLOTS = 3 };

/* The slots of `until`, `why` (required) and `owner`, for read_slots(). */
void waive_slots(struct slot slots[WAIVE_SLOTS]);

/* What stood in them, in the mapping @map. */
bool waive_parse(struct reader *reader, const struct node *map,
		 const struct slot slots[WAIVE_SLOTS], struct waiver *ret);

#endif
