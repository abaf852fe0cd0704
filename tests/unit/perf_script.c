/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of perf script, with any fields, and the window that all recordings pass through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/perf_writer.h"
#include "perf/script_line.h"

/* As perf 6.1 prints a HITM load and a locked store; perf cuts the text where it is long. */
#define LOAD  "10669800842 |OP LOAD|LVL L3 or L3 hit|SNP HitM|TLB L1 or L2 hit|LCK N/A|BLK  N/A  "
#define STORE "1004a080144 |OP STORE|LVL L1 hit|SNP N/A|TLB L2 hit|LCK Yes|BLK  N/A   "
#define CUT                                                                                        \
	"12669808042 |OP LOAD|LVL Remote Remote Cache (1 hop) or L3 hit|SNP HitM|TLB L1 or L2 "    \
	"hit|LCK N"

static bool read_text(const char *text, const struct perf_image *image, struct pr *ret)
{
	struct buf bytes = BUF_INIT;
	bool ok;

	buf_adds(&bytes, text);
	ok = pr_read(&bytes, image, ret);
	buf_release(&bytes);
	return ok;
}

struct want {
	const char *text; /* two lines at least, since one may not tell */
	uint64_t address, ip, weight, physical, time;
	int32_t pid, tid, cpu;
	const char *comm, *symbol, *object;
};

static const struct want wants[] = {
	/* all that can be asked for */
	{"  my threads  1000/1001  [003]   100.000001000:   7 cpu/mem-loads,ldlat=30/P: "
	 "ffff888101a40078  " LOAD "   330   337 ffffffff81103021 rwsem_spin_on_owner+0x51 "
	 "([kernel.kallsyms])       101a40078\n",
	 0xffff888101a40078, 0xffffffff81103021, 330, 0x101a40078, 100000001000, 1000, 1001, 3,
	 "my threads", "rwsem_spin_on_owner", "[kernel.kallsyms]"},
	/* the text is cut inside of a word */
	{"x  1/2 [007]   5.000002: m: ffff888101a40078     " CUT "   610 ffffffff81103021 f+0x1 "
	 "([kernel.kallsyms])\n",
	 0xffff888101a40078, 0xffffffff81103021, 610, 0, 5000002000, 1, 2, 7, "x", "f",
	 "[kernel.kallsyms]"},
	/* microseconds, only the thread's number, no symbol */
	{"dd  1001 [003]   100.000001: e: ffff888101a40078 " LOAD "330 ffffffff81103021 [unknown] "
	 "([kernel.kallsyms])\n",
	 0xffff888101a40078, 0xffffffff81103021, 330, 0, 100000001000, -1, 1001, 3, "dd", NULL,
	 "[kernel.kallsyms]"},
	/* nothing but the accesses */
	{"ffff888101a40078 " LOAD "\n", 0xffff888101a40078, 0, 0, 0, 0, -1, -1, -1, NULL, NULL,
	 NULL},
	/* an address that could be a weight, told by the other lines */
	{"e: 4c0368 " LOAD "  417872\n"
	 "e: 4c0368 " LOAD "  41787f\n",
	 0x4c0368, 0x417872, 0, 0, 0, -1, -1, -1, NULL, NULL, NULL},
	/* weight and address of the code, both of digits alone */
	{"e: 4c0368 " LOAD " 12 4178720000\n", 0x4c0368, 0x4178720000, 12, 0, 0, -1, -1, -1, NULL,
	 NULL, NULL},
	/* C++, and a file that was deleted */
	{"x 1/1 e: 4c0368 " LOAD " 12 41787200 ns::f(int, long) const+0x10 (/bin/a b (deleted))\n",
	 0x4c0368, 0x41787200, 12, 0, 0, 1, 1, -1, "x", "ns::f(int, long) const",
	 "/bin/a b (deleted)"},
	{"x 1/1 e: 4c0368 " LOAD " 12 41787200 operator|(a, b)+0x10 (/bin/x)\n", 0x4c0368,
	 0x41787200, 12, 0, 0, 1, 1, -1, "x", "operator|(a, b)", "/bin/x"},
	/* physical address behind the code, without names */
	{"e: 4c0368 " LOAD " 12 41787200     101a40078\n", 0x4c0368, 0x41787200, 12, 0x101a40078, 0,
	 -1, -1, -1, NULL, NULL, NULL},
	/* a call chain: the code is on the next line */
	{"x 10/11 [000] 1.000000: e: 4c0368 " LOAD "   33\n"
	 "\tffffffff81103021 f+0x51 ([kernel.kallsyms])\n"
	 "\tffffffff81a03f20 g+0x30 ([kernel.kallsyms])\n\n",
	 0x4c0368, 0xffffffff81103021, 33, 0, 1000000000, 10, 11, 0, "x", "f", "[kernel.kallsyms]"},
};

