/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The global and per-cpu variables of an image: where each lies, and what lies beside it. From the
 * symbol table, so that no debug info is needed; elf/ reads them.
 *
 * Addresses and sizes are BYTES. Variables that can be on one line are in one space: a linked image
 * has one for memory as it was linked and one for the per-cpu area, a template that every CPU has a
 * copy of. In an object file each section is a space of its own, addresses count from its start,
 * and where that will lie in a line is known only as far as its alignment says.
 *
 * Symbols at one address are one variable; what lies whole within another is part of it. What
 * occupies nothing (labels of a linker script, empty structs, other names) is nobody's neighbour.
 */
#ifndef LAYOUT_DATA_H
#define LAYOUT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct data_section {
	const char *name;
	uint64_t address, size; /* address: 0 in an object file */
	uint64_t align;         /* at least 1 */
	uint32_t space;
	bool is_percpu, is_thread; /* a per-cpu area; thread-local storage */
};

/* A symbol of data. */
struct data_symbol {
	const char *name;
	const char *file; /* the source of a local one, as the symbol table has it, or NULL */
	const struct data_section *section; /* NULL: the linker has yet to place it (common) */
	uint64_t address, size;             /* 0 bytes: occupies nothing, or not said */
	bool is_local;
	bool is_label;  /* without a type: one that says no size may well have one */
	uint64_t reach; /* where the furthest of its space ends, up to and with this one */
};

/* What it points to belongs to whoever made it: strings to the image. */
struct data_table {
	const char *unknown; /* why there are none, a clause; NULL: they are known */
	bool is_partial;     /* local ones have been stripped */
	bool is_object;      /* an object file: see above */
	const struct data_section *sections;
	size_t nsections;
	struct data_symbol *items; /* see data_sort() */
	size_t n;
	struct data_symbol **by_name;
};

/* For the reader: by space and address; of several at one address the largest first, then global
 * ones, then by name. Fills in `reach` and `by_name`, in @arena. */
void data_sort(struct data_table *data, struct arena *arena);

/* One variable, its other names included. */
struct extent {
	const char *name; /* of those at its address the one that sorts first, or as asked for */
	const struct data_section *section;
	uint64_t start, size;
	bool has_size; /* false: the symbol table does not say it */
};
struct extents {
	struct extent *items; /* by address */
	size_t n;
};

uint64_t extent_end(const struct extent *extent);

enum data_found {
	DATA_FOUND,
	DATA_ABSENT,
	DATA_UNTOLD, /* this image cannot tell, or which of several is meant is not known */
};

/*
 * The variable called @name; where there is none, the only one inside a function (`count.3` for
 * `count`). A global one hides local ones of its name. @source, unless NULL, says which local ones
 * are meant: the file as far as the symbol table knows it, which is its last part. Unless found,
 * @why is a clause.
 */
enum data_found data_find(const struct data_table *data, const char *name, const char *source,
			  struct arena *arena, const char **why, struct extent *ret);

/* The name without what a compiler puts behind that of a static variable in a function, in @arena:
 * `count` of `count.3`. The number differs from build to build. */
const char *data_plain_name(const char *name, struct arena *arena);

/* What occupies bytes of [start, end) there, each variable once. */
struct extents data_between(const struct data_table *data, uint32_t space, uint64_t start,
			    uint64_t end, struct arena *arena);

#endif
