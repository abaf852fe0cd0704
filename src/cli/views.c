/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/views.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "report/ci.h"
#include "rule/check.h"

/* ---- what packs say -------------------------------------------------------------------------- */

/* The rule speaks of the row's member, or of something inside it. */
static bool speaks_of(const struct rule_note *note, const struct view_row *row)
{
	const struct spot spot = {note->path, note->bit_offset, note->bit_size};

	/* A row of its own speaks of what is inside. */
	if (note->has_bits && row->head && strchr(note->path, '.'))
		return false;
	return note->has_bits && row->kind == VIEW_MEMBER && view_row_is(row, &spot);
}

static void add_note(const struct rule_note *note, struct arena *arena,
		     const struct view_note **notes, size_t *n)
{
	struct view_note *more = arena_grow(arena, *notes, *n, sizeof *more);

	more[(*n)++] = (struct view_note){note->rule, note->outcome, note->text};
	*notes = more;
}

static void attach_notes(const struct rule_notes *notes, struct arena *arena, struct view *view)
{
	for (size_t i = 0; i < notes->n; i++)
		if (!notes->items[i].has_bits)
			add_note(&notes->items[i], arena, &view->notes, &view->nnotes);
	for (size_t k = 0; k < view->nrows; k++) {
		struct view_row *row = &view->rows[k];

		for (size_t i = 0; i < notes->n; i++) {
			if (!speaks_of(&notes->items[i], row))
				continue;
			add_note(&notes->items[i], arena, &row->notes, &row->nnotes);
			if (notes->items[i].access)
				row->access = notes->items[i].access;
		}
	}
}

void views_make(const struct def *def, const struct layout *layout, const struct packs *packs,
		uint64_t line, struct arena *arena, struct view *ret)
{
	const struct check_options options = {.line = line};
	struct rule_notes notes = check_notes(packs, layout, def, &options, arena);

	view_make(def, &layout->target, arena, ret);
	attach_notes(&notes, arena, ret);
	for (size_t i = 0; i < notes.ngroups; i++) {
		const struct rule_group *group = &notes.groups[i];
		const struct spot spot = {group->path, group->bit_offset, group->bit_size};

		view_group(ret, group->name, &spot, arena);
	}
}

/* ---- findings -------------------------------------------------------------------------------- */

/* A finding that is remarkable, and what it speaks of. */
struct remark {
	const struct finding *finding;
	size_t item;
	bool fails;
};

static int compare_subjects(const struct remark *a, const struct remark *b)
{
	if (a->finding->def != b->finding->def)
		return compare_u64((uintptr_t)a->finding->def, (uintptr_t)b->finding->def);
	return a->finding->def ? 0 : strcmp(a->finding->subject, b->finding->subject);
}

/* Those of one type side by side: failures, then the rest. */
static int compare_remarks(const void *left, const void *right)
{
	const struct remark *a = left, *b = right;
	int order = compare_subjects(a, b);

	if (!order)
		order = b->fails - a->fails;
	return order ? order : compare_u64(a->item, b->item);
}

static struct remark *find_remarks(const struct ci_item *items, size_t n, size_t *ret)
{
	struct remark *remarks = xcalloc(n + 1, sizeof *remarks);

	*ret = 0;
	for (size_t i = 0; i < n; i++)
		if (items[i].is_remarkable)
			remarks[(*ret)++] =
				(struct remark){items[i].finding, i, ci_fails(&items[i])};
	if (*ret)
		qsort(remarks, *ret, sizeof *remarks, compare_remarks);
	return remarks;
}

static void mark_finding(const struct ci_item *item, size_t number, struct arena *arena,
			 struct view *view)
{
	const struct finding *finding = item->finding;
	const struct spot spot = {finding->member, finding->bit_offset, finding->bit_size};
	const struct view_mark mark = {number, item->severity,
				       item->excuse ? item->excuse : item->type, item->message};

