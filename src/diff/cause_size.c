/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the type has another size: who opened a line, or what came, went or was resized. */
#include <inttypes.h>
#include <stdlib.h>

#include "diff/compare.h"

static int64_t grown_by(const struct field *field)
{
	return (int64_t)(field->bit_size - field->match->bit_size);
}

/* Lines that it begins behind the one it began on; of a new one, whether it is past the old
	   end. */
static int64_t lines_behind(const struct comparison *c, const struct field *field)
{
	uint64_t line_bits = c->line * 8;

	if (!field->match)
		return field->bit_offset / line_bits >= (c->old.bits + line_bits - 1) / line_bits;
	return (int64_t)(field->bit_offset / line_bits - field->match->bit_offset / line_bits);
}

/* It is the first on its line. */
static bool opens_line(const struct comparison *c, const struct field *field)
{
	const struct field *before = field_reaching(&c->new, field->bit_offset);
	uint64_t line_bits = c->line * 8;

	return !before || field_end(before) <= field->bit_offset / line_bits * line_bits;
}

/* Where all that follows has come to lie on later lines: the first of that, and of its line. */
static const struct field *find_opener(const struct comparison *c)
{
	const struct field *opener = NULL;

	for (size_t i = c->new.n; i-- > 0;) {
		const struct field *field = c->new.by_offset[i];
		int64_t behind;

		if (!field_occupies(field))
			continue;
		behind = lines_behind(c, field);
		if (field->match && behind <= 0)
			break;
		if (behind > 0 && opens_line(c, field))
			opener = field;
	}
	return opener;
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

	opener = find_opener(c);
	if (!opener)
		return NULL;
	line = opener->bit_offset / (c->line * 8);
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

/* What came or went, and how much that is. */
struct members {
	const struct field *first;
	size_t n;
	uint64_t bits;
};

static struct members unmatched(const struct fields *fields)
{
	struct members members = {0};

	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = fields->by_offset[i];

		if (field->match || !field->bit_size)
			continue;
		members.first = members.first ? members.first : field;
		members.bits += field->bit_size;
		members.n++;
	}
	return members;
}

static const char *explain_members(const struct comparison *c, const struct members *members,
				   const char *what)
{
	if (members->n == 1)
		return arena_printf(c->arena, "%s was %s", field_full(members->first, c->arena),
				    what);
	return arena_printf(c->arena, "`%s` and %zu more, %s together, were %s",
			    members->first->path, members->n - 1,
			    bytes_text((members->bits + 7) / 8, c->arena), what);
}

/* The member that grew most, or shrank most; NULL: none did. */
static const struct field *most_resized(const struct comparison *c, bool grew)
{
	const struct field *most = NULL;

	for (size_t i = 0; i < c->new.n; i++) {
		const struct field *field = &c->new.items[i];
		int64_t by = field->match ? grown_by(field) : 0;

		if (grew ? by > 0 && (!most || by > grown_by(most))
			 : by < 0 && (!most || by < grown_by(most)))
			most = field;
	}
	return most;
}

static const char *explain_resized(const struct comparison *c, const struct field *most)
{
	return arena_printf(c->arena, "`%s` %s from %s to %s", most->path,
			    grown_by(most) > 0 ? "grew" : "shrank",
			    field_size(most->match, c->arena), field_size(most, c->arena));
}

const char *explain_size(const struct comparison *c)
{
	bool grew = c->new.bits > c->old.bits;
	uint64_t line_bits = c->line * 8;
	struct members members = unmatched(grew ? &c->new : &c->old);
	const struct field *most = most_resized(c, grew);
	const char *cause = NULL;

	if (grew && line_bits &&
	    (c->new.bits + line_bits - 1) / line_bits > (c->old.bits + line_bits - 1) / line_bits)
		cause = explain_lines(c);
	if (cause)
		return cause;
	if (most && (uint64_t)llabs(grown_by(most)) > members.bits)
		return explain_resized(c, most);
	return members.n ? explain_members(c, &members, grew ? "added" : "removed") : NULL;
}
