/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Alignment, as far as it can be known.
 *
 * DWARF says explicit alignments only; the rest follows from the ABI: a scalar is aligned to its
 * size, but for the exceptions of i386, m68k and s390x; an array as its element; a struct as its
 * strictest member; a typedef with an alignment of its own to that. A struct whose members or size
 * do not fit that is packed, and then its alignment lies somewhere between the explicit one and
 * what its size allows. (A packed struct in which everything happens to fit looks like any other.)
 * BTF says nothing: all that is known is what offsets and sizes rule out.
 */
#ifndef RULE_ALIGN_H
#define RULE_ALIGN_H

#include "layout/path.h"

/* Bytes, powers of two. Equal: known. */
struct align_range {
	uint64_t least, most;
};

/* Of a definition's type. */
struct align_range align_of_def(const struct def *def, const struct layout *layout);

/* Of a member of @def. */
struct align_range align_of_span(const struct span *span, const struct def *def,
				 const struct layout *layout);

/*
 * In steps of what a member moves when bytes are added before it: its alignment, or where that is
 * not known the one its type would have by the ABI. For margins, not for verdicts.
 */
uint64_t align_step(const struct span *span, const struct layout *layout);

/* The largest power of two that divides @value; 2^63 for 0. */
uint64_t align_lowbit(uint64_t value);

#endif
