/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports: values -> bytes. A format is a row of the table: one function for each thing that can be
 * printed. A renderer computes nothing and appends to a buffer; cli/ writes the buffer when all is
 * done.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/buf.h"
#include "layout/finding.h"
#include "layout/view.h"

/* How text is drawn. */
struct report_style {
	bool color;
	bool verbose; /* why, origin */
};

/* What `check` has to say. */
struct check_report {
	const struct layout *layout; /* image, target, source */
	uint64_t line;               /* in force, 0: unknown */
	const struct findings *findings;
	const char *const *warnings; /* said once, before the findings */
	size_t nwarnings;
};

/* What `show` has to say: whole structs, or the list of all. */
struct show_report {
	const struct layout *layout;
	uint64_t line;
	const struct view *views;
	size_t n;
	bool is_list; /* a line each, no rows */
};

struct format {
	const char *name;
	const char *help;
	void (*check)(const struct check_report *report, const struct report_style *style,
		      struct buf *out);
	void (*show)(const struct show_report *report, const struct report_style *style,
		     struct buf *out);
};

extern const struct format *const formats[]; /* ends with NULL */
const struct format *format_find(const char *name);

#endif
