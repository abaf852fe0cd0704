/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Diffs of layouts made by hand: what no pair of sources makes, what cannot be compared, and what a
 * broken image may hold. What compilers make is in tests/fixtures/diff. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "diff/alike.h"
#include "lib/told.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

static void kinds_have_names(void **state)
{
	enum change_kind kind;

	(void)state;
	for (size_t i = 0; i < CHANGE_KINDS; i++) {
		assert_non_null(change_rows[i].name);
		assert_non_null(change_rows[i].help);
		assert_true(change_kind_find(change_rows[i].name, &kind));
		assert_int_equal(kind, i);
	}
	assert_false(change_kind_find("size ", &kind));
	assert_false(change_kind_find("", &kind));
}

static void kinds_can_fail(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	sides_define(&sides, "s", 8, "a@0:8", 8, "b@0:8");
	sides.options.fails[CHANGE_RENAMED] = true;
	expect_told(&sides, NULL, "error s: `a` is called `b` now [renamed]");
	assert_int_equal(sides.changes.summary.errors, 1);
	sides.options.fails[CHANGE_RENAMED] = false;
	sides.options.fails[CHANGE_SIZE] = true;
	expect_told(&sides, NULL, "note s: `a` is called `b` now [renamed]");
	assert_int_equal(sides.changes.summary.errors, 0);
	sides_release(&sides);
}

/* ---- size, buckets, slabs ----------------------------------------------------------------------
 */

static void size_in_buckets(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	/* Another bucket; the same one; none known on one side. */
	sides_define(&sides, "a", 64, "x@0:8x8", 72, "x@0:8x9");
	sides_define(&sides, "b", 100, "x@0:4x25", 104, "x@0:4x26");
	sides_define(&sides, "c", 8192, "x@0:8x1024", 8200, "x@0:8x1025");
	expect_told(&sides, "type_size",
		    "warning a: size grew from 64 to 72 bytes, 1 to 2 lines, kmalloc-64 to "
		    "kmalloc-96 [size]\n"
		    "note b: size grew from 100 to 104 bytes [size]\n"
		    "warning c: size grew from 8192 to 8200 bytes, 128 to 129 lines [size]");
	sides.before->target.has_kernel = false;
	sides.options.types = (const char *const[]){"a"};
	sides.options.ntypes = 1;
	expect_told(&sides, "type_size",
		    "warning a: size grew from 64 to 72 bytes, 1 to 2 lines [size]");
	sides_release(&sides);
}

static void size_in_slabs(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	sides.options.cpus = 4;
	/* 170 and 157 objects of one page; a shrinking one leaves more. */
	sides_define(&sides, "a", 24, "x@0:8x3", 26, "x@0:2x13");
	sides_define(&sides, "b", 26, "x@0:2x13", 24, "x@0:8x3");
	expect_told(&sides, "type_size",
		    "warning a: size grew from 24 to 26 bytes, 170 to 128 objects a slab [size]\n"
		    "note b: size shrank from 26 to 24 bytes, 128 to 170 objects a slab [size]");
	assert_int_equal(sides.changes.nworst, 1);
	assert_string_equal(sides.changes.worst[0].heading,
			    "most bytes grown, times objects a slab lost");
	assert_int_equal(sides.changes.worst[0].n, 1);
	assert_string_equal(sides.changes.worst[0].rows[0].was, "24 bytes, 170 a slab");
	assert_string_equal(sides.changes.worst[0].rows[0].delta, "+2 x 42");
	sides_release(&sides);
}

/* ---- the worst ------------------------------------------------------------------------------- */

static void the_worst_come_first(void **state)
{
	struct sides sides;
	const struct worst_table *table;
	char name[8], old[16], new[16];

	(void)state;
	sides_init(&sides);
	for (unsigned i = 1; i <= 12; i++) {
		snprintf(name, sizeof name, "s%u", i);
		snprintf(old, sizeof old, "x@0:64x%u", 1U);
		snprintf(new, sizeof new, "x@0:64x%u", i);
		sides_define(&sides, name, 64, old, 64 * i, new);
	}
	diff_run(sides.before, sides.after, &sides.options, &sides.changes);
	assert_int_equal(sides.changes.nworst, 2);
	table = &sides.changes.worst[0];
	assert_string_equal(table->heading, "most lines grown");
	assert_int_equal(table->n, 10);
	assert_string_equal(table->rows[0].subject, "s12");
	assert_string_equal(table->rows[0].was, "1 line");
	assert_string_equal(table->rows[0].now, "12 lines");
	assert_string_equal(table->rows[0].delta, "+11");
	assert_string_equal(table->rows[9].subject, "s3");
	assert_string_equal(sides.changes.worst[1].heading, "most bytes grown");
	sides_release(&sides);
}

