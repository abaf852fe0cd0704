/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/write.h"

#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "perf/data.h"
#include "perf/event.h"

/* ---- bytes --------------------------------------------------------------------------------- */

static void put(struct buf *out, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		buf_addc(out, (char)(value >> 8 * i));
}

static void put32(struct buf *out, uint64_t value)
{
	put(out, value, 4);
}

static void put64(struct buf *out, uint64_t value)
{
	put(out, value, 8);
}

static void patch64(struct buf *out, size_t at, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++)
		out->s[at + i] = (char)(value >> 8 * i);
}

/* A string of a feature: its length with the NULs behind it, to a multiple of @unit. */
enum { STRING_UNIT = 64 };

static void put_string(struct buf *out, const char *s)
{
	size_t room = (strlen(s) / STRING_UNIT + 1) * STRING_UNIT;

	put32(out, room);
	buf_adds(out, s);
	buf_pad(out, '\0', room - strlen(s));
}

/* A path in a record: NULs to a multiple of 8. */
static void put_path(struct buf *out, const char *path)
{
	buf_adds(out, path);
	buf_pad(out, '\0', 8 - strlen(path) % 8);
}

/* ---- events -------------------------------------------------------------------------------- */

enum { LOADS, STORES, EVENTS };

/* As `perf c2c record` has them on a Skylake; the ids are ours. */
static const struct written_event {
	const char *name;
	uint64_t config, config1, id;
} written_events[EVENTS] = {
	{"cpu/mem-loads,ldlat=30/P", 0x1cd, 30, 101},
	{"cpu/mem-stores/P", 0x82d0, 0, 102},
};

static const uint64_t sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR |
				    SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_WEIGHT | SAMPLE_DATA_SRC |
				    SAMPLE_IDENTIFIER | SAMPLE_PHYS_ADDR;

enum {
	ATTR_SIZE = 128,
	ATTR_RAW = 4,     /* type: PERF_TYPE_RAW */
	ATTR_READ_ID = 4, /* read_format */
	ATTR_SAMPLE_PERIOD = 1000,
	HEADER_SIZE = 104
};

/* inherit, mmap, comm, task, precise_ip 3, sample_id_all, mmap2, comm_exec */
static const uint64_t attr_flags =
	1 << 1 | 1 << 8 | 1 << 9 | 1 << 13 | 3 << 15 | 1 << 18 | 1 << 23 | 1 << 24;

static void put_attr(struct buf *out, const struct written_event *event)
{
	size_t begun = out->len;

	put32(out, ATTR_RAW);
	put32(out, ATTR_SIZE);
	put64(out, event->config);
	put64(out, ATTR_SAMPLE_PERIOD);
	put64(out, sample_type);
	put64(out, ATTR_READ_ID);
	put64(out, attr_flags);
	put64(out, 0); /* wakeup, breakpoint type */
	put64(out, event->config1);
	buf_pad(out, '\0', ATTR_SIZE - (out->len - begun));
}

/* ---- records ------------------------------------------------------------------------------- */

enum { FINISHED_ROUND = 68, MISC_EXACT_IP = 1 << 14 };
enum { TYPE_MMAP = 1, TYPE_COMM = 3, TYPE_SAMPLE = 9 };

/* The head, whose size is filled in by end_record(). */
static size_t begin_record(struct buf *out, unsigned type, unsigned misc)
{
	size_t begun = out->len;

	put32(out, type);
	put(out, misc, 2);
	put(out, 0, 2);
	return begun;
}

static void end_record(struct buf *out, size_t begun)
{
	size_t size = out->len - begun;

	out->s[begun + 6] = (char)size;
	out->s[begun + 7] = (char)(size >> 8);
}

/* What every record that is no sample ends with: who, when, where, of which event. */
static void put_sample_id(struct buf *out, uint32_t pid, uint32_t tid)
{
	put32(out, pid);
	put32(out, tid);
	put64(out, 0); /* time */
	put64(out, 0); /* processor */
	put64(out, written_events[LOADS].id);
}

