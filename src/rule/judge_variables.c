/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules on variables: finds what they name, and calls the function of the kind. */
#include "base/buf.h"
#include "rule/judge_steps.h"
#include "rule/variable.h"

/* ---- what findings are about ----------------------------------------------------------------- */

const char *variables_text(const struct rule *rule, struct arena *arena)
{
	struct buf buf = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < rule->nitems; i++)
		for (size_t r = 0; r < rule->items[i].n; r++)
			buf_addf(&buf, "%s%s", buf.len ? ", " : "", rule->items[i].refs[r].text);
	for (size_t i = 0; i < rule->nmember_exprs; i++)
		buf_addf(&buf, "%s%s", buf.len ? ", " : "", rule->member_exprs[i].ref.text);
	text = arena_strdup(arena, buf.s);
	buf_release(&buf);
	return text;
}

struct subjects variable_subjects(const struct rule *rule, struct arena *arena)
{
	size_t n = rule->nmember_exprs ? rule->nmember_exprs
		   : rule->kind->each  ? rule->items[0].n
				       : 1;
	struct subjects ret = {arena_array(arena, n, sizeof *ret.items), n};

	for (size_t i = 0; i < n; i++)
		ret.items[i] = rule->nmember_exprs ? rule->member_exprs[i].ref.text
			       : rule->kind->each  ? rule->items[0].refs[i].text
						   : variables_text(rule, arena);
	return ret;
}

/* ---- finding them ---------------------------------------------------------------------------- */

/* The first of its names that there is; what cannot be told is not passed over. */
static enum data_found find_ref(const struct judge *judge, const struct ref *ref, const char **why,
				struct extent *ret)
{
	enum data_found found = DATA_ABSENT;

	for (size_t i = 0; i < ref->nalts && found == DATA_ABSENT; i++)
		found = data_find(judge->layout->data, ref->alts[i], judge->block->source,
				  judge->arena, why, ret);
	if (found == DATA_ABSENT && ref->nalts > 1)
		*why = arena_printf(judge->arena, "none of %s is in this image", ref->text);
	return found;
}

static void judge_not_found(struct judge *judge, const struct ref *ref, enum data_found found,
			    const char *why, struct verdicts *ret)
{
	judge->verdict.subject = ref->text;
	if (found == DATA_UNTOLD)
		judge_unknown(judge, "%s", why);
	else if (ref->optional || judge->rule->optional || judge->block->optional)
		judge_not_applicable(judge, "%s", why);
	else
		judge_missing(judge, "%s", why);
	judge_end(judge, ret);
}

/* False, with a verdict, for a variable without bytes that a kind needs. */
static bool has_bytes(struct judge *judge, const struct ref *ref, const struct extent *extent,
		      struct verdicts *ret)
{
	if (!judge->rule->kind->needs_bytes || extent->size)
		return true;
	judge->verdict.subject = ref->text;
	if (extent->has_size)
		judge_not_applicable(judge, "%s occupies nothing here", extent->name);
	else
		judge_unknown(judge, "the symbol table does not say how large %s is", extent->name);
	judge_end(judge, ret);
	return false;
}

/* ---- one by one ------------------------------------------------------------------------------ */

static void judge_variable(struct judge *judge, const struct ref *ref, struct verdicts *ret)
{
	struct variable_part part = {.ref = ref};
	const char *why = NULL;
	enum data_found found = find_ref(judge, ref, &why, &part.extent);

	if (found != DATA_FOUND) {
		judge_not_found(judge, ref, found, why, ret);
		return;
	}
	if (!has_bytes(judge, ref, &part.extent, ret))
		return;
	judge->variable = &part;
	judge->verdict.subject = ref->text;
	judge->verdict.has_extent = true;
	judge->verdict.extent = part.extent;
	judge_ask(judge, ret);
	judge->variable = NULL;
}

static void judge_exprs(struct judge *judge, struct verdicts *ret)
{
	const struct rule *rule = judge->rule;

	for (size_t i = 0; i < rule->nmember_exprs; i++) {
		judge->verdict.subject = rule->member_exprs[i].ref.text;
		if (judge_pick_expr(judge, &rule->member_exprs[i].exprs, ret))
			judge_variable(judge, &rule->member_exprs[i].ref, ret);
	}
}

/* ---- all at once ----------------------------------------------------------------------------- */

static void find_side(struct judge *judge, const struct item *item, struct variable_side *side,
		      struct verdicts *ret)
{
	*side = (struct variable_side){
		.label = item->label,
		.parts = arena_array(judge->arena, item->n, sizeof *side->parts),
	};
	for (size_t i = 0; i < item->n; i++) {
		struct variable_part part = {.ref = &item->refs[i]};
		const char *why = NULL;
		enum data_found found = find_ref(judge, part.ref, &why, &part.extent);

		if (found != DATA_FOUND)
			judge_not_found(judge, part.ref, found, why, ret);
		else if (has_bytes(judge, part.ref, &part.extent, ret))
			side->parts[side->n++] = part;
	}
}

static void judge_all(struct judge *judge, struct verdicts *ret)
{
	const struct rule *rule = judge->rule;
	size_t before = ret->n, fewest = rule->kind->fewest ? rule->kind->fewest : 1;
	struct variable_side *sides = arena_array(judge->arena, rule->nitems, sizeof *sides);

	for (size_t i = 0; i < rule->nitems; i++) {
		find_side(judge, &rule->items[i], &sides[judge->nvariables], ret);
		if (sides[judge->nvariables].n >= fewest)
			judge->nvariables++;
	}
	judge->variables = sides;
	if (judge->nvariables < (rule->kind->arg == ARG_ITEM ? 1 : 2)) {
		if (ret->n > before) /* said already */
			return;
		judge_not_applicable(judge, "too few of its variables are there to judge");
		judge_end(judge, ret);
		return;
	}
	if (rule->nitems == 1 && sides[0].n == 1) {
		judge->verdict.has_extent = true;
		judge->verdict.extent = sides[0].parts[0].extent;
	}
	judge_ask(judge, ret);
	judge_drop_partial(ret, before);
}

void judge_variables(struct judge *judge, struct verdicts *ret)
{
	const struct data_table *data = judge->layout->data;
	const struct rule *rule = judge->rule;

	if (!data || data->unknown) {
		judge_unknown(judge, "%s", data ? data->unknown : "variables have not been read");
		judge_end(judge, ret);
	} else if (rule->nmember_exprs) {
		judge_exprs(judge, ret);
	} else if (rule->kind->each) {
		for (size_t i = 0; i < rule->items[0].n; i++)
			judge_variable(judge, &rule->items[0].refs[i], ret);
	} else {
		judge_all(judge, ret);
	}
}
