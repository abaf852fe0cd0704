/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "rule/cond.h"
#include "rule/kind.h"
#include "rule/scene.h"
#include "rule/variable.h"

/* ---- what to load ---------------------------------------------------------------------------- */

static void rule_wanted(const struct rule *rule, struct want_list *list)
{
	if (rule->when)
		cond_wanted(rule->when, list);
	for (size_t i = 0; i < rule->nplaces; i++)
		want_list_add(list, rule->places[i].type.name);
	if (rule->plus.has_type)
		want_list_add(list, rule->plus.type.name);
}

void check_wanted(const struct packs *packs, const struct target *target, struct want_list *list)
{
	for (size_t p = 0; p < packs->n; p++) {
		const struct pack *pack = &packs->items[p];

		for (size_t b = 0; pack_applies(pack, target) && b < pack->nblocks; b++) {
			const struct block *block = &pack->blocks[b];

			if (!block->of_variables)
				want_list_add(list, block->type.name);
			for (size_t r = 0; r < block->nrules; r++)
				rule_wanted(&block->rules[r], list);
		}
	}
}

bool check_wants_variables(const struct packs *packs, const struct target *target)
{
	for (size_t p = 0; p < packs->n; p++) {
		const struct pack *pack = &packs->items[p];

		for (size_t b = 0; pack_applies(pack, target) && b < pack->nblocks; b++)
			if (pack->blocks[b].of_variables)
				return true;
	}
	return false;
}

bool check_asks_types(const struct packs *packs)
{
	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0; b < packs->items[p].nblocks; b++)
			if (!packs->items[p].blocks[b].of_variables)
				return true;
	return false;
}

bool check_asks_config(const struct packs *packs)
{
	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0; b < packs->items[p].nblocks; b++) {
			const struct block *block = &packs->items[p].blocks[b];

			for (size_t r = 0; r < block->nrules; r++)
				if (block->rules[r].when && cond_asks_config(block->rules[r].when))
					return true;
		}
	return false;
}

/* ---- the run --------------------------------------------------------------------------------- */

struct run {
	const struct layout *layout;
	const struct check_options *options;
	const struct pack *pack; /* whose rules are run */
	struct findings *findings;
	struct notes remarks;
};

static void add_string(struct notes *list, const char *text)
{
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = text;
}

static void count(struct summary *summary, enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_HOLDS:
		summary->holds++;
		break;
	case OUTCOME_BROKEN:
		summary->broken++;
		break;
	case OUTCOME_MISSING:
		summary->missing++;
		break;
	case OUTCOME_UNKNOWN:
		summary->unknown++;
		break;
	case OUTCOME_NOT_APPLICABLE:
		summary->not_applicable++;
		break;
	}
}

/* ---- findings -------------------------------------------------------------------------------- */

/* It holds, but less than --margin is left. */
static bool is_close(const struct check_options *options, const struct verdict *verdict)
{
	return options->has_margin && verdict->outcome == OUTCOME_HOLDS && verdict->has_margin &&
	       verdict->margin < options->margin;
}

static bool is_told(const struct run *run, const struct rule *rule, const struct verdict *verdict)
{
	switch (verdict->outcome) {
	case OUTCOME_BROKEN:
	case OUTCOME_MISSING:
	case OUTCOME_UNKNOWN:
		return true;
	case OUTCOME_HOLDS:
		if (run->pack->tells && rule->kind->tells)
			return true;
		break;
	case OUTCOME_NOT_APPLICABLE:
		break;
	}
	return run->options->all || is_close(run->options, verdict);
}

/* The verdict's own notes, and what there is to say of the definitions of its struct. */
static void collect_notes(struct scene *scene, const struct judge_on *on,
			  const struct verdict *verdict, struct notes *notes)
{
	const struct selection *selection = &scene->selection;
	struct arena *arena = &scene->arena;

	for (size_t i = 0; i < verdict->nnotes; i++)
		add_string(notes, verdict->notes[i]);
	if (!on->def)
		return;
	if (selection->defs.n > 1)
		add_string(notes, arena_printf(arena,
					       "%s has %zu different definitions here; this is the "
					       "one of %s",
					       scene->block->name, selection->defs.n,
					       def_describe(on->def, arena)));
	if (selection->unverified)
		add_string(notes,
			   arena_printf(arena,
					"`source: %s` is not verified: %s does not say where types "
					"are declared",
					scene->block->source,
					layout_source_name(layout_origin(scene->layout))));
}

/* What a finding is about. */
static const char *subject_of(struct scene *scene, const struct rule *rule,
			      const struct verdict *verdict)
{
	if (!scene->block->of_variables)
		return scene->block->name;
	return verdict->subject ? verdict->subject : variables_text(rule, &scene->arena);
}

