/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What moved: runs of members, each told once, with the lines that they crossed or lost. */
#include <inttypes.h>
#include <stdlib.h>

#include "diff/compare.h"

/* ---- the order of the source --------------------------------------------------------------- */

/*
 * The most members that kept their order, by patience sorting: piles[k] is the last member of the
 * best chain of k + 1 so far, before[i] the one that stands before it in its chain. All others are
 * relocated.
 */
struct chains {
	struct field **piles;
	size_t n;
	struct field **before; /* of the field with that index */
};

static void put(struct chains *chains, struct field *field, size_t index)
{
	size_t low = 0, high = chains->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (chains->piles[middle]->match < field->match)
			low = middle + 1;
		else
			high = middle;
	}
	chains->before[index] = low ? chains->piles[low - 1] : NULL;
	chains->piles[low] = field;
	if (low == chains->n)
		chains->n++;
}

static void mark_relocated(struct comparison *c)
{
	struct fields *new = &c->new;
	struct chains chains = {arena_array(&c->scratch, new->n, sizeof *chains.piles), 0,
				arena_array(&c->scratch, new->n, sizeof *chains.before)};
	struct field *field;

	for (size_t i = 0; i < new->n; i++) {
		if (!new->items[i].match)
			continue;
		new->items[i].relocated = true;
		put(&chains, &new->items[i], i);
	}
	field = chains.n ? chains.piles[chains.n - 1] : NULL;
	for (; field; field = chains.before[field - new->items])
		field->relocated = false;
	for (size_t i = 0; i < new->n; i++)
		if (new->items[i].match)
			new->items[i].match->relocated = new->items[i].relocated;
}

/* ---- runs --------------------------------------------------------------------------------------
 */

static int64_t moved_by(const struct field *field)
{
	return (int64_t)(field->bit_offset - field->match->bit_offset);
}

static bool can_move(const struct field *field)
{
	return field->match && field_occupies(field) && field_occupies(field->match);
}

/*
 * A field that stands behind a run and belongs to none: it ends the run, unless it begins before
 * it: then it lies beside the run, as the alternatives of a union do.
 */
static bool ends_run(const struct run *run, const struct field *field)
{
	return moved_by(field) || field->bit_offset >= run->first->bit_offset;
}

/* The members of runs know them. */
static void attach_runs(struct comparison *c)
{
	for (size_t i = 0; i < c->nruns; i++) {
		const struct run *run = &c->runs[i];

		for (struct field *field = run->first; field <= run->last; field++)
			if (can_move(field) && moved_by(field) == run->bits)
				field->run = run;
	}
}

static void close_run(struct comparison *c, struct run *run)
{
	if (run->n)
		c->runs[c->nruns++] = *run;
	*run = (struct run){0};
}

