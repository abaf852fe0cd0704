/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sections that this room reads. Those that are jumped around in are in memory; those that hold
 * units are read by window, unless they already are in memory (decompressed, relocated).
 */
#ifndef DWARF_SECTIONS_H
#define DWARF_SECTIONS_H

#include "elf/image.h"

enum unit_section {
	SECTION_INFO,  /* .debug_info */
	SECTION_TYPES, /* .debug_types: type units of version 4 */
	UNIT_SECTIONS,
	SECTION_ALTERNATE = UNIT_SECTIONS, /* .debug_info of the alternate file */
	ALL_UNIT_SECTIONS
};

struct span_of_bytes {
	const uint8_t *data;
	uint64_t size;
};

struct sections {
	const char *path;                         /* of the file that has them, for messages */
	bool swap;                                /* of the other byte order than this machine's */
	struct section *units[ALL_UNIT_SECTIONS]; /* NULL: absent */
	struct span_of_bytes abbrev, str, line_str, str_offsets;
	struct section *line;        /* NULL: absent */
	struct directory *directory; /* of units: dwarf/foreign.h */
	/*
	 * Those of the alternate file (dwz -m), which is of the same byte order and has no
	 * alternate file itself; NULL: there is none. Its .debug_info is among `units` here, so
	 * that an enum unit_section and an offset tell all units apart.
	 */
	struct sections *alternate;
	const struct split *split; /* they are the .dwo ones: dwarf/split.h; NULL: they are not */
};

/* The set that units of @section belong to, with their abbreviations, strings and line tables. */
static inline const struct sections *sections_of(const struct sections *sections,
						 enum unit_section section)
{
	return section == SECTION_ALTERNATE ? sections->alternate : sections;
}

/*
 * They live no longer than @image. An image without .debug_info is an error, and so is an alternate
 * file that is referred to and not found.
 */
MUST_CHECK bool sections_open(struct image *image, struct err *err, struct sections *ret);
/* The same of the sections .debug_*.dwo: of a .dwo or .dwp file, or those in an object. */
MUST_CHECK bool sections_open_split(struct image *image, const struct split *split, struct err *err,
				    struct sections *ret);
void sections_close(struct sections *sections);

/* ".debug_info", ".debug_types.dwo" */
const char *unit_section_name(const struct sections *sections, enum unit_section section);

/*
 * Bytes [offset, offset + len) of a section, which must have them: in @buffer (@len bytes), or
 * where they are when the section is in memory.
 */
MUST_CHECK bool sections_read(const struct sections *sections, const struct section *section,
			      uint64_t offset, uint64_t len, void *buffer, struct err *err,
			      const uint8_t **ret);

/*
 * The length of the unit at @offset, that of its length field included; it ends inside the section.
 * This is all that is read of it.
 */
MUST_CHECK bool sections_unit_size(const struct sections *sections, enum unit_section section,
				   uint64_t offset, struct err *err, uint64_t *ret);

/* The contents of a section, in memory; of one that is not there @ret is left as it is. */
MUST_CHECK bool section_bytes(struct image *image, const char *name, struct err *err,
			      struct span_of_bytes *ret);

#endif
