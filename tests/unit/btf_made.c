// SPDX-License-Identifier: GPL-2.0-or-later
/* BTF that no compiler writes, and a module's: made with libbpf's writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "lib/btf.h"

static void struct_in_itself(void **state)
{
	struct btf *btf = small_btf();

	(void)state;
	btf__add_struct(btf, "loop", 8);
	btf__add_field(btf, "self", 5, 0, 0);
	btf__add_const(btf, 4);
	refuses_btf(btf, "contains itself");
}

static void circles(void **state)
{
	struct btf *btf = small_btf();

	(void)state;
	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "m", 5, 0, 0);
	btf__add_typedef(btf, "t", 6);
	btf__add_const(btf, 5);
	refuses_btf(btf, "contains itself");

	btf = small_btf();
	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "m", 5, 0, 0);
	btf__add_array(btf, 1, 5, 2);
	refuses_btf(btf, "contains itself");

	btf = small_btf(); /* a pointer has a size, but no spelling */
	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "m", 5, 0, 0);
	btf__add_ptr(btf, 5);
	refuses_btf(btf, "contains itself");

	btf = small_btf(); /* of nothing but qualifiers, under a typedef */
	btf__add_typedef(btf, "t", 5);
	btf__add_const(btf, 6);
	btf__add_volatile(btf, 5);
	layout_free(load(of_btf(btf, "made"), NULL, &everything, 0));
	btf__free(btf);
}

static void sizeless_members(void **state)
{
	struct btf *btf = small_btf();

	(void)state;
	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "m", 5, 0, 0);
	btf__add_fwd(btf, "unseen", BTF_FWD_STRUCT);
	refuses_btf(btf, "type 4: member 1 has no size");

	btf = small_btf();
	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "m", 5, 0, 0);
	btf__add_array(btf, 1, 6, 2);
	btf__add_func_proto(btf, 1);
	refuses_btf(btf, "type 5 is an array of what has no size");

	btf = small_btf();
	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "m", 5, 0, 0);
	btf__add_var(btf, "v", BTF_VAR_STATIC, 1);
	refuses_btf(btf, "type 5 is used as a type and is none");
}

static void endless_array(void **state)
{
	struct btf *btf = small_btf();

	(void)state;
	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "m", 7, 0, 0);
	btf__add_array(btf, 1, 1, 0xffffffff);
	btf__add_array(btf, 1, 5, 0xffffffff);
	btf__add_array(btf, 1, 6, 0xffffffff);
	refuses_btf(btf, "larger than memory");
}

static void pointer_without_long(void **state)
{
	struct btf *btf = btf__new_empty();
	const struct def *def;
	struct layout *layout;

	(void)state;
	btf__add_struct(btf, "user", 4);
	btf__add_field(btf, "m", 2, 0, 0);
	btf__add_ptr(btf, 0);
	refuses(of_btf(btf, "made"), NULL, "no type `long` tells their size");
	layout = load(of_btf(btf, "made"), NULL, &everything, 32);
	def = find(layout, "user");
	expect_members(def, true, "m 0 32 void *\n");
	assert_int_equal(layout->target.bits, 32);
	layout_free(layout);
	btf__free(btf);
}

/* Two different structs of one name are two definitions, two equal ones are one. */
static void same_names(void **state)
{
	struct btf *btf = small_btf();
	struct arena arena = {0};
	struct layout *layout;
	struct def_list list;

	(void)state;
	btf__add_struct(btf, "base", 8);
	btf__add_field(btf, "x", 2, 0, 0);
	btf__add_struct(btf, "base", 4);
	btf__add_field(btf, "x", 1, 0, 0);
	btf__add_struct(btf, "base", 4);
	btf__add_field(btf, "y", 1, 0, 0);
	layout = load(of_btf(btf, "made"), NULL, &everything, 0);
	list = layout_find(layout, type_ref_parse(&arena, "base"), &arena);
	assert_int_equal(list.n, 3);
	assert_true(list.defs[0]->digest != list.defs[1]->digest);
	assert_true(list.defs[1]->digest != list.defs[2]->digest);
	arena_release(&arena);
	layout_free(layout);
	btf__free(btf);
}

static void tags_and_enums(void **state)
{
	struct btf *btf = small_btf();
	struct layout *layout;

	(void)state;
	btf__add_struct(btf, "user", 24);
	btf__add_field(btf, "p", 6, 0, 0);
	btf__add_field(btf, "e", 7, 64, 0);
	btf__add_field(btf, "f", 9, 128, 0);
	btf__add_type_tag(btf, "rcu", 3);
	btf__add_ptr(btf, 5);
	btf__add_enum64(btf, "wide", 8, false);
	btf__add_enum64_value(btf, "W", 1);
	btf__add_decl_tag(btf, "note", 4, 0);
	btf__add_type_tag(btf, "user", 10);
	btf__add_float(btf, "double", 8);
	layout = load(of_btf(btf, "made"), NULL, &everything, 0);
	expect_members(find(layout, "user"), true,
		       "p 0 64 struct base *\n"
		       "e 64 64 enum wide\n"
		       "f 128 64 double\n");
	layout_free(layout);
	btf__free(btf);
}

