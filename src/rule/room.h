/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Room: how many bytes can be added in front of a member before it leaves the line (the granule)
 * that it is on. For margins.
 */
#ifndef RULE_ROOM_H
#define RULE_ROOM_H

#include "rule/line.h"

/* Bytes that are free behind @span on its last line, for an object at @base. */
uint64_t free_behind(const struct judge *judge, const struct span *span, uint64_t base);

/* Bytes of the hole before @span. */
uint64_t hole_before(const struct fields *fields, const struct span *span);

/* What can be added before @span until it has moved more than @most bytes: the hole there, and
 * @most in whole steps of its alignment. */
uint64_t room_before(const struct judge *judge, const struct fields *fields,
		     const struct span *span, uint64_t most);

/* An alignment keeps @span at the start of a line, whatever stands before it. */
bool is_pinned(const struct judge *judge, const struct span *span);

/*
 * The same for a rule that is asked: what can be added before @span until @keeps is false for it at
 * some base. It is tried with the member moved in steps of its alignment, by up to @most bytes;
 * false when it is kept everywhere.
 */
typedef bool room_keeps(const struct judge *judge, const struct span *moved, uint64_t base,
			void *context);
bool room_until(const struct judge *judge, const struct fields *fields, const struct span *span,
		const struct bases *bases, uint64_t most, room_keeps *keeps, void *context,
		uint64_t *ret);

/* The smallest of several rooms; none of none. */
struct least {
	bool any;
	uint64_t value;
};
void least_add(struct least *least, uint64_t value);
void least_margin(struct judge *judge, const struct least *least); /* as the verdict's margin */

#endif
