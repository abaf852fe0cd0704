/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs that a recording has: which lines they are of, and the verdicts they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "lib/scene.h"

enum { A = 0, B = 8 }; /* two data of the line */

/* What CPUs do to the two, and which stores the loads met. */
struct fight {
	bool b_is_stored;        /* by CPU 0, which stores to A */
	uint64_t from_a, from_b; /* HITM of CPU 1's loads of B, by what was stored last */
	uint64_t needed_a, needed_b;
	uint64_t from_elsewhere; /* by a store that no sample shows */
	uint64_t writer_line;    /* the stores are in that many bytes behind the line */
	enum c2c_verdict want;
	bool is_recorded;
	size_t npairs;
	uint64_t first, gain, alone;
};

static const struct fight fights[] = {
	/* Nobody stores to B: what it meets is A, and nothing of it was needed. */
	{.from_a = 700,
	 .want = VERDICT_FALSE,
	 .is_recorded = true,
	 .npairs = 1,
	 .first = 100,
	 .gain = 100,
	 .alone = 100},
	/* B is stored to: all it meets is itself. */
	{.b_is_stored = true,
	 .from_b = 700,
	 .needed_b = 700,
	 .want = VERDICT_TRUE,
	 .is_recorded = true,
	 .npairs = 1,
	 .first = 100},
	/* Only part of what B is was stored: no layout of members helps. */
	{.b_is_stored = true,
	 .from_b = 700,
	 .want = VERDICT_TRUE,
	 .is_recorded = true,
	 .npairs = 1,
	 .first = 100},
	/* B is stored to, now and then, and A was last: what was not needed is in vain. */
	{.b_is_stored = true,
	 .from_a = 700,
	 .needed_a = 7,
	 .want = VERDICT_FALSE,
	 .is_recorded = true,
	 .npairs = 1,
	 .first = 100,
	 .gain = 99,
	 .alone = 99},
	/* A was always last, and B had been stored to before. */
	{.b_is_stored = true,
	 .from_a = 700,
	 .needed_a = 700,
	 .want = VERDICT_TRUE,
	 .is_recorded = true,
	 .npairs = 1,
	 .first = 100},
	/* A fifth of it is not enough for that, a quarter is, four fifths are false sharing. */
	{.b_is_stored = true,
	 .from_a = 20,
	 .from_b = 80,
	 .needed_b = 80,
	 .want = VERDICT_TRUE,
	 .is_recorded = true,
	 .npairs = 2,
	 .first = 80,
	 .gain = 20,
	 .alone = 20},
	{.b_is_stored = true,
	 .from_a = 26,
	 .from_b = 74,
	 .needed_b = 74,
	 .want = VERDICT_MIXED,
	 .is_recorded = true,
	 .npairs = 2,
	 .first = 74,
	 .gain = 26,
	 .alone = 26},
	{.b_is_stored = true,
	 .from_a = 90,
	 .needed_a = 11,
	 .from_b = 10,
	 .needed_b = 10,
	 .want = VERDICT_MIXED,
	 .is_recorded = true,
	 .npairs = 2,
	 .first = 90,
	 .gain = 79,
	 .alone = 79},
	{.b_is_stored = true,
	 .from_a = 90,
	 .needed_a = 10,
	 .from_b = 10,
	 .needed_b = 10,
	 .want = VERDICT_FALSE,
	 .is_recorded = true,
	 .npairs = 2,
	 .first = 90,
	 .gain = 80,
	 .alone = 80},
	/* Stores that no sample shows: few are shared out, many make it a guess. */
	{.from_a = 80,
	 .from_elsewhere = 20,
	 .want = VERDICT_FALSE,
	 .is_recorded = true,
	 .npairs = 1,
	 .first = 100,
	 .gain = 100,
	 .alone = 100},
	{.from_a = 79,
	 .from_elsewhere = 21,
	 .want = VERDICT_FALSE,
	 .npairs = 1,
	 .first = 100,
	 .gain = 100,
	 .alone = 100},
	/* Another line's stores are of no datum here. */
	{.from_a = 700,
	 .writer_line = 64,
	 .want = VERDICT_FALSE,
	 .npairs = 1,
	 .first = 100,
	 .gain = 100,
	 .alone = 100},
	/* Nothing is recorded. */
	{.want = VERDICT_FALSE, .npairs = 1, .first = 100, .gain = 100, .alone = 100},
};

static void meet(struct scene *scene, uint64_t writer, uint64_t at, uint64_t reader, uint64_t n,
		 uint64_t needed)
{
	if (n)
		foughts_add(&scene->table.foughts,
			    &(struct access_pair){writer, SCENE_HEAP + at, reader, SCENE_HEAP + B,
						  n, needed});
}

static void test_fight(const struct fight *fight)
{
	enum { ELSEWHERE = 40 };
	const uint64_t store_a = 1, store_b = 2, load_b = 3;
	struct scene scene;
	const struct c2c_line *line;

	scene_begin(&scene);
	scene_store(&scene.table, 0, 30, SCENE_HEAP + A, store_a);
	if (fight->b_is_stored)
		scene_store(&scene.table, 0, 30, SCENE_HEAP + B, store_b);
	scene_load(&scene.table, 1, 100, SCENE_HEAP + B, load_b, HIT_LOCAL_HITM);
	meet(&scene, store_a, A + fight->writer_line, load_b, fight->from_a, fight->needed_a);
	meet(&scene, store_b, B, load_b, fight->from_b, fight->needed_b);
	meet(&scene, store_b, ELSEWHERE, load_b, fight->from_elsewhere, 0);
	scene_judge(&scene);
	line = &scene.report.lines[0];
	assert_int_equal(line->pairs_recorded, fight->is_recorded);
	assert_int_equal(line->verdict, fight->want);
	assert_int_equal(line->npairs, fight->npairs);
	assert_int_equal(line->pairs[0].hitm, fight->first);
	assert_int_equal(line->gain, fight->gain);
	assert_int_equal(line->data[line->ndata - 1].hitm_alone, fight->alone);
	scene_end(&scene);
}

static void test_fights(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fights); i++) {
		print_message("# fight %zu\n", i);
		test_fight(&fights[i]);
	}
}

static void test_on(void **state)
{
	struct c2c_foughts foughts = {0};
	static const uint64_t addresses[] = {0x80, 0x3f, 0x40, 0x7f, UINT64_MAX};
	const struct access_pair *found;
	size_t n;

	(void)state;
	foughts_on(&foughts, 0, 64, &n);
	assert_int_equal(n, 0);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		foughts_add(&foughts, &(struct access_pair){1, 2, 3, addresses[i], 1, 0});
	foughts_sort(&foughts);
	found = foughts_on(&foughts, 0x40, 64, &n);
	assert_int_equal(n, 2);
	assert_int_equal(found[0].reader_address, 0x40);
	assert_int_equal(found[1].reader_address, 0x7f);
	foughts_on(&foughts, 0xc0, 64, &n);
	assert_int_equal(n, 0);
	foughts_on(&foughts, UINT64_MAX - 63, 64, &n);
	assert_int_equal(n, 1);
	foughts_release(&foughts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fights),
		cmocka_unit_test(test_on),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
