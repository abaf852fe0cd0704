/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that make a report share: a part of a line on its way to a struct c2c_line. */
#ifndef C2C_PRIVATE_H
#define C2C_PRIVATE_H

#include "c2c/attribution.h"
#include "c2c/judge.h"

struct making {
	const struct c2c_table *table;
	const struct c2c_image *image;
	const struct part *part;
	const struct starts *starts;
	const struct named **named; /* of the line's rows, in their order */
	struct arena *arena;        /* of the report */
};

/* The CPUs of a row in the part's time: shared out as the row's samples are. */
struct cpu_counts {
	int32_t cpu;
	uint64_t hitm, stores;
};

/* Fills line->data and row->datum. */
void find_data(const struct making *making, struct c2c_line *line);

/* Fills line->pairs, verdict, reason and gain; after find_data(). */
void find_verdict(const struct making *making, struct c2c_line *line);

#endif
