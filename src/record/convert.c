/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "perf/write.h"
#include "plugin/coherence.h"

static const enum written_level written_levels[LEVELS] = {
	[LEVEL_OWN] = WRITTEN_L1,
	[LEVEL_OTHERS] = WRITTEN_L3,
	[LEVEL_HITM] = WRITTEN_HITM,
	[LEVEL_MEMORY] = WRITTEN_MEMORY,
};

enum group { OWN_LOADS, OTHER_LOADS, HITM_LOADS, STORES, GROUPS };

static enum group group_of(bool is_store, unsigned level)
{
	if (is_store)
		return STORES;
	return level == LEVEL_OWN ? OWN_LOADS : level == LEVEL_HITM ? HITM_LOADS : OTHER_LOADS;
}

struct converting {
	const struct trace *trace;
	const struct trace_access **order; /* by line, place, processor */
	uint64_t total[GROUPS], period[GROUPS], left[GROUPS];
	struct written_sample *samples;
	size_t nsamples;
};

/* ---- samples ------------------------------------------------------------------------------- */

static int compare_accesses(const void *left, const void *right)
{
	const struct trace_access *a = *(const struct trace_access *const *)left;
	const struct trace_access *b = *(const struct trace_access *const *)right;
	int order = compare_u64(a->address, b->address);

	if (!order)
		order = compare_u64(a->ip, b->ip);
	return order ? order : compare_u64(a->cpu, b->cpu);
}

static void order_accesses(struct converting *converting)
{
	const struct trace *trace = converting->trace;
	size_t n = trace->header->naccesses;

	converting->order = xcalloc(n, sizeof(struct trace_access *));
	for (size_t i = 0; i < n; i++)
		converting->order[i] = &trace->accesses[i];
	if (n)
		qsort(converting->order, n, sizeof(struct trace_access *), compare_accesses);
}

static void choose_periods(struct converting *converting)
{
	const struct trace *trace = converting->trace;

	for (size_t i = 0; i < trace->header->naccesses; i++)
		for (unsigned level = 0; level < LEVELS; level++) {
			converting->total[group_of(false, level)] +=
				trace->accesses[i].loads[level];
			converting->total[STORES] += trace->accesses[i].stores[level];
		}
	for (unsigned i = 0; i < GROUPS; i++)
		converting->period[i] =
			max_u64(1, (converting->total[i] + CONVERT_SAMPLES - 1) / CONVERT_SAMPLES);
}

/* The samples that @n accesses make, with what was left over. */
static void add_samples(struct converting *converting, const struct trace_access *access,
			bool is_store, unsigned level, uint64_t n)
{
	enum group group = group_of(is_store, level);
	uint64_t all = converting->left[group] + n, period = converting->period[group];
	uint64_t samples = all / period, between = access->last - access->first;

	converting->left[group] = all % period;
	for (uint64_t i = 0; i < samples; i++)
		converting->samples[converting->nsamples++] = (struct written_sample){
			.time = access->first + (samples > 1 ? between / (samples - 1) * i : 0),
			.ip = access->ip,
			.address = access->address,
			.physical = access->physical,
			.period = period,
			.pid = access->pid,
			.tid = access->tid,
			.cpu = access->cpu,
			.level = written_levels[level],
			.is_store = is_store,
			.is_locked = access->flags & TRACE_LOCKED,
		};
}

static int compare_samples(const void *left, const void *right)
{
	const struct written_sample *a = left, *b = right;
	int order = compare_u64(a->time, b->time);

	if (!order)
		order = compare_u64(a->cpu, b->cpu);
	if (!order)
		order = compare_u64(a->ip, b->ip);
	if (!order)
		order = compare_u64(a->address, b->address);
	if (!order)
		order = compare_u64(a->is_store, b->is_store);
	return order ? order : compare_u64(a->level, b->level);
}

static void make_samples(struct converting *converting)
{
	size_t most = 0;

	for (unsigned i = 0; i < GROUPS; i++)
		most += converting->total[i] / converting->period[i];
	converting->samples = xcalloc(most, sizeof *converting->samples);
	for (size_t i = 0; i < converting->trace->header->naccesses; i++)
		for (unsigned level = 0; level < LEVELS; level++) {
			const struct trace_access *access = converting->order[i];

			add_samples(converting, access, false, level, access->loads[level]);
			add_samples(converting, access, true, level, access->stores[level]);
		}
	if (converting->nsamples)
		qsort(converting->samples, converting->nsamples, sizeof *converting->samples,
		      compare_samples);
}

