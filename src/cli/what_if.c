/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/what_if.h"

#include <string.h>

#include "cli/common.h"
#include "rule/check.h"

bool what_if_parse(const char *const *texts, size_t n, struct arena *arena, struct edit **ret)
{
	*ret = arena_array(arena, n, sizeof **ret);
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;

		if (edit_parse(texts[i], arena, &err, &(*ret)[i]))
			continue;
		say_error("show: option `--what-if`: %s", err.text);
		err_release(&err);
		return false;
	}
	return true;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static bool is_same_member(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* How the rule fared on that member, or when nothing was said of it as a whole. */
static enum outcome find_outcome(const struct findings *findings, const struct def *def,
				 const struct finding *now)
{
	enum outcome worst = OUTCOME_NOT_APPLICABLE;

	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->items[i];

		if (finding->def != def || strcmp(finding->rule, now->rule) != 0)
			continue;
		if (is_same_member(finding->member, now->member))
			return finding->outcome;
		worst = outcome_worse(worst, finding->outcome);
	}
	return worst;
}

static void compare(const struct findings *before, const struct def *old,
		    const struct findings *after, const struct def *new, struct arena *arena,
		    struct view_edit *ret)
{
	struct view_verdict *verdicts = arena_array(arena, after->n, sizeof *verdicts);

	for (size_t i = 0; i < after->n; i++) {
		const struct finding *now = &after->items[i];
		enum outcome then = find_outcome(before, old, now);

		if (now->def != new || now->outcome == then)
			continue;
		verdicts[ret->nverdicts++] = (struct view_verdict){
			.rule = arena_strdup(arena, now->rule),
			.member = now->member ? arena_strdup(arena, now->member) : NULL,
			.before = then,
			.after = now->outcome,
			.message = arena_strdup(arena, now->message),
			.cause = now->cause ? arena_strdup(arena, now->cause) : NULL,
		};
	}
	ret->verdicts = verdicts;
}

static void judge(const struct packs *packs, const struct layout *layout, uint64_t line,
		  struct findings *ret)
{
	const struct check_options options = {.line = line, .all = true};

	findings_init(ret);
	check_run(packs, layout, &options, ret);
}

/* ---- views ----------------------------------------------------------------------------------- */

/* The layout with another definition instead of @def, which is handed back. */
static const struct def *replace(const struct layout *layout, const struct def *def,
				 const struct def *by, struct arena *arena, struct layout *ret)
{
	*ret = *layout;
	ret->defs = arena_copy(arena, layout->defs, layout->ndefs * sizeof *layout->defs);
	ret->defs[def - layout->defs] = *by;
	return &ret->defs[def - layout->defs];
}

bool what_if_view(const struct def *def, const struct layout *layout, const struct packs *packs,
		  uint64_t line, const struct edit *edits, size_t n, struct arena *arena,
		  struct err *err, struct view *ret)
{
	struct layout *changed = arena_alloc(arena, sizeof *changed);
	struct edited *edited = arena_alloc(arena, sizeof *edited);
	struct view_edit *edit = arena_alloc(arena, sizeof *edit);
	struct view *before = arena_alloc(arena, sizeof *before);
	struct findings then, now;
	const struct def *new;

	if (!edit_apply(def, layout, edits, n, arena, err, edited))
		return false;
	new = replace(layout, def, &edited->def, arena, changed);
	views_make(def, layout, packs, line, arena, before);
	views_make(new, changed, packs, line, arena, ret);
	*edit = (struct view_edit){.edits = edits, .n = n, .edited = edited, .before = before};
	judge(packs, layout, line, &then);
	judge(packs, changed, line, &now);
	compare(&then, def, &now, new, arena, edit);
	findings_release(&then);
	findings_release(&now);
	view_set_edit(ret, edit);
	return true;
}
