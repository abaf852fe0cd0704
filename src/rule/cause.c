/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/cause.h"

#include <inttypes.h>

#include "rule/line.h"

static const char *size_text(const struct span *span, struct arena *arena)
{
	if (span->is_flexible)
		return "no end";
	if (span->is_bitfield || span->bit_size % 8)
		return arena_printf(arena, "%" PRIu64 " bit%s", span->bit_size,
				    span->bit_size == 1 ? "" : "s");
	return arena_printf(arena, "%" PRIu64 " byte%s", span->bit_size / 8,
			    span->bit_size == 8 ? "" : "s");
}

const char *span_at(const struct span *span, struct arena *arena)
{
	return arena_printf(arena, "%s (offset %" PRIu64 ")", span->path, span->bit_offset / 8);
}

const char *span_full(const struct span *span, struct arena *arena)
{
	return arena_printf(arena, "%s (offset %" PRIu64 ", %s)", span->path, span->bit_offset / 8,
			    size_text(span, arena));
}

void name_list_add(struct name_list *list, const char *name)
{
	if (list->n < list->most)
		buf_addf(&list->text, "%s%s", list->n ? ", " : ": ", name);
	list->n++;
}

const char *name_list_finish(struct name_list *list, struct arena *arena)
{
	const char *text;

	if (list->n > list->most)
		buf_addf(&list->text, " and %" PRIu64 " more", list->n - list->most);
	text = arena_strdup(arena, list->text.s);
	buf_release(&list->text);
	return text;
}

const struct field *field_before(const struct fields *fields, uint64_t bit_offset)
{
	const struct field *best = NULL;

	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		uint64_t end = span_end(&field->span);

		if (field->span.bit_offset >= bit_offset)
			break;
		if (end <= bit_offset && (!best || end >= span_end(&best->span)))
			best = field;
	}
	return best;
}

/* The first field that begins in [start, start + bits). */
static const struct field *first_in(const struct fields *fields, uint64_t start, uint64_t bits)
{
	for (size_t i = 0; i < fields->n; i++) {
		uint64_t at = fields->items[i].span.bit_offset;

		if (at >= start)
			return at - start < bits ? &fields->items[i] : NULL;
	}
	return NULL;
}

/* A field that begins before @bit_offset and goes on past it. */
static const struct field *field_over(const struct fields *fields, uint64_t bit_offset)
{
	for (size_t i = 0; i < fields->n && fields->items[i].span.bit_offset < bit_offset; i++)
		if (span_end(&fields->items[i].span) > bit_offset)
			return &fields->items[i];
	return NULL;
}

static const char *hole_text(uint64_t bits, struct arena *arena)
{
	if (bits % 8)
		return arena_printf(arena, "a hole of %" PRIu64 " bits", bits);
	return arena_printf(arena, "a hole of %" PRIu64 " byte%s", bits / 8, bits == 8 ? "" : "s");
}

const char *cause_opened(const struct judge *judge, const struct fields *fields, uint64_t line)
{
	struct arena *arena = judge->arena;
	uint64_t bits, start;
	const struct field *over, *first, *before;
	const char *word = line_word(judge), *opened;

	if (__builtin_mul_overflow(judge->granule, 8, &bits) ||
	    __builtin_mul_overflow(line, bits, &start))
		return NULL;
	over = field_over(fields, start);
	if (over)
		return arena_printf(arena, "%s runs on into %s %" PRIu64,
				    span_full(&over->span, arena), word, line);
	first = first_in(fields, start, bits);
	if (!first)
		return NULL;
	opened = arena_printf(arena, "%s opened %s %" PRIu64, span_at(&first->span, arena), word,
			      line);
	before = field_before(fields, first->span.bit_offset);
	if (!before)
		return opened;
	if (span_end(&before->span) == start)
		return arena_printf(arena, "%s; %s filled %s %" PRIu64 " before it", opened,
				    span_full(&before->span, arena), word, line - 1);
	return arena_printf(arena, "%s; %s and %s come before it", opened,
			    span_full(&before->span, arena),
			    hole_text(first->span.bit_offset - span_end(&before->span), arena));
}

const char *cause_before(const struct judge *judge, const struct fields *fields,
			 const struct span *span)
{
	struct arena *arena = judge->arena;
	const struct field *before = field_before(fields, span->bit_offset);
	uint64_t hole;

	if (!before)
		return arena_printf(arena, "nothing stands before %s", span->path);
	hole = span->bit_offset - span_end(&before->span);
	if (hole)
		return arena_printf(arena, "%s and %s come before %s",
				    span_full(&before->span, arena), hole_text(hole, arena),
				    span->path);
	return arena_printf(arena, "%s ends just before %s", span_full(&before->span, arena),
			    span->path);
}

/*
 * The line, not the first, with the fewest bits covered, of those in which a field begins; the last
 * of equals. Fields are in order of offset, so all that covers a line is known when the first field
 * of a later one comes.
 */
static bool emptiest_line(const struct fields *fields, uint64_t line_bits, uint64_t *ret)
{
	uint64_t covered_to = 0, line = 0, used = 0, least = UINT64_MAX;

	for (size_t i = 0; i <= fields->n; i++) {
		bool at_end = i == fields->n;
		uint64_t at = at_end ? UINT64_MAX : fields->items[i].span.bit_offset;
		uint64_t end, line_end;

		if (at / line_bits != line || at_end) {
			if (i && line && used <= least) {
				least = used;
				*ret = line;
			}
			if (at_end)
				break;
			line = at / line_bits;
			used = covered_to > line * line_bits ? covered_to - line * line_bits : 0;
		}
		line_end = (line + 1) * line_bits;
		end = span_end(&fields->items[i].span);
		if (end > covered_to) {
			uint64_t from = at > covered_to ? at : covered_to;
			uint64_t to = end < line_end ? end : line_end;

			used += to > from ? to - from : 0;
			covered_to = end;
		}
	}
	return least != UINT64_MAX;
}

static uint64_t lines_for(uint64_t bytes, uint64_t line)
{
	return bytes / line + (bytes % line != 0);
}

const char *cause_too_large(const struct judge *judge, uint64_t limit)
{
	struct fields fields = fields_around(judge->geometry, NULL, 0, judge->arena);
	uint64_t size = judge->def->type->bits / 8, line = judge->line, emptiest = 0;

	/* The granule has no say in the size of a type. */
	if (line && line < size && lines_for(size, line) > lines_for(limit, line) &&
	    emptiest_line(&fields, line * 8, &emptiest))
		return cause_opened(judge, &fields, emptiest);
	for (size_t i = 0; i < fields.n; i++) {
		const struct span *span = &fields.items[i].span;

		if (!span->is_flexible && span_end(span) > limit * 8)
			return arena_printf(judge->arena,
					    "%s is the first to reach past byte %" PRIu64,
					    span_full(span, judge->arena), limit);
	}
	return cause_tail(judge);
}

const char *cause_tail(const struct judge *judge)
{
	struct fields fields = fields_around(judge->geometry, NULL, 0, judge->arena);
	const struct field *last = field_before(&fields, judge->def->type->bits);
	struct arena *arena = judge->arena;

	if (!last || judge->geometry->leaves.has_dynamic)
		return NULL;
	if (judge->geometry->padding)
		return arena_printf(arena,
				    "%s is the last member; %" PRIu64 " bytes of padding follow it",
				    span_full(&last->span, arena), judge->geometry->padding);
	return arena_printf(arena, "%s is the last member", span_full(&last->span, arena));
}
