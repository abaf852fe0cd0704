/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of perf c2c report, of every generation: one recording, printed in each form under
 * tests/fixtures/c2c/reports, must give the same accesses, as far as the form says them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "perf/perf.h"

#define SLIDE UINT64_C(0x1c400000)

/* ---- what was recorded ----------------------------------------------------------------------- */

struct want {
	uint64_t address, code;
	enum access_mode mode;
	const char *symbol, *object, *comm;
	int32_t pid, tid;
	uint64_t remote, local, l1_hit, l1_miss, no_level, others;
	uint64_t mean[3];
	uint64_t cpus, nodes;
};

#define KERNEL "[kernel.kallsyms]"

static const struct want recorded[] = {
	{0xffff888104c2d640,
	 0xffffffff9de185b3,
	 MODE_KERNEL,
	 "ring_lock",
	 KERNEL,
	 "ringd",
	 2211,
	 2213,
	 100,
	 400,
	 300,
	 90,
	 20,
	 990,
	 {410, 230, 95},
	 8,
	 3},
	{0xffff888104c2d648,
	 0xffffffff9de18645,
	 MODE_KERNEL,
	 "ring_unlock",
	 KERNEL,
	 "ringd",
	 2211,
	 2213,
	 0,
	 0,
	 500,
	 10,
	 20,
	 0,
	 {0, 0, 0},
	 8,
	 3},
	{0xffff888104c2d650,
	 0xffffffff9d774f81,
	 MODE_KERNEL,
	 "consumer_poll_ring_slow_path",
	 KERNEL,
	 "poll worker",
	 2211,
	 2214,
	 15,
	 70,
	 0,
	 0,
	 0,
	 200,
	 {388, 212, 61},
	 4,
	 3},
	{0xffff888104c2d668,
	 0xffffffffc09a1044,
	 MODE_KERNEL,
	 "rd_stat",
	 "[ringdrv]",
	 "ringd",
	 2211,
	 2213,
	 5,
	 10,
	 60,
	 0,
	 0,
	 20,
	 {402, 190, 44},
	 2,
	 2},
	{0x7f3a5c021480,
	 0x55e4c0f1a1c4,
	 MODE_USER,
	 "std::atomic<unsigned long>::load(std::memory_order) const",
	 "ringd",
	 "ringd",
	 2211,
	 2213,
	 0,
	 30,
	 0,
	 0,
	 0,
	 150,
	 {0, 151, 40},
	 3,
	 1},
	{0x7f3a5c0214a0,
	 0x7f3a5cb01210,
	 MODE_USER,
	 "Ring<int, 4>::push(int)",
	 "libring.so.2.0.1",
	 "ringd",
	 2211,
	 2215,
	 0,
	 7,
	 12,
	 0,
	 0,
	 8,
	 {0, 140, 22},
	 1,
	 1},
	{0xffffffff9ec33bc0,
	 0xffffffff9d50f48e,
	 MODE_KERNEL,
	 "tick_all",
	 KERNEL,
	 "ringd",
	 2211,
	 2213,
	 0,
	 12345,
	 0,
	 0,
	 0,
	 355,
	 {0, 205, 80},
	 8,
	 3},
	{0xffffffff9ec33bd0,
	 0xffffffff9d50f4a8,
	 MODE_KERNEL,
	 "tick_all",
	 KERNEL,
	 "ringd",
	 2211,
	 2213,
	 0,
	 8655,
	 0,
	 0,
	 0,
	 245,
	 {0, 201, 80},
	 8,
	 3},
	{0xffffffff9ec33bf8,
	 0xffffffff9d50f509,
	 MODE_KERNEL,
	 "tick_one",
	 KERNEL,
	 "ringd",
	 2211,
	 2213,
	 0,
	 4000,
	 3,
	 0,
	 0,
	 97,
	 {0, 198, 77},
	 6,
	 3},
};

/* What a form does not say of it. */
enum {
	NO_PID = 1,
	NO_TID = 2,
	NO_CODE = 4, /* nor symbol */
	NO_OBJECT = 8,
	CLIPPED = 16,   /* symbols, to 26 letters */
	NO_OTHERS = 32, /* how many loads of a row were no HITM */
	NO_NA = 64,     /* stores without a level are counted as L1 hits */
	PEER = 128,     /* peer snoops, not HITM */
	NO_TABLE = 256, /* only the Pareto is there */
};

