/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edits: their words, and what they make of a struct. What compilers make of them is compared by
 * tests/random/edits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "layout/abi.h"
#include "layout/edit.h"
#include "layout/geometry.h"
#include "lib/model.h"

static struct arena arena;

/* ---- words ----------------------------------------------------------------------------------- */

static void is_refused(const char *text, const char *wanted)
{
	struct err err = ERR_INIT;
	struct edit edit;

	if (edit_parse(text, &arena, &err, &edit))
		fail_msg("`%s` is taken", text);
	assert_string_equal(err.text, wanted);
	err_release(&err);
}

static void mistakes(void **state)
{
	(void)state;
	is_refused("", ": column 1: `add`, `move`, `remove`, `align` or `pack` is wanted");
	is_refused("  grow x",
		   "  grow x: column 3: `add`, `move`, `remove`, `align` or `pack` is wanted");
	is_refused("added u64 x",
		   "added u64 x: column 1: `add`, `move`, `remove`, `align` or `pack` is wanted");
	is_refused("add", "add: column 4: a type is wanted");
	is_refused("add 64", "add 64: column 5: a type is wanted");
	is_refused("add const", "add const: column 10: a type is wanted");
	is_refused("add struct", "add struct: column 11: the name of the type is wanted");
	is_refused("add struct *x", "add struct *x: column 12: the name of the type is wanted");
	is_refused("add u64", "add u64: column 8: the name of the new member is wanted");
	is_refused("add unsigned long",
		   "add unsigned long: column 18: the name of the new member is wanted");
	is_refused("add u64 *", "add u64 *: column 10: the name of the new member is wanted");
	is_refused("add u64 x afer y",
		   "add u64 x afer y: column 11: `after` or `before` and a member are wanted");
	is_refused("add u64 x after", "add u64 x after: column 16: the name of a member is wanted");
	is_refused("add u64 x after 3",
		   "add u64 x after 3: column 17: the name of a member is wanted");
	is_refused("add u64 x after a.",
		   "add u64 x after a.: column 19: the name of a member is wanted");
	is_refused("add u64 x after y z",
		   "add u64 x after y z: column 19: nothing more is wanted here");
	is_refused("add u64 x:", "add u64 x:: column 11: how many bits is wanted");
	is_refused("add u64 x:0", "add u64 x:0: column 10: a member has one bit at least");
	is_refused("add u64 x:three", "add u64 x:three: column 11: how many bits is wanted");
	is_refused("add u64 x[3", "add u64 x[3: column 12: `]` is wanted");
	is_refused("add u64 x[", "add u64 x[: column 11: how many elements is wanted, or `]`");
	is_refused("add u64 x[2][]",
		   "add u64 x[2][]: column 14: only the first dimension can be left out");
	is_refused("add u8 x[1][1][1][1][1][1][1][1][1]",
		   "add u8 x[1][1][1][1][1][1][1][1][1]: column 34: no array has so many "
		   "dimensions");
	is_refused("move x", "move x: column 7: `after` or `before` and a member are wanted");
	is_refused("move after y",
		   "move after y: column 12: `after` or `before` and a member are wanted");
	is_refused("move x to y",
		   "move x to y: column 8: `after` or `before` and a member are wanted");
	is_refused("remove", "remove: column 7: the name of a member is wanted");
	is_refused("remove x y", "remove x y: column 10: nothing more is wanted here");
	is_refused("align", "align: column 6: the name of a member is wanted");
	is_refused("align x", "align x: column 8: how many bytes is wanted");
	is_refused("align x 3", "align x 3: column 9: an alignment is a power of two");
	is_refused("align 0", "align 0: column 7: an alignment is a power of two");
	is_refused("align x 99999999999999999999",
		   "align x 99999999999999999999: column 9: how many bytes is wanted");
	is_refused("align x 4294967296",
		   "align x 4294967296: column 9: an alignment is a power of two");
	is_refused("pack 3", "pack 3: column 6: the name of a member is wanted");
	is_refused("pack x y", "pack x y: column 8: nothing more is wanted here");
}

