/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names as small numbers, so that serialised layouts compare names by content although a linker may
 * have left several copies of one. 0 is no name at all. One per thread.
 */
#ifndef DWARF_NAMES_H
#define DWARF_NAMES_H

#include "base/mem.h"
#include "dwarf/unit.h"

struct names {
	struct arena arena; /* of those that do not live in a section */
	const char **text;  /* by number; NULL for 0 */
	uint64_t *hash;
	size_t *size;        /* bytes */
	uint64_t used, most; /* bytes of all that were attributes, and how many those may be */
	size_t n, cap;
	uint32_t *index; /* by content: open addressing, 0 is free */
	size_t index_size;
	struct name_offset {
		uint32_t offset, id; /* id 0: free */
	} * offsets;                 /* offsets of .debug_str of the image that were seen */
	size_t noffsets, offsets_size;
};

/*
 * Strings can be shared, and begin within others: a small file could have names of gigabytes. So
 * many bytes of them may be used in all; more than any compiler makes of that much debug info is an
 * error.
 */
uint64_t names_most(const struct sections *sections);
MUST_CHECK bool names_are_few(const char *path, uint64_t used, uint64_t most, struct err *err);

void names_init(struct names *names, const struct sections *sections);
void names_release(struct names *names);

/* The number of @text, which is copied unless it @stays as long as the names do. */
uint32_t names_add(struct names *names, const char *text, bool stays);

/* The number of the string at @offset of @str, .debug_str, which has so many bytes. */
uint32_t names_add_offset(struct names *names, const struct span_of_bytes *str, uint64_t offset);

/*
 * Hardly a string stands twice in the beginning of .debug_str: a linker has merged them, and equal
 * names are at equal offsets. In object files, and in what ld -r made of several, they are not.
 */
bool names_are_merged(const struct sections *sections);

/* The number of a string that is an attribute of a DIE in @unit. */
MUST_CHECK bool names_add_value(struct names *names, const struct reader *reader,
				const struct unit *unit, const struct value *value, uint32_t *ret);

#endif
