/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory for the time of one run, and the signals that would end the run and leave it behind:
 * from workdir_begin() to workdir_end() SIGHUP, SIGINT and SIGTERM are only remembered. One that
 * the process was started to ignore stays ignored. One at a time.
 */
#ifndef RECORD_WORKDIR_H
#define RECORD_WORKDIR_H

#include "base/err.h"

struct workdir {
	char *dir; /* below $TMPDIR, else /tmp; for this user alone */
};

MUST_CHECK bool workdir_begin(struct err *err, struct workdir *ret);

/* "DIR/NAME", malloc'd. */
char *workdir_path(const struct workdir *workdir, const char *name);

/* The first signal that came; 0: none. */
int workdir_signal(void);

/* Removes the directory and the files in it. A signal that came is then taken: it ends the process,
 * as it would have. */
void workdir_end(struct workdir *workdir);

#endif
