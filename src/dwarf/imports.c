/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/imports.h"

#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/search.h"
#include "dwarf/index.h"

void imports_add(struct imports *imports, struct import import)
{
	ARRAY_GROW(imports->items, imports->n, imports->cap);
	imports->items[imports->n++] = import;
}

void imports_add_partial(struct imports *imports, struct partial partial)
{
	ARRAY_GROW(imports->partials, imports->npartials, imports->cap_partials);
	imports->partials[imports->npartials++] = partial;
}

void imports_release(struct imports *imports)
{
	free(imports->items);
	free(imports->partials);
	*imports = (struct imports){0};
}

static int compare_imports(const void *left, const void *right)
{
	const struct import *a = left, *b = right;

	return a->to != b->to ? compare_u64(a->to, b->to) : compare_u64(a->from, b->from);
}

static int compare_partials(const void *left, const void *right)
{
	const struct partial *a = left, *b = right;

	return a->record != b->record ? compare_u64(a->record, b->record)
				      : compare_u64(a->unit, b->unit);
}

/* The first import of @unit, or of one behind it. */
static size_t first_import(const struct imports *imports, uint64_t unit)
{
	return FIRST_FROM(imports->items, imports->n, to, unit);
}

/* A walk from partial units back to those that import them; each is met once. */
struct importers {
	const struct imports *imports;
	struct memo met;
	uint64_t *stack;
	size_t n, cap;
};

static bool meet(struct importers *w, uint64_t unit)
{
	if (memo_get(&w->met, unit) != MEMO_NONE)
		return false;
	memo_set(&w->met, unit, 0);
	return true;
}

static void go_to(struct importers *w, uint64_t unit)
{
	ARRAY_GROW(w->stack, w->n, w->cap);
	w->stack[w->n++] = unit;
}

/* Counts the compile units that were not met yet. */
static void count_importers(struct importers *w, uint64_t unit, struct record *count)
{
	if (meet(w, unit))
		go_to(w, unit);
	while (w->n) {
		unit = w->stack[--w->n];
		for (size_t i = first_import(w->imports, unit);
		     i < w->imports->n && w->imports->items[i].to == unit; i++) {
			const struct import *import = &w->imports->items[i];
			struct record one = {.least_bytes = import->bytes,
					     .least_unit = import->from >> 2};

			if (!meet(w, import->from))
				continue;
			if (!import->bytes)
				go_to(w, import->from);
			count->cus += import->bytes != 0;
			record_take_least(count, &one);
		}
	}
}

static bool same_units(const struct partial *a, const struct partial *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].unit != b[i].unit)
			return false;
	return true;
}

/* All of @n partial units that have one definition. */
static void count_all(struct importers *w, const struct partial *partials, size_t n,
		      struct record *ret)
{
	*ret = (struct record){.cus = 0};
	memo_forget(&w->met);
	for (size_t i = 0; i < n; i++)
		count_importers(w, partials[i].unit, ret);
}

void imports_count(struct imports *imports, struct records *records)
{
	struct importers w = {.imports = imports};
	const struct partial *p = imports->partials;
	struct record count = {.cus = 0};
	size_t last = 0; /* definitions of one unit stand together, and have one count */

	memo_init(&w.met);
	if (imports->n)
		qsort(imports->items, imports->n, sizeof *imports->items, compare_imports);
	if (imports->npartials)
		qsort(imports->partials, imports->npartials, sizeof *p, compare_partials);
	for (size_t i = 0, n; i < imports->npartials; i += n) {
		struct record *record = &records->items[p[i].record];

		for (n = 1; i + n < imports->npartials && p[i + n].record == p[i].record;)
			n++;
		if (n != last || !same_units(&p[i - n], &p[i], n))
			count_all(&w, &p[i], n, &count);
		last = n;
		record->cus += count.cus;
		record_take_least(record, &count);
	}
	for (size_t i = 0; i < records->n; i++)
		records->items[i].cus += records->items[i].cus == 0;
	memo_release(&w.met);
	free(w.stack);
}
