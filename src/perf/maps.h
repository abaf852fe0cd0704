/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was mapped where, in which process, and when; and how threads were called. All of a
 * recording's maps are put in first and asked for afterwards, with the time of the sample: the
 * records of several processors are not in order, so a map may stand behind the samples in it.
 *
 *	maps_add() maps_fork() maps_comm()	in the order of the file
 *	maps_sort()				once
 *	maps_find() maps_shared() maps_comm_of()
 *
 * Memory is in proportion to maps (times the logarithm of their number) and threads.
 */
#ifndef PERF_MAPS_H
#define PERF_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

/* The kernel's own addresses are those of the process MAPS_KERNEL. */
enum { MAPS_KERNEL = -1 };

/* A file, or what is mapped in place of one. One of each name and build id. */
struct map_file {
	const char *path; /* "[kernel.kallsyms]_text", "[nf_tables]", "/usr/bin/x", "//anon" */
	uint8_t build_id[20];
	uint8_t build_id_size; /* 0: not said */
	bool is_symbol;        /* a stretch of code that came with a name (BPF, ftrace) */
	bool is_marked;        /* by the caller, before maps_sort(): see maps_find_marked() */
};

/* A moment. Of what has the same time the later in the file is later. */
struct stamp {
	uint64_t time, seq;
};

/* Which is the earlier, as of qsort(). */
int stamp_compare(struct stamp a, struct stamp b);

struct map {
	int32_t pid; /* set by maps_add() */
	uint64_t start, len;
	uint64_t pgoff;                     /* offset in the file of the first byte */
	const struct map_file *file;        /* NULL: it was unmapped */
	bool is_shared, is_private;         /* between processes; neither: not said */
	uint64_t device, inode, generation; /* of the file; inode 0: not said */
	struct stamp since;
};

struct maps;

struct maps *maps_new(void);
void maps_free(struct maps *maps); /* NULL is fine */

/* The file of that name and build id (@size 0: none); made when it is new. */
struct map_file *maps_file(struct maps *maps, const char *path, const uint8_t *build_id,
			   size_t size);
/* Each file, in the order they came. */
size_t maps_nfiles(const struct maps *maps);
struct map_file *maps_nth_file(const struct maps *maps, size_t i);

void maps_add(struct maps *maps, int32_t pid, const struct map *map);
/* @pid was made from @parent (equal: a thread of it), @tid from @parent_tid. */
void maps_fork(struct maps *maps, int32_t pid, int32_t parent, int32_t tid, int32_t parent_tid,
	       struct stamp since);
/* @is_exec: another program was loaded, and the maps before are gone. */
void maps_comm(struct maps *maps, int32_t pid, int32_t tid, const char *comm, bool is_exec,
	       struct stamp since);

void maps_sort(struct maps *maps);

/* The map that @address was in at @time; NULL: none that is known. */
const struct map *maps_find(const struct maps *maps, int32_t pid, uint64_t address, uint64_t time);
/*
 * Of a map that is_shared: the byte at @address is the one at *ret_address of *ret_pid, the first
 * that mapped that of the file.
 */
void maps_shared(const struct maps *maps, const struct map *map, uint64_t address, int32_t *ret_pid,
		 uint64_t *ret_address);
/* The map of a marked file that came last in @pid at @time; NULL: none. */
const struct map *maps_find_marked(const struct maps *maps, int32_t pid, uint64_t time);
/* NULL: not known. */
const char *maps_comm_of(const struct maps *maps, int32_t tid, uint64_t time);

#endif
