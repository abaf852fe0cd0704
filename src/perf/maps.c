/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/math.h"
#include "perf/map_tree.h"
#include "perf/shares.h"

/* A process or thread began, or another program began in it. */
struct birth {
	struct stamp since;
	bool has_parent; /* of which it has what the parent had at that moment */
	int32_t parent;
};

struct comm {
	struct stamp since;
	const char *name;
};

/* A map of a marked file. */
struct marked {
	struct stamp since;
	const struct map *map;
};

/* A process with its maps, and a thread with its names: both have numbers from one set. */
struct task {
	int32_t id;
	bool is_set;
	struct map *maps;
	size_t nmaps, maps_cap;
	struct birth *births; /* of the process: where maps begin */
	size_t nbirths, births_cap;
	struct birth *thread_births; /* of the thread: where names come from */
	size_t nthread_births, thread_births_cap;
	struct comm *comms;
	size_t ncomms, comms_cap;
	struct map_tree tree;
	struct marked *marked; /* in the order of time */
	size_t nmarked, marked_cap;
};

struct maps {
	struct arena arena;
	struct task *tasks; /* hash table of a power of two */
	size_t ntasks, tasks_cap;
	struct map_file **files;
	size_t nfiles, files_cap;
	uint32_t *file_slots; /* hash table of a power of two: 1 + number of the file */
	size_t file_slots_cap;
	const char *last_comm;
	struct shares shares;
};

/* Parents of parents: no real chain is longer without a map of its own. */
enum { GENERATIONS = 64 };

struct maps *maps_new(void)
{
	struct maps *maps = xcalloc(1, sizeof *maps);

	arena_init(&maps->arena);
	return maps;
}

void maps_free(struct maps *maps)
{
	if (!maps)
		return;
	for (size_t i = 0; i < maps->tasks_cap; i++) {
		struct task *task = &maps->tasks[i];

		free(task->maps);
		free(task->births);
		free(task->thread_births);
		free(task->comms);
		map_tree_release(&task->tree);
		free(task->marked);
	}
	shares_release(&maps->shares);
	free(maps->tasks);
	free(maps->files);
	free(maps->file_slots);
	arena_release(&maps->arena);
	free(maps);
}

/* ---- files */

static size_t file_hash(const char *path, const uint8_t *build_id, size_t size)
{
	struct hash128 name = hash128(path, strlen(path));
	struct hash128 id = hash128(build_id, size);

	return (size_t)(name.lo ^ id.hi);
}

static void file_slot_put(struct maps *maps, size_t file)
{
	const struct map_file *f = maps->files[file];
	size_t mask = maps->file_slots_cap - 1;
	size_t slot = file_hash(f->path, f->build_id, f->build_id_size) & mask;

	while (maps->file_slots[slot])
		slot = (slot + 1) & mask;
	maps->file_slots[slot] = (uint32_t)file + 1;
}

static void file_slots_grow(struct maps *maps)
{
	free(maps->file_slots);
	maps->file_slots_cap = maps->file_slots_cap ? maps->file_slots_cap * 2 : 64;
	maps->file_slots = xcalloc(maps->file_slots_cap, sizeof *maps->file_slots);
	for (size_t i = 0; i < maps->nfiles; i++)
		file_slot_put(maps, i);
}

struct map_file *maps_file(struct maps *maps, const char *path, const uint8_t *build_id,
			   size_t size)
{
	struct map_file *file;
	size_t mask, slot;

	if (size > sizeof file->build_id)
		size = sizeof file->build_id;
	if (maps->nfiles * 2 >= maps->file_slots_cap)
		file_slots_grow(maps);
	mask = maps->file_slots_cap - 1;
	for (slot = file_hash(path, build_id, size) & mask; maps->file_slots[slot];
	     slot = (slot + 1) & mask) {
		file = maps->files[maps->file_slots[slot] - 1];
		if (file->build_id_size == size && strcmp(file->path, path) == 0 &&
		    (size == 0 || memcmp(file->build_id, build_id, size) == 0))
			return file;
	}
	file = arena_alloc(&maps->arena, sizeof *file);
	file->path = arena_strdup(&maps->arena, path);
	if (size > 0)
		memcpy(file->build_id, build_id, size);
	file->build_id_size = (uint8_t)size;
	ARRAY_GROW(maps->files, maps->nfiles, maps->files_cap);
	maps->files[maps->nfiles++] = file;
	maps->file_slots[slot] = (uint32_t)maps->nfiles;
	return file;
}

