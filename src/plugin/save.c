/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/plugin.h"
#include "plugin/task.h"

_Static_assert((int)TRACE_CPUS == (int)COHERENCE_CPUS, "a trace has all that the model has");

static void sum_up(struct trace_header *header)
{
	header->magic = TRACE_MAGIC;
	header->line = settings.line;
	header->quantum = settings.quantum;
	for (unsigned i = 0; i < COHERENCE_CPUS; i++) {
		const struct vcpu *vcpu = &vcpus[i];

		if (vcpu->accesses)
			header->cpus = i + 1;
		header->instructions += vcpu->instructions;
		header->waits += vcpu->waits;
		header->given_up += vcpu->given_up;
		header->lost += vcpu->counts.lost;
		header->evicted += vcpu->evicted;
		header->naccesses += vcpu->counts.nplaces;
		header->npairs += vcpu->counts.nmet;
	}
}

static void write_accesses(FILE *out, unsigned cpu)
{
	const struct counts *counts = &vcpus[cpu].counts;

	for (size_t i = 0; i < counts->nplaces; i++) {
		const struct place *place = counts_at(counts, i);
		struct trace_access access = {
			.ip = place->insn->ip,
			.address = place->address,
			.physical = place->physical,
			.first = place->first,
			.last = place->last,
			.pid = place->pid,
			.tid = place->tid,
			.cpu = (uint8_t)cpu,
			.size = place->size,
			.insn_size = place->insn->size,
			.flags = (uint8_t)((place->insn->locked ? TRACE_LOCKED : 0) |
					   (place->split ? TRACE_SPLIT : 0)),
		};

		memcpy(access.loads, place->loads, sizeof access.loads);
		memcpy(access.stores, place->stores, sizeof access.stores);
		fwrite(&access, sizeof access, 1, out);
	}
}

static void write_pairs(FILE *out, const struct counts *counts)
{
	for (size_t i = 0; i < counts->met_slots; i++) {
		const struct met *met = &counts->met[i];

		if (met->count)
			fwrite(&(struct trace_pair){met->writer->insn->ip, met->writer->address,
						    met->reader->insn->ip, met->reader->address,
						    met->count, met->needed},
			       sizeof(struct trace_pair), 1, out);
	}
}

/* A line "start-end perms offset device inode path"; false: nothing of a file. */
static bool read_map(const char *text, struct trace_map *ret)
{
	const char *path = strchr(text, '/');
	char *at;

	*ret = (struct trace_map){.start = strtoull(text, &at, 16)};
	if (!path || *at != '-')
		return false;
	ret->size = strtoull(at + 1, &at, 16) - ret->start;
	at += strspn(at, " ");
	at += strcspn(at, " "); /* permissions: of the emulator, not of the program */
	ret->offset = strtoull(at, NULL, 16);
	memcpy(ret->path, path, strnlen(path, sizeof ret->path - 1));
	ret->path[strcspn(ret->path, "\n")] = '\0';
	return true;
}

static uint64_t write_maps(FILE *out)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char text[TRACE_PATH + 128];
	struct trace_map map;
	uint64_t n = 0;

	while (maps && fgets(text, sizeof text, maps)) {
		if (!read_map(text, &map))
			continue;
		fwrite(&map, sizeof map, 1, out);
		n++;
	}
	if (maps)
		fclose(maps);
	return n;
}

static void write_all(FILE *out, struct trace_header *header)
{
	size_t ntasks;
	const struct trace_task *tasks = tasks_seen(&ntasks);

	header->ntasks = ntasks;
	fwrite(header, sizeof *header, 1, out);
	for (unsigned i = 0; i < COHERENCE_CPUS; i++)
		write_accesses(out, i);
	for (unsigned i = 0; i < COHERENCE_CPUS; i++)
		write_pairs(out, &vcpus[i].counts);
	fwrite(tasks, sizeof *tasks, ntasks, out);
	if (!is_system)
		header->nmaps = write_maps(out);
	rewind(out);
	fwrite(header, sizeof *header, 1, out);
}

void save_trace(struct trace_header *header)
{
	char name[TRACE_PATH];
	FILE *out;
	bool ok;

	snprintf(name, sizeof name, "%s.new", settings.out);
	out = fopen(name, "we");
	if (!out) {
		fprintf(stderr, "layoutcheck-tcg: %s: %s\n", name, strerror(errno));
		return;
	}
	for (unsigned i = 0; i < COHERENCE_CPUS; i++)
		counts_lock(&vcpus[i].counts);
	sum_up(header);
	write_all(out, header);
	for (unsigned i = 0; i < COHERENCE_CPUS; i++)
		counts_unlock(&vcpus[i].counts);
	ok = !ferror(out);
	ok = fclose(out) == 0 && ok;
	if (ok && rename(name, settings.out) == 0)
		return;
	fprintf(stderr, "layoutcheck-tcg: %s: %s\n", name, strerror(errno));
	unlink(name);
}
