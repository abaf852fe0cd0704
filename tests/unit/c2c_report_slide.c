/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the kernel of a report was loaded: the votes of its rows, against images that are the one
 * recorded, another, and one of which little is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "perf/report_slide.h"

struct function {
	const char *name;
	uint64_t start, size;
};

struct fake {
	const struct function *functions;
	size_t n;
	uint64_t text, end;
};

static void fake_functions(void *arg, const char *name, bool prefix,
			   void (*found)(void *found_arg, uint64_t start, uint64_t size),
			   void *found_arg)
{
	const struct fake *fake = arg;

	for (size_t i = 0; i < fake->n; i++) {
		const struct function *f = &fake->functions[i];

		if (prefix ? strncmp(f->name, name, strlen(name)) == 0 : !strcmp(f->name, name))
			found(found_arg, f->start, f->size);
	}
}

static bool fake_symbol(void *arg, const char *name, uint64_t *ret)
{
	const struct fake *fake = arg;

	*ret = strcmp(name, "_text") == 0 ? fake->text : fake->end;
	return strcmp(name, "_text") == 0 || strcmp(name, "_end") == 0;
}

static struct perf_image image_of(struct fake *fake, bool is_kernel)
{
	return (struct perf_image){.is_kernel = is_kernel,
				   .path = is_kernel ? "build/vmlinux" : "build/ringd",
				   .symbol = fake_symbol,
				   .functions = fake_functions,
				   .arg = fake};
}

/* Parses a Pareto of one line whose rows are @rows, and asks where @image was. */
static struct report_slide slide_of(const char *rows, const struct perf_image *image)
{
	static const char group[] = "  0  10  20  30  40  0xffff888104c2d640\n";
	struct report_slide slide;
	struct err err = ERR_INIT;
	struct report report;
	struct bytes text;

	text.len = sizeof group - 1 + strlen(rows);
	text.data = xmalloc(text.len + 1);
	snprintf(text.data, text.len + 1, "%s%s", group, rows);
	if (!report_parse("mail", &text, &err, &report))
		fail_msg("%s", err.text);
	assert_int_equal(report.nnotes, 0);
	slide = report_slide(&report, image);
	report_release(&report);
	return slide;
}

#define ROW(code, symbol) "10.00% 10.00% 10.00% 10.00%  0x0  " code "  1 1 1 1  [k] " symbol "\n"

static const struct function kernel_functions[] = {
	{"alpha", 0xffffffff81000100, 0x80},
	{"beta", 0xffffffff812003f0, 0x20},
	{"gamma_long_name_for_a_function", 0xffffffff81345678, 0x200},
	{"twice", 0xffffffff81400000, 0x40},
	{"twice", 0xffffffff81500000, 0x40},
};

static struct fake kernel = {kernel_functions, ARRAY_SIZE(kernel_functions), 0xffffffff81000000,
			     0xffffffff83000000};

static void rows_of_the_image_agree(void **state)
{
	struct perf_image image = image_of(&kernel, true);
	struct report_slide slide;

	(void)state;
	/* Clipped to 26 letters, and a name that is there twice: it votes for both. */
	slide = slide_of(
		ROW("0xffffffff9d000110", "alpha  [kernel.kallsyms]")
			ROW("0xffffffff9d3456ff", "gamma_long_name_for_a_func  [kernel.kallsyms]")
				ROW("0xffffffff9d500001", "twice  [kernel.vmlinux]"),
		&image);
	assert_true(slide.known);
	assert_int_equal(slide.slide, 0x1c000000);
	assert_int_equal(slide.votes, 3);
	assert_int_equal(slide.voters, 3);
	/* No slide at all is one. */
	slide = slide_of(ROW("0xffffffff81000100", "alpha  [kernel.kallsyms]"), &image);
	assert_true(slide.known);
	assert_int_equal(slide.slide, 0);
}

/* The last byte of a function is of it, the next is not. */
static void the_edges_of_a_function(void **state)
{
	struct perf_image image = image_of(&kernel, true);
	struct report_slide slide;

	(void)state;
	slide = slide_of(ROW("0xffffffff9d20040f", "beta  [kernel.kallsyms]"), &image);
	assert_true(slide.known);
	slide = slide_of(ROW("0xffffffff9d200410", "beta  [kernel.kallsyms]"), &image);
	assert_false(slide.known);
	assert_int_equal(slide.voters, 1);
	slide = slide_of(ROW("0xffffffff9d2003ef", "beta  [kernel.kallsyms]"), &image);
	assert_false(slide.known);
}

