/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why members moved, why the type has another size. What stands just before a run on either side is
 * looked at: what was added or grew there opened the gap, what was removed or shrank closed it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "diff/compare.h"

/* Fields before a run that may have moved it; more than a line holds are not looked through. */
enum { FARTHEST = 128 };

struct suspects {
	const struct field *items[FARTHEST]; /* the nearest first */
	size_t n;
};

/* What is to be explained: that @first moved by @bits more than what stands before it. */
struct step {
	const struct field *first;    /* on the new side */
	const struct field *previous; /* matched, on the new side; NULL: none */
	int64_t bits;
};

static int64_t moved_by(const struct field *field)
{
	return (int64_t)(field->bit_offset - field->match->bit_offset);
}

static int64_t grown_by(const struct field *field)
{
	return (int64_t)(field->bit_size - field->match->bit_size);
}

/* The nearest before @field that is on both sides and kept its place in the order. */
static const struct field *previous_match(const struct fields *fields, const struct field *field)
{
	while (field-- > fields->items)
		if (field->match && !field->relocated && field_occupies(field))
			return field;
	return NULL;
}

/* Comes between @previous and @field, or lies over @previous as the alternatives of a union do. */
static bool is_near(const struct field *field, const struct field *previous)
{
	return !previous || field >= previous || field_end(field) > previous->bit_offset;
}

/* Those before @first that have no match, and stand behind or beside @previous. */
static void find_unmatched(const struct fields *fields, const struct field *first,
			   const struct field *previous, struct suspects *ret)
{
	const struct field *field = first;

	ret->n = 0;
	for (size_t i = 0; i < FARTHEST && field-- > fields->items; i++)
		if (!field->match && is_near(field, previous) &&
		    (field->bit_size || field->member->has_align))
			ret->items[ret->n++] = field;
}

/* The nearest one that grew, or with a negative @sign shrank. */
static const struct field *find_resized(const struct fields *fields, const struct step *step,
					int sign)
{
	const struct field *field = step->first;

	for (size_t i = 0; i < FARTHEST && field-- > fields->items; i++)
		if (field->match && is_near(field, step->previous) &&
		    (sign > 0 ? grown_by(field) > 0 : grown_by(field) < 0))
			return field;
	return NULL;
}

/* The nearest one between @previous and @first, on their side, that has another place in the order
 * on the other side. */
static const struct field *find_relocated(const struct fields *fields, const struct field *first,
					  const struct field *previous)
{
	const struct field *field = first;

	for (size_t i = 0; i < FARTHEST && field-- > fields->items && field != previous; i++)
		if (field->relocated && field->bit_size)
			return field;
	return NULL;
}

/* Whole bytes that nothing covers just before @field, on its side. */
static uint64_t hole_before(const struct fields *fields, const struct field *field)
{
	const struct field *before = field_reaching(fields, field->bit_offset);
	uint64_t end = before ? field_end(before) : 0;

	return field->bit_offset > end ? (field->bit_offset - end) / 8 : 0;
}

static const char *bytes(uint64_t n, struct arena *arena)
{
	return arena_printf(arena, "%" PRIu64 " byte%s", n, n == 1 ? "" : "s");
}

/* ---- one step -------------------------------------------------------------------------------- */

static void explain(struct run *run, const char *by, const char *because)
{
	run->by = by;
	run->because = because;
}

/* "x (offset 120, 8 bytes) was added before `failcnt`" */
static const char *happened(const struct comparison *c, const struct suspects *suspects,
			    const char *what, const struct field *first)
{
	const struct field *nearest = suspects->items[0];

	if (suspects->n == 1)
		return arena_printf(c->arena, "%s was %s before `%s`",
				    field_full(nearest, c->arena), what, first->path);
	return arena_printf(c->arena, "%s and %zu more were %s before `%s`",
			    field_full(nearest, c->arena), suspects->n - 1, what, first->path);
}

static bool by_added(const struct comparison *c, const struct step *step, struct run *run)
{
	struct suspects added;
	uint64_t bits = 0;
	const char *by;

	find_unmatched(&c->new, step->first, step->previous, &added);
	if (!added.n)
		return false;
	for (size_t i = 0; i < added.n; i++)
		bits += added.items[i]->bit_size;
	by = arena_printf(c->arena, "opened by %s", name_list(added.items, added.n, c->arena));
	if ((uint64_t)step->bits > bits + 7)
		by = arena_printf(c->arena, "%s with %s of holes", by,
				  bytes(((uint64_t)step->bits - bits) / 8, c->arena));
	explain(run, by, happened(c, &added, "added", step->first));
	return true;
}

