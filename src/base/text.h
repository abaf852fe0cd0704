/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small questions about strings: strict numbers, the nearest known word. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The whole of @s is one unsigned number, decimal or 0x hexadecimal, no sign, no blanks, and fits
 * 64 bits. False otherwise, @ret untouched.
 */
bool text_to_u64(const char *s, uint64_t *ret);

/*
 * The candidate that @word was probably meant to be: the first at the least edit distance, which is
 * at most a third of its length, or 1 for two letters. NULL: none, or a word above 64 bytes.
 */
const char *text_nearest(const char *word, const char *const *candidates, size_t n);

bool text_starts_with(const char *s, const char *prefix);
bool text_ends_with(const char *s, const char *suffix);

/* The same text, or NULL both. */
bool text_same(const char *a, const char *b);

#endif
