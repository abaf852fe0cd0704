/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first instructions of a process, decoded by many threads at once: `make check-threads` runs
 * this one under ThreadSanitizer too. Nothing here may decode before they do.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "insn/insn.h"

enum { THREADS = 4 };

struct first {
	pthread_barrier_t *all;
	struct insn_memory memory;
	size_t n;
};

/* mov 0x18(%rdi),%rax */
static const uint8_t load[] = {0x48, 0x8b, 0x47, 0x18};

static void *decode(void *arg)
{
	struct first *first = arg;
	struct insn_code code = {0};
	struct insn_decoder *decoder;

	pthread_barrier_wait(first->all);
	decoder = insn_decoder_new("x86_64", false);
	insn_decode(decoder, load, sizeof load, 0x1000, &code);
	first->n = code.n;
	if (code.n == 1)
		first->memory = code.insns[0].memory[0];
	insn_code_release(&code);
	insn_decoder_free(decoder);
	return NULL;
}

static void all_are_first(void **state)
{
	struct first firsts[THREADS] = {0};
	pthread_t threads[THREADS];
	pthread_barrier_t all;

	(void)state;
	assert_int_equal(pthread_barrier_init(&all, NULL, THREADS), 0);
	for (size_t i = 0; i < THREADS; i++) {
		firsts[i].all = &all;
		assert_int_equal(pthread_create(&threads[i], NULL, decode, &firsts[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	pthread_barrier_destroy(&all);
	for (size_t i = 0; i < THREADS; i++) {
		assert_int_equal(firsts[i].n, 1);
		assert_int_equal(firsts[i].memory.disp, 0x18);
		assert_true(firsts[i].memory.reads && !firsts[i].memory.writes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_first)};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
