/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses to lines, names, verdicts and pairs, on tables and claims made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "c2c/advice.h"
#include "lib/model.h"
#include "lib/scene.h"
#include "rule/pack.h"

/* ---- the table ------------------------------------------------------------------------------- */

static void test_lines(void **state)
{
	struct access user = {.n = 3,
			      .op = ACCESS_LOAD,
			      .hit = HIT_L1,
			      .has_address = true,
			      .address = 0x1040,
			      .has_ip = true,
			      .ip = 5,
			      .pid = 1,
			      .cpu = -1,
			      .node = -1};
	struct c2c_table table;

	(void)state;
	table_init(&table, 64);
	scene_load(&table, 0, 2, SCENE_HEAP, 1, HIT_L1);
	scene_load(&table, 1, 3, SCENE_HEAP + 63, 1, HIT_L1);
	scene_store(&table, 1, 4, SCENE_HEAP + 64, 1);
	table_add(&table, &user);
	user.pid = 2;
	table_add(&table, &user);
	user.is_shared = true;
	table_add(&table, &user);
	user.has_address = false;
	table_add(&table, &user);
	table_finish(&table);
	assert_int_equal(table.nlines, 5);
	assert_int_equal(table.nrows, 6);
	assert_int_equal(table.no_address, 3);
	assert_int_equal(table.total.samples, 21);
	assert_int_equal(table.lines[0].counts.loads, 5);
	assert_int_equal(table.lines[0].nrows, 2);
	assert_int_equal(table.lines[1].counts.stores, 4);
	table_release(&table);
}