static bool by_removed(const struct comparison *c, const struct step *step, struct run *run)
{
	struct suspects removed;
	const struct field *previous = step->previous ? step->previous->match : NULL;

	find_unmatched(&c->old, step->first->match, previous, &removed);
	if (!removed.n)
		return false;
	explain(run,
		arena_printf(c->arena, "closed by the removal of %s",
			     name_list(removed.items, removed.n, c->arena)),
		happened(c, &removed, "removed", step->first));
	return true;
}

static bool by_resized(const struct comparison *c, const struct step *step, struct run *run)
{
	bool grew = step->bits > 0;
	const struct field *field = find_resized(&c->new, step, grew ? 1 : -1);

	if (!field)
		return false;
	explain(run,
		arena_printf(c->arena, "%s by `%s`, which %s", grew ? "pushed" : "pulled",
			     field->path, grew ? "grew" : "shrank"),
		arena_printf(c->arena, "%s %s from %s before `%s`", field_full(field, c->arena),
			     grew ? "grew" : "shrank", field_size(field->match, c->arena),
			     step->first->path));
	return true;
}

static bool by_order(const struct comparison *c, const struct step *step, struct run *run)
{
	const struct field *previous = step->previous, *field;

	if (step->bits > 0) {
		field = find_relocated(&c->new, step->first, previous);
		if (field)
			explain(run,
				arena_printf(c->arena, "pushed by `%s`, which moved before it",
					     field->path),
				arena_printf(c->arena, "%s moved before `%s`",
					     field_full(field, c->arena), step->first->path));
		return field != NULL;
	}
	field = find_relocated(&c->old, step->first->match, previous ? previous->match : NULL);
	if (field)
		explain(run, arena_printf(c->arena, "closed by the move of `%s`", field->path),
			arena_printf(c->arena, "%s moved away from before `%s`",
				     field_full(field, c->arena), step->first->path));
	return field != NULL;
}

static bool by_hole(const struct comparison *c, const struct step *step, struct run *run)
{
	uint64_t now = hole_before(&c->new, step->first);
	uint64_t was = hole_before(&c->old, step->first->match);

	if (step->bits > 0 ? now <= was : now >= was)
		return false;
	if (step->bits > 0)
		explain(run, arena_printf(c->arena, "opened by a hole of %s", bytes(now, c->arena)),
			arena_printf(c->arena, "a hole of %s lies before `%s`",
				     bytes(now, c->arena), step->first->path));
	else
		explain(run,
			arena_printf(c->arena, "%s of the hole before it taken up",
				     bytes(was - now, c->arena)),
			arena_printf(c->arena, "the hole before `%s` shrank from %s to %s",
				     step->first->path, bytes(was, c->arena),
				     bytes(now, c->arena)));
	return true;
}

/* It stands elsewhere in the source: what moved it is whoever wrote it there. */
static void by_itself(const struct comparison *c, struct run *run)
{
	const struct field *previous = run->first, *next = run->last + 1;
	const char *by = NULL;

	while (previous > c->new.items && !(--previous)->match)
		;
	if (run->first > c->new.items && previous->match)
		by = arena_printf(c->arena, "put behind `%s`", previous->path);
	else if (next < c->new.items + c->new.n)
		by = arena_printf(c->arena, "put before `%s`", next->path);
	if (by)
		explain(run, by,
			arena_printf(c->arena, "%s was %s", field_full(run->first, c->arena), by));
}

void explain_run(const struct comparison *c, struct run *run)
{
	struct step step = {run->first, previous_match(&c->new, run->first), run->bits};

	if (step.previous)
		step.bits -= moved_by(step.previous);
	if (run->first->relocated) {
		by_itself(c, run);
		return;
	}
	(void)(step.bits > 0 ? by_added(c, &step, run) : by_removed(c, &step, run));
	if (!run->by && !by_resized(c, &step, run) && !by_order(c, &step, run))
		by_hole(c, &step, run);
}

