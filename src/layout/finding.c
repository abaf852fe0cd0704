/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

const char *severity_name(enum severity severity)
{
	switch (severity) {
	case SEVERITY_NOTE:
		return "note";
	case SEVERITY_WARNING:
		return "warning";
	case SEVERITY_ERROR:
		return "error";
	}
	BUG("no such severity");
}

const char *outcome_name(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_HOLDS:
		return "holds";
	case OUTCOME_BROKEN:
		return "broken";
	case OUTCOME_MISSING:
		return "missing";
	case OUTCOME_UNKNOWN:
		return "unknown";
	case OUTCOME_NOT_APPLICABLE:
		return "not-applicable";
	}
	BUG("no such outcome");
}

static int badness(enum outcome outcome)
{
	static const int table[] = {
		[OUTCOME_NOT_APPLICABLE] = 0, [OUTCOME_HOLDS] = 1,  [OUTCOME_UNKNOWN] = 2,
		[OUTCOME_MISSING] = 3,        [OUTCOME_BROKEN] = 4,
	};

	return table[outcome];
}

enum outcome outcome_worse(enum outcome a, enum outcome b)
{
	return badness(b) > badness(a) ? b : a;
}

void findings_init(struct findings *findings)
{
	*findings = (struct findings){0};
}

void findings_release(struct findings *findings)
{
	arena_release(&findings->arena);
	free(findings->items);
	findings_init(findings);
}

static void keep(struct arena *arena, const char **s)
{
	if (*s)
		*s = arena_strdup(arena, *s);
}

static void keep_strings(struct arena *arena, struct finding *finding)
{
	const char **notes = arena_array(arena, finding->nnotes, sizeof *notes);
	struct spot *spots = arena_array(arena, finding->nspots, sizeof *spots);

	for (size_t i = 0; i < finding->nnotes; i++)
		notes[i] = arena_strdup(arena, finding->notes[i]);
	finding->notes = notes;
	for (size_t i = 0; i < finding->nspots; i++) {
		spots[i] = finding->spots[i];
		keep(arena, &spots[i].path);
	}
	finding->spots = spots;
	keep(arena, &finding->rule);
	keep(arena, &finding->kind);
	keep(arena, &finding->subject);
	keep(arena, &finding->section);
	keep(arena, &finding->member);
	keep(arena, &finding->pack.file);
	keep(arena, &finding->measured);
	keep(arena, &finding->wanted);
	keep(arena, &finding->message);
	keep(arena, &finding->cause);
	keep(arena, &finding->why);
	keep(arena, &finding->origin);
	if (finding->waiver) {
		struct waiver *waiver = arena_copy(arena, finding->waiver, sizeof *finding->waiver);

		keep(arena, &waiver->why);
		keep(arena, &waiver->owner);
		keep(arena, &waiver->until);
		keep(arena, &waiver->pos.file);
		finding->waiver = waiver;
	}
}

void finding_fingerprint(const char *rule, const char *subject, const char *member,
			 char ret[SHA256_HEX])
{
	const char *const named[] = {rule, subject, member ? member : ""};

	hash_sha256(named, ARRAY_SIZE(named), ret);
}

void findings_add(struct findings *findings, const struct finding *finding)
{
	struct finding *copy;

	ARRAY_GROW(findings->items, findings->n, findings->cap);
	copy = &findings->items[findings->n++];
	*copy = *finding;
	keep_strings(&findings->arena, copy);
	finding_fingerprint(copy->rule, copy->subject, copy->member, copy->fingerprint);
}

void findings_insert(struct findings *findings, const struct finding *finding)
{
	size_t at = findings->n;
	struct finding added;

	while (at && strcmp(findings->items[at - 1].pack.file, finding->pack.file) != 0)
		at--;
	findings_add(findings, finding);
	if (!at)
		return;
	added = findings->items[findings->n - 1];
	memmove(&findings->items[at + 1], &findings->items[at],
		(findings->n - 1 - at) * sizeof added);
	findings->items[at] = added;
}

bool findings_judged(const struct findings *findings)
{
	const struct summary *summary = &findings->summary;

	if (summary->holds || summary->broken || summary->missing)
		return true;
	for (size_t i = 0; i < findings->n && summary->waived; i++)
		if (findings->items[i].waived && findings->items[i].outcome != OUTCOME_UNKNOWN)
			return true;
	return false;
}

bool finding_fails(const struct finding *finding, enum severity threshold, bool allow_unknown)
{
	if (finding->waived || finding->severity < threshold)
		return false;
	switch (finding->outcome) {
	case OUTCOME_BROKEN:
	case OUTCOME_MISSING:
		return true;
	case OUTCOME_UNKNOWN:
		return !allow_unknown;
	case OUTCOME_HOLDS:
	case OUTCOME_NOT_APPLICABLE:
		return false;
	}
	BUG("no such outcome");
}
