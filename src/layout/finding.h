/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A finding: what a rule, a diff or a c2c line had to say. Judges make them, report/ prints them,
 * and every word a report prints is a field here: a renderer computes nothing. Strings live in the
 * arena of the list.
 */
#ifndef LAYOUT_FINDING_H
#define LAYOUT_FINDING_H

#include "base/hash.h"
#include "base/mem.h"
#include "layout/model.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

enum outcome {
	OUTCOME_HOLDS,
	OUTCOME_BROKEN,
	OUTCOME_MISSING,        /* struct, member or symbol is not there */
	OUTCOME_UNKNOWN,        /* this image cannot tell */
	OUTCOME_NOT_APPLICABLE, /* `when` is false, or the pack is for another image */
};

const char *severity_name(enum severity severity); /* "note", "warning", "error" */
const char *outcome_name(enum outcome outcome);    /* "holds", ..., "not-applicable", as in JSON */

/* The worse of two: broken beats missing beats unknown beats holds beats not-applicable. */
enum outcome outcome_worse(enum outcome a, enum outcome b);

/* A place in a file a person can open. line 0: the file as a whole; col 0: the line. */
struct pos {
	const char *file;
	unsigned line, col;
};

/* Who lets a finding or a change be, why, and for how long. Strings of whoever made it. */
struct waiver {
	const char *why;
	const char *owner; /* or NULL */
	const char *until; /* its last day, "2026-12-31"; NULL: for good */
	struct pos pos;    /* where it stands */
};

enum { FINGERPRINT_START = 12 }; /* digits of a fingerprint that are enough to name it */

/* Bits of the outermost type, and the path of the member there; NULL: a gap. */
struct spot {
	const char *path;
	uint64_t bit_offset, bit_size;
};

struct finding {
	const char *rule; /* id: "page_counter/size" */
	const char *kind; /* "size" */
	enum severity severity;
	enum outcome outcome;
	const char *subject; /* the struct as the pack names it; of a rule on variables, those */
	bool of_variables;
	bool has_address; /* it is about one variable: where that is, as in layout/data.h */
	uint64_t address, bytes;
	const char *section; /* NULL without an address */
	const char *member;  /* path, or NULL for the struct as a whole */
	bool has_bits;
	uint64_t bit_offset, bit_size;
	const struct spot *spots; /* where a rule on several members, or on gaps, is broken */
	size_t nspots;
	bool has_cacheline;
	uint64_t cacheline;            /* the line it is about, counted from the base 0 */
	const struct def *def;         /* judged on; NULL when missing */
	struct pos pack;               /* where the rule stands */
	const char *measured, *wanted; /* "256", "<= 192"; NULL where they mean nothing */
	const char
		*message;  /* one clause, no subject, no full stop: "size is 256, wanted <= 192" */
	const char *cause; /* one or two clauses, or NULL */
	bool has_margin;
	uint64_t margin; /* bytes that may still be added there before the rule breaks */
	const char *const
		*notes; /* further sentences: absent optional members, assumed base, ambiguity */
	size_t nnotes;
	uint64_t observed, observed_all; /* HITM samples of a recording on what it speaks of, and in
					    all; 0: there is no recording */
	const char *why, *origin;        /* from the rule, or NULL */
	bool waived;
	const struct waiver *waiver;  /* NULL: none; in force when `waived`, else over */
	char fingerprint[SHA256_HEX]; /* of rule id, struct, member: nothing that moves */
};

struct summary {
	/* Rules, not definitions. Of a rule that has findings that are waived, the others count; it
	 * is waived when they are none. */
	size_t holds, broken, missing, unknown, not_applicable, waived;
	size_t unmatched; /* waivers that silence nothing */
};

struct findings {
	struct arena arena;
	struct finding *items; /* in pack order: file, line, then definition order; of each file
				  then its waivers that silence nothing */
	size_t n, cap;
	struct summary summary;
	/* Said once, whatever the outcome: packs for another image, bases that had to be assumed.
	 * In the arena. */
	const char *const *remarks;
	size_t nremarks;
};

void findings_init(struct findings *findings);
void findings_release(struct findings *findings);

/* Appends a copy of @finding, its strings included, and fills the fingerprint. `rule` and `subject`
 * must be there. The summary is the judge's to count. */
void findings_add(struct findings *findings, const struct finding *finding);

/* The same, behind the last of its file. */
void findings_insert(struct findings *findings, const struct finding *finding);

/* What names a finding of the rule on @subject; @member may be NULL. */
void finding_fingerprint(const char *rule, const char *subject, const char *member,
			 char ret[SHA256_HEX]);

/* Some rule held, broke, or found nothing where something should be. */
bool findings_judged(const struct findings *findings);

/* A finding at or above @threshold that fails the run: broken, missing or (unless @allow_unknown)
 * unknown, not waived. */
bool finding_fails(const struct finding *finding, enum severity threshold, bool allow_unknown);

#endif
