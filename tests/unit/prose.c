/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How wide text is, and how reasons are broken into lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/columns.h"
#include "base/mem.h"
#include "report/text.h"

static void test_columns(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
	} cases[] = {
		{"", 0},
		{"plain", 5},
		{"\xc3\xa9", 1},                 /* U+00E9 */
		{"e\xcc\x81", 1},                /* with U+0301, a combining acute accent */
		{"\xe8\xa1\xa8\xe7\xa4\xba", 4}, /* two ideographs */
		{"\xef\xbc\xa1", 2},             /* U+FF21, fullwidth */
		{"\xef\xbd\xa1", 1},             /* U+FF61, halfwidth */
		{"\xf0\x9f\x90\xa7", 2},         /* U+1F427 */
		{"\xff", 1},                     /* no UTF-8, were it not escaped */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(columns_of(cases[i].text, strlen(cases[i].text)),
				 cases[i].columns);
	assert_int_equal(columns_of("ab", 1), 1);
}

static void assert_prose(size_t width, const char *text, const char *wanted)
{
	const struct report_style style = {.width = width};
	struct buf out = BUF_INIT;

	add_prose(&out, &style, "why: ", 5, text);
	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

static void test_prose(void **state)
{
	static const char hundred[] = "1234567890123456789012345678901234567890123456789"
				      " 123456789012345678901234567890123456789012345";

	(void)state;
	assert_prose(15, "1234 6789 1234", "why: 1234 6789\n     1234\n");
	assert_prose(15, "1234 67890 1234", "why: 1234 67890\n     1234\n");
	assert_prose(15, "1234 678901 1234", "why: 1234\n     678901\n     1234\n");
	/* Blanks of any kind are one, and none ends a line. */
	assert_prose(15, "  12\n\n34\t6 \n", "why: 12 34 6\n");
	/* A word that fits no line has one of its own. */
	assert_prose(10, "a 1234567890 b", "why: a\n     1234567890\n     b\n");
	/* Columns, not bytes. */
	assert_prose(14, "\xe8\xa1\xa8 \xe8\xa1\xa8 \xe8\xa1\xa8 \xe8\xa1\xa8",
		     "why: \xe8\xa1\xa8 \xe8\xa1\xa8 \xe8\xa1\xa8\n     \xe8\xa1\xa8\n");
	/* As it is shown: escaped. */
	assert_prose(15, "a\x1b z 4567", "why: a\\x1b z\n     4567\n");
	/* Without a terminal. */
	assert_prose(0, hundred,
		     "why: 1234567890123456789012345678901234567890123456789"
		     " 123456789012345678901234567890123456789012345\n");
	assert_prose(0,
		     "1234567890123456789012345678901234567890123456789"
		     " 1234567890123456789012345678901234567890123456",
		     "why: 1234567890123456789012345678901234567890123456789\n"
		     "     1234567890123456789012345678901234567890123456\n");
	assert_prose(0, "", "why: \n");
}

static void test_waiver(void **state)
{
	const struct report_style style = {.width = 40};
	const struct waiver waiver = {.why = "it moves in the next cycle",
				      .owner = "mm@example.org",
				      .until = "2026-12-31",
				      .pos = {"w.yaml", 3, 5}};
	struct buf out = BUF_INIT;

	(void)state;
	add_waiver_lines(&out, &style, &waiver, true);
	assert_string_equal(out.s, "    waived until 2026-12-31 by\n"
				   "        mm@example.org: it moves in the\n"
				   "        next cycle (w.yaml:3)\n");
	out.len = 0;
	add_waiver_lines(&out, &(struct report_style){0},
			 &(struct waiver){.why = "so be it", .pos = {"w.yaml", 4, 5}}, false);
	assert_string_equal(out.s, "    was waived, which has expired: so be it (w.yaml:4)\n");
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_prose),
		cmocka_unit_test(test_waiver),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
