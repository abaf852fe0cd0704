/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several layouts as one: what is equal, what is counted, and what is claimed once. */
#include "layout/join.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const struct type nothing = {.kind = TYPE_STRUCT, .has_size = true};

/* A layout with one definition a row, up to one without a name. */
static struct layout *part_of(const struct def *rows)
{
	struct layout *layout = layout_new();
	size_t n = 0;

	while (rows[n].name)
		n++;
	layout->defs = arena_copy(&layout->arena, rows, n * sizeof *rows);
	layout->ndefs = n;
	for (size_t i = 0; i < n; i++) {
		layout->defs[i].name = arena_strdup(&layout->arena, rows[i].name);
		layout->defs[i].type = &nothing;
		layout->defs[i].cus = 1;
	}
	return layout;
}

static void test_equal(void **state)
{
	const struct def first[] = {{.name = "t", .digest = 1, .line = 10},
				    {.name = "t", .scope = "n", .digest = 1},
				    {0}};
	const struct def second[] = {{.name = "t", .digest = 1, .line = 20},
				     {.name = "t", .digest = 2},
				     {.name = "t", .kind = DEF_UNION, .digest = 1},
				     {0}};
	struct join *join = join_new();
	struct layout *whole;

	(void)state;
	assert_false(join_has_name(join, "t"));
	join_add(join, part_of(first));
	join_add(join, part_of(second));
	assert_int_equal(join_parts(join), 2);
	assert_true(join_has_name(join, "t"));
	assert_false(join_has_name(join, "u"));
	whole = join_finish(join, "both");
	assert_string_equal(whole->path, "both");
	assert_int_equal(whole->ndefs, 4);
	/* The most units first; the first part's stays. */
	assert_int_equal(whole->defs[0].cus, 2);
	assert_int_equal(whole->defs[0].line, 10);
	assert_int_equal(whole->defs[1].digest, 2);
	assert_int_equal(whole->defs[2].kind, DEF_UNION);
	assert_string_equal(whole->defs[3].scope, "n");
	layout_free(whole);
}

static void test_count(void **state)
{
	const struct def rows[] = {{.name = "t", .digest = 1}, {0}};
	const struct def same = {.name = "t", .digest = 1, .cus = 5};
	const struct def other = {.name = "t", .digest = 3, .cus = 5};
	struct join *join = join_new();
	struct layout *whole;

	(void)state;
	assert_false(join_count(join, &same));
	join_add(join, part_of(rows));
	assert_true(join_count(join, &same));
	assert_false(join_count(join, &other));
	whole = join_finish(join, "x");
	assert_int_equal(whole->ndefs, 1);
	assert_int_equal(whole->defs[0].cus, 6);
	layout_free(whole);
}

/* Enough for the tables to grow, under names that all parts have and names of their own. */
static void test_many(void **state)
{
	enum { PARTS = 50, EACH = 100 };
	struct join *join = join_new();
	struct layout *whole;

	(void)state;
	for (unsigned part = 0; part < PARTS; part++) {
		struct def rows[EACH + 1] = {{0}};
		char names[EACH][32];

		for (unsigned i = 0; i < EACH; i++) {
			snprintf(names[i], sizeof names[i], i % 2 ? "own%u.%u" : "all%u", i, part);
			rows[i] = (struct def){.name = names[i], .digest = i};
		}
		join_add(join, part_of(rows));
	}
	assert_true(join_has_name(join, "all0"));
	assert_true(join_has_name(join, "own99.49"));
	assert_false(join_has_name(join, "own99.50"));
	whole = join_finish(join, "many");
	assert_int_equal(whole->ndefs, EACH / 2 + EACH / 2 * PARTS);
	assert_int_equal(whole->defs[0].cus, PARTS);
	assert_int_equal(whole->defs[whole->ndefs - 1].cus, 1);
	layout_free(whole);
}

static void test_claims(void **state)
{
	const struct def none[] = {{0}};
	struct join *join = join_new();

	(void)state;
	for (uint64_t key = 0; key < 1000; key += 2)
		assert_true(join_claim(join, key));
	assert_true(join_claim(join, 0));
	join_add(join, part_of(none));
	for (uint64_t key = 0; key < 1000; key++)
		assert_int_equal(join_claim(join, key), key % 2);
	join_free(join);
	join_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_claims),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
