/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every way in which perf.data writes the same accesses, and what it says of the machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "lib/perf_writer.h"

#define DATA_SRC_HITM  (UINT64_C(0x10669800842)) /* a load, L3, HITM */
#define DATA_SRC_STORE (UINT64_C(0x1004a080144)) /* a store, L1, locked */

enum { LOAD_ID = 101, STORE_ID = 102 };

static const uint64_t usual = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_CPU |
			      SAMPLE_PERIOD | SAMPLE_DATA_SRC | SAMPLE_WEIGHT | SAMPLE_PHYS_ADDR |
			      SAMPLE_IDENTIFIER;

static const struct sample a_load = {
	.ip = 0xffffffff81100010,
	.pid = 10,
	.tid = 11,
	.time = 1000,
	.address = 0xffff888101a40078,
	.cpu = 3,
	.weight = 330,
	.data_src = DATA_SRC_HITM,
	.physical = 0x101a40078,
};

static const struct sample a_store = {
	.ip = 0x401234,
	.pid = 10,
	.tid = 12,
	.time = 2000,
	.address = 0x7f0000001008,
	.cpu = 0,
	.data_src = DATA_SRC_STORE,
	.physical = 0x2000,
};

/* Two samples, whatever the way. */
static void write_two(struct pw *pw, uint64_t type, bool one_event, struct buf *ret)
{
	bool has_ids = type & (SAMPLE_ID | SAMPLE_IDENTIFIER);
	size_t loads = pw_event(pw, type, has_ids ? LOAD_ID : 0, "loads");
	size_t stores = one_event ? loads : pw_event(pw, type, has_ids ? STORE_ID : 0, "stores");

	pw_comm(pw, 10, 11, "reader", false, 0);
	pw_comm(pw, 10, 12, "writer", false, 0);
	pw_mmap(pw, MAPS_KERNEL, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		"[kernel.kallsyms]_text", 0);
	pw_mmap(pw, 10, 0x400000, 0x10000, 0, "/bin/x", 0);
	pw_sample(pw, loads, MISC_KERNEL, &a_load);
	pw_sample(pw, stores, MISC_USER, &a_store);
	pw_round(pw);
	pw_finish(pw, ret);
}

static void expect_two(const struct pr *pr, uint64_t type, const char *what)
{
	const struct access *load = &pr->items[0], *store = &pr->items[1];

	if (pr->n != 2 || pr->err.text)
		fail_msg("%s: %zu accesses, %s", what, pr->n, pr->err.text);
	assert_int_equal(pr->facts->samples, 2);
	assert_int_equal(pr->facts->accesses, 2);
	assert_int_equal(load->n, 1);
	assert_int_equal(load->op, ACCESS_LOAD);
	assert_int_equal(load->hit, HIT_LOCAL_HITM);
	assert_int_equal(load->mode, MODE_KERNEL);
	assert_true(load->has_address);
	assert_int_equal(load->address, a_load.address);
	assert_int_equal(load->ip, a_load.ip);
	assert_int_equal(load->pid, 10);
	assert_int_equal(load->tid, 11);
	assert_int_equal(load->cpu, type & SAMPLE_CPU ? 3 : -1);
	assert_int_equal(load->time, type & SAMPLE_TIME ? 1000 : 0);
	assert_int_equal(load->has_weight, (type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT)) != 0);
	assert_int_equal(load->weight, load->has_weight ? 330 : 0);
	assert_int_equal(load->has_physical, (type & SAMPLE_PHYS_ADDR) != 0);
	assert_int_equal(load->physical, load->has_physical ? a_load.physical : 0);
	assert_string_equal(load->comm, "reader");
	assert_string_equal(load->object, "[kernel.kallsyms]");
	assert_int_equal(store->op, ACCESS_STORE);
	assert_int_equal(store->mode, MODE_USER);
	assert_int_equal(store->address, a_store.address);
	assert_true(store->locked);
	assert_string_equal(store->comm, "writer");
	assert_string_equal(store->object, "/bin/x");
}

static void check_two(struct pw *pw, uint64_t type, bool one_event, const char *what)
{
	struct buf bytes = BUF_INIT;
	struct pr pr;

	write_two(pw, type, one_event, &bytes);
	(void)pr_read(&bytes, NULL, &pr);
	expect_two(&pr, type, what);
	pr_release(&pr);
	buf_release(&bytes);
}

