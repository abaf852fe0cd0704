/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a report as it was read, with one column more: what each row of its Pareto is about.
 * Everything else stays byte for byte, quotation marks of mails and carriage returns included.
 */
#ifndef PERF_ANNOTATE_H
#define PERF_ANNOTATE_H

#include "base/buf.h"
#include "perf/perf.h"

/* What a row is of. */
struct annotate_row {
	uint64_t line;   /* run-time address of its first byte */
	uint64_t offset; /* in the line, bytes */
	bool has_code;
	uint64_t code; /* run-time address of the instruction */
	int32_t pid;   /* -1: not known */
};

/* The cell of the new column, as long as @arg lives; NULL: there is nothing to say, "-" is. */
typedef const char *annotate_fn(void *arg, const struct annotate_row *row);

/*
 * Appends the whole text to @out. @title heads the new column, wherever the columns have headings.
 * A row that a mailer broke in several has its cell behind the last. An error when @recording is no
 * report.
 */
MUST_CHECK bool annotate_report(const struct recording *recording, const char *title,
				annotate_fn *fn, void *arg, struct err *err, struct buf *out);

#endif
