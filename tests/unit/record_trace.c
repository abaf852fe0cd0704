/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the plugin counted -> a recording: read back, exact where it can be, damaged refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/perf_writer.h"
#include "lib/scratch.h"
#include "plugin/coherence.h"
#include "record/convert.h"

static const char *const argv_of_test[] = {"layoutcheck", "record", NULL};
static const char build_id[] = "00112233445566778899aabbccddeeff00112233";

static char *build_id_of(const char *path)
{
	return strcmp(path, "/bin/x") == 0 ? strdup(build_id) : NULL;
}

static const struct convert_subject of_kernel = {
	.release = "6.1.0",
	.argv = argv_of_test,
	.memory = (uint64_t)512 << 20,
	.text = 0xffffffff81000000,
	.text_end = 0xffffffff83000000,
	.build_id = build_id,
};

static const struct convert_subject of_program = {
	.release = "6.1.0",
	.argv = argv_of_test,
	.memory = (uint64_t)512 << 20,
	.comm = "x",
	.build_id_of = build_id_of,
};

/* Two processors that fight over a line, and @own loads that nobody minds. */
static void make_trace(uint32_t flags, uint64_t own, struct buf *out)
{
	const uint64_t high = flags & TRACE_SYSTEM ? 0xffffffff81000000 : 0x400000;
	const struct trace_access accesses[] = {
		{.ip = high + 0x10,
		 .address = 0xffff888000001000,
		 .physical = 0x1000,
		 .first = 100,
		 .last = 1100,
		 .loads = {[LEVEL_OWN] = own, [LEVEL_HITM] = 30},
		 .stores = {[LEVEL_OWN] = 7, [LEVEL_HITM] = 3},
		 .pid = 10,
		 .tid = 11,
		 .cpu = 1,
		 .size = 8,
		 .flags = TRACE_LOCKED},
		{.ip = high + 0x20,
		 .address = 0xffff888000001008,
		 .physical = 0x1008,
		 .first = 50,
		 .last = 50,
		 .loads = {[LEVEL_MEMORY] = 1, [LEVEL_OTHERS] = 2},
		 .pid = 10,
		 .tid = 10,
		 .size = 8},
	};
	const struct trace_pair pair = {
		high + 0x20, 0xffff888000001008, high + 0x10, 0xffff888000001000, 30, 12};
	const struct trace_task tasks[] = {{10, 10, "qemu-x86_64"}, {10, 11, "worker"}};
	struct trace_map map = {.start = 0x400000, .size = 0x1000, .path = "/bin/x"};
	struct trace_map data = {.start = 0x600000, .size = 0x1000, .path = "/bin/y"};
	struct trace_header header = {.magic = TRACE_MAGIC,
				      .flags = flags,
				      .cpus = 2,
				      .line = 64,
				      .naccesses = ARRAY_SIZE(accesses),
				      .npairs = 1,
				      .ntasks = ARRAY_SIZE(tasks),
				      .nmaps = flags & TRACE_SYSTEM ? 0 : 2};

	buf_add(out, &header, sizeof header);
	buf_add(out, accesses, sizeof accesses);
	buf_add(out, &pair, sizeof pair);
	buf_add(out, tasks, sizeof tasks);
	if (header.nmaps) {
		buf_add(out, &map, sizeof map);
		buf_add(out, &data, sizeof data);
	}
}

static bool read_trace(const void *data, size_t len, struct err *err, struct trace *ret)
{
	const char *path = scratch_path("trace");

	*err = (struct err){0};
	assert_true(file_write(path, data, len, err));
	return trace_read(path, err, ret);
}

static void converted(uint32_t flags, uint64_t own, const struct convert_subject *subject,
		      struct converted *ret, struct pr *ret_read)
{
	struct buf bytes = BUF_INIT;
	struct trace trace;
	struct err err;

