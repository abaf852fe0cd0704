/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/judge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "rule/judge_steps.h"
#include "rule/member.h"

/* ---- answers --------------------------------------------------------------------------------- */

static const char *format(struct judge *judge, const char *fmt, va_list ap)
{
	struct buf buf = BUF_INIT;
	const char *text;

	buf_vaddf(&buf, fmt, ap);
	text = arena_strdup(judge->arena, buf.s);
	buf_release(&buf);
	return text;
}

static void answer(struct judge *judge, enum outcome outcome, const char *fmt, va_list ap)
{
	if (judge->verdict.message)
		BUG("a kind gave two verdicts");
	judge->verdict.outcome = outcome;
	judge->verdict.message = format(judge, fmt, ap);
}

void judge_holds(struct judge *judge, const char *message, ...)
{
	va_list ap;

	va_start(ap, message);
	answer(judge, OUTCOME_HOLDS, message, ap);
	va_end(ap);
}

void judge_broken(struct judge *judge, const char *message, ...)
{
	va_list ap;

	va_start(ap, message);
	answer(judge, OUTCOME_BROKEN, message, ap);
	va_end(ap);
}

void judge_unknown(struct judge *judge, const char *message, ...)
{
	va_list ap;

	va_start(ap, message);
	answer(judge, OUTCOME_UNKNOWN, message, ap);
	va_end(ap);
}

void judge_not_applicable(struct judge *judge, const char *message, ...)
{
	va_list ap;

	va_start(ap, message);
	answer(judge, OUTCOME_NOT_APPLICABLE, message, ap);
	va_end(ap);
}

void judge_missing(struct judge *judge, const char *message, ...)
{
	va_list ap;

	va_start(ap, message);
	answer(judge, OUTCOME_MISSING, message, ap);
	va_end(ap);
}

void judge_says(struct judge *judge, bool holds, const char *message, ...)
{
	va_list ap;

	va_start(ap, message);
	answer(judge, holds ? OUTCOME_HOLDS : OUTCOME_BROKEN, message, ap);
	va_end(ap);
}

void judge_number(struct judge *judge, uint64_t measured, const char *wanted)
{
	judge->verdict.measured = arena_printf(judge->arena, "%" PRIu64, measured);
	judge->verdict.wanted = wanted;
}

void judge_margin(struct judge *judge, uint64_t bytes)
{
	judge->verdict.has_margin = true;
	judge->verdict.margin = bytes;
}

struct spot *judge_spots(struct judge *judge, size_t n)
{
	struct spot *spots = arena_array(judge->arena, n, sizeof *spots);

	judge->verdict.spots = spots;
	judge->verdict.nspots = n;
	return spots;
}

struct spot spot_of_span(const struct span *span)
{
	return (struct spot){span->path, span->bit_offset, span->bit_size};
}

void judge_note(struct judge *judge, const char *note, ...)
{
	va_list ap;

	ARRAY_GROW(judge->notes.items, judge->notes.n, judge->notes.cap);
	va_start(ap, note);
	judge->notes.items[judge->notes.n++] = format(judge, note, ap);
	va_end(ap);
}

/* ---- from one judge to the next -------------------------------------------------------------- */

static struct judge judge_begin(const struct judge_on *on, const struct rule *rule)
{
	return (struct judge){
		.layout = on->layout,
		.block = on->block,
		.rule = rule,
		.def = on->def,
		.geometry = on->geometry,
		.target = on->target,
		.line = on->target->line,
		.granule = rule->granule ? rule->granule : on->target->line,
		.arena = on->arena,
	};
}

void judge_end(struct judge *judge, struct verdicts *ret)
{
	struct verdict *verdict = &judge->verdict;

	if (!verdict->message)
		BUG("a kind gave no verdict");
	if (verdict->outcome != OUTCOME_HOLDS)
		verdict->has_margin = false;
	if (verdict->outcome != OUTCOME_BROKEN)
		verdict->cause = NULL;
	verdict->nnotes = judge->notes.n;
	verdict->notes =
		arena_copy(judge->arena, judge->notes.items, judge->notes.n * sizeof(char *));
	ARRAY_GROW(ret->items, ret->n, ret->cap);
	ret->items[ret->n++] = *verdict;
	ret->assumed_base |= judge->assumed_base;
	*verdict = (struct verdict){0};
	judge->notes.n = 0;
}

