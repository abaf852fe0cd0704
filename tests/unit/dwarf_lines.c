/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where definitions are declared: file tables of every version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dwarf/locate.h"
#include "lib/dwarf.h"

enum { DIR = 1, FILE_3 = 3 };

/* A struct of no members, declared at line 7 of file @file; @comp_dir: where the compiler ran. */
static struct dw *declared(unsigned version, bool big, bool wide, unsigned file,
			   const char *comp_dir)
{
	struct dw *dw = dw_new(version, 8, big);

	dw->wide = wide;
	dw_unit(dw, DW_UT_compile);
	dw_die(dw, DW_TAG_compile_unit, true, DW_AT_stmt_list,
	       version >= 4 ? DW_FORM_sec_offset : DW_FORM_data4, 0, DW_AT_comp_dir, DW_FORM_string,
	       comp_dir, DW_END);
	dw_die(dw, DW_TAG_structure_type, false, DW_NAME("s"), DW_SIZE(0), DW_AT_decl_file,
	       DW_FORM_data1, file, DW_AT_decl_line, DW_FORM_implicit_const, UINT64_C(7), DW_END);
	dw_finish(dw);
	return dw;
}

static void expect_file(struct dw *dw, const char *file)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, file ? "struct s 0 %s:7 cus 1\n" : "struct s 0 cus 1\n", file);
	dw_expect(dw, NULL, text.s);
	buf_release(&text);
	dw_free(dw);
}

static void lines_of_every_version(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 5; version++)
		for (unsigned kind = 0; kind < 4; kind++) {
			struct dw *dw = declared(version, kind & 1, false, 1, "/build");

			dw->wide = kind & 2;
			dw_line_table(dw, "/build", "./include/linux", "s.h");
			expect_file(dw, "include/linux/s.h");
		}
}

/* A unit of one version may have a table of another. */
static void old_table_of_a_new_unit(void **state)
{
	struct dw *dw = declared(5, false, false, 1, "/build");

	(void)state;
	dw->version = 4;
	dw_line_table(dw, "/build", "dir", "s.h");
	expect_file(dw, "dir/s.h");
}

static void directories(void **state)
{
	static const struct {
		const char *comp_dir, *dir, *name, *expected;
	} cases[] = {
		{"/build", "/build/include", "s.h", "include/s.h"},
		{"/build/", "/build/./include//linux", "./s.h", "include/linux/s.h"},
		{"/build", "/builder/include", "s.h", "/builder/include/s.h"},
		{"/build", "/usr/include", "s.h", "/usr/include/s.h"},
		{"/build", "../include", "s.h", "../include/s.h"},
		{"/build", "/build", "s.h", "s.h"},
		{"debian/build", "include", "/abs/s.h", "/abs/s.h"},
		{"/", "/include", "s.h", "/include/s.h"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (unsigned version = 4; version <= 5; version++) {
			struct dw *dw = declared(version, false, false, 1, cases[i].comp_dir);

			dw_line_table(dw, cases[i].comp_dir, cases[i].dir, cases[i].name);
			expect_file(dw, cases[i].expected);
		}
}

/* File 0 is nothing before version 5, and there the unit itself. */
static void file_zero(void **state)
{
	struct dw *dw = declared(4, false, false, 0, "/build");

	(void)state;
	dw_line_table(dw, "/build", "include", "s.h");
	expect_file(dw, NULL);
	dw = declared(5, false, false, 0, "/build");
	dw_line_table(dw, "/build", "include", "s.h");
	expect_file(dw, "unit.c");
}

static void no_tables(void **state)
{
	(void)state;
	expect_file(declared(5, false, false, 1, "/build"), NULL);
}

static void refused(struct dw *dw, const char *part)
{
	dw_refuse(dw, NULL, part);
	dw_free(dw);
}

static void damaged_tables(void **state)
{
	struct dw *dw = declared(5, false, false, FILE_3, "/build");

	(void)state;
	dw_line_table(dw, "/build", "include", "s.h");
	refused(dw, ".debug_line+0x0: ");

	dw = declared(4, false, false, 1, "/build");
	dw_line_table(dw, "/build", "include", "s.h");
	dw->line.s[0]++;
	refused(dw, ".debug_line+0x0: the line table runs past its end");

	dw = declared(4, false, false, 1, "/build");
	dw_line_table(dw, "/build", "include", "s.h");
	dw->line.s[6]++; /* header_length */
	refused(dw, ".debug_line+0x0: the line table runs past its end");

	dw = declared(4, false, false, 1, "/build");
	dw_line_table(dw, "/build", "include", "s.h");
	dw->line.s[4] = 9; /* version */
	refused(dw, ".debug_line+0x0: ");

	dw = declared(5, false, false, 1, "/build");
	dw_line_table(dw, "/build", "include", "s.h");
	dw->line_str.len = 1;
	refused(dw, ".debug_line_str: the last string has no end");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_every_version),
		cmocka_unit_test(old_table_of_a_new_unit),
		cmocka_unit_test(directories),
		cmocka_unit_test(file_zero),
		cmocka_unit_test(no_tables),
		cmocka_unit_test(damaged_tables),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
