/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/worst.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_ROWS = 10 };

/* A candidate; the largest scores are told. */
struct entry {
	uint64_t score;
	struct worst_row row;
};

struct entries {
	struct entry *items;
	size_t n, cap;
};

struct worst {
	struct entries lines, bytes, locks;
};

struct worst *worst_new(void)
{
	return xcalloc(1, sizeof(struct worst));
}

void worst_free(struct worst *worst)
{
	if (!worst)
		return;
	free(worst->lines.items);
	free(worst->bytes.items);
	free(worst->locks.items);
	free(worst);
}

static void add(struct entries *entries, uint64_t score, struct worst_row row)
{
	ARRAY_GROW(entries->items, entries->n, entries->cap);
	entries->items[entries->n++] = (struct entry){score, row};
}

/* ---- what grew ------------------------------------------------------------------------------- */

static uint64_t lines_of(uint64_t bits, uint64_t line)
{
	return bits / (line * 8) + (bits % (line * 8) != 0);
}

static void add_lines(struct worst *worst, const struct comparison *c)
{
	uint64_t was, now;

	if (!c->line)
		return;
	was = lines_of(c->old.bits, c->line);
	now = lines_of(c->new.bits, c->line);
	if (now <= was)
		return;
	add(&worst->lines, now - was,
	    (struct worst_row){
		    .subject = c->subject,
		    .was = arena_printf(c->arena, "%" PRIu64 " line%s", was, was == 1 ? "" : "s"),
		    .now = arena_printf(c->arena, "%" PRIu64 " line%s", now, now == 1 ? "" : "s"),
		    .delta = arena_printf(c->arena, "+%" PRIu64, now - was),
	    });
}

/* With --cpus, times the objects that a slab has lost; without, the bytes. */
static void add_bytes(struct worst *worst, const struct comparison *c)
{
	uint64_t was = c->old.bits / 8, now = c->new.bits / 8, before, after, score;
	struct worst_row row = {.subject = c->subject};

	if (now <= was)
		return;
	score = now - was;
	row.was = arena_printf(c->arena, "%" PRIu64 " bytes", was);
	row.now = arena_printf(c->arena, "%" PRIu64 " bytes", now);
	row.delta = arena_printf(c->arena, "+%" PRIu64, score);
	if (c->options->cpus) {
		if (!objects_of(c, c->pair, &before, &after) || after >= before)
			return;
		row.was = arena_printf(c->arena, "%s, %" PRIu64 " a slab", row.was, before);
		row.now = arena_printf(c->arena, "%s, %" PRIu64 " a slab", row.now, after);
		row.delta = arena_printf(c->arena, "%s x %" PRIu64, row.delta, before - after);
		score *= before - after;
	}
	add(&worst->bytes, score, row);
}

void worst_add_pair(struct worst *worst, const struct comparison *c)
{
	add_lines(worst, c);
	add_bytes(worst, c);
}

/* ---- locks ----------------------------------------------------------------------------------- */

static bool is_lock_name(const char *name)
{
	static const char *const names[] = {
		"spinlock_t",      "raw_spinlock_t",   "arch_spinlock_t",     "rwlock_t",
		"arch_rwlock_t",   "local_lock_t",     "seqlock_t",           "seqcount_t",
		"spinlock",        "raw_spinlock",     "qspinlock",           "qrwlock",
		"mutex",           "rt_mutex",         "rt_mutex_base",       "rw_semaphore",
		"semaphore",       "ww_mutex",         "percpu_rw_semaphore", "seqcount",
		"pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t",
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	/* seqcount_spinlock_t and its kin. */
	return name && text_starts_with(name, "seqcount_");
}

static bool is_lock(const struct type *type)
{
	for (unsigned i = 0; type && i < 100; i++, type = type->target) {
		if (is_lock_name(type->name))
			return true;
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_QUALIFIER)
			break;
	}
	return false;
}

void worst_add_straddle(struct worst *worst, const struct comparison *c, const struct field *field)
{
	struct line_span lines;
	const char *was = "not there";

	if (!is_lock(field->member->type) || !field_lines(field, c->line, &lines))
		return;
	if (field->match)
		was = arena_printf(c->arena, "offset %" PRIu64, field->match->bit_offset / 8);
	add(&worst->locks, field->bit_size,
	    (struct worst_row){
		    .subject = c->subject,
		    .member = arena_strdup(c->arena, field->path),
		    .was = was,
		    .now = arena_printf(c->arena, "offset %" PRIu64, field->bit_offset / 8),
		    .delta = arena_printf(c->arena, "lines %" PRIu64 " and %" PRIu64, lines.first,
					  lines.last),
	    });
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	order = strcmp(a->row.subject, b->row.subject);
	if (!order && a->row.member && b->row.member)
		order = strcmp(a->row.member, b->row.member);
	return order ? order : strcmp(a->row.now, b->row.now);
}

static void add_table(struct changes *changes, struct entries *entries, const char *heading)
{
	struct worst_table *table = &changes->worst[changes->nworst];

	if (!entries->n)
		return;
	qsort(entries->items, entries->n, sizeof *entries->items, compare_entries);
	*table = (struct worst_table){.heading = heading};
	table->n = entries->n < MOST_ROWS ? entries->n : MOST_ROWS;
	table->rows = arena_array(&changes->arena, table->n, sizeof *table->rows);
	for (size_t i = 0; i < table->n; i++)
		table->rows[i] = entries->items[i].row;
	changes->nworst++;
}

void worst_finish(struct worst *worst, const struct comparison *c)
{
	struct changes *changes = c->changes;

	changes->worst = arena_array(&changes->arena, 3, sizeof *changes->worst);
	add_table(changes, &worst->lines, "most lines grown");
	add_table(changes, &worst->bytes,
		  c->options->cpus ? "most bytes grown, times objects a slab lost"
				   : "most bytes grown");
	add_table(changes, &worst->locks, "locks that straddle lines now");
}
