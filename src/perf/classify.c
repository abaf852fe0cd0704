/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/classify.h"

/* mem_op, 5 bits from 0; mem_lvl, 14 from 5; mem_snoop, 5 from 19; mem_lock, 2 from 24;
 * mem_lvl_num, 4 from 33; mem_remote, 37; mem_snoopx, 2 from 38; mem_blk, 3 from 40; mem_hops, 3
 * from 43. */
#define OP_LOAD  (UINT64_C(2) << 0)
#define OP_STORE (UINT64_C(4) << 0)

#define LVL_NA      (UINT64_C(0x1) << 5)
#define LVL_HIT     (UINT64_C(0x2) << 5)
#define LVL_MISS    (UINT64_C(0x4) << 5)
#define LVL_L1      (UINT64_C(0x8) << 5)
#define LVL_LFB     (UINT64_C(0x10) << 5)
#define LVL_L2      (UINT64_C(0x20) << 5)
#define LVL_L3      (UINT64_C(0x40) << 5)
#define LVL_LOC_RAM (UINT64_C(0x80) << 5)
#define LVL_REM_RAM (UINT64_C(0x300) << 5) /* one and two hops away */
#define LVL_REM_CCE (UINT64_C(0xc00) << 5)
#define LVL_IO      (UINT64_C(0x1000) << 5)
#define LVL_UNC     (UINT64_C(0x2000) << 5)

#define SNOOP_HIT   (UINT64_C(0x4) << 19)
#define SNOOP_HITM  (UINT64_C(0x10) << 19)
#define LOCK_LOCKED (UINT64_C(2) << 24)
#define REMOTE      (UINT64_C(1) << 37)
#define SNOOPX_FWD  (UINT64_C(1) << 38)
#define SNOOPX_PEER (UINT64_C(2) << 38)
#define BLK_DATA    (UINT64_C(2) << 40)
#define BLK_ADDR    (UINT64_C(4) << 40)
#define HOPS        (UINT64_C(7) << 43)

enum level {
	LEVEL_L1 = 1,
	LEVEL_L2 = 2,
	LEVEL_L3 = 3,
	LEVEL_L4 = 4,
	LEVEL_L2_MHB = 5,
	LEVEL_MSC = 6,
	LEVEL_UNC = 8,
	LEVEL_CXL = 9,
	LEVEL_IO = 10,
	LEVEL_ANY_CACHE = 11,
	LEVEL_LFB = 12,
	LEVEL_RAM = 13,
	LEVEL_PMEM = 14,
};

#define BIT(counter) (UINT64_C(1) << (counter))

/* The bit of @counter, when @word has any of @mask. */
static uint64_t when(uint64_t word, uint64_t mask, enum perf_counter counter)
{
	return word & mask ? BIT(counter) : 0;
}

/* perf reads the remote bit as "remote, unknown level" only when no distance is given. */
static bool is_far(uint64_t word)
{
	return (word & REMOTE) && !(word & HOPS);
}

static uint64_t count_load_hit(uint64_t word)
{
	uint64_t bits = when(word, LVL_UNC, PERF_LD_UNCACHE) | when(word, LVL_IO, PERF_LD_IO) |
			when(word, LVL_LFB, PERF_LD_FBHIT) | when(word, LVL_L1, PERF_LD_L1HIT) |
			when(word, LVL_L2, PERF_LD_L2HIT);
	enum perf_counter kept = word & SNOOP_HIT ? PERF_LD_SHARED : PERF_LD_EXCL;

	if (word & LVL_L3)
		bits |= BIT(word & SNOOP_HITM ? PERF_LCL_HITM : PERF_LD_LLCHIT);
	if (word & (LVL_L2 | LVL_L3))
		bits |= when(word, SNOOPX_PEER, PERF_LCL_PEER);
	if (word & LVL_LOC_RAM)
		bits |= BIT(PERF_LCL_DRAM) | BIT(kept);
	if ((word & LVL_REM_RAM) || is_far(word))
		bits |= BIT(PERF_RMT_DRAM) | BIT(kept);
	return bits;
}

static uint64_t count_load(uint64_t word)
{
	uint64_t bits = word & LVL_HIT ? count_load_hit(word) : 0;

	if ((word & LVL_REM_CCE) || is_far(word)) {
		if (word & SNOOP_HIT)
			bits |= BIT(PERF_RMT_HIT);
		else if (word & SNOOP_HITM)
			bits |= BIT(PERF_RMT_HITM);
		else if (word & SNOOPX_PEER)
			bits |= BIT(PERF_RMT_HIT) | BIT(PERF_RMT_PEER);
	}
	return bits | when(word, LVL_MISS, PERF_LD_MISS);
}

