/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types that a command is asked for with -C. */
#ifndef CLI_TYPES_H
#define CLI_TYPES_H

#include "cli/options.h"
#include "cli/source.h"

/* What a reader has to load for all of them. */
extern const struct want want_all;

/* "a,b" is two names, but a comma between < and > belongs to a template's, where operators such as
 * operator-> and operator, open and end nothing. Each is added once, its text in @arena. */
void types_add(struct strings *types, const char *words, struct arena *arena);

/* Says that @name is not there, and what may have been meant. */
void types_say_missing(struct source *source, const char *name);

#endif
