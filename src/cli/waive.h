/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run lets be: --waivers, --today, and the waivers in packs. */
#ifndef CLI_WAIVE_H
#define CLI_WAIVE_H

#include "cli/common.h"
#include "rule/waivers.h"

struct waive_options {
	struct strings files;
	const char *today; /* NULL: not given */
};

/* The rows of both, for the table of a command that has `struct waive_options OPTIONS`. */
#define WAIVE_ROWS(OPTIONS)                                                                        \
	OPT_INPUTS(0, "waivers", "FILE", &(OPTIONS).files,                                         \
		   "a file of waivers, by fingerprint; repeatable"),                               \
		OPT_STRING(0, "today", "DATE", &(OPTIONS).today,                                   \
			   "the day that waivers are compared with, as\n"                          \
			   "2026-12-31 (default: SOURCE_DATE_EPOCH, else today)")

/*
 * Initializes @ret, whatever the result, with the day of --today, else of SOURCE_DATE_EPOCH, else
 * of the clock (UTC), which nothing else reads; and with the waivers of @packs and of the files.
 * False when something is wrong with those, which has been complained about.
 */
MUST_CHECK bool waive_open(const char *command, const struct waive_options *options,
			   const struct packs *packs, struct waivers *ret);

/* False when a waiver is ambiguous, which has been complained about. */
MUST_CHECK bool waive_finish(const struct waivers *waivers);

void waive_options_release(struct waive_options *options);

#endif
