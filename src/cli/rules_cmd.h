/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of `rules` that write packs. */
#ifndef CLI_RULES_CMD_H
#define CLI_RULES_CMD_H

#include "cli/common.h"

/* The groups that the source of @path marks, as a pack; exit status. */
int rules_from_markers(const struct common *common, const char *path);

/* Rules that hold for types of @path; exit status, 1 when one is not there. */
int rules_learn(const struct common *common, const struct strings *types, const char *path);

/* Tables of how members are accessed in @n documents, as a pack; @type, or NULL, is the struct of a
 * single one. */
int rules_import(const struct common *common, const char *type, const char *const *paths, size_t n);

#endif
