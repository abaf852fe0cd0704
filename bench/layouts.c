/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layouts [-t PAIRS] [-n ROUNDS] before|moved|longs: the layouts of struct files_struct of 2005 on
 * 64 bits, with threads that look descriptors up while others open and close them, all in user
 * space. Prints "LAYOUT: lookups X ns, opens Y ns", a round each.
 *
 *	before	2.6.14 to 2.6.16: next_fd in fdtable, the lock behind the descriptors
 *	moved	next_fd beside the lock, both on a line apart from what lookups read
 *	longs	the same with a word each for the two sets of bits, as 2.6.17 has it
 *
 *	-t	that many threads of either kind (default 1)
 *	-n	rounds of each thread that opens (default a million); the others look up until
 *		all of those are done
 *
 * What lookups read is fdt, max_fds, fd and their own slot of fd_array; what opens write is the
 * lock, next_fd, the bits, and slots.
 */
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, SLOTS = 64, SET = 1024 / 64, MOST_PAIRS = 16, FIRST_OPENED = 32 };

typedef atomic_ulong word;

struct rcu {
	void *next, *func;
};

struct fdtable_before {
	atomic_uint max_fds, max_fdset;
	atomic_int next_fd;
	_Atomic(word *) fd, close_on_exec, open_fds;
	struct rcu rcu;
	void *free_files, *next;
};

struct fdtable_after {
	atomic_uint max_fds, max_fdset;
	_Atomic(word *) fd, close_on_exec, open_fds;
	struct rcu rcu;
	void *free_files;
	void *next;
};

struct files_before {
	alignas(LINE) atomic_int count;
	_Atomic(struct fdtable_before *) fdt;
	struct fdtable_before fdtab;
	word close_on_exec_init[SET], open_fds_init[SET];
	word fd_array[SLOTS];
	atomic_uint file_lock;
};

struct files_moved {
	alignas(LINE) atomic_int count;
	_Atomic(struct fdtable_after *) fdt;
	struct fdtable_after fdtab;
	alignas(LINE) atomic_uint file_lock;
	atomic_int next_fd;
	word close_on_exec_init[SET], open_fds_init[SET];
	word fd_array[SLOTS];
};

struct files_longs {
	alignas(LINE) atomic_int count;
	_Atomic(struct fdtable_after *) fdt;
	struct fdtable_after fdtab;
	alignas(LINE) atomic_uint file_lock;
	atomic_int next_fd;
	word close_on_exec_init[1], open_fds_init[1];
	word fd_array[SLOTS];
};

/* As they were compiled then. */
_Static_assert(sizeof(struct fdtable_before) == 72, "fdtable, before");
_Static_assert(sizeof(struct fdtable_after) == 64, "fdtable, after");
_Static_assert(offsetof(struct files_before, file_lock) == 856, "the lock, before");
_Static_assert(offsetof(struct files_moved, fd_array) == 392, "fd_array, moved");
_Static_assert(offsetof(struct files_longs, fd_array) == 152, "fd_array, longs");
_Static_assert(sizeof(struct files_longs) == 704, "files_struct, longs");

static struct files_before before;
static struct files_moved moved;
static struct files_longs longs;

static long rounds = 1000000;
static atomic_int ready;
static alignas(LINE) atomic_int opening; /* threads that are not done */
static alignas(LINE) int all;

static void lock(atomic_uint *at)
{
	while (atomic_exchange_explicit(at, 1, memory_order_acquire))
		while (atomic_load_explicit(at, memory_order_relaxed))
			;
}

static void unlock(atomic_uint *at)
{
	atomic_store_explicit(at, 0, memory_order_release);
}

#define READ(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define WRITE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

