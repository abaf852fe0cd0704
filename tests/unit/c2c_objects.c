/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where objects are, and what holds them: accesses and claims made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
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

/* ---- variables side by side ------------------------------------------------------------------ */

/* Two variables, of @size bytes each: CPU 0 reads in the second what CPU 1 does not store to. */
static void judge_variables(struct scene *scene, uint64_t size)
{
	scene->variables[0] = (struct c2c_variable){"counter", SCENE_DATA, size};
	scene->variables[1] = (struct c2c_variable){"limit", SCENE_DATA + size, size};
	scene_store(&scene->table, 1, 50, SCENE_DATA, scene_claim(scene, NULL, 0, 0));
	scene_load(&scene->table, 0, 90, SCENE_DATA + size, scene_claim(scene, NULL, 0, 0),
		   HIT_LOCAL_HITM);
	scene_judge(scene);
}

static void test_variables(void **state)
{
	struct scene scene;
	struct c2c_line *line;

	(void)state;
	scene_begin(&scene);
	judge_variables(&scene, 8);
	line = &scene.report.lines[0];
	assert_int_equal(line->npairs, 1);
	assert_true(advice_is_due(line, &line->pairs[0]));
	assert_true(advice_give_variables(&line->pairs[0], 64, true, &scene.report.arena, line));
	assert_string_equal(line->remedy,
			    "counter and limit are variables that the linker put side by side; "
			    "__read_mostly on limit, which nobody was seen to store to, costs "
			    "nothing; or a line of its own for counter: "
			    "__cacheline_aligned_in_smp, 56 bytes of padding");
	assert_true(advice_give_variables(&line->pairs[0], 64, false, &scene.report.arena, line));
	assert_string_equal(line->remedy,
			    "counter and limit are variables that the linker put side by side; a "
			    "line of its own for counter: alignas(64), and as much room behind it, "
			    "56 bytes of padding");
	scene_end(&scene);
}

/* Both are written: none is for a section of what is only read. */
static void test_written_variables(void **state)
{
	struct scene scene;
	struct c2c_line *line;

	(void)state;
	scene_begin(&scene);
	scene_store(&scene.table, 0, 50, SCENE_DATA + 8, scene_claim(&scene, NULL, 0, 0));
	judge_variables(&scene, 8);
	line = &scene.report.lines[0];
	assert_int_equal(line->pairs[0].written, 0);
	assert_int_equal(line->pairs[0].read, 1);
	assert_true(advice_give_variables(&line->pairs[0], 64, true, &scene.report.arena, line));
	assert_null(strstr(line->remedy, "__read_mostly"));
	scene_end(&scene);
}

/* What is one variable, or of the heap, no linker can move. */
static void test_no_variables(void **state)
{
	struct scene scene;
	struct c2c_line *line;

	(void)state;
	scene_begin(&scene);
	scene.variables[2] = (struct c2c_variable){"both", SCENE_DATA, 64};
	scene_store(&scene.table, 1, 50, SCENE_DATA, scene_claim(&scene, NULL, 0, 0));
	scene_load(&scene.table, 0, 90, SCENE_DATA + 8, scene_claim(&scene, NULL, 0, 0),
		   HIT_LOCAL_HITM);
	scene_judge(&scene);
	line = &scene.report.lines[0];
	assert_false(advice_give_variables(&line->pairs[0], 64, true, &scene.report.arena, line));
	assert_null(line->remedy);
	scene_end(&scene);
	judge_two(&scene, 0, 0);
	line = &scene.report.lines[0];
	assert_false(advice_give_variables(&line->pairs[0], 64, true, &scene.report.arena, line));
	scene_end(&scene);
}

/* Two of one type: what is apart in the type does not keep them apart. */
static void test_variables_of_a_type(void **state)
{
	struct scene scene;
	struct c2c_sides sides;
	struct c2c_line *line;

	(void)state;
	scene_begin(&scene);
	scene.layout = model_new("x86_64", 64, SOURCE_DWARF);
	model_define(scene.layout, "pair", 16, "x@0:8 y@8:8");
	scene.variables[0] = (struct c2c_variable){"first", SCENE_DATA, 16};
	scene.variables[1] = (struct c2c_variable){"second", SCENE_DATA + 16, 16};
	scene_store(&scene.table, 1, 50, SCENE_DATA, scene_claim(&scene, "pair", 0, 8));
	scene_load(&scene.table, 0, 90, SCENE_DATA + 24, scene_claim(&scene, "pair", 8, 8),
		   HIT_LOCAL_HITM);
	scene_judge(&scene);
	line = &scene.report.lines[0];
	assert_string_equal(line->data[line->pairs[0].read].name, "second.y");
	assert_false(advice_sides(line, &line->pairs[0], &scene.report.arena, &sides));
	assert_true(advice_give_variables(&line->pairs[0], 64, true, &scene.report.arena, line));
	assert_non_null(strstr(line->remedy, "first: __cacheline_aligned_in_smp, 48 bytes"));
	scene_end(&scene);
}

/* ---- what holds them ------------------------------------------------------------------------- */

