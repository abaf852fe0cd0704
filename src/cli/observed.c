/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/observed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/text.h"
#include "c2c/advice.h"
#include "cli/c2c_rules.h"
#include "layout/path.h"

/* What is worth a sentence: a hundredth of all HITM. */
enum { WORTH_PARTS = 100 };

static bool is_worth(const struct c2c_report *report, uint64_t hitm)
{
	return hitm && hitm * WORTH_PARTS >= report->total.hitm;
}

/* Two layouts of one image, read at two times: the same definition. */
static bool same_def(const struct def *a, const struct def *b)
{
	return a && b && a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
	       a->type->bits == b->type->bits && a->line == b->line;
}

/* ---- findings ------------------------------------------------------------------------------- */

struct observing {
	const struct packs *packs;
	const struct layout *layout; /* of the recording's image */
	const struct check_options *options;
	const struct c2c_report *report;
	struct arena *arena;
};

/* A rule that keeps members apart costs what its pairs do. */
static uint64_t hitm_of_pairs(const struct observing *observing, const struct finding *finding,
			      const struct c2c_line *line)
{
	const struct def *def = line->object.def;
	struct rule_notes notes = check_notes(observing->packs, observing->layout, def,
					      observing->options, observing->arena);
	uint64_t hitm = 0;

	for (size_t i = 0; i < line->npairs; i++) {
		const struct c2c_pair *pair = &line->pairs[i];

		if (pair->written != pair->read &&
		    c2c_rule_covers(&notes, finding->rule, &line->data[pair->written],
				    &line->data[pair->read]))
			hitm += pair->hitm;
	}
	return hitm;
}

/* Any other, what is on its member; one on the type as a whole, all of the line. */
static uint64_t hitm_of_member(const struct finding *finding, const struct c2c_line *line)
{
	uint64_t hitm = 0;

	if (!finding->has_bits)
		return line->counts.hitm;
	for (size_t i = 0; i < line->ndata; i++) {
		const struct c2c_datum *datum = &line->data[i];
		uint64_t start = datum->member_offset * 8;

		if (datum->member && start < finding->bit_offset + finding->bit_size &&
		    start + max_u64(datum->size, 1) * 8 > finding->bit_offset)
			hitm += datum->counts.hitm;
	}
	return hitm;
}

static void observe(const struct observing *observing, struct finding *finding)
{
	bool is_pair = strcmp(finding->kind, "apart") == 0 || strcmp(finding->kind, "alone") == 0;
	const char **notes;

	for (size_t i = 0; i < observing->report->nlines; i++) {
		const struct c2c_line *line = &observing->report->lines[i];

		if (same_def(line->object.def, finding->def))
			finding->observed += is_pair ? hitm_of_pairs(observing, finding, line)
						     : hitm_of_member(finding, line);
	}
	finding->observed_all = observing->report->total.hitm;
	if (!finding->observed)
		return;
	notes = arena_array(observing->arena, finding->nnotes + 1, sizeof *notes);
	for (size_t i = 0; i < finding->nnotes; i++)
		notes[i] = finding->notes[i];
	notes[finding->nnotes++] = arena_printf(
		observing->arena, "observed: %.2f %% of HITM (%" PRIu64 " of %" PRIu64 ")",
		100.0 * (double)finding->observed / (double)finding->observed_all,
		finding->observed, finding->observed_all);
	finding->notes = notes;
}

/* The most observed first, else as they were. */
static void sort_findings(struct findings *findings)
{
	for (size_t i = 1; i < findings->n; i++) {
		struct finding moved = findings->items[i];
		size_t k = i;

		for (; k > 0 && findings->items[k - 1].observed < moved.observed; k--)
			findings->items[k] = findings->items[k - 1];
		findings->items[k] = moved;
	}
}

static const char *place_of(const struct c2c_line *line, struct arena *arena)
{
	const char *name = line->object.symbol ? line->object.symbol : line->object.type;

	if (!name)
		return arena_printf(arena, "0x%016" PRIx64, line->address);
	return arena_printf(arena, "%s at offset %" PRId64, name, line->object.offset);
}

static void warn_of_uncovered(const struct c2c_report *report, struct arena *arena,
			      struct strings *warnings)
{
	for (size_t i = 0; i < report->nlines; i++) {
		const struct c2c_line *line = &report->lines[i];

		if (line->nrules || !is_worth(report, line->counts.hitm))
			continue;
		strings_add(
			warnings,
			arena_printf(arena,
				     "no rule speaks of the hot line of %s, %.2f %% of HITM: %s, "
				     "%s",
				     place_of(line, arena),
				     100.0 * (double)line->counts.hitm / (double)report->total.hitm,
				     c2c_verdict_name(line->verdict), line->reason));
	}
}

