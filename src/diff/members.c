/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of each member by itself: its name, its type, its alignment, the line it straddles.
 */
#include <inttypes.h>
#include <string.h>

#include "diff/worst.h"

static const char *type_text(const struct field *field)
{
	return field->member->type->spelling ? field->member->type->spelling : "?";
}

/* " on line 1", " on lines 1 to 3", or nothing */
static const char *on_lines(const struct comparison *c, const struct field *field)
{
	struct line_span lines;

	if (!c->line || !field_lines(field, c->line, &lines))
		return "";
	if (lines.first == lines.last)
		return arena_printf(c->arena, " on line %" PRIu64, lines.first);
	return arena_printf(c->arena, " on lines %" PRIu64 " to %" PRIu64, lines.first, lines.last);
}

/* ---- added, removed, renamed ------------------------------------------------------------------
 */

static void tell_added(struct comparison *c, const struct field *field)
{
	struct change change = change_new(CHANGE_ADDED);

	change_place(c, field, &change);
	change.now = arena_printf(c->arena, "offset %" PRIu64, field->bit_offset / 8);
	change.message = arena_printf(c->arena, "`%s` was added at offset %" PRIu64 "%s (%s, %s)",
				      change.member, field->bit_offset / 8, on_lines(c, field),
				      type_text(field), field_size(field, c->arena));
	compare_add(c, &change);
}

static void tell_removed(struct comparison *c, const struct field *field)
{
	struct change change = change_new(CHANGE_REMOVED);

	change_place(c, field, &change);
	change.was = arena_printf(c->arena, "offset %" PRIu64, field->bit_offset / 8);
	change.message =
		arena_printf(c->arena, "`%s` was removed from offset %" PRIu64 "%s (%s, %s)",
			     change.member, field->bit_offset / 8, on_lines(c, field),
			     type_text(field), field_size(field, c->arena));
	compare_add(c, &change);
}

/* What an alternative of a union is called says nothing of the layout. */
static bool is_renamed(const struct field *field)
{
	return strcmp(field->path, field->match->path) != 0 &&
	       (field->parent->kind != TYPE_UNION || field->match->parent->kind != TYPE_UNION);
}

static void tell_renamed(struct comparison *c, const struct field *field)
{
	struct change change = change_new(CHANGE_RENAMED);

	change_place(c, field, &change);
	change.was = arena_strdup(c->arena, field->match->path);
	change.now = change.member;
	change.message = arena_printf(c->arena, "`%s` is called `%s` now", change.was, change.now);
	compare_add(c, &change);
}

/* ---- types --------------------------------------------------------------------------------- */

static void tell_type_size(struct comparison *c, const struct field *field)
{
	const struct field *old = field->match;
	struct change change = change_new(CHANGE_TYPE_SIZE);
	bool same = alike_spelling(type_text(old), type_text(field), false, !c->aligns);
	bool grew = field->member->is_flexible || field->bit_size > old->bit_size;

	change_place(c, field, &change);
	if (old->member->is_flexible)
		grew = false;
	change.was = field_size(old, c->arena);
	change.now = field_size(field, c->arena);
	change.message =
		arena_printf(c->arena, "`%s` %s from %s to %s (%s%s%s)", change.member,
			     grew ? "grew" : "shrank", change.was, change.now,
			     same ? "" : type_text(old), same ? "" : " to ", type_text(field));
	compare_add(c, &change);
}

static void tell_type(struct comparison *c, const struct field *field)
{
	const struct field *old = field->match;
	struct change change = change_new(CHANGE_TYPE);
	const char *was = type_text(old), *now = type_text(field);

	change_place(c, field, &change);
	if (old->member->is_bitfield != field->member->is_bitfield) {
		const char *is_field = arena_printf(c->arena, "a bit-field of %s",
						    old->member->is_bitfield ? was : now);

		was = old->member->is_bitfield ? is_field : was;
		now = field->member->is_bitfield ? is_field : now;
	}
	change.was = was;
	change.now = now;
	if (alike_spelling(was, now, field->member->is_flexible, !c->aligns))
		change.message = arena_printf(c->arena, "%s, the type of `%s`, changed inside", now,
					      change.member);
	else
		change.message = arena_printf(c->arena, "type of `%s` changed from %s to %s",
					      change.member, was, now);
	compare_add(c, &change);
}

static void compare_type(struct comparison *c, const struct field *field)
{
	const struct member *old = field->match->member, *new = field->member;

	if (field->bit_size != field->match->bit_size || old->is_flexible != new->is_flexible)
		tell_type_size(c, field);
	else if (old->is_bitfield != new->is_bitfield ||
		 !alike_spelling(type_text(field->match), type_text(field), new->is_flexible,
				 !c->aligns) ||
		 !alike_types(c->alike, old->type, new->type))
		tell_type(c, field);
}

/* ---- alignment, straddles
 * ------------------------------------------------------------------------ */

static void compare_align(struct comparison *c, const struct field *field)
{
	const struct member *old = field->match->member, *new = field->member;
	const struct type *old_type = c->pair->old->type, *new_type = c->pair->new->type;
	struct change change = change_new(CHANGE_ALIGN);

	if (!c->aligns ||
	    (old->has_align == new->has_align && (!old->has_align || old->align == new->align)))
		return;
	/* The type takes it over from its member, and that has been told. */
	if (old_type->has_align == old->has_align && new_type->has_align == new->has_align &&
	    (!old->has_align || old_type->align == old->align) &&
	    (!new->has_align || new_type->align == new->align))
		return;
	change_place(c, field, &change);
	change.was = align_text(old->has_align, old->align, c->arena);
	change.now = align_text(new->has_align, new->align, c->arena);
	change.message = arena_printf(c->arena, "alignment of `%s` changed from %s to %s",
				      change.member, change.was, change.now);
	compare_add(c, &change);
}

static bool is_straddling(const struct comparison *c, const struct field *field)
{
	return c->line && straddles(field->bit_offset, field->bit_size, c->line);
}

static void compare_straddle(struct comparison *c, const struct field *field)
{
	struct change change = change_new(CHANGE_STRADDLES);
	struct line_span lines;

	if (!is_straddling(c, field) || (field->match && is_straddling(c, field->match)))
		return;
	field_lines(field, c->line, &lines);
	change_place(c, field, &change);
	change.now =
		arena_printf(c->arena, "lines %" PRIu64 " to %" PRIu64, lines.first, lines.last);
	if (field->match)
		change.was = "no";
	change.message =
		arena_printf(c->arena, "`%s` straddles %s (offset %" PRIu64 ", %s)", change.member,
			     change.now, field->bit_offset / 8, field_size(field, c->arena));
	change.cause = field_because(c, field);
	compare_add(c, &change);
	if (c->worst)
		worst_add_straddle(c->worst, c, field);
}

/* ---- the whole
 * ----------------------------------------------------------------------------------- */

void compare_members(struct comparison *c)
{
	for (size_t i = 0; i < c->old.n; i++)
		if (!c->old.items[i].match)
			tell_removed(c, &c->old.items[i]);
	for (size_t i = 0; i < c->new.n; i++) {
		const struct field *field = &c->new.items[i];

		compare_straddle(c, field);
		if (!field->match) {
			tell_added(c, field);
			continue;
		}
		if (is_renamed(field))
			tell_renamed(c, field);
		compare_type(c, field);
		compare_align(c, field);
	}
}
