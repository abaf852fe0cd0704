/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types, scopes and references between units, in DWARF made for the purpose. */
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

static void check(struct dw *dw, const char *name, const char *expected)
{
	dw_finish(dw);
	dw_expect(dw, name, expected);
	dw_free(dw);
}

/* struct s { T a; }; of the type at @label. */
static void holder(struct dw *dw, unsigned label)
{
	dw_struct(dw, "s", 64, label, 0);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void array_of(struct dw *dw, unsigned label)
{
	dw_label(dw, label);
	dw_die(dw, DW_TAG_array_type, true, DW_TYPE(1), DW_END);
}

static void bounds(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
#define DIMENSION(...) dw_die(dw, DW_TAG_subrange_type, false, __VA_ARGS__, DW_END)
	array_of(dw, 2);
	DIMENSION(DW_AT_count, DW_FORM_data1, 3);
	DIMENSION(DW_AT_upper_bound, DW_FORM_data2, 4);
	DIMENSION(DW_AT_upper_bound, DW_FORM_udata, UINT64_C(9), DW_AT_lower_bound, DW_FORM_sdata,
		  UINT64_C(8));
	dw_null(dw);
	array_of(dw, 3); /* how gcc wrote int[0] */
	DIMENSION(DW_AT_upper_bound, DW_FORM_data4, 0xffffffff);
	dw_null(dw);
	array_of(dw, 4);
	DIMENSION(DW_AT_upper_bound, DW_FORM_sdata, UINT64_MAX);
	dw_null(dw);
	array_of(dw, 5);
	DIMENSION(DW_AT_lower_bound, DW_FORM_data1, 0);
	dw_null(dw);
	array_of(dw, 6); /* its length is in a variable */
	DIMENSION(DW_AT_upper_bound, DW_FORM_ref4, 1);
	dw_null(dw);
	array_of(dw, 7);
	DIMENSION(DW_AT_upper_bound, DW_FORM_data1, 0xff);
	dw_null(dw);
	array_of(dw, 8); /* of no dimension at all */
	dw_null(dw);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(0), DW_END);
	for (unsigned label = 2; label <= 8; label++)
		dw_die(dw, DW_TAG_member, false, DW_NAME("m"), DW_TYPE(label), DW_PLACE(0), DW_END);
	dw_null(dw);
	check(dw, NULL,
	      "struct s 0 cus 1\n m: int[3][5][2] @0+960\n m: int[0] @0+0\n m: int[0] @0+0\n"
	      " m: int[] @0+0 flexible\n m: int[] @0+0 flexible\n m: int[256] @0+8192\n"
	      " m: int[] @0+0 flexible\n");
}

static void zero_length_at_the_end(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
	array_of(dw, 2);
	DIMENSION(DW_AT_count, DW_FORM_data1, 0);
	dw_null(dw);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(0), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("x"), DW_TYPE(2), DW_PLACE(0), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("__cacheline_group_begin__x"), DW_TYPE(2),
	       DW_PLACE(0), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("y"), DW_TYPE(2), DW_PLACE(0), DW_END);
	dw_null(dw);
	dw_die(dw, DW_TAG_union_type, true, DW_NAME("u"), DW_SIZE(0), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("z"), DW_TYPE(2), DW_PLACE(0), DW_END);
	dw_null(dw);
	check(dw, NULL,
	      "struct s 0 cus 1\n x: int[0] @0+0\n"
	      " __cacheline_group_begin__x: int[0] @0+0 marker\n y: int[0] @0+0 flexible\n"
	      "union u 0 cus 1\n z: int[0] @0+0\n");
}

static void fortran_counts_from_one(void **state)
{
	struct dw *dw = dw_new(4, 8, false);

	(void)state;
	dw_unit(dw, DW_UT_compile);
	dw_die(dw, DW_TAG_compile_unit, true, DW_AT_language, DW_FORM_data1, 0x0e, DW_END);
	dw_label(dw, 1);
	dw_die(dw, DW_TAG_base_type, false, DW_NAME("integer"), DW_SIZE(4), DW_END);
	array_of(dw, 2);
	DIMENSION(DW_AT_upper_bound, DW_FORM_data1, 5);
	dw_null(dw);
	holder(dw, 2);
	check(dw, NULL, "struct s 512 cus 1\n a: integer[5] @0+160\n");
}

