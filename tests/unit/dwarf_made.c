/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodings that the compilers at hand do not write on request: what each says is the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

static void check(struct dw *dw, const char *expected)
{
	dw_finish(dw);
	dw_expect(dw, NULL, expected);
	dw_free(dw);
}

/* ---- the frame ------------------------------------------------------------------------------- */

static void every_version_order_and_width(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 5; version++)
		for (unsigned kind = 0; kind < 8; kind++) {
			struct dw *dw = dw_new(version, kind & 1 ? 8 : 4, kind & 2);

			dw->wide = kind & 4;
			dw_begin(dw);
			dw_struct(dw, "s", 12, 1, 4);
			check(dw, "struct s 96 cus 1\n a: int @32+32\n");
		}
}

/* A length of 8 bytes is DWARF's 64-bit form, whatever the machine; offsets grow, references do
 * not. */
static void wide_strings(void **state)
{
	struct dw *dw = dw_new(4, 8, true);

	(void)state;
	dw->wide = true;
	dw_begin(dw);
	dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strp, "wide", DW_SIZE(0),
	       DW_END);
	check(dw, "struct wide 0 cus 1\n");
}

static void codes_in_any_order(void **state)
{
	static const uint64_t codes[] = {7, 1, UINT64_C(1) << 63, UINT64_MAX, 300, 2};
	struct dw *dw = begun(5);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		char name[2] = {(char)('a' + i), '\0'};

		dw->next_code = codes[i] == 1 ? 50 : codes[i] == 2 ? 51 : codes[i];
		dw_die(dw, DW_TAG_structure_type, false, DW_NAME(name), DW_SIZE(i), DW_END);
	}
	check(dw, "struct a 0 cus 1\nstruct b 8 cus 1\nstruct c 16 cus 1\nstruct d 24 cus 1\n"
		  "struct e 32 cus 1\nstruct f 40 cus 1\n");
}

/* Two units with one table. */
static void shared_abbreviations(void **state)
{
	struct dw *dw = begun(4);
	size_t len;
	char *unit;

	(void)state;
	dw_struct(dw, "s", 4, 1, 0);
	dw_finish(dw);
	len = dw->info.len;
	unit = memcpy(xmalloc(len), dw->info.s, len);
	buf_add(&dw->info, unit, len);
	free(unit);
	/* The first one's reference has yet to be filled in. */
	dw->info.s[len + dw->fixups[0].at] = (char)dw->labels[1].at;
	dw_expect(dw, NULL, "struct s 32 cus 2\n a: int @0+32\n");
	dw_free(dw);
}

static void siblings(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
	dw_die(dw, DW_TAG_enumeration_type, true, DW_AT_sibling, DW_FORM_ref4, 2, DW_END);
	buf_add(dw->out, "\xff\xff\xff", 3); /* never looked at */
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_subroutine_type, true, DW_AT_data_member_location, DW_FORM_exprloc,
	       "\x23\x01", 2, DW_AT_sibling, DW_FORM_ref2, 3, DW_END);
	buf_add(dw->out, "\xff\xff\xff", 3);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_subprogram, true, DW_END); /* no sibling: gone through */
	dw_struct(dw, "hidden", 4, 1, 0);
	dw_null(dw);
	dw_struct(dw, "s", 4, 1, 0);
	check(dw, "struct s 32 cus 1\n a: int @0+32\n");
}

static void last_list_may_be_open(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_struct(dw, "s", 4, 1, 0);
	dw_unit_end(dw);
	dw_expect(dw, NULL, "struct s 32 cus 1\n a: int @0+32\n");
	dw_free(dw);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void names_of_every_form(void **state)
{
	static const unsigned forms[] = {DW_FORM_string, DW_FORM_strp,  DW_FORM_line_strp,
					 DW_FORM_strx,   DW_FORM_strx1, DW_FORM_strx2,
					 DW_FORM_strx3,  DW_FORM_strx4};

	(void)state;
	for (unsigned big = 0; big < 2; big++)
		for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
			struct dw *dw = dw_new(5, 4, big);

			dw_unit(dw, DW_UT_compile);
			dw_die(dw, DW_TAG_compile_unit, true, DW_AT_str_offsets_base,
			       DW_FORM_sec_offset, 8, DW_END);
			dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, forms[i], "name",
			       DW_SIZE(1), DW_END);
			dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, forms[i], "other",
			       DW_SIZE(2), DW_END);
			dw_finish(dw);
			dw_expect(dw, "name", "struct name 8 cus 1\n");
			dw_expect(dw, "nam", "");
			dw_expect(dw, "other", "struct other 16 cus 1\n");
			dw_free(dw);
		}
}

/* Linkers keep one string for "name" and "filename". */
static void name_as_a_tail(void **state)
{
	struct dw *dw = begun(4);
	char *at;

	(void)state;
	dw_die(dw, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strp, "filename", DW_SIZE(1),
	       DW_END);
	at = dw->info.s + dw->info.len - 5;
	at[0] = 4;
	dw_finish(dw);
	dw_expect(dw, "name", "struct name 8 cus 1\n");
	dw_expect(dw, "e", "");
	dw_expect(dw, "filename", "");
	at[0] = 7;
	dw_expect(dw, "e", "struct e 8 cus 1\n");
	dw_free(dw);
}