bool observe_findings(const struct strings *recordings, struct source *source,
		      const struct common *common, const struct packs *packs,
		      struct findings *findings, struct strings *warnings, struct err *err,
		      struct recorded *ret)
{
	const struct recorded_options options = {.progress = (enum when)common->progress,
						 .line = common->line};
	const struct check_options check = {.line = common->line};
	struct observing observing = {.packs = packs,
				      .options = &check,
				      .report = &ret->report,
				      .arena = &findings->arena};

	if (!recorded_open(recordings, source, &options, err, ret))
		return false;
	observing.layout = ret->layout;
	c2c_add_rules(packs, ret->layout, &check, &ret->report);
	for (size_t i = 0; i < findings->n; i++)
		observe(&observing, &findings->items[i]);
	sort_findings(findings);
	for (size_t i = 0; i < ret->warnings.n; i++)
		strings_add(warnings, ret->warnings.items[i]);
	warn_of_uncovered(&ret->report, &findings->arena, warnings);
	return true;
}

/* ---- changes --------------------------------------------------------------------------------- */

struct hot_list {
	struct diff_hot *items;
	size_t n, cap;
};

/* The new build's definition of the name; of several the one declared in the same file. */
static const struct def *new_def_of(const struct def *def, const struct layout *after,
				    struct arena *arena)
{
	struct type_ref ref = {.kind = def->kind, .name = def->name};
	struct def_list defs = layout_find(after, ref, arena);

	for (size_t i = 0; i < defs.n; i++)
		if (def->has_decl && defs.defs[i]->has_decl &&
		    strcmp(def->file, defs.defs[i]->file) == 0)
			return defs.defs[i];
	return defs.n ? defs.defs[0] : NULL;
}

/* Lines of the new layout that the member is on, the object beginning where it did in a line. */
static bool new_lines(const struct def *def, const char *member, uint64_t line_size, uint64_t into,
		      struct arena *arena, struct line_span *ret)
{
	struct span span;
	const char *why;

	return path_resolve(def->type, member, arena, &why, &span) == PATH_FOUND &&
	       lines_touched(span.bit_offset, max_u64(span.bit_size, 8), line_size, into, ret);
}

/* @shared: they were on one line. */
static void add_hot(const struct c2c_datum *written, const struct c2c_datum *read, bool shared,
		    uint64_t hitm, uint64_t line_size, uint64_t into, const struct layout *after,
		    struct arena *arena, struct hot_list *list)
{
	const struct def *def = new_def_of(written->def, after, arena);
	struct diff_hot hot = {.subject = written->def->name,
			       .written = written->member,
			       .read = read->member,
			       .hitm = hitm};
	struct line_span a, b;

	if (!def || !new_lines(def, written->member, line_size, into, arena, &a) ||
	    !new_lines(def, read->member, line_size, into, arena, &b)) {
		hot.fate = "gone";
	} else {
		bool shares = a.first <= b.last && b.first <= a.last;

		hot.fate = shares ? (shared ? "stays" : "made") : "fixed";
	}
	if (!shared && strcmp(hot.fate, "made") != 0)
		return;
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = hot;
}

static uint64_t into_line(const struct c2c_line *line, uint64_t line_size)
{
	return (uint64_t)-line->object.offset & (line_size - 1);
}

static void add_pairs(const struct c2c_report *report, const struct c2c_line *line,
		      const struct layout *after, struct arena *arena, struct hot_list *list)
{
	for (size_t i = 0; i < line->npairs; i++) {
		const struct c2c_pair *pair = &line->pairs[i];
		const struct c2c_datum *written = &line->data[pair->written];
		const struct c2c_datum *read = &line->data[pair->read];

		if (pair->written == pair->read || !written->def || written->def != read->def ||
		    !advice_is_due(line, pair))
			continue;
		add_hot(written, read, true, pair->hitm, report->line_size,
			into_line(line, report->line_size), after, arena, list);
	}
}

/* What one line's stores would do to what another line's loads, of the same object. */
static void add_made(const struct c2c_report *report, const struct c2c_line *from,
		     const struct c2c_line *to, const struct layout *after, struct arena *arena,
		     struct hot_list *list)
{
	const struct def *def = from->object.def;

