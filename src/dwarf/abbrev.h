/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Abbreviation tables (DWARF 5, 7.5.3), compiled for two readers in a hurry: one that looks at the
 * tag and name of a DIE and jumps to its sibling, and one that wants the few attributes that make a
 * layout.
 *
 * A table belongs to one thread. Steps are made when an abbreviation is first read.
 */
#ifndef DWARF_ABBREV_H
#define DWARF_ABBREV_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/mem.h"
#include "dwarf/constants.h"
#include "dwarf/form.h"
#include "dwarf/slot.h"

/* What a DIE is to somebody who looks for definitions. */
enum role {
	ROLE_NONE,
	ROLE_COMPOSITE, /* a struct, union or class that may be a named definition */
	ROLE_TYPEDEF,
	ROLE_SCOPE,  /* a namespace or module */
	ROLE_CODE,   /* a function, or a block in one */
	ROLE_IMPORT, /* what another unit holds is this one's too */
};

/* One move through the attributes of a DIE: pass over `skip` bytes, then read a value. */
struct step {
	uint16_t skip;
	uint8_t slot, form;
	int8_t size;      /* of the value: 0, 1, 2, 4 or 8 bytes; else FORM_VARIES */
	uint8_t kind;     /* enum value_kind, of a value with a size */
	int64_t implicit; /* the value of one without bytes */
};

/*
 * For DIEs that can be passed over without a look at anything but a name in .debug_str: where in
 * the first LANE_BYTES behind the code the name is, and the way to the next DIE: its length, or
 * the place of DW_AT_sibling. Everything is 4 bytes long.
 */
enum { LANE_BYTES = 64 };
struct lane {
	bool open;  /* it is such a DIE */
	bool named; /* the name decides: it may be a definition */
	bool jumps; /* by its sibling */
	uint8_t name_at, sibling_at;
};

enum { POSITION_NONE = 0xffff, STEPS_NONE = 0xffff };

struct abbrev {
	uint32_t specs; /* where its attributes are listed, from the start of the table */
	uint32_t first_step;
	uint32_t shape;  /* dwarf/shapes.c's, + 1, of a type that this alone describes; 0: none */
	uint16_t nsteps; /* STEPS_NONE: not made yet */
	uint16_t tag;
	uint16_t fixed; /* bytes of all its values, when no form varies; else POSITION_NONE */
	/* Bytes before the value, when nothing before it varies; else, or absent, POSITION_NONE. */
	uint16_t name_at, sibling_at;
	uint8_t name_form, sibling_form; /* compact; 0: absent */
	bool has_children;
	uint8_t role; /* enum role */
	struct lane lane;
};

struct abbrev_table {
	/* The key: one table read with other sizes is another table. */
	uint64_t offset;
	struct form_params params;
	bool swap;
	const uint8_t *specs; /* bytes from the start of the table to the end of the section */
	uint64_t specs_len;
	struct form_sizes sizes;
	/* The first `dense` have the codes 1, 2, 3...; the others are found through `index`. */
	struct abbrev *items;
	uint64_t *codes; /* of the items */
	size_t n, cap, dense;
	uint32_t *index; /* open addressing; 0: free, else item + 1; NULL when all are dense */
	size_t index_size;
	struct step *steps;
	size_t nsteps, cap_steps;
};

/*
 * Compiles the table at @offset of .debug_abbrev (@data, @len) into @table, which is zeroed or
 * holds an earlier table. @path is for messages. On failure the table holds nothing.
 */
MUST_CHECK bool abbrev_compile(struct abbrev_table *table, const char *path, const uint8_t *data,
			       uint64_t len, uint64_t offset, bool swap, struct form_params params,
			       struct err *err);
void abbrev_release(struct abbrev_table *table);

const struct abbrev *abbrev_find_sparse(const struct abbrev_table *table, uint64_t code);
void abbrev_make_steps(struct abbrev_table *table, struct abbrev *abbrev);

/* One attribute of an abbreviation, as it stands in the section; all zero ends the list. */
struct spec {
	uint64_t attribute, form;
	int64_t implicit; /* of DW_FORM_implicit_const */
};

static inline struct spec abbrev_read_spec(struct cursor *c)
{
	struct spec spec = {cursor_uleb(c), cursor_uleb(c), 0};

	if (spec.form == DW_FORM_implicit_const)
		spec.implicit = cursor_sleb(c);
	return spec;
}

/* NULL: no such code. */
static inline const struct abbrev *abbrev_find(const struct abbrev_table *table, uint64_t code)
{
	if (code - 1 < table->dense)
		return &table->items[code - 1];
	return abbrev_find_sparse(table, code);
}

/* Its steps; *ret_n of them. */
static inline const struct step *abbrev_steps(struct abbrev_table *table,
					      const struct abbrev *abbrev, unsigned *ret_n)
{
	if (abbrev->nsteps == STEPS_NONE)
		abbrev_make_steps(table, &table->items[abbrev - table->items]);
	*ret_n = abbrev->nsteps;
	return table->steps + abbrev->first_step;
}

#endif
