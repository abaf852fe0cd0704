/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is a change of HITM, and what is how runs differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/against.h"

enum { RUNS = 3, OTHERS = 10000 };

/* The HITM of one line in three runs of each side, beside a line that stays at OTHERS. */
static const struct {
	uint64_t before[RUNS], after[RUNS];
	enum against_fate want;
} cases[] = {
	{{1000, 1010, 990}, {1500, 1480, 1490}, AGAINST_GAINED},
	{{1500, 1480, 1490}, {1000, 1010, 990}, AGAINST_LOST},
	{{1000, 1010, 990}, {1000, 990, 1010}, AGAINST_SAME},
	/* Apart, but no further than the runs of a side: 1300 and 1800 by 500. */
	{{1000, 1300, 1150}, {1301, 1801, 1401}, AGAINST_SAME},
	{{1000, 1300, 1150}, {1700, 2000, 1850}, AGAINST_GAINED},
	/* One run of the one side is in the other. */
	{{1000, 1000, 1600}, {1590, 3000, 3000}, AGAINST_SAME},
	/* Not there, then there. */
	{{0, 0, 0}, {500, 500, 500}, AGAINST_GAINED},
	/* A hundredth of all, and less. */
	{{0, 0, 0}, {102, 102, 102}, AGAINST_GAINED},
	{{0, 0, 0}, {100, 100, 100}, AGAINST_SAME},
	{{7, 7, 7}, {7, 7, 7}, AGAINST_SAME},
};

static const struct against_change *change_of(const struct against_change *changes, size_t n,
					      const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(changes[i].name, name) == 0)
			return &changes[i];
	fail_msg("%s is not among the changes", name);
	return NULL;
}

static void fill(const uint64_t hitm[RUNS], struct against_count counts[RUNS][2],
		 struct against_run runs[RUNS])
{
	for (size_t i = 0; i < RUNS; i++) {
		counts[i][0] = (struct against_count){"others", OTHERS};
		counts[i][1] = (struct against_count){"line", hitm[i]};
		/* What is not there is 0. */
		runs[i] = (struct against_run){counts[i], hitm[i] ? 2 : 1};
	}
}

static void test_fates(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct against_count counts[2][RUNS][2];
		struct against_run runs[2][RUNS];
		struct against_side before = {runs[0], RUNS}, after = {runs[1], RUNS};
		struct arena arena = {0};
		const struct against_change *changes;
		size_t n;

		fill(cases[i].before, counts[0], runs[0]);
		fill(cases[i].after, counts[1], runs[1]);
		changes = against_compare(&before, &after, &arena, &n);
		assert_int_equal(n, 2);
		print_message("# case %zu\n", i);
		assert_int_equal(change_of(changes, n, "line")->fate, cases[i].want);
		assert_int_equal(change_of(changes, n, "others")->fate, AGAINST_SAME);
		/* Two runs of a side say nothing. */
		after.n--;
		changes = against_compare(&before, &after, &arena, &n);
		assert_int_equal(change_of(changes, n, "line")->fate, AGAINST_UNKNOWN);
		arena_release(&arena);
	}
}

static void test_ranges(void **state)
{
	/* A name that stands twice has the sum. */
	const struct against_count one[] = {{"b", 30}, {"a", 10}, {"b", 30}};
	const struct against_count two[] = {{"b", 90}};
	const struct against_count three[] = {{"c", 900}, {"b", 75}};
	const struct against_run left[] = {{one, 3}, {two, 1}, {one, 3}};
	const struct against_run right[] = {{three, 2}, {three, 2}, {three, 2}};
	const struct against_side before = {left, RUNS}, after = {right, RUNS};
	struct arena arena = {0};
	const struct against_change *changes, *b;
	size_t n;

	(void)state;
	changes = against_compare(&before, &after, &arena, &n);
	assert_int_equal(n, 3);
	assert_string_equal(changes[0].name, "c"); /* gained, all others are the same */
	assert_int_equal(changes[0].fate, AGAINST_GAINED);
	assert_string_equal(changes[1].name, "a"); /* by 6.7; b by 5 */
	b = &changes[2];
	assert_string_equal(b->name, "b");
	assert_int_equal(b->before.least, 60);
	assert_int_equal(b->before.most, 90);
	assert_true(b->before.mean > 69.9 && b->before.mean < 70.1);
	assert_int_equal(b->after.least, 75);
	assert_int_equal(b->after.most, 75);
	arena_release(&arena);
}

static void test_nothing(void **state)
{
	const struct against_side none = {0};
	struct arena arena = {0};
	size_t n;

	(void)state;
	against_compare(&none, &none, &arena, &n);
	assert_int_equal(n, 0);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fates),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
