/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One memory access that a profiler saw. perf/ makes accesses out of recordings and reports, c2c/
 * puts them together with what an image says of the instructions (layout/claim.h). Sizes and
 * addresses are in BYTES.
 */
#ifndef LAYOUT_ACCESS_H
#define LAYOUT_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum access_op {
	ACCESS_OTHER, /* a prefetch, an instruction fetch, or it does not say */
	ACCESS_LOAD,
	ACCESS_STORE,
};

/* What served it: one answer an access. HITM: modified in the cache of another core. */
enum access_hit {
	HIT_UNKNOWN,
	HIT_L1,
	HIT_LFB, /* on its way to L1 for another access */
	HIT_L2,
	HIT_LLC,
	HIT_LOCAL_HITM,  /* of the same node */
	HIT_REMOTE_HITM, /* of another node; of AMD, of another group of cores, too */
	HIT_LOCAL_PEER,  /* another core's cache, modified or not: all that Arm SPE says */
	HIT_REMOTE_PEER,
	HIT_REMOTE_CACHE, /* of another node, not modified */
	HIT_LOCAL_DRAM,
	HIT_REMOTE_DRAM,
	HIT_IO,
	HIT_UNCACHED,
	HIT_L1_MISS, /* of stores, which say no more */
	HIT_KINDS
};

/* The counters of `perf c2c`, of which one access can move several: bits of perf_counts. */
enum perf_counter {
	PERF_LOCKS,
	PERF_STORE,
	PERF_ST_UNCACHE,
	PERF_ST_NOADRS,
	PERF_ST_L1HIT,
	PERF_ST_L1MISS,
	PERF_ST_NA,
	PERF_LOAD,
	PERF_LD_EXCL,
	PERF_LD_SHARED,
	PERF_LD_UNCACHE,
	PERF_LD_IO,
	PERF_LD_MISS,
	PERF_LD_NOADRS,
	PERF_LD_FBHIT,
	PERF_LD_L1HIT,
	PERF_LD_L2HIT,
	PERF_LD_LLCHIT,
	PERF_LCL_HITM,
	PERF_RMT_HITM,
	PERF_LCL_PEER,
	PERF_RMT_PEER,
	PERF_RMT_HIT,
	PERF_LCL_DRAM,
	PERF_RMT_DRAM,
	PERF_BLK_DATA,
	PERF_BLK_ADDR,
	PERF_NOMAP,
	PERF_NOPARSE,
	PERF_COUNTERS
};

enum access_mode { MODE_UNKNOWN, MODE_KERNEL, MODE_USER, MODE_HYPERVISOR, MODE_GUEST };

/*
 * Accesses that are alike: a recording gives them one by one (n 1), a report by the row. Strings
 * live as long as what they were read from.
 */
struct access {
	uint64_t n;
	enum access_op op;
	enum access_hit hit;
	enum access_mode mode;
	bool locked;
	bool has_address; /* of the data; where it is not known `address` is 0 */
	uint64_t address; /* as it was at run time, virtual */
	bool is_of_line;  /* a report says only which line: `address` is that of its first byte,
			     where in it is not known */
	bool has_physical;
	uint64_t physical;
	/* The data lies in a user mapping that processes share, each at an address of its own:
	 * it is the byte at `shared_address` of `shared_pid`, which mapped it first. */
	bool is_shared;
	int32_t shared_pid;
	uint64_t shared_address;
	bool is_private; /* it lies in a user mapping that is of its process alone */
	bool has_ip;
	uint64_t ip;            /* as it was at run time */
	uint64_t image_ip;      /* the same where the image has it: see has_image_ip */
	bool has_image_ip;      /* it lies in the image that was asked about */
	uint64_t image_address; /* of the data, when a variable of the image can live there */
	bool has_image_address;
	int32_t pid, tid;    /* -1: not known */
	int32_t cpu;         /* -1: not known */
	int32_t node;        /* of the CPU; -1: not known */
	int32_t memory_node; /* of the data, by its physical address; -1: not known */
	uint64_t cpus;       /* a report's row: how many CPUs it stands for; 0: not known */
	uint64_t nodes; /* a report's row: the nodes of its CPUs, bit by number; 0: not known */
	bool has_time;
	uint64_t time; /* ns */
	bool has_weight;
	uint64_t weight;      /* cycles, the mean when n > 1 */
	uint64_t perf_counts; /* 1 << PERF_*; of a report's row those of each of the n */
	const char
		*symbol; /* as a report names it, possibly clipped; NULL: it is to be looked up */
	const char *object; /* the file or module the code is in, as recorded; NULL: not known */
	const char *comm;   /* NULL: not known */
};

/* Loads that met a line which another processor had modified, and the last store to that line
 * before: no profiler knows it, a recorder that models the caches does. Addresses are virtual, as
 * they were at run time. */
struct access_pair {
	uint64_t writer_ip, writer_address; /* of the store */
	uint64_t reader_ip, reader_address; /* of the load that met it */
	uint64_t count;                     /* HITM, all of them: not samples; at least 1 */
	/* Of them, those after which the reader, while it had the line, loaded bytes that others
	 * had stored since it last used those: true sharing. The rest needed nothing of what was
	 * stored, and is false sharing. */
	uint64_t needed;
};

/* An object of the kernel's slab allocator that has bytes on a line. */
struct line_object {
	uint64_t line;     /* virtual address of its first byte, at run time */
	uint64_t start;    /* of the object; it may begin before the line */
	uint64_t size;     /* bytes its users have, without what the allocator adds */
	const char *cache; /* "files_cache", as the kernel names it */
};

/* Takes accesses one after the other; false: an error was set and the reader stops. */
typedef bool access_fn(void *arg, const struct access *access);

#endif
