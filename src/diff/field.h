/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The members of one side, as a diff sees them. A field is a leaf (layout/geometry.h), and what
 * lies in a member whose struct or union has no name: `struct { int a; } x;` has the field x.a,
 * because no other diff would tell what changed in it. Bits, from the outermost type.
 */
#ifndef DIFF_FIELD_H
#define DIFF_FIELD_H

#include "layout/geometry.h"

struct run; /* diff/compare.h */

struct field {
	const char *path; /* "failcnt", "x.a"; unique but for what has no name */
	const struct member *member;
	const struct type *parent; /* the struct or union that directly holds it */
	uint64_t bit_offset;
	uint64_t bit_size;     /* 0: occupies nothing, or is flexible */
	size_t level;          /* index into fields->levels */
	struct field *match;   /* on the other side; NULL: it is not there */
	const struct run *run; /* on the new side: that it moved with; NULL: it did not move */
	bool relocated;        /* it stands elsewhere in the order of the source; on both sides */
};

/* A type whose gaps are looked at: the outermost one, and those without a name inside. */
struct level {
	const char *path; /* of the member that holds it; NULL: the outermost */
	const struct type *type;
	uint64_t bit_offset;
	size_t *first; /* of the leaf with that index: its first field, an index into items */
	size_t nleaves;
};

/* A cache-line group: what lies between its begin and its end marker. */
struct marker_group {
	const char *name; /* "sock_read_rx" */
	uint64_t begin, end;
};

struct fields {
	struct field *items; /* in source order */
	size_t n;
	struct field **by_offset; /* then larger first, then in source order */
	struct field **reach;     /* of by_offset[0..i], the one that ends last */
	struct level *levels;
	size_t nlevels;
	struct marker_group *groups; /* by name */
	size_t ngroups;
	uint64_t bits; /* of the type */
};

void fields_of(const struct type *type, struct arena *arena, struct fields *ret);

/* One past the last bit; UINT64_MAX when that does not fit. */
uint64_t field_end(const struct field *field);

/* It takes up bytes: neither empty nor at their end without a size. */
bool field_occupies(const struct field *field);

/* Lines it begins and ends on; false when it lies on none. A flexible array lies where it begins.
 */
bool field_lines(const struct field *field, uint64_t line, struct line_span *ret);

/* "8 bytes", "3 bits", "no end" */
const char *field_size(const struct field *field, struct arena *arena);

/* "failcnt (offset 128)" and "failcnt (offset 128, 8 bytes)" */
const char *field_at(const struct field *field, struct arena *arena);
const char *field_full(const struct field *field, struct arena *arena);

/* Of those that begin before @bit_offset, the one that ends last, perhaps behind it; NULL: none. */
const struct field *field_reaching(const struct fields *fields, uint64_t bit_offset);

#endif
