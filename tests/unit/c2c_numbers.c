/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts on a report, whose rows say how many CPUs they stand for and not which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "c2c/judge.h"
#include "c2c/table.h"

struct row {
	uint64_t offset, hitm, stores, cpus; /* offset OF_LINE: what is in no row */
};

enum { OF_LINE = 64, MOST_ROWS = 4 };

static void add(struct c2c_table *table, const struct row *row, uint64_t n, enum access_op op,
		enum access_hit hit)
{
	const uint64_t line = 0xffff888104c2d640;
	struct access access = {.n = n,
				.op = op,
				.hit = hit,
				.mode = MODE_KERNEL,
				.has_address = true,
				.address = line + row->offset % OF_LINE,
				.is_of_line = row->offset == OF_LINE,
				.has_ip = row->offset != OF_LINE,
				.ip = 0xffffffff81000000 + row->offset + (op == ACCESS_STORE),
				.pid = -1,
				.tid = -1,
				.cpu = -1,
				.node = -1,
				.cpus = row->cpus};

	if (n)
		table_add(table, &access);
}

static void verdicts(void **state)
{
	static const struct {
		struct row rows[MOST_ROWS];
		enum c2c_verdict verdict;
		uint64_t gain;
		const char *reason;
	} cases[] = {
		/* Nobody stores to what is read, by however many CPUs. */
		{{{0, 100, 0, 1}, {8, 0, 50, 1}},
		 VERDICT_FALSE,
		 100,
		 "100 % of HITM on +0x0, which no"},
		/* Two store there, so another one does. */
		{{{0, 100, 50, 2}}, VERDICT_TRUE, 0, "100 % of HITM on +0x0, which other CPUs"},
		/* One stores there, several read. */
		{{{0, 0, 50, 1}, {0, 100, 0, 3}}, VERDICT_TRUE, 0, "100 %"},
		/* One and one: the same, or not. */
		{{{0, 100, 50, 1}, {8, 0, 50, 4}},
		 VERDICT_UNKNOWN,
		 0,
		 "the report does not say which CPUs made 100 % of HITM"},
		/* So little of it is unsure that it does not matter. */
		{{{0, 10, 50, 1}, {8, 90, 0, 4}}, VERDICT_FALSE, 90, "90 %"},
		{{{0, 10, 50, 1}, {8, 50, 0, 4}, {16, 40, 40, 4}}, VERDICT_MIXED, 50, "50 %"},
		/* HITM and stores that are in no row. */
		{{{0, 90, 0, 4}, {8, 0, 50, 1}, {OF_LINE, 10, 0, 0}}, VERDICT_FALSE, 90, "90 %"},
		{{{0, 50, 0, 4}, {8, 0, 50, 1}, {OF_LINE, 50, 0, 0}},
		 VERDICT_UNKNOWN,
		 50,
		 "the report does not say which CPUs made 50 % of HITM"},
		{{{0, 100, 0, 4}, {8, 0, 50, 1}, {OF_LINE, 0, 50, 0}},
		 VERDICT_UNKNOWN,
		 0,
		 "the recording does not say which CPU"},
		/* Numbers that are not said, or too few samples. */
		{{{0, 100, 0, 0}, {8, 0, 50, 1}},
		 VERDICT_UNKNOWN,
		 0,
		 "the recording does not say which CPU"},
		{{{0, 19, 0, 1}, {8, 0, 50, 1}}, VERDICT_UNKNOWN, 19, "fewer than 20 HITM"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct c2c_image image = {0};
		const struct c2c_line *line;
		struct c2c_report report;
		struct c2c_table table;

		print_message("# %zu\n", i);
		table_init(&table, 64);
		for (size_t r = 0; r < MOST_ROWS; r++) {
			add(&table, &cases[i].rows[r], cases[i].rows[r].hitm, ACCESS_LOAD,
			    HIT_LOCAL_HITM);
			add(&table, &cases[i].rows[r], cases[i].rows[r].stores, ACCESS_STORE,
			    HIT_L1);
		}
		table_finish(&table);
		c2c_judge(&table, &image, &report);
		assert_int_equal(report.nlines, 1);
		line = &report.lines[0];
		assert_int_equal(line->verdict, cases[i].verdict);
		assert_int_equal(line->gain, cases[i].gain);
		if (strncmp(line->reason, cases[i].reason, strlen(cases[i].reason)) != 0)
			fail_msg("%s: not: %s", line->reason, cases[i].reason);
		c2c_release(&report);
		table_release(&table);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts)};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("c2c_numbers", tests, NULL, NULL);
}