void judge_ask(struct judge *judge, struct verdicts *ret)
{
	const struct kind *kind = judge->rule->kind;

	if (kind->uses_line && !judge->line)
		judge_unknown(judge, "the size of a cache line is not known for this image");
	else
		kind->judge(judge);
	judge_end(judge, ret);
}

/* Sets the member that the next verdict is about. */
static void judge_about(struct judge *judge, const struct ref *ref, const struct span *span)
{
	judge->verdict.member = ref->text;
	judge->verdict.has_span = span != NULL;
	if (span)
		judge->verdict.span = *span;
	/* A range is many members: each goes by its own name. */
	if (span && ref->to)
		judge->verdict.member = span->path;
}

/* ---- members that are not there -------------------------------------------------------------- */

static bool may_be_absent(const struct judge *judge, const struct ref *ref)
{
	return ref->optional || judge->rule->optional;
}

/* A verdict for a member that was not found. */
static void judge_not_found(struct judge *judge, const struct ref *ref, const struct found *found,
			    struct verdicts *ret)
{
	judge_about(judge, ref, NULL);
	if (found->result == PATH_DYNAMIC || (found->result == PATH_INVALID && ref->to))
		judge_unknown(judge, "%s", found->why);
	else if (may_be_absent(judge, ref))
		judge_not_applicable(judge, "%s", found->why);
	else
		judge_missing(judge, "%s", found->why);
	judge_end(judge, ret);
}

/* ---- one by one ------------------------------------------------------------------------------ */

static void judge_presence(struct judge *judge, const struct ref *ref, const struct found *found,
			   struct verdicts *ret)
{
	judge->ref = ref;
	judge->found = found->result;
	judge->absent_why = found->why;
	judge->part = found->n ? found->parts : NULL;
	judge_about(judge, ref, found->n == 1 ? &found->parts[0].span : NULL);
	judge_ask(judge, ret);
}

static void judge_member(struct judge *judge, const struct ref *ref, struct verdicts *ret)
{
	const struct kind *kind = judge->rule->kind;
	struct found found;

	member_find(ref, judge->def, judge->geometry, judge->arena, &found);
	if (kind->asks_presence) {
		judge_presence(judge, ref, &found, ret);
		return;
	}
	if (found.result != PATH_FOUND) {
		judge_not_found(judge, ref, &found, ret);
		return;
	}
	for (size_t i = 0; i < found.n; i++) {
		judge->part = &found.parts[i];
		judge_about(judge, ref, &judge->part->span);
		if (kind->needs_bytes && !span_occupies(&judge->part->span)) {
			judge_not_applicable(judge, "%s occupies nothing here",
					     judge->part->span.path);
			judge_end(judge, ret);
		} else {
			judge_ask(judge, ret);
		}
	}
}

bool judge_pick_expr(struct judge *judge, const struct exprs *exprs, struct verdicts *ret)
{
	bool told;

	judge->expr = exprs_for(exprs, judge->target, &told);
	if (judge->expr)
		return true;
	if (told)
		judge_not_applicable(judge, "the rule has no value for %s and no default",
				     judge->target->arch);
	else
		judge_unknown(judge, "the image does not say its machine, and the rule has a value "
				     "for each");
	judge_end(judge, ret);
	return false;
}

static void judge_member_exprs(struct judge *judge, struct verdicts *ret)
{
	const struct rule *rule = judge->rule;

	for (size_t i = 0; i < rule->nmember_exprs; i++) {
		judge_about(judge, &rule->member_exprs[i].ref, NULL);
		if (judge_pick_expr(judge, &rule->member_exprs[i].exprs, ret))
			judge_member(judge, &rule->member_exprs[i].ref, ret);
	}
}

