/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules judged on both sides: promises newly broken, with what broke them, and margins that shrank.
 */
#include <inttypes.h>
#include <string.h>

#include "diff/compare.h"

/* How one rule fared on the old side, on the definition that became this one. */
struct before {
	enum outcome outcome; /* the worst */
	bool found, has_margin;
	uint64_t margin;       /* the least */
	const struct def *def; /* the first it was judged on; NULL: none */
};

static struct before judged_before(const struct comparison *c, const struct finding *now,
				   const struct def *def)
{
	const struct findings *findings = c->options->old_findings;
	struct before before = {.outcome = OUTCOME_NOT_APPLICABLE};

	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->items[i];

		if (strcmp(finding->rule, now->rule) != 0 ||
		    (def && finding->def && finding->def != def) ||
		    (now->of_variables && strcmp(finding->subject, now->subject) != 0))
			continue;
		before.found = true;
		before.def = before.def ? before.def : finding->def;
		before.outcome = outcome_worse(before.outcome, finding->outcome);
		if (finding->has_margin && (!before.has_margin || finding->margin < before.margin))
			before.margin = finding->margin;
		before.has_margin |= finding->has_margin;
	}
	return before;
}

static struct change change_of(const struct comparison *c, enum change_kind kind,
			       const struct finding *finding)
{
	struct change change = change_new(kind);

	change.of_variables = finding->of_variables;
	change.member = finding->member ? arena_strdup(c->arena, finding->member) : NULL;
	change.members = finding->member != NULL;
	change.has_bits = finding->has_bits;
	change.bit_offset = finding->bit_offset;
	change.bit_size = finding->bit_size;
	change.has_cacheline = finding->has_cacheline;
	change.cacheline = finding->cacheline;
	change.rule = finding->rule;
	change.pack = finding->pack;
	change.finding = finding;
	return change;
}

static void tell_broken(struct comparison *c, const struct finding *finding,
			const struct before *before)
{
	struct change change = change_of(c, CHANGE_RULE_BROKEN, finding);

	/* Of a pair, both are known. */
	if (!c->pair)
		change.old_def = before->def;

	change.severity = finding->severity;
	change.waived = finding->waived;
	change.waiver = finding->waiver;
	change.was = outcome_name(OUTCOME_HOLDS);
	change.now = outcome_name(finding->outcome);
	change.message = arena_printf(c->arena, "%s %s: %s", finding->rule,
				      finding->outcome == OUTCOME_BROKEN
					      ? "held and is broken"
					      : "held and has lost what it speaks of",
				      finding->message);
	change.cause = diff_cause(c->changes, finding);
	if (!change.cause)
		change.cause = finding->cause;
	compare_add(c, &change);
}

static void tell_margin(struct comparison *c, const struct finding *finding, uint64_t was)
{
	struct change change = change_of(c, CHANGE_MARGIN, finding);

	change.was = arena_printf(c->arena, "%" PRIu64, was);
	change.now = arena_printf(c->arena, "%" PRIu64, finding->margin);
	change.message =
		arena_printf(c->arena, "%s holds with %" PRIu64 " bytes to spare, and had %" PRIu64,
			     finding->rule, finding->margin, was);
	compare_add(c, &change);
}

static void compare_rule(struct comparison *c, const struct finding *finding)
{
	struct before before = judged_before(c, finding, c->pair ? c->pair->old : NULL);

	if (!before.found || before.outcome != OUTCOME_HOLDS)
		return;
	if (finding->outcome == OUTCOME_BROKEN || finding->outcome == OUTCOME_MISSING)
		tell_broken(c, finding, &before);
	else if (finding->outcome == OUTCOME_HOLDS && finding->has_margin && before.has_margin &&
		 finding->margin < before.margin)
		tell_margin(c, finding, before.margin);
}

void compare_rules(struct comparison *c)
{
	const struct findings *findings = c->options->new_findings;

	for (size_t i = 0; findings && i < findings->n; i++)
		if (findings->items[i].def == c->pair->new)
			compare_rule(c, &findings->items[i]);
}

static bool is_asked_for(const struct comparison *c, const char *subject)
{
	const char *name = type_ref_parse(c->arena, subject).name;

	for (size_t i = 0; i < c->options->ntypes; i++)
		if (strcmp(type_ref_parse(c->arena, c->options->types[i]).name, name) == 0)
			return true;
	return c->options->ntypes == 0;
}

void compare_lost_rules(struct comparison *c)
{
	const struct findings *findings = c->options->new_findings;

	c->pair = NULL;
	for (size_t i = 0; findings && i < findings->n; i++) {
		if (findings->items[i].def || !is_asked_for(c, findings->items[i].subject))
			continue;
		c->subject = findings->items[i].subject;
		compare_rule(c, &findings->items[i]);
	}
}

size_t rules_in_the_dark(const struct comparison *c)
{
	const struct findings *findings = c->options->new_findings;
	size_t n = 0;

	for (size_t i = 0; findings && i < findings->n; i++) {
		struct before before;

		if (findings->items[i].outcome != OUTCOME_UNKNOWN)
			continue;
		before = judged_before(c, &findings->items[i], NULL);
		n += before.found && before.outcome == OUTCOME_HOLDS;
	}
	return n;
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* How well a change explains the finding; 0: not at all. */
static unsigned fitness(const struct change *change, const struct finding *finding)
{
	bool touches = change->has_bits && finding->has_bits &&
		       finding->bit_offset < change->bit_offset + change->bit_size &&
		       change->bit_offset < finding->bit_offset + finding->bit_size;
	bool same_line = change->has_cacheline && finding->has_cacheline &&
			 change->cacheline == finding->cacheline;

	switch (change->kind) {
	case CHANGE_NEIGHBOUR: /* of two that packs keep apart: only those have a rule's severity */
		return same_line && change->severity > SEVERITY_NOTE && change->cause ? 8 : 0;
	case CHANGE_SIZE:
		return finding->has_bits || finding->has_cacheline ? 1 : 7;
	case CHANGE_CROSSED_LINE:
	case CHANGE_MOVED:
		return touches ? 6 : same_line ? 4 : 0;
	case CHANGE_TYPE_SIZE:
	case CHANGE_REMOVED:
	case CHANGE_ALIGN:
		return touches ? 5 : 0;
	case CHANGE_ADDED:
		return same_line ? 3 : 0;
	default:
		return 0;
	}
}

const char *diff_cause(const struct changes *changes, const struct finding *finding)
{
	const struct change *best = NULL;
	unsigned most = 0;

	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];
		unsigned fit;

		if (!finding->def || change->new_def != finding->def)
			continue;
		fit = fitness(change, finding);
		if (fit > most) {
			most = fit;
			best = change;
		}
	}
	if (!best)
		return NULL;
	return best->cause ? best->cause : best->message;
}