static void same_string(const char *got, const char *want, size_t i)
{
	if (!got != !want || (got && strcmp(got, want) != 0))
		fail_msg("%zu: %s, not %s", i, got, want);
}

static void any_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wants); i++) {
		const struct want *want = &wants[i];
		const struct access *access;
		struct pr pr;

		if (!read_text(want->text, NULL, &pr) || pr.n == 0)
			fail_msg("%zu: %s", i, pr.err.text);
		access = &pr.items[0];
		if (access->address != want->address || access->ip != want->ip ||
		    access->weight != want->weight || access->physical != want->physical ||
		    access->time != want->time || access->pid != want->pid ||
		    access->tid != want->tid || access->cpu != want->cpu)
			fail_msg("%zu: address %llx ip %llx weight %llu physical %llx time %llu "
				 "%d/%d [%d]",
				 i, (unsigned long long)access->address,
				 (unsigned long long)access->ip, (unsigned long long)access->weight,
				 (unsigned long long)access->physical,
				 (unsigned long long)access->time, access->pid, access->tid,
				 access->cpu);
		same_string(access->comm, want->comm, i);
		same_string(access->symbol, want->symbol, i);
		same_string(access->object, want->object, i);
		assert_int_equal(access->op, ACCESS_LOAD);
		assert_true(access->hit == HIT_LOCAL_HITM || access->hit == HIT_REMOTE_HITM);
		assert_int_equal(pr.facts->kind, RECORDING_SCRIPT);
		pr_release(&pr);
	}
}

static void loads_stores_and_other_lines(void **state)
{
	struct pr pr;

	(void)state;
	assert_true(read_text("# ========\n"
			      "# os release : 6.1.0-57\n"
			      "# perf version : 6.1.187\n"
			      "# arch : x86_64\n"
			      "# nrcpus avail : 16\n"
			      "# cmdline : /usr/bin/perf c2c record\n"
			      "# ========\n"
			      "#\n"
			      "x 1/1 [000] 1.0: cycles: 12 ffffffff81103021 f (x)\n"
			      "x 1/1 [000] 1.000000: e: ffff888101a40078 " LOAD " 330\r\n"
			      "y 1/1 [001] 1.000000: e: 0 " STORE " 0",
			      NULL, &pr));
	assert_string_equal(pr.facts->release, "6.1.0-57");
	assert_string_equal(pr.facts->perf_version, "6.1.187");
	assert_string_equal(pr.facts->arch, "x86_64");
	assert_string_equal(pr.facts->cmdline, "/usr/bin/perf c2c record");
	assert_int_equal(pr.facts->cpus, 16);
	assert_int_equal(pr.n, 2);
	assert_int_equal(pr.items[0].weight, 330);
	assert_int_equal(pr.items[1].op, ACCESS_STORE);
	assert_true(pr.items[1].locked);
	assert_false(pr.items[1].has_address);
	assert_int_equal(pr.facts->no_address, 1);
	assert_true(pr.facts->has_cpus_of_accesses);
	pr_release(&pr);
}

/* ---- the image */

static bool a_symbol(void *arg, const char *name, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t address;
	} symbols[] = {{"_text", 0xffffffff81000000},
		       {"_end", 0xffffffff84000000},
		       {"f", 0xffffffff81103000},
		       {"twice", 0xffffffff81200010},
		       {"main", 0x1200}};

	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (strcmp(symbols[i].name, name) == 0) {
			*ret = symbols[i].address;
			return true;
		}
	return false;
}

static void slide_by_votes_of_functions(void **state)
{
	static const struct perf_image vmlinux = {.is_kernel = true, .symbol = a_symbol};
	struct pr pr;

	(void)state;
	assert_true(read_text("e: ffffffff9d000000 " LOAD " 1 ffffffff9bf03021 f+0x21 (k)\n"
			      "e: ffffffff9d000000 " LOAD " 1 ffffffff9bf09021 twice+0x11 (k)\n"
			      "e: ffffffff9d000000 " LOAD " 1 ffffffff9bf03029 f+0x29 (k)\n",
			      &vmlinux, &pr));
	assert_true(pr.facts->has_slide);
	assert_int_equal(pr.facts->slide, 0x1ae00000);
	assert_int_equal(pr.items[0].image_ip, 0xffffffff81103021);
	assert_int_equal(pr.items[0].image_address, 0xffffffff82200000);
	pr_release(&pr);
}

