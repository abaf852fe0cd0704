/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of rows that tell their function alone: reports of other builds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/model.h"
#include "lib/scene.h"

static struct claim reads(const char *type, int64_t offset)
{
	return (struct claim){
		.type = type, .offset = offset, .is_exact = true, .size = 8, .reads = true};
}

static struct claim writes(const char *type, int64_t offset)
{
	struct claim claim = reads(type, offset);

	claim.reads = false;
	claim.writes = true;
	return claim;
}

/* Each function has something to do with several structs. */
static struct claim drop[2], grow[3], look[3];

static void begin(struct scene *scene)
{
	scene_begin(scene);
	scene->layout = model_new("x86_64", 64, SOURCE_DWARF);
	model_define(scene->layout, "stock", 40, "count@0:8 limit@8:8 name@16:8 next@24:8x2");
	model_define(scene->layout, "shop", 200, "owner@0:8 stock@72:=stock rest@112:8x11");
	model_define(scene->layout, "ledger", 96, "page@0:8 sums@8:8x11");
	drop[0] = writes("stock", 0);
	drop[1] = reads("ledger", 40);
	grow[0] = reads("ledger", 8);
	grow[1] = reads("stock", 8);
	grow[2] = writes("stock", 0);
	look[0] = reads("stock", 16);
	look[1] = reads("shop", 0);
	look[2] = reads("ledger", 80);
	scene->functions[0] = (struct c2c_function){"drop", drop, 2};
	scene->functions[1] = (struct c2c_function){"grow", grow, 3};
	scene->functions[2] = (struct c2c_function){"look", look, 3};
	scene->nfunctions = 3;
}

static const uint64_t base = SCENE_HEAP + 8;

static void add_rows(struct scene *scene)
{
	scene_named(&scene->table, "drop", ACCESS_STORE, 50, base);
	scene_named(&scene->table, "grow", ACCESS_LOAD, 60, base + 8);
	scene_named(&scene->table, "look", ACCESS_LOAD, 40, base + 16);
}

/* The name of the row at @offset of the first line; NULL: it has none. */
static const char *name_at(const struct scene *scene, uint64_t offset)
{
	const struct c2c_line *line = &scene->report.lines[0];

	for (size_t i = 0; i < line->nrows; i++)
		if (line->rows[i].offset == offset)
			return line->rows[i].name;
	fail();
	return NULL;
}

static void test_named(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene);
	add_rows(&scene);
	scene_judge(&scene);
	assert_string_equal(name_at(&scene, 8), "stock.count");
	assert_string_equal(name_at(&scene, 16), "stock.limit");
	assert_string_equal(name_at(&scene, 24), "stock.name");
	assert_int_equal(scene.report.lines[0].rows[0].how, HOW_CONSENSUS);
	assert_string_equal(scene.report.lines[0].object.type, "stock");
	/* It begins where it does in this build. */
	assert_int_equal(scene.report.lines[0].object.nstarts, 0);
	scene_end(&scene);
}

/* A row that does not fit has no name of that; four in five samples must. */
static void test_others(void **state)
{
	(void)state;
	for (uint64_t n = 30; n <= 60; n += 30) {
		struct scene scene;

		begin(&scene);
		add_rows(&scene);
		scene_named(&scene.table, "drop", ACCESS_LOAD, n, base + 24);
		scene_judge(&scene);
		assert_null(name_at(&scene, 32));
		if (n == 30)
			assert_string_equal(name_at(&scene, 8), "stock.count");
		else
			assert_null(name_at(&scene, 8));
		scene_end(&scene);
	}
}

static void test_too_little(void **state)
{
	struct scene scene;

	(void)state;
	/* Two functions. */
	begin(&scene);
	scene_named(&scene.table, "drop", ACCESS_STORE, 50, base);
	scene_named(&scene.table, "grow", ACCESS_LOAD, 60, base + 8);
	scene_judge(&scene);
	assert_null(name_at(&scene, 16));
	scene_end(&scene);
	/* One place. */
	begin(&scene);
	look[0] = reads("stock", 8);
	drop[0] = reads("stock", 8);
	scene_named(&scene.table, "drop", ACCESS_LOAD, 50, base);
	scene_named(&scene.table, "grow", ACCESS_LOAD, 60, base);
	scene_named(&scene.table, "look", ACCESS_LOAD, 60, base);
	scene_judge(&scene);
	assert_null(name_at(&scene, 8));
	scene_end(&scene);
	/* Who only reads there does not store. */
	begin(&scene);
	drop[0] = reads("stock", 0);
	add_rows(&scene);
	scene_judge(&scene);
	assert_null(name_at(&scene, 16));
	scene_end(&scene);
	/* The image has other functions. */
	begin(&scene);
	scene.nfunctions = 0;
	add_rows(&scene);
	scene_judge(&scene);
	assert_null(name_at(&scene, 8));
	scene_end(&scene);
}

/* Another type with all of them at those distances. */
static void test_ambiguous(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene);
	drop[1] = writes("ledger", 8);
	grow[0] = reads("ledger", 16);
	look[2] = reads("ledger", 24);
	add_rows(&scene);
	scene_judge(&scene);
	assert_null(name_at(&scene, 8));
	scene_end(&scene);
}

/* Of two that lie in each other, the outer one. */
static void test_nested(void **state)
{
	struct scene scene;
	static struct claim more[4];

	(void)state;
	begin(&scene);
	for (size_t i = 0; i < 3; i++)
		more[i] = grow[i];
	more[3] = reads("shop", 80);
	scene.functions[1] = (struct c2c_function){"grow", more, 4};
	drop[1] = writes("shop", 72);
	look[1] = reads("shop", 88);
	add_rows(&scene);
	scene_judge(&scene);
	assert_string_equal(name_at(&scene, 8), "shop.stock.count");
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_named),      cmocka_unit_test(test_others),
		cmocka_unit_test(test_too_little), cmocka_unit_test(test_ambiguous),
		cmocka_unit_test(test_nested),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
