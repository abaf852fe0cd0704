/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of text in any order, and as one text: sorted, each once. */
#ifndef TESTS_BLOCKS_H
#define TESTS_BLOCKS_H

#include "base/buf.h"

struct blocks {
	char **items;
	size_t n, cap;
};

/* Takes the text over, and leaves @text empty. */
void blocks_add(struct blocks *blocks, struct buf *text);

/* Appends them to @ret, and frees them. */
void blocks_join(struct blocks *blocks, struct buf *ret);

#endif