static struct edit parse(const char *text)
{
	struct err err = ERR_INIT;
	struct edit edit;

	if (!edit_parse(text, &arena, &err, &edit))
		fail_msg("%s", err.text);
	return edit;
}

static void words(void **state)
{
	struct edit edit =
		parse("add const  unsigned long volatile *const *x[ 2 ][0x10] before a.b");

	(void)state;
	assert_int_equal(edit.op, EDIT_ADD);
	assert_string_equal(edit.type, "unsigned long");
	assert_string_equal(edit.pointers, "**");
	assert_string_equal(edit.member, "x");
	assert_int_equal(edit.ndimensions, 2);
	assert_int_equal(edit.dimensions[1], 16);
	assert_true(edit.before);
	assert_string_equal(edit.anchor, "a.b");
	edit = parse(" add struct list_head l ");
	assert_string_equal(edit.type, "struct list_head");
	assert_null(edit.anchor);
	edit = parse("add u32 flag:3 after x");
	assert_int_equal(edit.bits, 3);
	assert_false(edit.before);
	edit = parse("add long x[][2]");
	assert_true(edit.is_flexible);
	assert_int_equal(edit.ndimensions, 1);
	edit = parse("move after after before");
	assert_string_equal(edit.member, "after");
	assert_string_equal(edit.anchor, "before");
	edit = parse("align 64");
	assert_null(edit.member);
	assert_int_equal(edit.align, 64);
	assert_null(parse("pack").member);
	assert_string_equal(parse("pack x").member, "x");
}

/* Of what is cut off something is wanted, where it ends or before, unless it is an edit. */
static void prefixes(void **state)
{
	static const char *const texts[] = {"add const unsigned long *x[2][0x10] before a.b",
					    "add struct list_head l:3 after c",
					    "move a.b after c",
					    "align a.b 64",
					    "pack a.b",
					    "remove a.b"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t len = 0; len <= strlen(texts[i]); len++) {
			const char *text = arena_strndup(&arena, texts[i], len);
			struct err err = ERR_INIT;
			struct edit edit;
			unsigned long column;

			if (edit_parse(text, &arena, &err, &edit)) {
				assert_int_not_equal(len, 0);
				continue;
			}
			assert_int_equal(strncmp(err.text, text, len), 0);
			assert_int_equal(sscanf(err.text + len, ": column %lu: ", &column), 1);
			assert_in_range(column, 1, len + 1);
			err_release(&err);
		}
}

/* ---- scalars --------------------------------------------------------------------------------- */

static uint64_t size_of(const char *arch, const char *name)
{
	struct layout *layout = model_new(arch, 64, SOURCE_DWARF);
	struct abi abi;

	assert_true(abi_of(&layout->target, &abi));
	layout_free(layout);
	return abi_size(&abi, name);
}