static void strides_and_sizes(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_array_type, true, DW_TYPE(1), DW_AT_bit_stride, DW_FORM_data1, 3, DW_END);
	DIMENSION(DW_AT_count, DW_FORM_data1, 5);
	dw_null(dw);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_array_type, true, DW_TYPE(1), DW_AT_byte_stride, DW_FORM_data1, 8,
	       DW_SIZE(20), DW_END);
	DIMENSION(DW_AT_count, DW_FORM_data1, 3);
	dw_null(dw);
	array_of(dw, 4); /* more than there are bits */
	DIMENSION(DW_AT_count, DW_FORM_data8, UINT64_C(1) << 60);
	dw_null(dw);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(0), DW_END);
	for (unsigned label = 2; label <= 4; label++)
		dw_die(dw, DW_TAG_member, false, DW_NAME("m"), DW_TYPE(label), DW_PLACE(0), DW_END);
	dw_null(dw);
	check(dw, NULL,
	      "struct s 0 cus 1\n m: int[5] @0+15\n m: int[3] @0+160\n"
	      " m: int[1152921504606846976] @0+0\n");
}

/* ---- sizes and alignment --------------------------------------------------------------------- */

static void pointers_without_a_size(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_pointer_type, false, DW_END);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_subroutine_type, false, DW_END);
	dw_label(dw, 4);
	dw_die(dw, DW_TAG_ptr_to_member_type, false, DW_TYPE(3), DW_AT_containing_type,
	       DW_FORM_ref4, 9, DW_END);
	dw_label(dw, 5);
	dw_die(dw, DW_TAG_ptr_to_member_type, false, DW_TYPE(1), DW_END);
	dw_label(dw, 6);
	dw_die(dw, DW_TAG_rvalue_reference_type, false, DW_TYPE(1), DW_END);
	dw_label(dw, 9);
	dw_die(dw, DW_TAG_class_type, true, DW_NAME("s"), DW_SIZE(8), DW_END);
	for (unsigned label = 2; label <= 6; label++)
		if (label != 3)
			dw_die(dw, DW_TAG_member, false, DW_NAME("m"), DW_TYPE(label), DW_END);
	dw_null(dw);
	check(dw, NULL,
	      "struct s 64 cus 1\n m: void * @0+64\n m: void (s::*)(void) @0+128\n"
	      " m: int * @0+64\n m: int && @0+64\n");
}

static void enumeration_of_a_type(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_enumeration_type, false, DW_NAME("colour"), DW_TYPE(1), DW_END);
	holder(dw, 2);
	check(dw, NULL, "struct s 512 cus 1\n a: enum colour @0+32\n");
}

/* Said of the struct, of a member, of a member's type; a packed struct does not care. */
static void alignment(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
#define ALIGNED(n) DW_AT_alignment, DW_FORM_udata, UINT64_C(n)
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("by_member"), DW_SIZE(16), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(1), ALIGNED(16), DW_END);
	dw_null(dw);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("by_type"), DW_SIZE(32), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(2), DW_PLACE(16), DW_END);
	dw_null(dw);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("packed"), DW_SIZE(20), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(2), DW_PLACE(4), DW_END);
	dw_null(dw);
	/* What gcc, and what clang write of a packed struct. */
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("packed_gcc"), DW_SIZE(16), ALIGNED(1),
	       DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(2), ALIGNED(1), DW_END);
	dw_null(dw);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("packed_clang"), DW_SIZE(20), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(2), DW_PLACE(4), ALIGNED(16),
	       DW_END);
	dw_null(dw);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("t"), DW_TYPE(1), ALIGNED(8), DW_END);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("by_typedef"), DW_SIZE(16), ALIGNED(4),
	       DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(3), DW_PLACE(8), DW_END);
	dw_null(dw);
	check(dw, NULL,
	      "struct by_member 128 align 16 cus 1\n a: int @0+32 align 16\n"
	      "struct by_type 256 align 16 cus 1\n a: struct by_member @128+128\n"
	      "struct by_typedef 128 align 8 cus 1\n a: t @64+32\n"
	      "struct packed 160 cus 1\n a: struct by_member @32+128\n"
	      "struct packed_clang 160 cus 1\n a: struct by_member @32+128 align 16\n"
	      "struct packed_gcc 128 align 1 cus 1\n a: struct by_member @0+128 align 1\n");
}

/* ---- which DIEs are definitions -------------------------------------------------------------- */

