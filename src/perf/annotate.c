/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "perf/report.h"

/* A row that is longer does not push the column away from all others. */
enum { MOST_COLUMN = 512, GAP = 2 };

/* What is put behind a line of the text. */
struct addition {
	size_t at; /* line of the text, from 1 */
	const char *cell;
	bool is_dots; /* as many as the widest cell has columns */
};

struct additions {
	struct addition *items;
	size_t n, cap;
	size_t column, width;
};

static void add(struct additions *list, size_t at, const char *cell, bool is_dots)
{
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = (struct addition){at, cell, is_dots};
}

static int by_line(const void *a, const void *b)
{
	const struct addition *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void collect(const struct report *report, const char *title, annotate_fn *fn, void *arg,
		    struct additions *list)
{
	for (size_t i = 0; i < report->nheadings; i++)
		add(list, report->headings[i].at, title, report->headings[i].is_dots);
	for (size_t i = 0; i < report->ngroups; i++) {
		const struct report_group *group = &report->groups[i];

		for (size_t r = 0; r < group->nrows; r++) {
			const struct report_row *row = &report->rows[group->first + r];
			const struct annotate_row key = {group->address, row->offset, row->has_code,
							 row->code, row->pid};
			const char *cell = fn(arg, &key);

			add(list, row->at, cell ? cell : "-", false);
		}
	}
	/* Rows come in the order of the text, headings between them. */
	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, by_line);
}

/* Of a line of the text: where it ends, without the carriage return of a mail. */
static size_t line_length(const char *s, const char *end)
{
	const char *newline = memchr(s, '\n', (size_t)(end - s));
	size_t len = (size_t)((newline ? newline : end) - s);

	return len && s[len - 1] == '\r' ? len - 1 : len;
}

/* Goes over the text, and calls @fn for each line with what is added to it; NULL: nothing. */
static void each_line(const struct report *report, struct additions *list,
		      void (*fn)(struct additions *list, const struct addition *addition,
				 const char *s, size_t len, const char *next, struct buf *out),
		      struct buf *out)
{
	const char *s = report->text.data, *end = s + report->text.len;
	size_t i = 0;

	for (size_t at = 1; s < end; at++) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		const char *next = newline ? newline + 1 : end;
		const struct addition *addition = NULL;

		while (i < list->n && list->items[i].at < at)
			i++;
		if (i < list->n && list->items[i].at == at)
			addition = &list->items[i];
		fn(list, addition, s, line_length(s, end), next, out);
		s = next;
	}
}

static void measure(struct additions *list, const struct addition *addition, const char *s,
		    size_t len, const char *next, struct buf *out)
{
	(void)s, (void)next, (void)out;
	if (!addition)
		return;
	if (len > list->column && len <= MOST_COLUMN)
		list->column = len;
	if (strlen(addition->cell) > list->width)
		list->width = strlen(addition->cell);
}

static void copy(struct additions *list, const struct addition *addition, const char *s, size_t len,
		 const char *next, struct buf *out)
{
	buf_add(out, s, len);
	if (addition) {
		buf_pad(out, ' ', GAP + (len < list->column ? list->column - len : 0));
		if (addition->is_dots)
			buf_pad(out, '.', list->width);
		else
			escape_text(out, addition->cell);
	}
	buf_add(out, s + len, (size_t)(next - s) - len);
}

bool annotate_report(const struct recording *recording, const char *title, annotate_fn *fn,
		     void *arg, struct err *err, struct buf *out)
{
	const struct report *report = recording->state;
	struct additions list = {0};

	if (recording->reader != &reader_report)
		return err_set(err, recording->input.place,
			       "only the text of perf c2c report can be annotated");
	collect(report, title, fn, arg, &list);
	each_line(report, &list, measure, NULL);
	each_line(report, &list, copy, out);
	free(list.items);
	return true;
}
