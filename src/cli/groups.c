/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/groups.h"

#include <stdlib.h>
#include <string.h>

#include "rule/kind.h"
#include "rule/select.h"

void groups_release(struct groups *groups)
{
	free(groups->items);
	*groups = (struct groups){0};
}

/* A group's name, the member as written, or of a list its first and how many more. */
static const char *item_name(const struct item *item, struct arena *arena)
{
	if (item->label)
		return item->label;
	if (item->n == 1)
		return item->refs[0].text;
	return arena_printf(arena, "%s and %zu more", item->refs[0].text, item->n - 1);
}

/* Every name that a reference may have; what is not there is passed over by diff. */
static void add_members(const struct item *item, struct arena *arena, struct diff_group *group)
{
	struct diff_members *members;
	size_t n = 0;

	for (size_t i = 0; i < item->n; i++)
		n += item->refs[i].nalts;
	members = arena_array(arena, n, sizeof *members);
	n = 0;
	for (size_t i = 0; i < item->n; i++)
		for (size_t k = 0; k < item->refs[i].nalts; k++)
			members[n++] =
				(struct diff_members){item->refs[i].alts[k], item->refs[i].to};
	group->members = members;
	group->nmembers = n;
}

static struct diff_group *find(struct groups *groups, const struct block *block, const char *name)
{
	for (size_t i = 0; i < groups->n; i++)
		if (strcmp(groups->items[i].type.name, block->type.name) == 0 &&
		    groups->items[i].type.kind == block->type.kind &&
		    strcmp(groups->items[i].name, name) == 0)
			return &groups->items[i];
	return NULL;
}

/* What waives a rule on the new side; NULL when some of its findings are not waived. */
static const struct waiver *waiver_of(const struct findings *findings, const struct rule *rule)
{
	const struct waiver *waiver = NULL;

	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->items[i];

		if (strcmp(finding->rule, rule->id) != 0)
			continue;
		if (finding_fails(finding, SEVERITY_NOTE, false))
			return NULL;
		if (finding->waived && !waiver)
			waiver = finding->waiver;
	}
	return waiver;
}

/* The item is apart from all others of its rule. */
static void add_item(const struct block *block, const struct rule *rule, size_t at,
		     const struct waiver *waiver, struct arena *arena, struct groups *groups)
{
	const struct item *item = &rule->items[at];
	const char *name = item_name(item, arena);
	struct diff_group *group = find(groups, block, name);
	const char **apart;
	size_t n = 0;

	if (!item->n)
		return;
	if (!group) {
		ARRAY_GROW(groups->items, groups->n, groups->cap);
		group = &groups->items[groups->n++];
		*group = (struct diff_group){.type = block->type, .name = name, .waiver = waiver};
		add_members(item, arena, group);
	}
	if (!waiver)
		group->waiver = NULL;
	if (rule->severity > group->severity)
		group->severity = rule->severity;
	apart = arena_array(arena, group->napart + rule->nitems, sizeof *apart);
	for (; n < group->napart; n++)
		apart[n] = group->apart_from[n];
	for (size_t i = 0; i < rule->nitems; i++)
		if (i != at)
			apart[n++] = item_name(&rule->items[i], arena);
	group->apart_from = apart;
	group->napart = n;
}

static void add_block(const struct block *block, const struct findings *findings,
		      struct arena *arena, struct groups *groups)
{
	for (size_t r = 0; r < block->nrules; r++) {
		const struct rule *rule = &block->rules[r];

		const struct waiver *waiver;

		if (strcmp(rule->kind->name, "apart") != 0)
			continue;
		waiver = waiver_of(findings, rule);
		for (size_t i = 0; i < rule->nitems; i++)
			add_item(block, rule, i, waiver, arena, groups);
	}
}

void groups_of_packs(const struct packs *packs, const struct target *target,
		     const struct findings *findings, struct arena *arena, struct groups *ret)
{
	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0;
		     pack_applies(&packs->items[p], target) && b < packs->items[p].nblocks; b++)
			if (!packs->items[p].blocks[b].of_variables)
				add_block(&packs->items[p].blocks[b], findings, arena, ret);
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool is_same(const struct diff_variable *variable, const struct ref *ref, const char *source)
{
	return strcmp(variable->names[0], ref->alts[0]) == 0 &&
	       (source ? variable->source && strcmp(variable->source, source) == 0
		       : !variable->source);
}

static void add_variable(const struct ref *ref, const char *source, struct named_variables *ret)
{
	for (size_t i = 0; i < ret->n; i++)
		if (is_same(&ret->items[i], ref, source))
			return;
	ARRAY_GROW(ret->items, ret->n, ret->cap);
	ret->items[ret->n++] =
		(struct diff_variable){.names = ref->alts, .n = ref->nalts, .source = source};
}

static void add_variables(const struct block *block, struct named_variables *ret)
{
	for (size_t r = 0; r < block->nrules; r++) {
		const struct rule *rule = &block->rules[r];

		for (size_t i = 0; i < rule->nitems; i++)
			for (size_t k = 0; k < rule->items[i].n; k++)
				add_variable(&rule->items[i].refs[k], block->source, ret);
		for (size_t i = 0; i < rule->nmember_exprs; i++)
			add_variable(&rule->member_exprs[i].ref, block->source, ret);
	}
}

void variables_of_packs(const struct packs *packs, const struct target *target,
			struct named_variables *ret)
{
	for (size_t p = 0; p < packs->n; p++)
		for (size_t b = 0;
		     pack_applies(&packs->items[p], target) && b < packs->items[p].nblocks; b++)
			if (packs->items[p].blocks[b].of_variables)
				add_variables(&packs->items[p].blocks[b], ret);
}

void named_variables_release(struct named_variables *variables)
{
	free(variables->items);
	*variables = (struct named_variables){0};
}
