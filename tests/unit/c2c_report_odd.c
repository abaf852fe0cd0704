/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports that people made of a report: rows and headings that lost something, what is noted of
 * them and what is refused, and how percentages become samples again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "perf/report.h"

static bool parse(const char *s, struct err *err, struct report *ret)
{
	struct bytes text = {xstrdup(s), strlen(s)};

	return report_parse("mail", &text, err, ret);
}

static void parse_or_fail(const char *s, struct report *ret)
{
	struct err err = ERR_INIT;

	if (!parse(s, &err, ret))
		fail_msg("%s", err.text);
	report_counts(ret);
}

#define GROUP                                                                                      \
	"-------------------------------------------------------------\n"                          \
	"  0  10  20  30  40  0xffff888104c2d640\n"                                                \
	"-------------------------------------------------------------\n"
#define ROW "10.00% 20.00% 30.00% 40.00%  0x8  0xffffffff81000010  1 2 3 50 4  [k] a  [kernel]  1\n"

/* ---- what is refused, and what is noted ------------------------------------------------------ */

static void refused(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"Shared Data Cache Line Table\n", "mail: there is no line of memory in it"},
		{ROW, "mail: line 1 cannot be read: the counters and the address of its line are "
		      "missing above it"},
		{"\n\n12.00% 11.00%\n", "mail: line 3 cannot be read: no offset stands behind"},
		{"  0  0xffff888104c2d640  12\n", "mail: line 1 cannot be read: its share"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = ERR_INIT;
		struct report report;

		assert_false(parse(cases[i].text, &err, &report));
		if (!strstr(err.text, cases[i].why))
			fail_msg("%s: not: %s", err.text, cases[i].why);
		err_release(&err);
		report_release(&report);
	}
}

