/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the addresses of a perf.data lie: maps and threads in the order of time, and the image. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "lib/perf_writer.h"

#define DATA_SRC_HITM  (UINT64_C(0x10669800842)) /* a load, L3, HITM */
#define DATA_SRC_STORE (UINT64_C(0x1004a080144)) /* a store, L1, locked */

enum { LOAD_ID = 101 };

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

/* ---- maps */

static size_t begin(struct pw *pw)
{
	return pw_event(pw, usual, LOAD_ID, "loads");
}

static void sample_at(struct pw *pw, size_t event, int32_t pid, uint64_t ip, uint64_t time)
{
	struct sample sample = a_load;

	sample.ip = ip;
	sample.pid = sample.tid = pid;
	sample.time = time;
	pw_sample(pw, event, ip >> 63 ? MISC_KERNEL : MISC_USER, &sample);
}

static void expect_objects(struct pw *pw, const char *const *objects, size_t n)
{
	struct buf bytes = BUF_INIT;
	struct pr pr;

	pw_finish(pw, &bytes);
	assert_true(pr_read(&bytes, NULL, &pr));
	assert_int_equal(pr.n, n);
	for (size_t i = 0; i < n; i++) {
		const char *object = pr.items[i].object   ? pr.items[i].object
				     : pr.items[i].symbol ? pr.items[i].symbol
							  : "-";

		if (strcmp(object, objects[i]) != 0)
			fail_msg("%zu: %s, not %s", i, object, objects[i]);
	}
	pr_release(&pr);
	buf_release(&bytes);
}

static void maps_hold_from_their_time_on(void **state)
{
	static const char *const objects[] = {"/old", "/new", "/old", "/middle", "/new", "-"};
	struct pw pw = {0};
	size_t event = begin(&pw);

	(void)state;
	pw_mmap(&pw, 5, 0x1000, 0x3000, 0, "/old", 10);
	sample_at(&pw, event, 5, 0x2000, 20);
	sample_at(&pw, event, 5, 0x2000, 40); /* of another processor: the map comes later */
	sample_at(&pw, event, 5, 0x2000, 29);
	pw_mmap(&pw, 5, 0x2000, 0x1000, 0, "/new", 35);
	pw_mmap(&pw, 5, 0x1800, 0x1000, 0, "/middle", 30);
	pw_round(&pw);
	sample_at(&pw, event, 5, 0x2000, 31);
	sample_at(&pw, event, 5, 0x2000, 99);
	sample_at(&pw, event, 5, 0x2000, 9);
	expect_objects(&pw, objects, ARRAY_SIZE(objects));
}

static void forks_and_execs(void **state)
{
	static const char *const objects[] = {"/a", "/b", "-", "/c", "-", "/a", "-"};
	struct pw pw = {0};
	size_t event = begin(&pw);

	(void)state;
	pw_mmap(&pw, 5, 0x1000, 0x1000, 0, "/a", 10);
	pw_fork(&pw, 6, 5, 6, 5, 20);
	pw_mmap(&pw, 5, 0x1000, 0x1000, 0, "/b", 30); /* after the child has begun */
	sample_at(&pw, event, 6, 0x1000, 40);
	sample_at(&pw, event, 5, 0x1000, 40);
	pw_comm(&pw, 6, 6, "other", true, 50);
	sample_at(&pw, event, 6, 0x1000, 55);
	pw_mmap(&pw, 6, 0x1000, 0x1000, 0, "/c", 60);
	sample_at(&pw, event, 6, 0x1000, 65);
	pw_fork(&pw, 6, 99, 6, 99, 70); /* the number is used anew */
	sample_at(&pw, event, 6, 0x1000, 75);
	sample_at(&pw, event, 6, 0x1000, 45);
	pw_fork(&pw, 80, 80, 81, 80, 70); /* a thread */
	pw_fork(&pw, 7, 8, 7, 8, 5);      /* a circle */
	pw_fork(&pw, 8, 7, 8, 7, 5);
	sample_at(&pw, event, 7, 0x1000, 45);
	expect_objects(&pw, objects, ARRAY_SIZE(objects));
}