/* Two copies of a name, as ld -r leaves them, are one name; two definitions are one. */
static void names_that_no_linker_merged(void **state)
{
	struct dw *dw = dw_new(4, 8, false);

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		dw_begin(dw);
		dw_die(dw, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_strp, "twice",
		       DW_SIZE(4), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_AT_name, i == 2 ? DW_FORM_string : DW_FORM_strp,
		       "member", DW_TYPE(1), DW_END);
		dw_null(dw);
		dw_finish(dw);
	}
	dw_expect(dw, NULL, "struct twice 32 cus 3\n member: int @0+32\n");
	dw_expect(dw, "twice", "struct twice 32 cus 3\n member: int @0+32\n");
	dw_free(dw);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void places_of_every_form(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
#define MEMBER(name, ...)                                                                          \
	dw_die(dw, DW_TAG_member, false, DW_NAME(name), DW_TYPE(1), DW_AT_data_member_location,    \
	       __VA_ARGS__, DW_END)
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_AT_byte_size, DW_FORM_udata,
	       UINT64_C(70000), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("absent"), DW_TYPE(1), DW_END);
	MEMBER("data1", DW_FORM_data1, 200);
	MEMBER("data2", DW_FORM_data2, 0x102);
	MEMBER("data4", DW_FORM_data4, 0x10203);
	MEMBER("data8", DW_FORM_data8, UINT64_C(0x10204));
	MEMBER("udata", DW_FORM_udata, UINT64_C(300));
	MEMBER("sdata", DW_FORM_sdata, UINT64_C(301));
	MEMBER("implicit", DW_FORM_implicit_const, UINT64_C(302));
	MEMBER("indirect", DW_FORM_indirect, DW_FORM_data2, 303);
	MEMBER("plus", DW_FORM_exprloc, "\x23\xb0\x02", 3);
	MEMBER("block", DW_FORM_block1, "\x23\xb1\x02", 3);
	MEMBER("constu", DW_FORM_exprloc, "\x10\xb2\x02", 3);
	MEMBER("sum", DW_FORM_exprloc, "\x10\xb3\x02\x22", 4);
	MEMBER("deref", DW_FORM_exprloc, "\x12\x06\x22", 3);
	MEMBER("list", DW_FORM_sec_offset, 16);
	dw_null(dw);
	check(dw, "struct s 560000 cus 1\n absent: int @0+32\n data1: int @1600+32\n"
		  " data2: int @2064+32\n data4: int @528408+32\n data8: int @528416+32\n"
		  " udata: int @2400+32\n sdata: int @2408+32\n implicit: int @2416+32\n"
		  " indirect: int @2424+32\n plus: int @2432+32\n block: int @2440+32\n"
		  " constu: int @2448+32\n sum: int @2456+32\n deref: int @0+32 dynamic\n"
		  " list: int @0+32 dynamic\n");
}

/* The same five bits, by the three ways to say where they are, on both byte orders. */
static void bit_fields(void **state)
{
	(void)state;
	for (unsigned big = 0; big < 2; big++) {
		struct dw *dw = dw_new(4, 4, big);

		dw_begin(dw);
		dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(12), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("direct"), DW_TYPE(1), DW_AT_bit_size,
		       DW_FORM_data1, 5, DW_AT_data_bit_offset, DW_FORM_data1, 35, DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("old"), DW_TYPE(1), DW_SIZE(4),
		       DW_AT_bit_size, DW_FORM_data1, 5, DW_AT_bit_offset, DW_FORM_data1,
		       big ? 3 : 24, DW_PLACE(4), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("by_type"), DW_TYPE(1), DW_AT_bit_size,
		       DW_FORM_data1, 5, DW_AT_bit_offset, DW_FORM_data1, big ? 3 : 24, DW_PLACE(4),
		       DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("over"), DW_TYPE(1), DW_SIZE(4),
		       DW_AT_bit_size, DW_FORM_data1, 20, DW_AT_bit_offset, DW_FORM_sdata,
		       UINT64_C(0) - 8, DW_PLACE(4), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("start"), DW_TYPE(1), DW_AT_bit_size,
		       DW_FORM_data1, 5, DW_PLACE(4), DW_END);
		dw_null(dw);
		check(dw, big ? "struct s 96 cus 1\n direct: int @35+5 bits\n old: int @35+5 bits\n"
				" by_type: int @35+5 bits\n over: int @24+20 bits\n"
				" start: int @32+5 bits\n"
			      : "struct s 96 cus 1\n direct: int @35+5 bits\n old: int @35+5 bits\n"
				" by_type: int @35+5 bits\n over: int @52+20 bits\n"
				" start: int @32+5 bits\n");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_version_order_and_width),
		cmocka_unit_test(wide_strings),
		cmocka_unit_test(codes_in_any_order),
		cmocka_unit_test(shared_abbreviations),
		cmocka_unit_test(siblings),
		cmocka_unit_test(last_list_may_be_open),
		cmocka_unit_test(names_of_every_form),
		cmocka_unit_test(name_as_a_tail),
		cmocka_unit_test(names_that_no_linker_merged),
		cmocka_unit_test(places_of_every_form),
		cmocka_unit_test(bit_fields),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