/* Two processes, at other addresses: one line where both have the same memory. */
static void test_shared_pages(void **state)
{
	static const struct {
		bool is_private, is_shared;
		uint64_t physical;
		unsigned lines;
	} cases[] = {
		{false, false, 0x1234040, 1}, /* the page tells it */
		{false, false, 0x1235040, 2}, /* another page */
		{true, false, 0x1234040, 2},  /* a page that was given away */
		{false, true, 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct access user = {.n = 1,
				      .op = ACCESS_LOAD,
				      .has_address = true,
				      .address = 0x1040,
				      .has_physical = cases[i].physical != 0,
				      .physical = 0x1234040,
				      .is_private = cases[i].is_private,
				      .is_shared = cases[i].is_shared,
				      .shared_pid = 1,
				      .shared_address = 0x1040,
				      .pid = 1};
		struct c2c_table table;

		table_init(&table, 64);
		table_add(&table, &user);
		user.pid = 2;
		user.address = 0x7040;
		user.physical = cases[i].physical;
		table_add(&table, &user);
		table_finish(&table);
		assert_int_equal(table.nlines, cases[i].lines);
		assert_int_equal(table.lines[0].is_shared, cases[i].lines == 1);
		assert_int_equal(table.lines[0].pid, 1);
		assert_int_equal(table.lines[0].address, 0x1040);
		table_release(&table);
	}
}

/* However long it takes, there are as many slices, and nothing is lost. */
static void test_slices(void **state)
{
	struct c2c_table table;
	uint64_t sum = 0;

	(void)state;
	table_init(&table, 64);
	for (uint64_t i = 0; i < 1000; i++)
		scene_put(&table, (struct scene_access){0, 1, SCENE_HEAP, 1, 1 + i * 1000000007,
							ACCESS_LOAD, HIT_L1});
	for (size_t i = 0; i < C2C_SLICES; i++)
		sum += table.rows[0].slices[i].loads;
	assert_int_equal(sum, 1000);
	assert_true(table.rows[0].slices[C2C_SLICES / 2].loads > 0);
	table_release(&table);
}

static void test_peers_without_hitm(void **state)
{
	struct c2c_table table;

	(void)state;
	table_init(&table, 64);
	scene_load(&table, 0, 30, SCENE_HEAP, 1, HIT_LOCAL_PEER);
	table_finish(&table);
	assert_int_equal(table.total.hitm, 30);
	table_release(&table);
	table_init(&table, 64);
	scene_load(&table, 0, 30, SCENE_HEAP, 1, HIT_LOCAL_PEER);
	scene_load(&table, 0, 5, SCENE_HEAP, 1, HIT_LOCAL_HITM);
	table_finish(&table);
	assert_int_equal(table.total.hitm, 5);
	table_release(&table);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Of 100 HITM, @alone on a word that nobody stores to, the rest on one that another CPU does. */
static enum c2c_verdict verdict_at(uint64_t alone, uint64_t scale)
{
	struct scene scene;
	enum c2c_verdict verdict;

	scene_begin(&scene);
	scene_load(&scene.table, 0, alone * scale / 100, SCENE_HEAP, 1, HIT_LOCAL_HITM);
	scene_load(&scene.table, 0, (100 - alone) * scale / 100, SCENE_HEAP + 8, 2, HIT_LOCAL_HITM);
	scene_store(&scene.table, 1, 50, SCENE_HEAP + 8, 3);
	scene_judge(&scene);
	verdict = scene.report.lines[0].verdict;
	assert_int_equal(scene.report.lines[0].gain, alone * scale / 100);
	scene_end(&scene);
	return verdict;
}

static void test_thresholds(void **state)
{
	(void)state;
	assert_int_equal(verdict_at(100, 100), VERDICT_FALSE);
	assert_int_equal(verdict_at(80, 100), VERDICT_FALSE);
	assert_int_equal(verdict_at(79, 100), VERDICT_MIXED);
	assert_int_equal(verdict_at(21, 100), VERDICT_MIXED);
	assert_int_equal(verdict_at(20, 100), VERDICT_TRUE);
	assert_int_equal(verdict_at(0, 100), VERDICT_TRUE);
	assert_int_equal(verdict_at(100, 20), VERDICT_FALSE);
	assert_int_equal(verdict_at(100, 19), VERDICT_UNKNOWN);
}

/* A CPU does not fight itself. */
static void test_pairs(void **state)
{
	struct scene scene;
	const struct c2c_line *line;

	(void)state;
	scene_begin(&scene);
	scene_load(&scene.table, 0, 60, SCENE_HEAP, 1, HIT_LOCAL_HITM);
	scene_store(&scene.table, 0, 1000, SCENE_HEAP, 2);
	scene_store(&scene.table, 1, 30, SCENE_HEAP + 8, 3);
	scene_store(&scene.table, 2, 10, SCENE_HEAP + 16, 4);
	scene_judge(&scene);
	line = &scene.report.lines[0];
	assert_int_equal(line->verdict, VERDICT_FALSE);
	assert_int_equal(line->ndata, 3);
	assert_int_equal(line->npairs, 2);
	assert_int_equal(line->pairs[0].written, 1);
	assert_int_equal(line->pairs[0].read, 0);
	assert_int_equal(line->pairs[0].hitm, 45);
	assert_int_equal(line->pairs[1].written, 2);
	assert_int_equal(line->pairs[1].hitm, 15);
	scene_end(&scene);
}

static void test_only_stores(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_store(&scene.table, 0, 5, SCENE_HEAP, 1);
	scene_store(&scene.table, 1, 5, SCENE_HEAP + 8, 2);
	scene_store(&scene.table, 1, 5, SCENE_HEAP + 64, 2);
	scene_judge(&scene);
	assert_int_equal(scene.report.nlines, 0);
	assert_int_equal(scene.report.nstore_lines, 1);
	assert_true(scene.report.store_lines[0].address == SCENE_HEAP);
	scene_end(&scene);
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct layout *table_layout(void)
{
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF);

	model_define(layout, "lock", 4, "word@0:4");
	model_define(layout, "table", 96,
		     "id@0:4 lock@4:=lock next@8:8 slots@16:8x8 other@80:=lock");
	model_define(layout, "decoy", 96, "a@0:8 b@8:8 c@16:8x10");
	return layout;
}

/* The lock's own functions know a lock; the rows beside it know whose it is. */
static void test_consensus(void **state)
{
	struct scene scene;
	const struct c2c_line *line;

	(void)state;
	scene_begin(&scene);
	scene.layout = table_layout();
	scene_load(&scene.table, 0, 50, SCENE_HEAP + 4, scene_claim(&scene, "lock", 0, 4),
		   HIT_LOCAL_HITM);
	scene_store(&scene.table, 1, 20, SCENE_HEAP + 8, scene_claim(&scene, "table", 8, 8));
	scene_load(&scene.table, 0, 30, SCENE_HEAP + 40, scene_claim(&scene, NULL, 0, 8),
		   HIT_LOCAL_HITM);
	scene_store(&scene.table, 1, 20, SCENE_HEAP + 80, scene_claim(&scene, "lock", 0, 4));
	scene_judge(&scene);
	line = &scene.report.lines[0];
	assert_int_equal(line->nrows, 3);
	assert_string_equal(line->rows[0].name, "table.lock");
	assert_string_equal(line->rows[0].inner, "lock.word");
	assert_int_equal(line->rows[0].how, HOW_CONSENSUS);
	assert_string_equal(line->rows[1].name, "table.next");
	assert_int_equal(line->rows[1].how, HOW_INSN);
	assert_string_equal(line->rows[2].name, "table.slots[3]");
	assert_int_equal(line->rows[2].how, HOW_CONSENSUS);
	assert_string_equal(line->object.type, "table");
	assert_int_equal(line->object.offset, 0);
	scene_end(&scene);
}

/* A claim that what is around it contradicts names its own row, and no other. */
static void test_contradicted(void **state)
{
	struct scene scene;
	const struct c2c_line *line;

	(void)state;
	scene_begin(&scene);
	scene.layout = table_layout();
	scene_load(&scene.table, 0, 50, SCENE_HEAP + 4, scene_claim(&scene, "lock", 0, 4),
		   HIT_LOCAL_HITM);
	scene_store(&scene.table, 1, 20, SCENE_HEAP + 8, scene_claim(&scene, "decoy", 8, 8));
	scene_judge(&scene);
	line = &scene.report.lines[0];
	assert_string_equal(line->rows[0].name, "lock.word");
	assert_string_equal(line->rows[1].name, "decoy.b");
	scene_end(&scene);
}

/* Memory of one object, then of another. */
static void test_occupants(void **state)
{
	struct scene scene;
	uint64_t first, second;

	(void)state;
	scene_begin(&scene);
	scene.layout = table_layout();
	first = scene_claim(&scene, "table", 8, 8);
	second = scene_claim(&scene, "decoy", 16, 8);
	for (uint64_t i = 0; i < 64; i++)
		scene_put(&scene.table,
			  (struct scene_access){(int32_t)(i % 2), 1,
						i < 32 ? SCENE_HEAP + 8 : SCENE_HEAP + 16,
						i < 32 ? first : second, 1 + i * 1000000,
						ACCESS_LOAD, HIT_LOCAL_HITM});
	scene_judge(&scene);
	assert_int_equal(scene.report.nlines, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct c2c_line *line = &scene.report.lines[i];
		bool is_table = strcmp(line->object.type, "table") == 0;

		assert_true(line->is_part);
		assert_int_equal(line->nrows, 1);
		assert_int_equal(line->counts.hitm, 32);
		assert_string_equal(line->rows[0].name, is_table ? "table.next" : "decoy.c[0]");
	}
	scene_end(&scene);
}

/* ---- the property: rows made from known accesses lead back to them -----------------------------
 */

static uint64_t random_state;

static uint64_t next_random(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

enum { MEMBERS = 12, ACCESSES = 24 };

/* A struct of words, locks and arrays of words; its members' offsets in @offsets. */
static void random_struct(struct layout *layout, const char *name, uint64_t offsets[MEMBERS])
{
	char text[1024];
	size_t len = 0;
	uint64_t at = 0;

	for (int i = 0; i < MEMBERS; i++) {
		static const char *const types[] = {"8", "=lock", "8x3"};
		static const uint64_t sizes[] = {8, 8, 24};
		uint64_t kind = next_random(3);

		offsets[i] = at;
		len += (size_t)snprintf(text + len, sizeof text - len, "%sm%d@%llu:%s",
					i ? " " : "", i, (unsigned long long)at, types[kind]);
		at += sizes[kind] + 8 * next_random(3);
	}
	model_define(layout, name, at + 8, text);
}

static void test_property(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		uint64_t offsets[MEMBERS], base = SCENE_HEAP + 8 * (seed % 64) + 4096 * seed;
		struct scene scene;

		random_state = seed * 0x9e3779b97f4a7c15;
		scene_begin(&scene);
		scene.layout = model_new("x86_64", 64, SOURCE_DWARF);
		model_define(scene.layout, "lock", 4, "word@0:4");
		random_struct(scene.layout, "object", offsets);
		for (int i = 0; i < ACCESSES; i++) {
			uint64_t offset = offsets[i % MEMBERS];
			/* Half of the instructions know nothing but that they load a word. */
			uint64_t pc = i < MEMBERS && next_random(2)
					      ? scene_claim(&scene, "object", (int64_t)offset, 4)
					      : scene_claim(&scene, NULL, 0, 0);

			scene_load(&scene.table, i % 3, 5, base + offset, pc, HIT_LOCAL_HITM);
		}
		scene_load(&scene.table, 0, 5, base, scene_claim(&scene, "object", 0, 4),
			   HIT_LOCAL_HITM);
		scene_judge(&scene);
		for (size_t l = 0; l < scene.report.nlines; l++)
			for (size_t r = 0; r < scene.report.lines[l].nrows; r++) {
				const struct c2c_line *line = &scene.report.lines[l];
				const struct c2c_row *row = &line->rows[r];

				assert_non_null(row->type);
				assert_string_equal(row->type, "object");
				assert_true(line->address + row->offset - base ==
					    (uint64_t)row->member_offset);
				assert_int_equal(row->member[0], 'm');
			}
		scene_end(&scene);
	}
}

/* ---- advice ---------------------------------------------------------------------------------- */

static void test_advice(void **state)
{
	struct pack_errors errors;
	struct c2c_sides sides;
	struct c2c_line *line;
	struct packs packs;
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene.layout = table_layout();
	scene_load(&scene.table, 0, 100, SCENE_HEAP + 24, scene_claim(&scene, "table", 24, 8),
		   HIT_LOCAL_HITM);
	scene_store(&scene.table, 1, 20, SCENE_HEAP + 8, scene_claim(&scene, "table", 8, 8));
	scene_judge(&scene);
	line = &scene.report.lines[0];
	assert_int_equal(line->npairs, 1);
	assert_true(advice_sides(line, &line->pairs[0], &scene.report.arena, &sides));
	assert_string_equal(sides.read, "slots");
	assert_string_equal(sides.written, "next");
	assert_true(advice_is_due(line, &line->pairs[0]));
	advice_give(&sides, &line->pairs[0], 64, &scene.report.arena, line);
	assert_non_null(strstr(line->advice_cost, "table 96 -> 192"));

	packs_init(&packs);
	pack_errors_init(&errors);
	assert_true(
		packs_parse(&packs, "advice.yaml", line->advice, strlen(line->advice), &errors));
	assert_true(packs_finish(&packs, &errors));
	assert_int_equal(packs.items[0].nblocks, 1);
	assert_string_equal(packs.items[0].blocks[0].type.name, "table");
	assert_int_equal(packs.items[0].blocks[0].rules[0].nitems, 2);
	pack_errors_release(&errors);
	packs_release(&packs);

	/* Below a twentieth of the line it is not worth a rule. */
	line->pairs[0].hitm = 4;
	assert_false(advice_is_due(line, &line->pairs[0]));
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),        cmocka_unit_test(test_shared_pages),
		cmocka_unit_test(test_slices),       cmocka_unit_test(test_peers_without_hitm),
		cmocka_unit_test(test_thresholds),   cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_only_stores),  cmocka_unit_test(test_consensus),
		cmocka_unit_test(test_contradicted), cmocka_unit_test(test_occupants),
		cmocka_unit_test(test_property),     cmocka_unit_test(test_advice),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
