/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF that is damaged, hostile, or of a kind that is not supported: one sentence each, no more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/dwarf.h"

static struct dw *begun(unsigned version)
{
	struct dw *dw = dw_new(version, 8, false);

	dw_begin(dw);
	return dw;
}

static void refused(struct dw *dw, const char *part)
{
	dw_refuse(dw, NULL, part);
	dw_free(dw);
}

static void finish_and_refuse(struct dw *dw, const char *part)
{
	dw_finish(dw);
	refused(dw, part);
}

/* ---- types of types -------------------------------------------------------------------------- */

static void holds_itself(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_label(dw, 2);
	dw_struct(dw, "s", 4, 2, 0);
	finish_and_refuse(dw, "the type holds itself");

	dw = begun(4);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_array_type, false, DW_TYPE(2), DW_END);
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("t"), DW_TYPE(3), DW_END);
	dw_struct(dw, "s", 4, 2, 0);
	finish_and_refuse(dw, "the type holds itself");

	dw = begun(4);
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_const_type, false, DW_TYPE(2), DW_END);
	dw_struct(dw, "s", 4, 2, 0);
	finish_and_refuse(dw, "the type holds itself");
}

/* In another unit, and back. */
static void holds_itself_elsewhere(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(4), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_ref_addr, 3, DW_END);
	dw_null(dw);
	dw_finish(dw);
	dw_begin(dw);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("t"), DW_SIZE(4), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_ref_addr, 2, DW_END);
	dw_null(dw);
	finish_and_refuse(dw, "the type holds itself");
}

/* A pointer to itself lays out well, but cannot be spelled. */
static void made_of_itself(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_pointer_type, false, DW_SIZE(8), DW_TYPE(2), DW_END);
	dw_struct(dw, "s", 8, 2, 0);
	finish_and_refuse(dw, "the type is made of itself");
}

/* const const ... int, each outside of the one before. */
static void qualifiers(struct dw *dw, unsigned n, unsigned tag)
{
	for (unsigned i = 0; i < n; i++) {
		size_t at = dw->out->len - dw->unit;

		dw_die(dw, tag, false, DW_AT_byte_size, DW_FORM_implicit_const, UINT64_C(8),
		       DW_AT_type, DW_FORM_ref_udata, 1, DW_END);
		dw->labels[1].at = at;
	}
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(8), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_ref_udata, 1, DW_END);
	dw_null(dw);
}

static void absurd_depth(void **state)
{
	struct dw *dw = begun(4);
	size_t at;

	(void)state;
	qualifiers(dw, 5000, DW_TAG_const_type);
	finish_and_refuse(dw, "types are nested over 1000 levels deep");
	dw = begun(4);
	qualifiers(dw, 5000, DW_TAG_pointer_type);
	finish_and_refuse(dw, "types are nested too deeply");
	dw = begun(4);
	for (unsigned i = 0; i < 5000; i++) {
		at = dw->out->len - dw->unit;
		dw_die(dw, DW_TAG_structure_type, true, DW_SIZE(4), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_ref_udata, 1, DW_END);
		dw_null(dw);
		dw->labels[1].at = at;
	}
	dw_struct(dw, "s", 4, 1, 0);
	finish_and_refuse(dw, "types are nested over 1000 levels deep");
	dw = begun(4);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_END);
	for (unsigned i = 0; i < 5000; i++)
		dw_die(dw, DW_TAG_variant_part, true, DW_END);
	dw_unit_end(dw);
	refused(dw, "types are nested over 1000 levels deep");
	dw = begun(4);
	for (unsigned i = 0; i < 5000; i++)
		dw_die(dw, DW_TAG_namespace, true, DW_END);
	dw_unit_end(dw);
	refused(dw, "DIEs are nested over 500 levels deep");
}

/* f2 takes f1 twice, f3 takes f2 twice: spelled out, the last one would fill any memory. */
static void spelling_that_doubles(void **state)
{
	struct dw *dw = begun(4);
	struct err err = ERR_INIT;
	struct layout *layout;
	size_t at;

	(void)state;
	for (unsigned i = 0; i < 64; i++) {
		at = dw->out->len - dw->unit;
		dw_die(dw, DW_TAG_subroutine_type, true, DW_END);
		for (unsigned k = 0; k < 2; k++)
			dw_die(dw, DW_TAG_formal_parameter, false, DW_AT_type, DW_FORM_ref_udata, 1,
			       DW_END);
		dw_null(dw);
		dw->labels[1].at = at;
	}
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref_udata, 1, DW_END);
	dw_struct(dw, "s", 8, 2, 0);
	dw_finish(dw);
	layout = dw_read(dw, NULL, &err);
	assert_non_null(layout);
	assert_int_equal(layout->defs[0].type->members[0].bit_size, 64);
	assert_true(strlen(layout->defs[0].type->members[0].type->spelling) < 100000);
	layout_free(layout);
	dw_free(dw);
}

