/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work on several threads at once. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <pthread.h>
#include <stddef.h>

enum { THREADS_MAX = 64 };

/*
 * How many threads to start for @tasks that they can share out: as many as @wanted, 0 being one a
 * processor and 8 at most; no more than tasks, and at least 1.
 */
unsigned threads_for(unsigned wanted, size_t tasks);

/* How one worker is started; `thread` is for threads_run() alone. */
struct job {
	void *(*work)(void *arg);
	void *arg;
	pthread_t thread;
};

/*
 * Does all the jobs, THREADS_MAX at most, and returns when all are done. The first is done in the
 * calling thread, each other in one of its own with a stack for deep recursion. One that cannot be
 * started is left out: jobs share out among themselves what there is to do.
 */
void threads_run(struct job *jobs, unsigned n);

#endif