const char *field_because(const struct comparison *c, const struct field *field)
{
	if (field->run)
		return field->run->because;
	if (field->match && grown_by(field))
		return arena_printf(
			c->arena, "it %s from %s to %s", grown_by(field) > 0 ? "grew" : "shrank",
			field_size(field->match, c->arena), field_size(field, c->arena));
	return NULL;
}

/* ---- the size of the type ----------------------------------------------------------------------
 */

/* The first that begins on a line of which it is the first, and that it was not on. */
static const struct field *find_opener(const struct comparison *c, uint64_t *ret_line)
{
	for (size_t i = 0; i < c->new.n; i++) {
		const struct field *field = c->new.by_offset[i], *before;
		struct line_span now, was;
		uint64_t start;

		if (!field_lines(field, c->line, &now) || !now.first)
			continue;
		start = now.first * c->line * 8;
		before = field_reaching(&c->new, field->bit_offset);
		if (before && field_end(before) > start)
			continue;
		if (field->match && field_lines(field->match, c->line, &was) &&
		    was.first >= now.first)
			continue;
		if (!field->match && start < c->old.bits)
			continue;
		*ret_line = now.first;
		return field;
	}
	return NULL;
}

/* The last before @opener that was added or grew. */
static const struct field *find_filler(const struct comparison *c, const struct field *opener)
{
	const struct field *filler = NULL;

	for (size_t i = 0; i < c->new.n && c->new.by_offset[i]->bit_offset < opener->bit_offset;
	     i++) {
		const struct field *field = c->new.by_offset[i];

		if (field->bit_size && (!field->match || grown_by(field) > 0))
			filler = field;
	}
	return filler;
}

static const char *explain_lines(const struct comparison *c)
{
	const struct field *opener, *filler;
	const char *opened, *what;
	uint64_t line, at;

	opener = find_opener(c, &line);
	if (!opener)
		return NULL;
	opened = arena_printf(
		c->arena, "%s opened line %" PRIu64,
		opener->match ? field_at(opener, c->arena) : field_full(opener, c->arena), line);
	filler = find_filler(c, opener);
	if (!opener->match || !filler)
		return opened;
	at = (field_end(filler) - 1) / (c->line * 8);
	what = filler->match ? "grew before it" : "was added before it";
	if (at + 1 == line)
		what = arena_printf(c->arena, "filled line %" PRIu64, at);
	return arena_printf(c->arena, "%s %s, %s", field_full(filler, c->arena), what, opened);
}

/* "a (8 bytes), b (4 bytes) and 3 more were added", of those without a match. */
static const char *explain_members(const struct comparison *c, const struct fields *fields,
				   const char *what)
{
	const struct field *first = NULL;
	uint64_t bits = 0;
	size_t n = 0;

	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = fields->by_offset[i];

		if (field->match || !field->bit_size)
			continue;
		first = first ? first : field;
		bits += field->bit_size;
		n++;
	}
	if (n < 2)
		return n ? arena_printf(c->arena, "%s was %s", field_full(first, c->arena), what)
			 : NULL;
	return arena_printf(c->arena, "`%s` and %zu more, %s together, were %s", first->path, n - 1,
			    bytes((bits + 7) / 8, c->arena), what);
}

static const char *explain_resized(const struct comparison *c, bool grew)
{
	const struct field *most = NULL;

	for (size_t i = 0; i < c->new.n; i++) {
		const struct field *field = &c->new.items[i];
		int64_t by = field->match ? grown_by(field) : 0;

		if (grew ? by > 0 && (!most || by > grown_by(most))
			 : by < 0 && (!most || by < grown_by(most)))
			most = field;
	}
	if (!most)
		return NULL;
	return arena_printf(c->arena, "`%s` %s from %s to %s", most->path, grew ? "grew" : "shrank",
			    field_size(most->match, c->arena), field_size(most, c->arena));
}

const char *explain_size(const struct comparison *c)
{
	bool grew = c->new.bits > c->old.bits;
	uint64_t line_bits = c->line * 8;
	const char *cause = NULL;

	if (grew && line_bits &&
	    (c->new.bits + line_bits - 1) / line_bits > (c->old.bits + line_bits - 1) / line_bits)
		cause = explain_lines(c);
	if (!cause)
		cause = grew ? explain_members(c, &c->new, "added")
			     : explain_members(c, &c->old, "removed");
	if (!cause)
		cause = explain_resized(c, grew);
	return cause;
}
