/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/wanted.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- the set of offsets ---------------------------------------------------------------------- */

static size_t find_offset(const struct wanted *wanted, uint64_t offset)
{
	size_t mask = wanted->offsets_size - 1;
	size_t i = (size_t)(offset * 0x9e3779b97f4a7c15u >> 32) & mask;

	while (wanted->offsets[i] && wanted->offsets[i] != offset + 1)
		i = (i + 1) & mask;
	return i;
}

bool wanted_offset_exactly(const struct wanted *wanted, uint64_t offset)
{
	return wanted->offsets_size && wanted->offsets[find_offset(wanted, offset)];
}

static void grow(struct wanted *wanted)
{
	uint64_t *old = wanted->offsets;
	size_t n = wanted->offsets_size;

	wanted->offsets_size = n ? 2 * n : 64;
	wanted->offsets = xcalloc(wanted->offsets_size, sizeof *wanted->offsets);
	for (size_t i = 0; i < n; i++)
		if (old[i])
			wanted->offsets[find_offset(wanted, old[i] - 1)] = old[i];
	free(old);
}

static void add_offset(struct wanted *wanted, uint64_t offset)
{
	uint32_t bit = wanted_filter_bit(offset);
	size_t i;

	if (2 * wanted->noffsets >= wanted->offsets_size)
		grow(wanted);
	i = find_offset(wanted, offset);
	if (wanted->offsets[i])
		return;
	wanted->offsets[i] = offset + 1;
	wanted->noffsets++;
	wanted->filter[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* ---- finding the names in .debug_str --------------------------------------------------------- */

/*
 * Names are sorted into chains by their last two characters. At each NUL of the section the two
 * bytes before it pick a chain, which is empty for nearly all of them.
 */
struct endings {
	uint8_t some[1 << 16 >> 3]; /* a bit for each pair of bytes */
	uint32_t *head;             /* of the chain for a pair: index + 1, 0 when empty */
	uint32_t *next;
	uint32_t *length;
};

static uint16_t pair_at(const char *end)
{
	uint16_t pair;

	memcpy(&pair, end - 2, sizeof pair);
	return pair;
}

static void add_ending(struct endings *e, uint16_t pair, uint32_t name)
{
	e->some[pair >> 3] |= (uint8_t)(1u << (pair & 7));
	e->next[name] = e->head[pair];
	e->head[pair] = name + 1;
}

/* @len bytes end at @end; each name that they end in has a place there. */
static void try_endings(struct wanted *wanted, const struct endings *e, const uint8_t *start,
			const uint8_t *end)
{
	size_t len = (size_t)(end - start);

	for (uint32_t i = e->head[pair_at((const char *)end)]; i; i = e->next[i - 1]) {
		uint32_t length = e->length[i - 1];

		if (length <= len && memcmp(end - length, wanted->names[i - 1], length) == 0)
			add_offset(wanted, (uint64_t)(end - length - start));
	}
}

/* One-character names are few: each costs a pass of its own. */
static void find_single(struct wanted *wanted, const struct span_of_bytes *str, char c)
{
	for (uint64_t i = 0; i + 1 < str->size; i++)
		if (str->data[i] == (uint8_t)c && str->data[i + 1] == '\0')
			add_offset(wanted, i);
}

static void find_endings(struct wanted *wanted, const struct endings *e,
			 const struct span_of_bytes *str)
{
	const uint8_t *end, *limit;

	if (!str->size)
		return;
	limit = str->data + str->size;
	for (const uint8_t *p = str->data; p < limit; p = end + 1) {
		end = memchr(p, '\0', (size_t)(limit - p));
		if (!end)
			return;
		if (end - str->data >= 2) {
			uint16_t pair = pair_at((const char *)end);

			if (e->some[pair >> 3] >> (pair & 7) & 1)
				try_endings(wanted, e, str->data, end);
		}
	}
}

static void find_in_section(struct wanted *wanted, const struct span_of_bytes *str)
{
	struct endings e = {.head = xcalloc(1 << 16, sizeof *e.head),
			    .next = xcalloc(wanted->n, sizeof *e.next),
			    .length = xcalloc(wanted->n, sizeof *e.length)};

	for (uint32_t i = 0; i < wanted->n; i++) {
		const char *name = wanted->names[i];

		e.length[i] = (uint32_t)strlen(name);
		if (e.length[i] >= 2)
			add_ending(&e, pair_at(name + e.length[i]), i);
		else if (e.length[i] == 1)
			find_single(wanted, str, *name);
	}
	find_endings(wanted, &e, str);
	free(e.head);
	free(e.next);
	free(e.length);
}

/* ---- names that stand elsewhere -------------------------------------------------------------- */

static size_t find_text(const struct wanted *wanted, const char *text)
{
	size_t mask = wanted->by_text_size - 1;
	size_t i = hash128(text, strlen(text)).lo & mask;

	while (wanted->by_text[i] && strcmp(wanted->names[wanted->by_text[i] - 1], text) != 0)
		i = (i + 1) & mask;
	return i;
}

bool wanted_text(const struct wanted *wanted, const char *text)
{
	return wanted->all || wanted->by_text[find_text(wanted, text)];
}

void wanted_init(struct wanted *wanted, const struct want *want, const bool *have,
		 const struct sections *sections)
{
	*wanted = (struct wanted){.all = want->all, .by_text_size = 16};
	wanted->names = xcalloc(want->n, sizeof *wanted->names);
	for (size_t i = 0; i < want->n; i++)
		if (!have || !have[i])
			wanted->names[wanted->n++] = want->names[i];
	while (wanted->by_text_size < 2 * wanted->n)
		wanted->by_text_size *= 2;
	wanted->by_text = xcalloc(wanted->by_text_size, sizeof *wanted->by_text);
	for (size_t i = 0; i < wanted->n; i++)
		wanted->by_text[find_text(wanted, wanted->names[i])] = (uint32_t)i + 1;
	if (!wanted->all && wanted->n)
		find_in_section(wanted, &sections->str);
}

void wanted_release(struct wanted *wanted)
{
	free(wanted->names);
	free(wanted->by_text);
	free(wanted->offsets);
	*wanted = (struct wanted){0};
}