static void declarations(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_die(dw, DW_TAG_structure_type, false, DW_NAME("s"), DW_AT_declaration,
	       DW_FORM_flag_present, DW_END);
	dw_die(dw, DW_TAG_structure_type, false, DW_NAME("s"), DW_AT_declaration, DW_FORM_flag, 1,
	       DW_END);
	dw_die(dw, DW_TAG_structure_type, false, DW_NAME("s"), DW_AT_declaration, DW_FORM_flag, 0,
	       DW_SIZE(1), DW_END);
	dw_die(dw, DW_TAG_structure_type, false, DW_SIZE(2), DW_END);
	dw_finish(dw);
	dw_expect(dw, NULL, "struct s 8 cus 1\n");
	dw_expect(dw, "s", "struct s 8 cus 1\n");
	dw_free(dw);
}

static void typedefs(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_union_type, false, DW_SIZE(2), DW_END);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_const_type, false, DW_TYPE(2), DW_END);
	dw_label(dw, 4);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("direct"), DW_TYPE(2), DW_END);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("qualified"), DW_TYPE(3), DW_END);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("again"), DW_TYPE(4), DW_END);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("nothing"), DW_END);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("number"), DW_TYPE(1), DW_END);
	dw_label(dw, 5);
	dw_die(dw, DW_TAG_union_type, false, DW_NAME("u"), DW_SIZE(2), DW_END);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("named"), DW_TYPE(5), DW_END);
	check(dw, NULL, "typedef direct 16 cus 1\ntypedef qualified 16 cus 1\nunion u 16 cus 1\n");
}

/* The outer ones hide the inner ones: those are looked for when nothing else has the name. */
static void scopes(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
	dw_die(dw, DW_TAG_namespace, true, DW_NAME("n"), DW_END);
	dw_die(dw, DW_TAG_namespace, true, DW_END);
	dw_struct(dw, "deep", 4, 1, 0);
	dw_null(dw);
	dw_die(dw, DW_TAG_class_type, true, DW_NAME("outer"), DW_SIZE(8), DW_END);
	dw_struct(dw, "nested", 8, 1, 4);
	dw_null(dw);
	dw_null(dw);
	dw_die(dw, DW_TAG_subprogram, true, DW_NAME("f"), DW_END);
	dw_die(dw, DW_TAG_lexical_block, true, DW_END);
	dw_struct(dw, "local", 12, 1, 8);
	dw_struct(dw, "deep", 12, 1, 8);
	dw_null(dw);
	dw_null(dw);
	dw_finish(dw);
	dw_expect(dw, NULL,
		  "struct n::(anonymous)::deep 32 cus 1\n a: int @0+32\n"
		  "struct n::outer::nested 64 cus 1\n a: int @32+32\n"
		  "struct n::outer 64 cus 1\n");
	dw_expect(dw, "nested", "struct n::outer::nested 64 cus 1\n a: int @32+32\n");
	dw_expect(dw, "local", "struct ()::local 96 cus 1\n a: int @64+32\n");
	dw_expect(dw, "deep", "struct n::(anonymous)::deep 32 cus 1\n a: int @0+32\n");
	dw_free(dw);
}

/* C++ defines elsewhere what it declared in a scope; the name and scope are the declaration's. */
static void completed_declarations(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
	dw_die(dw, DW_TAG_namespace, true, DW_NAME("n"), DW_END);
	dw_die(dw, DW_TAG_class_type, true, DW_NAME("outer"), DW_SIZE(8), DW_END);
	dw_label(dw, 2);
	dw_die(dw, DW_TAG_structure_type, false, DW_NAME("later"), DW_AT_declaration,
	       DW_FORM_flag_present, DW_END);
	dw_null(dw);
	dw_null(dw);
	dw_label(dw, 3);
	dw_die(dw, DW_TAG_structure_type, true, DW_AT_specification, DW_FORM_ref4, 2, DW_SIZE(4),
	       DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(1), DW_END);
	dw_null(dw);
	holder(dw, 3);
	dw_finish(dw);
	dw_expect(dw, "later", "struct n::outer::later 32 cus 1\n a: int @0+32\n");
	dw_expect(dw, "s", "struct s 512 cus 1\n a: struct later @0+32\n");
	dw_free(dw);
}