	for (size_t i = 0; i < finding->nspots; i++)
		view_mark(view, &finding->spots[i], &mark, arena);
	if (!finding->nspots)
		view_mark(view, finding->has_bits ? &spot : NULL, &mark, arena);
}

static const struct view *draw_findings(const struct check_type *type, const struct ci_item *items,
					const struct layout *layout, const struct packs *packs,
					uint64_t line, struct arena *arena)
{
	struct view *view;

	if (!type->def)
		return NULL;
	view = arena_alloc(arena, sizeof *view);
	views_make(type->def, layout, packs, line, arena, view);
	for (size_t i = 0; i < type->n; i++)
		mark_finding(&items[type->findings[i]], i + 1, arena, view);
	return view;
}

/* Types that something fails of, then the rest; those met first, first. */
static int compare_types(const void *left, const void *right)
{
	const struct check_type *a = left, *b = right;

	if (a->fails != b->fails)
		return b->fails - a->fails;
	return compare_u64(a->findings[0], b->findings[0]);
}

void views_of_findings(struct check_report *report, const struct packs *packs, uint64_t line,
		       struct arena *arena)
{
	size_t n = report->findings->n, nremarks;
	struct ci_item *items = xcalloc(n + 1, sizeof *items);
	struct remark *remarks;
	struct check_type *types, *type = NULL;
	size_t *findings;

	for (size_t i = 0; i < n; i++)
		items[i] = ci_item_of_finding(report, i);
	remarks = find_remarks(items, n, &nremarks);
	types = arena_array(arena, nremarks, sizeof *types);
	findings = arena_array(arena, nremarks, sizeof *findings);
	for (size_t i = 0; i < nremarks; i++) {
		findings[i] = remarks[i].item;
		if (!i || compare_subjects(&remarks[i - 1], &remarks[i]) != 0) {
			type = &types[report->ntypes++];
			*type = (struct check_type){.subject = remarks[i].finding->subject,
						    .def = remarks[i].finding->def,
						    .findings = &findings[i],
						    .fails = remarks[i].fails};
		}
		type->n++;
	}
	for (size_t i = 0; i < report->ntypes; i++)
		types[i].view = draw_findings(&types[i], items, report->layout, packs, line, arena);
	if (report->ntypes)
		qsort(types, report->ntypes, sizeof *types, compare_types);
	report->types = types;
	free(remarks);
	free(items);
}

/* ---- changes --------------------------------------------------------------------------------- */

static struct view *view_side(const struct def *def, const struct layout *layout,
			      const struct packs *packs, uint64_t line, struct arena *arena)
{
	struct view *view;

	if (!def)
		return NULL;
	view = arena_alloc(arena, sizeof *view);
	views_make(def, layout, packs, line, arena, view);
	return view;
}

/* A hole or padding, though it may name the member before it. */
static bool is_of_gap(enum change_kind kind)
{
	return kind == CHANGE_HOLE_OPENED || kind == CHANGE_HOLE_USED || kind == CHANGE_PADDING;
}

/* A member that was removed, a hole that is no more. */
static bool is_of_before(const struct change *change)
{
	return change->kind == CHANGE_REMOVED || (change->kind == CHANGE_HOLE_USED && !change->now);
}

static struct spot spot_of_change(const struct change *change, const struct view *view)
{
	uint64_t padding = view->geometry.padding * 8;

	if (change->kind == CHANGE_PADDING && padding)
		return (struct spot){NULL, view->geometry.type->bits - padding, padding};
	return (struct spot){change->members == 1 && !is_of_gap(change->kind) ? change->member
									      : NULL,
			     change->bit_offset, change->bit_size};
}

/* The place of a change is on the new side, but for what is only on the old one; there the members
 * that it speaks of are marked as they were. */
