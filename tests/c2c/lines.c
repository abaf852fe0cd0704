/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines RECORDING [LINE]: what perf c2c would count in the recording, as the reader of perf/ has
 * it, in tab-separated rows: "total", each counter; "line", address, each counter (a line of LINE
 * bytes, 64); then what the recording says of itself. For tests that set it beside what perf
 * prints.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"
#include "perf/perf.h"

struct line {
	uint64_t address, n;
	uint64_t counts[PERF_COUNTERS];
};

struct lines {
	struct line *slots; /* hash table of a power of two */
	size_t n, cap;
	uint64_t size;
	struct line total;
	uint64_t hits[HIT_KINDS];
};

static struct line *slot_of(struct line *slots, size_t cap, uint64_t address)
{
	size_t i = (size_t)((address >> 6) * 0x9e3779b97f4a7c15u >> 20) & (cap - 1);

	while (slots[i].n > 0 && slots[i].address != address)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static void grow(struct lines *lines)
{
	size_t cap = lines->cap ? lines->cap * 2 : 1024;
	struct line *slots = xcalloc(cap, sizeof *slots);

	for (size_t i = 0; i < lines->cap; i++)
		if (lines->slots[i].n > 0)
			*slot_of(slots, cap, lines->slots[i].address) = lines->slots[i];
	free(lines->slots);
	lines->slots = slots;
	lines->cap = cap;
}

static void count(struct line *line, const struct access *access)
{
	line->n += access->n;
	for (unsigned i = 0; i < PERF_COUNTERS; i++)
		line->counts[i] += access->perf_counts >> i & 1 ? access->n : 0;
}

static bool add(void *arg, const struct access *access)
{
	struct lines *lines = arg;
	uint64_t address = access->address & ~(lines->size - 1);
	struct line *line;

	if (lines->n * 2 >= lines->cap)
		grow(lines);
	line = slot_of(lines->slots, lines->cap, address);
	if (line->n == 0) {
		line->address = address;
		lines->n++;
	}
	count(line, access);
	count(&lines->total, access);
	lines->hits[access->hit]++;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct line *l = a, *r = b;

	return compare_u64(l->address, r->address);
}

static void print_counts(const struct line *line)
{
	printf("\t%" PRIu64, line->n);
	for (unsigned i = 0; i < PERF_COUNTERS; i++)
		printf("\t%" PRIu64, line->counts[i]);
	putchar('\n');
}

static void print(struct lines *lines, const struct recording_facts *facts)
{
	printf("total\t-");
	print_counts(&lines->total);
	if (lines->cap > 0)
		qsort(lines->slots, lines->cap, sizeof *lines->slots, by_address);
	for (size_t i = 0; i < lines->cap; i++)
		if (lines->slots[i].n > 0) {
			printf("line\t0x%" PRIx64, lines->slots[i].address);
			print_counts(&lines->slots[i]);
		}
	for (unsigned i = 0; i < HIT_KINDS; i++)
		printf("hit\t%u\t%" PRIu64 "\n", i, lines->hits[i]);
	printf("arch\t%s\nrelease\t%s\nperf\t%s\ncpuid\t%s\ncmdline\t%s\n", facts->arch,
	       facts->release, facts->perf_version, facts->cpuid, facts->cmdline);
	for (size_t i = 0; i < facts->nevents; i++)
		printf("event\t%s\n", facts->events[i]);
	printf("cpus\t%u\nnodes\t%u\nlinesize\t%" PRIu64 "\n", facts->cpus, facts->nodes,
	       facts->line);
	printf("samples\t%" PRIu64 "\naccesses\t%" PRIu64 "\nother\t%" PRIu64
	       "\nnoaddress\t%" PRIu64 "\nlost\t%" PRIu64 "\n",
	       facts->samples, facts->accesses, facts->other_events, facts->no_address,
	       facts->lost);
}

int main(int argc, char **argv)
{
	struct lines lines = {.size = argc > 2 ? strtoull(argv[2], NULL, 0) : 64};
	struct recording *recording;
	struct err err = ERR_INIT;

	if (argc < 2 || !recording_open(argv[1], &err, &recording)) {
		fprintf(stderr, "%s\n", err.text);
		err_release(&err);
		return EXIT_CANNOT;
	}
	if (!recording_read(recording, NULL, NULL, add, &lines, &err)) {
		fprintf(stderr, "%s\n", err.text);
		err_release(&err);
		recording_close(recording);
		return EXIT_CANNOT;
	}
	print(&lines, recording_facts(recording));
	recording_close(recording);
	free(lines.slots);
	return EXIT_CLEAN;
}
