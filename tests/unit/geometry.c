/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holes, padding, lines: known structs, odd ones, hostile ones, and thousands made at random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "layout/geometry.h"
#include "lib/spec.h"

static struct arena arena;

/* ---- what pahole says ------------------------------------------------------------------------ */

/* Structs that gcc 12 laid out on x86-64, and the numbers that pahole 1.24 prints for them. */
static const struct known {
	const char *name, *spec;
	uint64_t bytes, holes, hole_bytes, bit_holes, bit_hole_bits, padding, bit_padding;
} known[] = {
	{"plain", "a:64@0 b:8@64 c:32@96 d:64@128 e:8@192", 32, 1, 3, 0, 0, 7, 0},
	{"only a bit-field", "a/32:3@0", 4, 0, 0, 0, 0, 0, 29},
	{"the widest unit counts", "a/32:5@0 b/8:3@5 c:32@32", 8, 0, 0, 1, 24, 0, 0},
	{"bits behind a byte", "c:8@0 a/32:3@8 d:64@64", 16, 1, 4, 1, 21, 0, 0},
	{"two units, byte in the second", "a/32:20@0 b/32:20@32 c:8@56", 8, 0, 0, 2, 16, 0, 0},
	{"bytes with bits", "a/8:1@0 b/8:1@1 c:16@16 d/8:4@32", 6, 1, 1, 1, 6, 1, 4},
	{"a long bit-field", "a/64:33@0 b:32@64", 16, 0, 0, 1, 31, 4, 0},
	{"a zero-width one between", "a/32:3@0 b/32:4@32 c:8@40", 8, 0, 0, 2, 33, 2, 0},
	{"bytes before a unit", "x:8@0 b/32:4@32 c:32@64", 12, 1, 3, 1, 28, 0, 0},
	{"a unit begun before", "x:8@0 b/16:4@8 c:32@32", 8, 1, 2, 1, 4, 0, 0},
	{"bits that fill bytes", "a/32:8@0 b:8@8 c:16@16", 4, 0, 0, 0, 0, 0, 0},
	{"bools", "a/8:1@0 b/8:1@1 n:32@32", 8, 1, 3, 1, 6, 0, 0},
	{"flexible behind bits", "a/32:7@0 tail[]/8@8", 4, 0, 0, 1, 1, 3, 0},
	{"three in two units", "a/64:60@0 b/64:10@64 c/64:2@74 d:8@80", 16, 0, 0, 2, 8, 5, 0},
	{"a unit that grows", "a/16:9@0 b/64:3@9 c:32@32", 8, 0, 0, 1, 20, 0, 0},
	{"a hole before a flexible", "n:32@0 b:8@32 data[]/32@64", 8, 1, 3, 0, 0, 0, 0},
	{"a flexible in the tail", "a:64@0 b:8@64 d[]/16@80", 16, 1, 1, 0, 0, 6, 0},
	{"a flexible of bytes", "a:64@0 b:8@64 d[]/8@72", 16, 0, 0, 0, 0, 7, 0},
	{"a zero-length array", "a:8@0 e[0]:0@16 b:32@32", 8, 2, 3, 0, 0, 0, 0},
	{"an empty struct", "a:32@0 b:8@32 e:0@40 c:64@64", 16, 1, 3, 0, 0, 0, 0},
	{"an empty struct behind bits", "a/32:8@0 e:0@8 c:32@32", 8, 1, 3, 0, 0, 0, 0},
	{"packed", "a:8@0 b:32@8 c:16@40", 7, 0, 0, 0, 0, 0, 0},
	{"packed bits", "a:8@0 b/32:20@8 c/32:20@28 d:8@48", 7, 0, 0, 0, 0, 0, 0},
	{"aligned", "a:8@0 b:32@512", 128, 1, 63, 0, 0, 60, 0},
	{"embedded", "x:8@0 e=struct{a:64@0 b:8@64}:128@64 y:8@192", 32, 1, 7, 0, 0, 7, 0},
	{"arrays", "a[3]:24@0 b[2]:64@32 c:16@96", 16, 1, 1, 0, 0, 2, 0},
};

