/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads N ROUNDS: N threads, at most MOST, that each count in a struct whose members share a
 * line, in its padded twin, and all in one counter. With APART the members are on lines of their
 * own, with RELAY a thread comes and goes first while another stays.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef APART
#define EACH __attribute__((aligned(64)))
#else
#define EACH
#endif

#ifndef MOST
#define MOST 8
#endif

struct crowded {
	EACH long first;
	EACH long second;
	EACH long third;
	EACH long fourth;
	EACH long fifth;
	EACH long sixth;
	EACH long seventh;
	EACH long eighth;
} __attribute__((aligned(64)));

struct slot {
	long n;
} __attribute__((aligned(64)));

struct roomy {
	struct slot slots[MOST];
};

struct common {
	long all;
} __attribute__((aligned(64)));

volatile struct crowded crowded;
volatile struct roomy roomy;
struct common common;

static long rounds;
static long nthreads, ready;

static void *count(void *arg)
{
	long index = (long)arg;
	volatile long *mine =
		(volatile long *)((volatile char *)&crowded + index % 8 * (long)sizeof crowded / 8);

	/* Not asleep: who wakes up late would find the others done. */
	__atomic_fetch_add(&ready, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&ready, __ATOMIC_RELAXED) < nthreads)
		;
	for (long i = 0; i < rounds; i++) {
		++*mine;
		roomy.slots[index].n++;
		__atomic_fetch_add(&common.all, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

#ifdef RELAY
static void *pass(void *arg)
{
	return arg;
}

static void *stay(void *arg)
{
	while (!__atomic_load_n(&ready, __ATOMIC_RELAXED))
		;
	return arg;
}

/* The one that stays has a higher number than the one that goes, whose thread the next gets. */
static int relay(void)
{
	pthread_t gone, stays;

	return pthread_create(&gone, NULL, pass, NULL) != 0 ||
	       pthread_create(&stays, NULL, stay, NULL) != 0 || pthread_join(gone, NULL) != 0;
}
#else
static int relay(void)
{
	return 0;
}
#endif

int main(int argc, char **argv)
{
	long n = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
	pthread_t threads[MOST];

	if (n < 1 || n > MOST)
		return 2;
	rounds = strtol(argv[2], NULL, 10);
	nthreads = n;
	if (relay())
		return 2;
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, count, (void *)i) != 0)
			return 2;
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", common.all);
	return common.all == n * rounds ? 0 : 3;
}
