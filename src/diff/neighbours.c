/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who shares a line now and did not before. On each line of the new side most members come from one
 * old line: they are at home, and those that come from another line are the newcomers. What moved
 * as one run is told once. What was added has no line that it comes from: that is told of it
 * anyway.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/math.h"
#include "diff/compare.h"

/* One line of the new side: those that begin there, and the one that reaches furthest into it. */
struct line {
	uint64_t number;
	const struct field **items;
	size_t n;
	bool spanned; /* items[0] begins before it */
};

/* The old line that the member of a new line comes from: where it began, or where it ended when
 * it only reaches into the line. */
static uint64_t origin(const struct comparison *c, const struct line *line, size_t i)
{
	struct line_span was;

	if (!field_lines(line->items[i]->match, c->line, &was))
		return 0;
	return !i && line->spanned ? was.last : was.first;
}

static bool was_on(const struct comparison *c, const struct field *field, uint64_t number)
{
	struct line_span was;

	return field_lines(field->match, c->line, &was) && number >= was.first &&
	       number <= was.last;
}

static int compare_numbers(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return compare_u64(*a, *b);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The old line that most members of a line come from; of equals, the nearest. False: all of them
 * are new. */
static bool find_home(struct comparison *c, const struct line *line, uint64_t *ret)
{
	uint64_t *origins = arena_array(&c->scratch, line->n, sizeof *origins);
	size_t n = 0, best = 0, count = 0;

	for (size_t i = 0; i < line->n; i++)
		if (line->items[i]->match)
			origins[n++] = origin(c, line, i);
	if (n)
		qsort(origins, n, sizeof *origins, compare_numbers);
	for (size_t i = 0; i < n; i++) {
		count = i && origins[i] == origins[i - 1] ? count + 1 : 1;
		if (count > best || (count == best && distance(origins[i], line->number) <
							      distance(*ret, line->number))) {
			best = count;
			*ret = origins[i];
		}
	}
	return n != 0;
}

/* ---- telling --------------------------------------------------------------------------------- */

struct picked {
	const struct field **items;
	size_t n;
};

/* What has been told of each run, and last of what did not move. */
struct told {
	struct change change;
	size_t lines;
};

static size_t run_index(const struct comparison *c, const struct run *run)
{
	return run ? (size_t)(run - c->runs) : c->nruns;
}

/* The newcomers of the line that move with @run, and those at home. */
static void tell_newcomers(struct comparison *c, const struct line *line, uint64_t home,
			   const struct picked *newcomers, const struct picked *residents,
			   struct told *told)
{
	const struct field *first = newcomers->items[0];
	struct change *change = &told->change;
	const char *place;

	told->lines++;
	if (told->lines > 1)
		return;
	*change = change_new(CHANGE_NEIGHBOUR);
	change_place(c, first, change);
	change->members = newcomers->n;
	change->was =
		arena_printf(c->arena, "line %" PRIu64, first->match->bit_offset / 8 / c->line);
	change->now = arena_printf(c->arena, "line %" PRIu64, line->number);
	place = home == line->number ? "there" : arena_printf(c->arena, "on line %" PRIu64, home);
	change->message = arena_printf(
		c->arena, "%s share%s line %" PRIu64 " with %s now, which %s %s",
		name_list(newcomers->items, newcomers->n, c->arena), newcomers->n == 1 ? "s" : "",
		line->number, name_list(residents->items, residents->n, c->arena),
		residents->n == 1 ? "was" : "were", place);
	change->cause = field_because(c, first);
}

/* Those that moved together stand together, in the order of the source. */
static int compare_runs(const void *left, const void *right)
{
	const struct field *a = *(const struct field *const *)left;
	const struct field *b = *(const struct field *const *)right;

	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	return (a > b) - (a < b);
}

static void compare_line(struct comparison *c, const struct line *line, struct told *told)
{
	struct picked residents = {arena_array(&c->scratch, line->n, sizeof *residents.items), 0};
	struct picked strangers = {arena_array(&c->scratch, line->n, sizeof *strangers.items), 0};
	uint64_t home = 0;

	if (!find_home(c, line, &home))
		return;
	for (size_t i = 0; i < line->n; i++) {
		const struct field *field = line->items[i];

		if (!field->match)
			continue;
		if (origin(c, line, i) == home || was_on(c, field, home))
			residents.items[residents.n++] = field;
		else
			strangers.items[strangers.n++] = field;
	}
	if (strangers.n)
		qsort(strangers.items, strangers.n, sizeof *strangers.items, compare_runs);
	for (size_t i = 0, end; i < strangers.n; i = end) {
		const struct run *run = strangers.items[i]->run;
		struct picked mine = {strangers.items + i, 0};

		for (end = i; end < strangers.n && strangers.items[end]->run == run; end++)
			mine.n++;
		tell_newcomers(c, line, home, &mine, &residents, &told[run_index(c, run)]);
	}
}

/* Every line on which a member begins. */
static void compare_lines(struct comparison *c, struct told *told)
{
	uint64_t bits = c->line * 8;
	struct line line = {.items = arena_array(&c->scratch, c->new.n + 1, sizeof *line.items)};

	for (size_t i = 0; i < c->new.n;) {
		const struct field *over;

		line.number = c->new.by_offset[i]->bit_offset / bits;
		line.n = 0;
		over = i ? c->new.reach[i - 1] : NULL;
		line.spanned = over && over->bit_size && field_end(over) > line.number * bits;
		if (line.spanned)
			line.items[line.n++] = over;
		for (; i < c->new.n && c->new.by_offset[i]->bit_offset / bits == line.number; i++)
			if (field_occupies(c->new.by_offset[i]))
				line.items[line.n++] = c->new.by_offset[i];
		compare_line(c, &line, told);
	}
}

void compare_neighbours(struct comparison *c)
{
	struct told *told = arena_array(&c->scratch, c->nruns + 1, sizeof *told);

	if (!c->line)
		return;
	compare_lines(c, told);
	for (size_t i = 0; i <= c->nruns; i++) {
		struct change *change = &told[i].change;

		if (!told[i].lines)
			continue;
		if (told[i].lines > 1)
			change->message = arena_printf(c->arena, "%s; likewise on %zu more line%s",
						       change->message, told[i].lines - 1,
						       told[i].lines == 2 ? "" : "s");
		compare_add(c, change);
	}
}
