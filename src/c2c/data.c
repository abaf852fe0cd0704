/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of a line: rows that speak of the same bytes. A named row stands for its whole member,
 * an unnamed one for the bytes that it accesses; what overlaps is one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "c2c/place.h"
#include "c2c/private.h"

struct span_of {
	int64_t start, end; /* from the start of the line */
	size_t row;
	bool named;
};

static int compare_spans(const void *left, const void *right)
{
	const struct span_of *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return compare_u64(a->row, b->row);
}

/* The member that a row is named after, cut to something finite. */
static struct span_of span_of_row(const struct making *making, const struct c2c_line *line,
				  size_t at)
{
	const struct named *named = making->named[at];
	const struct c2c_row *row = &line->rows[at];
	uint64_t size = row->size ? row->size : 1, into;
	struct span_of span = {(int64_t)row->offset, (int64_t)(row->offset + size), at, false};
	struct place place;

	if (named->how == HOW_NONE || row->member_offset < 0)
		return span;
	into = (uint64_t)row->member_offset;
	if (named->def && place_at(named->def->type, into % max_u64(named->def->type->bits / 8, 1),
				   row->size, making->arena, &place)) {
		uint64_t start =
			into - into % max_u64(named->def->type->bits / 8, 1) + place.offset;

		span.start = (int64_t)row->offset - (int64_t)(into - start);
		if (place.size)
			span.end = max_u64((uint64_t)(span.start + (int64_t)place.size),
					   row->offset + 1);
		span.named = true;
	} else if (named->variable.name && !named->def && named->variable.size <= 8) {
		span.start = (int64_t)row->offset - (int64_t)into;
		span.end = span.start + (int64_t)max_u64(named->variable.size, 1);
		span.named = true;
	}
	return span;
}

/* As its heaviest row has it. */
static void name_datum(const struct making *making, const struct c2c_line *line,
		       const struct span_of *span, struct c2c_datum *ret)
{
	const struct c2c_row *row = &line->rows[span->row];
	const struct named *named = making->named[span->row];

	ret->def = NULL;
	ret->member = NULL;
	ret->name = row->name;
	ret->symbol = row->symbol;
	ret->symbol_size = named->variable.size;
	ret->symbol_begins = (int64_t)row->offset - row->member_offset;
	ret->is_percpu = named->is_percpu;
	if (!ret->name)
		ret->name = arena_printf(making->arena, "+0x%" PRIx64, ret->offset);
	if (named->how != HOW_NONE && row->member) {
		ret->def = named->def;
		ret->member = row->member;
		ret->member_offset = ((uint64_t)row->member_offset -
				      (uint64_t)((int64_t)row->offset - span->start)) %
				     max_u64(named->def->type->bits / 8, 1);
	}
}

/* Rows with names go before those without. */
static uint64_t weight_of(const struct c2c_row *row, bool named)
{
	const uint64_t always = UINT64_C(1) << 62;

	return (named ? always : 0) + 1 + row->counts.samples + 16 * row->counts.hitm;
}

void find_data(const struct making *making, struct c2c_line *line)
{
	struct c2c_datum *data = arena_array(making->arena, line->nrows, sizeof *data);
	struct span_of *spans = xcalloc(line->nrows, sizeof *spans);
	uint64_t most = 0;
	int64_t end = 0;

	line->data = data;
	for (size_t i = 0; i < line->nrows; i++)
		spans[i] = span_of_row(making, line, i);
	if (line->nrows)
		qsort(spans, line->nrows, sizeof *spans, compare_spans);
	for (size_t i = 0; i < line->nrows; i++) {
		struct c2c_row *row = &line->rows[spans[i].row];
		bool opens = !line->ndata || spans[i].start >= end;
		struct c2c_datum *datum = &data[line->ndata - !opens];

		if (opens) {
			line->ndata++;
			datum->begins = spans[i].start;
			datum->offset = spans[i].start < 0 ? 0 : (uint64_t)spans[i].start;
			datum->size = (uint64_t)(spans[i].end - spans[i].start);
			end = spans[i].end;
			most = 0;
		} else if (spans[i].end > end) {
			end = spans[i].end;
			datum->size = (uint64_t)(end - datum->begins);
		}
		if (weight_of(row, spans[i].named) > most) {
			most = weight_of(row, spans[i].named);
			name_datum(making, line, &spans[i], datum);
		}
		row->datum = (uint32_t)line->ndata - 1;
		counts_sum(&datum->counts, &row->counts);
	}
	free(spans);
}