static const struct form {
	const char *name;
	unsigned lacks;
	uint64_t line;
} forms[] = {
	{"perf4.10", NO_TID | CLIPPED | NO_OTHERS | NO_NA, 64},
	{"perf5.5-callgraph", NO_TID | CLIPPED | NO_NA, 64},
	{"perf5.13", NO_PID | NO_TID | CLIPPED | NO_NA, 64},
	{"perf5.19", NO_PID | NO_TID | CLIPPED, 64},
	{"perf6.1-full-symbols", NO_PID | NO_TID, 64},
	{"perf6.1-nodes", NO_PID | NO_TID | CLIPPED, 64},
	{"perf6.1-cpu-lists", NO_PID | NO_TID | CLIPPED, 64},
	{"perf6.1-tid", NO_PID | NO_CODE | NO_OBJECT, 64},
	{"perf6.1-pid", NO_TID | NO_CODE | NO_OBJECT, 64},
	{"perf6.1-dso", NO_PID | NO_TID | NO_CODE, 64},
	{"perf6.1-pid-tid-iaddr", CLIPPED, 64},
	{"perf6.1-peer", NO_PID | NO_TID | CLIPPED | PEER, 64},
	{"perf6.8-double-cl", NO_PID | NO_TID | CLIPPED, 128},
	{"mail-quoted", NO_PID | NO_TID | CLIPPED | NO_TABLE, 64},
	{"mail-squeezed", NO_PID | NO_TID | CLIPPED | NO_TABLE, 64},
	{"mail-wrapped", NO_PID | NO_TID | CLIPPED | NO_TABLE, 64},
};

/* ---- what is read ---------------------------------------------------------------------------- */

/* Of the rows by their order, and of the lines as such. */
struct got {
	const struct form *form;
	const struct perf_image *image;
	size_t row;
	uint64_t address, ip;
	struct want sum[ARRAY_SIZE(recorded)];
	bool has_image_ip[ARRAY_SIZE(recorded)];
	uint64_t image_ip[ARRAY_SIZE(recorded)], image_address[ARRAY_SIZE(recorded)];
	uint64_t of_lines;
	uint64_t loads[HIT_KINDS]; /* of rows and lines */
};

static void add_store(struct want *sum, const struct access *access)
{
	switch (access->hit) {
	case HIT_L1:
		sum->l1_hit += access->n;
		break;
	case HIT_L1_MISS:
		sum->l1_miss += access->n;
		break;
	default:
		assert_int_equal(access->hit, HIT_UNKNOWN);
		sum->no_level += access->n;
	}
}

static void add_load(struct want *sum, const struct access *access)
{
	switch (access->hit) {
	case HIT_REMOTE_HITM:
	case HIT_REMOTE_PEER:
		sum->remote += access->n;
		sum->mean[0] = access->weight;
		break;
	case HIT_LOCAL_HITM:
	case HIT_LOCAL_PEER:
		sum->local += access->n;
		sum->mean[1] = access->weight;
		break;
	default:
		sum->others += access->n;
		sum->mean[2] = access->weight;
	}
}

static bool take(void *arg, const struct access *access)
{
	struct got *got = arg;
	struct want *sum;

	assert_true(access->n > 0);
	assert_true(access->has_address);
	if (access->op == ACCESS_LOAD)
		got->loads[access->hit] += access->n;
	if (access->is_of_line) {
		got->of_lines += access->n;
		return true;
	}
	if (got->row == 0 || access->address != got->address || access->ip != got->ip)
		got->row++;
	got->address = access->address;
	got->ip = access->ip;
	assert_true(got->row <= ARRAY_SIZE(recorded));
	sum = &got->sum[got->row - 1];
	(access->op == ACCESS_STORE ? add_store : add_load)(sum, access);
	sum->address = access->address;
	sum->code = access->has_ip ? access->ip : 0;
	sum->mode = access->mode;
	sum->symbol = access->symbol;
	sum->object = access->object;
	sum->comm = access->comm;
	sum->pid = access->pid;
	sum->tid = access->tid;
	sum->cpus = access->cpus;
	sum->nodes = access->nodes;
	got->has_image_ip[got->row - 1] = access->has_image_ip;
	got->image_ip[got->row - 1] = access->image_ip;
	got->image_address[got->row - 1] = access->image_address;
	return true;
}

static struct recording *open_form(const char *name)
{
	struct err err = ERR_INIT;
	struct recording *recording = NULL;
	char path[256];

	snprintf(path, sizeof path, "tests/fixtures/c2c/reports/%s.txt", name);
	if (!recording_open(path, &err, &recording))
		fail_msg("%s", err.text);
	assert_int_equal(recording_facts(recording)->kind, RECORDING_REPORT);
	return recording;
}