static uint64_t count_store(uint64_t word)
{
	uint64_t bits = when(word, LVL_NA, PERF_ST_NA);

	if (word & LVL_HIT)
		bits |= when(word, LVL_UNC, PERF_ST_UNCACHE) | when(word, LVL_L1, PERF_ST_L1HIT);
	if (word & LVL_MISS)
		bits |= when(word, LVL_L1, PERF_ST_L1MISS);
	return bits;
}

static uint64_t perf_counts(uint64_t word, bool has_address)
{
	uint64_t bits = when(word, LOCK_LOCKED, PERF_LOCKS) | when(word, BLK_DATA, PERF_BLK_DATA) |
			when(word, BLK_ADDR, PERF_BLK_ADDR);

	if (word & OP_LOAD)
		return bits | BIT(PERF_LOAD) |
		       (has_address ? count_load(word) : BIT(PERF_LD_NOADRS));
	if (word & OP_STORE)
		return bits | BIT(PERF_STORE) |
		       (has_address ? count_store(word) : BIT(PERF_ST_NOADRS));
	return bits | BIT(PERF_NOPARSE);
}

/* What the field of levels that came later says; it alone is filled by the newest machines. */
static enum access_hit hit_of_level(enum level level, bool is_remote)
{
	switch (level) {
	case LEVEL_L1:
		return HIT_L1;
	case LEVEL_LFB:
	case LEVEL_L2_MHB:
		return HIT_LFB;
	case LEVEL_L2:
		return is_remote ? HIT_REMOTE_CACHE : HIT_L2;
	case LEVEL_L3:
	case LEVEL_L4:
	case LEVEL_ANY_CACHE:
		return is_remote ? HIT_REMOTE_CACHE : HIT_LLC;
	case LEVEL_MSC:
	case LEVEL_CXL:
	case LEVEL_RAM:
	case LEVEL_PMEM:
		return is_remote ? HIT_REMOTE_DRAM : HIT_LOCAL_DRAM;
	case LEVEL_UNC:
		return HIT_UNCACHED;
	case LEVEL_IO:
		return HIT_IO;
	}
	return HIT_UNKNOWN;
}

static enum access_hit hit_of_load(uint64_t word)
{
	bool is_remote = word & (REMOTE | LVL_REM_CCE);
	enum level level = (enum level)(word >> 33 & 0xf);

	if (word & SNOOP_HITM)
		return is_remote ? HIT_REMOTE_HITM : HIT_LOCAL_HITM;
	if (word & SNOOPX_PEER)
		return is_remote ? HIT_REMOTE_PEER : HIT_LOCAL_PEER;
	if (word & LVL_MISS)
		return HIT_UNKNOWN;
	if (word & (LVL_REM_CCE | SNOOPX_FWD) && is_remote)
		return HIT_REMOTE_CACHE;
	if (word & LVL_HIT) {
		if (word & LVL_UNC)
			return HIT_UNCACHED;
		if (word & LVL_IO)
			return HIT_IO;
		if (word & LVL_LFB)
			return HIT_LFB;
		if (word & LVL_L1)
			return HIT_L1;
		if (word & LVL_L2)
			return HIT_L2;
		if (word & LVL_L3)
			return HIT_LLC;
		if (word & LVL_REM_RAM)
			return HIT_REMOTE_DRAM;
		if (word & LVL_LOC_RAM)
			return HIT_LOCAL_DRAM;
	}
	return hit_of_level(level, is_remote);
}

/* Of a store the first level is all that is known; a hit further out missed there. */
static enum access_hit hit_of_store(uint64_t word)
{
	bool is_hit = word & LVL_HIT;

	if (word & LVL_UNC)
		return HIT_UNCACHED;
	if (word & LVL_L1)
		return is_hit ? HIT_L1 : word & LVL_MISS ? HIT_L1_MISS : HIT_UNKNOWN;
	if (is_hit && word & (LVL_LFB | LVL_L2 | LVL_L3 | LVL_LOC_RAM | LVL_REM_RAM | LVL_REM_CCE))
		return HIT_L1_MISS;
	return HIT_UNKNOWN;
}

void classify(uint64_t data_src, struct access *access)
{
	access->locked = data_src & LOCK_LOCKED;
	access->perf_counts = perf_counts(data_src, access->has_address);
	if (data_src & OP_LOAD) {
		access->op = ACCESS_LOAD;
		access->hit = hit_of_load(data_src);
	} else if (data_src & OP_STORE) {
		access->op = ACCESS_STORE;
		access->hit = hit_of_store(data_src);
	} else {
		access->op = ACCESS_OTHER;
		access->hit = HIT_UNKNOWN;
	}
}
