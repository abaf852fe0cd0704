/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of `rules` that write packs. */
#ifndef CLI_RULES_CMD_H
#define CLI_RULES_CMD_H

#include "cli/common.h"
#include "rule/pack.h"

/* The groups that the source of @path marks, as a pack; exit status. */
int rules_from_markers(const struct common *common, const char *path);

/* Rules that hold for types of @path; exit status, 1 when one is not there. */
int rules_learn(const struct common *common, const struct strings *types, const char *path);

/* Tables of how members are accessed in @n documents, as a pack; @type, or NULL, is the struct of a
 * single one. */
int rules_import(const struct common *common, const char *type, const char *const *paths, size_t n);

/* The rules of packs as static assertions of C. */
struct rules_export {
	bool asserts;      /* --asserts: the only form there is */
	const char *image; /* -k, or NULL */
	int fail_on;       /* enum severity: the least that is asserted */
};

/* Exit status, 1 when none can be asserted. */
int rules_export(const struct common *common, const struct rules_export *options,
		 const struct packs *packs);

#endif