static void put_map(struct buf *out, const struct written_map *map)
{
	bool is_kernel = map->pid < 0;
	size_t begun = begin_record(out, TYPE_MMAP, is_kernel ? MISC_KERNEL : MISC_USER);

	put32(out, (uint32_t)map->pid);
	put32(out, is_kernel ? 0 : (uint32_t)map->pid);
	put64(out, map->start);
	put64(out, map->size);
	put64(out, map->offset);
	put_path(out, map->path);
	put_sample_id(out, is_kernel ? 0 : (uint32_t)map->pid, is_kernel ? 0 : (uint32_t)map->pid);
	end_record(out, begun);
}

static void put_task(struct buf *out, const struct written_task *task)
{
	size_t begun = begin_record(out, TYPE_COMM, 0);

	put32(out, task->pid);
	put32(out, task->tid);
	put_path(out, task->comm);
	put_sample_id(out, task->pid, task->tid);
	end_record(out, begun);
}

/* union perf_mem_data_src: op, level, snoop, lock, TLB, level by number, what blocked it. */
static uint64_t data_src(const struct written_sample *sample)
{
	enum { LOAD = 2, STORE = 4, HIT = 2, MISS = 4, L1 = 8, L3 = 0x40, RAM = 0x80 };
	enum { SNOOP_NONE = 2, SNOOP_HIT = 4, SNOOP_MISS = 8, SNOOP_HITM = 16, SNOOP_NA = 1 };
	enum { NUMBER_L1 = 1, NUMBER_L3 = 3, NUMBER_RAM = 0xd };
	static const struct {
		uint64_t level, snoop, number;
	} loads[] = {
		[WRITTEN_L1] = {HIT | L1, SNOOP_NONE, NUMBER_L1},
		[WRITTEN_L3] = {HIT | L3, SNOOP_HIT, NUMBER_L3},
		[WRITTEN_HITM] = {HIT | L3, SNOOP_HITM, NUMBER_L3},
		[WRITTEN_MEMORY] = {HIT | RAM, SNOOP_MISS, NUMBER_RAM},
	};
	uint64_t level = loads[sample->level].level, snoop = loads[sample->level].snoop;
	uint64_t number = loads[sample->level].number;

	if (sample->is_store) {
		level = (sample->level == WRITTEN_L1 ? HIT : MISS) | L1;
		snoop = SNOOP_NA;
		number = NUMBER_L1;
	}
	return (sample->is_store ? STORE : LOAD) | level << 5 | snoop << 19 |
	       (uint64_t)(sample->is_locked ? 2 : 1) << 24 | (uint64_t)(2 | 8) << 26 /* L1 TLB */ |
	       number << 33 | (uint64_t)1 << 40 /* nothing blocked it */;
}

/* In cycles: of a model, not measured. */
static const uint16_t weights[] = {
	[WRITTEN_L1] = 5, [WRITTEN_L3] = 45, [WRITTEN_HITM] = 110, [WRITTEN_MEMORY] = 200};

static void put_sample(struct buf *out, const struct written_sample *sample)
{
	bool is_kernel = sample->ip >> 63;
	size_t begun = begin_record(out, TYPE_SAMPLE,
				    (is_kernel ? MISC_KERNEL : MISC_USER) | MISC_EXACT_IP);

	put64(out, written_events[sample->is_store ? STORES : LOADS].id);
	put64(out, sample->ip);
	put32(out, sample->pid);
	put32(out, sample->tid);
	put64(out, sample->time);
	put64(out, sample->address);
	put64(out, sample->cpu);
	put64(out, sample->period);
	put64(out, weights[sample->level]);
	put64(out, data_src(sample));
	put64(out, sample->physical);
	end_record(out, begun);
}

static void put_records(struct buf *out, const struct written_recording *recording)
{
	size_t begun;

	for (size_t i = 0; i < recording->ntasks; i++)
		put_task(out, &recording->tasks[i]);
	for (size_t i = 0; i < recording->nmaps; i++)
		put_map(out, &recording->maps[i]);
	for (size_t i = 0; i < recording->nsamples; i++)
		put_sample(out, &recording->samples[i]);
	begun = begin_record(out, FINISHED_ROUND, 0);
	end_record(out, begun);
}

