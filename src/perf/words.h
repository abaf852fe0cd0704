/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of a line of text that a profiler printed: what stands between blanks, and what it
 * says. The text need not end with a NUL and may hold any byte; blanks are spaces and tabs.
 */
#ifndef PERF_WORDS_H
#define PERF_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a text that lives elsewhere. */
struct text {
	const char *s;
	size_t len;
};

/* @s without the blanks at its ends, and without a carriage return behind it. */
struct text text_trim(const char *s, size_t len);
bool text_is(struct text text, const char *word);
bool text_begins(struct text text, const char *word);
bool text_has(struct text text, const char *word);

/*
 * Takes the next word off the front of @rest; what is left begins right behind it. False: there is
 * none.
 */
bool text_word(struct text *rest, struct text *ret);

/*
 * The same with cells: they end before two blanks or a tab, so that they may have single blanks
 * inside.
 */
bool text_cell(struct text *rest, struct text *ret);

/* All of it is a number: decimal; hexadecimal behind 0x. False, @ret untouched, otherwise. */
bool text_number(struct text text, uint64_t *ret);
bool text_hex(struct text text, uint64_t *ret);

/* All of it is a share, "12.34%" with any number of decimals, of at most 100 %; "-nan%" is 0: in
 * hundredths of a percent. */
bool text_share(struct text text, uint32_t *ret);

#endif
