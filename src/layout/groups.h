/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The groups that the kernel marks in its own structs: what lies between
 * __cacheline_group_begin__NAME and __cacheline_group_end__NAME (include/linux/cache.h), members of
 * no size that stay in DWARF and BTF. A group that __cacheline_group_end_aligned() closes has a
 * third, __cacheline_group_pad__NAME, behind what it keeps free. Bits from the outermost type.
 */
#ifndef LAYOUT_GROUPS_H
#define LAYOUT_GROUPS_H

#include "layout/geometry.h"

enum group_class { GROUP_UNTOLD, GROUP_READ, GROUP_WRITE, GROUP_COLD };

struct marker_group {
	const char *name;
	uint64_t begin, end; /* end: behind its last byte */
	uint64_t kept;       /* the end of what is kept free behind it; `end` where nothing is */
	enum group_class access;
};

/* By offset; those without both markers are left out, and so are those of embedded structs with a
 * name, which their own types have. */
struct marker_groups {
	struct marker_group *items;
	size_t n;
};

struct marker_groups marker_groups_of(const struct type *type, struct arena *arena);

/* NULL: none of that name. */
const struct marker_group *marker_group_find(const struct marker_groups *groups, const char *name);

/* The leaf begins in the group. */
bool marker_group_has(const struct marker_group *group, const struct leaf *leaf);

/* Bytes of it, with what it keeps free, that no leaf covers; @leaves by offset. */
uint64_t marker_group_free(const struct marker_group *group, const struct leaves *leaves);

/* By a word of the name: sock_read_rx, sock_write_tx. What is read and written is written. */
enum group_class group_class_of(const char *name);

/* "read", "written", "cold"; NULL: it is not told. */
const char *group_class_name(enum group_class access);

#endif
