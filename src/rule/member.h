/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The members that rules name, found in one definition. Renames take the first name that is there;
 * a range stands for every leaf between its two ends, both included, the ends cut to what they
 * name.
 */
#ifndef RULE_MEMBER_H
#define RULE_MEMBER_H

#include "rule/judge.h"

struct found {
	enum path_result result; /* PATH_INVALID also for a range that runs backwards */
	const char *why;         /* a clause, unless found */
	struct part *parts;      /* one; of a range, its leaves in order of offset */
	size_t n;
};

void member_find(const struct ref *ref, const struct def *def, const struct geometry *geometry,
		 struct arena *arena, struct found *ret);

/* Bits to the end, UINT64_MAX for a flexible array. */
uint64_t span_end(const struct span *span);

/* A leaf as a span; a base class without a name takes that of its type. */
struct span span_of_leaf(const struct leaf *leaf);

/* It holds a byte: not of size zero, or flexible. */
bool span_occupies(const struct span *span);

/*
 * A definition in fields: its leaves that occupy something, by offset, with those opened up that a
 * member of @sides lies inside: of `a` in `struct { struct { int x, y; } a; int b; }` with the
 * member a.x, the fields are a.x (`mine`), a.y and b. What is around an element of an array stays
 * one field with the array's name.
 */
struct field {
	struct span span;
	bool mine; /* it is, or shares bits with, a member of the sides */
};
struct fields {
	struct field *items;
	size_t n;
};
struct fields fields_around(const struct geometry *geometry, const struct side *sides,
			    size_t nsides, struct arena *arena);

#endif
