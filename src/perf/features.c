/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/features.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/text.h"

enum {
	FEATURE_BUILD_ID = 2,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUID = 9,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_CACHE = 20,
	FEATURE_MEM_TOPOLOGY = 22
};

/* No machine has more; a list that says so is broken. */
enum { CPUS_MAX = 1 << 16, NODES_MAX = 1 << 10 };

enum { BUILD_ID_BYTES = 20 };

enum { MISC_CPUMODE = 7, MISC_KERNEL = 1, MISC_BUILD_ID_SIZE = 1 << 15 };

void features_release(struct features *features)
{
	free(features->node_of_cpu);
	free(features->memory);
}

/* A string: its length, rounded up, and the bytes with their NUL. */
static const char *read_string(struct cursor *c)
{
	uint32_t len = cursor_u32(c);
	const uint8_t *bytes = cursor_bytes(c, len);

	if (bytes && memchr(bytes, 0, len))
		return (const char *)bytes;
	cursor_fail(c);
	return "";
}

static void read_fact(struct features *features, struct cursor *c, const char **ret)
{
	const char *s = read_string(c);

	if (!c->bad && *s)
		*ret = arena_strdup(features->arena, s);
}

static void read_cmdline(struct features *features, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	struct buf line = BUF_INIT;

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		if (i > 0)
			buf_addc(&line, ' ');
		buf_adds(&line, read_string(c));
	}
	if (!c->bad && line.len > 0)
		features->facts->cmdline = arena_strdup(features->arena, line.s);
	buf_release(&line);
}

static void read_event_desc(struct features *features, struct cursor *c)
{
	struct events *events = features->events;
	uint32_t n = cursor_u32(c), attr_size = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct event *event = n == events->n ? &events->items[i] : NULL;
		const char *name;
		uint32_t nids;

		cursor_skip(c, attr_size);
		nids = cursor_u32(c);
		name = read_string(c);
		for (uint32_t k = 0; k < nids && !c->bad; k++) {
			struct event *of_id = events_of_id(events, cursor_u64(c));

			if (of_id && !c->bad)
				event = of_id;
		}
		if (event && !c->bad)
			event->name = arena_strdup(features->arena, name);
	}
}

/* The nodes of CPUs: "0-3,8" */
static bool read_cpu_list(struct features *features, const char *list, int32_t node)
{
	while (*list) {
		char *end;
		unsigned long first, last;

		first = last = strtoul(list, &end, 10);
		if (end == list)
			return false;
		if (*end == '-') {
			list = end + 1;
			last = strtoul(list, &end, 10);
			if (end == list)
				return false;
		}
		if (last < first || last >= CPUS_MAX || (*end && *end != ','))
			return false;
		while (features->ncpus <= last) {
			size_t cap = features->ncpus; /* a power of two, or 0 */

			if (cap == 0 || (cap & (cap - 1)) == 0)
				features->node_of_cpu =
					xrealloc_array(features->node_of_cpu, cap ? cap * 2 : 1,
						       sizeof *features->node_of_cpu);
			features->node_of_cpu[features->ncpus++] = -1;
		}
		for (unsigned long cpu = first; cpu <= last; cpu++)
			features->node_of_cpu[cpu] = node;
		list = *end ? end + 1 : end;
	}
	return true;
}

static void read_numa(struct features *features, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	if (n > NODES_MAX)
		cursor_fail(c);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t node = cursor_u32(c);
		const char *list;

		cursor_skip(c, 16); /* how much memory it has, and has free */
		list = read_string(c);
		if (!c->bad && !read_cpu_list(features, list, (int32_t)node))
			cursor_fail(c);
	}
	if (!c->bad)
		features->facts->nodes = n;
}

/* The line of the first level: that of data, when two caches are named. */
static void read_cache(struct features *features, struct cursor *c)
{
	uint32_t version = cursor_u32(c), n = cursor_u32(c);
	uint64_t line = 0;

	if (version != 1)
		return;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t level = cursor_u32(c), size = cursor_u32(c);
		const char *type;

		cursor_skip(c, 8); /* sets, ways */
		type = read_string(c);
		(void)read_string(c); /* how large */
		(void)read_string(c); /* the CPUs that share it */
		if (level == 1 && (line == 0 || strcmp(type, "Data") == 0))
			line = size;
	}
	if (!c->bad && line > 0 && (line & (line - 1)) == 0)
		features->facts->line = line;
}