static void locks_that_straddle(void **state)
{
	struct sides sides;
	const struct worst_table *table;

	(void)state;
	sides_init(&sides);
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < 3; i++)
			model_define(
				side ? sides.after : sides.before,
				(const char *[]){"semaphore", "seqcount_spinlock_t", "list"}[i], 16,
				"a@0:8 b@8:8");
	sides_define(&sides, "s", 256,
		     "lock@0:=semaphore seq@64:=seqcount_spinlock_t list@128:=list", 256,
		     "lock@56:=semaphore seq@120:=seqcount_spinlock_t list@184:=list");
	diff_run(sides.before, sides.after, &sides.options, &sides.changes);
	assert_int_equal(sides.changes.nworst, 1);
	table = &sides.changes.worst[0];
	assert_string_equal(table->heading, "locks that straddle lines now");
	assert_int_equal(table->n, 2);
	assert_string_equal(table->rows[0].member, "lock");
	assert_string_equal(table->rows[0].was, "offset 0");
	assert_string_equal(table->rows[0].delta, "lines 0 and 1");
	assert_string_equal(table->rows[1].member, "seq");
	sides_release(&sides);
}

/* ---- names with several definitions
 * -------------------------------------------------------------- */

static struct def *define_in(struct layout *layout, const char *file, unsigned cus, uint64_t size,
			     const char *members)
{
	struct def *def = model_define(layout, "s", size, members);

	def->file = file;
	def->cus = cus;
	layout_sort(layout);
	return def;
}

static void definitions_are_paired(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	/* Most units first: without files, 16 would be taken for 24. */
	define_in(sides.before, "a.c", 9, 16, "a@0:8 b@8:8");
	define_in(sides.before, "b.c", 3, 32, "x@0:8x4");
	define_in(sides.after, "b.c", 9, 40, "x@0:8x5");
	define_in(sides.after, "a.c", 3, 24, "a@0:8 b@8:8 c@16:8");
	expect_told(&sides, "added type_size padding",
		    "warning s: size grew from 32 to 40 bytes, kmalloc-32 to kmalloc-64 [size]\n"
		    "warning s: size grew from 16 to 24 bytes, kmalloc-16 to kmalloc-32 [size]");
	sides_release(&sides);

	/* No file fits: the same layout does, and of the rest most units. */
	sides_init(&sides);
	define_in(sides.before, "a.c", 9, 16, "a@0:8 b@8:8");
	define_in(sides.before, "b.c", 3, 8, "q@0:8");
	define_in(sides.after, "c.c", 9, 8, "q@0:8");
	define_in(sides.after, "d.c", 5, 24, "a@0:8 b@8:8 c@16:8");
	define_in(sides.after, "e.c", 1, 4, "z@0:4");
	expect_told(&sides, "added",
		    "warning s: size grew from 16 to 24 bytes, kmalloc-16 to kmalloc-32 [size]\n"
		    "note s: appeared: 4 bytes, 1 line [appeared]");
	assert_int_equal(sides.changes.summary.compared, 2);
	sides_release(&sides);
}

static void a_name_becomes_ambiguous(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	define_in(sides.before, "a.c", 9, 16, "a@0:8 b@8:8");
	define_in(sides.after, "a.c", 9, 16, "a@0:8 b@8:8");
	define_in(sides.after, "b.c", 1, 8, "q@0:8");
	expect_told(&sides, NULL,
		    "warning s: the name has 2 different definitions, and had one [ambiguous]\n"
		    "note s: appeared: 8 bytes, 1 line [appeared]");
	sides_release(&sides);

	/* And the other way round. */
	sides_init(&sides);
	define_in(sides.before, "a.c", 9, 16, "a@0:8 b@8:8");
	define_in(sides.before, "b.c", 1, 8, "q@0:8");
	define_in(sides.after, "a.c", 9, 16, "a@0:8 b@8:8");
	expect_told(&sides, NULL, "note s: vanished: 8 bytes, 1 line [vanished]");
	sides_release(&sides);
}

