/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forms: how the value of an attribute is stored. Source: DWARF 5, 7.5.4 to 7.5.6; versions 2 to 4
 * are subsets, except that DW_FORM_ref_addr of version 2 has the size of an address.
 */
#ifndef DWARF_FORM_H
#define DWARF_FORM_H

#include "base/cursor.h"
#include "base/err.h"
#include "dwarf/constants.h"

/* What the sizes of some forms depend on. Offsets are 4 bytes in 32-bit DWARF, 8 in 64-bit. */
struct form_params {
	uint8_t version, address_size, offset_size;
};

enum value_kind {
	VALUE_UNSIGNED, /* also flags; two's complement when it may be negative is VALUE_SIGNED */
	VALUE_SIGNED,
	VALUE_BLOCK,     /* `data`, `len` bytes: blocks, exprloc, data16 */
	VALUE_STRING,    /* `data`, `len` bytes and a NUL: inline */
	VALUE_STRP,      /* `u`: offset into .debug_str */
	VALUE_LINE_STRP, /* `u`: offset into .debug_line_str */
	VALUE_STRX,      /* `u`: index into .debug_str_offsets */
	VALUE_REF,       /* `u`: offset of a DIE from the start of its unit */
	VALUE_REF_ADDR,  /* `u`: offset of a DIE in .debug_info */
	VALUE_REF_SIG,   /* `u`: signature of a type unit */
	VALUE_STRP_ALT,  /* `u`: offset into .debug_str of the alternate file */
	VALUE_REF_ALT,   /* `u`: offset of a DIE in .debug_info of the alternate file */
	VALUE_OFFSET,    /* `u`: offset into the section that the attribute is about */
	VALUE_OTHER,     /* addresses and list indexes: no attribute read here has one */
};

struct value {
	union {
		uint64_t u;
		const uint8_t *data; /* as long as the unit's bytes */
	};
	uint32_t len;
	uint8_t kind; /* enum value_kind */
};

/*
 * Forms in one byte: that of the standard. Those of GNU are other names for some of them, which
 * form_alias() tells.
 */
enum { FORMS = 0x2d };

static inline uint64_t form_alias(uint64_t form, struct form_params params)
{
	switch (form) {
	case DW_FORM_GNU_addr_index:
		return DW_FORM_addrx;
	case DW_FORM_GNU_str_index:
		return DW_FORM_strx;
	case DW_FORM_GNU_strp_alt:
		return DW_FORM_strp_sup;
	case DW_FORM_GNU_ref_alt:
		return params.offset_size == 8 ? DW_FORM_ref_sup8 : DW_FORM_ref_sup4;
	default:
		return form;
	}
}

/*
 * Tells the compact number of @form. False with the reason ("attribute form 0x99 is not known") for
 * @err's place.
 */
MUST_CHECK bool form_compact(uint64_t form, struct form_params params, const char *place,
			     struct err *err, uint8_t *ret);

/* Bytes that a value of each compact form takes; FORM_VARIES when its own bytes say. */
enum { FORM_VARIES = -1, FORM_UNKNOWN = -2 };
struct form_sizes {
	int8_t of[FORMS];
};
void form_sizes_init(struct form_sizes *sizes, struct form_params params);

/* enum value_kind of a compact form whose size is known. */
uint8_t form_kind(uint8_t form);

/* Passes over a value of a form that varies. Sets c->bad when it does not fit. */
void form_skip(struct cursor *c, uint8_t form, struct form_params params);

/* The value at @c, passed over. @implicit is what the abbreviation of DW_FORM_implicit_const holds.
 * Sets c->bad when it does not fit, or an indirect form cannot stand there. */
struct value form_read(struct cursor *c, uint8_t form, struct form_params params, int64_t implicit);

#endif
