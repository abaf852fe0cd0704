/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/fill.h"

#include <limits.h>
#include <stdlib.h>

#include "base/threads.h"
#include "dwarf/decode.h"
#include "dwarf/locate.h"

/*
 * Definitions that a thread takes at a time. They lie in few units, and the next ones in units
 * behind those: few are read by two threads.
 */
enum { BATCH = 256 };

struct filling {
	const struct sections *sections;
	const struct definitions *found;
	struct def *defs;
	struct declaration *declared;
	pthread_mutex_t lock;
	size_t next; /* definition that nobody has taken */
	bool stopped;
};

struct filler {
	struct filling *filling;
	struct arena arena;
	struct decoder decoder;
	struct err err;
	size_t at; /* definition that it was decoding when it failed */
	bool failed;
};

/* Where the definitions are declared, once all are decoded. */
static bool locate(const struct declaration *declared, struct err *err, struct layout *layout)
{
	struct file_query *queries = xcalloc(layout->ndefs, sizeof *queries);
	struct file_query **order = xcalloc(layout->ndefs, sizeof *order);
	size_t n = 0;
	bool ok;

	for (size_t i = 0; i < layout->ndefs; i++) {
		queries[i] = (struct file_query){.lines = declared[i].lines,
						 .line_table = declared[i].line_table,
						 .file = declared[i].file,
						 .address_size = declared[i].address_size,
						 .comp_dir = declared[i].comp_dir};
		if (declared[i].known)
			order[n++] = &queries[i];
	}
	ok = locate_files(order, n, &layout->arena, err);
	for (size_t i = 0; i < layout->ndefs && ok; i++) {
		layout->defs[i].has_decl = queries[i].name && declared[i].line <= UINT_MAX;
		if (!layout->defs[i].has_decl)
			continue;
		layout->defs[i].file = queries[i].name;
		layout->defs[i].line = (unsigned)declared[i].line;
	}
	free(queries);
	free(order);
	return ok;
}

static bool claim(struct filler *filler, size_t *ret_first, size_t *ret_end)
{
	struct filling *filling = filler->filling;
	bool some;

	pthread_mutex_lock(&filling->lock);
	some = !filling->stopped && filling->next < filling->found->n;
	if (some) {
		*ret_first = filling->next;
		*ret_end = filling->found->n - filling->next < BATCH ? filling->found->n
								     : filling->next + BATCH;
		filling->next = *ret_end;
	}
	pthread_mutex_unlock(&filling->lock);
	return some;
}

static const char *copy(struct arena *arena, const char *s)
{
	return s ? arena_strdup(arena, s) : NULL;
}

static bool fill_one(struct filler *filler, size_t i)
{
	const struct definition *from = &filler->filling->found->items[i];
	struct def *def = &filler->filling->defs[i];

	*def = (struct def){.name = arena_strdup(&filler->arena, from->name),
			    .scope = copy(&filler->arena, from->scope),
			    .kind = from->kind,
			    .cus = from->cus,
			    .digest = from->digest};
	return decode_definition(&filler->decoder, from->section, from->unit, from->at,
				 &filler->filling->declared[i], &def->type);
}

static void *work(void *arg)
{
	struct filler *filler = arg;
	size_t end;

	while (claim(filler, &filler->at, &end)) {
		while (filler->at < end && fill_one(filler, filler->at))
			filler->at++;
		if (filler->at == end)
			continue;
		filler->failed = true;
		pthread_mutex_lock(&filler->filling->lock);
		filler->filling->stopped = true;
		pthread_mutex_unlock(&filler->filling->lock);
		break;
	}
	return NULL;
}

/* Batches were handed out in order and those before a bad one decoded to their end. */
static bool report_first(const struct filler *fillers, unsigned n, struct err *err)
{
	const struct filler *first = NULL;

	for (unsigned i = 0; i < n; i++)
		if (fillers[i].failed && (!first || fillers[i].at < first->at))
			first = &fillers[i];
	return !first || err_set(err, NULL, "%s", first->err.text);
}

static bool run(struct filling *filling, unsigned n, struct err *err, struct arena *ret)
{
	struct filler *fillers = xcalloc(n, sizeof *fillers);
	struct job jobs[THREADS_MAX];
	bool ok;

	for (unsigned i = 0; i < n; i++) {
		fillers[i] = (struct filler){.filling = filling, .err = ERR_INIT};
		decoder_init(&fillers[i].decoder, filling->sections, &fillers[i].arena,
			     &fillers[i].err);
		jobs[i] = (struct job){.work = work, .arg = &fillers[i]};
	}
	threads_run(jobs, n);
	ok = report_first(fillers, n, err);
	for (unsigned i = 0; i < n; i++) {
		arena_adopt(ret, &fillers[i].arena);
		decoder_release(&fillers[i].decoder);
		err_release(&fillers[i].err);
	}
	free(fillers);
	return ok;
}

bool fill(const struct sections *sections, const struct definitions *found, unsigned threads,
	  struct err *err, struct layout *layout)
{
	struct filling filling = {.sections = sections,
				  .found = found,
				  .declared = xcalloc(found->n, sizeof *filling.declared),
				  .lock = PTHREAD_MUTEX_INITIALIZER};
	bool ok;

	layout->defs = arena_array(&layout->arena, found->n, sizeof *layout->defs);
	layout->ndefs = found->n;
	filling.defs = layout->defs;
	ok = run(&filling, threads_for(threads, 1 + found->n / BATCH), err, &layout->arena) &&
	     locate(filling.declared, err, layout);
	pthread_mutex_destroy(&filling.lock);
	free(filling.declared);
	return ok;
}
