/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of what one value may point to: see track.h for what is kept of several answers. */
#ifndef DWARF_POINTEE_H
#define DWARF_POINTEE_H

#include "dwarf/track.h"

/* Adds one that is as good as those that are there. */
void pointees_add(struct pointees *list, const struct pointee *pointee);
void pointees_join(struct pointees *list, const struct pointees *more);

/* Adds what a pointer of @type points to, @offset bytes from there; nothing for void. */
MUST_CHECK bool pointees_add_target(struct ctypes *types, struct pointees *list,
				    const struct ctype *type, int64_t offset, bool is_exact,
				    const char *variable);

/* Adds an object of @type; of an array, its elements. */
MUST_CHECK bool pointees_add_object(struct ctypes *types, struct pointees *list,
				    const struct ctype *type, int64_t offset, bool is_exact,
				    const char *variable);

/* @list, met first, and @further are of one value: keeps the outer of what lies in one another. */
MUST_CHECK bool pointees_refine(struct ctypes *types, struct pointees *list,
				const struct pointees *further);

#endif
