/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings of every kind, told apart by content: read, put together, judged without an image,
 * printed, and given a column more. */
#include <string.h>

#include "c2c/drawing.h"
#include "c2c/judge.h"
#include "fuzz.h"
#include "perf/annotate.h"
#include "perf/perf.h"
#include "report/report.h"

static bool take(void *arg, const struct access *access)
{
	table_add(arg, access);
	return true;
}

static bool no_function(void *arg, uint64_t pc, const char **ret)
{
	(void)arg, (void)pc, (void)ret;
	return false;
}

static bool no_variable(void *arg, uint64_t address, bool is_percpu, struct c2c_variable *ret)
{
	(void)arg, (void)address, (void)is_percpu, (void)ret;
	return false;
}

static void print(struct c2c_report *report)
{
	static struct layout empty;
	const struct c2c_line **lines;
	struct c2c_drawing *drawings;
	struct c2c_print print = {.layout = &empty, .report = report};

	lines = arena_array(&report->arena, report->nlines, sizeof *lines);
	drawings = arena_array(&report->arena, report->nlines, sizeof *drawings);
	for (size_t i = 0; i < report->nlines; i++) {
		lines[i] = &report->lines[i];
		c2c_draw(lines[i], report->line_size, NULL, &report->arena, &drawings[i]);
	}
	empty.path = "image";
	print.lines = lines;
	print.drawings = drawings;
	print.nlines = report->nlines;
	for (size_t i = 0; formats[i]; i++) {
		struct report_style style = {0};
		struct buf out = BUF_INIT;

		if (formats[i]->c2c)
			formats[i]->c2c(&print, &style, &out);
		buf_release(&out);
	}
}

static void judge(const struct c2c_table *table)
{
	const struct c2c_image image = {.variable = no_variable, .function = no_function};
	struct c2c_report report;

	c2c_judge(table, &image, &report);
	print(&report);
	c2c_release(&report);
}

static const char *cell(void *arg, const struct annotate_row *row)
{
	(void)arg;
	return row->has_code ? "member" : NULL;
}

static void annotate(const struct recording *recording)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	fuzz_answer(annotate_report(recording, "Member", cell, NULL, &err, &out), &err);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording *recording = NULL;
	struct c2c_table table;
	struct err err = ERR_INIT;
	bool ok;

	table_init(&table, 64);
	ok = recording_open(fuzz_file(data, size), &err, &recording) &&
	     recording_read(recording, NULL, NULL, take, &table, &err);
	fuzz_answer(ok, &err);
	if (ok) {
		table_finish(&table);
		judge(&table);
		annotate(recording);
	}
	table_release(&table);
	recording_close(recording);
	return 0;
}
