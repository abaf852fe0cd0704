/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fdbench [-t THREADS] [-l SECONDS] [-s] [-i] [-a MASK]: threads of one process that open and close
 * a file as fast as they can, which is what the layout of struct files_struct was settled by in
 * 2005. Prints "N threads, S seconds, work_done=W", W in pairs of open() and close().
 *
 *	-t	that many threads work (default 1)
 *	-l	for that many seconds (default 5)
 *	-s	a small set of descriptors, which fits into the table inside files_struct; without
 *		it a thousand are held open, and the table is another object
 *	-i	one more thread that does nothing: a process of one thread takes no locks
 *	-a	the CPUs to work on, a bit each, thread by thread round them
 *
 * A build that puts what every lookup reads beside what every open() writes does less work with
 * more threads.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 4096, MOST_SECONDS = 86400, HELD = 1000, LINE = 64 };

struct worker {
	pthread_t thread;
	int cpu; /* -1: any */
	/* On a line of its own: the benchmark must not fight over what it counts with. */
	_Alignas(LINE) uint64_t work;
	char pad[LINE];
};

static atomic_bool go, stop;

static _Noreturn void fail(const char *what, int error)
{
	fprintf(stderr, "fdbench: %s: %s\n", what, strerror(error));
	exit(2);
}

static void pin(int cpu)
{
	cpu_set_t set;
	int error;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
	if (error)
		fail("affinity", error);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	uint64_t done = 0;

	if (worker->cpu >= 0)
		pin(worker->cpu);
	while (!atomic_load_explicit(&go, memory_order_acquire))
		sched_yield();
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			fail("/dev/null", errno);
		close(fd);
		done++;
	}
	worker->work = done;
	return NULL;
}

static void *idle(void *arg)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		usleep(100000);
	return arg;
}

/* Descriptors beyond those that fit into files_struct. */
static void hold_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (int i = 0; i < HELD; i++)
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			fail("descriptors", errno);
}

/* The Nth CPU of the mask, going round; -1: there is none. */
static int nth_cpu(uint64_t mask, unsigned n)
{
	int cpu = -1;

	if (!mask)
		return -1;
	for (n %= (unsigned)__builtin_popcountll(mask); mask; mask &= mask - 1, n--) {
		cpu = __builtin_ctzll(mask);
		if (!n)
			break;
	}
	return cpu;
}

static unsigned long number(const char *text, unsigned long most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || !*text || *end || text[0] == '-' || value > most) {
		fprintf(stderr, "fdbench: `%s` is no number up to %lu\n", text, most);
		exit(2);
	}
	return value;
}

static void start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	int error = pthread_create(thread, NULL, run, arg);

	if (error)
		fail("thread", error);
}

static uint64_t measure(struct worker *workers, unsigned n, unsigned seconds, bool with_idle)
{
	struct timespec left = {.tv_sec = (time_t)seconds};
	uint64_t sum = 0;
	pthread_t idler;

	if (with_idle)
		start(&idler, idle, NULL);
	for (unsigned i = 0; i < n; i++)
		start(&workers[i].thread, work, &workers[i]);
	atomic_store_explicit(&go, true, memory_order_release);
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
	atomic_store_explicit(&stop, true, memory_order_relaxed);
	for (unsigned i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		sum += workers[i].work;
	}
	if (with_idle)
		pthread_join(idler, NULL);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned threads = 1, seconds = 5;
	bool small = false, with_idle = false;
	struct worker *workers;
	uint64_t mask = 0;
	int option;

	while ((option = getopt(argc, argv, "t:l:sia:")) != -1) {
		switch (option) {
		case 't':
			threads = (unsigned)number(optarg, MOST_THREADS);
			break;
		case 'l':
			seconds = (unsigned)number(optarg, MOST_SECONDS);
			break;
		case 's':
			small = true;
			break;
		case 'i':
			with_idle = true;
			break;
		case 'a':
			mask = number(optarg, UINT64_MAX);
			break;
		default:
			threads = 0;
		}
	}
	if (!threads || optind < argc) {
		fprintf(stderr, "usage: fdbench [-t THREADS] [-l SECONDS] [-s] [-i] [-a MASK]\n");
		return 2;
	}
	if (!small)
		hold_descriptors();
	workers = aligned_alloc(LINE, threads * sizeof *workers);
	if (!workers)
		fail("memory", ENOMEM);
	for (unsigned i = 0; i < threads; i++)
		workers[i] = (struct worker){.cpu = nth_cpu(mask, i)};
	printf("%u threads, %u seconds, work_done=%llu\n", threads, seconds,
	       (unsigned long long)measure(workers, threads, seconds, with_idle));
	free(workers);
	return fflush(stdout) == 0 ? 0 : 2;
}
