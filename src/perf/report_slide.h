/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the image of a report was loaded: its text has code addresses, and no map. */
#ifndef PERF_REPORT_SLIDE_H
#define PERF_REPORT_SLIDE_H

#include "perf/report.h"

struct report_slide {
	bool known;
	uint64_t slide;         /* run-time address - image address */
	uint64_t votes, voters; /* rows for it, of those that could say something */
};

/* Of the code of @image, where the rows of it were recorded. */
struct report_slide report_slide(const struct report *report, const struct perf_image *image);

/* Is the code of @row that of @image, as far as the row names its file? */
bool report_row_in_image(const struct report_row *row, const struct perf_image *image);

#endif
