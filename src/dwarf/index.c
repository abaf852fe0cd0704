/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/threads.h"
#include "dwarf/constants.h"
#include "layout/join.h"

/* A window stays in the second-level cache between being read and being walked. */
enum { WINDOW = 256 << 10 };

struct pool {
	const struct sections *sections;
	const struct wanted *wanted, *wanted_alternate;
	struct join *join; /* NULL: this is the whole */
	bool deep, by_offset;
	pthread_mutex_t lock;
	/* Where the next window begins. */
	enum unit_section section;
	uint64_t offset;
	/* Units of the alternate file to be read in this round, ascending, and the next of them. */
	uint64_t *imports;
	size_t nimports, cap_imports, next;
	struct memo imported; /* in all rounds */
	uint64_t windows;     /* handed out */
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

void record_take_least(struct record *old, const struct record *record)
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
	record_take_least(old, record);
	return old;
}

void records_release(struct records *records)
{
	free(records->items);
	free(records->index);
	*records = (struct records){0};
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Makes the window longer by the unit at its end. False: it cannot be read. */
static bool add_unit(const struct pool *pool, struct window *window, struct err *err)
{
	struct err unit_err = ERR_INIT;
	uint64_t size = 0;
	bool ok = sections_unit_size(pool->sections, window->section, window->offset + window->size,
				     &unit_err, &size);

	window->size += size;
	/* With something before it, the bad unit is met again at the next call. */
	if (!ok && !window->size)
		err_set(err, NULL, "%s", unit_err.text);
	err_release(&unit_err);
	return ok;
}

/* Units that were imported and stand behind one another. False: there are no more, or an error. */
static bool take_imported(struct pool *pool, struct err *err, struct window *ret)
{
	if (pool->next == pool->nimports)
		return false;
	*ret = (struct window){SECTION_ALTERNATE, pool->imports[pool->next], 0};
	while (ret->size < WINDOW && pool->next < pool->nimports &&
	       pool->imports[pool->next] == ret->offset + ret->size && add_unit(pool, ret, err))
		pool->next++;
	return ret->size != 0;
}

/* Whole units from pool->offset on. False: there are no more, or an error. */
static bool take_window(struct pool *pool, struct err *err, struct window *ret)
{
	const struct section *s = pool->sections->units[pool->section];

	while (pool->section < UNIT_SECTIONS && (!s || pool->offset == s->size)) {
		pool->offset = 0;
		s = pool->sections->units[++pool->section];
	}
	if (pool->section == SECTION_ALTERNATE)
		return take_imported(pool, err, ret);
	*ret = (struct window){pool->section, pool->offset, 0};
	while (ret->size < WINDOW && ret->offset + ret->size < s->size && add_unit(pool, ret, err))
		pool->offset = ret->offset + ret->size;
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

/* One copy of a type unit is counted, as it is in what a linker makes of the parts. */
static bool is_another_parts(struct pool *pool, const struct unit *unit)
{
	bool claimed;

	if (!pool->join || unit->type != DW_UT_type)
		return false;
	pthread_mutex_lock(&pool->lock);
	claimed = join_claim(pool->join, unit->signature);
	pthread_mutex_unlock(&pool->lock);
	return !claimed;
}

static void note_skeleton(struct worker *worker, const struct unit *unit)
{
	struct skeleton *skeleton;

	ARRAY_GROW(worker->skeletons, worker->nskeletons, worker->cap_skeletons);
	skeleton = &worker->skeletons[worker->nskeletons++];
	*skeleton = (struct skeleton){.id = unit->dwo_id,
				      .unit = unit->offset,
				      .dwo_name = arena_strdup(&worker->arena, unit->dwo_name),
				      .has_line_table = unit->has_line_table,
				      .line_table = unit->line_table};
	if (unit->comp_dir)
		skeleton->comp_dir = arena_strdup(&worker->arena, unit->comp_dir);
}

/* What it defines is elsewhere, or another's, or has been counted. */
static bool is_passed_over(struct worker *worker, const struct unit *unit)
{
	const struct split *split = worker->pool->sections->split;

	if (unit->is_skeleton)
		note_skeleton(worker, unit);
	else if (split && unit->type == DW_UT_compile && !unit->is_unclaimed)
		split_skeleton(split, unit->dwo_id)->is_read = true;
	return unit->is_skeleton || unit->is_unclaimed || is_another_parts(worker->pool, unit);
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
		ok = is_passed_over(worker, &unit) || walk_unit(&worker->walk, &unit);
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
	uint64_t key = unit_key(unit->section, unit->offset);
	struct record *added;
	struct record record = {.kind = (uint8_t)hit->kind,
				.section = (uint8_t)unit->section,
				.at = hit->die.at,
				.unit = unit->offset,
				.last_unit = key,
				.cus = unit->type != DW_UT_partial,
				.least_unit = unit->offset};

	if (!names_add_value(&worker->names, &worker->reader, hit->name_unit, hit->name,
			     &record.name) ||
	    !shapes_of(&worker->shapes, hit->type, &record.shape))
		return false;
	if (unit->type == DW_UT_compile)
		record.least_bytes = unit->size;
	if (hit->scope)
		record.scope = names_add(&worker->names, hit->scope, false);
	added = records_add(&worker->records, &record);
	if (unit->type == DW_UT_partial)
		imports_add_partial(&worker->who_imports,
				    (struct partial){(size_t)(added - worker->records.items), key});
	return true;
}

static void imported(void *arg, const struct unit *unit, enum unit_section section, uint64_t offset)
{
	struct worker *worker = arg;

	imports_add(&worker->who_imports,
		    (struct import){unit_key(unit->section, unit->offset),
				    unit_key(section, offset),
				    unit->type == DW_UT_compile ? unit->size : 0});
	if (section != SECTION_ALTERNATE || memo_get(&worker->imported, offset) != MEMO_NONE)
		return;
	memo_set(&worker->imported, offset, 0);
	ARRAY_GROW(worker->imports, worker->nimports, worker->cap_imports);
	worker->imports[worker->nimports++] = offset;
}

static void worker_init(struct worker *worker, struct pool *pool)
{
	*worker = (struct worker){.pool = pool, .err = ERR_INIT};
	reader_init(&worker->reader, pool->sections, &worker->err);
	worker->reader.takes_skeletons = true;
	names_init(&worker->names, pool->sections);
	shapes_init(&worker->shapes, &worker->reader, &worker->names);
	worker->shapes.by_offset = pool->by_offset;
	worker->shapes.part = pool->join ? join_parts(pool->join) : 0;
	memo_init(&worker->imported);
	worker->walk = (struct walk){.reader = &worker->reader,
				     .wanted = pool->wanted,
				     .wanted_alternate = pool->wanted_alternate,
				     .deep = pool->deep,
				     .found = found,
				     .imported = imported,
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
	memo_release(&worker->imported);
	imports_release(&worker->who_imports);
	free(worker->imports);
	free(worker->skeletons);
	arena_release(&worker->arena);
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

static int compare_offsets(const void *left, const void *right)
{
	return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* Gathers what was imported for the first time; false: nothing, all is read. */
static bool next_round(struct pool *pool, struct worker *workers, unsigned n)
{
	pool->stopped = false;
	pool->next = pool->nimports = 0;
	for (unsigned i = 0; i < n; i++) {
		for (size_t k = 0; k < workers[i].nimports; k++) {
			uint64_t offset = workers[i].imports[k];

			if (memo_get(&pool->imported, offset) != MEMO_NONE)
				continue;
			memo_set(&pool->imported, offset, 0);
			ARRAY_GROW(pool->imports, pool->nimports, pool->cap_imports);
			pool->imports[pool->nimports++] = offset;
		}
		workers[i].nimports = 0;
	}
	if (pool->nimports)
		qsort(pool->imports, pool->nimports, sizeof *pool->imports, compare_offsets);
	return pool->nimports != 0;
}

static unsigned count_threads(const struct sections *sections, unsigned threads)
{
	uint64_t size = sections->units[SECTION_INFO]->size;

	if (sections->alternate)
		size = add_capped(size, sections->units[SECTION_ALTERNATE]->size);
	return threads_for(threads, (size_t)(1 + size / WINDOW));
}

/* A second pass meets those of the first again. */
static void gather_skeletons(struct worker *workers, unsigned n, struct definitions *ret)
{
	size_t all = 0;

	for (unsigned i = 0; i < n; i++)
		all += workers[i].nskeletons;
	ret->skeletons = arena_array(&ret->arena, all, sizeof *ret->skeletons);
	ret->nskeletons = 0;
	for (unsigned i = 0; i < n; i++) {
		for (size_t k = 0; k < workers[i].nskeletons; k++)
			ret->skeletons[ret->nskeletons++] = workers[i].skeletons[k];
		arena_adopt(&ret->arena, &workers[i].arena);
	}
}

static bool run(struct pool *pool, unsigned threads, struct err *err, struct definitions *ret)
{
	unsigned n = count_threads(pool->sections, threads);
	struct worker *workers = xcalloc(n, sizeof *workers);
	bool ok;

	pthread_mutex_init(&pool->lock, NULL);
	memo_init(&pool->imported);
	for (unsigned i = 0; i < n; i++)
		worker_init(&workers[i], pool);
	do {
		work_all(workers, n);
		ok = report_first(workers, n, err);
	} while (ok && next_round(pool, workers, n));
	ok = ok && merge(pool->sections, workers, n, err, ret);
	if (ok)
		gather_skeletons(workers, n, ret);
	for (unsigned i = 0; i < n; i++)
		worker_release(&workers[i]);
	free(workers);
	free(pool->imports);
	memo_release(&pool->imported);
	pthread_mutex_destroy(&pool->lock);
	return ok;
}

/* One pass over all units for the names of @want, those left out for which @have says true. */
static bool pass(const struct sections *sections, const struct want *want, const bool *have,
		 bool deep, const struct dwarf_options *options, struct err *err,
		 struct definitions *ret)
{
	struct wanted wanted, wanted_alternate;
	struct pool pool = {.sections = sections,
			    .wanted = &wanted,
			    .join = options->join,
			    .deep = deep,
			    .by_offset = want->all && names_are_merged(sections)};
	bool ok;

	wanted_init(&wanted, want, have, sections);
	if (sections->alternate) {
		wanted_init(&wanted_alternate, want, have, sections->alternate);
		pool.wanted_alternate = &wanted_alternate;
	}
	ok = run(&pool, options->threads, err, ret);
	wanted_release(&wanted);
	if (sections->alternate)
		wanted_release(&wanted_alternate);
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

bool index_find(const struct sections *sections, const struct want *want,
		const struct dwarf_options *options, struct err *err, struct definitions *ret)
{
	bool deep = options->depth == DWARF_INSIDE && !want->all;
	bool *have;
	bool ok;

	*ret = (struct definitions){0};
	ok = pass(sections, want, NULL, deep, options, err, ret);
	if (!ok || want->all || options->depth != DWARF_BOTH)
		return ok;
	have = xcalloc(want->n, sizeof *have);
	if (mark_found(want, ret, have))
		ok = pass(sections, want, have, true, options, err, ret);
	free(have);
	return ok;
}

void definitions_release(struct definitions *definitions)
{
	arena_release(&definitions->arena);
	free(definitions->items);
	*definitions = (struct definitions){0};
}