static void names_of_threads(void **state)
{
	static const struct {
		int32_t tid;
		uint64_t time;
		const char *comm;
	} want[] = {
		{5, 15, "one"}, {5, 25, "two"}, {6, 30, "two"}, {6, 45, "three"}, {9, 50, NULL},
	};
	struct buf bytes = BUF_INIT;
	struct pw pw = {0};
	size_t event = begin(&pw);
	struct pr pr;

	(void)state;
	pw_comm(&pw, 5, 5, "one", false, 10);
	pw_comm(&pw, 5, 5, "two", false, 20);
	pw_fork(&pw, 5, 5, 6, 5, 28);
	pw_comm(&pw, 5, 5, "late", false, 60);
	pw_comm(&pw, 5, 6, "three", false, 40);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		sample_at(&pw, event, want[i].tid, 0x1000, want[i].time);
	pw_finish(&pw, &bytes);
	assert_true(pr_read(&bytes, NULL, &pr));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		if (want[i].comm)
			assert_string_equal(pr.items[i].comm, want[i].comm);
		else
			assert_null(pr.items[i].comm);
	pr_release(&pr);
	buf_release(&bytes);
}

static void modules_and_symbols(void **state)
{
	static const char *const objects[] = {"[nf_tables]", "bpf_prog_1", "-", "[kernel.kallsyms]",
					      "[kernel.kallsyms]"};
	struct pw pw = {0};
	size_t event = begin(&pw);

	(void)state;
	pw_mmap(&pw, MAPS_KERNEL, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		"[kernel.kallsyms]_text", 0);
	pw_mmap(&pw, MAPS_KERNEL, 0xffffffffc0200000, 0x4000, 0, "[nf_tables]", 0);
	pw_ksymbol(&pw, 0xffffffffc0300000, 0x100, false, "bpf_prog_1", 10);
	pw_ksymbol(&pw, 0xffffffffc0300000, 0x100, true, "bpf_prog_1", 30);
	sample_at(&pw, event, 5, 0xffffffffc0200010, 20);
	sample_at(&pw, event, 5, 0xffffffffc03000ff, 20);
	sample_at(&pw, event, 5, 0xffffffffc03000ff, 40);
	sample_at(&pw, event, 5, 0xffffffff81000000, 40);
	sample_at(&pw, event, 5, 0xffffffff81ffffff, 40);
	expect_objects(&pw, objects, ARRAY_SIZE(objects));
}

/* ---- the image that is asked about */

static const uint8_t id_a[20] = {1, 2, 3, 4}, id_b[20] = {9, 9};

static bool a_symbol(void *arg, const char *name, uint64_t *ret)
{
	(void)arg;
	*ret = 0xffffffff81000000;
	if (strcmp(name, "_end") == 0)
		*ret += 0x3000000;
	return strcmp(name, "_text") == 0 || strcmp(name, "_end") == 0;
}

/* A program linked to 0: text of 0x1000..0x2000, data at 0x4000 from offset 0x3000. */
static bool of_offset(void *arg, uint64_t offset, uint64_t *ret)
{
	(void)arg;
	if (offset < 0x2000)
		*ret = offset;
	else if (offset >= 0x3000 && offset < 0x3100)
		*ret = offset + 0x1000;
	else
		return false;
	return true;
}

static const struct perf_image vmlinux = {
	.is_kernel = true, .build_id = id_a, .build_id_size = 20, .symbol = a_symbol};

static const struct perf_image program = {.build_id = id_a,
					  .build_id_size = 20,
					  .path = "/home/me/x",
					  .address_of_offset = of_offset,
					  .start = 0,
					  .end = 0x5000};

static void a_slide(void **state)
{
	struct buf bytes = BUF_INIT;
	struct pw pw = {0};
	size_t event = begin(&pw);
	struct sample sample = a_load;
	struct pr pr;

	(void)state;
	pw_mmap(&pw, MAPS_KERNEL, 0xffffffff9be00000, 0x1000000, 0xffffffff9be00000,
		"[kernel.kallsyms]_text", 0);
	sample.ip = 0xffffffff9be00123;
	sample.address = 0xffffffff9ee00000 - 1;
	pw_sample(&pw, event, MISC_KERNEL, &sample);
	sample.address++;
	sample.ip = 0x401000;
	pw_sample(&pw, event, MISC_USER, &sample);
	pw_build_id(&pw, MISC_KERNEL | 1 << 15, id_a, 20, "[kernel.kallsyms]");
	pw_build_id(&pw, MISC_KERNEL | 1 << 15, id_b, 20, "/lib/modules/6/x.ko");
	pw_finish(&pw, &bytes);
	assert_true(pr_read(&bytes, &vmlinux, &pr));
	assert_true(pr.facts->has_slide);
	assert_int_equal(pr.facts->slide, 0x1ae00000);
	assert_int_equal(pr.facts->build_id, BUILD_ID_SAME);
	assert_string_equal(pr.facts->image_build_id, "0102030400000000000000000000000000000000");
	assert_true(pr.items[0].has_image_ip);
	assert_int_equal(pr.items[0].image_ip, 0xffffffff81000123);
	assert_true(pr.items[0].has_image_address);
	assert_int_equal(pr.items[0].image_address, 0xffffffff83ffffff);
	assert_false(pr.items[1].has_image_ip);
	assert_false(pr.items[1].has_image_address);
	pr_release(&pr);
	buf_release(&bytes);
}

