/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses to lines, names, verdicts and pairs, on tables and claims made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "c2c/advice.h"
#include "c2c/judge.h"
#include "lib/model.h"
#include "rule/pack.h"

static const uint64_t heap = 0xffff888104c2d600;

/* ---- making tables --------------------------------------------------------------------------- */

struct one {
	int32_t cpu;
	uint64_t n, address, pc, time;
	enum access_op op;
	enum access_hit hit;
};

static void put(struct c2c_table *table, struct one one)
{
	const struct access access = {
		.n = 1,
		.op = one.op,
		.hit = one.hit,
		.mode = MODE_KERNEL,
		.has_address = true,
		.address = one.address,
		.has_ip = true,
		.ip = one.pc,
		.has_image_ip = true,
		.image_ip = one.pc,
		.pid = 7,
		.cpu = one.cpu,
		.node = one.cpu / 2,
		.has_time = one.time != 0,
		.time = one.time,
	};

	for (uint64_t i = 0; i < one.n; i++)
		table_add(table, &access);
}

static void load(struct c2c_table *table, int32_t cpu, uint64_t n, uint64_t address, uint64_t pc,
		 enum access_hit hit)
{
	put(table, (struct one){cpu, n, address, pc, 0, ACCESS_LOAD, hit});
}

static void store(struct c2c_table *table, int32_t cpu, uint64_t n, uint64_t address, uint64_t pc)
{
	put(table, (struct one){cpu, n, address, pc, 0, ACCESS_STORE, HIT_L1});
}

static bool no_variable(void *arg, uint64_t address, bool is_percpu, struct c2c_variable *ret)
{
	(void)arg;
	(void)address;
	(void)is_percpu;
	(void)ret;
	return false;
}

/* Claims of pcs 1, 2, 3, ...: one each. */
enum { MOST_CLAIMS = 64 };

struct scene {
	struct c2c_table table;
	struct claim claims[MOST_CLAIMS];
	struct claim_run runs[MOST_CLAIMS];
	size_t n;
	struct layout *layout;
	struct c2c_report report;
};

static void scene_init(struct scene *scene)
{
	*scene = (struct scene){0};
	table_init(&scene->table, 64);
}

/* Returns the pc of an instruction that accesses @size bytes at @offset of the type. */
static uint64_t claim(struct scene *scene, const char *type, int64_t offset, uint32_t size)
{
	size_t i = scene->n++;

	scene->claims[i] = (struct claim){.pc = i + 1,
					  .how = CLAIM_VARIABLE,
					  .type = type,
					  .offset = offset,
					  .is_exact = true,
					  .size = size};
	scene->runs[i] = (struct claim_run){i + 1, CLAIM_MADE, NULL, NULL, i, type != NULL};
	return i + 1;
}

static void judge(struct scene *scene)
{
	const struct c2c_image image = {.layout = scene->layout,
					.runs = scene->runs,
					.nruns = scene->n,
					.claims = scene->claims,
					.variable = no_variable};

	table_finish(&scene->table);
	c2c_judge(&scene->table, &image, &scene->report);
}

static void scene_release(struct scene *scene)
{
	c2c_release(&scene->report);
	table_release(&scene->table);
	layout_free(scene->layout);
}

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
	load(&table, 0, 2, heap, 1, HIT_L1);
	load(&table, 1, 3, heap + 63, 1, HIT_L1);
	store(&table, 1, 4, heap + 64, 1);
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

/* However long it takes, there are as many slices, and nothing is lost. */
static void test_slices(void **state)
{
	struct c2c_table table;
	uint64_t sum = 0;

	(void)state;
	table_init(&table, 64);
	for (uint64_t i = 0; i < 1000; i++)
		put(&table, (struct one){0, 1, heap, 1, 1 + i * 1000000007, ACCESS_LOAD, HIT_L1});
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
	load(&table, 0, 30, heap, 1, HIT_LOCAL_PEER);
	table_finish(&table);
	assert_int_equal(table.total.hitm, 30);
	table_release(&table);
	table_init(&table, 64);
	load(&table, 0, 30, heap, 1, HIT_LOCAL_PEER);
	load(&table, 0, 5, heap, 1, HIT_LOCAL_HITM);
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

	scene_init(&scene);
	load(&scene.table, 0, alone * scale / 100, heap, 1, HIT_LOCAL_HITM);
	load(&scene.table, 0, (100 - alone) * scale / 100, heap + 8, 2, HIT_LOCAL_HITM);
	store(&scene.table, 1, 50, heap + 8, 3);
	judge(&scene);
	verdict = scene.report.lines[0].verdict;
	assert_int_equal(scene.report.lines[0].gain, alone * scale / 100);
	scene_release(&scene);
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
	scene_init(&scene);
	load(&scene.table, 0, 60, heap, 1, HIT_LOCAL_HITM);
	store(&scene.table, 0, 1000, heap, 2);
	store(&scene.table, 1, 30, heap + 8, 3);
	store(&scene.table, 2, 10, heap + 16, 4);
	judge(&scene);
	line = &scene.report.lines[0];
	assert_int_equal(line->verdict, VERDICT_FALSE);
	assert_int_equal(line->ndata, 3);
	assert_int_equal(line->npairs, 2);
	assert_int_equal(line->pairs[0].written, 1);
	assert_int_equal(line->pairs[0].read, 0);
	assert_int_equal(line->pairs[0].hitm, 45);
	assert_int_equal(line->pairs[1].written, 2);
	assert_int_equal(line->pairs[1].hitm, 15);
	scene_release(&scene);
}