static void every_container(void **state)
{
	static const unsigned compressed[] = {0, RECORD_COMPRESSED, RECORD_COMPRESSED2};

	(void)state;
	for (int big = 0; big < 2; big++)
		for (int pipe = 0; pipe < 2; pipe++)
			for (size_t z = 0; z < ARRAY_SIZE(compressed); z++)
				/* Chunks that split records anywhere, down to one byte each. */
				for (size_t chunk = 1; chunk < 300; chunk += 37) {
					struct pw pw = {.big = big,
							.pipe = pipe,
							.compress = compressed[z],
							.chunk = chunk};

					check_two(&pw, usual, false, "container");
				}
}

static void every_way_to_tell_events(void **state)
{
	const uint64_t none = usual & ~(uint64_t)SAMPLE_IDENTIFIER;

	(void)state;
	for (int big = 0; big < 2; big++) {
		struct pw a = {.big = big}, b = {.big = big}, c = {.big = big}, d = {.big = big};

		check_two(&a, usual, false, "identifier");
		check_two(&b, none | SAMPLE_ID, false, "id");
		check_two(&c, none, true, "one event");
		check_two(&d, none, false, "two alike");
	}
}

/* Any of the fields that a reader must step over, each alone and all of them. */
static void every_field(void **state)
{
	static const uint64_t fields[] = {
		SAMPLE_READ,         SAMPLE_CALLCHAIN, SAMPLE_STREAM_ID,  SAMPLE_RAW,
		SAMPLE_BRANCH_STACK, SAMPLE_REGS_USER, SAMPLE_STACK_USER, SAMPLE_TRANSACTION,
		SAMPLE_REGS_INTR,    SAMPLE_CGROUP,    SAMPLE_ID,
	};
	uint64_t all = usual;

	(void)state;
	for (size_t i = 0; i <= ARRAY_SIZE(fields); i++)
		for (uint64_t format = 0; format < 32; format++) {
			uint64_t type = i < ARRAY_SIZE(fields) ? usual | fields[i] : all;
			struct pw pw = {.big = format & 1,
					.read_format = format,
					.branch_type = (format & 1) << 17 | (format & 2) << 18,
					.regs_user = 0xff00ff,
					.regs_intr = 7};

			all |= i < ARRAY_SIZE(fields) ? fields[i] : 0;
			check_two(&pw, type, false, "field");
		}
}

static void fields_that_are_missing(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct pw a = {.big = big}, b = {.big = big}, c = {.big = big}, d = {.big = big};

		check_two(&a, (usual & ~(uint64_t)SAMPLE_WEIGHT) | SAMPLE_WEIGHT_STRUCT, false,
			  "weight struct");
		check_two(&b, usual & ~(uint64_t)SAMPLE_WEIGHT, false, "no weight");
		check_two(&c, usual & ~(uint64_t)(SAMPLE_PHYS_ADDR | SAMPLE_CPU), false,
			  "no physical address");
		check_two(&d, usual & ~(uint64_t)SAMPLE_TIME, false, "no time");
	}
}

static void every_size_of_attr(void **state)
{
	static const unsigned sizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 200};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (int big = 0; big < 2; big++) {
			struct pw file = {.big = big, .attr_size = sizes[i]};
			struct pw pipe = {.big = big, .attr_size = sizes[i], .pipe = true};

			check_two(&file, usual, false, "attr");
			check_two(&pipe, usual, false, "attr in a pipe");
		}
}

static void an_interrupted_recording(void **state)
{
	struct buf bytes = BUF_INIT;
	struct pw pw = {.cut = true};
	struct pr pr;

	(void)state;
	write_two(&pw, usual, false, &bytes);
	/* A part of a further record. */
	buf_add(&bytes, "\11\0\0\0\1\0\100\0....", 12);
	assert_true(pr_read(&bytes, NULL, &pr));
	expect_two(&pr, usual, "interrupted");
	pr_release(&pr);
	buf_release(&bytes);
}