	for (size_t w = 0; w < from->ndata; w++)
		for (size_t r = 0; r < to->ndata; r++) {
			const struct c2c_datum *written = &from->data[w], *read = &to->data[r];

			if (written->def != def || read->def != def || read->counts.stores ||
			    written->counts.stores * C2C_BUSY_PARTS < report->total.stores ||
			    read->counts.loads * C2C_BUSY_PARTS < report->total.loads)
				continue;
			add_hot(written, read, false, read->counts.loads, report->line_size,
				into_line(from, report->line_size), after, arena, list);
		}
}

/* Where the object begins that the line is of. */
static uint64_t base_of(const struct c2c_line *line)
{
	return line->address - (uint64_t)line->object.offset;
}

static int compare_objects(const void *left, const void *right)
{
	const struct c2c_line *a = *(const struct c2c_line *const *)left;
	const struct c2c_line *b = *(const struct c2c_line *const *)right;
	int order = compare_u64((uint64_t)(uint32_t)a->pid, (uint64_t)(uint32_t)b->pid);

	if (!order)
		order = compare_u64(base_of(a), base_of(b));
	if (!order)
		order = strcmp(a->object.def->name, b->object.def->name);
	return order ? order : compare_u64(a->address, b->address);
}

static bool same_object(const struct c2c_line *a, const struct c2c_line *b)
{
	return a->pid == b->pid && a->object.def == b->object.def && base_of(a) == base_of(b);
}

/* All lines that have an object, of whatever list: those of one object are neighbours. */
static const struct c2c_line **lines_by_object(const struct c2c_report *report, size_t *ret_n)
{
	const struct {
		const struct c2c_line *items;
		size_t n;
	} lists[] = {{report->lines, report->nlines},
		     {report->store_lines, report->nstore_lines},
		     {report->quiet_lines, report->nquiet_lines}};
	const struct c2c_line **lines =
		xcalloc(report->nlines + report->nstore_lines + report->nquiet_lines,
			sizeof(struct c2c_line *));
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (size_t k = 0; k < lists[i].n; k++)
			if (lists[i].items[k].object.def)
				lines[n++] = &lists[i].items[k];
	if (n)
		qsort(lines, n, sizeof(struct c2c_line *), compare_objects);
	*ret_n = n;
	return lines;
}

static void add_all_made(const struct c2c_report *report, const struct layout *after,
			 struct arena *arena, struct hot_list *list)
{
	size_t n;
	const struct c2c_line **lines = lines_by_object(report, &n);

	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && same_object(lines[first], lines[end]);)
			end++;
		for (size_t i = first; i < end; i++)
			for (size_t k = first; k < end; k++)
				if (i != k)
					add_made(report, lines[i], lines[k], after, arena, list);
	}
	free(lines);
}

static int compare_pairs(const struct diff_hot *a, const struct diff_hot *b)
{
	int order = strcmp(a->subject, b->subject);

	if (!order)
		order = strcmp(a->written, b->written);
	if (!order)
		order = strcmp(a->read, b->read);
	return order ? order : strcmp(a->fate, b->fate);
}

static int compare_names(const void *left, const void *right)
{
	return compare_pairs(left, right);
}

static int compare_hot(const void *left, const void *right)
{
	const struct diff_hot *a = left, *b = right;
	int order = compare_u64(b->hitm, a->hitm);

	return order ? order : compare_pairs(a, b);
}

/* The same pair of several objects is one. */
static void merge_pairs(struct hot_list *list)
{
	size_t kept = 0;

	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, compare_names);
	for (size_t i = 0; i < list->n; i++) {
		if (kept && compare_pairs(&list->items[kept - 1], &list->items[i]) == 0)
			list->items[kept - 1].hitm += list->items[i].hitm;
		else
			list->items[kept++] = list->items[i];
	}
	list->n = kept;
}

const struct diff_hot *observe_changes(const struct recorded *recorded, const struct layout *after,
				       struct arena *arena, size_t *ret_n)
{
	const struct c2c_report *report = &recorded->report;
	struct hot_list list = {0};
	struct diff_hot *kept;

	for (size_t i = 0; i < report->nlines; i++)
		add_pairs(report, &report->lines[i], after, arena, &list);
	add_all_made(report, after, arena, &list);
	merge_pairs(&list);
	if (list.n)
		qsort(list.items, list.n, sizeof *list.items, compare_hot);
	kept = arena_copy(arena, list.items, list.n * sizeof *list.items);
	free(list.items);
	*ret_n = list.n;
	return kept;
}