/* A cache of pages by its tree and its semaphore, as an inode has it, and what else has either. */
static struct layout *pages_layout(void)
{
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF);

	model_define(layout, "tree", 16, "root@0:8 leftmost@8:8");
	model_define(layout, "semaphore", 40, "count@0:8 owner@8:8 wait@16:8x3");
	model_define(layout, "pages", 192,
		     "host@0:8 mask@64:4 writable@68:4 ranges@72:=tree guard@88:=semaphore "
		     "flags@152:8");
	model_define(layout, "node", 320, "mode@0:2 guard@16:=semaphore pages@64:=pages");
	model_define(layout, "family_node", 480, "flags@0:8 inner@96:=node guard@432:=semaphore");
	model_define(layout, "clock", 64, "lock@0:4 timers@16:=tree");
	model_define(layout, "forest", 128, "trees@0:=treex8");
	return layout;
}

/* The inner structs alone are named by their functions; @distance: of the semaphore behind the
 * tree, which is 16 bytes into a line. */
static void judge_pages(struct scene *scene, uint64_t distance)
{
	uint64_t tree = SCENE_HEAP + 16;

	scene_load(&scene->table, 0, 60, tree + 8, scene_claim(scene, "tree", 8, 8),
		   HIT_LOCAL_HITM);
	scene_load(&scene->table, 2, 40, tree, scene_claim(scene, "tree", 0, 8), HIT_LOCAL_HITM);
	scene_store(&scene->table, 1, 50, tree + distance, scene_claim(scene, "semaphore", 0, 8));
	scene_load(&scene->table, 0, 10, tree + distance + 8, scene_claim(scene, "semaphore", 8, 8),
		   HIT_LOCAL_HITM);
	scene_judge(scene);
}

static const struct c2c_row *row_at(const struct scene *scene, uint64_t offset)
{
	const struct c2c_line *line = &scene->report.lines[0];

	for (size_t i = 0; i < line->nrows; i++)
		if (line->rows[i].offset == offset)
			return &line->rows[i];
	fail();
	return NULL;
}

/* Only `pages` has both at that distance; node and family_node have them in it. */
static void test_two_parts(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene.layout = pages_layout();
	judge_pages(&scene, 16);
	assert_string_equal(row_at(&scene, 16)->name, "pages.ranges.root");
	assert_string_equal(row_at(&scene, 24)->name, "pages.ranges.leftmost");
	assert_string_equal(row_at(&scene, 32)->name, "pages.guard.count");
	assert_string_equal(row_at(&scene, 32)->inner, "semaphore.count");
	assert_int_equal(row_at(&scene, 32)->how, HOW_CONSENSUS);
	assert_string_equal(scene.report.lines[0].object.type, "pages");
	assert_int_equal(scene.report.lines[0].object.offset, 56);
	assert_int_equal(scene.report.lines[0].object.starts[0], 8);
	scene_end(&scene);
}

/* The same over two lines. */
static void test_two_parts_beyond(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene.layout = pages_layout();
	scene_load(&scene.table, 0, 60, SCENE_HEAP + 48, scene_claim(&scene, "tree", 0, 8),
		   HIT_LOCAL_HITM);
	scene_store(&scene.table, 1, 50, SCENE_HEAP + 64, scene_claim(&scene, "semaphore", 0, 8));
	scene_judge(&scene);
	assert_string_equal(row_at(&scene, 48)->name, "pages.ranges.root");
	scene_end(&scene);
}

/* A semaphore that stands elsewhere, or another type that has both as far from each other. */
static void test_no_container(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene.layout = pages_layout();
	judge_pages(&scene, 24);
	assert_string_equal(row_at(&scene, 16)->name, "tree.root");
	assert_string_equal(row_at(&scene, 40)->name, "semaphore.count");
	scene_end(&scene);

	scene_begin(&scene);
	scene.layout = pages_layout();
	model_define(scene.layout, "queue", 96, "head@0:=tree guard@16:=semaphore");
	judge_pages(&scene, 16);
	assert_string_equal(row_at(&scene, 16)->name, "tree.root");
	assert_string_equal(row_at(&scene, 32)->name, "semaphore.count");
	scene_end(&scene);
}

/* 300 more places that hold a @member. */
static void define_many(struct layout *layout, const char *name, const char *member, uint64_t size)
{
	enum { MANY = 300 };
	struct buf text = BUF_INIT;

	for (uint64_t i = 0; i < MANY; i++)
		buf_addf(&text, "%sm%d@%d:=%s", i ? " " : "", (int)i, (int)(i * size), member);
	model_define(layout, name, MANY * size, text.s);
	buf_release(&text);
}

/* Of types that hundreds hold those holders are looked at that have both. */
static void test_many_holders(void **state)
{
	(void)state;
	for (uint64_t distance = 16; distance <= 24; distance += 8) {
		struct scene scene;

		scene_begin(&scene);
		scene.layout = pages_layout();
		define_many(scene.layout, "wood", "tree", 16);
		define_many(scene.layout, "rails", "semaphore", 40);
		judge_pages(&scene, distance);
		assert_string_equal(row_at(&scene, 16 + distance)->name,
				    distance == 16 ? "pages.guard.count" : "semaphore.count");
		scene_end(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_does_not_float),
		cmocka_unit_test(test_advice_to_align),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_written_variables),
		cmocka_unit_test(test_no_variables),
		cmocka_unit_test(test_variables_of_a_type),
		cmocka_unit_test(test_two_parts),
		cmocka_unit_test(test_two_parts_beyond),
		cmocka_unit_test(test_no_container),
		cmocka_unit_test(test_many_holders),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
