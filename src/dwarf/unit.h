/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Units (DWARF 5, 7.5.1) and the DIEs in them. Offsets of DIEs are counted from the start of their
 * unit, as references count them; `unit->offset` is the unit's own place in its section.
 *
 * A struct reader reads for one thread: it owns the abbreviation tables, the error, and the units
 * that it had to fetch because others refer to them.
 */
#ifndef DWARF_UNIT_H
#define DWARF_UNIT_H

#include "dwarf/abbrev.h"
#include "dwarf/sections.h"

struct unit {
	enum unit_section section;
	uint64_t offset;
	const uint8_t *bytes; /* the whole unit, its header included */
	uint32_t size;
	uint8_t type; /* DW_UT_*; what version 4 and older mean is translated, and so are the split
			 ones, which sections->split tells */
	struct form_params params;
	struct abbrev_table *abbrevs; /* the reader's */
	uint64_t abbrev_offset;
	uint64_t signature; /* of a type unit */
	uint32_t type_at;   /* the type it defines */
	uint32_t root;      /* its first DIE */
	/* From the root DIE. */
	uint32_t children; /* behind its attributes; 0: it has none */
	bool has_line_table;
	uint64_t line_table; /* DW_AT_stmt_list, in the sections: */
	const struct sections *lines;
	const char *comp_dir;      /* NULL: not said */
	uint64_t str_offsets_base; /* UINT64_MAX: not said */
	uint8_t lower_bound;       /* of arrays that do not say theirs */
	bool is_go;                /* where a function is a value: a pointer */
	bool nests_types;          /* a type may be defined inside another: not in C */
	/* Split DWARF. */
	bool is_skeleton;     /* what it describes is in the unit of that id elsewhere */
	bool is_unclaimed;    /* no skeleton of the program has its id */
	uint64_t dwo_id;      /* of a skeleton, and of its unit */
	const char *dwo_name; /* of a skeleton */
	uint64_t line_base;   /* where its line tables begin, in a package */
};

/* The attributes of one DIE; `v` holds those whose bit is set in `has`. */
struct die {
	const struct abbrev *abbrev;
	uint32_t at; /* from the start of its unit */
	uint32_t has;
	struct value v[SLOTS + 1]; /* the last: values passed over */
};

static inline bool die_has(const struct die *die, enum slot slot)
{
	return die->has >> slot & 1;
}

struct reader {
	const struct sections *sections;
	struct err *err;
	struct pinned_table **tables;
	size_t ntables, cap_tables;
	uint64_t clock;
	struct foreign *foreign; /* units fetched by dwarf/foreign.c; NULL: none yet */
	bool takes_skeletons;    /* else one is an error: what it leaves out would be missed */
};

void reader_init(struct reader *reader, const struct sections *sections, struct err *err);
void reader_release(struct reader *reader);

/* Fills the error with "file: .debug_info+0x1c: sentence", @at being counted as DIEs are. */
bool unit_fail(const struct reader *reader, const struct unit *unit, uint64_t at, const char *fmt,
	       ...) PRINTF_LIKE(4, 5);
#ifdef __clang_analyzer__ /* as in base/err.h */
#define unit_fail(...) ((unit_fail)(__VA_ARGS__), false)
#endif

/*
 * Reads the unit that begins at @bytes: its header, abbreviations and root DIE. All of the unit
 * must be there, @len bytes at most. unit_close() lets its abbreviations go.
 */
MUST_CHECK bool unit_open(struct reader *reader, enum unit_section section, uint64_t offset,
			  const uint8_t *bytes, uint64_t len, struct unit *ret);
void unit_close(struct reader *reader, struct unit *unit);

/* Only its header. */
MUST_CHECK bool unit_read_header(const struct reader *reader, enum unit_section section,
				 uint64_t offset, const uint8_t *bytes, uint64_t len,
				 struct unit *ret);

static inline struct cursor unit_cursor(const struct reader *reader, const struct unit *unit,
					uint32_t at)
{
	struct cursor c = cursor_over(unit->bytes, unit->size, reader->sections->swap);

	c.pos += at;
	return c;
}

/* What can be wrong with a DIE at @at before it is understood. */
bool die_fail_end(const struct reader *reader, const struct unit *unit, uint32_t at);
bool die_fail_code(const struct reader *reader, const struct unit *unit, uint32_t at,
		   uint64_t code);

/*
 * Reads the DIE at @c and stands behind its attributes; ret->abbrev is NULL when it is the null
 * entry that ends a list of children.
 */
MUST_CHECK bool die_read(struct reader *reader, const struct unit *unit, struct cursor *c,
			 struct die *ret);

/* DW_AT_decl_file and DW_AT_decl_line of a DIE; false when it lacks one. */
bool die_declaration(const struct reader *reader, const struct unit *unit, const struct die *die,
		     uint64_t *ret_file, uint64_t *ret_line);

/* Behind the attributes of a DIE: passes over its children, by its sibling when it names one. */
MUST_CHECK bool die_pass_children(struct reader *reader, const struct unit *unit, struct cursor *c,
				  const struct die *die);

/* Behind the code of a DIE: passes over its attributes and children. */
MUST_CHECK bool die_pass(struct reader *reader, const struct unit *unit, struct cursor *c,
			 const struct abbrev *abbrev);

/* A string of .debug_str of the image itself, which may be told by its offset alone. */
static inline bool string_is_offset(const struct unit *unit, const struct value *value)
{
	return (value->kind == VALUE_STRP || value->kind == VALUE_STRX) &&
	       unit->section != SECTION_ALTERNATE;
}

/* A string, wherever its form keeps it; it lives as long as the unit's bytes. */
MUST_CHECK bool unit_string(const struct reader *reader, const struct unit *unit,
			    const struct value *value, const char **ret);

/* Where in .debug_str of the unit's file a string of the forms strp and strx is. */
MUST_CHECK bool unit_str_offset(const struct reader *reader, const struct unit *unit,
				const struct value *value, uint64_t *ret);

#endif
