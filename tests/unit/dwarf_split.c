/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages and .dwo files that are cut off or damaged: refused or read, whatever their bytes. */
#include "base/mem.h"
#include "dwarf/dwarf.h"
#include "elf_help.h"

static const struct want everything = {.all = true};

static int make_program(void **state)
{
	if (enter_dir(state) != 0)
		return -1;
	write_text("a.c", "struct s { int a; long b; } s; struct t { struct s s; } t;\n"
			  "int _start(void) { return s.a; }\n");
	run("gcc -gdwarf-4 -gsplit-dwarf -fdebug-types-section -nostdlib -static a.c -o four && "
	    "llvm-dwp -e four -o four.whole && mv four-a.dwo four-a.whole");
	run("clang -gdwarf-5 -gsplit-dwarf -nostdlib -static -c a.c -o five.o && "
	    "clang -nostdlib -static five.o -o five && "
	    "llvm-dwp -e five -o five.whole && rm five.dwo");
	return 0;
}

/* The number of definitions, or -1: refused, in one sentence. */
static int definitions(const char *path)
{
	struct err err = ERR_INIT;
	struct image *image = open_image(path, NULL);
	struct layout *layout;
	int n = -1;

	if (dwarf_read(image, &everything, NULL, &err, &layout)) {
		n = (int)layout->ndefs;
		layout_free(layout);
	} else {
		assert_non_null(err.text);
		assert_null(strchr(err.text, '\n'));
	}
	err_release(&err);
	image_close(image);
	return n;
}

/* Every prefix, in steps of a prime number where there is much, and the whole with each of its
 * bytes changed. */
static void damage(const char *program, const char *whole, const char *as)
{
	struct err err = ERR_INIT;
	struct bytes bytes;
	int read = 0;

	assert_true(file_read(whole, 1 << 20, &err, &bytes));
	write_file(as, bytes.data, bytes.len);
	assert_int_equal(definitions(program), 2);
	for (size_t len = 0; len < bytes.len; len += 1 + len / 512) {
		write_file(as, bytes.data, len);
		read += definitions(program) == 2;
	}
	/* The section headers are at the end, and without them there is no file. */
	assert_in_range(read, 0, 8);
	for (size_t i = 0; i < bytes.len; i += 3) {
		bytes.data[i] ^= 0x41;
		write_file(as, bytes.data, bytes.len);
		(void)definitions(program);
		bytes.data[i] ^= 0x41;
	}
	remove(as);
	bytes_release(&bytes);
}

static void test_package_4(void **state)
{
	(void)state;
	damage("four", "four.whole", "four.dwp");
}

static void test_package_5(void **state)
{
	(void)state;
	damage("five", "five.whole", "five.dwp");
}

static void test_dwo(void **state)
{
	(void)state;
	damage("four", "four-a.whole", "four-a.dwo");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_package_4),
		cmocka_unit_test(test_package_5),
		cmocka_unit_test(test_dwo),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_program, leave_dir);
}