static void test_only_stores(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene);
	store(&scene.table, 0, 5, heap, 1);
	store(&scene.table, 1, 5, heap + 8, 2);
	store(&scene.table, 1, 5, heap + 64, 2);
	judge(&scene);
	assert_int_equal(scene.report.nlines, 0);
	assert_int_equal(scene.report.nstore_lines, 1);
	assert_true(scene.report.store_lines[0].address == heap);
	scene_release(&scene);
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
	scene_init(&scene);
	scene.layout = table_layout();
	load(&scene.table, 0, 50, heap + 4, claim(&scene, "lock", 0, 4), HIT_LOCAL_HITM);
	store(&scene.table, 1, 20, heap + 8, claim(&scene, "table", 8, 8));
	load(&scene.table, 0, 30, heap + 40, claim(&scene, NULL, 0, 8), HIT_LOCAL_HITM);
	store(&scene.table, 1, 20, heap + 80, claim(&scene, "lock", 0, 4));
	judge(&scene);
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
	scene_release(&scene);
}

/* A claim that what is around it contradicts names its own row, and no other. */
static void test_contradicted(void **state)
{
	struct scene scene;
	const struct c2c_line *line;

	(void)state;
	scene_init(&scene);
	scene.layout = table_layout();
	load(&scene.table, 0, 50, heap + 4, claim(&scene, "lock", 0, 4), HIT_LOCAL_HITM);
	store(&scene.table, 1, 20, heap + 8, claim(&scene, "decoy", 8, 8));
	judge(&scene);
	line = &scene.report.lines[0];
	assert_string_equal(line->rows[0].name, "lock.word");
	assert_string_equal(line->rows[1].name, "decoy.b");
	scene_release(&scene);
}

/* Memory of one object, then of another. */
static void test_occupants(void **state)
{
	struct scene scene;
	uint64_t first, second;

	(void)state;
	scene_init(&scene);
	scene.layout = table_layout();
	first = claim(&scene, "table", 8, 8);
	second = claim(&scene, "decoy", 16, 8);
	for (uint64_t i = 0; i < 64; i++)
		put(&scene.table, (struct one){(int32_t)(i % 2), 1, i < 32 ? heap + 8 : heap + 16,
					       i < 32 ? first : second, 1 + i * 1000000,
					       ACCESS_LOAD, HIT_LOCAL_HITM});
	judge(&scene);
	assert_int_equal(scene.report.nlines, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct c2c_line *line = &scene.report.lines[i];
		bool is_table = strcmp(line->object.type, "table") == 0;

		assert_true(line->is_part);
		assert_int_equal(line->nrows, 1);
		assert_int_equal(line->counts.hitm, 32);
		assert_string_equal(line->rows[0].name, is_table ? "table.next" : "decoy.c[0]");
	}
	scene_release(&scene);
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
		uint64_t offsets[MEMBERS], base = heap + 8 * (seed % 64) + 4096 * seed;
		struct scene scene;

		random_state = seed * 0x9e3779b97f4a7c15;
		scene_init(&scene);
		scene.layout = model_new("x86_64", 64, SOURCE_DWARF);
		model_define(scene.layout, "lock", 4, "word@0:4");
		random_struct(scene.layout, "object", offsets);
		for (int i = 0; i < ACCESSES; i++) {
			uint64_t offset = offsets[i % MEMBERS];
			/* Half of the instructions know nothing but that they load a word. */
			uint64_t pc = i < MEMBERS && next_random(2)
					      ? claim(&scene, "object", (int64_t)offset, 4)
					      : claim(&scene, NULL, 0, 0);

			load(&scene.table, i % 3, 5, base + offset, pc, HIT_LOCAL_HITM);
		}
		load(&scene.table, 0, 5, base, claim(&scene, "object", 0, 4), HIT_LOCAL_HITM);
		judge(&scene);
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
		scene_release(&scene);
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
	scene_init(&scene);
	scene.layout = table_layout();
	load(&scene.table, 0, 100, heap + 24, claim(&scene, "table", 24, 8), HIT_LOCAL_HITM);
	store(&scene.table, 1, 20, heap + 8, claim(&scene, "table", 8, 8));
	judge(&scene);
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
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_peers_without_hitm),
		cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_only_stores),
		cmocka_unit_test(test_consensus),
		cmocka_unit_test(test_contradicted),
		cmocka_unit_test(test_occupants),
		cmocka_unit_test(test_property),
		cmocka_unit_test(test_advice),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
