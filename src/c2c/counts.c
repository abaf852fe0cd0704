/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/counts.h"

bool access_is_hitm(const struct access *access)
{
	return access->op == ACCESS_LOAD &&
	       (access->hit == HIT_LOCAL_HITM || access->hit == HIT_REMOTE_HITM);
}

bool access_is_peer(const struct access *access)
{
	return access->op == ACCESS_LOAD &&
	       (access->hit == HIT_LOCAL_PEER || access->hit == HIT_REMOTE_PEER);
}

static enum c2c_wait wait_of(enum access_hit hit)
{
	switch (hit) {
	case HIT_REMOTE_HITM:
		return WAIT_REMOTE_HITM;
	case HIT_LOCAL_HITM:
		return WAIT_LOCAL_HITM;
	case HIT_REMOTE_PEER:
		return WAIT_REMOTE_PEER;
	case HIT_LOCAL_PEER:
		return WAIT_LOCAL_PEER;
	default:
		return WAIT_LOAD;
	}
}

static void add_store(struct c2c_counts *counts, const struct access *access)
{
	counts->stores += access->n;
	if (access->hit == HIT_L1)
		counts->store_l1 += access->n;
	else if (access->hit == HIT_L1_MISS)
		counts->store_l1_miss += access->n;
	else
		counts->store_unknown += access->n;
}

void counts_add(struct c2c_counts *counts, const struct access *access)
{
	counts->samples += access->n;
	if (access->locked)
		counts->locked += access->n;
	if (access->op == ACCESS_STORE)
		add_store(counts, access);
	if (access->op != ACCESS_LOAD)
		return;
	counts->loads += access->n;
	counts->hits[access->hit] += access->n;
	if (access_is_hitm(access))
		counts->hitm += access->n;
	if (access->has_weight) {
		counts->cycles[wait_of(access->hit)] += access->weight * access->n;
		counts->timed[wait_of(access->hit)] += access->n;
	}
}

void counts_sum(struct c2c_counts *to, const struct c2c_counts *from)
{
	to->samples += from->samples;
	to->loads += from->loads;
	to->stores += from->stores;
	for (size_t i = 0; i < HIT_KINDS; i++)
		to->hits[i] += from->hits[i];
	to->store_l1 += from->store_l1;
	to->store_l1_miss += from->store_l1_miss;
	to->store_unknown += from->store_unknown;
	to->hitm += from->hitm;
	to->locked += from->locked;
	for (size_t i = 0; i < WAITS; i++) {
		to->cycles[i] += from->cycles[i];
		to->timed[i] += from->timed[i];
	}
}