static void kinds_of_types_are_told_apart(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	sides_define(&sides, "s", 8, "a@0:8", 8, NULL);
	sides_define(&sides, "union s", 8, NULL, 8, "a@0:8");
	model_define(sides.before, "t", 8, "a@0:8")->scope = "ns";
	model_define(sides.after, "t", 8, "b@0:8")->scope = "ns";
	expect_told(&sides, NULL,
		    "note ns::t: `a` is called `b` now [renamed]\n"
		    "note s: vanished: 8 bytes, 1 line [vanished]\n"
		    "note union s: appeared: 8 bytes, 1 line [appeared]");
	sides.options.types = (const char *const[]){"union s", "s", "struct s"};
	sides.options.ntypes = 3;
	expect_told(&sides, NULL,
		    "note s: vanished: 8 bytes, 1 line [vanished]\n"
		    "note union s: appeared: 8 bytes, 1 line [appeared]");
	assert_int_equal(sides.changes.nworst, 0);
	sides_release(&sides);
}

static void fingerprints(void **state)
{
	char first[SHA256_HEX];
	struct sides sides;

	(void)state;
	sides_init(&sides);
	sides_define(&sides, "s", 8, "a@0:8", 16, "a@0:8 b@8:8");
	expect_told(&sides, "size",
		    "note s: `b` was added at offset 8 on line 0 (u64, 8 bytes) [added]");
	memcpy(first, only_change(&sides, CHANGE_ADDED)->fingerprint, sizeof first);
	sides_release(&sides);

	/* Elsewhere and of another type it is the same change. */
	sides_init(&sides);
	sides_define(&sides, "s", 8, "a@0:8", 24, "a@0:8 b@16:4");
	expect_told(&sides, "size padding hole_opened",
		    "note s: `b` was added at offset 16 on line 0 (u32, 4 bytes) [added]");
	assert_string_equal(only_change(&sides, CHANGE_ADDED)->fingerprint, first);
	sides_release(&sides);

	/* Two that only their order tells apart. */
	sides_init(&sides);
	define_in(sides.after, "a.c", 9, 8, "a@0:8");
	define_in(sides.after, "b.c", 1, 16, "a@0:8 b@8:8");
	sides.after->defs[0].has_decl = sides.after->defs[1].has_decl = false;
	expect_told(&sides, NULL,
		    "note s: appeared: 8 bytes, 1 line [appeared]\n"
		    "note s: appeared: 16 bytes, 1 line [appeared]");
	assert_string_not_equal(sides.changes.items[0].fingerprint,
				sides.changes.items[1].fingerprint);
	sides_release(&sides);
}

/* ---- what cannot be compared
 * --------------------------------------------------------------------- */

static void assert_refused(struct sides *sides, const char *sentence)
{
	const char *refusal =
		diff_refusal(sides->before, sides->after, &sides->options, &sides->arena);

	if (!sentence) {
		assert_null(refusal);
		return;
	}
	assert_non_null(refusal);
	assert_string_equal(refusal, sentence);
}

static void refusals(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	assert_refused(&sides, NULL);
	sides.after->target.arch = "s390x";
	assert_refused(&sides,
		       "old is for x86_64 and new for s390x: their layouts cannot be compared");
	sides.after->target.arch = NULL;
	assert_refused(&sides, NULL);
	sides.after->target.bits = 32;
	assert_refused(&sides, "old has 64 bits and new has 32: their layouts cannot be compared");
	sides.after->target.bits = 64;
	sides.after->target.line = 128;
	assert_refused(&sides, "old has lines of 64 bytes and new of 128: give one size for both "
			       "with --cacheline");
	sides.options.line = 64;
	assert_refused(&sides, NULL);
	assert_int_equal(diff_line(sides.before, sides.after, &sides.options), 64);
	sides.options.line = 0;
	sides.before->target.line = 0;
	assert_refused(&sides, NULL);
	assert_int_equal(diff_line(sides.before, sides.after, &sides.options), 128);
	sides_release(&sides);
}

