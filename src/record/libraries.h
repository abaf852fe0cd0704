/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a program of this machine needs to run in a guest that has nothing else: its interpreter and
 * the shared libraries of it and of those, looked for as ld.so does: DT_RPATH and DT_RUNPATH with
 * $ORIGIN, then the directories of /etc/ld.so.conf, then the usual ones. What a program opens by
 * dlopen() is not seen. Scripts name their interpreter in the first line.
 *
 * Formats: gABI chapter 5 (program headers, dynamic section), ld.so(8), execve(2).
 */
#ifndef RECORD_LIBRARIES_H
#define RECORD_LIBRARIES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

enum program_kind { PROGRAM_STATIC, PROGRAM_DYNAMIC, PROGRAM_SCRIPT };

struct library {
	const char *name; /* as programs ask for it, "libc.so.6" */
	const char *path;
};

struct program {
	enum program_kind kind;
	const char *interpreter; /* of a dynamic program or a script; else NULL */
	struct library *libraries;
	size_t n;
};

/*
 * The file that the first word of a command line means: one without a slash is looked for in PATH.
 * NULL: it is not there, or cannot be run.
 */
const char *program_find(const char *word, struct arena *arena);

/*
 * What the program at @path is and needs; strings in @arena. What is neither a program of x86-64
 * nor a script, or needs a library that is not there, is an error.
 */
MUST_CHECK bool program_read(const char *path, struct arena *arena, struct err *err,
			     struct program *ret);

#endif
