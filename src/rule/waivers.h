/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waivers: what somebody lets be, for a reason and mostly for a time. They stand at a rule
 * (`waive:`) or in a file of their own, by fingerprint:
 *
 *	layoutcheck-waivers: 1
 *	waivers:
 *	  - fingerprint: 3f0c8a1be2d4	the first 12 digits or more
 *	    why: the lock moves in the next cycle
 *	    owner: mm@example.org	these three may lack
 *	    until: 2026-12-31
 *	    of: change			or finding; without, of either
 *
 * A waiver silences findings through its last day. What it names is still told, as waived. One that
 * is over silences nothing, and the finding says so. One that has nothing to silence is a finding
 * itself (a warning at its place), so that it gets deleted; but only when what it names could be
 * judged in some image: a rule that holds, a fingerprint that nothing has.
 *
 * A file is as strict as a pack, and its errors look alike.
 */
#ifndef RULE_WAIVERS_H
#define RULE_WAIVERS_H

#include "base/date.h"
#include "rule/pack.h"

enum waiver_of { WAIVER_OF_ANY, WAIVER_OF_FINDING, WAIVER_OF_CHANGE };

/* A waiver, and what has been seen of what it names. */
struct waiving {
	struct waiver waiver;
	const struct rule *rule; /* at which it stands; NULL: in a file, and then... */
	const char *fingerprint; /* ...the digits that it gives */
	enum waiver_of of;

	bool matched;              /* something that fails, or would */
	bool judged, held;         /* the rule, in some image */
	size_t image;              /* the first such */
	char seen[SHA256_HEX];     /* the fingerprint that it means; "": not met */
	const char *what, *second; /* whose that is; another that begins alike, or NULL */
	const char *id, *subject;  /* of the rule that the finding is of, or NULL */
};

struct waivers {
	struct arena arena;
	char today[DATE_TEXT];
	struct waiving *items;
	size_t n, cap;
	struct source *sources; /* the files, for errors that come later */
	size_t nsources, cap_sources;
	size_t image; /* index of the one that is being judged, which the caller counts */
};

/* @today is a valid date. */
void waivers_init(struct waivers *waivers, const char *today);
void waivers_release(struct waivers *waivers);

/* Those of a file. Adds to @waivers what is right; true when nothing was wrong. */
bool waivers_load(struct waivers *waivers, const char *path, struct pack_errors *errors);
bool waivers_parse(struct waivers *waivers, const char *file, const char *text, size_t len,
		   struct pack_errors *errors);

/* Those at rules. The packs must outlive @waivers. */
void waivers_of_packs(struct waivers *waivers, const struct packs *packs);

/* ---- while judging --------------------------------------------------------------------------- */

/* What waives the finding, or would if it were not over; NULL: nothing does. What holds or does not
 * apply needs none. */
const struct waiver *waivers_of_finding(struct waivers *waivers, const struct rule *rule,
					const char *subject, const char *member,
					enum outcome outcome);

/* The rule as a whole came out so, on all definitions. */
void waivers_note_rule(struct waivers *waivers, const struct rule *rule, const char *subject,
		       enum outcome outcome);

/* The same for a change, which @what describes. */
const struct waiver *waivers_of_change(struct waivers *waivers, const char *fingerprint,
				       const char *what);

/* Its last day is gone. */
bool waiver_is_over(const struct waivers *waivers, const struct waiver *waiver);

/* ---- when all is judged ---------------------------------------------------------------------- */

/* A fingerprint that begins several is an error. */
bool waivers_finish(const struct waivers *waivers, struct pack_errors *errors);

enum waivers_scope {
	WAIVERS_CHECK,     /* changes have not been looked at */
	WAIVERS_DIFF,      /* those of all types have */
	WAIVERS_DIFF_SOME, /* those of some types have */
};

/* Adds a finding for each waiver that silences nothing, and counts it: those that image number
 * @image tells of. */
void waivers_tell_unmatched(const struct waivers *waivers, size_t image, struct findings *findings);

/* The same as a sentence, for number @index; NULL when there is nothing to say. In @arena. */
const char *waivers_describe_unmatched(const struct waivers *waivers, size_t index,
				       enum waivers_scope scope, struct arena *arena);

#endif
