/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/claims.h"

#include <stdlib.h>

#include "base/math.h"
#include "base/threads.h"
#include "dwarf/claimer.h"
#include "dwarf/unitmap.h"

void claims_init(struct claims *claims)
{
	*claims = (struct claims){.nruns = 0};
}

void claims_release(struct claims *claims)
{
	arena_release(&claims->arena);
	free(claims->runs);
	free(claims->claims);
	claims_init(claims);
}

/* ---- units shared out over threads ----------------------------------------------------------- */

/* The runs of one unit. */
struct task {
	uint64_t unit;
	struct claim_run **runs;
	size_t n;
	unsigned worker; /* that has done it */
};

struct pool {
	const struct claim_source *source;
	struct task *tasks;
	size_t ntasks, next;
	pthread_mutex_t lock;
	bool stopped;
};

struct claim_worker {
	struct pool *pool;
	unsigned number;
	struct claimer claimer;
	size_t task; /* that it took last */
	bool failed;
};

static bool take(struct claim_worker *worker)
{
	struct pool *pool = worker->pool;
	bool more;

	pthread_mutex_lock(&pool->lock);
	more = !pool->stopped && pool->next < pool->ntasks;
	if (more) {
		worker->task = pool->next++;
		pool->tasks[worker->task].worker = worker->number;
	}
	pthread_mutex_unlock(&pool->lock);
	return more;
}

static void *work(void *arg)
{
	struct claim_worker *worker = arg;

	while (take(worker)) {
		const struct task *task = &worker->pool->tasks[worker->task];

		if (claimer_work(&worker->claimer, task->unit, task->runs, task->n))
			continue;
		worker->failed = true;
		pthread_mutex_lock(&worker->pool->lock);
		worker->pool->stopped = true;
		pthread_mutex_unlock(&worker->pool->lock);
		break;
	}
	return NULL;
}

static void work_all(struct claim_worker *workers, unsigned n)
{
	struct job jobs[THREADS_MAX];

	for (unsigned i = 0; i < n; i++)
		jobs[i] = (struct job){.work = work, .arg = &workers[i]};
	threads_run(jobs, n);
}

/* Tasks were handed out in order, and those before a bad one are done. */
static bool report_first(const struct claim_worker *workers, unsigned n, struct err *err)
{
	const struct claim_worker *first = NULL;

	for (unsigned i = 0; i < n; i++)
		if (workers[i].failed && (!first || workers[i].task < first->task))
			first = &workers[i];
	return !first || err_set(err, NULL, "%s", first->claimer.err.text);
}

/* ---- what they made, in one list ------------------------------------------------------------- */

static bool locate(struct claim_worker *workers, unsigned n, struct arena *arena, struct err *err)
{
	struct file_query **queries;
	size_t total = 0, at = 0;
	bool ok;

	for (unsigned i = 0; i < n; i++)
		total += workers[i].claimer.nqueries;
	queries = xcalloc(total + 1, sizeof *queries);
	for (unsigned i = 0; i < n; i++)
		for (size_t q = 0; q < workers[i].claimer.nqueries; q++)
			queries[at++] = &workers[i].claimer.queries[q];
	ok = locate_files(queries, total, arena, err);
	free(queries);
	return ok;
}

static const char *copy(struct arena *arena, const char *s)
{
	return s ? arena_strdup(arena, s) : NULL;
}

static void take_claim(const struct claimer *from, size_t i, struct claims *ret)
{
	const struct made_claim *made = &from->claims[i];
	struct claim claim = made->claim;

	claim.type = copy(&ret->arena, claim.type);
	claim.spelling = copy(&ret->arena, claim.spelling);
	claim.variable = copy(&ret->arena, claim.variable);
	if (made->query)
		claim.source = from->queries[made->query - 1].name;
	ARRAY_GROW(ret->claims, ret->nclaims, ret->cap_claims);
	ret->claims[ret->nclaims++] = claim;
}

static void take_run(const struct claimer *from, struct claim_run *run, struct claims *ret)
{
	size_t first = run->first;

	run->function = copy(&ret->arena, run->function);
	run->outer = copy(&ret->arena, run->outer);
	run->first = ret->nclaims;
	for (size_t i = 0; i < run->n; i++)
		take_claim(from, first + i, ret);
}

/* In the order of the runs, whoever made them: @worker_of, by run. */
static void merge(const struct claim_worker *workers, const unsigned *worker_of, struct claims *ret)
{
	for (size_t i = 0; i < ret->nruns; i++)
		take_run(&workers[worker_of[i]].claimer, &ret->runs[i], ret);
}

