/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every target of tests/fuzz is: one function that takes any bytes, and breaks nothing. A
 * target holds what it calls to its contract with fuzz_want(): a sentence or a result, never both,
 * never none.
 *
 * With libFuzzer it is fed for as long as `make fuzz` says; with replay.c it is fed the files of
 * tests/fuzz/corpus, by `make check`.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Returns 0, libFuzzer's word for "go on". Its name and type are libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as a file, in memory; its path is valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* A promise of the code under test; ends the process when it is broken. */
void fuzz_want(bool truth, const char *promise);

/* An answer: true without an error, or false with one sentence, on one line. Releases it. */
void fuzz_answer(bool ok, struct err *err);

#endif