void find_runs(struct comparison *c)
{
	struct run run = {0};

	mark_relocated(c);
	c->runs = arena_array(&c->scratch, c->new.n, sizeof *c->runs);
	c->nruns = 0;
	for (size_t i = 0; i < c->new.n; i++) {
		struct field *field = &c->new.items[i];

		if (!can_move(field))
			continue;
		if (run.n &&
		    (moved_by(field) != run.bits || field->relocated != run.first->relocated)) {
			if (!ends_run(&run, field))
				continue;
			close_run(c, &run);
		}
		if (!moved_by(field))
			continue;
		if (!run.n)
			run = (struct run){.first = field, .bits = moved_by(field)};
		run.last = field;
		run.n++;
	}
	run.to_end = run.n > 1;
	close_run(c, &run);
	for (size_t i = 0; i < c->nruns; i++)
		explain_run(c, &c->runs[i]);
	attach_runs(c);
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Members of a run of which something is so: they went to another line, they lost their start. */
struct picked {
	const struct field **items;
	size_t n;
};

static bool crossed(const struct comparison *c, const struct field *field)
{
	struct line_span was, now;

	return c->line && field_lines(field, c->line, &now) &&
	       field_lines(field->match, c->line, &was) && was.first != now.first;
}

static bool lost_start(const struct comparison *c, const struct field *field)
{
	uint64_t line_bits = c->line * 8;

	return line_bits && field->match->bit_offset % line_bits == 0 &&
	       field->bit_offset % line_bits != 0;
}

static struct picked pick(struct comparison *c, const struct run *run,
			  bool (*is_so)(const struct comparison *c, const struct field *field))
{
	struct picked picked = {arena_array(&c->scratch, run->n, sizeof *picked.items), 0};

	for (const struct field *field = run->first; field <= run->last; field++)
		if (field->run == run && is_so(c, field))
			picked.items[picked.n++] = field;
	return picked;
}

static uint64_t line_of(const struct comparison *c, const struct field *field)
{
	return field->bit_offset / (c->line * 8);
}

/* ---- telling --------------------------------------------------------------------------------- */

/* "+8", "-16", "+3 bits" */
static const char *delta_text(int64_t bits, struct arena *arena)
{
	if (bits % 8 == 0)
		return arena_printf(arena, "%+" PRId64, bits / 8);
	return arena_printf(arena, "%+" PRId64 " bit%s", bits, bits == 1 || bits == -1 ? "" : "s");
}

/* ", from line 1 to line 2"; of several members only when all of them do that. */
static const char *crossing_text(const struct comparison *c, const struct run *run,
				 const struct picked *crossing)
{
	const struct field *first, *last;
	const char *lines;

	if (!crossing->n)
		return "";
	first = crossing->items[0];
	last = crossing->items[crossing->n - 1];
	lines = arena_printf(c->arena, "from line %" PRIu64 " to line %" PRIu64,
			     line_of(c, first->match), line_of(c, first));
	if (crossing->n == run->n && line_of(c, first->match) == line_of(c, last->match) &&
	    line_of(c, first) == line_of(c, last))
		return arena_printf(c->arena, "; %s", lines);
	if (crossing->n == 1)
		return arena_printf(c->arena, "; `%s` went %s", first->path, lines);
	return arena_printf(c->arena, "; `%s` went %s, and %zu more onto other lines", first->path,
			    lines, crossing->n - 1);
}

static const char *run_text(const struct comparison *c, const struct run *run)
{
	const char *delta = delta_text(run->bits, c->arena), *text;

	if (run->n == 1)
		text = arena_printf(c->arena, "%s for `%s`", delta, run->first->path);
	else if (run->to_end)
		text = arena_printf(c->arena, "%s from `%s` on", delta, run->first->path);
	else
		text = arena_printf(c->arena, "%s from `%s` to `%s`", delta, run->first->path,
				    run->last->path);
	return run->by ? arena_printf(c->arena, "%s, %s", text, run->by) : text;
}

/* All of it bit-fields that stay in their storage units. */
static bool is_within_units(const struct run *run)
{
	for (const struct field *field = run->first; field <= run->last; field++) {
		uint64_t unit = type_strip(field->member->type)->bits;

		if (field->run != run)
			continue;
		if (!field->member->is_bitfield || !field->match->member->is_bitfield || !unit ||
		    field->bit_offset / unit != field->match->bit_offset / unit)
			return false;
	}
	return true;
}

/* The place of a run: from its first member to the end of its last. */
static void place_run(const struct comparison *c, const struct run *run, struct change *change)
{
	uint64_t end = 0;

	change_place(c, run->first, change);
	for (const struct field *field = run->first; field <= run->last; field++)
		if (field->run == run && field_end(field) > end)
			end = field_end(field);
	if (end > change->bit_offset)
		change->bit_size = end - change->bit_offset;
	change->members = run->n;
	change->cause = run->because;
}

static void tell_run(struct comparison *c, const struct run *run)
{
	struct picked crossing = pick(c, run, crossed);
	const struct field *first = run->first;
	struct change change;

	if (is_within_units(run))
		change = change_new(CHANGE_BITFIELD);
	else
		change = change_new(crossing.n ? CHANGE_CROSSED_LINE : CHANGE_MOVED);
	place_run(c, run, &change);
	change.message =
		arena_printf(c->arena, "%s%s", run_text(c, run), crossing_text(c, run, &crossing));
	if (change.kind == CHANGE_CROSSED_LINE) {
		if (run->bits % (int64_t)(c->line * 8) == 0)
			change.severity = SEVERITY_NOTE;
		first = crossing.items[0];
		change.was = arena_printf(c->arena, "line %" PRIu64, line_of(c, first->match));
		change.now = arena_printf(c->arena, "line %" PRIu64, line_of(c, first));
	} else if (change.kind == CHANGE_BITFIELD) {
		change.was = arena_printf(c->arena, "bit %" PRIu64, first->match->bit_offset);
		change.now = arena_printf(c->arena, "bit %" PRIu64, first->bit_offset);
	} else {
		change.was =
			arena_printf(c->arena, "offset %" PRIu64, first->match->bit_offset / 8);
		change.now = arena_printf(c->arena, "offset %" PRIu64, first->bit_offset / 8);
	}
	compare_add(c, &change);
}

static void tell_lost_start(struct comparison *c, const struct run *run)
{
	struct picked lost = pick(c, run, lost_start);
	struct change change = change_new(CHANGE_STARTS_LINE);
	const struct field *first;
	uint64_t behind;

	if (!lost.n)
		return;
	first = lost.items[0];
	change_place(c, first, &change);
	change.members = lost.n;
	change.was = arena_printf(c->arena, "offset %" PRIu64, first->match->bit_offset / 8);
	change.now = arena_printf(c->arena, "offset %" PRIu64, first->bit_offset / 8);
	behind = first->bit_offset % (c->line * 8) / 8;
	change.message = arena_printf(
		c->arena,
		"%s no longer start%s a line: `%s` lies %" PRIu64 " byte%s behind its start",
		name_list(lost.items, lost.n, c->arena), lost.n == 1 ? "s" : "", first->path,
		behind, behind == 1 ? "" : "s");
	change.cause = run->because;
	compare_add(c, &change);
}

void compare_moves(struct comparison *c)
{
	for (size_t i = 0; i < c->nruns; i++) {
		tell_run(c, &c->runs[i]);
		tell_lost_start(c, &c->runs[i]);
	}
}