	make_trace(flags, own, &bytes);
	if (!read_trace(bytes.s, bytes.len, &err, &trace))
		fail_msg("%s", err.text);
	convert(&trace, subject, ret);
	trace_release(&trace);
	buf_release(&bytes);
	if (!pr_read(&ret->perf_data, NULL, ret_read))
		fail_msg("%s", ret_read->err.text);
}

struct seen {
	uint64_t own, hitm, llc, memory, stores, store_misses;
};

static struct seen count(const struct pr *pr)
{
	struct seen seen = {0};

	for (size_t i = 0; i < pr->n; i++) {
		const struct access *access = &pr->items[i];

		if (access->op == ACCESS_STORE) {
			seen.stores++;
			seen.store_misses += access->hit == HIT_L1_MISS;
			continue;
		}
		seen.own += access->hit == HIT_L1;
		seen.hitm += access->hit == HIT_LOCAL_HITM;
		seen.llc += access->hit == HIT_LLC;
		seen.memory += access->hit == HIT_LOCAL_DRAM;
	}
	return seen;
}

static void few_are_whole(void **state)
{
	struct converted made;
	struct pr pr;
	struct seen seen;

	(void)state;
	converted(TRACE_SYSTEM | TRACE_STARTED, 40, &of_kernel, &made, &pr);
	seen = count(&pr);
	assert_int_equal(seen.own, 40);
	assert_int_equal(seen.hitm, 30);
	assert_int_equal(seen.llc, 2);
	assert_int_equal(seen.memory, 1);
	assert_int_equal(seen.stores, 10);
	assert_int_equal(seen.store_misses, 3);
	assert_int_equal(made.loads, 73);
	assert_int_equal(made.stores, 10);
	assert_int_equal(made.hitm, 30);
	assert_int_equal(made.samples, 83);
	assert_int_equal(made.npairs, 1);
	assert_int_equal(made.pairs[0].count, 30);
	assert_int_equal(made.pairs[0].needed, 12);
	assert_string_equal(pr.facts->release, "6.1.0");
	assert_int_equal(pr.facts->line, 64);
	pr_release(&pr);
	converted_release(&made);
}

/* The times of one place's samples are spread over its time; each says who, where and of what. */
static void samples_say_who(void **state)
{
	struct converted made;
	struct pr pr;
	uint64_t last = 0;

	(void)state;
	converted(TRACE_SYSTEM | TRACE_STARTED, 40, &of_kernel, &made, &pr);
	for (size_t i = 0; i < pr.n; i++) {
		const struct access *access = &pr.items[i];
		bool second = access->address == 0xffff888000001008;

		assert_true(access->time >= last);
		last = access->time;
		assert_true(access->time >= 50 && access->time <= 1100);
		assert_int_equal(access->pid, 10);
		assert_int_equal(access->tid, second ? 10 : 11);
		assert_int_equal(access->cpu, second ? 0 : 1);
		assert_int_equal(access->physical, second ? 0x1008 : 0x1000);
		assert_int_equal(access->mode, MODE_KERNEL);
		assert_int_equal(access->locked, !second);
		assert_string_equal(access->object, "[kernel.kallsyms]");
		assert_string_equal(access->comm, second ? "qemu-x86_64" : "worker");
	}
	assert_int_equal(last, 1100);
	pr_release(&pr);
	converted_release(&made);
}

/* Of a group that is too large one in so many, with the same period; the others stay whole. */
static void many_are_sampled(void **state)
{
	struct converted made;
	struct pr pr;
	struct seen seen;

	(void)state;
	converted(TRACE_SYSTEM | TRACE_STARTED, (uint64_t)CONVERT_SAMPLES * 3 + 1, &of_kernel,
		  &made, &pr);
	seen = count(&pr);
	assert_int_equal(seen.own, (CONVERT_SAMPLES * 3 + 1) / 4);
	assert_int_equal(seen.hitm, 30);
	assert_int_equal(made.loads, CONVERT_SAMPLES * 3 + 1 + 33);
	pr_release(&pr);
	converted_release(&made);
}

