/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "dwarf/constants.h"

/* A window stays in the second-level cache between being read and being walked. */
enum { WINDOW = 256 << 10 };

struct pool {
	const struct sections *sections;
	const struct wanted *wanted;
	bool deep, by_offset;
	pthread_mutex_t lock;
	/* Where the next window begins. */
	enum unit_section section;
	uint64_t offset;
	uint64_t windows; /* handed out */
	bool stopped;
};

struct window {
	enum unit_section section;
	uint64_t offset, size;
};

/* ---- records --------------------------------------------------------------------------------- */

static bool is_same(const struct record *a, const struct record *b)
{
	return a->name == b->name && a->scope == b->scope && a->shape == b->shape &&
	       a->kind == b->kind;
}

static size_t find_record(const struct records *records, const struct record *record)
{
	size_t mask = records->index_size - 1;
	uint64_t hash = ((uint64_t)record->shape << 32 | record->name) + record->scope;
	size_t i = (size_t)(hash * 0x9e3779b97f4a7c15u >> 32) & mask;

	while (records->index[i] && !is_same(&records->items[records->index[i] - 1], record))
		i = (i + 1) & mask;
	return i;
}

static void grow_records(struct records *records)
{
	free(records->index);
	records->index_size = records->index_size ? 2 * records->index_size : 64;
	records->index = xcalloc(records->index_size, sizeof *records->index);
	for (size_t i = 0; i < records->n; i++)
		records->index[find_record(records, &records->items[i])] = (uint32_t)i + 1;
}

static void take_least(struct record *old, const struct record *record)
{
	if (!record->least_bytes)
		return;
	if (old->least_bytes &&
	    (record->least_bytes > old->least_bytes ||
	     (record->least_bytes == old->least_bytes && record->least_unit >= old->least_unit)))
		return;
	old->least_bytes = record->least_bytes;
	old->least_unit = record->least_unit;
}

struct record *records_add(struct records *records, const struct record *record)
{
	struct record *old;
	size_t i;

	if (2 * records->n >= records->index_size)
		grow_records(records);
	i = find_record(records, record);
	if (!records->index[i]) {
		ARRAY_GROW(records->items, records->n, records->cap);
		records->items[records->n++] = *record;
		records->index[i] = (uint32_t)records->n;
		return &records->items[records->n - 1];
	}
	old = &records->items[records->index[i] - 1];
	if (old->last_unit != record->last_unit)
		old->cus += record->cus;
	old->last_unit = record->last_unit;
	take_least(old, record);
	return old;
}

