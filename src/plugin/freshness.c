/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/freshness.h"

#include <stdlib.h>

#include "plugin/counts.h"

enum { PARTS = 64 };

uint64_t freshness_parts(uint64_t into, uint64_t size, uint64_t line)
{
	uint64_t part = line > PARTS ? line / PARTS : 1;
	uint64_t first = into / part, end = (into + size + part - 1) / part;
	uint64_t below = end < PARTS ? ((uint64_t)1 << end) - 1 : UINT64_MAX;

	return below & UINT64_MAX << first;
}

/* Of two threads one wins. */
static struct seeing *make_seen(struct freshness *freshness)
{
	struct seeing *made = zeroed(COHERENCE_CPUS, sizeof *made), *seen = NULL;

	if (atomic_compare_exchange_strong_explicit(&freshness->seen, &seen, made,
						    memory_order_acq_rel, memory_order_acquire))
		return made;
	free(made);
	return seen;
}

struct seeing *freshness_of(struct freshness *freshness, unsigned cpu)
{
	struct seeing *seen = atomic_load_explicit(&freshness->seen, memory_order_acquire);
	uint32_t own = (uint32_t)1 << cpu;
	uint32_t used_by = atomic_load_explicit(&freshness->used_by, memory_order_relaxed);

	if (used_by & own)
		return seen ? &seen[cpu] : NULL;
	used_by = atomic_fetch_or_explicit(&freshness->used_by, own, memory_order_acq_rel);
	if (!used_by)
		return NULL;
	if (!seen)
		seen = make_seen(freshness);
	/* To who never used the line all that was stored is news. */
	atomic_fetch_or_explicit(&seen[cpu].news,
				 atomic_load_explicit(&freshness->stored, memory_order_acquire),
				 memory_order_acq_rel);
	return &seen[cpu];
}

void freshness_meet(struct seeing *seeing, const struct place *writer, const struct place *reader)
{
	seeing->writer = writer;
	seeing->reader = reader;
	atomic_store_explicit(&seeing->lost, false, memory_order_relaxed);
}

void freshness_settle(struct seeing *seeing)
{
	seeing->writer = seeing->reader = NULL;
}

static bool had_news(struct seeing *seeing, uint64_t parts)
{
	if (!(atomic_load_explicit(&seeing->news, memory_order_acquire) & parts))
		return false;
	atomic_fetch_and_explicit(&seeing->news, ~parts, memory_order_acq_rel);
	return true;
}

bool freshness_load(struct seeing *seeing, uint64_t parts)
{
	return had_news(seeing, parts) && seeing->writer &&
	       !atomic_load_explicit(&seeing->lost, memory_order_relaxed);
}

static void tell(struct seeing *seeing, uint64_t parts)
{
	uint64_t news = atomic_load_explicit(&seeing->news, memory_order_relaxed);

	if ((news & parts) != parts)
		atomic_fetch_or_explicit(&seeing->news, parts, memory_order_acq_rel);
	if (!atomic_load_explicit(&seeing->lost, memory_order_relaxed))
		atomic_store_explicit(&seeing->lost, true, memory_order_relaxed);
}

void freshness_store(struct freshness *freshness, unsigned cpu, uint64_t parts)
{
	struct seeing *seen = atomic_load_explicit(&freshness->seen, memory_order_acquire);
	uint64_t stored = atomic_load_explicit(&freshness->stored, memory_order_relaxed);
	uint32_t others = atomic_load_explicit(&freshness->used_by, memory_order_relaxed) &
			  ~((uint32_t)1 << cpu);

	if ((stored & parts) != parts)
		atomic_fetch_or_explicit(&freshness->stored, parts, memory_order_acq_rel);
	if (!seen)
		return;
	had_news(&seen[cpu], parts);
	for (; others; others &= others - 1)
		tell(&seen[__builtin_ctz(others)], parts);
}
