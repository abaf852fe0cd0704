/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of a test's own, where it has compilers make what it reads. Everything here fails the
 * test that calls it when it cannot do what it says. One a program.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "base/err.h"
#include "base/file.h"

/* Group setup and teardown for cmocka. */
int scratch_make(void **state);
int scratch_remove(void **state);

/* The path of a file in it; valid until the end of the program. */
const char *scratch_path(const char *name);

void scratch_write(const char *name, const char *text);
struct bytes scratch_read(const char *name);

/* A shell command that runs in the directory and must succeed. */
void scratch_run(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
