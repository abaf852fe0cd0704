/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/coherence.h"

enum { OWNER_SHIFT = 56 };

static coherence_state owned_by(unsigned cpu)
{
	return (coherence_state)(cpu + 1) << OWNER_SHIFT | (coherence_state)1 << cpu;
}

static coherence_state sharers(coherence_state state)
{
	return state & UINT32_MAX;
}

coherence_state coherence_next(coherence_state state, unsigned cpu, bool store,
			       enum coherence_level *ret)
{
	coherence_state own = (coherence_state)1 << cpu, all = sharers(state);

	if (state == owned_by(cpu)) {
		*ret = LEVEL_OWN;
		return state;
	}
	if (state >> OWNER_SHIFT)
		*ret = LEVEL_HITM;
	else if (all & own)
		*ret = store && all != own ? LEVEL_OTHERS : LEVEL_OWN;
	else
		*ret = all ? LEVEL_OTHERS : LEVEL_MEMORY;
	return store ? owned_by(cpu) : all | own;
}

coherence_state coherence_dropped(coherence_state state, unsigned cpu)
{
	if (state >> OWNER_SHIFT)
		return state == owned_by(cpu) ? 0 : state;
	return state & ~((coherence_state)1 << cpu);
}

enum coherence_level coherence_access(_Atomic coherence_state *line, unsigned cpu, bool store)
{
	coherence_state state = atomic_load_explicit(line, memory_order_relaxed), next;
	enum coherence_level level;

	do {
		next = coherence_next(state, cpu, store, &level);
	} while (next != state &&
		 !atomic_compare_exchange_weak_explicit(line, &state, next, memory_order_acq_rel,
							memory_order_relaxed));
	return level;
}

void coherence_drop(_Atomic coherence_state *line, unsigned cpu)
{
	coherence_state state = atomic_load_explicit(line, memory_order_relaxed), next;

	do {
		next = coherence_dropped(state, cpu);
	} while (next != state &&
		 !atomic_compare_exchange_weak_explicit(line, &state, next, memory_order_acq_rel,
							memory_order_relaxed));
}