static void as_pahole(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct known *k = &known[i];
		struct geometry g;

		geometry_of(spec_struct(&arena, k->name, k->bytes, k->spec), 64, &arena, &g);
		if (g.holes != k->holes || g.hole_bytes != k->hole_bytes ||
		    g.bit_holes != k->bit_holes || g.bit_hole_bits != k->bit_hole_bits ||
		    g.padding != k->padding || g.bit_padding != k->bit_padding)
			fail_msg("%s: %llu holes of %llu, %llu bit holes of %llu, %llu and %llu at "
				 "the end",
				 k->name, (unsigned long long)g.holes,
				 (unsigned long long)g.hole_bytes, (unsigned long long)g.bit_holes,
				 (unsigned long long)g.bit_hole_bits, (unsigned long long)g.padding,
				 (unsigned long long)g.bit_padding);
	}
}

/* ---- anonymous members, unions, groups ------------------------------------------------------- */

static struct geometry geometry(uint64_t bytes, const char *spec)
{
	struct geometry g;

	geometry_of(spec_struct(&arena, "s", bytes, spec), 64, &arena, &g);
	return g;
}

static void through_anonymous(void **state)
{
	struct geometry g = geometry(12, "struct{a:32@0 b:8@32}:64@0 c:32@64");

	(void)state;
	assert_int_equal(g.leaves.n, 3);
	assert_string_equal(g.leaves.items[1].member->name, "b");
	assert_int_equal(g.leaves.items[1].depth, 1);
	assert_int_equal(g.leaves.items[1].bit_offset, 32);
	assert_int_equal(g.leaves.items[1].parent->nmembers, 2);
	assert_int_equal(g.leaves.items[2].depth, 0);
	assert_int_equal(g.ngaps, 1);
	assert_int_equal(g.gaps[0].kind, GAP_HOLE);
	assert_int_equal(g.gaps[0].bit_offset, 40);
	assert_int_equal(g.gaps[0].bit_size, 24);
	assert_string_equal(g.gaps[0].before->member->name, "b");
	assert_string_equal(g.gaps[0].after->member->name, "c");
	assert_int_equal(g.padding, 0);

	/* All members wrapped, as __randomize_layout does: the numbers of the plain struct. */
	g = geometry(32, "struct{a:64@0 b:8@64 c:32@96 d:64@128 e:8@192}:256@0");
	assert_int_equal(g.holes, 1);
	assert_int_equal(g.hole_bytes, 3);
	assert_int_equal(g.padding, 7);
	assert_null(g.gaps[1].after);
	assert_string_equal(g.gaps[1].before->member->name, "e");
}

static void groups_and_unions(void **state)
{
	/* struct_group(): each member twice at one offset, and nothing counted twice. */
	struct geometry g = geometry(16, "union{struct{a:8@0 b:32@32}:64@0 "
					 "g=struct{a:8@0 b:32@32}:64@0}:64@0 c:8@64");

	(void)state;
	assert_int_equal(g.leaves.n, 4);
	assert_string_equal(g.leaves.items[0].member->name, "g"); /* the larger first */
	assert_int_equal(g.holes, 0); /* g covers the hole between a and b */
	assert_int_equal(g.padding, 7);

	/* What only one alternative covers is covered. */
	g = geometry(16, "union{struct{a:8@0 b:32@32}:64@0 c:16@0}:64@0 d:64@64");
	assert_int_equal(g.hole_bytes, 2);
	assert_int_equal(g.gaps[0].bit_offset, 16);
	assert_string_equal(g.gaps[0].before->member->name, "c");
	g = geometry(16, "union{flags:32@0 struct{a/32:5@0 b/32:3@5}:32@0}:32@0 d:64@64");
	assert_int_equal(g.bit_holes, 0);
	assert_int_equal(g.hole_bytes, 4);

	geometry_of(spec_union(&arena, "u", 8, "c[5]:40@0 i:32@0"), 64, &arena, &g);
	assert_int_equal(g.padding, 3);
	assert_int_equal(g.holes, 0);
}

