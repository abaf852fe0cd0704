/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has a line: what each access finds, by a table, and against MESI written the long way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plugin/coherence.h"

/*
 * "r0 w1 d0": processor 0 reads, 1 writes, 0 drops the line; behind each access what it must find:
 * own, others, hitm or memory by first letter.
 */
static const struct {
	const char *name, *accesses;
} cases[] = {
	{"a load of memory, then of the cache", "r0m r0o r0o"},
	{"a line alone is written without asking", "r0m w0o w0o r0o"},
	{"a second reader is served by the first", "r0m r1t r0o r1o"},
	{"a store to what others have takes it from them", "r0m r1t w0t r1h"},
	{"a reader meets the writer, and once only", "w0m r1h r1o r0o"},
	{"a writer meets the writer", "w0m w1h w0h w0o"},
	{"ping-pong", "w0m r1h w0t r1h w0t r1h"},
	{"two readers of one store: the first alone meets it", "w0m r1h r2t"},
	{"what was dropped comes from memory", "w0m d0 r1m r0t"},
	{"a clean line that one dropped is with the other", "r0m r1t d0 r0t w1t"},
	{"the last that shares a line writes without asking", "r0m r1t d0 w1o"},
	{"who has it not drops nothing", "w0m d1 r0o r1h"},
	{"the highest processor", "w31m r0h w31t r31o"},
};

static enum coherence_level level_of(char letter)
{
	const char *letters = "othm";

	return (enum coherence_level)(strchr(letters, letter) - letters);
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *at = cases[i].accesses;
		_Atomic coherence_state line = 0;
		char what, found = '\0';
		unsigned cpu;
		int n;

		while (sscanf(at, " %c%u%n", &what, &cpu, &n) == 2) {
			at += n;
			if (what == 'd') {
				coherence_drop(&line, cpu);
				continue;
			}
			found = *at++;
			if (coherence_access(&line, cpu, what == 'w') != level_of(found))
				fail_msg("%s: before \"%s\"", cases[i].name, at);
		}
		assert_int_not_equal(found, '\0');
	}
}

/* ---- MESI, a letter for each processor ------------------------------------------------------- */

static enum coherence_level mesi(char *states, unsigned n, unsigned cpu, bool store)
{
	bool modified = false, shared = false;
	enum coherence_level level;

	for (unsigned i = 0; i < n; i++)
		if (i != cpu) {
			modified = modified || states[i] == 'M';
			shared = shared || states[i] == 'S' || states[i] == 'E';
		}
	switch (states[cpu]) {
	case 'M':
	case 'E':
		level = LEVEL_OWN;
		break;
	case 'S':
		level = store && shared ? LEVEL_OTHERS : LEVEL_OWN;
		break;
	default:
		level = modified ? LEVEL_HITM : shared ? LEVEL_OTHERS : LEVEL_MEMORY;
	}
	for (unsigned i = 0; i < n; i++)
		if (i != cpu && states[i] != 'I')
			states[i] = store ? 'I' : 'S';
	if (store)
		states[cpu] = 'M';
	else if (states[cpu] == 'I')
		states[cpu] = modified || shared ? 'S' : 'E';
	return level;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

enum { SEQUENCES = 100000, STEPS = 40, MOST_CPUS = 8 };

static void test_random(void **state)
{
	uint64_t seed = 0x5bd1e995;

	(void)state;
	for (unsigned run = 0; run < SEQUENCES; run++) {
		unsigned n = 1 + (unsigned)(next_random(&seed) % MOST_CPUS);
		char states[MOST_CPUS];
		_Atomic coherence_state line = 0;

		memset(states, 'I', sizeof states);
		for (unsigned step = 0; step < STEPS; step++) {
			uint64_t random = next_random(&seed);
			unsigned cpu = (unsigned)(random >> 8) % n;
			bool store = random & 1;
			enum coherence_level expected, level;

			if ((random >> 1 & 15) == 0) {
				states[cpu] = 'I';
				coherence_drop(&line, cpu);
				continue;
			}
			expected = mesi(states, n, cpu, store);
			level = coherence_access(&line, cpu, store);
			if (level != expected)
				fail_msg("run %u, step %u: processor %u of %u: %d, not %d", run,
					 step, cpu, n, (int)level, (int)expected);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_random),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
