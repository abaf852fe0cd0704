/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/text.h"
#include "perf/data.h"

enum { UPDATE_NAME = 2 };

enum { KSYMBOL_UNREGISTER = 1 };

enum { MAP_IS_SHARED = 1 }; /* MAP_SHARED of mmap() */

/* ---- perf's own: events and machine */

static bool add_event(struct perf_data *data, struct cursor *c, struct err *err)
{
	if (!events_add(&data->events, c, data->place, err))
		return false;
	while (cursor_left(c) >= 8)
		events_add_id(&data->events, cursor_u64(c));
	data->needs_sort = true;
	return true;
}

void collect_sort(struct perf_data *data)
{
	if (data->needs_sort)
		events_sort(&data->events);
	data->needs_sort = false;
}

static void update_event(struct perf_data *data, struct cursor *c)
{
	uint64_t what = cursor_u64(c), id = cursor_u64(c);
	struct event *event;
	const char *name;

	if (what != UPDATE_NAME)
		return;
	collect_sort(data);
	event = events_of_id(&data->events, id);
	name = cursor_string(c);
	if (event && !c->bad)
		event->name = arena_strdup(data->features.arena, name);
}

bool collect_header(struct perf_data *data, struct record *record, struct err *err, bool *ret)
{
	struct cursor *c = &record->body;
	uint64_t feature;

	*ret = true;
	switch (record->type) {
	case RECORD_HEADER_ATTR:
		return add_event(data, c, err);
	case RECORD_EVENT_UPDATE:
		update_event(data, c);
		return true;
	case RECORD_BUILD_ID:
		features_read_build_id(&data->features, record->misc, c);
		return true;
	case RECORD_FEATURE:
		feature = cursor_u64(c);
		if (feature >= FEATURES)
			return true;
		collect_sort(data);
		return features_read(&data->features, (unsigned)feature, c, data->place, err);
	case RECORD_AUXTRACE:
		data->has_aux = true;
		return true;
	default:
		/* Of perf's own the rest says nothing that is of use. */
		*ret = record->type > RECORD_HEADER_ATTR;
		return true;
	}
}

/* ---- the kernel's: maps and threads */

/* "[kernel.kallsyms]_text": the name, and the symbol that the map's offset is the address of. */
static void set_kernel(struct perf_data *data, struct arena *arena, const struct map *map,
		       const char *path)
{
	const char *bracket = strchr(path, ']');

	/* Further ones are what kcore has of the same kernel. */
	if (data->kernel.is_set)
		return;
	data->kernel.is_set = true;
	data->kernel.start = map->start;
	data->kernel.len = map->len;
	data->kernel.pgoff = map->pgoff;
	data->kernel.symbol = arena_strdup(arena, bracket ? bracket + 1 : "");
}

/* @build_id: NULL when there is none. */
static void add_map(struct perf_data *data, struct arena *arena, const struct record *record,
		    int32_t pid, struct map *map, const char *path, const uint8_t *build_id,
		    size_t size)
{
	unsigned mode = record->misc & MISC_CPUMODE;

	if (mode == MISC_GUEST_KERNEL || mode == MISC_GUEST_USER)
		return;
	if (mode == MISC_KERNEL) {
		pid = MAPS_KERNEL;
		if (text_starts_with(path, "[kernel.kallsyms]")) {
			set_kernel(data, arena, map, path);
			path = "[kernel.kallsyms]";
		}
	}
	map->file = maps_file(data->maps, path, build_id, size);
	if (pid == MAPS_KERNEL && size > 0 && strcmp(path, "[kernel.kallsyms]") == 0)
		data->kernel_file = map->file;
	maps_add(data->maps, pid, map);
}

static void collect_mmap(struct perf_data *data, struct arena *arena, struct record *record,
			 struct stamp since)
{
	struct cursor *c = &record->body;
	const uint8_t *build_id = NULL;
	struct map map = {.since = since};
	const char *path;
	size_t size = 0;
	int32_t pid;

	pid = (int32_t)cursor_u32(c);
	cursor_skip(c, 4);
	map.start = cursor_u64(c);
	map.len = cursor_u64(c);
	map.pgoff = cursor_u64(c);
	if (record->type == RECORD_MMAP2) {
		/* Size, padding and build id, or device and inode. */
		if (record->misc & MISC_MMAP_BUILD_ID) {
			const uint8_t *file = cursor_bytes(c, 24);

			size = file && file[0] <= 20 ? file[0] : 0;
			build_id = size > 0 ? file + 4 : NULL;
		} else {
			map.device = cursor_u64(c); /* two words */
			map.inode = cursor_u64(c);
			map.generation = cursor_u64(c);
		}
		cursor_skip(c, 4); /* protection */
		map.is_shared = cursor_u32(c) & MAP_IS_SHARED;
		map.is_private = !map.is_shared;
	}
	path = cursor_string(c);
	if (!c->bad)
		add_map(data, arena, record, pid, &map, path, build_id, size);
}

static void collect_fork(struct perf_data *data, struct cursor *c, struct stamp since)
{
	int32_t pid = (int32_t)cursor_u32(c), parent = (int32_t)cursor_u32(c);
	int32_t tid = (int32_t)cursor_u32(c), parent_tid = (int32_t)cursor_u32(c);

	if (!c->bad)
		maps_fork(data->maps, pid, parent, tid, parent_tid, since);
}

static void collect_comm(struct perf_data *data, struct record *record, struct stamp since)
{
	struct cursor *c = &record->body;
	int32_t pid = (int32_t)cursor_u32(c), tid = (int32_t)cursor_u32(c);
	const char *comm = cursor_string(c);

	if (!c->bad)
		maps_comm(data->maps, pid, tid, comm, record->misc & MISC_COMM_EXEC, since);
}

static void collect_ksymbol(struct perf_data *data, struct cursor *c, struct stamp since)
{
	struct map map = {.since = since};
	const char *name;
	uint16_t flags;

	map.start = cursor_u64(c);
	map.len = cursor_u32(c);
	cursor_skip(c, 2); /* BPF, or a trampoline of ftrace or kprobes */
	flags = cursor_u16(c);
	name = cursor_string(c);
	if (c->bad)
		return;
	if (!(flags & KSYMBOL_UNREGISTER)) {
		struct map_file *file = maps_file(data->maps, name, NULL, 0);

		file->is_symbol = true;
		map.file = file;
	}
	maps_add(data->maps, MAPS_KERNEL, &map);
}

void collect(struct perf_data *data, struct arena *arena, struct record *record, uint64_t number)
{
	struct stamp since = {number, number};

	collect_sort(data);
	if (data->has_times)
		since.time = events_record_time(&data->events, &record->body);
	switch (record->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		collect_mmap(data, arena, record, since);
		break;
	case RECORD_FORK:
		collect_fork(data, &record->body, since);
		break;
	case RECORD_COMM:
		collect_comm(data, record, since);
		break;
	case RECORD_KSYMBOL:
		collect_ksymbol(data, &record->body, since);
		break;
	default:
		break;
	}
}
