/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Geometry of one type: its leaves, holes, padding, lines, straddles. Pure functions over the
 * model; bits unless a name says bytes; offsets from the outermost type.
 *
 * A leaf is a named member (or bit-field, or unnamed base class) reached from the type through
 * anonymous structs and unions only. `struct { struct { int a; char b; }; int c; }` has the leaves
 * a, b and c, and a hole of 3 bytes before c: __randomize_layout and struct_group() change nothing
 * about what is a hole.
 */
#ifndef LAYOUT_GEOMETRY_H
#define LAYOUT_GEOMETRY_H

#include "base/mem.h"
#include "layout/model.h"

/*
 * Deeper, or with more members in all, an anonymous struct of a broken image would blow up when
 * expanded, and is left closed. The kernel's deepest nesting is 7; no reader lets one by that is
 * deeper than this.
 */
enum { DEEPEST_NESTING = 1000, MOST_LEAVES = 1 << 17 };

struct leaf {
	const struct member *member;
	const struct type *parent; /* the struct or union that directly holds it */
	uint64_t bit_offset;       /* from the outermost type */
	unsigned depth;            /* anonymous levels passed through */
	size_t index;              /* among the leaves in source order */
};

struct leaves {
	struct leaf *items; /* in source order; see leaves_by_offset */
	size_t n;
	/* And something is placed at run time, a virtual base of a base too, or has no size before
	 * that. */
	bool has_dynamic;
};

/*
 * Markers and dynamic members are left out. struct_group() gives a member twice at one offset: both
 * are listed. An anonymous struct that is left closed is a leaf itself.
 */
struct leaves leaves_of(const struct type *type, struct arena *arena);

/* Sorted by offset, then by larger size first, then in source order. */
void leaves_sort(struct leaves *leaves);

/*
 * Leaves that occupy nothing bound a gap, too: the bytes in front of a flexible array are a hole.
 * The storage unit of a bit-field is its declared type, aligned; in a run of bit-fields the widest
 * counts. What is left of it, up to the next leaf, is a bit hole; whole bytes behind it are a hole.
 */
enum gap_kind {
	GAP_HOLE,        /* whole bytes that no leaf covers, in front of a leaf */
	GAP_BIT_HOLE,    /* bits left in the storage unit of a bit-field */
	GAP_PADDING,     /* bytes after the last leaf */
	GAP_BIT_PADDING, /* bits after a last bit-field, in its storage unit */
	GAP_UNKNOWN,     /* whole bytes, of a type with a dynamic member, which may lie there */
};

struct gap {
	enum gap_kind kind;
	uint64_t bit_offset, bit_size;
	const struct leaf *before,
		*after; /* the leaf that ends there, the one that begins behind; NULL at the ends */
};

/* All a drawing or a rule wants to know of one type at one line size. */
struct geometry {
	const struct type *type;
	uint64_t line;        /* bytes; 0: not known, and then `lines` is 0 */
	struct leaves leaves; /* sorted by offset */
	struct gap *gaps;     /* sorted by offset */
	size_t ngaps;
	/* Of a type with dynamic members (leaves.has_dynamic) all are 0 up to `lines`: what is a
	 * hole there only a running program could tell. */
	uint64_t holes, hole_bytes; /* GAP_HOLE only; 64-bit: a struct can have 300 holes, or one of
				       5 MiB */
	uint64_t bit_holes, bit_hole_bits;
	uint64_t padding;     /* bytes */
	uint64_t bit_padding; /* bits */
	uint64_t lines;       /* that the type covers from a line start: ceil(size / line) */
};

void geometry_of(const struct type *type, uint64_t line, struct arena *arena, struct geometry *ret);

/*
 * Bytes first..last that a bit range touches, as lines relative to a base (bytes) within a line:
 * line k covers bytes [k * line - base, (k + 1) * line - base). False when the range is empty
 * (bit_size 0).
 */
struct line_span {
	uint64_t first, last; /* line numbers */
};
bool lines_touched(uint64_t bit_offset, uint64_t bit_size, uint64_t line, uint64_t base,
		   struct line_span *ret);

/* The range touches more lines than its size needs, the type starting on a line (base 0). */
bool straddles(uint64_t bit_offset, uint64_t bit_size, uint64_t line);

#endif