size_t maps_nfiles(const struct maps *maps)
{
	return maps->nfiles;
}

struct map_file *maps_nth_file(const struct maps *maps, size_t i)
{
	return maps->files[i];
}

/* ---- tasks */

static size_t task_slot(const struct maps *maps, int32_t id)
{
	size_t mask = maps->tasks_cap - 1;
	size_t slot = ((uint32_t)id * 2654435769u >> 7) & mask;

	while (maps->tasks[slot].is_set && maps->tasks[slot].id != id)
		slot = (slot + 1) & mask;
	return slot;
}

static struct task *find_task(const struct maps *maps, int32_t id)
{
	struct task *task;

	if (maps->tasks_cap == 0)
		return NULL;
	task = &maps->tasks[task_slot(maps, id)];
	return task->is_set ? task : NULL;
}

static void grow_tasks(struct maps *maps)
{
	struct maps old = *maps;

	maps->tasks_cap = old.tasks_cap ? old.tasks_cap * 2 : 64;
	maps->tasks = xcalloc(maps->tasks_cap, sizeof *maps->tasks);
	for (size_t i = 0; i < old.tasks_cap; i++)
		if (old.tasks[i].is_set)
			maps->tasks[task_slot(maps, old.tasks[i].id)] = old.tasks[i];
	free(old.tasks);
}

static struct task *get_task(struct maps *maps, int32_t id)
{
	struct task *task;

	if (maps->ntasks * 2 >= maps->tasks_cap)
		grow_tasks(maps);
	task = &maps->tasks[task_slot(maps, id)];
	if (!task->is_set) {
		task->is_set = true;
		task->id = id;
		maps->ntasks++;
	}
	return task;
}

void maps_add(struct maps *maps, int32_t pid, const struct map *map)
{
	struct task *task = get_task(maps, pid);

	if (map->len == 0)
		return;
	ARRAY_GROW(task->maps, task->nmaps, task->maps_cap);
	task->maps[task->nmaps] = *map;
	task->maps[task->nmaps].pid = pid;
	shares_add(&maps->shares, &task->maps[task->nmaps++]);
}

static void add_birth(struct task *task, struct birth birth)
{
	ARRAY_GROW(task->births, task->nbirths, task->births_cap);
	task->births[task->nbirths++] = birth;
}

void maps_fork(struct maps *maps, int32_t pid, int32_t parent, int32_t tid, int32_t parent_tid,
	       struct stamp since)
{
	struct task *thread;

	if (pid != parent)
		add_birth(get_task(maps, pid), (struct birth){since, true, parent});
	if (tid == parent_tid)
		return;
	thread = get_task(maps, tid);
	ARRAY_GROW(thread->thread_births, thread->nthread_births, thread->thread_births_cap);
	thread->thread_births[thread->nthread_births++] = (struct birth){since, true, parent_tid};
}

void maps_comm(struct maps *maps, int32_t pid, int32_t tid, const char *comm, bool is_exec,
	       struct stamp since)
{
	struct task *thread;

	if (is_exec)
		add_birth(get_task(maps, pid), (struct birth){since, false, 0});
	thread = get_task(maps, tid);
	/* Threads of one program come one after the other. */
	if (!maps->last_comm || strcmp(maps->last_comm, comm) != 0)
		maps->last_comm = arena_strdup(&maps->arena, comm);
	ARRAY_GROW(thread->comms, thread->ncomms, thread->comms_cap);
	thread->comms[thread->ncomms++] = (struct comm){since, maps->last_comm};
}

/* ---- order */

int stamp_compare(struct stamp a, struct stamp b)
{
	int diff = compare_u64(a.time, b.time);

	return diff ? diff : compare_u64(a.seq, b.seq);
}