static void mark_change(const struct change *change, const struct view_mark *mark,
			struct arena *arena, struct view *before, struct view *after)
{
	struct view *side = !after || is_of_before(change) ? before : after;
	const struct finding *finding = change->finding;
	struct spot spot;

	if (!side)
		return;
	spot = spot_of_change(change, side);
	for (size_t i = 0; after && finding && i < finding->nspots; i++)
		view_mark(after, &finding->spots[i], mark, arena);
	if (!finding || !finding->nspots)
		view_mark(side, spot.bit_size || change->has_bits ? &spot : NULL, mark, arena);
	if (side == after && before && !is_of_gap(change->kind) && change->kind != CHANGE_ADDED)
		view_mark_run(before, change->member, change->members, mark, arena);
}

static void draw_changes(struct diff_type *type, const struct diff_report *report,
			 const struct packs *packs, uint64_t line, struct arena *arena)
{
	struct view *old = view_side(type->old_def, report->before, packs, line, arena);
	struct view *new = view_side(type->new_def, report->after, packs, line, arena);

	for (size_t i = 0; i < type->n; i++) {
		const struct change *change = &type->changes[i];
		const struct view_mark mark = {
			.number = i + 1,
			.severity = change->waived ? SEVERITY_NOTE : change->severity,
			.word = change_rows[change->kind].name,
			.text = change->message,
		};

		mark_change(change, &mark, arena, old, new);
	}
	type->before = old;
	type->after = new;
}

/* How bad it is what happened to a type. */
struct rank {
	struct diff_type *type;
	enum severity severity; /* of its worst change */
	size_t row;             /* in a table of the worst, of several the first; SIZE_MAX: none */
	size_t n;               /* changes as severe */
};

static size_t find_row(const struct changes *changes, const char *subject)
{
	size_t row = SIZE_MAX;

	for (size_t i = 0; i < changes->nworst; i++)
		for (size_t k = 0; k < changes->worst[i].n && k < row; k++)
			if (strcmp(changes->worst[i].rows[k].subject, subject) == 0)
				row = k;
	return row;
}

static struct rank rank_of(struct diff_type *type, const struct changes *changes)
{
	struct rank rank = {type, SEVERITY_NOTE, find_row(changes, type->subject), 0};

	for (size_t i = 0; i < type->n; i++) {
		const struct change *change = &type->changes[i];
		enum severity severity = change->waived ? SEVERITY_NOTE : change->severity;

		if (severity > rank.severity)
			rank.n = 0;
		if (severity >= rank.severity) {
			rank.severity = severity;
			rank.n++;
		}
	}
	return rank;
}

/* The worst first; of equals the order of the types. */
static int compare_ranks(const void *a, const void *b)
{
	const struct rank *left = a, *right = b;

	if (left->severity != right->severity)
		return left->severity > right->severity ? -1 : 1;
	if (left->row != right->row)
		return left->row < right->row ? -1 : 1;
	if (left->n != right->n)
		return left->n > right->n ? -1 : 1;
	return left->type < right->type ? -1 : left->type > right->type;
}

void views_of_changes(struct diff_report *report, struct diff_type *types, size_t most,
		      const struct packs *packs, uint64_t line, struct arena *arena)
{
	struct rank *ranks = arena_array(arena, report->ntypes, sizeof *ranks);
	const struct diff_type **ranked = arena_array(arena, report->ntypes, sizeof *ranked);
	size_t n = 0;

	for (size_t i = 0; i < report->ntypes; i++)
		if (types[i].is_remarkable)
			ranks[n++] = rank_of(&types[i], report->changes);
	if (n)
		qsort(ranks, n, sizeof *ranks, compare_ranks);
	report->ndrawn = most && n > most ? most : n;
	for (size_t i = 0; i < n; i++) {
		if (i < report->ndrawn)
			draw_changes(ranks[i].type, report, packs, line, arena);
		ranked[i] = ranks[i].type;
	}
	report->ranked = ranked;
	report->nranked = n;
}