/* ---- references, forms, abbreviations -------------------------------------------------------- */

static void bad_references(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_struct(dw, "s", 4, 2, 0);
	dw_label(dw, 2);
	dw->labels[2].at = 5000;
	finish_and_refuse(dw, "a reference to 0x1388 leaves the unit");

	dw = begun(4);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_ref_addr, 2, DW_END);
	dw_label(dw, 2);
	dw->labels[2].at = 5000;
	dw_null(dw);
	finish_and_refuse(dw, "behind the end of .debug_info");

	dw = begun(4);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_ref_sig8, UINT64_C(0x77), DW_END);
	dw_null(dw);
	finish_and_refuse(dw, "no type unit has the signature 0x0000000000000077");

	dw = begun(4);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_type, DW_FORM_data4, 11, DW_END);
	dw_null(dw);
	finish_and_refuse(dw, "a reference of an unexpected form");

	dw = begun(4);
	dw_label(dw, 2);
	dw_struct(dw, "s", 4, 3, 0);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_lexical_block, false, DW_END);
	finish_and_refuse(dw, "tag 0xb is no type");

	dw = begun(4);
	dw_struct(dw, "s", 4, 3, 0);
	dw_label(dw, 3);
	finish_and_refuse(dw, "a reference leads to the end of a list");
}

static void bad_siblings(void **state)
{
	static const size_t places[] = {0, 11, 5000};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct dw *dw = begun(4);

		dw_die(dw, DW_TAG_enumeration_type, true, DW_AT_sibling, DW_FORM_ref4, 2, DW_END);
		dw_label(dw, 2);
		dw->labels[2].at = places[i];
		dw_null(dw);
		for (unsigned k = 0; k < 80; k++) /* room for the fast lane */
			dw_die(dw, DW_TAG_pointer_type, false, DW_END);
		finish_and_refuse(dw, "does not lead forward in the unit");
	}
}

static void bad_names(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strp, "s", DW_END);
	dw->info.s[dw->info.len - 4] = 100;
	dw_finish(dw);
	dw_refuse(dw, "other", "string offset 0x64 is behind the end of .debug_str");
	refused(dw, "string offset 0x64 is behind the end of .debug_str");

	dw = begun(4);
	dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_data1, 1, DW_END);
	finish_and_refuse(dw, "a name is not a string");

	dw = begun(5);
	dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strx1, "s", DW_END);
	finish_and_refuse(dw, "no DW_AT_str_offsets_base");

	dw = dw_new(5, 8, false);
	dw_unit(dw, DW_UT_compile);
	dw_die(dw, DW_TAG_compile_unit, true, DW_AT_str_offsets_base, DW_FORM_sec_offset, 8,
	       DW_END);
	dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strx1, "s", DW_END);
	dw->info.s[dw->info.len - 1] = 1;
	finish_and_refuse(dw, "string index 1 is behind the end of .debug_str_offsets");

	dw = begun(4);
	dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strp, "s", DW_END);
	dw->str.len--;
	finish_and_refuse(dw, ".debug_str: the last string has no end");
}

static void bad_abbreviations(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_uleb(dw->out, 99);
	finish_and_refuse(dw, "abbreviation code 99 is not in the table at 0x0");

	dw = begun(4);
	dw_die(dw, DW_TAG_base_type, false, DW_AT_name, DW_FORM_indirect, DW_FORM_implicit_const,
	       UINT64_C(0), DW_END);
	finish_and_refuse(dw, "the unit ends inside a DIE");

	dw = begun(4);
	dw_die(dw, DW_TAG_base_type, false, DW_AT_name, 0x99, 0, DW_END);
	finish_and_refuse(dw, "attribute form 0x99 is not known");

	dw = begun(4);
	dw_die(dw, 0x12345, false, DW_END);
	finish_and_refuse(dw, "tag 0x12345 is not known");

	dw = begun(4);
	dw->next_code = 2;
	dw_die(dw, DW_TAG_base_type, false, DW_END);
	finish_and_refuse(dw, "abbreviation code 2 is there twice");

	dw = begun(4);
	dw_finish(dw);
	dw->abbrev.len--;
	refused(dw, ".debug_abbrev+0xe: the section ends inside the table that begins at 0x0");
}

