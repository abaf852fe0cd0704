/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What takes a while is said on standard error, for a person who waits: on a terminal, only once
 * half a second has passed, and wiped when it is over. One thing at a time.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/common.h"

/* "reading vmlinux (DWARF)". WHEN_ALWAYS writes a line at once, for a log. */
void progress_begin(enum when when, const char *fmt, ...) PRINTF_LIKE(2, 3);
void progress_end(void);

/* How much of it is done, which is shown in percent from the next time it is drawn. @all 0: not
 * known. Cheap: it may be called often, from any thread. */
void progress_tell(uint64_t done, uint64_t all);

#endif
