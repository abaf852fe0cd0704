/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules as C: static assertions of what C can say at compile time, for a subsystem to include, and
 * the rest as comments that say why not. Assertions are of objects that begin on a line, since no
 * compiler knows where an allocator puts them.
 *
 * C cannot ask what is a bit-field, which of two names a member has, whether it is there, or what
 * has() and sizeof() are: a layout can, and the assertions are then right for what is like it.
 * Without one, rules and members that depend on it are left out, and no member may be a bit-field.
 */
#ifndef RULE_EXPORT_H
#define RULE_EXPORT_H

#include "base/buf.h"
#include "rule/rule.h"

struct export_options {
	enum severity from;        /* rules below are comments */
	uint64_t line;             /* bytes; 0: what the pack or the kernel says, else 64 */
	const struct layout *like; /* NULL: none; has the types of the packs */
};

/* How many rules became assertions, and how many comments. */
struct export_counts {
	size_t asserted, others;
};

void packs_export(const struct packs *packs, const struct export_options *options, struct buf *out,
		  struct export_counts *ret);

#endif
