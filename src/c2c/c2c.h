/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses -> hot cache lines -> members: which lines processors fight over, what lives there, and
 * whether they fight over one datum (true sharing) or over two that merely share a line (false
 * sharing).
 *
 *	table_add(&table, &access)	of every access of every recording (c2c/table.h)
 *	table_finish(&table)
 *	table_pcs(&table, &n)		the code addresses whose claims are wanted (dwarf/claims.h)
 *	c2c_judge(&table, &image, ...)	names, verdicts, pairs
 *
 * What a profiler records does not say who wrote the line before: pairs are inferred. Each HITM
 * load of a member is split over the members that other CPUs store to, in proportion to their
 * stores. A recorder that models the caches says it (c2c/fought.h): then pairs are recorded.
 * Offsets and sizes are in BYTES.
 */
#ifndef C2C_C2C_H
#define C2C_C2C_H

#include "c2c/row.h"
#include "c2c/table.h"
#include "layout/finding.h"

struct c2c_pair {
	size_t written, read; /* data of the line; the same for true sharing */
	uint64_t hitm;        /* its share of the line's, samples */
	uint64_t recorded;    /* HITM, all of them; 0 where pairs are inferred */
	uint64_t needed;      /* of these, as in struct access_pair */
	const char *const *writers, *const *readers; /* functions, the most active first */
	size_t nwriters, nreaders;
};

enum c2c_verdict { VERDICT_UNKNOWN, VERDICT_FALSE, VERDICT_TRUE, VERDICT_MIXED };

const char *c2c_verdict_name(enum c2c_verdict verdict); /* "false-sharing", ..., as in JSON */

struct c2c_rule { /* a rule of the packs that speaks of one of the line's pairs */
	const char *id;
	enum outcome outcome; /* on the image */
	struct pos pack;
};

struct c2c_line {
	uint64_t address; /* run time, of its first byte */
	int32_t pid;      /* of a user line; -1: kernel */
	bool is_shared;   /* with other processes; pid and address are the first one's */
	bool is_part;     /* of its time: memory that several objects had one after the other */
	struct c2c_object object;
	const struct line_object *slabs; /* objects on it, as the slab allocator has them */
	size_t nslabs;
	enum c2c_fit fit; /* of `object` into those */
	struct c2c_counts counts;
	uint64_t perf[PERF_COUNTERS]; /* as perf counts, of the line in all its time */
	unsigned nodes, cpus;
	struct c2c_row *rows; /* by offset, then most HITM, stores, loads first, then pc */
	size_t nrows;
	struct c2c_datum *data; /* by place */
	size_t ndata;
	struct c2c_pair *pairs; /* most HITM first */
	size_t npairs;
	bool pairs_recorded; /* not inferred */
	enum c2c_verdict verdict;
	const char *reason;     /* one clause: "92 % of HITM on members nobody else writes" */
	uint64_t gain;          /* HITM samples that go when the falsely shared are apart */
	struct c2c_rule *rules; /* cli/ fills these in, from packs */
	size_t nrules;
	const char *advice;      /* a rule to add, YAML ready to paste, or NULL */
	const char *advice_cost; /* "48 bytes more: files_struct 704 -> 768"; NULL */
	const char *remedy;      /* of two variables: what keeps them apart, a sentence; NULL */
};

/* A part of all loads, or of all stores, that is worth a look: one in so many. */
enum { C2C_BUSY_PARTS = 100 };

struct c2c_report {
	struct arena arena;
	struct c2c_line *lines; /* most HITM first */
	size_t nlines;
	struct c2c_line *store_lines; /* several CPUs store, nobody's load met it: HITM cannot see
					 them; most stores first */
	size_t nstore_lines;
	struct c2c_line *quiet_lines; /* nobody fights over them, but one in C2C_BUSY_PARTS of all
					 loads or stores is here: what another layout may bring
					 together */
	size_t nquiet_lines;
	struct c2c_counts total;
	uint64_t perf[PERF_COUNTERS];
	uint64_t no_address; /* samples */
	uint64_t line_size;
	bool has_cpus;
	/* HITM samples of rows, by how they were named: by outermost type or symbol, by inner
	 * struct only, scalar (a type without a struct), not at all. */
	uint64_t outermost, inner, scalar, unnamed;
	uint64_t hitm_by_how[HOW_NONE];
	uint64_t unnamed_by_reason[CLAIM_REASONS];
};

void c2c_release(struct c2c_report *report);

#endif
