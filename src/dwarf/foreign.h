/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a reference to the DIE it means: in the same unit, in another one (DW_FORM_ref_addr: link
 * time optimisation, dwz), in one of the alternate file (DW_FORM_GNU_ref_alt, DW_FORM_ref_sup:
 * dwz -m), or in a type unit that is named by its signature (DW_FORM_ref_sig8).
 */
#ifndef DWARF_FOREIGN_H
#define DWARF_FOREIGN_H

#include "dwarf/unit.h"

struct place {
	const struct unit *unit;
	uint32_t at;
};

/* One number for each DIE of the image and of its alternate file. */
static inline uint64_t place_key(struct place place)
{
	return (place.unit->offset + place.at) << 2 | place.unit->section;
}

/* The unit that begins at @offset, until fetch_done(). */
MUST_CHECK bool fetch_unit(struct reader *reader, enum unit_section section, uint64_t offset,
			   const struct unit **ret);
void fetch_done(struct reader *reader, const struct unit *unit);

/*
 * What @ref, an attribute of the DIE at @from, refers to. The unit is @from's own, or one that the
 * reader fetched and keeps until the matching follow_done().
 */
MUST_CHECK bool follow_far(struct reader *reader, struct place from, const struct value *ref,
			   struct place *ret);
MUST_CHECK static inline bool follow(struct reader *reader, struct place from,
				     const struct value *ref, struct place *ret)
{
	if (ref->kind == VALUE_REF && ref->u >= from.unit->root && ref->u < from.unit->size) {
		*ret = (struct place){from.unit, (uint32_t)ref->u};
		return true;
	}
	return follow_far(reader, from, ref, ret);
}
static inline void follow_done(struct reader *reader, struct place from, struct place to)
{
	if (to.unit != from.unit)
		fetch_done(reader, to.unit);
}

/* A unit as one number: place_key() of its beginning. */
static inline uint64_t unit_key(enum unit_section section, uint64_t offset)
{
	return offset << 2 | section;
}

/*
 * The unit that @ref, an attribute of the DIE at @from, imports: its section, and where it begins.
 * It is not fetched. UINT64_MAX: the reference does not leave the unit.
 */
MUST_CHECK bool find_import(struct reader *reader, struct place from, const struct value *ref,
			    enum unit_section *ret_section, uint64_t *ret_offset);

/* Frees what was fetched; all must be done with. */
void foreign_release(struct reader *reader);

/*
 * All units of a file, found when first asked for and shared by the threads: where they begin, and
 * which signature is whose.
 */
struct directory *directory_new(void);
void directory_free(struct directory *directory);

#endif
