/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is counted of accesses: of a row, of a line, of a recording. */
#ifndef C2C_COUNTS_H
#define C2C_COUNTS_H

#include "layout/access.h"

/* Loads whose latency is told, by what they met: as perf c2c groups its cycles. */
enum c2c_wait {
	WAIT_REMOTE_HITM,
	WAIT_LOCAL_HITM,
	WAIT_REMOTE_PEER,
	WAIT_LOCAL_PEER,
	WAIT_LOAD, /* all others */
	WAITS
};

struct c2c_counts {
	uint64_t samples;
	uint64_t loads, stores;   /* each sample once */
	uint64_t hits[HIT_KINDS]; /* of loads */
	uint64_t store_l1, store_l1_miss, store_unknown;
	/* Loads that another core's cache had to answer for: local and remote HITM; of a recording
	 * without any (Arm) those that a peer served. */
	uint64_t hitm;
	uint64_t locked;
	uint64_t cycles[WAITS], timed[WAITS]; /* summed; of so many loads */
};

void counts_add(struct c2c_counts *counts, const struct access *access);
void counts_sum(struct c2c_counts *to, const struct c2c_counts *from);

/* Whether a load met a line that another core had modified, or (peer) that another core had. */
bool access_is_hitm(const struct access *access);
bool access_is_peer(const struct access *access);

#endif
