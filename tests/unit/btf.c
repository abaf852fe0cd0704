// SPDX-License-Identifier: GPL-2.0-or-later
/* BTF that gcc with pahole and clang write, in both byte orders, against what their source says. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "lib/btf.h"
#include "lib/scratch.h"

/* ---- what compilers write ------------------------------------------------------------------- */

#define PLACES                                                                                     \
	"a 0 3 bits\n"                                                                             \
	"b 3 7 bits\n"                                                                             \
	"on 10 1 bits\n"                                                                           \
	"level 32 32\n"                                                                            \
	"inner 64 64\n"                                                                            \
	"- 128 64\n"                                                                               \
	" x 0 8\n"                                                                                 \
	" - 32 32\n"                                                                               \
	"  u 0 32\n"                                                                               \
	"  v 0 8\n"                                                                                \
	"count 192 32\n"

static const char outer_places[] = PLACES "word 224 64\n"
					  "name 320 64\n"
					  "next 384 64\n"
					  "probe 448 64\n"
					  "__cacheline_group_begin__hot 512 0 marker\n"
					  "stop 512 0\n"
					  "grid 512 192\n"
					  "live 704 32\n"
					  "d 768 64\n"
					  "rest 832 0 flexible\n";

static const char outer_places_32[] = PLACES "word 224 64\n"
					     "name 288 32\n"
					     "next 320 32\n"
					     "probe 352 32\n"
					     "__cacheline_group_begin__hot 384 0 marker\n"
					     "stop 384 0\n"
					     "grid 384 192\n"
					     "live 576 32\n"
					     "d 608 64\n"
					     "rest 672 0 flexible\n";

static struct layout *load_file(const char *name, struct bytes *bytes)
{
	*bytes = scratch_read(name);
	return load((struct btf_bytes){bytes->data, bytes->len, name}, NULL, &everything, 0);
}

static void expect_fixture(const char *name, const char *places, uint64_t bits, bool big)
{
	struct bytes bytes;
	struct layout *layout = load_file(name, &bytes);
	const struct def *outer = find(layout, "struct outer");

	expect_members(outer, false, places);
	assert_int_equal(outer->type->bits, bits);
	assert_true(outer->type->has_size);
	assert_int_equal(outer->kind, DEF_STRUCT);
	assert_false(outer->has_decl || layout->knows_decl || layout->knows_align);
	assert_int_equal(outer->cus, 1);
	assert_int_equal(layout->target.big_endian, big);
	assert_int_equal(find(layout, "union word")->type->bits, 64);
	assert_int_equal(find(layout, "counted_t")->kind, DEF_TYPEDEF);
	/* counted_t, inner, outer, word: an alias of a typedef and a typedef of an int are none */
	assert_int_equal(layout->ndefs, 4);
	layout_free(layout);
	bytes_release(&bytes);
}

static void gcc_and_pahole(void **state)
{
	(void)state;
	expect_fixture("gcc.btf", outer_places, 832, false);
}

static void gcc_and_pahole_32(void **state)
{
	(void)state;
	expect_fixture("gcc32.btf", outer_places_32, 672, false);
}

static void clang_little_endian(void **state)
{
	(void)state;
	expect_fixture("bpfel.btf", outer_places, 832, false);
}

static void clang_big_endian(void **state)
{
	(void)state;
	expect_fixture("bpfeb.btf", outer_places, 832, true);
}

static void spellings(void **state)
{
	struct bytes bytes;
	struct layout *layout = load_file("bpfel.btf", &bytes);

	(void)state;
	expect_members(find(layout, "outer"), true,
		       "a 0 3 bits unsigned int\n"
		       "b 3 7 bits unsigned int\n"
		       "on 10 1 bits _Bool\n"
		       "level 32 32 enum level\n"
		       "inner 64 64 struct inner\n"
		       "- 128 64 struct {...}\n"
		       " x 0 8 char\n"
		       " - 32 32 union {...}\n"
		       "  u 0 32 int\n"
		       "  v 0 8 char\n"
		       "count 192 32 alias_t\n"
		       "word 224 64 union word\n"
		       "name 320 64 const char *const\n"
		       "next 384 64 struct node *\n"
		       "probe 448 64 int (*)(struct node *, plain_t, ...)\n"
		       "__cacheline_group_begin__hot 512 0 marker char[0]\n"
		       "stop 512 0 char[0]\n"
		       "grid 512 192 int[2][3]\n"
		       "live 704 32 volatile plain_t\n"
		       "d 768 64 double\n"
		       "rest 832 0 flexible struct node *[]\n");
	layout_free(layout);
	bytes_release(&bytes);
}

/* Only what is asked for becomes a definition, and its embedded types come along. */
static void wanted_names(void **state)
{
	const char *names[] = {"counted_t", "inner", "nothing"};
	struct want want = {.names = names, .n = 3};
	struct bytes bytes = scratch_read("gcc.btf");
	struct layout *layout =
		load((struct btf_bytes){bytes.data, bytes.len, "x"}, NULL, &want, 64);

	(void)state;
	assert_int_equal(layout->ndefs, 2);
	expect_members(find(layout, "counted_t"), true, "counter 0 32 int\n");
	expect_members(find(layout, "inner"), true, "c 0 8 char\ni 32 32 int\n");
	layout_free(layout);
	bytes_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gcc_and_pahole),      cmocka_unit_test(gcc_and_pahole_32),
		cmocka_unit_test(clang_little_endian), cmocka_unit_test(clang_big_endian),
		cmocka_unit_test(spellings),           cmocka_unit_test(wanted_names),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_fixtures, scratch_remove);
}
