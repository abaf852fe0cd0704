/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/finding.h"

#include <stdlib.h>

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

	for (size_t i = 0; i < finding->nnotes; i++)
		notes[i] = arena_strdup(arena, finding->notes[i]);
	finding->notes = notes;
	keep(arena, &finding->rule);
	keep(arena, &finding->kind);
	keep(arena, &finding->subject);
	keep(arena, &finding->member);
	keep(arena, &finding->pack.file);
	keep(arena, &finding->measured);
	keep(arena, &finding->wanted);
	keep(arena, &finding->message);
	keep(arena, &finding->cause);
	keep(arena, &finding->why);
	keep(arena, &finding->origin);
}

void findings_add(struct findings *findings, const struct finding *finding)
{
	const char *const named[] = {finding->rule, finding->subject,
				     finding->member ? finding->member : ""};
	struct finding *copy;

	ARRAY_GROW(findings->items, findings->n, findings->cap);
	copy = &findings->items[findings->n++];
	*copy = *finding;
	keep_strings(&findings->arena, copy);
	hash_sha256(named, ARRAY_SIZE(named), copy->fingerprint);
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
