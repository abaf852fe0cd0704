/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/trace.h"

#include <string.h>

#include "base/cursor.h"
#include "plugin/coherence.h"

/* 12 million places: more than the plugin counts. */
static const size_t most_bytes = (size_t)4 << 30;

/* @n things of @size bytes; NULL and bad when they are not there. */
static const void *take(struct cursor *c, uint64_t n, size_t size)
{
	if (n > cursor_left(c) / size) {
		cursor_fail(c);
		return NULL;
	}
	return cursor_bytes(c, n * size);
}

static bool has_end(const char *s, size_t n)
{
	return memchr(s, '\0', n) != NULL;
}

/* So that no sum of them can overflow. */
static const uint64_t most_counted = (uint64_t)1 << 35;

static bool is_sound_access(const struct trace_access *access, uint32_t cpus)
{
	for (unsigned i = 0; i < TRACE_LEVELS; i++)
		if (access->loads[i] > most_counted || access->stores[i] > most_counted)
			return false;
	return access->cpu < cpus && access->first <= access->last;
}

static bool is_sound(const struct trace *trace)
{
	const struct trace_header *header = trace->header;

	if (!header->line || header->line & (header->line - 1) || header->cpus > TRACE_CPUS)
		return false;
	for (uint64_t i = 0; i < header->naccesses; i++)
		if (!is_sound_access(&trace->accesses[i], header->cpus))
			return false;
	for (uint64_t i = 0; i < header->npairs; i++)
		if (trace->pairs[i].needed > trace->pairs[i].count)
			return false;
	for (uint64_t i = 0; i < header->ntasks; i++)
		if (!has_end(trace->tasks[i].comm, TRACE_COMM))
			return false;
	for (uint64_t i = 0; i < header->nmaps; i++)
		if (!has_end(trace->maps[i].path, TRACE_PATH))
			return false;
	return true;
}

static bool parse(struct trace *trace, const char *path, struct err *err)
{
	struct cursor c = cursor_over(trace->bytes.data, trace->bytes.len, false);
	const struct trace_header *header = take(&c, 1, sizeof *header);

	if (!header || header->magic != TRACE_MAGIC)
		return err_set(err, path, "no trace of the plugin");
	trace->header = header;
	trace->accesses = take(&c, header->naccesses, sizeof *trace->accesses);
	trace->pairs = take(&c, header->npairs, sizeof *trace->pairs);
	trace->tasks = take(&c, header->ntasks, sizeof *trace->tasks);
	trace->maps = take(&c, header->nmaps, sizeof *trace->maps);
	if (c.bad || cursor_left(&c) || !is_sound(trace))
		return err_set(err, path, "the trace of the plugin is damaged");
	if (!(header->flags & TRACE_STARTED))
		return err_set(err, NULL, "the start was never passed: nothing was recorded");
	if (header->flags & TRACE_ONE_THREAD)
		return err_set(err, NULL,
			       "the emulator ran all processors on one thread, where none meets "
			       "another: it needs -accel tcg,thread=multi");
	return true;
}

bool trace_read(const char *path, struct err *err, struct trace *ret)
{
	*ret = (struct trace){0};
	if (!file_read(path, most_bytes, err, &ret->bytes))
		return false;
	if (parse(ret, path, err))
		return true;
	trace_release(ret);
	return false;
}

void trace_release(struct trace *trace)
{
	bytes_release(&trace->bytes);
	*trace = (struct trace){0};
}

bool trace_access_met(const struct trace_access *access)
{
	return access->loads[LEVEL_HITM] || access->stores[LEVEL_HITM];
}
