/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/compare.h"

#include <inttypes.h>
#include <string.h>

#include "diff/worst.h"

struct change change_new(enum change_kind kind)
{
	return (struct change){.kind = kind, .severity = change_rows[kind].severity};
}

void change_place(const struct comparison *c, const struct field *field, struct change *change)
{
	struct line_span lines;

	change->member = arena_strdup(c->arena, field->path);
	change->members = 1;
	change->has_bits = true;
	change->bit_offset = field->bit_offset;
	change->bit_size = field->bit_size;
	change->has_cacheline = c->line && field_lines(field, c->line, &lines);
	if (change->has_cacheline)
		change->cacheline = lines.first;
}

/*
 * Of what names the change and does not move. The declaring file tells definitions of one name
 * apart.
 */
static void put_fingerprint(const struct comparison *c, struct change *change)
{
	const struct def *def = change->new_def ? change->new_def : change->old_def;
	const char *file = c->pair && c->pair->ambiguous && def && def->has_decl ? def->file : "";
	const char *strings[] = {
		change_rows[change->kind].name,       change->subject,
		change->member ? change->member : "", change->other ? change->other : "",
		change->rule ? change->rule : "",     file};

	hash_sha256(strings, ARRAY_SIZE(strings), change->fingerprint);
}

void compare_add(struct comparison *c, const struct change *change)
{
	struct changes *changes = c->changes;
	struct change *added;

	ARRAY_GROW(changes->items, changes->n, changes->cap);
	added = &changes->items[changes->n++];
	*added = *change;
	added->subject = c->subject;
	if (c->pair) {
		added->old_def = c->pair->old;
		added->new_def = c->pair->new;
	}
	if (c->options->fails[added->kind])
		added->severity = SEVERITY_ERROR;
	put_fingerprint(c, added);
}

const char *bytes_text(uint64_t n, struct arena *arena)
{
	return arena_printf(arena, "%" PRIu64 " byte%s", n, n == 1 ? "" : "s");
}

const char *name_list(const struct field *const *fields, size_t n, struct arena *arena)
{
	switch (n) {
	case 1:
		return arena_printf(arena, "`%s`", fields[0]->path);
	case 2:
		return arena_printf(arena, "`%s` and `%s`", fields[0]->path, fields[1]->path);
	case 3:
		return arena_printf(arena, "`%s`, `%s` and `%s`", fields[0]->path, fields[1]->path,
				    fields[2]->path);
	default:
		return arena_printf(arena, "`%s`, `%s` and %zu more", fields[0]->path,
				    fields[1]->path, n - 2);
	}
}

/* ---- one pair ----------------------------------------------------------------------------------
 */

/* Which function a type is in, no reader says. */
static const char *def_subject(const struct def *def, struct arena *arena)
{
	const char *kind = def->kind == DEF_UNION ? "union " : "";

	if (def->scope && strcmp(def->scope, "()") != 0)
		return arena_printf(arena, "%s%s::%s", kind, def->scope, def->name);
	return *kind ? arena_printf(arena, "%s%s", kind, def->name) : def->name;
}

/* "280 bytes" and, when the line is known, ", 5 lines" */
static const char *extent(const struct comparison *c, const struct def *def)
{
	uint64_t bytes = def->type->bits / 8, lines;

	if (!c->line)
		return arena_printf(c->arena, "%" PRIu64 " bytes", bytes);
	lines = bytes / c->line + (bytes % c->line != 0);
	return arena_printf(c->arena, "%" PRIu64 " bytes, %" PRIu64 " line%s", bytes, lines,
			    lines == 1 ? "" : "s");
}

static void tell_one_side(struct comparison *c, const struct def *def, enum change_kind kind)
{
	struct change change = change_new(kind);
	const char *size = arena_printf(c->arena, "%" PRIu64, def->type->bits / 8);
	bool appeared = kind == CHANGE_APPEARED;

	*(appeared ? &change.now : &change.was) = size;
	change.message = arena_printf(c->arena, "%s: %s", appeared ? "appeared" : "vanished",
				      extent(c, def));
	compare_add(c, &change);
}

static void tell_ambiguous(struct comparison *c)
{
	struct change change = change_new(CHANGE_AMBIGUOUS);
	size_t n = c->pair->others + 1;

	change.was = "1";
	change.now = arena_printf(c->arena, "%zu", n);
	change.message =
		arena_printf(c->arena, "the name has %zu different definitions, and had one", n);
	compare_add(c, &change);
}

static void compare_sides(struct comparison *c)
{
	fields_of(c->pair->old->type, &c->scratch, &c->old);
	fields_of(c->pair->new->type, &c->scratch, &c->new);
	match_fields(c);
	find_runs(c);
	compare_whole(c);
	compare_members(c);
	compare_moves(c);
	compare_gaps(c);
	compare_neighbours(c);
	compare_conflicts(c);
	compare_groups(c);
}

void compare_pair(struct comparison *c, const struct def_pair *pair)
{
	struct changes *changes = c->changes;
	size_t n = changes->n;

	c->pair = pair;
	c->subject = def_subject(pair->new ? pair->new : pair->old, c->arena);
	if (pair->became_ambiguous)
		tell_ambiguous(c);
	if (!pair->old) {
		tell_one_side(c, pair->new, CHANGE_APPEARED);
		changes->summary.appeared++;
		return;
	}
	if (!pair->new) {
		tell_one_side(c, pair->old, CHANGE_VANISHED);
		changes->summary.vanished++;
		return;
	}
	arena_init(&c->scratch);
	compare_sides(c);
	compare_rules(c);
	if (c->worst)
		worst_add_pair(c->worst, c);
	arena_release(&c->scratch);
	changes->summary.compared++;
	changes->summary.changed += changes->n > n;
}
