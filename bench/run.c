/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run TIMES COMMAND [ARG]...: runs the command once to warm the page cache, then TIMES times, its
 * output thrown away, and prints one line: the medians of wall and user time in seconds, the
 * largest resident memory of a run in kilobytes, and the exit status of the last run. A command
 * that cannot be started, or dies of a signal, ends run with 1.
 *
 * This process stays small on purpose: ru_maxrss of a child begins with what it had before exec.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TIMES = 99, NOT_STARTED = 127 };

struct sample {
	double wall, user;
	long kilobytes;
	int status;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void start(char **argv)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	execvp(argv[0], argv);
	fprintf(stderr, "run: %s: %s\n", argv[0], strerror(errno));
	_exit(NOT_STARTED);
}

/* False: it did not start, or died. */
static int measure(char **argv, struct sample *ret)
{
	double begin = now();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return 0;
	if (pid == 0)
		start(argv);
	if (wait4(pid, &status, 0, &usage) != pid)
		return 0;
	ret->wall = now() - begin;
	ret->user = seconds(usage.ru_utime);
	ret->kilobytes = usage.ru_maxrss;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == NOT_STARTED)
		return 0;
	ret->status = WEXITSTATUS(status);
	return 1;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof *values, by_value);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	double walls[MAX_TIMES], users[MAX_TIMES];
	long most = 0;
	struct sample sample;
	int times = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0;

	if (times < 1 || times > MAX_TIMES) {
		fprintf(stderr, "usage: run TIMES COMMAND [ARG]...\n");
		return 2;
	}
	if (!measure(argv + 2, &sample))
		return 1;
	for (int i = 0; i < times; i++) {
		if (!measure(argv + 2, &sample))
			return 1;
		walls[i] = sample.wall;
		users[i] = sample.user;
		if (sample.kilobytes > most)
			most = sample.kilobytes;
	}
	printf("%.4f %.4f %ld %d\n", median(walls, times), median(users, times), most,
	       sample.status);
	return 0;
}
