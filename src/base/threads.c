/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/threads.h"

#include <stdbool.h>
#include <unistd.h>

enum { STACK = 16 << 20 };

unsigned threads_for(unsigned wanted, size_t tasks)
{
	enum { UNASKED_MAX = 8 };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (!wanted)
		wanted = processors < 1             ? 1
			 : processors > UNASKED_MAX ? UNASKED_MAX
						    : (unsigned)processors;
	if (wanted > THREADS_MAX)
		wanted = THREADS_MAX;
	return wanted < tasks ? wanted : tasks ? (unsigned)tasks : 1;
}

void threads_run(struct job *jobs, unsigned n)
{
	bool started[THREADS_MAX] = {false};
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (unsigned i = 1; i < n; i++)
		started[i] = pthread_create(&jobs[i].thread, &attr, jobs[i].work, jobs[i].arg) == 0;
	pthread_attr_destroy(&attr);
	jobs[0].work(jobs[0].arg);
	for (unsigned i = 1; i < n; i++)
		if (started[i])
			pthread_join(jobs[i].thread, NULL);
}
