/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The word `data_src` of a sample -> what served the access: once for us (enum access_hit), and in
 * the counters that perf c2c moves (bits of perf_counts), of which one access can move several.
 *
 * Source of the bits: union perf_mem_data_src of include/uapi/linux/perf_event.h; of what the
 * machines write there: arch/x86/events/intel/ds.c, arch/x86/events/amd/ibs.c and perf's
 * util/arm-spe.c; of the counters: c2c_decode_stats() in perf's util/mem-events.c.
 */
#ifndef PERF_CLASSIFY_H
#define PERF_CLASSIFY_H

#include "layout/access.h"

/*
 * Sets op, hit, locked and perf_counts of @access from the word and its has_address. Three words
 * are read for what they say where perf loses it: a remote forward is HIT_REMOTE_CACHE (perf:
 * remote DRAM), a HITM without a hit is HIT_LOCAL_HITM (Lion Cove; perf: a miss), and a level that
 * only the new field has is that level (perf: nothing).
 */
void classify(uint64_t data_src, struct access *access);

#endif