/* What is ordered by time here begins with its stamp. */
static int compare_since(const void *a, const void *b)
{
	return stamp_compare(*(const struct stamp *)a, *(const struct stamp *)b);
}

static void list_marked(struct task *task)
{
	for (size_t i = 0; i < task->nmaps; i++) {
		const struct map *map = &task->maps[i];

		if (!map->file || !map->file->is_marked)
			continue;
		ARRAY_GROW(task->marked, task->nmarked, task->marked_cap);
		task->marked[task->nmarked++] = (struct marked){map->since, map};
	}
}

void maps_sort(struct maps *maps)
{
	shares_sort(&maps->shares);
	for (size_t i = 0; i < maps->tasks_cap; i++) {
		struct task *task = &maps->tasks[i];

		if (task->nmaps > 0) {
			map_tree_init(task->maps, task->nmaps, &task->tree);
			list_marked(task);
		}
		if (task->nbirths > 1)
			qsort(task->births, task->nbirths, sizeof *task->births, compare_since);
		if (task->nthread_births > 1)
			qsort(task->thread_births, task->nthread_births,
			      sizeof *task->thread_births, compare_since);
		if (task->ncomms > 1)
			qsort(task->comms, task->ncomms, sizeof *task->comms, compare_since);
	}
}

/* ---- look-ups */

/* How many of @n items of @size bytes, which begin with their stamp, were not after @at. */
static size_t count_until(const void *items, size_t n, size_t size, struct stamp at)
{
	size_t from = 0, to = n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare_since((const char *)items + middle * size, &at) <= 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The last of @n births that was not after @at; NULL: none. */
static const struct birth *last_birth(const struct birth *births, size_t n, struct stamp at)
{
	size_t count = count_until(births, n, sizeof *births, at);

	return count > 0 ? &births[count - 1] : NULL;
}

static const struct map *last_marked(const struct task *task, struct stamp at)
{
	size_t n = count_until(task->marked, task->nmarked, sizeof *task->marked, at);

	return n > 0 ? task->marked[n - 1].map : NULL;
}

/* The map over @address, or of a marked file when @address is NULL. */
static const struct map *find(const struct maps *maps, int32_t pid, const uint64_t *address,
			      uint64_t time)
{
	struct stamp at = {time, UINT64_MAX};

	for (int i = 0; i < GENERATIONS; i++) {
		const struct task *task = find_task(maps, pid);
		const struct birth *birth;
		const struct map *map;

		if (!task)
			return NULL;
		birth = last_birth(task->births, task->nbirths, at);
		map = address ? map_tree_find(&task->tree, *address, at) : last_marked(task, at);
		if (map && (!birth || stamp_compare(map->since, birth->since) >= 0))
			return map->file ? map : NULL;
		if (!birth || !birth->has_parent)
			return NULL;
		pid = birth->parent;
		at = birth->since;
	}
	return NULL;
}

const struct map *maps_find(const struct maps *maps, int32_t pid, uint64_t address, uint64_t time)
{
	return find(maps, pid, &address, time);
}

void maps_shared(const struct maps *maps, const struct map *map, uint64_t address, int32_t *ret_pid,
		 uint64_t *ret_address)
{
	shares_find(&maps->shares, map, address, ret_pid, ret_address);
}

const struct map *maps_find_marked(const struct maps *maps, int32_t pid, uint64_t time)
{
	return find(maps, pid, NULL, time);
}

const char *maps_comm_of(const struct maps *maps, int32_t tid, uint64_t time)
{
	struct stamp at = {time, UINT64_MAX};

	for (int i = 0; i < GENERATIONS; i++) {
		const struct task *task = find_task(maps, tid);
		const struct birth *birth;
		size_t n;

		if (!task)
			return NULL;
		birth = last_birth(task->thread_births, task->nthread_births, at);
		n = count_until(task->comms, task->ncomms, sizeof *task->comms, at);
		if (n > 0 && (!birth || stamp_compare(task->comms[n - 1].since, birth->since) >= 0))
			return task->comms[n - 1].name;
		if (!birth)
			return NULL;
		tid = birth->parent;
		at = birth->since;
	}
	return NULL;
}