/* "function+18" as the source gives it exactly, and disagrees with an image where it is elsewhere.
 */
static void a_source_tells_exactly(void **state)
{
	struct perf_image image = image_of(&kernel, true);
	struct report_slide slide;

	(void)state;
	slide = slide_of(ROW("0xffffffff9d000112", "alpha  [kernel.kallsyms]  alpha+18   0"),
			 &image);
	assert_true(slide.known);
	assert_int_equal(slide.slide, 0x1c000000);
	slide = slide_of(ROW("0xffffffff9d000112", "alpha  [kernel.kallsyms]  alpha+19   0"),
			 &image);
	assert_false(slide.known);
	/* 30 bytes may have lost digits: then only the symbol counts. */
	slide = slide_of(ROW("0xffffffff9d345798", "gamma_long_name_for_a_func  [kernel.kallsyms]  "
						   "gamma_long_name_for_a_functi+2   0"),
			 &image);
	assert_int_equal(strlen("gamma_long_name_for_a_functi+2"), 30);
	assert_true(slide.known);
	assert_int_equal(slide.slide, 0x1c000000);
}

static void another_kernel_gets_no_slide(void **state)
{
	struct perf_image image = image_of(&kernel, true);
	struct report_slide slide;

	(void)state;
	/* Each alone would be believed; they disagree. */
	slide = slide_of(ROW("0xffffffff9d000110", "alpha  [kernel.kallsyms]")
				 ROW("0xffffffff9d4003f4", "beta  [kernel.kallsyms]"),
			 &image);
	assert_false(slide.known);
	assert_int_equal(slide.voters, 2);
	/* Two of three agree: that is clear. */
	slide = slide_of(ROW("0xffffffff9d000110", "alpha  [kernel.kallsyms]")
				 ROW("0xffffffff9d2003f4", "beta  [kernel.kallsyms]")
					 ROW("0xffffffff9d999999",
					     "gamma_long_name_for_a_func  [kernel.kallsyms]"),
			 &image);
	assert_true(slide.known);
	assert_int_equal(slide.votes, 2);
	assert_int_equal(slide.voters, 3);
	/* Names that it does not have say nothing. */
	slide = slide_of(ROW("0xffffffff9d000110", "delta  [kernel.kallsyms]"), &image);
	assert_false(slide.known);
	assert_int_equal(slide.voters, 0);
}

/* Modules and programs lie elsewhere. */
static void other_objects_do_not_vote(void **state)
{
	struct perf_image image = image_of(&kernel, true);
	struct report_slide slide;

	(void)state;
	slide = slide_of(
		ROW("0xffffffffc0000110", "alpha  [rdma]") "10.00% 10.00% 10.00% 10.00%  0x8  "
							   "0x401110  1 1 1 1  [.] alpha  ringd\n",
		&image);
	assert_false(slide.known);
	assert_int_equal(slide.voters, 0);
}

static void granules_of_other_machines(void **state)
{
	static const struct function functions[] = {{"alpha", 0xffff800008010100, 0x80}};
	struct fake arm64 = {functions, 1, 0xffff800008000000, 0xffff800009000000};
	struct perf_image image = image_of(&arm64, true);
	struct report_slide slide;

	(void)state;
	slide = slide_of(ROW("0xffffa4b1c3260110", "alpha  [kernel.kallsyms]"), &image);
	assert_true(slide.known);
	assert_int_equal(slide.slide, 0xffffa4b1c3260110 - 0xffff800008010110);
}

static void a_program_by_pages(void **state)
{
	static const struct function functions[] = {{"push", 0x1150, 0x60}, {"pop", 0x2250, 0x60}};
	struct fake fake = {functions, ARRAY_SIZE(functions), 0, 0};
	struct perf_image image = image_of(&fake, false);
	struct report_slide slide;

	(void)state;
	slide = slide_of(
		"10.00% 10.00% 10.00% 10.00%  0x0  0x55d01f3a9160  1 1 1 1  [.] push  ringd\n"
		"10.00% 10.00% 10.00% 10.00%  0x8  0x55d01f3aa29f  1 1 1 1  [.] pop  ringd\n"
		"10.00% 10.00% 10.00% 10.00%  0x8  0x7ff01f3aa29f  1 1 1 1  [.] pop  libc.so\n",
		&image);
	assert_true(slide.known);
	assert_int_equal(slide.slide, 0x55d01f3a8000);
	assert_int_equal(slide.voters, 2);
}