static void a_program(void **state)
{
	struct converted made;
	struct pr pr;

	(void)state;
	converted(TRACE_STARTED, 40, &of_program, &made, &pr);
	for (size_t i = 0; i < pr.n; i++) {
		bool second = pr.items[i].address == 0xffff888000001008;

		assert_string_equal(pr.items[i].object, "/bin/x");
		assert_string_equal(pr.items[i].comm, second ? "x" : "worker");
		assert_int_equal(pr.items[i].mode, MODE_USER);
	}
	assert_int_equal(pr.n, 83);
	pr_release(&pr);
	converted_release(&made);
}

static void same_bytes(void **state)
{
	struct converted a, b;
	struct pr pr;

	(void)state;
	converted(TRACE_STARTED, 40, &of_program, &a, &pr);
	pr_release(&pr);
	converted(TRACE_STARTED, 40, &of_program, &b, &pr);
	pr_release(&pr);
	assert_int_equal(a.perf_data.len, b.perf_data.len);
	assert_memory_equal(a.perf_data.s, b.perf_data.s, a.perf_data.len);
	converted_release(&a);
	converted_release(&b);
}

static void every_prefix(void **state)
{
	struct buf bytes = BUF_INIT;
	struct trace trace;
	struct err err;

	(void)state;
	make_trace(TRACE_SYSTEM | TRACE_STARTED, 40, &bytes);
	for (size_t n = 0; n < bytes.len; n++) {
		if (read_trace(bytes.s, n, &err, &trace))
			fail_msg("%zu of %zu bytes are taken", n, bytes.len);
		err_release(&err);
	}
	buf_addc(&bytes, '\0');
	assert_false(read_trace(bytes.s, bytes.len, &err, &trace));
	err_release(&err);
	buf_release(&bytes);
}

/* @offset: of eight bytes in the header, or behind it. */
static void refuses(uint32_t flags, size_t offset, uint64_t value, const char *part)
{
	struct buf bytes = BUF_INIT;
	struct trace trace;
	struct err err;

	make_trace(flags, 40, &bytes);
	memcpy(bytes.s + offset, &value, sizeof value);
	if (read_trace(bytes.s, bytes.len, &err, &trace))
		fail_msg("%llu at %zu is taken", (unsigned long long)value, offset);
	if (!strstr(err.text, part))
		fail_msg("%s", err.text);
	err_release(&err);
	buf_release(&bytes);
}

#define AT(member) offsetof(struct trace_header, member)

static void damage(void **state)
{
	const size_t first = sizeof(struct trace_header);
	const size_t pair = first + 2 * sizeof(struct trace_access);
	const uint32_t flags = TRACE_SYSTEM | TRACE_STARTED;

	(void)state;
	refuses(flags, AT(magic), 1, "no trace");
	refuses(flags, AT(line), 48, "damaged");
	refuses(flags, AT(line), 0, "damaged");
	refuses(flags, AT(naccesses), UINT64_MAX, "damaged");
	refuses(flags, AT(npairs), UINT64_MAX / sizeof(struct trace_pair) + 1, "damaged");
	refuses(flags, AT(nmaps), 1, "damaged");
	refuses(flags, first + offsetof(struct trace_access, last), 1, "damaged");
	refuses(flags, first + offsetof(struct trace_access, loads), UINT64_MAX, "damaged");
	refuses(flags, first + offsetof(struct trace_access, stores), (uint64_t)1 << 36, "damaged");
	refuses(flags, first + offsetof(struct trace_access, cpu), 2, "damaged");
	refuses(flags, pair + offsetof(struct trace_pair, needed), 31, "damaged");
	refuses(TRACE_SYSTEM, AT(quantum), 1, "the start was never passed");
	refuses(flags | TRACE_ONE_THREAD, AT(quantum), 1, "thread=multi");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_are_whole),    cmocka_unit_test(samples_say_who),
		cmocka_unit_test(many_are_sampled), cmocka_unit_test(a_program),
		cmocka_unit_test(same_bytes),       cmocka_unit_test(every_prefix),
		cmocka_unit_test(damage),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