void records_release(struct records *records)
{
	free(records->items);
	free(records->index);
	*records = (struct records){0};
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Whole units from pool->offset on. False: there are no more, or an error. */
static bool take_window(struct pool *pool, struct err *err, struct window *ret)
{
	const struct section *s = pool->sections->units[pool->section];
	struct err unit_err = ERR_INIT;
	uint64_t size = 0;

	while (!s || pool->offset == s->size) {
		if (++pool->section == UNIT_SECTIONS)
			return false;
		pool->offset = 0;
		s = pool->sections->units[pool->section];
	}
	*ret = (struct window){pool->section, pool->offset, 0};
	while (ret->size < WINDOW && pool->offset < s->size) {
		if (!sections_unit_size(pool->sections, pool->section, pool->offset, &unit_err,
					&size))
			break;
		ret->size += size;
		pool->offset += size;
	}
	if (!ret->size)
		err_set(err, NULL, "%s", unit_err.text);
	/* With something before it, the bad unit is met again at the next call. */
	err_release(&unit_err);
	return ret->size != 0;
}

/* The next window, for one worker. False: none is left, or worker->failed. */
static bool claim(struct worker *worker, struct window *ret)
{
	struct pool *pool = worker->pool;
	bool ok = false;

	pthread_mutex_lock(&pool->lock);
	if (!pool->stopped) {
		ok = take_window(pool, &worker->err, ret);
		worker->window = pool->windows++;
		worker->failed = worker->err.text != NULL;
		pool->stopped = !ok;
	}
	pthread_mutex_unlock(&pool->lock);
	return ok;
}

/* Ample from the start: what is not touched costs nothing, growing would cost its pages again. */
static void make_buffer(struct worker *worker, uint64_t size)
{
	if (size <= worker->buffer_size)
		return;
	free(worker->buffer);
	worker->buffer_size = 4 * WINDOW;
	while (worker->buffer_size < size)
		worker->buffer_size *= 2;
	worker->buffer = xmalloc(worker->buffer_size);
}

static bool read_window(struct worker *worker, const struct window *window, const uint8_t **ret)
{
	const struct sections *sections = worker->pool->sections;
	const struct section *section = sections->units[window->section];

	if (!section->data)
		make_buffer(worker, window->size);
	return sections_read(sections, section, window->offset, window->size, worker->buffer,
			     &worker->err, ret);
}

static bool walk_window(struct worker *worker, const struct window *window)
{
	const uint8_t *bytes;

	if (!read_window(worker, window, &bytes))
		return false;
	for (uint64_t done = 0; done < window->size;) {
		struct unit unit;
		bool ok;

		if (!unit_open(&worker->reader, window->section, window->offset + done,
			       bytes + done, window->size - done, &unit))
			return false;
		shapes_begin(&worker->shapes, &unit);
		ok = walk_unit(&worker->walk, &unit);
		unit_close(&worker->reader, &unit);
		if (!ok)
			return false;
		done += unit.size;
	}
	return true;
}

/* ---- workers --------------------------------------------------------------------------------- */

static bool found(void *arg, const struct hit *hit)
{
	struct worker *worker = arg;
	const struct unit *unit = hit->die.unit;
	struct record record = {.kind = (uint8_t)hit->kind,
				.section = (uint8_t)unit->section,
				.at = hit->die.at,
				.unit = unit->offset,
				.last_unit = place_key((struct place){unit, 0}),
				.cus = 1,
				.least_unit = unit->offset};

	if (!names_add_value(&worker->names, &worker->reader, hit->name_unit, hit->name,
			     &record.name) ||
	    !shapes_of(&worker->shapes, hit->type, &record.shape))
		return false;
	if (unit->type == DW_UT_compile)
		record.least_bytes = unit->size;
	if (hit->scope)
		record.scope = names_add(&worker->names, hit->scope, false);
	records_add(&worker->records, &record);
	return true;
}

static void worker_init(struct worker *worker, struct pool *pool)
{
	*worker = (struct worker){.pool = pool, .err = ERR_INIT};
	reader_init(&worker->reader, pool->sections, &worker->err);
	names_init(&worker->names);
	shapes_init(&worker->shapes, &worker->reader, &worker->names);
	worker->shapes.by_offset = pool->by_offset;
	worker->walk = (struct walk){.reader = &worker->reader,
				     .wanted = pool->wanted,
				     .deep = pool->deep,
				     .found = found,
				     .arg = worker,
				     .scope = BUF_INIT};
}

static void worker_release(struct worker *worker)
{
	foreign_release(&worker->reader);
	reader_release(&worker->reader);
	names_release(&worker->names);
	shapes_release(&worker->shapes);
	records_release(&worker->records);
	buf_release(&worker->walk.scope);
	free(worker->buffer);
	err_release(&worker->err);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct window window;

	while (claim(worker, &window)) {
		if (walk_window(worker, &window))
			continue;
		worker->failed = true;
		pthread_mutex_lock(&worker->pool->lock);
		worker->pool->stopped = true;
		pthread_mutex_unlock(&worker->pool->lock);
		break;
	}
	return NULL;
}

static void work_all(struct worker *workers, unsigned n)
{
	struct job jobs[THREADS_MAX];

	for (unsigned i = 0; i < n; i++)
		jobs[i] = (struct job){.work = work, .arg = &workers[i]};
	threads_run(jobs, n);
}

/* Windows were handed out in order and those before a bad one read to their end. */
static bool report_first(const struct worker *workers, unsigned n, struct err *err)
{
	const struct worker *first = NULL;

	for (unsigned i = 0; i < n; i++)
		if (workers[i].failed && (!first || workers[i].window < first->window))
			first = &workers[i];
	return !first || err_set(err, NULL, "%s", first->err.text);
}

static bool pass(const struct sections *sections, const struct wanted *wanted, bool deep,
		 unsigned threads, struct err *err, struct definitions *ret)
{
	struct pool pool = {.sections = sections,
			    .wanted = wanted,
			    .deep = deep,
			    .by_offset = wanted->all && names_are_merged(&sections->str),
			    .lock = PTHREAD_MUTEX_INITIALIZER};
	unsigned n =
		threads_for(threads, (size_t)(1 + sections->units[SECTION_INFO]->size / WINDOW));
	struct worker *workers = xcalloc(n, sizeof *workers);
	bool ok;

	for (unsigned i = 0; i < n; i++)
		worker_init(&workers[i], &pool);
	work_all(workers, n);
	ok = report_first(workers, n, err);
	if (ok)
		merge(sections, workers, n, ret);
	for (unsigned i = 0; i < n; i++)
		worker_release(&workers[i]);
	free(workers);
	pthread_mutex_destroy(&pool.lock);
	return ok;
}

/* ---- passes ---------------------------------------------------------------------------------- */

static int compare_names(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

/* Marks the wanted names that were found; the number of the others. */
static size_t mark_found(const struct want *want, const struct definitions *definitions, bool *have)
{
	size_t missing = want->n;

	for (size_t i = 0; i < definitions->n; i++) {
		const char *const *name = bsearch(definitions->items[i].name, want->names, want->n,
						  sizeof *want->names, compare_names);

		if (name && !have[name - want->names]) {
			have[name - want->names] = true;
			missing--;
		}
	}
	return missing;
}

bool index_find(const struct sections *sections, const struct want *want, unsigned threads,
		struct err *err, struct definitions *ret)
{
	struct wanted wanted;
	bool *have;
	bool ok;

	*ret = (struct definitions){0};
	wanted_init(&wanted, want, NULL, sections);
	ok = pass(sections, &wanted, false, threads, err, ret);
	wanted_release(&wanted);
	if (!ok || want->all)
		return ok;
	have = xcalloc(want->n, sizeof *have);
	if (mark_found(want, ret, have)) {
		wanted_init(&wanted, want, have, sections);
		ok = pass(sections, &wanted, true, threads, err, ret);
		wanted_release(&wanted);
	}
	free(have);
	return ok;
}

void definitions_release(struct definitions *definitions)
{
	arena_release(&definitions->arena);
	free(definitions->items);
	*definitions = (struct definitions){0};
}
