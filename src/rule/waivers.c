/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What waivers name, and whether it was met. Reading them is in waivers_read.c. */
#include "rule/waivers.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "rule/errors.h"

void waivers_init(struct waivers *waivers, const char *today)
{
	*waivers = (struct waivers){0};
	arena_init(&waivers->arena);
	memcpy(waivers->today, today, sizeof waivers->today);
}

void waivers_release(struct waivers *waivers)
{
	free(waivers->items);
	free(waivers->sources);
	arena_release(&waivers->arena);
	*waivers = (struct waivers){0};
}

void waivers_of_packs(struct waivers *waivers, const struct packs *packs)
{
	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0; b < packs->items[p].nblocks; b++) {
			const struct block *block = &packs->items[p].blocks[b];

			for (size_t r = 0; r < block->nrules; r++) {
				const struct rule *rule = &block->rules[r];

				if (!rule->waive)
					continue;
				ARRAY_GROW(waivers->items, waivers->n, waivers->cap);
				waivers->items[waivers->n++] =
					(struct waiving){.waiver = *rule->waive,
							 .rule = rule,
							 .id = rule->id,
							 .subject = block->name};
			}
		}
}

bool waiver_is_over(const struct waivers *waivers, const struct waiver *waiver)
{
	return waiver->until && strcmp(waivers->today, waiver->until) > 0;
}

/* ---- what a fingerprint means ---------------------------------------------------------------- */

/* Whether the waiver, of a file, gives the first digits of @fingerprint; that is then what it
 * means. */
static bool names(struct waivers *waivers, struct waiving *waiving, const char *fingerprint,
		  const char *what)
{
	if (!waiving->fingerprint || !text_starts_with(fingerprint, waiving->fingerprint))
		return false;
	if (!*waiving->seen) {
		memcpy(waiving->seen, fingerprint, sizeof waiving->seen);
		waiving->what = arena_strdup(&waivers->arena, what);
	} else if (strcmp(waiving->seen, fingerprint) != 0 && !waiving->second) {
		waiving->second = arena_strdup(&waivers->arena, what);
	}
	return true;
}

static bool has_fingerprints(const struct waivers *waivers)
{
	return waivers->nsources != 0;
}

/* Whether it is the finding of the rule about @member that the waiver means. */
static bool names_finding(struct waivers *waivers, struct waiving *waiving, const struct rule *rule,
			  const char *subject, const char *fingerprint)
{
	if (waiving->rule)
		return waiving->rule == rule;
	if (waiving->of == WAIVER_OF_CHANGE || !names(waivers, waiving, fingerprint, rule->id))
		return false;
	waiving->id = rule->id;
	waiving->subject = arena_strdup(&waivers->arena, subject);
	return true;
}

static void note(struct waivers *waivers, struct waiving *waiving, enum outcome outcome)
{
	if (!waiving->judged)
		waiving->image = waivers->image;
	waiving->judged = true;
	waiving->held |= outcome == OUTCOME_HOLDS;
}

static bool needs_waiver(enum outcome outcome)
{
	return outcome == OUTCOME_BROKEN || outcome == OUTCOME_MISSING ||
	       outcome == OUTCOME_UNKNOWN;
}

/* Of two that mean the same the one in force, else the first; @found may be NULL. */
static const struct waiver *better(const struct waivers *waivers, const struct waiver *found,
				   const struct waiver *other)
{
	bool worse = found && waiver_is_over(waivers, found) && !waiver_is_over(waivers, other);

	return !found || worse ? other : found;
}

const struct waiver *waivers_of_finding(struct waivers *waivers, const struct rule *rule,
					const char *subject, const char *member,
					enum outcome outcome)
{
	const struct waiver *found = NULL;
	char fingerprint[SHA256_HEX];

	if (!waivers->n)
		return NULL;
	finding_fingerprint(rule->id, subject, member, fingerprint);
	for (size_t i = 0; i < waivers->n; i++) {
		struct waiving *waiving = &waivers->items[i];

		if (!names_finding(waivers, waiving, rule, subject, fingerprint))
			continue;
		if (outcome == OUTCOME_HOLDS)
			note(waivers, waiving, outcome);
		if (!needs_waiver(outcome))
			continue;
		waiving->matched = true;
		found = better(waivers, found, &waiving->waiver);
	}
	return found;
}

const struct waiver *waivers_of_change(struct waivers *waivers, const char *fingerprint,
				       const char *what)
{
	const struct waiver *found = NULL;

	for (size_t i = 0; i < waivers->n; i++) {
		struct waiving *waiving = &waivers->items[i];

		if (waiving->of == WAIVER_OF_FINDING || !names(waivers, waiving, fingerprint, what))
			continue;
		waiving->matched = true;
		found = better(waivers, found, &waiving->waiver);
	}
	return found;
}

/* ---- how rules came out ---------------------------------------------------------------------- */

/* Of a finding that the rule could have, about @member. */
static void note_member(struct waivers *waivers, const struct rule *rule, const char *subject,
			const char *member, enum outcome outcome)
{
	char fingerprint[SHA256_HEX];

	finding_fingerprint(rule->id, subject, member, fingerprint);
	for (size_t i = 0; i < waivers->n; i++) {
		struct waiving *waiving = &waivers->items[i];

		if (!waiving->rule && names_finding(waivers, waiving, rule, subject, fingerprint) &&
		    (outcome == OUTCOME_HOLDS || outcome == OUTCOME_BROKEN ||
		     outcome == OUTCOME_MISSING))
			note(waivers, waiving, outcome);
	}
}