/* ---- features ------------------------------------------------------------------------------ */

typedef void feature_writer(struct buf *out, const struct written_recording *recording);

static unsigned hex_digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

static void put_build_ids(struct buf *out, const struct written_recording *recording)
{
	enum { ROOM = 20, MISC_HAS_SIZE = 1 << 15 };

	for (size_t i = 0; i < recording->nmaps; i++) {
		const struct written_map *map = &recording->maps[i];
		bool is_kernel = map->pid < 0;
		size_t begun, n;

		if (!map->build_id)
			continue;
		n = strlen(map->build_id) / 2;
		begun = begin_record(out, 0, (is_kernel ? MISC_KERNEL : MISC_USER) | MISC_HAS_SIZE);
		put32(out, (uint32_t)map->pid);
		for (size_t k = 0; k < ROOM; k++)
			put(out,
			    k < n ? hex_digit(map->build_id[2 * k]) << 4 |
					    hex_digit(map->build_id[2 * k + 1])
				  : 0,
			    1);
		put32(out, n);
		/* Of the kernel perf wants the name without the symbol. */
		put_path(out, is_kernel ? "[kernel.kallsyms]" : map->path);
		end_record(out, begun);
	}
}

static void put_hostname(struct buf *out, const struct written_recording *recording)
{
	(void)recording;
	put_string(out, "emulated");
}

static void put_release(struct buf *out, const struct written_recording *recording)
{
	put_string(out, recording->release);
}

static void put_version(struct buf *out, const struct written_recording *recording)
{
	(void)recording;
	put_string(out, "layoutcheck");
}

static void put_arch(struct buf *out, const struct written_recording *recording)
{
	(void)recording;
	put_string(out, "x86_64");
}

static void put_nrcpus(struct buf *out, const struct written_recording *recording)
{
	put32(out, recording->cpus);
	put32(out, recording->cpus);
}

static void put_description(struct buf *out, const struct written_recording *recording)
{
	put_string(out, recording->description);
}

/* What perf classifies the samples by. */
static void put_cpuid(struct buf *out, const struct written_recording *recording)
{
	(void)recording;
	put_string(out, "GenuineIntel,6,85,7");
}

static void put_memory(struct buf *out, const struct written_recording *recording)
{
	put64(out, recording->memory / 1024);
}

static void put_cmdline(struct buf *out, const struct written_recording *recording)
{
	uint32_t n = 0;

	while (recording->argv[n])
		n++;
	put32(out, n);
	for (uint32_t i = 0; i < n; i++)
		put_string(out, recording->argv[i]);
}

static void put_events(struct buf *out, const struct written_recording *recording)
{
	(void)recording;
	put32(out, EVENTS);
	put32(out, ATTR_SIZE);
	for (unsigned i = 0; i < EVENTS; i++) {
		put_attr(out, &written_events[i]);
		put32(out, 1);
		put_string(out, written_events[i].name);
		put64(out, written_events[i].id);
	}
}

static void put_cpu_list(struct buf *out, uint32_t cpus)
{
	struct buf list = BUF_INIT;

	buf_addf(&list, cpus > 1 ? "0-%u" : "0", cpus - 1);
	put_string(out, list.s);
	buf_release(&list);
}

static void put_cpu_topology(struct buf *out, const struct written_recording *recording)
{
	struct buf number = BUF_INIT;

	put32(out, 1); /* one package */
	put_cpu_list(out, recording->cpus);
	put32(out, recording->cpus);
	for (uint32_t i = 0; i < recording->cpus; i++) {
		number.len = 0;
		buf_addf(&number, "%u", i);
		put_string(out, number.s);
	}
	for (uint32_t i = 0; i < recording->cpus; i++) {
		put32(out, i); /* core */
		put32(out, 0); /* package */
	}
	buf_release(&number);
}