static void from_a_pipe(void **state)
{
	(void)state;
	for (int pipe = 0; pipe < 2; pipe++) {
		struct buf bytes = BUF_INIT;
		struct pw pw = {.pipe = pipe};
		struct pr pr;

		write_two(&pw, usual, false, &bytes);
		assert_true(pr_read_pipe(&bytes, &pr));
		expect_two(&pr, usual, "pipe");
		pr_release(&pr);
		buf_release(&bytes);
	}
}

/* ---- what it says of the machine */

static void add_machine(struct pw *pw)
{
	struct buf *b;

	pw_feature_string(pw, 4, "6.1.0-57");
	pw_feature_string(pw, 5, "6.1.187");
	pw_feature_string(pw, 6, "x86_64");
	pw_feature_string(pw, 9, "AuthenticAMD,25,17,1");
	b = pw_feature(pw, 7);
	pw_u32(pw, b, 8);
	pw_u32(pw, b, 6);
	b = pw_feature(pw, 11);
	pw_u32(pw, b, 3);
	pw_string(pw, b, "perf");
	pw_string(pw, b, "c2c");
	pw_string(pw, b, "record");
	b = pw_feature(pw, 14);
	pw_u32(pw, b, 2);
	for (unsigned node = 0; node < 2; node++) {
		pw_u32(pw, b, node);
		pw_u64(pw, b, 1000);
		pw_u64(pw, b, 500);
		pw_string(pw, b, node ? "2,4-7" : "0-1,3");
	}
	b = pw_feature(pw, 20);
	pw_u32(pw, b, 1);
	pw_u32(pw, b, 2);
	for (unsigned level = 1; level <= 2; level++) {
		pw_u32(pw, b, level);
		pw_u32(pw, b, level == 1 ? 128 : 256);
		pw_u32(pw, b, 64);
		pw_u32(pw, b, 8);
		pw_string(pw, b, level == 1 ? "Data" : "Unified");
		pw_string(pw, b, "32K");
		pw_string(pw, b, "0");
	}
	b = pw_feature(pw, 22);
	pw_u64(pw, b, 1);
	pw_u64(pw, b, 0x8000000);
	pw_u64(pw, b, 2);
	for (unsigned node = 0; node < 2; node++) {
		pw_u64(pw, b, node);
		pw_u64(pw, b, 70);
		pw_u64(pw, b, 70);
		pw_u64(pw, b, node ? 0xfffffff0 : 0xf);
		pw_u64(pw, b, node ? 1 : 0);
	}
}

static void the_machine(void **state)
{
	(void)state;
	for (int way = 0; way < 4; way++) {
		struct pw pw = {.big = way & 1, .pipe = way & 2};
		struct buf bytes = BUF_INIT;
		struct pr pr;

		add_machine(&pw);
		write_two(&pw, usual, false, &bytes);
		assert_true(pr_read(&bytes, NULL, &pr));
		assert_string_equal(pr.facts->release, "6.1.0-57");
		assert_string_equal(pr.facts->perf_version, "6.1.187");
		assert_string_equal(pr.facts->arch, "x86_64");
		assert_string_equal(pr.facts->cpuid, "AuthenticAMD,25,17,1");
		assert_string_equal(pr.facts->cmdline, "perf c2c record");
		assert_int_equal(pr.facts->cpus, 8);
		assert_int_equal(pr.facts->nodes, 2);
		assert_int_equal(pr.facts->line, 128);
		assert_int_equal(pr.facts->nevents, 2);
		assert_string_equal(pr.facts->events[0], "loads");
		assert_string_equal(pr.facts->events[1], "stores");
		assert_true(pr.facts->has_cpus_of_accesses);
		/* CPU 3 is of node 0, as is 0; block 32 of memory of node 1, block 0 of node 0 */
		assert_int_equal(pr.items[0].node, 0);
		assert_int_equal(pr.items[1].node, 0);
		assert_int_equal(pr.items[0].memory_node, -1);
		assert_int_equal(pr.items[1].memory_node, 0);
		pr_release(&pr);
		buf_release(&bytes);
	}
}

/* ---- what is not an access */

static size_t begin(struct pw *pw)
{
	return pw_event(pw, usual, LOAD_ID, "loads");
}