static void judge_each(struct judge *judge, struct verdicts *ret)
{
	const struct item *item = &judge->rule->items[0];

	for (size_t i = 0; i < item->n; i++)
		judge_member(judge, &item->refs[i], ret);
}

/* ---- all members at once --------------------------------------------------------------------- */

static void keep_part(struct judge *judge, struct side *side, const struct part *part)
{
	if (judge->rule->kind->needs_bytes && !span_occupies(&part->span))
		judge_note(judge, "%s is left out: it occupies nothing here", part->span.path);
	else
		side->parts[side->n++] = *part;
}

/* Finds the members of @item; verdicts for those that are not there go to @ret, notes to the
 * judge. */
static void find_side(struct judge *judge, const struct item *item, struct side *side,
		      struct verdicts *ret)
{
	struct found *found = arena_array(judge->arena, item->n, sizeof *found);
	size_t total = 0;

	for (size_t i = 0; i < item->n; i++) {
		member_find(&item->refs[i], judge->def, judge->geometry, judge->arena, &found[i]);
		total += found[i].n;
	}
	*side = (struct side){.label = item->label};
	side->parts = arena_array(judge->arena, total, sizeof *side->parts);
	for (size_t i = 0; i < item->n; i++) {
		const struct ref *ref = &item->refs[i];

		for (size_t p = 0; p < found[i].n; p++)
			keep_part(judge, side, &found[i].parts[p]);
		if (found[i].result == PATH_FOUND)
			continue;
		if (found[i].result == PATH_ABSENT && may_be_absent(judge, ref)) {
			judge_note(judge, "%s is left out: it is not there", ref->text);
			continue;
		}
		struct notes notes = judge->notes;

		judge->notes = (struct notes){0};
		judge_not_found(judge, ref, &found[i], ret);
		free(judge->notes.items);
		judge->notes = notes;
	}
}

void judge_drop_partial(struct verdicts *ret, size_t before)
{
	if (ret->n > before + 1 && ret->items[ret->n - 1].outcome == OUTCOME_HOLDS)
		ret->n--;
}

static void judge_sides(struct judge *judge, struct verdicts *ret)
{
	const struct rule *rule = judge->rule;
	size_t before = ret->n, fewest = rule->kind->fewest ? rule->kind->fewest : 1;
	size_t least = rule->kind->arg == ARG_ITEM ? 1 : 2;
	struct side *sides = arena_array(judge->arena, rule->nitems, sizeof *sides);

	for (size_t i = 0; i < rule->nitems; i++) {
		find_side(judge, &rule->items[i], &sides[judge->nsides], ret);
		if (sides[judge->nsides].n >= fewest)
			judge->nsides++;
	}
	judge->sides = sides;
	if (judge->nsides < least) {
		if (ret->n > before) /* said already, and worse */
			return;
		judge_not_applicable(judge, "too few of its members are there to judge");
		judge_end(judge, ret);
		return;
	}
	if (rule->nitems == 1 && rule->items[0].n == 1)
		judge_about(judge, &rule->items[0].refs[0],
			    sides[0].n == 1 ? &sides[0].parts[0].span : NULL);
	judge_ask(judge, ret);
	judge_drop_partial(ret, before);
}

/* Members that a parameter names: the kind judges with those that are there. */
static void judge_word(struct judge *judge, struct verdicts *ret)
{
	const struct rule *rule = judge->rule;
	struct side *sides = arena_array(judge->arena, rule->nitems, sizeof *sides);
	size_t before = ret->n;

	for (size_t i = 0; i < rule->nitems; i++)
		find_side(judge, &rule->items[i], &sides[i], ret);
	judge->sides = sides;
	judge->nsides = rule->nitems;
	judge_ask(judge, ret);
	judge_drop_partial(ret, before);
}

/* ---- one rule -------------------------------------------------------------------------------- */

/* @group is part of @item: as a whole, or flattened into its list. */
static bool item_uses(const struct item *item, const struct group *group)
{
	if (item->label && strcmp(item->label, group->name) == 0)
		return true;
	for (size_t i = 0; i < item->ngroups; i++)
		if (strcmp(item->groups[i], group->name) == 0)
			return true;
	return false;
}

