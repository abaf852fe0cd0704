/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is put into a guest: its first process, the programs it runs, and what those need. */
#ifndef RECORD_TREE_H
#define RECORD_TREE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/* A program to run and its arguments. */
struct workload {
	const char *const *words;
	size_t n;
};

struct tree_options {
	const char *init; /* the program of src/init */
	const char *base; /* an initramfs that has the workloads and their libraries already, to be
			     unpacked before; NULL: they are taken from this machine */
	const struct workload *workloads;
	size_t nworkloads;
	const char *const *files; /* more of this machine: "PATH" or "PATH=PLACE" */
	size_t nfiles;
	bool marks; /* the first process sets the marks, around all workloads */
};

/*
 * Appends the archive to boot from. Programs without a slash are looked for in PATH; a script for
 * /bin/sh gets a static busybox for all that it calls.
 */
MUST_CHECK bool tree_make(const struct tree_options *options, struct err *err, struct buf *out);

#endif
