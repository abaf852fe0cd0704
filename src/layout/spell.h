/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How C spells a type, the same for every reader. A declaration writes a type on both sides of the
 * declared name ("int (*" NAME ")(struct device *)"), so a spelling is two halves. Readers build
 * them from the inside out and store the result with spell_store(); whoever prints calls
 * spell_decl().
 *
 *	pointer to function (struct device *) returning int	"int (*" ")(struct device *)"
 *	array of 4 unsigned long				"unsigned long" "[4]"
 *	pointer to const struct file				"const struct file *" ""
 *
 * Everything returned lives in the arena given, or is an argument handed back. A spelling that
 * would be longer than SPELL_MAX bytes (only hostile input makes one) becomes "...".
 */
#ifndef LAYOUT_SPELL_H
#define LAYOUT_SPELL_H

#include "layout/model.h"

enum { SPELL_MAX = 4096 };

struct spelling {
	const char *before, *after; /* never NULL */
	bool is_pointer;            /* `before` ends in a pointer: a qualifier goes behind it */
};

/* "struct" and "file"; a NULL @word leaves "int"; a NULL @name is anonymous: "struct {...}". */
struct spelling spell_name(const char *word, const char *name, struct arena *arena);

/* @sigil: "*", "&", "&&", or "T::*" for a pointer to a member. */
struct spelling spell_pointer(struct spelling target, const char *sigil, struct arena *arena);

/* @word: "const", "volatile", "restrict", "_Atomic". What has it already stays as it is. */
struct spelling spell_qualified(const char *word, struct spelling target, struct arena *arena);

/* An array whose outermost dimension is this one: of "int [3]" and 2, "int[2][3]". */
struct spelling spell_array(struct spelling element, bool has_count, uint64_t count,
			    struct arena *arena);

/* @n 0 and not @variadic is "(void)". */
struct spelling spell_function(struct spelling result, const struct spelling *params, size_t n,
			       bool variadic, struct arena *arena);

/* The whole, with @name (or nothing, when NULL) in its place. */
const char *spell_join(struct spelling spelling, const char *name, struct arena *arena);

/* Sets type->spelling and type->name_at. */
void spell_store(struct type *type, struct spelling spelling, struct arena *arena);

/* A declaration of @name (which may be NULL) with a stored spelling: "int (*probe)(void)". */
const char *spell_decl(const struct type *type, const char *name, struct arena *arena);

#endif