static void noted(void **state)
{
	static const struct {
		const char *text;
		size_t rows;
		const char *note; /* NULL: nothing is */
	} cases[] = {
		{GROUP ROW, 1, NULL},
		{GROUP ROW "\nAs you see, it is 20.00% of all.\n", 1, NULL},
		{GROUP ROW "garbage\n", 1,
		 "mail:5: not read as a row of the Pareto: it does not begin"},
		{GROUP ROW "10.00% 20.00% 30.00%  0x8\n" ROW, 2,
		 "mail:5: not read as a row of the Pareto: it has neither 4 nor 5 percentages"},
		{GROUP ROW "10.00% 120.00% 30.00% 10.00% 0x8 0x10 1 1 1 1 1\n", 1,
		 "mail:5: not read as a row of the Pareto"},
		{GROUP ROW "10.00% 20.00% 30.00% 10.00% 0x100 0x10 1 1 1 1 1\n", 1,
		 "its offset is past the end of a line"},
		{GROUP ROW "10.00% 20.00%\n\n10.00% 20.00%\n", 1, "and 1 more such lines"},
		{GROUP ROW "\n" GROUP "its rows are gone\n", 1, "mail:9: not read"},
		{GROUP ROW "\n-------------------------------------------------------------\n"
			   "  1  10  20  0xffff888104c2d680\n",
		 1,
		 "mail:7: not read as a row of the Pareto: the counters and the address of a line "
		 "must stand between dashes"},
		{GROUP ROW "\n  3  0xffff888104c2d640  N/A  0  12.00%  x\n", 1,
		 "mail:6: not read as a row of the table of lines"},
		/* A call chain is no row, a row in one is. */
		{GROUP ROW "   |\n   ---a\n      b 12.00% c\n" ROW "\n" ROW, 3, NULL},
		{GROUP ROW "   100.00% a;b;c\n\n" ROW, 2, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report report;

		print_message("# %zu\n", i);
		parse_or_fail(cases[i].text, &report);
		assert_int_equal(report.nrows, cases[i].rows);
		assert_int_equal(report.nnotes, cases[i].note != NULL);
		if (cases[i].note && !strstr(report.notes[0], cases[i].note))
			fail_msg("%s: not: %s", report.notes[0], cases[i].note);
		report_release(&report);
	}
}

/* Of two reports in one text, none is lost. */
static void two_reports(void **state)
{
	static const char title[] = "   Shared Cache Line Distribution Pareto\n";
	struct report report;
	char text[2048];

	(void)state;
	snprintf(text, sizeof text, "%s%s\nafter:\n%s%s", title, GROUP ROW, title, GROUP ROW);
	parse_or_fail(text, &report);
	assert_int_equal(report.ngroups, 2);
	assert_int_equal(report.nrows, 2);
	assert_int_equal(report.nnotes, 1);
	assert_string_equal(report.notes[0], "mail: it holds 2 reports, taken together");
	report_release(&report);
}

/* ---- rows by their pattern, and by headings -------------------------------------------------- */

static const struct {
	const char *heading, *row;
	uint64_t offset, code, records, cpus, nodes, load;
	int32_t pid, tid;
	const char *symbol, *object, *source, *comm;
} row_cases[] = {
	/* 4.10: a process, no records. */
	{"",
	 "1.00% 2.00% 3.00% 4.00%  0x8  77123  0x400b56  7 8 9  5  [.] f  prog  a.c:1   "
	 "0{0-1,4}  1{2}",
	 8, 0x400b56, 0, 5, 3, 9, 77123, -1, "f", "prog", "a.c:1", ""},
	/* Nodes, processes and threads between the offset and the code. */
	{"", "1.00% 2.00% 3.00% 4.00%  0x8  N/A  0  0x400b56  7 8 9 44 5  [.] f  prog   0", 8,
	 0x400b56, 44, 5, 1, 9, -1, -1, "f", "prog", "", ""},
	{"",
	 "1.00% 2.00% 3.00% 4.00% 0.00%  0x8  0-3,5  0  123  0x400b56  7 8 9 44 5  [.] f  "
	 "prog",
	 8, 0x400b56, 44, 5, 0, 9, 123, -1, "f", "prog", "", ""},
	{"",
	 "1.00% 2.00% 3.00% 4.00% 0.00%  0x8  1  1  12:a b 0x1 c  0x400b56  7 8 9 44 5  "
	 "[.] f  prog",
	 8, 0x400b56, 44, 5, 0, 9, -1, 12, "f", "prog", "", "a b 0x1 c"},
	{"",
	 "1.00% 2.00% 3.00% 4.00% 0.00%  0x8  1  1  9  12:  0x400b56  7 8 9 44 5  [.] f  "
	 "prog",
	 8, 0x400b56, 44, 5, 0, 9, 9, 12, "f", "prog", "", ""},
	/* Without code. */
	{"", "1.00% 2.00% 3.00% 4.00% 0.00%  0x8  1  1  77  7 8 9 44 5   0  1", 8, 0, 44, 5, 3, 9,
	 77, -1, "", "", "", ""},
	{"", "1.00% 2.00% 3.00% 4.00% 0.00%  0x8  1  1  88  7 8 9 44 5  prog   0{2-3}", 8, 0, 44, 5,
	 1, 9, 88, -1, "", "prog", "", ""},
	/* What people leave out at the right. */
	{"", "1.00% 2.00% 3.00% 4.00%  0x8  0x400b56", 8, 0x400b56, 0, 0, 0, 0, -1, -1, "", "", "",
	 ""},
	{"", "1.00% 2.00%  0x8  0x400b56  [k] f", 8, 0x400b56, 0, 0, 0, 0, -1, -1, "f", "", "", ""},
	{"", "1.00% 2.00% 3.00% 4.00%  0x8  0x400b56  44 5  [k] f [vmlinux]", 8, 0x400b56, 44, 5, 0,
	 0, -1, -1, "f", "[vmlinux]", "", ""},
	/* What they leave out in the middle, headings and all. */
	{"# Rmt Lcl Offset Pid records cnt Symbol Object Node\n",
	 "1.00% 2.00% 0x8 77 44 5 [k] f [kernel] 1", 8, 0, 44, 5, 2, 0, 77, -1, "f", "[kernel]", "",
	 ""},
	{"# RmtHitm LclHitm L1 Miss Offset Code address load cnt Symbol\n",
	 "1.00% 2.00% 3.00% 0x8 0x10 9 5 [k] f", 8, 0x10, 0, 5, 0, 9, -1, -1, "f", "", "", ""},
	/* Blanks inside, and single blanks between. */
	{"",
	 "1.00% 2.00% 3.00% 4.00% 0x8 0x10 7 8 9 44 5 [.] operator<(a const&, b) prog "
	 "x.h:3 0",
	 8, 0x10, 44, 5, 1, 9, -1, -1, "operator<(a const&, b)", "prog", "x.h:3", ""},
	{"",
	 "1.00% 2.00% 3.00% 4.00% 0x8 0x10 7 8 9 44 5  [.] a::operator int() const  my "
	 "prog  x.h:3   0",
	 8, 0x10, 44, 5, 1, 9, -1, -1, "a::operator int() const", "my prog", "x.h:3", ""},
	{"", "1.00% 2.00% 3.00% 4.00% 0x8 0x10 7 8 9 44 5 [k] f [kernel] f+18 0  1", 8, 0x10, 44, 5,
	 3, 9, -1, -1, "f", "[kernel]", "f+18", ""},
	{"", "1.00% 2.00% 3.00% 4.00% 0x8 0x10 7 8 9 44 5  [k] 0xffffffffc0102030  [mod]   0", 8,
	 0x10, 44, 5, 1, 9, -1, -1, "", "[mod]", "", ""},
	{"", "-nan% 2.00% 3.00% nan%\t0x8\t0x10\t7\t8\t9\t44\t5\t[k] f\t[mod]\t0  63\r", 8, 0x10,
	 44, 5, 1 | (uint64_t)1 << 63, 9, -1, -1, "f", "[mod]", "", ""},
};

static void rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row_cases); i++) {
		const struct report_row *row;
		struct report report;
		char text[1024];

		print_message("# %s\n", row_cases[i].row);
		snprintf(text, sizeof text, "%s" GROUP "%s\n", row_cases[i].heading,
			 row_cases[i].row);
		parse_or_fail(text, &report);
		assert_int_equal(report.nnotes, 0);
		assert_int_equal(report.nrows, 1);
		row = &report.rows[0];
		assert_int_equal(row->offset, row_cases[i].offset);
		assert_int_equal(row->has_code ? row->code : 0, row_cases[i].code);
		assert_int_equal(row->has_records ? row->records : 0, row_cases[i].records);
		assert_int_equal(row->cpus, row_cases[i].cpus);
		assert_int_equal(row->nodes, row_cases[i].nodes);
		assert_int_equal(row->mean[MEAN_LOAD], row_cases[i].load);
		assert_int_equal(row->pid, row_cases[i].pid);
		assert_int_equal(row->tid, row_cases[i].tid);
		assert_true(text_is(row->symbol, row_cases[i].symbol));
		assert_true(text_is(row->object, row_cases[i].object));
		assert_true(text_is(row->source, row_cases[i].source));
		assert_true(text_is(row->comm, row_cases[i].comm));
		assert_int_equal(row->share[METRIC_LOCAL], 200);
		report_release(&report);
	}
}

