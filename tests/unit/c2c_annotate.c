/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report with one column more: all else byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "lib/scratch.h"
#include "perf/annotate.h"

static char cells[64][64];
static size_t ncells;

static const char *cell_of(void *arg, const struct annotate_row *row)
{
	(void)arg;
	if (row->code == 0xffffffffc09a1044)
		return NULL;
	assert_true(ncells < ARRAY_SIZE(cells));
	snprintf(cells[ncells], sizeof cells[0], "<%llx+%llu>", (unsigned long long)row->line,
		 (unsigned long long)row->offset);
	return cells[ncells++];
}

static void annotate(const char *path, struct buf *out)
{
	struct recording *recording = NULL;
	struct err err = ERR_INIT;

	ncells = 0;
	if (!recording_open(path, &err, &recording) ||
	    !annotate_report(recording, "Member", cell_of, NULL, &err, out))
		fail_msg("%s", err.text);
	recording_close(recording);
}

static void whole(const char *text, const char *want)
{
	struct buf out = BUF_INIT;

	scratch_write("report.txt", text);
	annotate(scratch_path("report.txt"), &out);
	assert_string_equal(out.s, want);
	buf_release(&out);
}

#define ROW0 "1.00% 2.00% 3.00% 4.00% 0x0 0x10 7 8 9 44 5  [.] f  prog  0"
#define ROW8 "1.00% 2.00% 3.00% 4.00% 0x8 0xffffffffc09a1044 7 8 9 44 5  [k] g  [m]  0"

static void short_texts(void **state)
{
	(void)state;
	/* Cells stand below each other, behind the longest row; no newline is added at the end. */
	whole("hot:\n0 1 2 3 4 0x1000\n" ROW0 "\n\n" ROW8 "\nthat is all",
	      "hot:\n0 1 2 3 4 0x1000\n" ROW0 "               <1000+0>\n\n" ROW8
	      "  -\nthat is all");
	/* Quoted, with the line ends of a mail. */
	whole("> 0 1 2 3 4 0x1000\r\n> " ROW0 "\r\n>\r\n",
	      "> 0 1 2 3 4 0x1000\r\n> " ROW0 "  <1000+0>\r\n>\r\n");
	/* Headings have a title, and dots as wide as the widest cell. */
	whole("# Num Offset\n# ... ......\n0 1 2 3 4 0x1000\n" ROW0,
	      "# Num Offset                                                 Member\n"
	      "# ... ......                                                 ........\n"
	      "0 1 2 3 4 0x1000\n" ROW0 "  <1000+0>");
	/* In two pieces: behind the last. */
	whole("0 1 2 3 4 0x1000\n1.00% 2.00% 3.00% 4.00% 0x0 0x10 7 8 9\n44 5  [.] f  prog  0\n",
	      "0 1 2 3 4 0x1000\n1.00% 2.00% 3.00% 4.00% 0x0 0x10 7 8 9\n"
	      "44 5  [.] f  prog  0  <1000+0>\n");
}

static bool is_row(const char *line)
{
	return strstr(line, "%  ") && strstr(line, "0x") && !strstr(line, "0xffff888104c2d640");
}

/* Each line of the report is the beginning of the same line of what comes out. */
static void a_whole_report(void **state)
{
	static const char *const paths[] = {
		"tests/fixtures/c2c/reports/perf5.13.txt",
		"tests/fixtures/c2c/reports/perf5.5-callgraph.txt",
		"tests/fixtures/c2c/reports/perf6.1-tid.txt",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct err err = ERR_INIT;
		struct buf out = BUF_INIT;
		struct bytes text;
		char *in_next, *out_next;
		size_t rows = 0, titles = 0;

		if (!file_read(paths[i], 1 << 20, &err, &text))
			fail_msg("%s", err.text);
		annotate(paths[i], &out);
		in_next = text.data;
		out_next = out.s;
		while (in_next) {
			const char *a = strsep(&in_next, "\n"), *b = strsep(&out_next, "\n");

			assert_non_null(b);
			assert_int_equal(strncmp(a, b, strlen(a)), 0);
			if (strlen(a) == strlen(b))
				continue;
			rows += strchr(b, '<') && is_row(a);
			titles += strstr(b, "  Member") != NULL;
		}
		/* One row is of a module, and has a cell that says nothing. */
		assert_int_equal(ncells, strstr(paths[i], "tid") ? 9 : 8);
		assert_true(rows >= ncells - 1);
		assert_int_equal(titles, 1);
		assert_null(out_next);
		buf_release(&out);
		bytes_release(&text);
	}
}

static void only_reports(void **state)
{
	static const char script[] =
		"fdbench  1001/1001  [001]     1.000000001:          1   "
		"cpu/mem-loads,ldlat=30/P:  ffff888003df2700        1a04081042 "
		"|OP LOAD|  35  ffffffff81a185b3\n";
	struct recording *recording = NULL;
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	(void)state;
	scratch_write("script.txt", script);
	if (!recording_open(scratch_path("script.txt"), &err, &recording))
		fail_msg("%s", err.text);
	assert_false(annotate_report(recording, "Member", cell_of, NULL, &err, &out));
	assert_non_null(strstr(err.text, "only the text of perf c2c report can be annotated"));
	assert_int_equal(out.len, 0);
	err_release(&err);
	recording_close(recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_texts),
		cmocka_unit_test(a_whole_report),
		cmocka_unit_test(only_reports),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("c2c_annotate", tests, scratch_make, scratch_remove);
}