/* kptr_restrict hides the address of the symbol, but not where the map begins. */
static void build_ids_of_kernels(void **state)
{
	static const struct {
		const uint8_t *id;
		uint8_t size;
		bool in_map;
		enum build_id_match match;
	} want[] = {
		{NULL, 0, false, BUILD_ID_UNKNOWN}, {id_a, 20, false, BUILD_ID_SAME},
		{id_a, 16, false, BUILD_ID_SAME},   {id_b, 20, false, BUILD_ID_OTHER},
		{id_a, 20, true, BUILD_ID_SAME},    {id_b, 20, true, BUILD_ID_OTHER},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct buf bytes = BUF_INIT;
		struct pw pw = {.pipe = i & 1};
		size_t event = begin(&pw);
		struct pr pr;

		pw_mmap2(&pw, MAPS_KERNEL, 0xffffffff9be00000, 0x1000000, 0,
			 "[kernel.kallsyms]_text", 0, want[i].in_map ? want[i].id : NULL, false);
		if (want[i].id && !want[i].in_map)
			pw_build_id(&pw, MISC_KERNEL | 1 << 15, want[i].id, want[i].size,
				    "/usr/lib/debug/vmlinux");
		pw_sample(&pw, event, MISC_KERNEL, &a_load);
		pw_finish(&pw, &bytes);
		assert_true(pr_read(&bytes, &vmlinux, &pr));
		assert_int_equal(pr.facts->build_id, want[i].match);
		assert_int_equal(pr.facts->image_build_id[0] != 0, want[i].id != NULL);
		assert_int_equal(pr.facts->slide, 0x1ae00000);
		pr_release(&pr);
		buf_release(&bytes);
	}
}

