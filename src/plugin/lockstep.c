/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/lockstep.h"

#include <sched.h>

#include "plugin/plugin.h"

enum { PATIENCE = 10000000, LOOKS = 64 }; /* nanoseconds; between two at the clock */

static bool is_ahead(const struct vcpu *vcpu, const struct vcpu *other)
{
	uint64_t theirs = atomic_load_explicit(&other->published, memory_order_acquire);

	return atomic_load_explicit(&recording, memory_order_relaxed) &&
	       !atomic_load_explicit(&other->idle, memory_order_acquire) &&
	       vcpu->instructions > theirs && vcpu->instructions - theirs > settings.quantum;
}

static void wait_for(struct vcpu *vcpu, const struct vcpu *other)
{
	uint64_t begun = 0;

	for (unsigned looks = 0; is_ahead(vcpu, other); looks++) {
		if (!looks) {
			vcpu->waits++;
			begun = nanoseconds();
		} else if (looks % LOOKS == 0 && nanoseconds() - begun > PATIENCE) {
			vcpu->given_up++;
			return;
		}
		sched_yield();
	}
}

void lockstep_join(void)
{
	static _Atomic int where = -1;
	int mine = sched_getcpu(), none = -1;
	cpu_set_t one;

	if (!settings.quantum || mine < 0)
		return;
	if (!atomic_compare_exchange_strong(&where, &none, mine))
		mine = none;
	CPU_ZERO(&one);
	CPU_SET(mine, &one);
	(void)sched_setaffinity(0, sizeof one, &one);
}

void lockstep_run(unsigned index, unsigned instructions)
{
	struct vcpu *vcpu = &vcpus[index];

	vcpu->instructions += instructions;
	if (!settings.quantum || vcpu->instructions < vcpu->next)
		return;
	atomic_store_explicit(&vcpu->published, vcpu->instructions, memory_order_release);
	vcpu->next = vcpu->instructions + settings.quantum / 2;
	for (unsigned i = 0; i < COHERENCE_CPUS; i++)
		if (i != index)
			wait_for(vcpu, &vcpus[i]);
}

void lockstep_idle(unsigned index)
{
	atomic_store_explicit(&vcpus[index].idle, true, memory_order_release);
}

void lockstep_resume(unsigned index)
{
	struct vcpu *vcpu = &vcpus[index];
	uint64_t most = vcpu->instructions;

	for (unsigned i = 0; i < COHERENCE_CPUS; i++) {
		uint64_t theirs = atomic_load_explicit(&vcpus[i].published, memory_order_acquire);

		if (i != index && !atomic_load_explicit(&vcpus[i].idle, memory_order_acquire) &&
		    theirs > most)
			most = theirs;
	}
	vcpu->instructions = vcpu->next = most;
	atomic_store_explicit(&vcpu->published, most, memory_order_release);
	atomic_store_explicit(&vcpu->idle, false, memory_order_release);
}
