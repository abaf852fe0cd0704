/* SPDX-License-Identifier: GPL-2.0-or-later */
/* c2c --annotate: the report that was read, with the member behind each of its rows. */
#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"
#include "cli/recorded.h"
#include "perf/annotate.h"

/* A row by what the text says of it. */
struct place {
	uint64_t address, ip;
	int32_t pid;
	const struct c2c_row *row;
};

struct places {
	struct place *items;
	size_t n;
	struct arena arena; /* of the cells */
};

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = compare_u64(a->address, b->address);

	if (!order)
		order = compare_u64(a->ip, b->ip);
	return order ? order : (a->pid > b->pid) - (a->pid < b->pid);
}

static void find_places(const struct c2c_report *report, struct places *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < report->nlines; i++)
		n += report->lines[i].nrows;
	for (size_t i = 0; i < report->nstore_lines; i++)
		n += report->store_lines[i].nrows;
	*ret = (struct places){.items = xcalloc(n + 1, sizeof *ret->items)};
	for (size_t i = 0; i < report->nlines + report->nstore_lines; i++) {
		const struct c2c_line *line = i < report->nlines
						      ? &report->lines[i]
						      : &report->store_lines[i - report->nlines];

		for (size_t r = 0; r < line->nrows; r++)
			ret->items[ret->n++] =
				(struct place){line->address + line->rows[r].offset,
					       line->rows[r].ip, line->pid, &line->rows[r]};
	}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof *ret->items, by_place);
}

/* The row of that address and code, of that process if it is of one. */
static const struct c2c_row *find_row(const struct places *places, const struct annotate_row *row)
{
	const struct place key = {row->line + row->offset, row->code, INT32_MIN, NULL};
	size_t low = 0, high = places->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_place(&places->items[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < places->n; low++) {
		const struct place *place = &places->items[low];

		if (place->address != key.address || place->ip != key.ip)
			break;
		if (place->pid == -1 || place->pid == row->pid)
			return place->row;
	}
	return NULL;
}

static const char *cell(void *arg, const struct annotate_row *at)
{
	struct places *places = arg;
	const struct c2c_row *row = find_row(places, at);

	if (!row)
		return NULL;
	return row->name ? row->name
			 : arena_printf(&places->arena, "(%s)", claim_none_text(row->none));
}

bool recorded_annotate(const struct recorded *recorded, struct err *err, struct buf *out)
{
	struct places places;
	bool ok = true;

	find_places(&recorded->report, &places);
	for (size_t i = 0; ok && i < recorded->ninputs; i++)
		ok = annotate_report(recorded->recordings[i], "Member", cell, &places, err, out);
	free(places.items);
	arena_release(&places.arena);
	return ok;
}
