/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules that speak of one definition, each told at the members it is about, and the groups. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "rule/check.h"
#include "rule/member.h"
#include "rule/scene.h"

struct note_list {
	struct rule_note *items;
	size_t n, cap;
	struct rule_group *groups;
	size_t ngroups, cap_groups;
	struct arena *arena;
};

static void add_note(struct note_list *list, const struct rule *rule, const char *text,
		     const struct span *span, enum outcome outcome)
{
	struct rule_note note = {.rule = rule->id, .text = text, .outcome = outcome};

	if (span) {
		note.has_bits = true;
		note.path = arena_strdup(list->arena, span->path);
		note.bit_offset = span->bit_offset;
		note.bit_size = span->bit_size;
	}
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = note;
}

/* A group's name, or the members of a list: of a long one how many more there are, as it stands
 * beside each of them. */
static void add_item(struct buf *buf, const struct item *item)
{
	enum { MOST = 4 };
	size_t n = item->n > MOST ? MOST - 2 : item->n;

	if (item->label) {
		buf_adds(buf, item->label);
		return;
	}
	for (size_t i = 0; i < n; i++)
		buf_addf(buf, "%s%s", i ? "+" : "", item->refs[i].text);
	if (n < item->n)
		buf_addf(buf, "+%zu more", item->n - n);
}

/* "starts_line", "together: written", "apart from written, next_fd". */
static const char *item_text(const struct rule *rule, size_t item, struct arena *arena)
{
	struct buf buf = BUF_INIT;
	const char *text, *between = " from ";

	buf_adds(&buf, rule->kind->name);
	if (rule->kind->arg == ARG_ITEM && rule->items[item].n > 1) {
		buf_adds(&buf, ": ");
		add_item(&buf, &rule->items[item]);
	}
	if (rule->kind->arg == ARG_CLASSES)
		buf_addf(&buf, ": %s", rule->items[item].label);
	for (size_t i = 0; rule->kind->arg == ARG_ITEMS && i < rule->nitems; i++) {
		if (i == item)
			continue;
		buf_adds(&buf, between);
		add_item(&buf, &rule->items[i]);
		between = ", ";
	}
	text = arena_strdup(arena, buf.s);
	buf_release(&buf);
	return text;
}

/* A rule judged as a whole, at each of its members. */
static void note_items(struct note_list *list, const struct judge_on *on, const struct rule *rule,
		       enum outcome outcome)
{
	for (size_t i = 0; i < rule->nitems; i++) {
		const char *text = item_text(rule, i, list->arena);

		for (size_t r = 0; r < rule->items[i].n; r++) {
			struct found found;

			member_find(&rule->items[i].refs[r], on->def, on->geometry, on->arena,
				    &found);
			for (size_t p = 0; p < found.n; p++) {
				add_note(list, rule, text, &found.parts[p].span, outcome);
				if (rule->kind->arg == ARG_CLASSES)
					list->items[list->n - 1].access = rule->items[i].label;
			}
		}
	}
}

/* "size: <= 192", "offset: 128", "no_straddle". */
static const char *verdict_text(const struct rule *rule, const struct verdict *verdict,
				struct arena *arena)
{
	if (rule->kind->arg == ARG_ITEM)
		return rule->kind->name;
	if (rule->word)
		return arena_printf(arena, "%s: %s", rule->kind->name, rule->word);
	if (!verdict->wanted)
		return rule->kind->name;
	return arena_printf(arena, "%s: %s", rule->kind->name, verdict->wanted);
}

static void note_verdicts(struct note_list *list, const struct rule *rule,
			  const struct verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->n; i++) {
		const struct verdict *verdict = &verdicts->items[i];
		const char *text = verdict_text(rule, verdict, list->arena);

		if (verdict->outcome == OUTCOME_NOT_APPLICABLE)
			continue;
		/* A member that is not there has no place of its own. */
		if (!verdict->has_span && verdict->member)
			text = arena_printf(list->arena, "%s: %s", text, verdict->member);
		add_note(list, rule, text, verdict->has_span ? &verdict->span : NULL,
			 verdict->outcome);
	}
}

/* note_items() tells the others, at every member. */
static void keep_missing(struct verdicts *verdicts)
{
	size_t n = 0;

	for (size_t i = 0; i < verdicts->n; i++)
		if (verdicts->items[i].outcome == OUTCOME_MISSING)
			verdicts->items[n++] = verdicts->items[i];
	verdicts->n = n;
}

static void note_rule(struct note_list *list, const struct judge_on *on, const struct rule *rule)
{
	struct verdicts verdicts = {0};
	enum outcome outcome;

	judge_rule(on, rule, &verdicts);
	outcome = verdicts_outcome(&verdicts);
	if (rule->nitems && rule->kind->arg != ARG_WORD && !rule->kind->each) {
		if (outcome != OUTCOME_NOT_APPLICABLE)
			note_items(list, on, rule, outcome);
		keep_missing(&verdicts);
	}
	note_verdicts(list, rule, &verdicts);
	verdicts_release(&verdicts);
}

static void note_group(struct note_list *list, const struct judge_on *on, const struct group *group)
{
	for (size_t i = 0; i < group->item.n; i++) {
		struct found found;

		member_find(&group->item.refs[i], on->def, on->geometry, on->arena, &found);
		for (size_t p = 0; p < found.n; p++) {
			const struct span *span = &found.parts[p].span;

			ARRAY_GROW(list->groups, list->ngroups, list->cap_groups);
			list->groups[list->ngroups++] = (struct rule_group){
				.name = group->name,
				.path = arena_strdup(list->arena, span->path),
				.bit_offset = span->bit_offset,
				.bit_size = span->bit_size,
			};
		}
	}
}

static void note_block(struct note_list *list, const struct pack *pack, const struct block *block,
		       const struct layout *layout, const struct def *def, uint64_t line)
{
	struct scene scene;

	if (block->of_variables || strcmp(block->type.name, def->name) != 0)
		return;
	scene_init(&scene, layout, line, pack, block);
	for (size_t i = 0; i < scene.n; i++) {
		if (scene.on[i].def != def)
			continue;
		for (size_t r = 0; r < block->nrules; r++)
			note_rule(list, &scene.on[i], &block->rules[r]);
		for (size_t g = 0; g < block->ngroups; g++)
			note_group(list, &scene.on[i], &block->groups[g]);
	}
	scene_release(&scene);
}

struct rule_notes check_notes(const struct packs *packs, const struct layout *layout,
			      const struct def *def, const struct check_options *options,
			      struct arena *arena)
{
	struct note_list list = {.arena = arena};
	struct rule_notes ret;

	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0;
		     pack_applies(&packs->items[p], &layout->target) && b < packs->items[p].nblocks;
		     b++)
			note_block(&list, &packs->items[p], &packs->items[p].blocks[b], layout, def,
				   options->line);
	ret.n = list.n;
	ret.items = arena_copy(arena, list.items, list.n * sizeof *list.items);
	ret.ngroups = list.ngroups;
	ret.groups = arena_copy(arena, list.groups, list.ngroups * sizeof *list.groups);
	free(list.items);
	free(list.groups);
	return ret;
}