static void slide_of_a_map(void **state)
{
	static const struct perf_image vmlinux = {.is_kernel = true, .symbol = a_symbol};
	struct pr pr;

	(void)state;
	assert_true(read_text("swapper 0 [000] 0.000000: PERF_RECORD_MMAP -1/0: "
			      "[0xffffffff9be00000(0xe01ef2) @ 0xffffffff9be00000]: x "
			      "[kernel.kallsyms]_text\n"
			      "x 7/7 [000] 0.000000: PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 "
			      "<0011>]: r-xs /bin/my x\n"
			      "e: ffffffff9d000000 " LOAD " 1 ffffffff9bf03021\n"
			      "x 7/7 e: 400010 " LOAD " 1 400020\n",
			      &vmlinux, &pr));
	assert_true(pr.facts->has_slide);
	assert_int_equal(pr.facts->slide, 0x1ae00000);
	assert_string_equal(pr.items[0].object, "[kernel.kallsyms]");
	assert_string_equal(pr.items[1].object, "/bin/my x");
	assert_true(pr.items[1].is_shared);
	pr_release(&pr);
}

static void shared_elsewhere(void **state)
{
	struct pr pr;

	(void)state;
	assert_true(read_text("x 7/7 [000] 0.000000: PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 "
			      "00:1a 77 1]: rw-s /dev/shm/x\n"
			      "y 8/8 [000] 0.000000: PERF_RECORD_MMAP2 8/8: [0x500000(0x1000) @ 0 "
			      "00:1a 77 1]: rw-s /dev/shm/x\n"
			      "y 8/8 [000] 0.000000: PERF_RECORD_MMAP2 8/8: [0x600000(0x1000) @ 0 "
			      "00:1a 78 1]: rw-s /dev/shm/x\n"
			      "y 8/8 e: 500010 " LOAD " 1 400020\n"
			      "y 8/8 e: 600010 " LOAD " 1 400020\n",
			      NULL, &pr));
	assert_int_equal(pr.items[0].shared_pid, 7);
	assert_int_equal(pr.items[0].shared_address, 0x400010);
	assert_int_equal(pr.items[1].shared_pid, 8);
	assert_int_equal(pr.items[1].shared_address, 0x600010);
	pr_release(&pr);
}

static void a_program_by_names(void **state)
{
	static const struct perf_image program = {
		.path = "./x", .symbol = a_symbol, .start = 0, .end = 0x6000};
	struct pr pr;

	(void)state;
	assert_true(read_text("e: 555555405000 " LOAD " 1 555555401210 main+0x10 (/bin/x)\n"
			      "e: 555555405000 " LOAD " 1 555555401210 main+0x10 (/bin/y)\n"
			      "e: 555555405000 " LOAD " 1 555555401214 main+0x10 (/bin/x)\n",
			      &program, &pr));
	assert_true(pr.items[0].has_image_ip);
	assert_int_equal(pr.items[0].image_ip, 0x1210);
	assert_true(pr.items[0].has_image_address);
	assert_int_equal(pr.items[0].image_address, 0x5000);
	assert_false(pr.items[1].has_image_ip); /* another file */
	assert_false(pr.items[2].has_image_ip); /* another function of that name */
	pr_release(&pr);
}

/* ---- damage */

static void every_prefix_and_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wants); i++) {
		size_t len = strlen(wants[i].text);
		struct script_shape shape = {1, true};
		struct script_line line = {0};

		for (size_t n = 0; n <= len; n++) {
			/* Of just that size, so that a sanitizer sees the first byte behind. */
			char *copy = malloc(n + 1);

			assert_non_null(copy);
			memcpy(copy, wants[i].text, n);
			copy[n] = 0;
			(void)script_read_line(copy, &shape, &line);
			(void)script_read_chain(copy, &line);
			(void)script_find_shape(copy, n);
			for (const char *c = n > 0 && n < len ? " |(+:/[\t0f" : ""; *c; c++) {
				copy[n / 2] = *c;
				(void)script_read_line(copy, &shape, &line);
			}
			free(copy);
		}
	}
}

static void a_line_without_end(void **state)
{
	struct buf bytes = BUF_INIT;
	struct pr pr;

	(void)state;
	buf_adds(&bytes, "e: 4c0368 " LOAD " 1 400020\n");
	buf_pad(&bytes, 'x', INPUT_LINE_MAX + 2);
	assert_false(pr_read(&bytes, NULL, &pr));
	assert_non_null(strstr(pr.err.text, "a line of more than 1048576 bytes"));
	pr_release(&pr);
	buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_fields),
		cmocka_unit_test(loads_stores_and_other_lines),
		cmocka_unit_test(slide_by_votes_of_functions),
		cmocka_unit_test(slide_of_a_map),
		cmocka_unit_test(shared_elsewhere),
		cmocka_unit_test(a_program_by_names),
		cmocka_unit_test(every_prefix_and_byte),
		cmocka_unit_test(a_line_without_end),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