static void scalars(void **state)
{
	static const struct {
		const char *name;
		uint64_t wide, narrow;
	} known[] = {
		{"char", 1, 1},
		{"signed char", 1, 1},
		{"short int", 2, 2},
		{"unsigned", 4, 4},
		{"long", 8, 4},
		{"unsigned long int", 8, 4},
		{"int unsigned long long", 8, 8},
		{"_Bool", 1, 1},
		{"bool", 1, 1},
		{"size_t", 8, 4},
		{"u8", 1, 1},
		{"__s16", 2, 2},
		{"__be32", 4, 4},
		{"uint64_t", 8, 8},
		{"double", 8, 8},
		{"long long long", 0, 0},
		{"short long", 0, 0},
		{"unsigned signed", 0, 0},
		{"char int", 0, 0},
		{"u128", 0, 0},
		{"u64x", 0, 0},
		{"struct s", 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (size_of("x86_64", known[i].name) != known[i].wide ||
		    size_of("i386", known[i].name) != known[i].narrow)
			fail_msg("%s", known[i].name);
	}
}

/* ---- what comes of it ------------------------------------------------------------------------ */

static void add_leaf(struct buf *out, const struct leaf *leaf, const struct edited *edited)
{
	const struct member *member = leaf->member;

	buf_addf(out, "%s%s@%llu", out->len ? " " : "", member->name ? member->name : "-",
		 (unsigned long long)leaf->bit_offset / 8);
	if (member->is_bitfield)
		buf_addf(out, ".%llu", (unsigned long long)leaf->bit_offset % 8);
	for (size_t i = 0; i < edited->nwas; i++) {
		const struct edit_was *was = &edited->was[i];

		if (was->member != member)
			continue;
		if (was->is_new)
			buf_adds(out, "!");
		else if (was->bit_offset != leaf->bit_offset)
			buf_addf(out, "<%llu", (unsigned long long)was->bit_offset / 8);
	}
}

/* "SIZE: a@0 x@8! b@16<8": `!` is new, `<` was there. In @err what is wrong instead. */
static bool run(struct layout *layout, const char *name, const char *const *texts, struct buf *out)
{
	struct def_list found = layout_find(layout, type_ref_parse(&arena, name), &arena);
	struct err err = ERR_INIT;
	struct edit edits[4];
	struct edited edited;
	struct leaves leaves;
	struct buf rows = BUF_INIT;
	size_t n = 0;

	assert_int_equal(found.n, 1);
	for (; texts[n]; n++)
		edits[n] = parse(texts[n]);
	if (!edit_apply(found.defs[0], layout, edits, n, &arena, &err, &edited)) {
		buf_adds(out, err.text);
		err_release(&err);
		return false;
	}
	leaves = leaves_of(edited.def.type, &arena);
	for (size_t i = 0; i < leaves.n; i++)
		add_leaf(&rows, &leaves.items[i], &edited);
	buf_addf(out, "%llu: %s", (unsigned long long)edited.def.type->bits / 8, rows.s);
	for (size_t i = 0; i < edited.nassumed; i++)
		buf_addf(out, "; %s", edited.assumed[i]);
	buf_release(&rows);
	return true;
}

#define EDITS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* Frees the layout. */
static void becomes(struct layout *layout, const char *name, const char *const *texts,
		    const char *wanted)
{
	struct buf out = BUF_INIT;

	run(layout, name, texts, &out);
	assert_string_equal(out.s, wanted);
	buf_release(&out);
	layout_free(layout);
}

static struct layout *one(const char *arch, uint64_t size, const char *members)
{
	struct layout *layout = model_new(arch, 64, SOURCE_DWARF);

	model_define(layout, "s", size, members);
	return layout;
}

static void plain(void **state)
{
	const char *s = "a@0:8 b@8:4 c@12:1 d@16:8";

	(void)state;
	becomes(one("x86_64", 24, s), "s", EDITS("add u64 x"), "32: a@0 b@8 c@12 d@16 x@24!");
	becomes(one("x86_64", 24, s), "s", EDITS("add u8 x before d"),
		"24: a@0 b@8 c@12 x@13! d@16");
	becomes(one("x86_64", 24, s), "s", EDITS("add int *x after b"),
		"40: a@0 b@8 x@16! c@24<12 d@32<16");
	becomes(one("x86_64", 24, s), "s", EDITS("move d before b", "remove c"),
		"24: a@0 d@8<16 b@16<8");
	becomes(one("x86_64", 24, s), "s", EDITS("move a after d"),
		"24: b@0<8 c@4<12 d@8<16 a@16<0");
	becomes(one("x86_64", 24, s), "s", EDITS("move b after a"), "24: a@0 b@8 c@12 d@16");
	becomes(one("x86_64", 24, s), "s", EDITS("align c 64"), "128: a@0 b@8 c@64<12 d@72<16");
	becomes(one("x86_64", 24, s), "s", EDITS("align c 64", "align c 1"),
		"24: a@0 b@8 c@12 d@16");
	becomes(one("x86_64", 24, s), "s", EDITS("align 64"), "64: a@0 b@8 c@12 d@16");
	becomes(one("x86_64", 24, s), "s", EDITS("pack"), "21: a@0 b@8 c@12 d@13<16");
	becomes(one("x86_64", 24, s), "s", EDITS("pack d"), "24: a@0 b@8 c@12 d@13<16");
	becomes(one("i386", 20, "a@0:4 b@4:8 c@12:1 d@16:4"), "s", EDITS("add double x after c"),
		"28: a@0 b@4 c@12 x@16! d@24<16");
}

static void bits(void **state)
{
	const char *s = "a@0:4 f@4.0:b3 g@4.3:b20 h@8:4";

	(void)state;
	becomes(one("x86_64", 12, s), "s", EDITS("add u32 x:9 after g"),
		"12: a@0 f@4.0 g@4.3 x@6.7! h@8");
	becomes(one("x86_64", 12, s), "s", EDITS("add u32 x:10 after g"),
		"16: a@0 f@4.0 g@4.3 x@8.0! h@12<8");
	becomes(one("x86_64", 12, s), "s", EDITS("add u8 x:8 after g"),
		"12: a@0 f@4.0 g@4.3 x@7.0! h@8");
	becomes(one("x86_64", 12, s), "s", EDITS("remove f"), "12: a@0 g@4.0<4 h@8");
	becomes(one("x86_64", 12, s), "s", EDITS("add u8 x before f"),
		"12: a@0 x@4! f@5.0<4 g@5.3<4 h@8");
}

/* What the layout tells of attributes. */
static void attributes(void **state)
{
	(void)state;
	/* packed */
	becomes(one("x86_64", 13, "a@0:1 b@1:8 c@9:4"), "s", EDITS("add u64 x after a"),
		"21: a@0 x@1! b@9<1 c@17<9");
	/* one of them is */
	becomes(one("x86_64", 32, "a@0:1 b@1:8 c@16:8 d@24:8"), "s", EDITS("add u64 x after a"),
		"40: a@0 x@8! b@16<1 c@24<16 d@32<24");
	/* told by the image */
	becomes(one("x86_64", 128, "a@0:8 b@64:8!64"), "s", EDITS("add u64 x"),
		"128: a@0 b@64 x@72!");
	/* told by a hole alone */
	becomes(one("x86_64", 128, "a@0:8 b@64:8"), "s", EDITS("add u64 x before b"),
		"128: a@0 x@8! b@64; s: `b` is taken to be aligned to 64 bytes, by nothing but "
		"where it is");
	/* no alignment gives that size */
	becomes(one("x86_64", 72, "a@0:8 b@64:8"), "s", EDITS("add u64 x before b"),
		"80: a@0 x@8! b@72<64; s: 448 bits before `b` are taken for bit-fields without a "
		"name");
	becomes(one("x86_64", 16, "a@0:8"), "s", EDITS("add u64 x"),
		"24: a@0 x@8!; s: 64 bits at the end are taken for bit-fields without a name");
	becomes(one("x86_64", 8, "a@0:4 f@4.0:b3 g@4.8:b3"), "s", EDITS("remove f"),
		"8: a@0 g@4.5<5; s: 5 bits before `g` are taken for bit-fields without a name");
}

/* Alignments that no compiler gives, among them 2^61 bytes, which are 2^64 bits: as #pragma pack
 * has it, they are not kept. */
static void absurd(void **state)
{
	(void)state;
	becomes(one("x86_64", 16, "a@0:8 b@8:8!2305843009213693952"), "s", EDITS("add u64 x"),
		"24: a@0 b@8 x@16!");
	becomes(one("x86_64", 16, "a@0:8 b@8:8!18446744073709551615"), "s", EDITS("add u64 x"),
		"24: a@0 b@8 x@16!");
	becomes(one("x86_64", 16, "a@0:4 f@4.0:b3!2305843009213693952 b@8:8"), "s",
		EDITS("add u64 x"), "24: a@0 f@4.0 b@8 x@16!");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes),   cmocka_unit_test(words),  cmocka_unit_test(prefixes),
		cmocka_unit_test(scalars),    cmocka_unit_test(plain),  cmocka_unit_test(bits),
		cmocka_unit_test(attributes), cmocka_unit_test(absurd),
	};
	int failed;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	arena_init(&arena);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	return failed;
}