static void assert_warned(struct sides *sides, const char *sentence)
{
	changes_release(&sides->changes);
	diff_run(sides->before, sides->after, &sides->options, &sides->changes);
	assert_int_equal(sides->changes.nwarnings, sentence != NULL);
	if (sentence)
		assert_string_equal(sides->changes.warnings[0], sentence);
}

static void warnings(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	assert_warned(&sides, NULL);
	sides.before->knows_align = false;
	sides.before->source = SOURCE_BTF;
	assert_warned(&sides, "old does not say how types are aligned (BTF): alignments are not "
			      "compared");
	sides.after->knows_align = false;
	assert_warned(&sides, NULL);
	sides.after->target.arch = NULL;
	assert_warned(&sides,
		      "new does not say which machine it is for: it is taken to be that of old");
	sides.before->target.arch = NULL;
	sides.before->target.line = sides.after->target.line = 0;
	assert_warned(&sides, "the size of a cache line is not known: give --arch or --cacheline; "
			      "lines are not compared");
	sides_release(&sides);
}

static void no_lines_where_none_are_known(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	sides.before->target.line = sides.after->target.line = 0;
	sides_define(&sides, "s", 128, "a@0:8 b@64:8 c@72:56", 128, "a@0:8 b@60:8 c@68:56");
	expect_told(&sides, NULL,
		    "note s: padding grew from 0 to 4 bytes [padding]\n"
		    "note s: the hole behind `a` shrank from 56 bytes to 52 bytes [hole_used]\n"
		    "note s: -4 from `b` on, 4 bytes of the hole before it taken up [moved]");
	sides_release(&sides);
}

static void randomised_layouts(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	for (int side = 0; side < 2; side++) {
		struct layout *layout = side ? sides.after : sides.before;

		model_define(layout, "inner", 48, "a@0:8x6");
		model_define(layout, "task_struct", 64, "state@0:8 -@8:=inner stack@56:8");
	}
	diff_run(sides.before, sides.after, &sides.options, &sides.changes);
	assert_int_equal(sides.changes.nwarnings, 2);
	assert_string_equal(sides.changes.warnings[0],
			    "old has randomised layouts (CONFIG_RANDSTRUCT): the order of members "
			    "marked so differs from seed to seed");
	sides_release(&sides);

	/* A small anonymous struct is in every kernel. */
	sides_init(&sides);
	model_define(sides.before, "inner", 8, "a@0:8");
	model_define(sides.before, "task_struct", 64, "state@0:8 -@8:=inner stack@16:8x6");
	assert_warned(&sides, NULL);
	sides_release(&sides);
}

/* ---- spellings ------------------------------------------------------------------------------- */