void waivers_note_rule(struct waivers *waivers, const struct rule *rule, const char *subject,
		       enum outcome outcome)
{
	for (size_t i = 0; i < waivers->n && rule->waive; i++)
		if (waivers->items[i].rule == rule && outcome == OUTCOME_HOLDS)
			note(waivers, &waivers->items[i], outcome);
	if (!has_fingerprints(waivers))
		return;
	note_member(waivers, rule, subject, NULL, outcome);
	for (size_t i = 0; i < rule->nitems; i++)
		for (size_t r = 0; r < rule->items[i].n; r++)
			note_member(waivers, rule, subject, rule->items[i].refs[r].text, outcome);
	for (size_t i = 0; i < rule->nmember_exprs; i++)
		note_member(waivers, rule, subject, rule->member_exprs[i].ref.text, outcome);
}

/* ---- when all is judged ---------------------------------------------------------------------- */

bool waivers_finish(const struct waivers *waivers, struct pack_errors *errors)
{
	size_t before = errors->n;

	for (size_t s = 0; s < waivers->nsources; s++) {
		const struct source *source = &waivers->sources[s];
		struct complaints complaints;

		complaints_init(&complaints);
		for (size_t i = 0; i < waivers->n; i++) {
			const struct waiving *waiving = &waivers->items[i];

			if (!waiving->second || waiving->waiver.pos.file != source->file)
				continue;
			complain(&complaints, waiving->waiver.pos.line, waiving->waiver.pos.col,
				 "fingerprint %s is the start of two, of %s and of %s: write more "
				 "of its digits",
				 waiving->fingerprint, waiving->what, waiving->second);
		}
		complaints_print(&complaints, source, errors);
		complaints_release(&complaints);
	}
	return errors->n == before;
}

/* Nothing in all that was looked at has the fingerprint; NULL: there may be something elsewhere. */
static const char *unknown_fingerprint(const struct waiving *waiving, enum waivers_scope scope)
{
	switch (scope) {
	case WAIVERS_CHECK:
		if (waiving->of == WAIVER_OF_CHANGE)
			return NULL;
		return waiving->of == WAIVER_OF_FINDING
			       ? "no rule has a finding of this fingerprint"
			       : "no rule has a finding of this fingerprint (of a change of "
				 "`diff`? say `of: change`)";
	case WAIVERS_DIFF:
		return waiving->of == WAIVER_OF_FINDING
			       ? "no rule has a finding of this fingerprint"
		       : waiving->of == WAIVER_OF_CHANGE
			       ? "no change has this fingerprint"
			       : "no change has this fingerprint, and no finding of a rule";
	case WAIVERS_DIFF_SOME:
		return waiving->of == WAIVER_OF_FINDING
			       ? "no rule has a finding of this fingerprint"
			       : NULL;
	}
	BUG("no such scope");
}

/* Why the waiver silences nothing; NULL when it does, or that cannot be told. */
static const char *why_unmatched(const struct waiving *waiving, enum waivers_scope scope,
				 struct arena *arena)
{
	if (waiving->matched)
		return NULL;
	if (waiving->rule)
		return waiving->held ? arena_printf(arena,
						    "the waiver of %s silences nothing: the rule "
						    "holds",
						    waiving->id)
				     : NULL;
	if (!*waiving->seen)
		return unknown_fingerprint(waiving, scope);
	if (!waiving->judged)
		return NULL;
	return arena_printf(arena, "waiver %s silences nothing: %s %s", waiving->fingerprint,
			    waiving->id, waiving->held ? "holds" : "has no such finding");
}

static const char *subject_of(const struct waiving *waiving)
{
	return waiving->subject ? waiving->subject : waiving->fingerprint;
}

void waivers_tell_unmatched(const struct waivers *waivers, size_t image, struct findings *findings)
{
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < waivers->n; i++) {
		const struct waiving *waiving = &waivers->items[i];
		const char *message = why_unmatched(waiving, WAIVERS_CHECK, &arena);
		const char *id = waiving->rule ? waiving->id : waiving->fingerprint;
		struct finding finding = {.kind = "waiver",
					  .severity = SEVERITY_WARNING,
					  .outcome = waiving->id ? OUTCOME_BROKEN : OUTCOME_MISSING,
					  .pack = waiving->waiver.pos,
					  .message = message,
					  .why = waiving->waiver.why};

		if (!message || waiving->image != image)
			continue;
		finding.rule = arena_printf(&arena, "waiver/%s", id);
		finding.subject = subject_of(waiving);
		findings_insert(findings, &finding);
		findings->summary.unmatched++;
	}
	arena_release(&arena);
}

const char *waivers_describe_unmatched(const struct waivers *waivers, size_t index,
				       enum waivers_scope scope, struct arena *arena)
{
	const struct waiving *waiving = &waivers->items[index];
	const char *message = why_unmatched(waiving, scope, arena);

	if (!message)
		return NULL;
	return arena_printf(arena, "%s:%u: %s: %s", waiving->waiver.pos.file,
			    waiving->waiver.pos.line, subject_of(waiving), message);
}
