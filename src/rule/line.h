/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an object can begin in a line, and what lies on which line then. "Line" is here the granule
 * of the rule: a cache line unless `granule:` says another. Bases are bytes from the start of a
 * line to the start of the object.
 */
#ifndef RULE_LINE_H
#define RULE_LINE_H

#include "rule/judge.h"
#include "rule/member.h"

/* The bases 0, step, 2 * step, ... below the granule. */
struct bases {
	uint64_t step, n;
	bool told; /* false: the allocator cannot be told for this image; 0 is one of the bases */
};

/* Sets judge->assumed_base when nothing but the lack of `alloc:` makes it 0. */
struct bases judge_bases(struct judge *judge);

/* Lines that @span touches; to UINT64_MAX for a flexible array. False: it occupies nothing. */
bool lines_of_span(const struct judge *judge, const struct span *span, uint64_t base,
		   struct line_span *ret);

/* Bases for which a rule breaks. */
struct breaks {
	const struct bases *bases;
	uint64_t n;        /* of them */
	uint64_t shown[8]; /* the first ones */
};
void breaks_add(struct breaks *breaks, uint64_t base);

/* "" when only one base is possible, else " when the object begins at byte 8, 24 or 40 of a line".
 */
const char *breaks_text(const struct judge *judge, const struct breaks *breaks);

/*
 * Answers for a rule that must hold at every base: broken with @broken when it breaks at some,
 * unknown when it does not break at 0 and the other bases cannot be told, else holds with @holds.
 */
void judge_at_bases(struct judge *judge, const struct breaks *breaks, const char *holds,
		    const char *broken);

/* Why a rule breaks that would hold for an object that begins on a line. */
const char *cause_of_bases(const struct judge *judge, const struct bases *bases);

/* "line", or "128-byte block" for a granule that is no line. */
const char *line_word(const struct judge *judge);

/* ---- parts in order -------------------------------------------------------------------------- */

/* The parts of sides, by offset. */
struct placed {
	const struct span *span;
	size_t side; /* index of its side */
};
struct order {
	struct placed *items;
	size_t n;
};
struct order order_of_sides(const struct side *sides, size_t nsides, struct arena *arena);
void order_sort(struct order *order);

/* "file_lock", "the members of written", "the members" of a list without a name. */
const char *side_name(const struct judge *judge, const struct side *side);

/* The fields of the type, opened up around the members of the rule. */
struct fields fields_of_sides(const struct judge *judge);

#endif