static struct btf *with_partial_int(uint32_t encoding)
{
	struct btf *btf = small_btf();

	btf__add_struct(btf, "user", 8);
	btf__add_field(btf, "whole", 1, 0, 0);
	btf__add_field(btf, "part", 6, 32, 0);
	btf__add_int(btf, "nibble", 4, 0);
	btf__add_typedef(btf, "u4", 5);
	*(uint32_t *)(btf__type_by_id(btf, 5) + 1) = encoding;
	return btf;
}

/* Without kind_flag a bit-field is an integer of which some bits count. */
static void old_bitfields(void **state)
{
	struct btf *btf = with_partial_int(2 << 16 | 4);
	struct layout *layout = load(of_btf(btf, "made"), NULL, &everything, 0);

	(void)state;
	expect_members(find(layout, "user"), true, "whole 0 32 int\npart 34 4 bits u4\n");
	layout_free(layout);
	btf__free(btf);
	refuses_btf(with_partial_int(30 << 16 | 4), "an integer of 4 bytes has no bits 30 to 34");
}

/* @word: what stands for the place of `far`. */
static struct btf *with_far_members(uint32_t word)
{
	struct btf *btf = small_btf();

	btf__add_struct(btf, "huge", 4 << 20);
	btf__add_field(btf, "flag", 1, 0, 1);
	btf__add_field(btf, "near", 1, 1 << 10, 0);
	btf__add_field(btf, "far", 3, 0, 0);
	btf__add_field(btf, "which", 1, 0x20, 1);
	btf_members(btf__type_by_id(btf, 4))[2].offset = word;
	return btf;
}

/* Beyond 2 MiB an offset runs into the byte that holds the size of a bit-field. */
static void far_bitfields(void **state)
{
	struct btf *btf = with_far_members(0x1000400);
	struct layout *layout = load(of_btf(btf, "made"), NULL, &everything, 0);

	(void)state;
	expect_members(find(layout, "huge"), false,
		       "flag 0 1 bits dynamic\n"
		       "near 1024 32\n"
		       "far 16778240 32\n"
		       "which 32 1 bits dynamic\n");
	layout_free(layout);
	btf__free(btf);
	/* 64 bits of a struct of 32; or at 128 MiB of 4 MiB */
	refuses_btf(with_far_members(0x40000000), "member 3 is a bit-field larger than its type");
}

/* ---- a module's BTF ------------------------------------------------------------------------- */

static struct btf *module_on(struct btf *base)
{
	struct btf *btf = btf__new_empty_split(base);

	assert_int_equal(btf__add_struct(btf, "added", 8), 4);
	btf__add_field(btf, "x", 1, 0, 0);
	btf__add_field(btf, "embedded", 3, 32, 0);
	return btf;
}

static void module_on_its_base(void **state)
{
	const char *names[] = {"added", "base"};
	struct want both = {.names = names, .n = 2};
	struct btf *base = small_btf(), *btf = module_on(base);
	struct btf_bytes under = of_btf(base, "vmlinux");
	struct layout *layout = load(of_btf(btf, "module"), &under, &everything, 0);

	(void)state;
	assert_int_equal(layout->ndefs, 1);
	expect_members(find(layout, "added"), true, "x 0 32 int\nembedded 32 32 struct base\n");
	layout_free(layout);
	layout = load(of_btf(btf, "module"), &under, &both, 0);
	assert_int_equal(layout->ndefs, 2);
	expect_members(find(layout, "base"), true, "x 0 32 int\n");
	layout_free(layout);
	refuses(of_btf(btf, "module"), NULL, "module: its BTF is a module's and stands on that");
	btf__free(btf);
	btf__free(base);
}

static void module_on_another_base(void **state)
{
	struct btf *base = small_btf(), *btf = module_on(base), *other = btf__new_empty();
	struct btf_bytes under = of_btf(other, "vmlinux");

	(void)state;
	refuses(of_btf(btf, "module"), &under, "is it of another build than its base?");
	btf__free(btf);
	btf__free(base);
	btf__free(other);
}

/* A whole BTF does not look at the base it is given. */
static void base_for_nothing(void **state)
{
	struct btf *btf = small_btf();
	struct btf_bytes under = {"junk", 4, "junk"};

	(void)state;
	layout_free(load(of_btf(btf, "made"), &under, &everything, 0));
	btf__free(btf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(struct_in_itself),       cmocka_unit_test(circles),
		cmocka_unit_test(sizeless_members),       cmocka_unit_test(endless_array),
		cmocka_unit_test(pointer_without_long),   cmocka_unit_test(same_names),
		cmocka_unit_test(tags_and_enums),         cmocka_unit_test(old_bitfields),
		cmocka_unit_test(far_bitfields),          cmocka_unit_test(module_on_its_base),
		cmocka_unit_test(module_on_another_base), cmocka_unit_test(base_for_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