static void read_memory(struct features *features, struct cursor *c)
{
	uint64_t version = cursor_u64(c), block_size = cursor_u64(c), n = cursor_u64(c);

	if (version != 1 || features->memory)
		return;
	if (n > NODES_MAX)
		cursor_fail(c);
	if (c->bad || n == 0)
		return;
	features->memory = xcalloc((size_t)n, sizeof *features->memory);
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		struct memory_node *node = &features->memory[i];
		uint64_t *words, nwords;

		node->node = cursor_u64(c);
		cursor_skip(c, 8); /* the number of bits, which comes again */
		node->nblocks = cursor_u64(c);
		nwords = node->nblocks / 64 + (node->nblocks % 64 != 0);
		if (nwords > cursor_left(c) / 8) {
			cursor_fail(c);
			break;
		}
		words = arena_array(features->arena, (size_t)nwords, sizeof *words);
		for (uint64_t k = 0; k < nwords; k++)
			words[k] = cursor_u64(c);
		node->has = words;
		features->nmemory++;
	}
	if (!c->bad)
		features->block_size = block_size;
}

/* Not a module: "[nf_tables]", "/lib/modules/6.1.0/kernel/net/x.ko.xz". */
static bool is_kernel_itself(const char *path)
{
	if (*path == '[')
		return text_starts_with(path, "[kernel");
	return !strstr(path, ".ko");
}

void features_read_build_id(struct features *features, uint16_t misc, struct cursor *c)
{
	const uint8_t *id;
	size_t size = BUILD_ID_BYTES;
	const struct map_file *file;
	const char *path;

	cursor_skip(c, 4); /* pid */
	id = cursor_bytes(c, BUILD_ID_BYTES);
	if (misc & MISC_BUILD_ID_SIZE)
		size = cursor_u8(c);
	else
		cursor_skip(c, 1);
	cursor_skip(c, 3);
	path = cursor_string(c);
	if (c->bad || size > BUILD_ID_BYTES)
		return;
	file = maps_file(features->maps, path, id, size);
	if ((misc & MISC_CPUMODE) == MISC_KERNEL && is_kernel_itself(path))
		features->kernel = file;
}

static void read_build_ids(struct features *features, struct cursor *c)
{
	while (cursor_left(c) > 0 && !c->bad) {
		uint16_t misc, size;
		const uint8_t *bytes;
		struct cursor body;

		cursor_skip(c, 4);
		misc = cursor_u16(c);
		size = cursor_u16(c);
		bytes = size >= 8 ? cursor_bytes(c, size - 8u) : NULL;
		if (!bytes) {
			cursor_fail(c);
			return;
		}
		body = cursor_over(bytes, size - 8u, c->swap);
		features_read_build_id(features, misc, &body);
		c->bad |= body.bad;
	}
}

bool features_wants(unsigned feature)
{
	switch (feature) {
	case FEATURE_BUILD_ID:
	case FEATURE_OSRELEASE:
	case FEATURE_VERSION:
	case FEATURE_ARCH:
	case FEATURE_NRCPUS:
	case FEATURE_CPUID:
	case FEATURE_CMDLINE:
	case FEATURE_EVENT_DESC:
	case FEATURE_NUMA_TOPOLOGY:
	case FEATURE_CACHE:
	case FEATURE_MEM_TOPOLOGY:
		return true;
	default:
		return false;
	}
}

bool features_read(struct features *features, unsigned feature, struct cursor *c, const char *place,
		   struct err *err)
{
	struct recording_facts *facts = features->facts;

	switch (feature) {
	case FEATURE_BUILD_ID:
		read_build_ids(features, c);
		break;
	case FEATURE_OSRELEASE:
		read_fact(features, c, &facts->release);
		break;
	case FEATURE_VERSION:
		read_fact(features, c, &facts->perf_version);
		break;
	case FEATURE_ARCH:
		read_fact(features, c, &facts->arch);
		break;
	case FEATURE_NRCPUS:
		facts->cpus = cursor_u32(c);
		break;
	case FEATURE_CPUID:
		read_fact(features, c, &facts->cpuid);
		break;
	case FEATURE_CMDLINE:
		read_cmdline(features, c);
		break;
	case FEATURE_EVENT_DESC:
		read_event_desc(features, c);
		break;
	case FEATURE_NUMA_TOPOLOGY:
		read_numa(features, c);
		break;
	case FEATURE_CACHE:
		read_cache(features, c);
		break;
	case FEATURE_MEM_TOPOLOGY:
		read_memory(features, c);
		break;
	default:
		break;
	}
	return !c->bad || err_set(err, place,
				  "what it says of its machine (feature %u) is cut short", feature);
}

int32_t features_node_of_cpu(const struct features *features, int32_t cpu)
{
	return cpu >= 0 && (size_t)cpu < features->ncpus ? features->node_of_cpu[cpu] : -1;
}

int32_t features_node_of_memory(const struct features *features, uint64_t physical)
{
	uint64_t block;

	if (features->block_size == 0)
		return -1;
	block = physical / features->block_size;
	for (size_t i = 0; i < features->nmemory; i++) {
		const struct memory_node *node = &features->memory[i];

		if (block < node->nblocks && node->has[block / 64] >> block % 64 & 1)
			return (int32_t)node->node;
	}
	return -1;
}