static void spellings(void **state)
{
	static const struct {
		const char *old, *new;
		bool flexible, same, flat;
	} rows[] = {
		{"int", "int", false, true, false},
		{"unsigned long", "long unsigned int", false, true, false},
		{"const long unsigned int *", "const unsigned long *", false, true, false},
		{"int (*)(long int, short unsigned int)", "int (*)(long, unsigned short)", false,
		 true, false},
		{"unsigned int[4]", "unsigned[4]", false, true, false},
		{"long long int", "long long", false, true, false},
		{"signed char", "char", false, false, false},
		{"unsigned char", "char", false, false, false},
		{"long", "long long", false, false, false},
		{"unsigned int", "int", false, false, false},
		{"struct a *", "struct b *", false, false, false},
		{"struct a", "struct ab", false, false, false},
		{"struct int_thing", "struct thing", false, false, false},
		{"int[]", "int[0]", true, true, false},
		{"int[]", "int[0]", false, false, false},
		{"int[0]", "int[1]", true, false, false},
		{"int[2][3]", "int[6]", false, true, true},
		{"int[2][3]", "int[6]", false, false, false},
		{"int[2][3]", "int[5]", false, false, true},
		{"int (*[2])(long[3])", "int (*[2])(long[3])", false, true, true},
		{"int[0][4]", "int[0]", false, true, true},
		{"int[][4]", "int[0]", true, true, true},
		{"complex double", "complex", false, true, false},
		{"const complex[2]", "const complex long double[2]", false, true, false},
		{"complex double", "complex float", false, false, false},
		{"struct complex_t", "struct complex", false, false, false},
		{"complex", "complex_t", false, false, false},
		{"", "", false, true, false},
		{"", "int", false, false, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (alike_spelling(rows[i].old, rows[i].new, rows[i].flexible, rows[i].flat) !=
		    rows[i].same)
			fail_msg("`%s` and `%s`", rows[i].old, rows[i].new);
}

/* ---- images that no compiler makes
 * ---------------------------------------------------------------- */

static void places_near_the_end_of_numbers(void **state)
{
	struct sides sides;

	(void)state;
	sides_init(&sides);
	sides_define(&sides, "s", 8, "a@0:8 b@2305843009213693951:8", 8,
		     "a@0:8 b@2305843009213693944:8 c@2305843009213693951:8");
	expect_told(&sides, "added neighbour straddles crossed_line moved padding hole_opened", "");
	sides_release(&sides);
}

enum { MANY = 30000 };

/* A struct or union of so many members, all at offset @step * their number. */
static struct type *many_members(struct layout *layout, enum type_kind kind, uint64_t step,
				 const char *prefix)
{
	struct type *type = arena_alloc(&layout->arena, sizeof *type);
	struct member *members = arena_array(&layout->arena, MANY, sizeof *members);
	struct type *element = arena_alloc(&layout->arena, sizeof *element);

	*element = (struct type){
		.kind = TYPE_BASE, .name = "u8", .spelling = "u8", .has_size = true, .bits = 8};
	for (size_t i = 0; i < MANY; i++)
		members[i] =
			(struct member){.name = arena_printf(&layout->arena, "%s%zu", prefix, i),
					.type = element,
					.bit_offset = i * step,
					.bit_size = 8};
	*type = (struct type){.kind = kind,
			      .name = "s",
			      .spelling = "struct s",
			      .has_size = true,
			      .bits = MANY * step + 8,
			      .members = members,
			      .nmembers = MANY};
	return type;
}

/* It ends in good time, whatever lies on one line or moves on its own. */
static void many(void **state)
{
	static const struct {
		enum type_kind kind;
		uint64_t old_step, new_step;
		const char *prefix;
	} rows[] = {
		{TYPE_UNION, 0, 0, "b"},   {TYPE_UNION, 0, 8, "a"},  {TYPE_STRUCT, 8, 16, "a"},
		{TYPE_STRUCT, 16, 8, "a"}, {TYPE_STRUCT, 8, 8, "b"}, {TYPE_STRUCT, 512, 520, "a"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sides sides;

		sides_init(&sides);
		model_define(sides.before, "s", 8, "a@0:8")->type =
			many_members(sides.before, rows[i].kind, rows[i].old_step, "a");
		model_define(sides.after, "s", 8, "a@0:8")->type =
			many_members(sides.after, rows[i].kind, rows[i].new_step, rows[i].prefix);
		diff_run(sides.before, sides.after, &sides.options, &sides.changes);
		assert_int_equal(sides.changes.summary.compared, 1);
		sides_release(&sides);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_have_names),
		cmocka_unit_test(kinds_can_fail),
		cmocka_unit_test(size_in_buckets),
		cmocka_unit_test(size_in_slabs),
		cmocka_unit_test(the_worst_come_first),
		cmocka_unit_test(locks_that_straddle),
		cmocka_unit_test(definitions_are_paired),
		cmocka_unit_test(a_name_becomes_ambiguous),
		cmocka_unit_test(kinds_of_types_are_told_apart),
		cmocka_unit_test(fingerprints),
		cmocka_unit_test(refusals),
		cmocka_unit_test(warnings),
		cmocka_unit_test(no_lines_where_none_are_known),
		cmocka_unit_test(randomised_layouts),
		cmocka_unit_test(spellings),
		cmocka_unit_test(places_near_the_end_of_numbers),
		cmocka_unit_test(many),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
