/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why members moved. What stands just before a run on either side is looked at: what was added or
 * grew there opened the gap, what was removed or shrank closed it.
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

static const char *was_or_were(size_t n)
{
	return n == 1 ? "was" : "were";
}

/* ---- one step -------------------------------------------------------------------------------- */

static void explain(struct run *run, const char *by, const char *because)
{
	run->by = by;
	run->because = because;
}

/*
 * The step leads the other way than the run as a whole: members that were pushed by 16 bytes, and
 * of which one was removed, give a run of +16 and one of +8 behind it.
 */
static bool is_against(const struct step *step, const struct run *run)
{
	return (step->bits > 0) != (run->bits > 0);
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
	const char *names, *by;

	find_unmatched(&c->new, step->first, step->previous, &added);
	if (!added.n)
		return false;
	for (size_t i = 0; i < added.n; i++)
		bits += added.items[i]->bit_size;
	names = name_list(added.items, added.n, c->arena);
	if (is_against(step, run))
		by = arena_printf(c->arena, "after %s %s added", names, was_or_were(added.n));
	else if ((uint64_t)step->bits > bits + 7)
		by = arena_printf(c->arena, "opened by %s with %s of holes", names,
				  bytes_text(((uint64_t)step->bits - bits) / 8, c->arena));
	else
		by = arena_printf(c->arena, "opened by %s", names);
	explain(run, by, happened(c, &added, "added", step->first));
	return true;
}

static bool by_removed(const struct comparison *c, const struct step *step, struct run *run)
{
	struct suspects removed;
	const struct field *previous = step->previous ? step->previous->match : NULL;
	const char *names;

	find_unmatched(&c->old, step->first->match, previous, &removed);
	if (!removed.n)
		return false;
	names = name_list(removed.items, removed.n, c->arena);
	explain(run,
		is_against(step, run)
			? arena_printf(c->arena, "after %s %s removed", names,
				       was_or_were(removed.n))
			: arena_printf(c->arena, "closed by the removal of %s", names),
		happened(c, &removed, "removed", step->first));
	return true;
}

static bool by_resized(const struct comparison *c, const struct step *step, struct run *run)
{
	const struct field *field = find_resized(&c->new, step, step->bits > 0 ? 1 : -1);
	const char *verb = step->bits > 0 ? "grew" : "shrank";

	if (!field)
		return false;
	explain(run,
		is_against(step, run)
			? arena_printf(c->arena, "after `%s` %s", field->path, verb)
			: arena_printf(c->arena, "%s by `%s`, which %s",
				       step->bits > 0 ? "pushed" : "pulled", field->path, verb),
		arena_printf(c->arena, "%s %s from %s before `%s`", field_full(field, c->arena),
			     verb, field_size(field->match, c->arena), step->first->path));
	return true;
}

static void explain_arrival(const struct comparison *c, const struct step *step,
			    const struct field *field, struct run *run)
{
	explain(run,
		arena_printf(c->arena,
			     is_against(step, run) ? "after `%s` moved before it"
						   : "pushed by `%s`, which moved before it",
			     field->path),
		arena_printf(c->arena, "%s moved before `%s`", field_full(field, c->arena),
			     step->first->path));
}

static void explain_departure(const struct comparison *c, const struct step *step,
			      const struct field *field, struct run *run)
{
	explain(run,
		arena_printf(c->arena,
			     is_against(step, run) ? "after `%s` moved away"
						   : "closed by the move of `%s`",
			     field->path),
		arena_printf(c->arena, "%s moved away from before `%s`",
			     field_full(field, c->arena), step->first->path));
}

static bool by_order(const struct comparison *c, const struct step *step, struct run *run)
{
	const struct field *previous = step->previous, *field;

	if (step->bits > 0)
		field = find_relocated(&c->new, step->first, previous);
	else
		field = find_relocated(&c->old, step->first->match,
				       previous ? previous->match : NULL);
	if (field)
		(step->bits > 0 ? explain_arrival : explain_departure)(c, step, field, run);
	return field != NULL;
}

static bool by_hole(const struct comparison *c, const struct step *step, struct run *run)
{
	uint64_t now = hole_before(&c->new, step->first);
	uint64_t was = hole_before(&c->old, step->first->match);

	if (step->bits > 0 ? now <= was : now >= was)
		return false;
	if (step->bits > 0)
		explain(run,
			arena_printf(c->arena, "%s a hole of %s",
				     is_against(step, run) ? "behind" : "opened by",
				     bytes_text(now, c->arena)),
			arena_printf(c->arena, "a hole of %s lies before `%s`",
				     bytes_text(now, c->arena), step->first->path));
	else
		explain(run,
			arena_printf(c->arena, "%s of the hole before it taken up",
				     bytes_text(was - now, c->arena)),
			arena_printf(c->arena, "the hole before `%s` shrank from %s to %s",
				     step->first->path, bytes_text(was, c->arena),
				     bytes_text(now, c->arena)));
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
