/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what each thread found to one list. Threads number names and shapes as they meet them; here
 * all are written again with common numbers, in which equal is equal whoever read it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "dwarf/index.h"

struct merger {
	const struct sections *sections;
	struct names names;
	struct shapes shapes;
	struct records records;
	struct imports imports;
	/* From the numbers of the worker at hand to common ones. */
	uint32_t *name_of, *shape_of;
	uint64_t *digests; /* by common shape */
	/* A shape that is being rewritten. */
	uint64_t *words;
	size_t n, cap;
};

static void push(struct merger *m, uint64_t word)
{
	ARRAY_GROW(m->words, m->n, m->cap);
	m->words[m->n++] = word;
}

/* Copies a shape into m->words; @put writes the words that hold a number of a name or shape. */
static void rewrite(struct merger *m, const struct shapes *shapes, const struct shape *shape,
		    void (*put)(struct merger *m, unsigned what, uint64_t number))
{
	const uint64_t *word = shapes->words + shape->start, *end = word + shape->len;

	m->n = 0;
	while (word < end) {
		unsigned what = (unsigned)(*word >> WORD_SHIFT);
		uint64_t value = *word & (((uint64_t)1 << WORD_SHIFT) - 1);
		uint64_t more = what & WORD_WIDE ? 1 : what == WORD_BYTES ? (value + 7) / 8 : 0;

		if (what == WORD_NAME || what == WORD_STR || what == WORD_SHAPE) {
			put(m, what, value);
			word++;
			continue;
		}
		for (more++; more; more--)
			push(m, *word++);
	}
}

/* ---- common numbers -------------------------------------------------------------------------- */

/* 0 when there are too many, which merge() says. */
static uint32_t name_at(struct merger *m, uint64_t offset)
{
	size_t n = m->names.noffsets;
	uint32_t id;

	if (m->names.used > m->names.most)
		return 0;
	id = names_add_offset(&m->names, &m->sections->str, offset);
	if (m->names.noffsets > n)
		m->names.used += m->names.size[id];
	return id;
}

static void put_common(struct merger *m, unsigned what, uint64_t number)
{
	uint64_t common;

	if (what == WORD_SHAPE)
		common = m->shape_of[number];
	else if (what == WORD_NAME)
		common = m->name_of[number];
	else
		common = name_at(m, number);
	push(m, (uint64_t)(what == WORD_SHAPE ? WORD_SHAPE : WORD_NAME) << WORD_SHIFT | common);
}

static bool is_before(const struct record *a, const struct record *b)
{
	if (a->section != b->section)
		return a->section < b->section;
	return a->unit != b->unit ? a->unit < b->unit : a->at < b->at;
}

/* Units are read by one thread each, so counts of two threads add up; the first place stays. */
static size_t add_record(struct merger *m, struct record record)
{
	size_t n = m->records.n;
	struct record *old;

	record.name = m->name_of[record.name];
	record.scope = m->name_of[record.scope];
	record.shape = m->shape_of[record.shape];
	old = records_add(&m->records, &record);
	if (m->records.n == n && is_before(&record, old)) {
		old->section = record.section;
		old->unit = record.unit;
		old->at = record.at;
	}
	return (size_t)(old - m->records.items);
}

static void add_worker(struct merger *m, const struct worker *worker)
{
	size_t *record_of;

	m->name_of = xcalloc(worker->names.n, sizeof *m->name_of);
	m->shape_of = xcalloc(worker->shapes.n, sizeof *m->shape_of);
	for (size_t i = 1; i < worker->names.n; i++)
		m->name_of[i] = names_add(&m->names, worker->names.text[i], true);
	for (size_t i = 0; i < worker->shapes.n; i++) {
		rewrite(m, &worker->shapes, &worker->shapes.items[i], put_common);
		m->shape_of[i] = shapes_intern(&m->shapes, m->words, m->n);
	}
	record_of = xcalloc(worker->records.n, sizeof *record_of);
	for (size_t i = 0; i < worker->records.n; i++)
		record_of[i] = add_record(m, worker->records.items[i]);
	for (size_t i = 0; i < worker->who_imports.n; i++)
		imports_add(&m->imports, worker->who_imports.items[i]);
	for (size_t i = 0; i < worker->who_imports.npartials; i++) {
		struct partial partial = worker->who_imports.partials[i];

		partial.record = record_of[partial.record];
		imports_add_partial(&m->imports, partial);
	}
	free(record_of);
	free(m->name_of);
	free(m->shape_of);
}

/* ---- digests: the same for the same layout, in whatever order it was read -------------------- */

static void put_digest(struct merger *m, unsigned what, uint64_t number)
{
	push(m, (uint64_t)what << WORD_SHIFT);
	if (what == WORD_NAME)
		push(m, m->names.hash[number]);
	else
		push(m, m->digests[number]);
}

static void make_digests(struct merger *m)
{
	m->digests = xcalloc(m->shapes.n, sizeof *m->digests);
	for (size_t i = 0; i < m->shapes.n; i++) {
		rewrite(m, &m->shapes, &m->shapes.items[i], put_digest);
		m->digests[i] = hash128(m->words, m->n * sizeof *m->words).lo;
	}
}

/* ---- the list -------------------------------------------------------------------------------- */

static int compare_records(const void *left, const void *right)
{
	const struct record *a = left, *b = right;

	return is_before(a, b) ? -1 : is_before(b, a);
}

static void add_definition(struct merger *m, const struct record *record, struct definitions *ret)
{
	struct definition definition = {
		.name = arena_strdup(&ret->arena, m->names.text[record->name]),
		.kind = (enum def_kind)record->kind,
		.cus = record->cus,
		.digest = m->digests[record->shape],
		.section = (enum unit_section)record->section,
		.unit = record->unit,
		.at = record->at,
		.least_bytes = record->least_bytes,
		.least_unit = record->least_unit,
	};

	if (record->scope)
		definition.scope = arena_strdup(&ret->arena, m->names.text[record->scope]);
	ARRAY_GROW(ret->items, ret->n, ret->cap);
	ret->items[ret->n++] = definition;
}

bool merge(const struct sections *sections, const struct worker *workers, size_t n, struct err *err,
	   struct definitions *ret)
{
	struct merger m = {.sections = sections};
	bool ok;

	names_init(&m.names, sections);
	shapes_init(&m.shapes, NULL, NULL);
	for (size_t i = 0; i < n; i++)
		add_worker(&m, &workers[i]);
	make_digests(&m);
	imports_count(&m.imports, &m.records);
	/* The index of the records is of no more use: their order changes. */
	if (m.records.n)
		qsort(m.records.items, m.records.n, sizeof *m.records.items, compare_records);
	for (size_t i = 0; i < m.records.n; i++)
		add_definition(&m, &m.records.items[i], ret);
	records_release(&m.records);
	imports_release(&m.imports);
	shapes_release(&m.shapes);
	ok = names_are_few(sections->path, m.names.used, m.names.most, err);
	names_release(&m.names);
	free(m.digests);
	free(m.words);
	return ok;
}
