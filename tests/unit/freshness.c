/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which loads needed the line that they met: by a table, and against bytes one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "plugin/lines.h"

enum { CPUS = 4, WORDS = 4, WORD = 8, LINE = 64 };

/* A line, what each processor does to it, and who met whom. */
struct world {
	struct line line;
	struct place places[CPUS][2][WORDS]; /* by load or store */
	struct counts counts;
	unsigned met, needed;
};

static void world_init(struct world *world)
{
	memset(world, 0, sizeof *world);
}

static void world_release(struct world *world)
{
	free(world->line.freshness.seen);
	free(world->counts.met);
}

/* What the plugin does of an access. */
static void use(struct world *world, unsigned cpu, bool load, bool store, unsigned word)
{
	struct place *place = &world->places[cpu][store][word];
	struct line_use use = {
		.cpu = cpu,
		.load = load,
		.store = store,
		.parts = freshness_parts(word * WORD, WORD, LINE),
		.place = place,
	};
	struct line_found found;

	line_access(&world->line, &use, &found);
	if (found.met) {
		counts_meet(&world->counts, found.met, place);
		world->met++;
	}
	if (found.needed) {
		counts_needed(&world->counts, found.needed_met, found.needed);
		world->needed++;
	}
}

/*
 * "w0.1 r1.0 x1.1 d0": processor 0 stores word 1, 1 loads word 0, then changes word 1 in one go,
 * and 0 drops the line.
 */
static const struct {
	const char *name, *accesses;
	unsigned met, needed;
} cases[] = {
	{"nothing is stored", "r0.0 r1.0 r0.1", 0, 0},
	{"what was stored is read", "w0.0 r1.0", 1, 1},
	{"a neighbour of what was stored is read", "w0.0 r1.1", 1, 0},
	{"again and again", "w0.0 r1.1 w0.0 r1.1 w0.0 r1.1", 3, 0},
	{"a counter of two", "w0.0 r1.0 w1.0 r0.0 w0.0 r1.0", 3, 3},
	{"a counter of two, changed in one go", "x0.0 x1.0 x0.0 x1.0", 3, 3},
	{"a counter each", "x0.0 x1.1 x0.0 x1.1", 3, 0},
	{"the neighbour first, then what was stored", "w0.0 r1.1 r1.0", 1, 1},
	{"of what was read once no more is needed", "w0.0 r1.0 r1.0 r1.1", 1, 1},
	{"the last store was elsewhere, one before it was here", "w0.1 w0.0 r1.1", 1, 1},
	{"of the first, by way of the second", "w0.0 r1.1 w0.1 r1.0", 2, 1},
	{"what was met before, and has been read", "w0.0 w0.1 r1.0 r1.1 w0.2 r1.1", 2, 1},
	{"what it stored itself is no news", "w0.0 r1.1 w1.0 r1.0", 1, 0},
	{"when it has lost the line, that is over", "w0.0 r1.1 w0.2 r2.1 r1.0", 2, 0},
	{"a second reader has what the first met", "w0.0 r1.0 r2.0", 1, 1},
	{"a third had stored it", "w2.1 w0.0 r1.1", 1, 1},
	{"stored before anyone else used the line", "w0.3 w0.0 w0.0 r1.3", 1, 1},
	{"what it dropped is not what it has then", "w0.0 r1.1 d1 r1.0", 1, 0},
	{"a store that meets is no load", "w0.0 w1.0 w0.0", 0, 0},
	{"after a store that met, a load of what the other stored", "w0.0 w1.1 r1.0", 0, 0},
};

static void run(struct world *world, const char *accesses)
{
	for (const char *at = accesses; *at; at += strspn(at, " ")) {
		char what = *at++;
		unsigned cpu = (unsigned)(*at++ - '0');

		if (what == 'd') {
			line_drop(&world->line, cpu);
			continue;
		}
		assert_int_equal(*at, '.');
		use(world, cpu, what != 'w', what != 'r', (unsigned)(at[1] - '0'));
		at += 2;
	}
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct world world;

		world_init(&world);
		run(&world, cases[i].accesses);
		if (world.met != cases[i].met || world.needed != cases[i].needed)
			fail_msg("%s: %u met, %u needed", cases[i].name, world.met, world.needed);
		world_release(&world);
	}
}

