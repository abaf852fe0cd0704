/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a table of accesses and what an image says of its code and data to a report. */
#ifndef C2C_JUDGE_H
#define C2C_JUDGE_H

#include "c2c/c2c.h"

/* What the image says. */
struct c2c_variable {
	const char *name;
	uint64_t address, size;
};
/* One that a report names, of which no more is known: all that its instructions claim. */
struct c2c_function {
	const char *name;
	const struct claim *claims;
	size_t n;
};
struct c2c_image {
	const struct layout *layout;  /* with all types; NULL: none */
	const struct claim_run *runs; /* by pc */
	size_t nruns;
	const struct claim *claims;
	const struct c2c_function *functions; /* by name */
	size_t nfunctions;
	/* The variable that holds the byte at an address of the image, or of its per-cpu area;
	 * false: none. */
	bool (*variable)(void *arg, uint64_t address, bool is_percpu, struct c2c_variable *ret);
	bool (*function)(void *arg, uint64_t pc, const char **ret);
	uint64_t percpu_start, percpu_end;
	void *arg;
};

/* The table must have been finished; it, the image and the recordings must outlive the report. */
void c2c_judge(const struct c2c_table *table, const struct c2c_image *image,
	       struct c2c_report *ret);

#endif