static void left_out(void **state)
{
	struct geometry g =
		geometry(24, "__cacheline_group_begin__x:0@0 a:32@0 __cacheline_group_end__x:0@32 "
			     "?v:64@0 b:64@64 ^B=struct{x:32@0}:64@128");

	(void)state;
	assert_int_equal(g.leaves.n, 3);
	assert_string_equal(g.leaves.items[0].member->name, "a");
	assert_true(g.leaves.items[2].member->is_base);
	assert_true(g.leaves.has_dynamic);
}

/* What is placed at run time may lie wherever nothing else does. */
static void dynamic_anywhere(void **state)
{
	static const char *const specs[] = {
		"?v:32@0 a:8@0 b:32@32 c:8@64",
		/* And so may the virtual bases that a base class brings. */
		"^B=struct{a:8@0 ?v:32@0}:8@0 b:32@32 c:8@64",
		"^B=struct{^A=struct{a:8@0 ?v:32@0}:8@0}:8@0 b:32@32 c:8@64",
	};
	struct geometry g;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(specs); i++) {
		g = geometry(16, specs[i]);
		assert_true(g.leaves.has_dynamic);
		assert_int_equal(g.ngaps, 2);
		for (size_t k = 0; k < g.ngaps; k++)
			assert_int_equal(g.gaps[k].kind, GAP_UNKNOWN);
		assert_int_equal(g.gaps[0].bit_offset, 8);
		assert_int_equal(g.gaps[0].bit_size, 24);
		assert_int_equal(g.gaps[1].bit_size, 56);
		assert_int_equal(g.holes + g.hole_bytes + g.padding, 0);
	}
	/* A member has all that its type needs inside of it. */
	g = geometry(16, "m=struct{a:8@0 ?v:32@0}:64@0 c:8@64");
	assert_false(g.leaves.has_dynamic);
	assert_int_equal(g.padding, 7);
}

/* A hundred levels, each of which leaves a hole. */
static void deep_holes(void **state)
{
	struct buf spec = BUF_INIT;
	struct geometry g;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		buf_addf(&spec, "struct{c%u:8@0 ", i);
	buf_adds(&spec, "leaf:32@32");
	for (unsigned i = 0; i < 100; i++)
		buf_addf(&spec, "}:%u@%u", 32 * (i + 2), i == 99 ? 0 : 32);
	g = geometry(101 * 4, spec.s);
	assert_int_equal(g.leaves.n, 101);
	assert_int_equal(g.holes, 100);
	assert_int_equal(g.hole_bytes, 300);
	buf_release(&spec);
}