static bool run_pool(struct pool *pool, unsigned threads, struct err *err, struct claims *ret)
{
	unsigned n = threads_for(threads, pool->ntasks);
	struct claim_worker *workers = xcalloc(n, sizeof *workers);
	unsigned *worker_of = xcalloc(ret->nruns + 1, sizeof *worker_of);
	bool ok;

	for (unsigned i = 0; i < n; i++) {
		workers[i].pool = pool;
		workers[i].number = i;
		claimer_init(&workers[i].claimer, pool->source);
	}
	work_all(workers, n);
	ok = report_first(workers, n, err) && locate(workers, n, &ret->arena, err);
	for (size_t t = 0; t < pool->ntasks && ok; t++)
		for (size_t i = 0; i < pool->tasks[t].n; i++)
			worker_of[pool->tasks[t].runs[i] - ret->runs] = pool->tasks[t].worker;
	if (ok)
		merge(workers, worker_of, ret);
	for (unsigned i = 0; i < n; i++)
		claimer_release(&workers[i].claimer);
	free(workers);
	free(worker_of);
	return ok;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

struct placed_run {
	uint64_t unit;
	struct claim_run *run;
};

static int compare_placed(const void *left, const void *right)
{
	const struct placed_run *a = left, *b = right;

	return a->unit != b->unit ? compare_u64(a->unit, b->unit)
				  : compare_u64(a->run->pc, b->run->pc);
}

/* Runs by unit; those of none are told so. */
static bool make_tasks(const struct code_sections *sections, struct claims *claims,
		       struct claim_run **order, struct err *err, struct pool *pool)
{
	struct unit_map map;
	struct placed_run *placed;
	size_t n = 0;

	if (!unit_map_read(sections, err, &map))
		return false;
	placed = xcalloc(claims->nruns + 1, sizeof *placed);
	for (size_t i = 0; i < claims->nruns; i++) {
		uint64_t unit = unit_map_at(&map, claims->runs[i].pc);

		claims->runs[i].none = CLAIM_NO_UNIT;
		if (unit != UINT64_MAX)
			placed[n++] = (struct placed_run){unit, &claims->runs[i]};
	}
	unit_map_release(&map);
	if (n)
		qsort(placed, n, sizeof *placed, compare_placed);
	pool->tasks = xcalloc(n + 1, sizeof *pool->tasks);
	for (size_t i = 0; i < n; i++) {
		order[i] = placed[i].run;
		if (!i || placed[i].unit != placed[i - 1].unit)
			pool->tasks[pool->ntasks++] =
				(struct task){.unit = placed[i].unit, .runs = &order[i]};
		pool->tasks[pool->ntasks - 1].n++;
	}
	free(placed);
	return true;
}

static bool find(struct image *image, const struct code_sections *sections, unsigned threads,
		 struct err *err, struct claims *ret)
{
	struct claim_run **order = xcalloc(ret->nruns + 1, sizeof *order);
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct symtab symtab = {0};
	struct patches patches = {0};
	struct claim_source source = {image, &lock, sections, &symtab, &patches};
	struct pool pool = {.source = &source, .lock = PTHREAD_MUTEX_INITIALIZER};
	bool ok = symtab_read(image, err, &symtab) && patches_read(image, err, &patches) &&
		  make_tasks(sections, ret, order, err, &pool) &&
		  run_pool(&pool, threads, err, ret);

	symtab_release(&symtab);
	patches_release(&patches);
	free(pool.tasks);
	free(order);
	pthread_mutex_destroy(&lock);
	pthread_mutex_destroy(&pool.lock);
	return ok;
}

bool claims_find(struct image *image, const uint64_t *pcs, size_t n, unsigned threads,
		 struct err *err, struct claims *ret)
{
	struct code_sections code_sections;
	struct sections sections;
	bool ok;

	claims_init(ret);
	if (!sections_open(image, err, &sections))
		return false;
	ret->runs = xcalloc(n + 1, sizeof *ret->runs);
	ret->nruns = n;
	for (size_t i = 0; i < n; i++)
		ret->runs[i].pc = pcs[i];
	ok = code_sections_open(image, &sections, err, &code_sections) &&
	     find(image, &code_sections, threads, err, ret);
	sections_close(&sections);
	if (!ok)
		claims_release(ret);
	return ok;
}