/* ---- the same, the long way ------------------------------------------------------------------ */

/* By its definition: of each processor, whether it has the line, which words are news to it, and
 * whether a load of it met somebody and has not read news since. */
struct reference {
	bool has[CPUS], news[CPUS][WORDS], pending[CPUS];
	int modified; /* whose it is; -1: nobody's */
	unsigned met, needed;
};

static void reference_use(struct reference *ref, unsigned cpu, bool load, bool store, unsigned word)
{
	bool meets = ref->modified >= 0 && ref->modified != (int)cpu;

	if (load && meets) {
		ref->met++;
		ref->pending[cpu] = true;
	} else if (!ref->has[cpu]) {
		ref->pending[cpu] = false;
	}
	if (load && ref->pending[cpu] && ref->news[cpu][word]) {
		ref->needed++;
		ref->pending[cpu] = false;
	}
	ref->news[cpu][word] = false;
	ref->has[cpu] = true;
	if (meets)
		ref->modified = -1;
	if (!store)
		return;
	for (unsigned other = 0; other < CPUS; other++)
		if (other != cpu) {
			ref->has[other] = false;
			ref->news[other][word] = true;
		}
	ref->modified = (int)cpu;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void test_random(void **state)
{
	enum { RUNS = 2000, STEPS = 60 };
	uint64_t seed = 0x5bd1e995;
	unsigned met = 0, needed = 0;

	(void)state;
	for (unsigned i = 0; i < RUNS; i++) {
		struct reference ref = {.modified = -1};
		struct world world;

		world_init(&world);
		for (unsigned step = 0; step < STEPS; step++) {
			uint64_t random = next_random(&seed);
			unsigned cpu = (unsigned)(random >> 8) % CPUS;
			unsigned word = (unsigned)(random >> 16) % WORDS;
			bool load = random >> 24 & 3, store = (random >> 26 & 3) == 3 || !load;

			use(&world, cpu, load, store, word);
			reference_use(&ref, cpu, load, store, word);
			if (world.met != ref.met || world.needed != ref.needed)
				fail_msg("run %u, step %u: %u met, not %u; %u needed, not %u", i,
					 step, world.met, ref.met, world.needed, ref.needed);
		}
		met += world.met;
		needed += world.needed;
		world_release(&world);
	}
	assert_true(needed > met / 4 && needed < met - met / 8); /* both kinds were there */
}

static void test_parts(void **state)
{
	(void)state;
	assert_true(freshness_parts(0, 1, 64) == 1);
	assert_true(freshness_parts(8, 4, 64) == 0xf00);
	assert_true(freshness_parts(0, 64, 64) == UINT64_MAX);
	assert_true(freshness_parts(63, 1, 64) == (uint64_t)1 << 63);
	assert_true(freshness_parts(60, 8, 64) == (uint64_t)15
							  << 60); /* what is on the next is not */
	assert_true(freshness_parts(2, 4, 128) == 6);
	assert_true(freshness_parts(3, 1, 128) == 2);
	assert_true(freshness_parts(126, 2, 128) == (uint64_t)1 << 63);
	assert_true(freshness_parts(28, 4, 32) == 0xf0000000);
	assert_true(freshness_parts(64, 1, 4096) == 2);
}

/* Each pair is told how many of it needed the line, its own and not another's. */
static void test_pairs(void **state)
{
	struct world world;
	unsigned pairs = 0;

	(void)state;
	world_init(&world);
	run(&world, "w0.0 r1.1 w0.0 r1.1 r1.0 w0.1 r1.1 w0.0 r2.0");
	for (size_t i = 0; i < world.counts.met_slots; i++) {
		const struct met *met = &world.counts.met[i];

		if (!met->count)
			continue;
		pairs++;
		if (met->writer == &world.places[0][1][0] &&
		    met->reader == &world.places[1][0][1]) {
			assert_int_equal(met->count, 2);
			assert_int_equal(met->needed, 1);
		} else {
			assert_int_equal(met->count, 1);
			assert_int_equal(met->needed, 1);
		}
	}
	assert_int_equal(pairs, 3);
	world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_pairs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
