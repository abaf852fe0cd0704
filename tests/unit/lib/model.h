/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts from text, for tests of what judges them: any shape, whatever a compiler would do.
 *
 *	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF);
 *	model_define(layout, "callback_head", 16, "next@0:8 func@8:8");
 *	model_define(layout, "fdtable", 56, "max_fds@0:4 fd@8:8 ... rcu@40:=callback_head");
 *
 * A member is NAME@OFFSET[.BIT]:TYPE[!ALIGN], offset in bytes, ALIGN explicit as an attribute makes
 * it. TYPE is N (a scalar of N bytes), bN (N bits of an int), =NAME (the last type of that name
 * defined before), each but bN with xN (an array of N) or a bare x (a flexible array) behind it.
 * NAME `-` is anonymous; one that ends in `%` is placed at run time.
 */
#ifndef UNIT_LIB_MODEL_H
#define UNIT_LIB_MODEL_H

#include "layout/model.h"

/* @line in bytes. With SOURCE_BTF alignments and places are not known, as in the real thing. Freed
 * by layout_free(). */
struct layout *model_new(const char *arch, uint64_t line, enum layout_source source);

/*
 * A struct, or with "union NAME" a union; "NAME!ALIGN" is aligned by an attribute. Of one CU and,
 * unless the source is BTF, declared at include/NAME.h:1: change what should be otherwise. The
 * layout is kept in order; pointers to its definitions are valid until the next call.
 */
struct def *model_define(struct layout *layout, const char *name, uint64_t size,
			 const char *members);

/* A kernel 6.12.57 of x86_64 with two structs of 16 bytes: `pair` of x at 0 and y at 8, `s` of a
 * and b. */
struct layout *model_kernel(enum layout_source source);

/* The same with two definitions of `console`, of 280 and 40 bytes, as on Debian's 6.12. */
struct layout *model_consoles(enum layout_source source);

#endif
