/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shapes that exist, found by their bytes. */
#include <stdlib.h>
#include <string.h>

#include "dwarf/shapes.h"

enum { FIRST_SIZE = 1024 };

void shapes_init(struct shapes *s, struct reader *reader, struct names *names)
{
	*s = (struct shapes){.reader = reader, .names = names, .index_size = FIRST_SIZE};
	s->index = xcalloc(s->index_size, sizeof *s->index);
	memo_init(&s->here);
	memo_init(&s->elsewhere);
}

void shapes_release(struct shapes *s)
{
	free(s->words);
	free(s->items);
	free(s->index);
	free(s->stack);
	memo_release(&s->here);
	memo_release(&s->elsewhere);
	*s = (struct shapes){0};
}

void shapes_begin(struct shapes *s, const struct unit *unit)
{
	s->unit = unit;
	memo_forget(&s->here);
}

/* Two words at a time, multiplied and folded: the bytes are compared as well. */
static uint64_t hash_words(const uint64_t *words, size_t len)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ len;

	for (size_t i = 0; i < len; i += 2) {
		uint64_t a = words[i] ^ h;
		uint64_t b = (i + 1 < len ? words[i + 1] : 0) ^ 0x243f6a8885a308d3u;
		unsigned __int128 product = (unsigned __int128)a * b;

		h = (uint64_t)product ^ (uint64_t)(product >> 64);
	}
	return h ^ h >> 29;
}

static size_t find(const struct shapes *s, uint64_t hash, const uint64_t *words, size_t len)
{
	size_t mask = s->index_size - 1;
	size_t i = hash & mask;

	for (; s->index[i]; i = (i + 1) & mask) {
		const struct shape *shape = &s->items[s->index[i] - 1];

		if (shape->hash == hash && shape->len == len &&
		    memcmp(s->words + shape->start, words, len * sizeof *words) == 0)
			break;
	}
	return i;
}

static void grow_index(struct shapes *s)
{
	size_t mask;

	free(s->index);
	s->index_size *= 2;
	s->index = xcalloc(s->index_size, sizeof *s->index);
	mask = s->index_size - 1;
	for (size_t n = 0; n < s->n; n++) {
		size_t i = s->items[n].hash & mask;

		while (s->index[i])
			i = (i + 1) & mask;
		s->index[i] = (uint32_t)n + 1;
	}
}

static void add_words(struct shapes *s, const uint64_t *words, size_t len)
{
	if (s->nwords + len > s->cap_words) {
		while (s->nwords + len > s->cap_words)
			s->cap_words = s->cap_words ? 2 * s->cap_words : 4096;
		s->words = xrealloc_array(s->words, s->cap_words, sizeof *s->words);
	}
	memcpy(s->words + s->nwords, words, len * sizeof *words);
	s->nwords += len;
}

uint32_t shapes_intern(struct shapes *s, const uint64_t *words, size_t len)
{
	uint64_t hash = hash_words(words, len);
	size_t i = find(s, hash, words, len);

	if (s->index[i])
		return s->index[i] - 1;
	if (2 * s->n >= s->index_size) {
		grow_index(s);
		i = find(s, hash, words, len);
	}
	ARRAY_GROW(s->items, s->n, s->cap);
	s->items[s->n] = (struct shape){hash, s->nwords, (uint32_t)len};
	add_words(s, words, len);
	s->index[i] = (uint32_t)++s->n;
	return (uint32_t)s->n - 1;
}