static void sorted(void **state)
{
	struct leaves leaves =
		leaves_of(spec_struct(&arena, "s", 8, "z:0@32 b:8@32 a:32@32 x:8@0 y:8@0"), &arena);
	struct buf order = BUF_INIT;

	(void)state;
	assert_string_equal(leaves.items[0].member->name, "z");
	leaves_sort(&leaves);
	for (size_t i = 0; i < leaves.n; i++)
		buf_adds(&order, leaves.items[i].member->name);
	assert_string_equal(order.s, "xyabz");
	buf_release(&order);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void lines(void **state)
{
	struct line_span span;
	struct geometry g;

	(void)state;
	assert_true(lines_touched(0, 8, 64, 0, &span));
	assert_true(span.first == 0 && span.last == 0);
	assert_true(lines_touched(63 * 8, 16, 64, 0, &span));
	assert_true(span.first == 0 && span.last == 1);
	assert_true(lines_touched(64 * 8 - 1, 1, 64, 0, &span));
	assert_true(span.first == 0 && span.last == 0);
	assert_true(lines_touched(56 * 8, 64, 64, 8, &span)); /* base 8: bytes 56.. open line 1 */
	assert_true(span.first == 1 && span.last == 1);
	assert_true(lines_touched(200 * 8, 300 * 8, 64, 40, &span));
	assert_true(span.first == 3 && span.last == 8);
	assert_false(lines_touched(8, 0, 64, 0, &span));
	assert_false(lines_touched(8, 8, 0, 0, &span));
	assert_true(lines_touched(UINT64_MAX, UINT64_MAX, 64, 63, &span));

	assert_false(straddles(60 * 8, 4 * 8, 64));
	assert_true(straddles(60 * 8, 5 * 8, 64));
	assert_true(straddles(60 * 8, 80 * 8, 64));
	assert_true(straddles(4 * 8, 64 * 8, 64));
	assert_false(straddles(64 * 8, 80 * 8, 64));
	assert_true(straddles(63 * 8 + 7, 2, 64));
	assert_false(straddles(63 * 8, 0, 64));
	assert_false(straddles(60 * 8, 8 * 8, 0));

	g = geometry(65, "a[65]:520@0");
	assert_int_equal(g.lines, 2);
	g = geometry(64, "a[64]:512@0");
	assert_int_equal(g.lines, 1);
	g = geometry(0, "");
	assert_int_equal(g.lines, 0);
	assert_int_equal(g.ngaps, 0);
	geometry_of(spec_struct(&arena, "s", 64, "a:8@0"), 0, &arena, &g);
	assert_int_equal(g.lines, 0);
	assert_int_equal(g.padding, 63);
}

/* ---- large and hostile ----------------------------------------------------------------------- */

/* @n members of @bits, one every @stride bits. */
static struct type *many(size_t n, uint64_t bits, uint64_t stride, uint64_t total)
{
	struct member *members = arena_array(&arena, n, sizeof *members);
	struct type *type = spec_struct(&arena, "many", 0, ""),
		    *u8 = arena_alloc(&arena, sizeof *u8);

	*u8 = (struct type){.kind = TYPE_BASE, .has_size = true, .bits = bits, .spelling = "u8"};
	for (size_t i = 0; i < n; i++)
		members[i] = (struct member){.name = "m",
					     .type = u8,
					     .bit_offset = (n - 1 - i) * stride,
					     .bit_size = bits};
	type->members = members;
	type->nmembers = n;
	type->bits = total;
	return type;
}

static void no_narrow_counters(void **state)
{
	struct geometry g;
	clock_t start = clock();

	(void)state;
	geometry_of(many(300, 8, 16, 300 * 16), 64, &arena, &g);
	assert_int_equal(g.holes, 299);
	assert_int_equal(g.padding, 1);
	geometry_of(many(1, 8, 8, (UINT64_C(5) << 20) * 8 + 8), 64, &arena, &g);
	assert_int_equal(g.padding, 5 << 20);
	geometry_of(many(2, 8, UINT64_C(1) << 40, UINT64_C(1) << 41), 64, &arena, &g);
	assert_int_equal(g.hole_bytes, (UINT64_C(1) << 37) - 1);
	geometry_of(many(70000, 8, 16, 70000 * 16), 64, &arena, &g);
	assert_int_equal(g.leaves.n, 70000);
	assert_int_equal(g.holes, 69999);
	assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

static void beyond_the_type(void **state)
{
	struct geometry g = geometry(4, "a:8@0 b:64@16 c:8@18446744073709551615 d:32@640");

	(void)state;
	assert_int_equal(g.hole_bytes, 1);
	assert_int_equal(g.padding, 0);
	g = geometry(4, "a:18446744073709551608@8");
	assert_int_equal(g.hole_bytes, 1);
	assert_null(g.gaps[0].before);
	g = geometry(8, "struct{b:8@18446744073709551608}:8@64 a:8@0");
	assert_int_equal(g.padding, 7);
	g = geometry(8, "a/64:64@18446744073709551600 b/3:7@1 c/0:1@9");
	assert_true(g.ngaps >= 1);
}

/* A struct that holds itself twice, unnamed: 2^64 leaves when taken at its word. */
static void endless_nesting(void **state)
{
	struct type *type = spec_struct(&arena, "s", 8, "struct{a:32@0}:32@0 struct{a:32@0}:32@32");
	struct member *members = arena_copy(&arena, type->members, 2 * sizeof *members);
	struct geometry g;

	(void)state;
	members[0].type = members[1].type = type;
	type->members = members;
	geometry_of(type, 64, &arena, &g);
	assert_true(g.leaves.n <= MOST_LEAVES + DEEPEST_NESTING);
	assert_true(g.leaves.n > 0);
}

/* ---- at random ------------------------------------------------------------------------------- */

static unsigned seed = 12345;

static unsigned below(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/* Overlapping members, bit-fields, zero sizes, within 40 bytes. */
static struct type *random_type(void)
{
	size_t n = below(12);
	struct member *members = arena_array(&arena, n, sizeof *members);
	struct type *type = spec_struct(&arena, "random", 0, "");
	static const uint64_t units[] = {8, 16, 32, 64};

	type->bits = 40 * 8;
	for (size_t i = 0; i < n; i++) {
		struct type *t = arena_alloc(&arena, sizeof *t);

		*t = (struct type){.kind = TYPE_BASE, .has_size = true, .bits = units[below(4)]};
		members[i] = (struct member){.name = "m", .type = t};
		if (below(2)) {
			members[i].is_bitfield = true;
			members[i].bit_size = 1 + below((unsigned)t->bits);
			members[i].bit_offset = below(40 * 8 - (unsigned)members[i].bit_size + 1);
		} else {
			members[i].bit_size = below(5) ? t->bits : 0;
			members[i].bit_offset = below(33) * 8;
		}
	}
	type->members = members;
	type->nmembers = n;
	return type;
}

/* Every bit of the type is in a leaf or in one gap, and what gaps say of themselves is true. */
static void every_bit_once(void **state)
{
	(void)state;
	for (int round = 0; round < 20000; round++) {
		const struct type *type = random_type();
		unsigned char bits[40 * 8] = {0};
		uint64_t end = 0, hole_bytes = 0, last_end = 0;
		struct geometry g;

		geometry_of(type, 64, &arena, &g);
		for (size_t i = 0; i < type->nmembers; i++)
			for (uint64_t b = 0; b < type->members[i].bit_size; b++)
				bits[type->members[i].bit_offset + b] = 1;
		for (size_t i = 0; i < g.leaves.n; i++)
			if (g.leaves.items[i].bit_offset + g.leaves.items[i].member->bit_size >
			    last_end)
				last_end = g.leaves.items[i].bit_offset +
					   g.leaves.items[i].member->bit_size;
		for (size_t i = 0; i < g.ngaps; i++) {
			const struct gap *gap = &g.gaps[i];
			bool is_bytes = gap->kind == GAP_HOLE || gap->kind == GAP_PADDING;

			assert_true(gap->bit_size > 0);
			assert_true(gap->bit_offset >= end);
			end = gap->bit_offset + gap->bit_size;
			assert_true(end <= type->bits);
			for (uint64_t b = gap->bit_offset; b < end; b++)
				assert_int_equal(bits[b]++, 0);
			if (is_bytes)
				assert_true(gap->bit_offset % 8 == 0 && gap->bit_size % 8 == 0);
			if (gap->kind == GAP_HOLE)
				hole_bytes += gap->bit_size / 8;
			assert_int_equal(gap->after == NULL, gap->bit_offset >= last_end);
		}
		for (size_t b = 0; b < sizeof bits; b++)
			assert_int_equal(bits[b], 1);
		assert_int_equal(hole_bytes, g.hole_bytes);
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_pahole),
		cmocka_unit_test(through_anonymous),
		cmocka_unit_test(groups_and_unions),
		cmocka_unit_test(left_out),
		cmocka_unit_test(sorted),
		cmocka_unit_test(lines),
		cmocka_unit_test(no_narrow_counters),
		cmocka_unit_test(beyond_the_type),
		cmocka_unit_test(dynamic_anywhere),
		cmocka_unit_test(deep_holes),
		cmocka_unit_test(endless_nesting),
		cmocka_unit_test(every_bit_once),
	};
	int failed;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	return failed;
}