/* ---- split DWARF ------------------------------------------------------------------------------
 */

/* Skeletons whose units are nowhere. */
static void skeletons(void **state)
{
	struct dw *dw;

	(void)state;
	dw = dw_new(5, 8, false);
	dw_unit(dw, DW_UT_skeleton);
	dw_die(dw, DW_TAG_compile_unit, false, DW_END);
	dw_unit_end(dw);
	refused(dw, "it is split DWARF and does not name its .dwo file");

	dw = dw_new(4, 8, false);
	dw_unit(dw, DW_UT_compile);
	dw_die(dw, DW_TAG_compile_unit, false, DW_AT_GNU_dwo_name, DW_FORM_string, "/nowhere/a.dwo",
	       DW_AT_GNU_dwo_id, DW_FORM_data8, 7, DW_END);
	dw_unit_end(dw);
	refused(dw, "1 of 1 units have no .dwo file, the first /nowhere/a.dwo");
}

/* ---- unit headers ---------------------------------------------------------------------------- */

/* Byte @at of a good unit made @value. */
static void one_wrong_byte(unsigned version, size_t at, unsigned value, const char *part)
{
	struct dw *dw = begun(version);

	dw_struct(dw, "s", 4, 1, 0);
	dw_finish(dw);
	dw->info.s[at] = (char)value;
	refused(dw, part);
}

static void bad_headers(void **state)
{
	(void)state;
	one_wrong_byte(4, 4, 1, "version 1 of DWARF is not known");
	one_wrong_byte(4, 4, 6, "version 6 of DWARF is not known");
	one_wrong_byte(4, 10, 3, "an address size of 3 bytes is not supported");
	one_wrong_byte(4, 7, 9, "its abbreviations at 0x900 are behind the end of .debug_abbrev");
	one_wrong_byte(4, 0, 200, ".debug_info+0x0: the unit runs past the end of the section");
	one_wrong_byte(4, 0, 1, "the unit is too short for its header");
	one_wrong_byte(4, 0, 5, "the unit is too short for its header");
	one_wrong_byte(4, 3, 0xff, "the unit runs past the end of the section");
	one_wrong_byte(5, 6, 0x30, "unit type 48 is not known");
	one_wrong_byte(5, 6, DW_UT_split_compile,
		       "unit type 5 of split DWARF does not belong into this file");
}

static void reserved_lengths(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_finish(dw);
	memcpy(dw->info.s, "\xf0\xff\xff\xff", 4);
	dw_refuse(dw, NULL, "unit length 0xfffffff0 is reserved");
	memcpy(dw->info.s, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12);
	refused(dw, "the unit runs past the end of the section");
}

/* The error that is first in the file is the one that is told, whoever met it. */
static void first_error(void **state)
{
	struct dw *dw = dw_new(4, 8, false);

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		dw_begin(dw);
		for (unsigned k = 0; k < 3000; k++)
			dw_null(dw);
		dw_finish(dw);
	}
	dw->info.s[100 * (dw->info.len / 300) + 4] = 77;
	dw->info.s[200 * (dw->info.len / 300) + 4] = 88;
	for (unsigned i = 0; i < 5; i++)
		dw_refuse(dw, NULL, "version 77 of DWARF is not known");
	dw_free(dw);
}

/* The same of what comes to light when definitions are decoded, by several threads in batches. */
static void first_that_cannot_be_spelled(void **state)
{
	struct dw *dw = begun(4);
	size_t first;
	char place[64];

	(void)state;
	dw_label(dw, 2);
	first = dw->out->len;
	dw_die(dw, DW_TAG_pointer_type, false, DW_SIZE(8), DW_TYPE(2), DW_END);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_pointer_type, false, DW_SIZE(8), DW_TYPE(3), DW_END);
	for (unsigned i = 0; i < 2000; i++) {
		char name[16];

		snprintf(name, sizeof name, "s%u", i);
		dw_struct(dw, name, 8, i == 700 ? 2 : i > 1000 ? 3 : 1, 0);
	}
	dw_finish(dw);
	snprintf(place, sizeof place, ".debug_info+%#zx: the type is made of itself", first);
	for (unsigned i = 0; i < 5; i++)
		dw_refuse(dw, NULL, place);
	dw_free(dw);
}

/* ---- cut off everywhere ---------------------------------------------------------------------- */

