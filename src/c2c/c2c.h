/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses -> hot cache lines -> members: which lines processors fight over, what lives there, and
 * whether they fight over one datum (true sharing) or over two that merely share a line (false
 * sharing).
 *
 *	struct c2c_input in;		cli/ fills it from perf/
 *	c2c_add(&in, &access)		one pass; memory in proportion to lines and rows
 *	c2c_pcs(&in, ...)		the code addresses whose claims are wanted (dwarf/claims.h)
 *	c2c_judge(&in, claims, ...)	attribution, verdicts, pairs
 *
 * A recording does not say who wrote the line before: pairs are inferred. Each HITM load of a
 *member is split over the members that other CPUs store to, in proportion to their stores.
 */
#ifndef C2C_C2C_H
#define C2C_C2C_H

#include "base/mem.h"
#include "layout/access.h"
#include "layout/claim.h"
#include "layout/finding.h"
#include "layout/model.h"

struct c2c_counts {
	uint64_t samples;
	uint64_t loads, stores;   /* each sample once */
	uint64_t hits[HIT_KINDS]; /* of loads; of stores HIT_L1, HIT_L1_MISS and HIT_UNKNOWN are in
				     store_* */
	uint64_t store_l1, store_l1_miss, store_unknown;
	uint64_t hitm; /* local and remote HITM, and peer where the recording has no HITM (Arm) */
	uint64_t locked;
	uint64_t weight[HIT_KINDS]; /* cycles summed, of the loads that say them: with `weighed` */
	uint64_t weighed[HIT_KINDS];
	uint64_t perf[PERF_COUNTERS]; /* as perf counts */
};

/* How a row got its name; the reasons why not are enum claim_none and these. */
enum c2c_how {
	HOW_INSN,      /* its instruction names it */
	HOW_SYMBOL,    /* its address is in a variable, static or per-cpu */
	HOW_CONSENSUS, /* other rows of the line, or of the lines of the same object, name it */
	HOW_NONE
};

struct c2c_object {
	const char *type;   /* "files_struct"; NULL: not known */
	const char *symbol; /* a variable; NULL: none */
	bool is_percpu;
	int64_t offset; /* of the line's first byte from the start of the object, bytes */
	enum c2c_how how;
	bool floats; /* objects of this type need not start on a line: this is one of the places
			seen, of which `alignment` bytes are certain */
	uint64_t alignment;
	const struct def *def; /* of the layout; NULL: not known */
};

struct c2c_row {
	uint64_t offset;               /* in the line */
	uint64_t pc;                   /* of the image; 0: not in the image */
	uint64_t ip;                   /* as recorded */
	const char *function, *object; /* code */
	struct c2c_counts counts;
	unsigned cpus, nodes;
	enum c2c_how how;
	enum claim_none none;      /* why it is not named, when how is HOW_NONE */
	const char *type, *member; /* outermost: "files_struct", "fd_array[3]"; NULL */
	const char *inner;         /* as the instruction sees it: "qspinlock.val"; NULL: the same */
	int64_t member_offset;     /* of the access from the start of `type`, bytes */
	uint32_t size;             /* of the access; 0: not known */
};

struct c2c_pair {
	const char *written, *read; /* members (or symbols) as the rows name them */
	uint64_t hitm;              /* inferred share, samples */
	bool recorded;              /* observed, not inferred */
	const char *const *writers, *const *readers; /* functions */
	size_t nwriters, nreaders;
};

enum c2c_verdict { VERDICT_UNKNOWN, VERDICT_FALSE, VERDICT_TRUE, VERDICT_MIXED };

struct c2c_rule { /* a rule of the packs that speaks of the line's pairs */
	const char *id;
	enum outcome outcome; /* on the image */
	struct pos pack;
};

struct c2c_line {
	uint64_t address; /* run time, of its first byte */
	int32_t pid;      /* of a user line; -1: kernel, or shared mapping */
	struct c2c_object object;
	struct c2c_counts counts;
	unsigned nodes, cpus;
	bool only_stores;     /* several CPUs store, nobody's load met it: HITM cannot see it */
	struct c2c_row *rows; /* most HITM first, then stores, loads, offset, pc */
	size_t nrows;
	struct c2c_pair *pairs; /* most HITM first */
	size_t npairs;
	enum c2c_verdict verdict;
	const char *reason; /* one clause: "92 % of HITM on members nobody else writes" */
	uint64_t gain;      /* HITM samples that go when the falsely shared are apart */
	const struct c2c_rule *rules;
	size_t nrules;
	const char *advice;      /* a rule to add, YAML ready to paste, or NULL */
	const char *advice_cost; /* "48 bytes more: files_struct 704 -> 768"; NULL */
};

struct c2c_report {
	struct arena arena;
	struct c2c_line *lines; /* most HITM first */
	size_t nlines;
	struct c2c_counts total;
	uint64_t line_size; /* bytes */
	/* HITM samples of all lines, by how they were named: by outermost member, by inner struct
	 * only, scalar (a type without a struct), not at all. */
	uint64_t outermost, inner, scalar, unnamed;
	uint64_t hitm_by_how[HOW_NONE];
	uint64_t unnamed_by_reason[CLAIM_REASONS];
	const char *const *warnings;
	size_t nwarnings;
};

#endif
