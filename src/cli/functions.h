/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that a report names without a code address of this build, and what they access. */
#ifndef CLI_FUNCTIONS_H
#define CLI_FUNCTIONS_H

#include "c2c/judge.h"
#include "dwarf/claims.h"
#include "elf/symtab.h"

struct functions {
	struct claims claims;
	struct c2c_function *items; /* by name */
	size_t n, cap;
};

void functions_init(struct functions *functions);
void functions_release(struct functions *functions);

/*
 * Of the rows of the table without a pc whose code is in @object: those that the image has a
 * function for get row->has_function, and that stands in @ret. @object NULL: a kernel. The table
 * must have been finished. An error is damaged debug info.
 */
MUST_CHECK bool functions_find(struct c2c_table *table, const struct symtab *symtab,
			       struct image *image, const char *object, struct err *err,
			       struct functions *ret);

#endif