/* A group that the rule uses and that the struct has a member of the same name for, or NULL. */
static const struct group *find_clash(const struct judge *judge)
{
	const struct block *block = judge->block;
	const char *why;
	struct span span;

	for (size_t g = 0; g < block->ngroups; g++) {
		const struct group *group = &block->groups[g];

		if (!path_is_valid(group->name, judge->arena, &why) ||
		    path_resolve(judge->def->type, group->name, judge->arena, &why, &span) ==
			    PATH_ABSENT)
			continue;
		for (size_t i = 0; i < judge->rule->nitems; i++)
			if (item_uses(&judge->rule->items[i], group))
				return group;
	}
	return NULL;
}

static void judge_def(struct judge *judge, struct verdicts *ret)
{
	const struct rule *rule = judge->rule;
	const struct group *clash = find_clash(judge);

	if (!judge->def->type->has_size && !rule->kind->asks_presence) {
		judge_unknown(judge, "%s has no size before run time", judge->def->name);
		judge_end(judge, ret);
		return;
	}
	if (clash) {
		judge_unknown(judge,
			      "`%s` is both a group of the pack and a member of %s: rename the "
			      "group",
			      clash->name, judge->block->name);
		judge_end(judge, ret);
		return;
	}
	switch (rule->kind->arg) {
	case ARG_EXPRS:
	case ARG_MEMBER_EXPRS:
	case ARG_EXPRS_OR_MEMBERS:
		if (rule->nmember_exprs)
			judge_member_exprs(judge, ret);
		else if (judge_pick_expr(judge, &rule->exprs, ret))
			judge_ask(judge, ret);
		break;
	case ARG_NUMBER:
	case ARG_PLACES:
		judge_ask(judge, ret);
		break;
	case ARG_WORD:
		judge_word(judge, ret);
		break;
	case ARG_CLASSES:
		judge_sides(judge, ret);
		break;
	case ARG_ITEM:
	case ARG_ITEMS:
		if (rule->kind->each)
			judge_each(judge, ret);
		else
			judge_sides(judge, ret);
		break;
	}
}

/* False, with a verdict, when `when` is not known to be true. */
static bool applies(struct judge *judge, struct verdicts *ret)
{
	const struct cond_context context = {judge->layout, judge->def, judge->arena};
	struct cond_reason reason = {0};

	if (!judge->rule->when)
		return true;
	switch (cond_eval(judge->rule->when, &context, &reason)) {
	case TRUTH_YES:
		return true;
	case TRUTH_NO:
		judge_not_applicable(judge, "`%s` is false here", reason.cond->text);
		break;
	case TRUTH_UNKNOWN:
		judge_unknown(judge, "`%s` cannot be told: %s", reason.cond->text, reason.why);
		break;
	}
	judge_end(judge, ret);
	return false;
}

void judge_rule(const struct judge_on *on, const struct rule *rule, struct verdicts *ret)
{
	struct judge judge = judge_begin(on, rule);

	if (applies(&judge, ret)) {
		if (on->block->of_variables) {
			judge_variables(&judge, ret);
		} else if (on->def) {
			judge_def(&judge, ret);
		} else {
			if (on->untold)
				judge_unknown(&judge, "%s", on->missing);
			else if (on->block->optional || rule->optional)
				judge_not_applicable(&judge, "%s", on->missing);
			else
				judge_missing(&judge, "%s", on->missing);
			judge_end(&judge, ret);
		}
	}
	free(judge.notes.items);
}

void verdicts_release(struct verdicts *verdicts)
{
	free(verdicts->items);
	*verdicts = (struct verdicts){0};
}

enum outcome verdicts_outcome(const struct verdicts *verdicts)
{
	enum outcome worst = OUTCOME_NOT_APPLICABLE;

	for (size_t i = 0; i < verdicts->n; i++)
		worst = outcome_worse(worst, verdicts->items[i].outcome);
	return worst;
}
