/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports on recordings: what text and HTML share. Samples, as everywhere in c2c/. */
#ifndef REPORT_C2C_H
#define REPORT_C2C_H

#include "report/ci.h"

/* The figures of a line, by perf's columns. */
struct figures {
	uint64_t hitm, local, remote, records, loads, stores, l1_hit, l1_miss, unknown;
	uint64_t lfb, l1, l2, llc, remote_hit, local_dram, remote_dram;
};

struct figures figures_of(const struct c2c_counts *counts); /* each sample once */

/* As the report wants them: with print->perf_counts those of perf. */
struct figures figures_of_line(const struct c2c_print *print, const struct c2c_line *line);
uint64_t figures_hitm(const struct c2c_print *print); /* of all lines */

/* "87.50%", right-aligned. */
void add_percent(struct buf *out, int width, uint64_t some, uint64_t all);

/* " +128", " -32 (cpu 3)", or "" behind the name of an object: where in it the line begins. */
void add_object_place(struct buf *out, const struct c2c_object *object);

/* " read by a, b, c and 2 more", or "". */
void add_functions(struct buf *out, const char *word, const char *const *names, size_t n,
		   escaper *escape);

/* Of a type whose objects do not all begin on a line, elsewhere other members meet: "this type 3
 * objects begin 0, 16 bytes into a line: aligned to 16 at most". */
bool has_starts(const struct c2c_object *object);
void add_starts(struct buf *out, const struct c2c_object *object);

/* How many pairs are worth telling, from the first on. */
size_t told_pairs(const struct c2c_line *line);

/* " (30.00% needed it)" of a recorded pair: how many of its loads read what others had stored. */
void add_needed(struct buf *out, const struct c2c_line *line, const struct c2c_pair *pair);

/* "87.5% outermost, ..., 0.5% unnamed (no variable in the register 3)" */
void add_named(struct buf *out, const struct c2c_report *report);

/*
 * The objects that the slab allocator has on the line, a clause each, and whether what the
 * instructions say fits them; nothing where that is not known.
 */
void add_slabs(struct buf *out, const struct c2c_line *line, uint64_t line_size,
	       void (*escape)(struct buf *, const char *));

#endif
