/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How wide text is on a terminal. */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include <stddef.h>

/*
 * Columns of @len bytes of text that has been escaped: two of an East Asian wide character, none of
 * a mark that combines with the one before it, one of any other (Unicode TR 11; whole blocks, which
 * is as exact as terminals are).
 */
size_t columns_of(const char *text, size_t len);

#endif