static void bases_and_statics(void **state)
{
	struct dw *dw = begun(4);

	(void)state;
	dw_label(dw, 2);
	dw_struct(dw, "base", 4, 1, 0);
	dw_die(dw, DW_TAG_class_type, true, DW_NAME("s"), DW_SIZE(12), DW_END);
	dw_die(dw, DW_TAG_inheritance, false, DW_TYPE(2), DW_PLACE(4), DW_END);
	dw_die(dw, DW_TAG_inheritance, false, DW_TYPE(2), DW_AT_data_member_location,
	       DW_FORM_exprloc, "\x12\x06\x48\x1c\x06\x22", 6, DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("shared"), DW_TYPE(1), DW_AT_external,
	       DW_FORM_flag_present, DW_AT_declaration, DW_FORM_flag_present, DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(1), DW_PLACE(8), DW_END);
	dw_null(dw);
	check(dw, "s",
	      "struct s 96 cus 1\n -: struct base @32+32 base\n"
	      " -: struct base @0+32 base dynamic\n a: int @64+32\n");
}

/* As rustc writes enum { None, Some(u32) }. */
static void variants(void **state)
{
	struct dw *dw = begun(5);

	(void)state;
	dw_label(dw, 2);
	dw_struct(dw, "Some", 8, 1, 4);
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("Option"), DW_SIZE(8), DW_END);
	dw_die(dw, DW_TAG_variant_part, true, DW_END);
	dw_die(dw, DW_TAG_member, false, DW_TYPE(1), DW_PLACE(0), DW_END);
	dw_die(dw, DW_TAG_variant, true, DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("Some"), DW_TYPE(2), DW_PLACE(0), DW_END);
	dw_null(dw);
	dw_die(dw, DW_TAG_variant, false, DW_END);
	dw_null(dw);
	dw_null(dw);
	check(dw, "Option",
	      "struct Option 64 cus 1\n -: union {...} @0+64\n"
	      "  (discriminant): int @0+32\n  -: struct {...} @0+64\n"
	      "   Some: struct Some @0+64\n  -: struct {...} @0+64\n");
}

/* ---- telling definitions apart --------------------------------------------------------------- */

static void several_definitions(void **state)
{
	static const unsigned places[] = {0, 4, 0, 0};
	struct dw *dw = dw_new(4, 8, false);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		dw_begin(dw);
		dw_struct(dw, "s", 8, 1, places[i]);
		dw_finish(dw);
	}
	dw_expect(dw, "s", "struct s 64 cus 3\n a: int @0+32\nstruct s 64 cus 1\n a: int @32+32\n");
	dw_free(dw);
}

/* Equal on the outside; what they hold by value is not. What they point to does not matter. */
static void differ_only_inside(void **state)
{
	struct dw *dw = dw_new(4, 8, false);
	struct err err = ERR_INIT;
	struct layout *layout;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		dw_begin(dw);
		dw_label(dw, 2);
		dw_die(dw, DW_TAG_structure_type, true, DW_NAME("inner"), DW_SIZE(8), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME(i & 1 ? "x" : "y"), DW_TYPE(1), DW_END);
		dw_null(dw);
		dw_label(dw, 3);
		dw_die(dw, DW_TAG_pointer_type, false, DW_SIZE(8), DW_TYPE(2), DW_END);
		dw_die(dw, DW_TAG_structure_type, true, DW_NAME("by_value"), DW_SIZE(8), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("m"), DW_TYPE(2), DW_END);
		dw_null(dw);
		dw_die(dw, DW_TAG_structure_type, true, DW_NAME("by_pointer"), DW_SIZE(8), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("m"), DW_TYPE(3), DW_END);
		dw_null(dw);
		dw_finish(dw);
	}
	layout = dw_read(dw, "by_value", &err);
	assert_int_equal(layout->ndefs, 2);
	assert_int_equal(layout->defs[0].cus, 2);
	assert_true(layout->defs[0].digest != layout->defs[1].digest);
	layout_free(layout);
	dw_expect(dw, "by_pointer", "struct by_pointer 64 cus 4\n m: struct inner * @0+64\n");
	dw_free(dw);
}

/* int[3] by count, by last index, from 1: one layout. int[2] is another. */
static void counts_and_bounds(void **state)
{
	struct dw *dw = dw_new(5, 8, false);
	struct err err = ERR_INIT;
	struct layout *layout;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		dw_begin(dw);
		array_of(dw, 2);
		if (i == 0)
			DIMENSION(DW_AT_count, DW_FORM_data1, 3);
		else
			DIMENSION(DW_AT_lower_bound, DW_FORM_data1, i == 2, DW_AT_upper_bound,
				  DW_FORM_data1,
				  i == 1   ? 2
				  : i == 2 ? 3
					   : 1);
		dw_null(dw);
		holder(dw, 2);
		dw_finish(dw);
	}
	layout = dw_read(dw, "s", &err);
	assert_int_equal(layout->ndefs, 2);
	assert_int_equal(layout->defs[0].cus, 3);
	layout_free(layout);
	dw_free(dw);
}