static const struct waiver *find_waiver(const struct run *run, struct scene *scene,
					const struct rule *rule, const struct verdict *verdict)
{
	if (!run->options->waivers)
		return NULL;
	return waivers_of_finding(run->options->waivers, rule, subject_of(scene, rule, verdict),
				  verdict->member, verdict->outcome);
}

/* Returns whether it is waived. */
static bool add_finding(struct run *run, struct scene *scene, const struct judge_on *on,
			const struct rule *rule, const struct verdict *verdict,
			const struct waiver *waiver)
{
	struct notes notes = {0};
	struct finding finding = {
		.rule = rule->id,
		.kind = rule->kind->name,
		.severity = rule->severity,
		.outcome = verdict->outcome,
		.subject = subject_of(scene, rule, verdict),
		.of_variables = scene->block->of_variables,
		.has_address = verdict->has_extent,
		.address = verdict->extent.start,
		.bytes = verdict->extent.size,
		.section = verdict->has_extent ? verdict->extent.section->name : NULL,
		.member = verdict->member,
		.has_bits = verdict->has_span,
		.bit_offset = verdict->span.bit_offset,
		.bit_size = verdict->span.bit_size,
		.spots = verdict->spots,
		.nspots = verdict->nspots,
		.has_cacheline = verdict->has_cacheline,
		.cacheline = verdict->cacheline,
		.def = on->def,
		.pack = rule->pos,
		.measured = verdict->measured,
		.wanted = verdict->wanted,
		.message = verdict->message,
		.cause = verdict->cause,
		.has_margin = verdict->has_margin,
		.margin = verdict->margin,
		.why = rule->why,
		.origin = rule->origin,
		.waiver = waiver,
		.waived = waiver && !waiver_is_over(run->options->waivers, waiver),
	};

	if (is_close(run->options, verdict)) {
		finding.severity = SEVERITY_NOTE;
		finding.message =
			arena_printf(&scene->arena, "%" PRIu64 " byte%s left: %s", verdict->margin,
				     verdict->margin == 1 ? "" : "s", verdict->message);
	}
	collect_notes(scene, on, verdict, &notes);
	finding.notes = notes.items;
	finding.nnotes = notes.n;
	findings_add(run->findings, &finding);
	free(notes.items);
	return finding.waived;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/*
 * Which definition a pin means cannot be told here. Where all of them come out alike that is no
 * matter; where they do not, the rule's verdict is not known.
 */
static void soften(struct scene *scene, struct verdicts *verdicts)
{
	bool mixed = false;

	for (size_t i = 1; i < scene->n; i++)
		mixed |= verdicts_outcome(&verdicts[i]) != verdicts_outcome(&verdicts[0]);
	for (size_t i = 0; mixed && i < scene->n; i++)
		for (size_t v = 0; v < verdicts[i].n; v++) {
			struct verdict *verdict = &verdicts[i].items[v];

			if (verdict->outcome != OUTCOME_BROKEN &&
			    verdict->outcome != OUTCOME_MISSING)
				continue;
			verdict->outcome = OUTCOME_UNKNOWN;
			verdict->cause = NULL;
			verdict->message = arena_printf(&scene->arena,
							"perhaps not of the definition in %s: %s",
							scene->block->source, verdict->message);
		}
}

/* What a rule has come to, finding by finding. */
struct tally {
	enum outcome outcome; /* the worst */
	enum outcome open;    /* the worst of what is not waived */
	bool waived;          /* something is */
};

static void tell_verdict(struct run *run, struct scene *scene, const struct judge_on *on,
			 const struct rule *rule, const struct verdict *verdict,
			 struct tally *tally)
{
	const struct waiver *waiver = find_waiver(run, scene, rule, verdict);
	bool waived =
		is_told(run, rule, verdict) && add_finding(run, scene, on, rule, verdict, waiver);

	tally->outcome = outcome_worse(tally->outcome, verdict->outcome);
	if (!waived)
		tally->open = outcome_worse(tally->open, verdict->outcome);
	tally->waived |= waived;
}

/* To whoever waives findings of it, each by what it is about. */
static void note_outcome(struct run *run, const struct scene *scene, const struct rule *rule,
			 enum outcome outcome)
{
	struct subjects subjects;

	if (!run->options->waivers)
		return;
	if (!scene->block->of_variables) {
		waivers_note_rule(run->options->waivers, rule, scene->block->name, outcome);
		return;
	}
	subjects = variable_subjects(rule, &run->findings->arena);
	for (size_t i = 0; i < subjects.n; i++)
		waivers_note_rule(run->options->waivers, rule, subjects.items[i], outcome);
}

static void finish_rule(struct run *run, const struct scene *scene, const struct rule *rule,
			const struct tally *tally)
{
	struct summary *summary = &run->findings->summary;

	if (tally->waived &&
	    (tally->open == OUTCOME_HOLDS || tally->open == OUTCOME_NOT_APPLICABLE))
		summary->waived++;
	else
		count(summary, tally->open);
	note_outcome(run, scene, rule, tally->outcome);
}

/* Returns whether a base had to be assumed. */
static bool run_rule(struct run *run, struct scene *scene, const struct rule *rule)
{
	struct verdicts *verdicts = xcalloc(scene->n, sizeof *verdicts);
	struct tally tally = {OUTCOME_NOT_APPLICABLE, OUTCOME_NOT_APPLICABLE, false};
	bool assumed_base = false;

	for (size_t i = 0; i < scene->n; i++)
		judge_rule(&scene->on[i], rule, &verdicts[i]);
	if (scene->selection.unverified)
		soften(scene, verdicts);
	for (size_t i = 0; i < scene->n; i++) {
		assumed_base |= verdicts[i].assumed_base;
		for (size_t v = 0; v < verdicts[i].n; v++)
			tell_verdict(run, scene, &scene->on[i], rule, &verdicts[i].items[v],
				     &tally);
		verdicts_release(&verdicts[i]);
	}
	free(verdicts);
	finish_rule(run, scene, rule, &tally);
	return assumed_base;
}

static void run_block(struct run *run, const struct pack *pack, const struct block *block)
{
	struct scene scene;
	bool assumed_base = false;

	scene_init(&scene, run->layout, run->options->line, pack, block);
	for (size_t i = 0; i < block->nrules; i++)
		assumed_base |= run_rule(run, &scene, &block->rules[i]);
	if (assumed_base)
		add_string(&run->remarks,
			   arena_printf(&run->findings->arena,
					"%s:%u: `alloc` is not said for %s: its objects are taken "
					"to start on a line",
					block->pos.file, block->pos.line, block->name));
	scene_release(&scene);
}

/* ---- packs ----------------------------------------------------------------------------------- */

static const char *image_name(const struct target *target)
{
	return target->module ? target->module : "neither a kernel nor a module";
}

static bool any_applies(const struct packs *packs, const struct target *target)
{
	for (size_t p = 0; p < packs->n; p++) {
		if (pack_applies(&packs->items[p], target))
			return true;
	}
	return false;
}

/* Every rule of a pack for another image; @remark: that is worth saying. */
static void pass_over(struct run *run, const struct pack *pack, bool remark)
{
	const struct target *target = &run->layout->target;
	const char *why =
		arena_printf(&run->findings->arena, "the pack is for %s, and this image is %s",
			     pack->image, image_name(target));
	const struct verdict verdict = {.outcome = OUTCOME_NOT_APPLICABLE, .message = why};

	if (remark)
		add_string(&run->remarks,
			   arena_printf(&run->findings->arena, "%s: %s", pack->file, why));
	for (size_t b = 0; b < pack->nblocks; b++) {
		struct scene scene = {.layout = run->layout, .block = &pack->blocks[b]};
		const struct judge_on on = {.block = scene.block};

		for (size_t r = 0; r < scene.block->nrules; r++) {
			struct tally tally = {OUTCOME_NOT_APPLICABLE, OUTCOME_NOT_APPLICABLE,
					      false};

			tell_verdict(run, &scene, &on, &scene.block->rules[r], &verdict, &tally);
			finish_rule(run, &scene, &scene.block->rules[r], &tally);
		}
		arena_release(&scene.arena);
	}
}

void check_run(const struct packs *packs, const struct layout *layout,
	       const struct check_options *options, struct findings *ret)
{
	struct run run = {.layout = layout, .options = options, .findings = ret};
	const bool is_any = any_applies(packs, &layout->target);

	for (size_t i = 0; i < ret->nremarks; i++)
		add_string(&run.remarks, ret->remarks[i]);
	for (size_t p = 0; p < packs->n; p++) {
		const struct pack *pack = &packs->items[p];

		run.pack = pack;
		if (!pack_applies(pack, &layout->target)) {
			pass_over(&run, pack, !is_any);
			continue;
		}
		for (size_t b = 0; b < pack->nblocks; b++)
			run_block(&run, pack, &pack->blocks[b]);
	}
	ret->remarks = arena_copy(&ret->arena, run.remarks.items, run.remarks.n * sizeof(char *));
	ret->nremarks = run.remarks.n;
	free(run.remarks.items);
}
