/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files THREADS COUNT: threads of one process, one a processor, that open, duplicate and close a
 * file COUNT times each, between the marks of a recording. They share a files_struct and nothing
 * else.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <layoutcheck-marks.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 16 };

static pthread_barrier_t barrier;
static long count;

static void use_files(long n)
{
	for (long i = 0; i < n; i++) {
		int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), copy = dup(fd);

		if (fd < 0 || copy < 0)
			exit(4);
		close(copy);
		close(fd);
	}
}

/* Once when all are there, since to make a thread stores to what they share. */
static void *work(void *arg)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)arg, &set);
	if (sched_setaffinity(0, sizeof set, &set) != 0)
		exit(3);
	pthread_barrier_wait(&barrier);
	use_files(1);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	use_files(count);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
	pthread_t threads[MOST];

	count = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	if (n < 1 || n > MOST || count < 1)
		return 2;
	pthread_barrier_init(&barrier, NULL, (unsigned)n + 1);
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
			return 5;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	LAYOUTCHECK_START();
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	LAYOUTCHECK_STOP();
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