static void put_numa_topology(struct buf *out, const struct written_recording *recording)
{
	put32(out, 1); /* one node, 0 */
	put32(out, 0);
	put64(out, recording->memory / 1024);
	put64(out, recording->memory / 2048);
	put_cpu_list(out, recording->cpus);
}

static void put_sample_time(struct buf *out, const struct written_recording *recording)
{
	size_t n = recording->nsamples;

	put64(out, n ? recording->samples[0].time : 0);
	put64(out, n ? recording->samples[n - 1].time : 0);
}

/* Version, one cache: level, line, sets, ways, what it is. */
static void put_cache(struct buf *out, const struct written_recording *recording)
{
	put32(out, 1);
	put32(out, 1);
	put32(out, 1);
	put32(out, recording->line);
	put32(out, 64);
	put32(out, 8);
	put_string(out, "Data");
	put_string(out, "32K");
	put_cpu_list(out, recording->cpus);
}

/* Where perf takes its line from since 7.0. */
static void put_line(struct buf *out, const struct written_recording *recording)
{
	put32(out, recording->line);
}

/* Version, size of a block, one node: its number, the bits of a set, and the set in words. */
static void put_memory_topology(struct buf *out, const struct written_recording *recording)
{
	const uint64_t block = (uint64_t)128 << 20;
	uint64_t n = max_u64(1, recording->memory / block);

	put64(out, 1);
	put64(out, block);
	put64(out, 1);
	put64(out, 0);
	put64(out, n);
	put64(out, n);
	for (uint64_t first = 0; first < n; first += 64)
		put64(out, n - first >= 64 ? UINT64_MAX : ((uint64_t)1 << (n - first)) - 1);
}

/* By the number of its bit in the header. */
static const struct feature {
	unsigned number;
	feature_writer *write;
} written_features[] = {
	{2, put_build_ids},        {3, put_hostname}, {4, put_release},
	{5, put_version},          {6, put_arch},     {7, put_nrcpus},
	{8, put_description},      {9, put_cpuid},    {10, put_memory},
	{11, put_cmdline},         {12, put_events},  {13, put_cpu_topology},
	{14, put_numa_topology},   {20, put_cache},   {21, put_sample_time},
	{22, put_memory_topology}, {34, put_line},
};

static void put_features(struct buf *out, const struct written_recording *recording)
{
	size_t table = out->len;

	buf_pad(out, '\0', 16 * ARRAY_SIZE(written_features));
	for (size_t i = 0; i < ARRAY_SIZE(written_features); i++) {
		size_t begun = out->len;

		written_features[i].write(out, recording);
		patch64(out, table + 16 * i, begun);
		patch64(out, table + 16 * i + 8, out->len - begun);
	}
}

/* ---- the file ------------------------------------------------------------------------------ */

void perf_data_write(const struct written_recording *recording, struct buf *out)
{
	const size_t ids = HEADER_SIZE, attrs = ids + 8 * EVENTS;
	const size_t attrs_size = (ATTR_SIZE + 16) * EVENTS, data = attrs + attrs_size;
	uint64_t features = 0;

	for (size_t i = 0; i < ARRAY_SIZE(written_features); i++)
		features |= (uint64_t)1 << written_features[i].number;
	buf_add(out, "PERFILE2", 8);
	put64(out, HEADER_SIZE);
	put64(out, ATTR_SIZE + 16);
	put64(out, attrs);
	put64(out, attrs_size);
	put64(out, data);
	put64(out, 0); /* size of the data, below */
	put64(out, 0); /* event types: none since 3.11 */
	put64(out, 0);
	put64(out, features);
	buf_pad(out, '\0', 24);
	for (size_t i = 0; i < EVENTS; i++)
		put64(out, written_events[i].id);
	for (size_t i = 0; i < EVENTS; i++) {
		put_attr(out, &written_events[i]);
		put64(out, ids + 8 * i);
		put64(out, 8);
	}
	put_records(out, recording);
	patch64(out, 48, out->len - data);
	put_features(out, recording);
}