/* The same expression is the same place; one that looks at a variable is nobody else's. */
static void expressions(void **state)
{
	static const char *const blocks[] = {"\x12\x06\x22",
					     "\x98\x10"}; /* dup deref plus; call2 */

	(void)state;
	for (unsigned own = 0; own < 2; own++) {
		struct dw *dw = dw_new(4, 8, false);
		struct err err = ERR_INIT;
		struct layout *layout;

		for (unsigned i = 0; i < 2; i++) {
			dw_begin(dw);
			dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(8), DW_END);
			dw_die(dw, DW_TAG_member, false, DW_NAME("m"), DW_TYPE(1),
			       DW_AT_data_member_location, DW_FORM_exprloc, blocks[own], 3, DW_END);
			dw_null(dw);
			dw_finish(dw);
		}
		layout = dw_read(dw, "s", &err);
		assert_int_equal(layout->ndefs, 1 + own);
		assert_int_equal(layout->defs[0].cus, 2 - own);
		layout_free(layout);
		dw_free(dw);
	}
}

/* ---- other units ----------------------------------------------------------------------------- */

static void references_across_units(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 5; version++) {
		struct dw *dw = dw_new(version, 4, true);

		dw_begin(dw);
		dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(8), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("m"), DW_AT_type, DW_FORM_ref_addr, 5,
		       DW_END);
		dw_null(dw);
		dw_finish(dw);
		dw_begin(dw);
		dw_label(dw, 5);
		dw_die(dw, DW_TAG_structure_type, true, DW_NAME("far"), DW_SIZE(4), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_AT_type, DW_FORM_ref_addr, 1,
		       DW_END);
		dw_null(dw);
		dw_finish(dw);
		dw_expect(dw, NULL,
			  "struct far 32 cus 1\n a: int @0+32\n"
			  "struct s 64 cus 1\n m: struct far @0+32\n");
		dw_free(dw);
	}
}

static void type_units(void **state)
{
	(void)state;
	for (unsigned version = 4; version <= 5; version++) {
		struct dw *dw = begun(version);

		dw_label(dw, 2);
		dw_die(dw, DW_TAG_structure_type, false, DW_NAME("apart"), DW_AT_declaration,
		       DW_FORM_flag_present, DW_AT_signature, DW_FORM_ref_sig8, UINT64_C(0xabcdef),
		       DW_END);
		dw_die(dw, DW_TAG_structure_type, true, DW_NAME("s"), DW_SIZE(8), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("x"), DW_TYPE(2), DW_END);
		dw_die(dw, DW_TAG_member, false, DW_NAME("y"), DW_AT_type, DW_FORM_ref_sig8,
		       UINT64_C(0xabcdef), DW_PLACE(4), DW_END);
		dw_null(dw);
		dw_finish(dw);
		dw->signature = 0xabcdef;
		dw_unit(dw, DW_UT_type);
		dw_die(dw, DW_TAG_compile_unit, true, DW_END);
		dw_label(dw, 3);
		dw_die(dw, DW_TAG_base_type, false, DW_NAME("int"), DW_SIZE(4), DW_END);
		dw_label(dw, 0);
		dw_struct(dw, "apart", 4, 3, 0);
		dw_finish(dw);
		dw_expect(dw, NULL,
			  "struct apart 32 cus 1\n a: int @0+32\n"
			  "struct s 64 cus 1\n x: struct apart @0+32\n"
			  " y: struct apart @32+32\n");
		dw_free(dw);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds),
		cmocka_unit_test(zero_length_at_the_end),
		cmocka_unit_test(fortran_counts_from_one),
		cmocka_unit_test(strides_and_sizes),
		cmocka_unit_test(pointers_without_a_size),
		cmocka_unit_test(enumeration_of_a_type),
		cmocka_unit_test(alignment),
		cmocka_unit_test(declarations),
		cmocka_unit_test(typedefs),
		cmocka_unit_test(scopes),
		cmocka_unit_test(completed_declarations),
		cmocka_unit_test(bases_and_statics),
		cmocka_unit_test(variants),
		cmocka_unit_test(several_definitions),
		cmocka_unit_test(differ_only_inside),
		cmocka_unit_test(counts_and_bounds),
		cmocka_unit_test(expressions),
		cmocka_unit_test(references_across_units),
		cmocka_unit_test(type_units),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