static void a_program(void **state)
{
	static const struct {
		const char *path;
		const uint8_t *map_id, *id;
		enum build_id_match match;
		bool found;
	} want[] = {
		{"/home/me/x", NULL, NULL, BUILD_ID_UNKNOWN, true},
		{"/bin/x", NULL, NULL, BUILD_ID_UNKNOWN, true},
		{"/bin/y", NULL, NULL, BUILD_ID_UNKNOWN, false},
		{"/bin/y", id_a, NULL, BUILD_ID_SAME, true},
		{"/bin/x", id_b, NULL, BUILD_ID_OTHER, true},
		{"/bin/y", NULL, id_a, BUILD_ID_SAME, true},
		{"/bin/x", NULL, id_b, BUILD_ID_OTHER, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct buf bytes = BUF_INIT;
		struct pw pw = {0};
		size_t event = begin(&pw);
		struct sample sample = a_load;
		struct pr pr;

		pw_mmap2(&pw, 10, 0x555555401000, 0x1000, 0x1000, want[i].path, 0, want[i].map_id,
			 false);
		pw_mmap2(&pw, 10, 0x7fff00000000, 0x1000, 0, "/lib/libc.so", 0, NULL, false);
		if (want[i].id)
			pw_build_id(&pw, MISC_USER | 1 << 15, want[i].id, 20, want[i].path);
		sample.ip = 0x555555401234;
		sample.address = 0x555555404ff8; /* .bss */
		pw_sample(&pw, event, MISC_USER, &sample);
		sample.ip = 0x7fff00000010; /* a library touches the program's data */
		pw_sample(&pw, event, MISC_USER, &sample);
		sample.address = 0x555555405000;
		pw_sample(&pw, event, MISC_USER, &sample);
		pw_finish(&pw, &bytes);
		assert_true(pr_read(&bytes, &program, &pr));
		assert_int_equal(pr.facts->build_id, want[i].match);
		assert_int_equal(pr.items[0].has_image_ip, want[i].found);
		assert_int_equal(pr.items[0].has_image_address, want[i].found);
		assert_int_equal(pr.items[1].has_image_address, want[i].found);
		assert_false(pr.items[1].has_image_ip);
		assert_false(pr.items[2].has_image_address);
		if (want[i].found) {
			assert_int_equal(pr.items[0].image_ip, 0x1234);
			assert_int_equal(pr.items[0].image_address, 0x4ff8);
			assert_int_equal(pr.items[1].image_address, 0x4ff8);
		}
		pr_release(&pr);
		buf_release(&bytes);
	}
}

static void shared_mappings(void **state)
{
	struct buf bytes = BUF_INIT;
	struct pw pw = {0};
	size_t event = begin(&pw);
	struct sample sample = a_store;
	struct pr pr;

	(void)state;
	pw_mmap2(&pw, 10, 0x7f0000001000, 0x1000, 0, "/dev/shm/x", 0, NULL, true);
	pw_mmap2(&pw, 10, 0x7f0000002000, 0x1000, 0, "/x", 0, NULL, false);
	pw_mmap2(&pw, 10, 0x401000, 0x1000, 0, "/x", 0, NULL, false);
	pw_sample(&pw, event, MISC_USER, &sample);
	sample.address += 0x1000;
	pw_sample(&pw, event, MISC_USER, &sample);
	sample.address += 0x1000;
	pw_sample(&pw, event, MISC_USER, &sample);
	pw_finish(&pw, &bytes);
	assert_true(pr_read(&bytes, NULL, &pr));
	assert_true(pr.items[0].is_shared);
	assert_false(pr.items[1].is_shared);
	assert_int_equal(pr.items[1].perf_counts >> PERF_NOMAP & 1, 0);
	assert_int_equal(pr.items[2].perf_counts >> PERF_NOMAP & 1, 1);
	pr_release(&pr);
	buf_release(&bytes);
}

/* One file at two places: both processes' bytes are those of the first. */
static void shared_elsewhere(void **state)
{
	static const uint8_t id[20] = {1, 2, 3};
	static const struct {
		const char *other;
		const uint8_t *build_id;
		bool shared, same;
	} cases[] = {
		{"/dev/shm/x", NULL, true, true},
		{"/dev/shm/y", NULL, true, false},
		{"/dev/shm/x", NULL, false, false},
		{"/dev/shm/x", id, true, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf bytes = BUF_INIT;
		struct pw pw = {0};
		size_t event = begin(&pw);
		struct sample sample = a_store;
		struct pr pr;

		pw_mmap2(&pw, 10, 0x7f0000001000, 0x1000, 0x3000, "/dev/shm/x", 0,
			 cases[i].build_id, true);
		pw_mmap2(&pw, 11, 0x7e0000005000, 0x2000, 0x2000, cases[i].other, 0,
			 cases[i].build_id, cases[i].shared);
		sample.pid = 11;
		sample.address = 0x7e0000006048;
		pw_sample(&pw, event, MISC_USER, &sample);
		sample.address = 0x7e0000005048; /* before what the first one has */
		pw_sample(&pw, event, MISC_USER, &sample);
		pw_finish(&pw, &bytes);
		assert_true(pr_read(&bytes, NULL, &pr));
		assert_int_equal(pr.items[0].is_shared, cases[i].shared);
		assert_int_equal(pr.items[0].is_private, !cases[i].shared);
		if (cases[i].shared) {
			assert_int_equal(pr.items[0].shared_pid, cases[i].same ? 10 : 11);
			assert_int_equal(pr.items[0].shared_address,
					 cases[i].same ? 0x7f0000001048 : 0x7e0000006048);
			assert_int_equal(pr.items[1].shared_pid, 11);
			assert_int_equal(pr.items[1].shared_address, 0x7e0000005048);
		}
		pr_release(&pr);
		buf_release(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_hold_from_their_time_on),
		cmocka_unit_test(forks_and_execs),
		cmocka_unit_test(names_of_threads),
		cmocka_unit_test(modules_and_symbols),
		cmocka_unit_test(a_slide),
		cmocka_unit_test(build_ids_of_kernels),
		cmocka_unit_test(a_program),
		cmocka_unit_test(shared_mappings),
		cmocka_unit_test(shared_elsewhere),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
