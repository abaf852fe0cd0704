/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The work of claims.c on one compile unit, by one thread. */
#ifndef DWARF_CLAIMER_H
#define DWARF_CLAIMER_H

#include <pthread.h>

#include "dwarf/locate.h"
#include "dwarf/patched.h"
#include "dwarf/track.h"
#include "layout/claim.h"

/* What all threads read. */
struct claim_source {
	struct image *image;
	pthread_mutex_t *lock; /* of the image */
	const struct code_sections *sections;
	const struct symtab *symtab;
	const struct patches *patches;
};

/* A claim and the query that will tell where its type is declared; 0: none, else query + 1. */
struct made_claim {
	struct claim claim;
	size_t query;
};

struct claimer {
	const struct claim_source *source;
	struct arena arena;   /* of what is handed out */
	struct arena scratch; /* of the unit at hand */
	struct reader reader;
	struct ctypes types;
	struct insn_decoder *decoder; /* NULL: the machine is not known */
	struct insn_code code;
	struct insn_stack stack;
	struct function function;
	struct globals globals;
	struct tracker tracker;
	struct patcher patcher;
	struct insn_edge *edges; /* of the function at hand */
	size_t nedges, cap_edges;
	uint64_t *dead; /* return addresses of calls that do not return */
	size_t cap_dead;
	uint8_t *bytes;
	size_t cap_bytes;
	struct made_claim *claims;
	size_t nclaims, cap_claims;
	struct file_query *queries;
	size_t nqueries, cap_queries;
	struct err err;
};

void claimer_init(struct claimer *k, const struct claim_source *source);
void claimer_release(struct claimer *k);

/* Fills runs[i] of each of the @n runs, all in the unit at @offset; `first` counts this claimer's
 * claims. */
MUST_CHECK bool claimer_work(struct claimer *k, uint64_t offset, struct claim_run *const *runs,
			     size_t n);

#endif