static void what_is_counted_and_left_out(void **state)
{
	struct buf bytes = BUF_INIT, lost = BUF_INIT, unknown = BUF_INIT;
	struct sample sample = a_load;
	struct pw pw = {0};
	size_t event = begin(&pw);
	size_t dummy = pw_event(&pw, usual & ~(uint64_t)SAMPLE_DATA_SRC, STORE_ID, "dummy:u");
	struct pr pr;

	(void)state;
	pw_sample(&pw, dummy, MISC_USER, &sample);
	sample.address = 0;
	pw_sample(&pw, event, MISC_USER, &sample);
	sample.data_src = 0x1; /* an operation that touches no memory */
	pw_sample(&pw, event, MISC_USER, &sample);
	pw.events[event].id = 777;
	pw_sample(&pw, event, MISC_USER, &sample);
	pw.events[event].id = LOAD_ID;
	pw_u64(&pw, &lost, LOAD_ID);
	pw_u64(&pw, &lost, 40);
	pw_record(&pw, RECORD_LOST, 0, &lost);
	pw_u64(&pw, &lost, 2);
	pw_record(&pw, RECORD_LOST_SAMPLES, 0, &lost);
	buf_pad(&unknown, 7, 24);
	pw_record(&pw, 4711, 0, &unknown);
	pw_finish(&pw, &bytes);
	assert_true(pr_read(&bytes, NULL, &pr));
	assert_int_equal(pr.n, 2);
	assert_false(pr.items[0].has_address);
	assert_int_equal(pr.items[1].op, ACCESS_OTHER);
	assert_int_equal(pr.facts->samples, 4);
	assert_int_equal(pr.facts->accesses, 2);
	assert_int_equal(pr.facts->other_events, 2);
	assert_int_equal(pr.facts->no_address, 1);
	assert_int_equal(pr.facts->lost, 42);
	pr_release(&pr);
	buf_release(&bytes);
}

static void expect_refusal(struct pw *pw, const char *part)
{
	struct buf bytes = BUF_INIT;
	struct pr pr;

	pw_finish(pw, &bytes);
	assert_false(pr_read(&bytes, NULL, &pr));
	assert_non_null(pr.err.text);
	if (!strstr(pr.err.text, part) || strchr(pr.err.text, '\n'))
		fail_msg("%s", pr.err.text);
	pr_release(&pr);
	buf_release(&bytes);
}

static void what_perf_alone_can_decode(void **state)
{
	(void)state;
	for (int pipe = 0; pipe < 2; pipe++) {
		struct pw pw = {.pipe = pipe};
		struct buf body = BUF_INIT;

		pw_event(&pw, usual, LOAD_ID, "arm_spe_0//");
		pw_u64(&pw, &body, 24); /* bytes behind the record */
		buf_pad(&body, 0, 32);
		pw_record(&pw, RECORD_AUXTRACE, 0, &body);
		buf_pad(&pw.records, 0, 24);
		pw_round(&pw);
		expect_refusal(&pw, "perf script --itrace=M");
	}
}

static void what_has_no_accesses(void **state)
{
	struct pw cycles = {0}, empty = {0};
	struct buf bytes = BUF_INIT;
	struct pr pr;
	size_t event = pw_event(&cycles, usual & ~(uint64_t)SAMPLE_DATA_SRC, LOAD_ID, "cycles");

	(void)state;
	pw_sample(&cycles, event, MISC_USER, &a_load);
	expect_refusal(&cycles, "perf c2c record");
	/* Nothing was sampled: that is an answer. */
	begin(&empty);
	pw_round(&empty);
	pw_finish(&empty, &bytes);
	assert_true(pr_read(&bytes, NULL, &pr));
	assert_int_equal(pr.n, 0);
	pr_release(&pr);
	buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_container),
		cmocka_unit_test(every_way_to_tell_events),
		cmocka_unit_test(every_field),
		cmocka_unit_test(fields_that_are_missing),
		cmocka_unit_test(every_size_of_attr),
		cmocka_unit_test(an_interrupted_recording),
		cmocka_unit_test(from_a_pipe),
		cmocka_unit_test(the_machine),
		cmocka_unit_test(what_is_counted_and_left_out),
		cmocka_unit_test(what_perf_alone_can_decode),
		cmocka_unit_test(what_has_no_accesses),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
