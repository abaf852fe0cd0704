/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where objects are, and what holds them: accesses and claims made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "c2c/advice.h"
#include "lib/model.h"
#include "lib/scene.h"

/* ---- where objects begin --------------------------------------------------------------------- */

static struct layout *table_layout(void)
{
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF);

	model_define(layout, "table", 48, "id@0:4 next@8:8 slots@16:8x4");
	return layout;
}

/* Two objects, @first and @second bytes into a line. */
static void judge_two(struct scene *scene, uint64_t first, uint64_t second)
{
	const uint64_t bases[] = {SCENE_HEAP + first, SCENE_HEAP + 4096 + second};
	uint64_t next, slot;

	scene_begin(scene);
	scene->layout = table_layout();
	next = scene_claim(scene, "table", 8, 8);
	slot = scene_claim(scene, "table", 16, 8);
	for (size_t i = 0; i < 2; i++) {
		scene_store(&scene->table, 1, 20, bases[i] + 8, next);
		scene_load(&scene->table, 0, 50 - i, bases[i] + 16, slot, HIT_LOCAL_HITM);
	}
	scene_judge(scene);
}

static void test_floats(void **state)
{
	struct scene scene;
	const struct c2c_object *object;

	(void)state;
	judge_two(&scene, 0, 16);
	object = &scene.report.lines[0].object;
	assert_true(object->floats);
	assert_int_equal(object->seen, 2);
	assert_int_equal(object->nstarts, 2);
	assert_int_equal(object->starts[0], 0);
	assert_int_equal(object->starts[1], 16);
	assert_int_equal(object->alignment, 16);
	scene_end(&scene);
	judge_two(&scene, 32, 16);
	assert_true(scene.report.lines[0].object.floats);
	assert_int_equal(scene.report.lines[0].object.alignment, 16);
	scene_end(&scene);
}

/* They begin where lines do, or at one and the same place in a line. */
static void test_does_not_float(void **state)
{
	struct scene scene;
	const struct c2c_object *object;

	(void)state;
	judge_two(&scene, 0, 0);
	object = &scene.report.lines[0].object;
	assert_false(object->floats);
	assert_int_equal(object->nstarts, 1);
	assert_int_equal(object->alignment, 64);
	scene_end(&scene);
	judge_two(&scene, 8, 8);
	object = &scene.report.lines[0].object;
	assert_false(object->floats);
	assert_int_equal(object->seen, 2);
	assert_int_equal(object->starts[0], 8);
	assert_int_equal(object->alignment, 8);
	scene_end(&scene);
}

/* A place that no rule on lines holds for. */
static void test_advice_to_align(void **state)
{
	static const char aligned[] = "; once every object begins on a line";

	(void)state;
	for (uint64_t into = 0; into <= 8; into += 8) {
		struct scene scene;
		struct c2c_sides sides;
		struct c2c_line *line;

		judge_two(&scene, 0, into);
		line = &scene.report.lines[0];
		assert_true(advice_sides(line, &line->pairs[0], &scene.report.arena, &sides));
		advice_give(&sides, &line->pairs[0], 64, &scene.report.arena, line);
		assert_int_equal(strstr(line->advice_cost, aligned) != NULL, into != 0);
		scene_end(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_does_not_float),
		cmocka_unit_test(test_advice_to_align),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