/*
 * The line of dots cuts what words cannot: a comm with a number behind two blanks, an object with
 * two blanks inside.
 */
static void the_dots_cut(void **state)
{
	static const char text[] = "#       ----- HITM -----\n"
				   "#  Num  Rmt     Lcl      Offset  Tid              Code address "
				   " records  cnt  Symbol  Object    Node\n"
				   "# ....  ......  ......   ......  ...............  ............ "
				   " .......  ...  ......  ........  ....\n" GROUP
				   "         1.00%   2.00%      0x8    12:web  7 x          0x4010 "
				   "      44    5  [.] f   my  prog     0\n";
	struct report report;

	(void)state;
	parse_or_fail(text, &report);
	assert_int_equal(report.nrows, 1);
	assert_true(text_is(report.rows[0].comm, "web  7 x"));
	assert_true(text_is(report.rows[0].object, "my  prog"));
	assert_int_equal(report.rows[0].code, 0x4010);
	assert_int_equal(report.rows[0].records, 44);
	report_release(&report);
}

static void where_a_row_ends(void **state)
{
	struct report report;

	(void)state;
	parse_or_fail("> > " ROW "> " GROUP "> > " ROW "  10.00% 20.00% 30.00% 40.00%  0x8\n"
		      "  0xffffffff81000010  1 2 3 50 4  [k] a\n [kernel]   1  \r\n",
		      &report);
	assert_int_equal(report.nrows, 2);
	assert_int_equal(report.rows[0].at, 5);
	assert_int_equal(report.rows[0].end, strlen("> > " ROW) - 1);
	assert_int_equal(report.rows[1].at, 8);
	assert_int_equal(report.rows[1].end, strlen(" [kernel]   1"));
	assert_true(text_is(report.rows[1].object, "[kernel]"));
	report_release(&report);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Five counters are all five, or the number of the line and four: the rows tell. */
static void counters(void **state)
{
	struct report report;

	(void)state;
	parse_or_fail("10 20 30 40 50 0xff0\n"
		      "1.00% 1.00% 1.00% 1.00% 1.00% 0x0 0x10 1 1 1 1 1 [k] f\n"
		      "10 20 30 40 50 0xff0\n"
		      "1.00% 1.00% 1.00% 1.00% 0x0 0x10 1 1 1 1 1 [k] f\n"
		      "9 10 20 30 40 50 0xff0\n"
		      "20 30 40 50 0xff0\n",
		      &report);
	assert_int_equal(report.ngroups, 4);
	assert_false(report.groups[0].has_number);
	assert_int_equal(report.groups[0].count[METRIC_REMOTE], 10);
	assert_int_equal(report.groups[0].count[METRIC_NO_LEVEL], 50);
	assert_true(report.groups[1].has_number);
	assert_int_equal(report.groups[1].number, 10);
	assert_int_equal(report.groups[1].count[METRIC_REMOTE], 20);
	assert_int_equal(report.groups[2].number, 9);
	assert_int_equal(report.groups[2].count[METRIC_NO_LEVEL], 50);
	assert_false(report.groups[3].has_number);
	assert_int_equal(report.groups[3].count[METRIC_L1_MISS], 50);
	report_release(&report);
}

/* The sum of the rows is the counter of the line where the shares are all there, and never more. */
static void sums_are_kept(void **state)
{
	static const struct {
		uint64_t all;
		const char *shares[4];
		uint64_t want[4];
	} cases[] = {
		{3, {"33.33%", "33.33%", "33.33%"}, {1, 1, 1}},
		{1, {"50.00%", "50.00%"}, {1, 0}},
		{638, {"2.82%", "2.04%", "0.16%"}, {18, 13, 1}},
		{1000000, {"33.33%", "33.33%", "33.34%"}, {333300, 333300, 333400}},
		{1000000, {"33.33%", "33.33%", "33.33%"}, {333334, 333333, 333333}},
		{1000003, {"50.00%", "50.01%"}, {499951, 500052}},
		{UINT64_MAX, {"100.00%"}, {UINT64_MAX}},
		{7, {"100.00%", "100.00%"}, {4, 3}},
		{0, {"12.00%"}, {0}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report report;
		char text[1024];
		size_t len;

		len = (size_t)snprintf(text, sizeof text, "0 0 %llu 0 0 0xff40\n",
				       (unsigned long long)cases[i].all);
		for (size_t r = 0; r < 4 && cases[i].shares[r]; r++)
			len += (size_t)snprintf(
				text + len, sizeof text - len,
				"0.00%% %s 0.00%% 0.00%% 0x%zu 0x10 0 0 0 0 1 [k] f\n",
				cases[i].shares[r], r);
		parse_or_fail(text, &report);
		print_message("# %llu\n", (unsigned long long)cases[i].all);
		for (size_t r = 0; r < report.nrows; r++)
			assert_int_equal(report.rows[r].count[METRIC_LOCAL], cases[i].want[r]);
		report_release(&report);
	}
}

/* perf counts a remote HITM as a load of remote memory too, but not everywhere. */
static void remote_twice(void **state)
{
	static const struct {
		const char *before;
		int records;
		bool twice;
		uint64_t others;
	} cases[] = {
		{"", 250, true, 50},
		{"", 150, false, 50}, /* there are not that many */
		{"Load Remote HITM : 100\nLoad Remote DRAM : 99\n", 250, false, 150},
		{"Load Remote HITM : 100\nLoad Remote DRAM : 100\n", 250, true, 50},
		{"c2c details\n Events : ibs_op//\n", 250, false, 150},
		{"0 0xff40 250 100.00% 100 0 100 0 0 0 0 99 0 250 0 0 0 0 0\n", 250, false, 150},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report report;
		char text[1024];

		snprintf(text, sizeof text,
			 "%s0 100 0 0 0 0xff40\n"
			 "100.00%% 0.00%% 0.00%% 0.00%% 0x0 0x10 0 0 0 %d 1 [k] f\n",
			 cases[i].before, cases[i].records);
		print_message("# %zu\n", i);
		parse_or_fail(text, &report);
		assert_int_equal(report.counts_remote_twice, cases[i].twice);
		assert_int_equal(report.rows[0].others, cases[i].others);
		report_release(&report);
	}
}

/* Without headings the columns of the table are known by how many there are. */
static void table_rows(void **state)
{
	static const struct {
		const char *row;
		uint64_t records, loads, remote, dram;
	} cases[] = {
		{"0 0x1000 260 9.00% 15 3 12 161 161 0 1 2 15 99 25 50 0 6 1", 260, 99, 12, 2},
		{"0 0x1000 N/A 7 260 9.00% 15 3 12 161 161 0 1 2 15 99 25 50 0 6 1", 260, 99, 12,
		 2},
		{"0 0x1000 0-1 7 9.00% 15 3 12 260 99 161 161 0 25 50 0 6 3 1 12 1 2", 260, 99, 12,
		 2},
		{"0 0x1000 0 7 9.00% 15 3 12 260 99 161 161 0 0 25 50 0 6 3 1 12 1 2", 260, 99, 12,
		 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct report_entry *entry;
		struct report report;

		parse_or_fail(cases[i].row, &report);
		assert_int_equal(report.nentries, 1);
		entry = &report.entries[0];
		assert_int_equal(entry->address, 0x1000);
		assert_int_equal(entry->total[TOTAL_RECORDS], cases[i].records);
		assert_int_equal(entry->total[TOTAL_LOADS], cases[i].loads);
		assert_int_equal(entry->total[TOTAL_REMOTE_HITM], cases[i].remote);
		assert_int_equal(entry->total[TOTAL_LOCAL_HITM], 3);
		assert_int_equal(entry->total[TOTAL_L1_HIT], 161);
		assert_int_equal(entry->total[TOTAL_LFB], 25);
		assert_int_equal(entry->total[TOTAL_L1], 50);
		assert_int_equal(entry->total[TOTAL_LLC], 6);
		assert_int_equal(entry->total[TOTAL_REMOTE_CACHE], 1);
		assert_int_equal(entry->total[TOTAL_LOCAL_DRAM], 1);
		assert_int_equal(entry->total[TOTAL_REMOTE_DRAM], cases[i].dram);
		report_release(&report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),      cmocka_unit_test(noted),
		cmocka_unit_test(two_reports),  cmocka_unit_test(rows),
		cmocka_unit_test(the_dots_cut), cmocka_unit_test(where_a_row_ends),
		cmocka_unit_test(counters),     cmocka_unit_test(sums_are_kept),
		cmocka_unit_test(remote_twice), cmocka_unit_test(table_rows),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("c2c_report_odd", tests, NULL, NULL);
}
