/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types as edits would have them: `show --what-if`. */
#ifndef CLI_WHAT_IF_H
#define CLI_WHAT_IF_H

#include "cli/views.h"

/* Reads the edits, in @arena. False: the first mistake is said. */
bool what_if_parse(const char *const *texts, size_t n, struct arena *arena, struct edit **ret);

/*
 * The view of @def after the edits, its rules judged anew, with the view from before. Everything in
 * @arena. False: @err says why it cannot be done.
 */
MUST_CHECK bool what_if_view(const struct def *def, const struct layout *layout,
			     const struct packs *packs, uint64_t line, const struct edit *edits,
			     size_t n, struct arena *arena, struct err *err, struct view *ret);

#endif