/* Something of everything that lives in a section of its own. */
static struct dw *rich(unsigned version)
{
	struct dw *dw = dw_new(version, 8, false);

	dw_unit(dw, DW_UT_compile);
	dw_die(dw, DW_TAG_compile_unit, true, DW_AT_stmt_list, DW_FORM_sec_offset, 0,
	       DW_AT_comp_dir, DW_FORM_strp, "/build", DW_AT_str_offsets_base, DW_FORM_sec_offset,
	       8, DW_END);
	dw_label(dw, 1);
	dw_die(dw, DW_TAG_base_type, false, DW_AT_name, DW_FORM_strp, "int", DW_SIZE(4), DW_END);
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_array_type, true, DW_TYPE(1), DW_END);
	dw_die(dw, DW_TAG_subrange_type, false, DW_AT_count, DW_FORM_implicit_const, UINT64_C(3),
	       DW_END);
	dw_null(dw);
	dw_die(dw, DW_TAG_structure_type, true, DW_AT_name,
	       version >= 5 ? DW_FORM_strx1 : DW_FORM_strp, "s", DW_SIZE(24), DW_AT_decl_file,
	       DW_FORM_data1, 1, DW_AT_decl_line, DW_FORM_data1, 9, DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_name,
	       version >= 5 ? DW_FORM_line_strp : DW_FORM_string, "member", DW_TYPE(2),
	       DW_AT_data_member_location, DW_FORM_exprloc, "\x23\x04", 2, DW_END);
	dw_null(dw);
	dw_finish(dw);
	dw->signature = 1;
	dw_unit(dw, DW_UT_type);
	dw_die(dw, DW_TAG_compile_unit, true, DW_END);
	dw_label(dw, 0);
	dw_struct(dw, "t", 4, 3, 0);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_base_type, false, DW_NAME("long"), DW_SIZE(8), DW_END);
	dw_finish(dw);
	dw_line_table(dw, "/build", "include", "s.h");
	return dw;
}

/*
 * What a file lacks altogether it may not have had: type units that nobody refers to, line tables.
 * And units that are cut off between two of them are all there.
 */
static bool may_be_absent(const struct dw *dw, const char *section, size_t keep)
{
	if (!strcmp(section, ".debug_info"))
		return keep == dw->unit;
	return keep == 0 && (!strcmp(section, ".debug_types") || !strcmp(section, ".debug_line"));
}

/* Every prefix of every section: an error, or the same answer. */
static void every_prefix(void **state)
{
	static const char *const names[] = {".debug_info",       ".debug_types", ".debug_abbrev",
					    ".debug_str",        ".debug_line",  ".debug_line_str",
					    ".debug_str_offsets"};

	(void)state;
	for (unsigned version = 4; version <= 5; version++) {
		struct dw *dw = rich(version);
		struct buf *const bufs[] = {&dw->info, &dw->types,    &dw->abbrev,     &dw->str,
					    &dw->line, &dw->line_str, &dw->str_offsets};
		struct buf whole = BUF_INIT;
		struct err err = ERR_INIT;
		struct layout *layout = dw_read(dw, NULL, &err);

		assert_non_null(layout);
		dw_dump(layout, &whole);
		layout_free(layout);
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			for (size_t keep = 0; keep < bufs[i]->len; keep++) {
				struct buf text = BUF_INIT;

				layout = dw_read_cut(dw, NULL, names[i], keep, &err);
				if (layout)
					dw_dump(layout, &text);
				if (layout && strcmp(text.s, whole.s) != 0 &&
				    !may_be_absent(dw, names[i], keep))
					fail_msg("%zu bytes of %s pass as\n%s", keep, names[i],
						 text.s);
				buf_release(&text);
				layout_free(layout);
				err_release(&err);
			}
		buf_release(&whole);
		dw_free(dw);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_itself),
		cmocka_unit_test(holds_itself_elsewhere),
		cmocka_unit_test(made_of_itself),
		cmocka_unit_test(absurd_depth),
		cmocka_unit_test(spelling_that_doubles),
		cmocka_unit_test(bad_references),
		cmocka_unit_test(bad_siblings),
		cmocka_unit_test(bad_names),
		cmocka_unit_test(bad_abbreviations),
		cmocka_unit_test(skeletons),
		cmocka_unit_test(bad_headers),
		cmocka_unit_test(reserved_lengths),
		cmocka_unit_test(first_error),
		cmocka_unit_test(first_that_cannot_be_spelled),
		cmocka_unit_test(every_prefix),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
