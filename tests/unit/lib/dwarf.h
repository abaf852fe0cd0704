/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF that compilers do not write on request: any version, byte order and form, sound or not.
 *
 *	struct dw *dw = dw_new(5, 8, false);
 *	dw_unit(dw, DW_UT_compile);
 *	dw_die(dw, DW_TAG_compile_unit, true, DW_END);
 *	dw_label(dw, 1);
 *	dw_die(dw, DW_TAG_base_type, false, DW_AT_byte_size, DW_FORM_data1, 4, DW_END);
 *	dw_die(dw, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_string, "s", ..., DW_END);
 *	dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_ref4, 1, ..., DW_END);
 *	dw_null(dw);
 *	dw_null(dw);
 *	dw_unit_end(dw);
 */
#ifndef TESTS_DWARF_H
#define TESTS_DWARF_H

#include "base/buf.h"
#include "dwarf/constants.h"
#include "dwarf/dwarf.h"

enum { DW_END = 0, DW_LABELS = 64 };

/* The commonest attributes. */
#define DW_NAME(s)  DW_AT_name, DW_FORM_string, s
#define DW_SIZE(n)  DW_AT_byte_size, DW_FORM_data1, n
#define DW_TYPE(l)  DW_AT_type, DW_FORM_ref4, l
#define DW_PLACE(n) DW_AT_data_member_location, DW_FORM_data1, n

struct dw {
	unsigned version, address_size;
	bool big, wide; /* wide: 64-bit DWARF */
	struct buf info, types, abbrev, str, line_str, str_offsets, line;
	const char *more_name; /* of one more section, which has the bytes of `more`; NULL: none */
	struct buf more;
	struct buf *out; /* info or types */
	uint64_t next_code;
	size_t unit;        /* where the one being written begins */
	size_t table;       /* where its abbreviations begin */
	uint64_t signature; /* of the next type unit; its type is label 0 */
	struct dw_label {
		size_t at; /* from the start of its unit */
		size_t unit;
		bool known;
	} labels[DW_LABELS];
	struct dw_fixup {
		struct buf *buf;
		size_t at, unit;
		unsigned size, label;
		bool whole; /* counted from the start of the section */
	} * fixups;
	size_t nfixups, cap_fixups;
};

struct dw *dw_new(unsigned version, unsigned address_size, bool big);
void dw_free(struct dw *dw);

/* The usual beginning of one: a compile unit, and `int` of 4 bytes as label 1. */
void dw_begin(struct dw *dw);

/* Its end: the null entry, the length. */
void dw_finish(struct dw *dw);

/* A struct of one member `a` at @at, of the type at @label. */
void dw_struct(struct dw *dw, const char *name, unsigned size, unsigned label, unsigned at);

/* The header of a unit of dw->version; dw_unit_end() sets its length. Labels live on. */
void dw_unit(struct dw *dw, unsigned type);
void dw_unit_end(struct dw *dw);

/*
 * A DIE with an abbreviation of its own: attribute, form, value, ..., DW_END. A value is a number
 * (int or smaller), with `ULL` for data8, udata, sdata, sig8 and implicit_const; a string for
 * string, strp, line_strp and the strx forms; a label for references, but an offset for those into
 * an alternate file; bytes and their number for blocks and exprloc; nothing for flag_present.
 */
void dw_die(struct dw *dw, unsigned tag, int children, ...);
void dw_null(struct dw *dw);
void dw_label(struct dw *dw, unsigned label);

/*
 * A line table of dw->version without lines: file 1 is @name in @dir, which is directory 1; in
 * version 5 file 0 is unit.c in @comp_dir.
 */
void dw_line_table(struct dw *dw, const char *comp_dir, const char *dir, const char *name);

/* A number of @size bytes in the byte order at hand; DWARF's variable length. */
void dw_uint(const struct dw *dw, struct buf *buf, uint64_t value, unsigned size);
void dw_uleb(struct buf *buf, uint64_t value);
void dw_sleb(struct buf *buf, int64_t value);

/*
 * The object file as a path that can be opened until dw_close(). Sections are cut off behind @keep
 * bytes when @cut names them (NULL: none).
 */
const char *dw_open(struct dw *dw, const char *cut, size_t keep);
void dw_close(const char *path);

/* Reads all definitions, or those of @name. NULL: failed, and @err says why. */
struct layout *dw_read(struct dw *dw, const char *name, struct err *err);
struct layout *dw_read_cut(struct dw *dw, const char *name, const char *cut, size_t keep,
			   struct err *err);

/* Everything the layout says, as text. */
void dw_dump(const struct layout *layout, struct buf *ret);

/* The text of all of it is this. */
void dw_expect(struct dw *dw, const char *name, const char *expected);

/* Reading fails with a sentence that has @part in it. */
void dw_refuse(struct dw *dw, const char *name, const char *part);

#endif
