/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the distinct definitions of the names wanted, in all units, with several threads.
 *
 * Each thread takes the next run of whole units (a window), reads it with one pread into its own
 * buffer, walks it, and keeps what it found with the numbers of its own names and shapes. merge.c
 * makes one list of it, which does not depend on who read what. So do errors: of several, the one
 * that comes first in the file is reported.
 *
 * Of an alternate file those units are read that are imported, in rounds: by the image, by those,
 * and so on.
 */
#ifndef DWARF_INDEX_H
#define DWARF_INDEX_H

#include <pthread.h>

#include "dwarf/dwarf.h"
#include "dwarf/imports.h"
#include "dwarf/memo.h"
#include "dwarf/shapes.h"
#include "dwarf/split.h"
#include "dwarf/walk.h"

/* One distinct definition in what one thread read. */
struct record {
	uint32_t name, scope, shape;
	uint8_t kind, section;
	uint32_t at; /* of the DIE in the unit, which are the first ones in the order of the file */
	uint64_t unit;
	uint64_t last_unit; /* the last one that was counted */
	uint32_t cus;
	/* Of the compile units that have it, the one with the fewest bytes, 0: it is in none. */
	uint32_t least_bytes;
	uint64_t least_unit;
};

struct records {
	struct record *items;
	size_t n, cap;
	uint32_t *index; /* open addressing, 0 is free, else item + 1 */
	size_t index_size;
};

/* Counts a definition: a new record, or one unit more for an equal one. Valid until the next call.
 */
struct record *records_add(struct records *records, const struct record *record);
void records_release(struct records *records);

/* Of the smallest compile units of two the smaller one. */
void record_take_least(struct record *old, const struct record *record);

struct worker {
	struct pool *pool;
	struct reader reader;
	struct names names;
	struct shapes shapes;
	struct walk walk;
	struct records records;
	struct skeleton *skeletons; /* met; their strings are in `arena` */
	size_t nskeletons, cap_skeletons;
	struct arena arena;
	uint8_t *buffer;
	size_t buffer_size;
	struct err err;
	uint64_t window; /* that it read last */
	/* Units of the alternate file that were imported in this round, each once in all. */
	uint64_t *imports;
	size_t nimports, cap_imports;
	struct memo imported;
	struct imports who_imports;
	bool failed;
};

/* What index_find() gives: strings in the arena of the list. */
struct definition {
	const char *name, *scope;
	enum def_kind kind;
	unsigned cus;
	uint64_t digest;
	/* The first DIE of it. */
	enum unit_section section;
	uint64_t unit;
	uint32_t at;
	uint32_t least_bytes; /* as in struct record */
	uint64_t least_unit;
};

struct definitions {
	struct arena arena;
	struct definition *items; /* in the order of the file */
	size_t n, cap;
	struct skeleton *skeletons; /* in the arena: units that are elsewhere, in no order */
	size_t nskeletons;
};

/* The caller calls definitions_release(), on failure too. */
MUST_CHECK bool index_find(const struct sections *sections, const struct want *want,
			   const struct dwarf_options *options, struct err *err,
			   struct definitions *ret);
void definitions_release(struct definitions *definitions);

/* Adds what all workers found. False: names are too many (names_most()). */
MUST_CHECK bool merge(const struct sections *sections, const struct worker *workers, size_t n,
		      struct err *err, struct definitions *ret);

#endif