/* What a lookup, an open and a close do, for each layout; @next: where next_fd is. */
#define LAYOUT(name, next)                                                                         \
	static void begin_##name(void)                                                             \
	{                                                                                          \
		name.fdtab.max_fds = SLOTS;                                                        \
		name.fdtab.fd = name.fd_array;                                                     \
		name.fdtab.close_on_exec = name.close_on_exec_init;                                \
		name.fdtab.open_fds = name.open_fds_init;                                          \
		name.fdt = &name.fdtab;                                                            \
		for (size_t i = 0; i < FIRST_OPENED; i++)                                          \
			name.fd_array[i] = i + 1;                                                  \
		name.open_fds_init[0] = (UINT64_C(1) << FIRST_OPENED) - 1;                         \
		next = FIRST_OPENED;                                                               \
	}                                                                                          \
	static unsigned long lookup_##name(unsigned fd)                                            \
	{                                                                                          \
		return fd < READ(name.fdt->max_fds) ? READ(READ(name.fdt->fd)[fd]) : 0;            \
	}                                                                                          \
	static unsigned open_##name(void)                                                          \
	{                                                                                          \
		unsigned fd;                                                                       \
                                                                                                   \
		lock(&name.file_lock);                                                             \
		fd = (unsigned)READ(next);                                                         \
		while (READ(*READ(name.fdt->open_fds)) >> fd & 1)                                  \
			fd++;                                                                      \
		WRITE(*READ(name.fdt->open_fds), READ(*READ(name.fdt->open_fds)) | UINT64_C(1)     \
											   << fd); \
		WRITE(*READ(name.fdt->close_on_exec),                                              \
		      READ(*READ(name.fdt->close_on_exec)) & ~(UINT64_C(1) << fd));                \
		WRITE(next, (int)fd + 1);                                                          \
		unlock(&name.file_lock);                                                           \
		WRITE(READ(name.fdt->fd)[fd], fd + 1);                                             \
		return fd;                                                                         \
	}                                                                                          \
	static void close_##name(unsigned fd)                                                      \
	{                                                                                          \
		lock(&name.file_lock);                                                             \
		WRITE(READ(name.fdt->fd)[fd], 0);                                                  \
		WRITE(*READ(name.fdt->open_fds),                                                   \
		      READ(*READ(name.fdt->open_fds)) & ~(UINT64_C(1) << fd));                     \
		if ((int)fd < READ(next))                                                          \
			WRITE(next, (int)fd);                                                      \
		unlock(&name.file_lock);                                                           \
	}                                                                                          \
	static long look_##name(unsigned fd)                                                       \
	{                                                                                          \
		long n = 0;                                                                        \
                                                                                                   \
		for (; READ(opening); n++)                                                         \
			if (lookup_##name(fd) != fd + 1)                                           \
				abort();                                                           \
		return n;                                                                          \
	}                                                                                          \
	static long use_##name(unsigned unused)                                                    \
	{                                                                                          \
		(void)unused;                                                                      \
		for (long i = 0; i < rounds; i++)                                                  \
			close_##name(open_##name());                                               \
		atomic_fetch_sub(&opening, 1);                                                     \
		return rounds;                                                                     \
	}

LAYOUT(before, before.fdtab.next_fd)
LAYOUT(moved, moved.next_fd)
LAYOUT(longs, longs.next_fd)

static const struct layout {
	const char *name;
	void (*begin)(void);
	long (*look)(unsigned), (*use)(unsigned);
} layouts[] = {
	{"before", begin_before, look_before, use_before},
	{"moved", begin_moved, look_moved, use_moved},
	{"longs", begin_longs, look_longs, use_longs},
};

struct worker {
	alignas(LINE) pthread_t thread;
	long (*run)(unsigned); /* gives how many rounds it did */
	unsigned fd;
	double ns; /* of a round */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All begin together. */
static void *work(void *arg)
{
	struct worker *worker = arg;
	long rounds_done;
	double start;

	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) < all)
		;
	start = now();
	rounds_done = worker->run(worker->fd);
	worker->ns = (now() - start) * 1e9 / (double)(rounds_done ? rounds_done : 1);
	return NULL;
}

static void measure(const struct layout *layout, int pairs)
{
	static struct worker workers[2 * MOST_PAIRS];
	double ns[2] = {0};

	layout->begin();
	all = 2 * pairs;
	opening = pairs;
	for (int i = 0; i < all; i++) {
		workers[i].run = i % 2 ? layout->use : layout->look;
		workers[i].fd = (unsigned)(FIRST_OPENED - 1 - i / 2);
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) {
			fprintf(stderr, "layouts: no thread\n");
			exit(2);
		}
	}
	for (int i = 0; i < all; i++) {
		pthread_join(workers[i].thread, NULL);
		ns[i % 2] += workers[i].ns;
	}
	printf("%s: lookups %.2f ns, opens %.2f ns\n", layout->name, ns[0] / pairs, ns[1] / pairs);
}

static _Noreturn void usage(void)
{
	fprintf(stderr, "usage: layouts [-t PAIRS] [-n ROUNDS] before|moved|longs\n");
	exit(2);
}

int main(int argc, char **argv)
{
	long pairs = 1;
	int option;

	while ((option = getopt(argc, argv, "t:n:")) != -1) {
		if (option == 't')
			pairs = strtol(optarg, NULL, 10);
		else if (option == 'n')
			rounds = strtol(optarg, NULL, 10);
		else
			usage();
	}
	if (optind + 1 != argc || pairs < 1 || pairs > MOST_PAIRS || rounds < 1)
		usage();
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (strcmp(argv[optind], layouts[i].name) == 0) {
			measure(&layouts[i], (int)pairs);
			return 0;
		}
	usage();
}
