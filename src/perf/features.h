/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a perf.data says of the machine and of itself, in sections behind the data or, in a pipe, in
 * records. Source of the formats: Documentation/perf.data-file-format.txt of perf.
 */
#ifndef PERF_FEATURES_H
#define PERF_FEATURES_H

#include "base/cursor.h"
#include "perf/event.h"
#include "perf/maps.h"
#include "perf/perf.h"

enum { FEATURES = 256 };

/* Which blocks of physical memory a node has. */
struct memory_node {
	uint64_t node;
	uint64_t nblocks;
	const uint64_t *has; /* bits */
};

/* What the features are put into; strings are the arena's. */
struct features {
	struct arena *arena;
	struct recording_facts *facts;
	struct events *events;         /* get names */
	struct maps *maps;             /* get the files of BUILD_ID */
	const struct map_file *kernel; /* with its build id; NULL: not said */
	int32_t *node_of_cpu;          /* -1: not said */
	size_t ncpus;
	uint64_t block_size; /* of physical memory; 0: not said */
	struct memory_node *memory;
	size_t nmemory;
};

void features_release(struct features *features);

/* Is anything of it read here? */
bool features_wants(unsigned feature);

/* Reads one; false: it does not fit its section. */
MUST_CHECK bool features_read(struct features *features, unsigned feature, struct cursor *c,
			      const char *place, struct err *err);

/* One entry of BUILD_ID: the body of a record of that type. */
void features_read_build_id(struct features *features, uint16_t misc, struct cursor *c);

/* The node of a CPU, and the node that has a physical address; -1: not known. */
int32_t features_node_of_cpu(const struct features *features, int32_t cpu);
int32_t features_node_of_memory(const struct features *features, uint64_t physical);

#endif