/* ---- whose they are ------------------------------------------------------------------------ */

/* A file that is mapped several times is code where an instruction of it was seen. */
static bool has_code(const struct trace *trace, const struct trace_map *map)
{
	for (uint64_t i = 0; i < trace->header->naccesses; i++)
		if (trace->accesses[i].ip - map->start < map->size)
			return true;
	return false;
}

static struct written_map *make_maps(const struct converting *converting,
				     const struct convert_subject *subject, struct arena *arena,
				     size_t *ret_n)
{
	const struct trace *trace = converting->trace;
	struct written_map *maps = arena_array(arena, trace->header->nmaps + 1, sizeof *maps);
	size_t n = 0;

	if (trace->header->flags & TRACE_SYSTEM) {
		maps[n++] = (struct written_map){-1,
						 subject->text,
						 subject->text_end - subject->text,
						 subject->text,
						 "[kernel.kallsyms]_text",
						 subject->build_id};
		*ret_n = n;
		return maps;
	}
	for (uint64_t i = 0; i < trace->header->nmaps; i++) {
		const struct trace_map *map = &trace->maps[i];
		char *build_id;

		if (!has_code(trace, map))
			continue;
		build_id = subject->build_id_of(map->path);
		maps[n++] = (struct written_map){
			trace->header->ntasks ? (int32_t)trace->tasks[0].pid : 0,
			map->start,
			map->size,
			map->offset,
			map->path,
			build_id ? arena_strdup(arena, build_id) : NULL};
		free(build_id);
	}
	*ret_n = n;
	return maps;
}

/* Of a program the thread has the emulator's name as long as it gives itself no other. */
static struct written_task *make_tasks(const struct trace *trace,
				       const struct convert_subject *subject, struct arena *arena)
{
	struct written_task *tasks = arena_array(arena, trace->header->ntasks, sizeof *tasks);

	for (uint64_t i = 0; i < trace->header->ntasks; i++) {
		const struct trace_task *task = &trace->tasks[i];
		bool is_emulator = subject->comm && strncmp(task->comm, "qemu-", 5) == 0;

		tasks[i] = (struct written_task){task->pid, task->tid,
						 is_emulator ? subject->comm : task->comm};
	}
	return tasks;
}

static void copy_pairs(const struct trace *trace, struct converted *ret)
{
	ret->npairs = trace->header->npairs;
	ret->pairs = xcalloc(ret->npairs, sizeof *ret->pairs);
	for (size_t i = 0; i < ret->npairs; i++) {
		const struct trace_pair *pair = &trace->pairs[i];

		ret->pairs[i] = (struct access_pair){pair->writer_ip, pair->writer_address,
						     pair->reader_ip, pair->reader_address,
						     pair->count,     pair->needed};
	}
}

void convert(const struct trace *trace, const struct convert_subject *subject,
	     struct converted *ret)
{
	struct converting converting = {.trace = trace};
	struct arena arena = {0};
	struct written_recording recording = {
		.release = subject->release,
		.argv = subject->argv,
		.line = trace->header->line,
		.memory = subject->memory,
		.cpus = trace->header->cpus,
		.ntasks = trace->header->ntasks,
	};

	*ret = (struct converted){.perf_data = BUF_INIT};
	recording.description =
		arena_printf(&arena, "QEMU TCG, caches modelled by layoutcheck, quantum %llu",
			     (unsigned long long)trace->header->quantum);
	order_accesses(&converting);
	choose_periods(&converting);
	make_samples(&converting);
	recording.samples = converting.samples;
	recording.nsamples = converting.nsamples;
	recording.tasks = make_tasks(trace, subject, &arena);
	recording.maps = make_maps(&converting, subject, &arena, &recording.nmaps);
	perf_data_write(&recording, &ret->perf_data);
	copy_pairs(trace, ret);
	ret->hitm = converting.total[HITM_LOADS];
	ret->loads = ret->hitm + converting.total[OWN_LOADS] + converting.total[OTHER_LOADS];
	ret->stores = converting.total[STORES];
	ret->samples = converting.nsamples;
	ret->hitm_period = converting.period[HITM_LOADS];
	free(converting.order);
	free(converting.samples);
	arena_release(&arena);
}

void converted_release(struct converted *converted)
{
	buf_release(&converted->perf_data);
	free(converted->pairs);
	*converted = (struct converted){.perf_data = BUF_INIT};
}