/* ---- through the door: what the accesses and the notes say of it ------------------------------
 */

struct seen {
	uint64_t moved, not_moved, variables;
};

static bool see(void *arg, const struct access *access)
{
	struct seen *seen = arg;

	if (access->has_ip && access->has_image_ip) {
		assert_int_equal(access->ip - access->image_ip, 0x1c400000);
		seen->moved++;
	} else if (access->has_ip) {
		seen->not_moved++;
	}
	if (access->has_image_address) {
		assert_int_equal(access->address - access->image_address, 0x1c400000);
		assert_in_range(access->image_address, kernel.text, kernel.end - 1);
		seen->variables++;
	}
	return true;
}

static void read_report(const struct perf_image *image, struct seen *ret, char *ret_note)
{
	struct recording *recording = NULL;
	const struct recording_facts *facts;
	struct err err = ERR_INIT;

	*ret = (struct seen){0};
	*ret_note = 0;
	if (!recording_open("tests/fixtures/c2c/reports/perf6.1-nodes.txt", &err, &recording) ||
	    !recording_read(recording, image, NULL, see, ret, &err))
		fail_msg("%s", err.text);
	facts = recording_facts(recording);
	assert_true(facts->nnotes <= 1);
	assert_int_equal(facts->has_slide, ret->moved > 0);
	if (facts->has_slide)
		assert_int_equal(facts->slide, 0x1c400000);
	if (facts->nnotes)
		snprintf(ret_note, 256, "%s", facts->notes[0]);
	recording_close(recording);
}

static void accesses_and_notes(void **state)
{
	static const struct function same[] = {
		{"ring_lock", 0xffffffff81a18590, 0x60},
		{"ring_unlock", 0xffffffff81a18640, 0x40},
		{"consumer_poll_ring_slow_path", 0xffffffff81374f00, 0x300},
		{"tick_all", 0xffffffff8110f480, 0x80},
	};
	static const struct function moved[] = {
		{"ring_lock", 0xffffffff81a18590, 0x60},
		{"ring_unlock", 0xffffffff81a18640, 0x40},
		{"consumer_poll_ring_slow_path", 0xffffffff81374f90, 0x300},
		{"tick_all", 0xffffffff8110f480, 0x80},
	};
	static const struct function other[] = {
		{"ring_lock", 0xffffffff81a19590, 0x60},
		{"ring_unlock", 0xffffffff81a1a640, 0x40},
	};
	struct fake fake = {same, ARRAY_SIZE(same), kernel.text, kernel.end};
	struct perf_image image = image_of(&fake, true);
	struct seen seen;
	char note[256];

	(void)state;
	read_report(&image, &seen, note);
	assert_string_equal(note, "");
	assert_true(seen.moved > 0 && seen.not_moved > 0 && seen.variables > 0);
	fake.functions = moved;
	read_report(&image, &seen, note);
	assert_non_null(strstr(note, "1 of 5 rows name a function that build/vmlinux has "
				     "elsewhere"));
	assert_true(seen.moved > 0);
	fake.functions = other;
	fake.n = ARRAY_SIZE(other);
	read_report(&image, &seen, note);
	assert_non_null(strstr(note, "where build/vmlinux was loaded is not known: at most"));
	assert_int_equal(seen.moved + seen.variables, 0);
	fake.n = 0;
	read_report(&image, &seen, note);
	assert_non_null(strstr(note, "no row names a function of it"));
	assert_int_equal(seen.moved + seen.variables, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_the_image_agree),
		cmocka_unit_test(the_edges_of_a_function),
		cmocka_unit_test(a_source_tells_exactly),
		cmocka_unit_test(another_kernel_gets_no_slide),
		cmocka_unit_test(other_objects_do_not_vote),
		cmocka_unit_test(granules_of_other_machines),
		cmocka_unit_test(a_program_by_pages),
		cmocka_unit_test(accesses_and_notes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("c2c_report_slide", tests, NULL, NULL);
}
