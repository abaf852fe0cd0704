/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two types of two images: the same thing, or not. */
#ifndef DIFF_ALIKE_H
#define DIFF_ALIKE_H

#include "layout/model.h"

struct alike; /* what has been compared already */

/*
 * @aligns: both sources know alignments, and they are compared. Where one is BTF they do not, and
 * an array of arrays is one of as many elements: pahole writes no other.
 */
struct alike *alike_new(bool aligns);
void alike_free(struct alike *alike);

/*
 * Values of the two lie the same in memory: members with the same names at the same offsets, all
 * the way down by value. What a pointer points to, and what the alternatives of a union are called,
 * makes no difference.
 */
bool alike_types(struct alike *alike, const struct type *old, const struct type *new);

/*
 * They are spelled alike, but for what compilers and readers write differently: "long unsigned int"
 * is "unsigned long", "complex" (of clang) may be "complex double", and T[] is T[0] behind
 * everything else. @flexible: of both. @flat: T[2][3] is T[6], as above.
 */
bool alike_spelling(const char *old, const char *new, bool flexible, bool flat);

#endif
