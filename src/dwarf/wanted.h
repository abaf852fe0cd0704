/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which names are wanted, asked of millions of DIEs.
 *
 * Most names are offsets into .debug_str. One pass over that section finds every place where
 * "name\0" stands, the tails of longer strings included (linkers merge those), however many names
 * there are; after it a name costs a look into a filter of 4 KiB. Other names are compared.
 */
#ifndef DWARF_WANTED_H
#define DWARF_WANTED_H

#include "dwarf/sections.h"
#include "layout/model.h"

enum { FILTER_BITS = 15 };

struct wanted {
	bool all; /* every name is */
	const char **names;
	size_t n;
	uint32_t *by_text; /* open addressing over the names, 0 is free, else index + 1 */
	size_t by_text_size;
	uint64_t filter[(1 << FILTER_BITS) / 64]; /* of offsets, hashed */
	uint64_t *offsets;                        /* open addressing; 0 is free, else offset + 1 */
	size_t noffsets, offsets_size;
};

/* The names of @want, those left out for which @have says true (@have may be NULL). */
void wanted_init(struct wanted *wanted, const struct want *want, const bool *have,
		 const struct sections *sections);
void wanted_release(struct wanted *wanted);

bool wanted_text(const struct wanted *wanted, const char *text);
bool wanted_offset_exactly(const struct wanted *wanted, uint64_t offset);

static inline uint32_t wanted_filter_bit(uint64_t offset)
{
	return (uint32_t)offset * 0x9e3779b1u >> (32 - FILTER_BITS);
}

/* The string at @offset of .debug_str is wanted. */
static inline bool wanted_offset(const struct wanted *wanted, uint64_t offset)
{
	uint32_t bit = wanted_filter_bit(offset);

	if (wanted->all)
		return true;
	return wanted->filter[bit / 64] >> bit % 64 & 1 && wanted_offset_exactly(wanted, offset);
}

#endif