static void read_form(struct recording *recording, const struct perf_image *image, struct got *ret)
{
	struct err err = ERR_INIT;

	memset(ret, 0, sizeof *ret);
	if (!recording_read(recording, image, NULL, take, ret, &err))
		fail_msg("%s", err.text);
}

static void same_text(const char *got, const char *want, size_t most)
{
	if (!want) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	assert_int_equal(strlen(got), strlen(want) < most ? strlen(want) : most);
	assert_int_equal(strncmp(got, want, strlen(got)), 0);
}

static void compare_row(const struct want *got, const struct want *want, unsigned lacks)
{
	bool no_na = lacks & NO_NA;

	assert_int_equal(got->address, want->address);
	assert_int_equal(got->code, lacks & NO_CODE ? 0 : want->code);
	assert_int_equal(got->mode, lacks & NO_CODE ? MODE_UNKNOWN : want->mode);
	same_text(got->symbol, lacks & NO_CODE ? NULL : want->symbol,
		  lacks & CLIPPED ? 26 : SIZE_MAX);
	same_text(got->object, lacks & NO_OBJECT ? NULL : want->object, SIZE_MAX);
	same_text(got->comm, lacks & NO_TID ? NULL : want->comm, SIZE_MAX);
	assert_int_equal(got->pid, lacks & NO_PID ? -1 : want->pid);
	assert_int_equal(got->tid, lacks & NO_TID ? -1 : want->tid);
	assert_int_equal(got->remote, want->remote);
	assert_int_equal(got->local, want->local);
	assert_int_equal(got->l1_hit, want->l1_hit + (no_na ? want->no_level : 0));
	assert_int_equal(got->l1_miss, want->l1_miss);
	assert_int_equal(got->no_level, no_na ? 0 : want->no_level);
	assert_int_equal(got->others, lacks & NO_OTHERS ? 0 : want->others);
	for (int i = 0; i < 2; i++)
		assert_int_equal(got->mean[i], want->mean[i]);
	if (got->others)
		assert_int_equal(got->mean[2], want->mean[2]);
	assert_int_equal(got->cpus, want->cpus);
	assert_int_equal(got->nodes, want->nodes);
}

/* What served the loads is known by the line, from the table. */
static void compare_levels(const struct got *got, unsigned lacks)
{
	static const struct {
		enum access_hit hit;
		uint64_t n;
	} levels[] = {{HIT_LFB, 30},         {HIT_L1, 1114},        {HIT_L2, 12},
		      {HIT_LLC, 900},        {HIT_REMOTE_CACHE, 3}, {HIT_LOCAL_DRAM, 2},
		      {HIT_REMOTE_DRAM, 10}, {HIT_UNKNOWN, 0}};

	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (!(lacks & NO_TABLE))
			assert_int_equal(got->loads[levels[i].hit], levels[i].n);
}

/* Of the table alone, the lines are all that is known. */
static void the_table_alone(void **state)
{
	struct recording *recording = open_form("mail-table");
	struct got got;

	(void)state;
	read_form(recording, NULL, &got);
	assert_int_equal(got.row, 0);
	assert_int_equal(got.of_lines, 28723);
	compare_levels(&got, 0);
	assert_int_equal(got.loads[HIT_REMOTE_HITM], 120);
	assert_int_equal(got.loads[HIT_LOCAL_HITM], 480 + 37 + 25000);
	recording_close(recording);
}

static void every_form_gives_the_rows(void **state)
{
	uint64_t others = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++)
		others += recorded[i].others;
	for (size_t f = 0; f < ARRAY_SIZE(forms); f++) {
		const struct form *form = &forms[f];
		struct recording *recording = open_form(form->name);
		const struct recording_facts *facts = recording_facts(recording);
		struct got got;

		print_message("# %s\n", form->name);
		read_form(recording, NULL, &got);
		assert_int_equal(got.row, ARRAY_SIZE(recorded));
		for (size_t i = 0; i < ARRAY_SIZE(recorded); i++)
			compare_row(&got.sum[i], &recorded[i], form->lacks);
		/* Three loads of the second line, and three of the third, are in no row. */
		assert_int_equal(got.of_lines, (form->lacks & NO_TABLE ? 0 : 6) +
						       (form->lacks & NO_OTHERS ? others : 0));
		compare_levels(&got, form->lacks);
		assert_int_equal(facts->report_line, form->line);
		assert_int_equal(facts->nnotes, 0);
		assert_int_equal(facts->samples, form->lacks & NO_TABLE ? 0 : 32843);
		assert_int_equal(facts->nevents, form->lacks & NO_TABLE ? 0 : 2);
		recording_close(recording);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_gives_the_rows),
		cmocka_unit_test(the_table_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("c2c_report", tests, NULL, NULL);
}
