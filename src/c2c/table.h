/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accesses of recordings, put together as they come: by cache line, and in a line by offset and
 * instruction. Memory is in proportion to those, not to the accesses. Addresses are those of the
 * running program.
 *
 * A line of user space belongs to a process: the same address in another one is another line,
 * unless both map it as shared: then it is that of the first, wherever others have it. What the
 * kernel's half of the addresses holds is one for all.
 */
#ifndef C2C_TABLE_H
#define C2C_TABLE_H

#include "base/mem.h"
#include "c2c/counts.h"
#include "c2c/fought.h"
#include "c2c/slabs.h"

/* The recording's time is cut into so many slices, which grow with it: who was there when. */
enum { C2C_SLICES = 16 };

struct table_slice {
	uint32_t hitm, peer, loads, stores;
};

struct table_cpu {
	int32_t cpu;
	uint32_t hitm, peer, loads, stores;
};

struct table_row {
	uint32_t line; /* index of its line */
	uint32_t offset;
	bool has_pc, has_function; /* the second: the image has one of the name `symbol` */
	uint64_t pc;               /* of the image */
	uint64_t ip;               /* as recorded; 0: not known */
	/* As recorded, or NULL; they live as long as the recording. */
	const char *symbol, *object;
	struct c2c_counts counts;
	struct table_slice slices[C2C_SLICES];
	struct table_cpu *cpus; /* those that accessed it, in the order seen */
	uint32_t ncpus, cap_cpus;
	uint64_t cpus_said; /* of a report, which gives their number alone */
	uint64_t nodes;     /* a bit each; of nodes above 63 the last bit */
};

struct table_line {
	uint64_t address; /* of its first byte */
	int32_t pid;      /* -1: of the kernel */
	bool is_shared;   /* other processes map it, too */
	bool has_image;   /* variables of the image live here: `image` is its address there */
	uint64_t image;
	struct c2c_counts counts;
	uint64_t perf[PERF_COUNTERS];
	size_t first, nrows; /* its rows, after table_finish() */
};

/* Of physical memory, and who accessed it first. */
struct table_page {
	bool is_set;
	int32_t pid;
	uint64_t physical, address; /* numbers of 4096 bytes */
};

struct c2c_table {
	uint64_t line_size;
	struct table_line *lines;
	size_t nlines, cap_lines;
	struct table_row *rows;
	size_t nrows, cap_rows;
	uint32_t *line_slots, *row_slots; /* hashes: index + 1, 0 is free */
	size_t nline_slots, nrow_slots;
	struct table_page *pages; /* a hash */
	size_t npages, npage_slots;
	uint32_t *line_order; /* lines by pid, then address */
	struct c2c_counts total;
	uint64_t perf[PERF_COUNTERS];
	uint64_t no_address; /* accesses that do not say where: counted in `total` alone */
	bool has_cpus;       /* accesses say which CPU they are of */
	bool has_time;
	uint64_t start, width;      /* of the slices, ns */
	struct c2c_foughts foughts; /* of those who know them, put there by the caller */
	struct c2c_slabs slabs;     /* the same of those who walked the allocator's books */
	bool one_process;           /* all user lines are of one: an address is enough */
};

/* @line_size: bytes, a power of two. */
void table_init(struct c2c_table *table, uint64_t line_size);
void table_release(struct c2c_table *table);

void table_add(struct c2c_table *table, const struct access *access);

/* After the last access and the last of `foughts` and `slabs`: sorts the rows, by line as in
 * line_order, offset and ip. A recording without HITM is counted by its peers from here on. */
void table_finish(struct c2c_table *table);

/* The distinct pcs of the image, ascending, malloc'd: what claims are wanted of. */
uint64_t *table_pcs(const struct c2c_table *table, size_t *ret_n);

/* An address of the half that is the kernel's on every 64-bit machine. */
bool is_kernel_address(uint64_t address);

#endif
