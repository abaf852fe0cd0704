/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What machines write into data_src, and what it counts as: once for us, and as perf c2c does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "perf/classify.h"

/* The fields of the word, named as in include/uapi/linux/perf_event.h. */
enum { OP_NA = 1, OP_LOAD = 2, OP_STORE = 4, OP_PFETCH = 8, OP_EXEC = 16 };
enum {
	NA = 1,
	HIT = 2,
	MISS = 4,
	L1 = 8,
	LFB = 0x10,
	L2 = 0x20,
	L3 = 0x40,
	LOC_RAM = 0x80,
	REM_RAM1 = 0x100,
	REM_RAM2 = 0x200,
	REM_CCE1 = 0x400,
	REM_CCE2 = 0x800,
	IO = 0x1000,
	UNC = 0x2000
};
enum { SNOOP_NA = 1, SNOOP_NONE = 2, SNOOP_HIT = 4, SNOOP_MISS = 8, HITM = 16 };
enum { NUM_L1 = 1, NUM_L2, NUM_L3, NUM_L4, NUM_MHB, NUM_MSC, NUM_UNC = 8, NUM_CXL, NUM_IO };
enum { NUM_ANY = 11, NUM_LFB, NUM_RAM, NUM_PMEM, NUM_NA };
enum { LOCKED = 2, FWD = 1, PEER = 2, BLK_DATA = 2, BLK_ADDR = 4 };

#define WORD(op, lvl, snoop, num, remote, snoopx, hops)                                            \
	((uint64_t)(op) | (uint64_t)(lvl) << 5 | (uint64_t)(snoop) << 19 | (uint64_t)1 << 24 |     \
	 (uint64_t)(num) << 33 | (uint64_t)(remote) << 37 | (uint64_t)(snoopx) << 38 |             \
	 (uint64_t)1 << 40 | (uint64_t)(hops) << 43)
#define LOAD(...)  WORD(OP_LOAD, __VA_ARGS__)
#define STORE(...) WORD(OP_STORE, __VA_ARGS__)

#define B(counter)   (UINT64_C(1) << (PERF_##counter))
#define LOADS(bits)  (B(LOAD) | (bits))
#define STORES(bits) (B(STORE) | (bits))

struct row {
	const char *name;
	uint64_t word;
	enum access_op op;
	enum access_hit hit;
	uint64_t counts;
};

static const struct row rows[] = {
	/* Intel */
	{"L1", LOAD(HIT | L1, SNOOP_NONE, NUM_L1, 0, 0, 0), ACCESS_LOAD, HIT_L1,
	 LOADS(B(LD_L1HIT))},
	{"fill buffer", LOAD(HIT | LFB, SNOOP_NONE, NUM_LFB, 0, 0, 0), ACCESS_LOAD, HIT_LFB,
	 LOADS(B(LD_FBHIT))},
	{"L2", LOAD(HIT | L2, SNOOP_NONE, NUM_L2, 0, 0, 0), ACCESS_LOAD, HIT_L2,
	 LOADS(B(LD_L2HIT))},
	{"L3", LOAD(HIT | L3, SNOOP_NONE, NUM_L3, 0, 0, 0), ACCESS_LOAD, HIT_LLC,
	 LOADS(B(LD_LLCHIT))},
	{"L3, snoop hit", LOAD(HIT | L3, SNOOP_HIT, NUM_L3, 0, 0, 0), ACCESS_LOAD, HIT_LLC,
	 LOADS(B(LD_LLCHIT))},
	{"L3, HITM", LOAD(HIT | L3, HITM, NUM_L3, 0, 0, 0), ACCESS_LOAD, HIT_LOCAL_HITM,
	 LOADS(B(LCL_HITM))},
	{"up to Broadwell: other socket, HITM", LOAD(HIT | REM_CCE1, HITM, NUM_L3, 1, 0, 0),
	 ACCESS_LOAD, HIT_REMOTE_HITM, LOADS(B(RMT_HITM) | B(RMT_DRAM) | B(LD_EXCL))},
	{"up to Broadwell: other socket, hit", LOAD(HIT | REM_CCE1, SNOOP_HIT, NUM_L3, 1, 0, 0),
	 ACCESS_LOAD, HIT_REMOTE_CACHE, LOADS(B(RMT_HIT) | B(RMT_DRAM) | B(LD_SHARED))},
	{"Skylake-SP: other socket, HITM", LOAD(HIT, HITM, NUM_ANY, 1, 0, 0), ACCESS_LOAD,
	 HIT_REMOTE_HITM, LOADS(B(RMT_HITM) | B(RMT_DRAM) | B(LD_EXCL))},
	{"Skylake-SP: remote forward", LOAD(HIT, 0, NUM_ANY, 1, FWD, 0), ACCESS_LOAD,
	 HIT_REMOTE_CACHE, LOADS(B(RMT_DRAM) | B(LD_EXCL))},
	{"persistent memory", LOAD(HIT, SNOOP_HIT, NUM_PMEM, 0, 0, 0), ACCESS_LOAD, HIT_LOCAL_DRAM,
	 LOADS(0)},
	{"Lion Cove: L3 miss, HITM", LOAD(MISS | L3, HITM, NUM_L3, 0, 0, 0), ACCESS_LOAD,
	 HIT_LOCAL_HITM, LOADS(B(LD_MISS))},
	{"local memory", LOAD(HIT | LOC_RAM, SNOOP_NONE | SNOOP_MISS, NUM_RAM, 0, 0, 0),
	 ACCESS_LOAD, HIT_LOCAL_DRAM, LOADS(B(LCL_DRAM) | B(LD_EXCL))},
	{"local memory, shared", LOAD(HIT | LOC_RAM, SNOOP_HIT, NUM_RAM, 0, 0, 0), ACCESS_LOAD,
	 HIT_LOCAL_DRAM, LOADS(B(LCL_DRAM) | B(LD_SHARED))},
	{"remote memory", LOAD(HIT | REM_RAM1, SNOOP_NONE | SNOOP_MISS, NUM_RAM, 1, 0, 0),
	 ACCESS_LOAD, HIT_REMOTE_DRAM, LOADS(B(RMT_DRAM) | B(LD_EXCL))},
	{"remote memory, two hops", LOAD(HIT | REM_RAM2, SNOOP_HIT, NUM_RAM, 0, 0, 0), ACCESS_LOAD,
	 HIT_REMOTE_DRAM, LOADS(B(RMT_DRAM) | B(LD_SHARED))},
	{"unknown miss", LOAD(MISS, SNOOP_NA, NUM_L3, 0, 0, 0), ACCESS_LOAD, HIT_UNKNOWN,
	 LOADS(B(LD_MISS))},
	{"I/O", LOAD(HIT | IO, SNOOP_NONE, NUM_NA, 0, 0, 0), ACCESS_LOAD, HIT_IO, LOADS(B(LD_IO))},
	{"uncached", LOAD(HIT | UNC, SNOOP_NONE, NUM_NA, 0, 0, 0), ACCESS_LOAD, HIT_UNCACHED,
	 LOADS(B(LD_UNCACHE))},
	{"store, L1", STORE(HIT | L1, SNOOP_NA, 0, 0, 0, 0), ACCESS_STORE, HIT_L1,
	 STORES(B(ST_L1HIT))},
	{"store, L1 miss", STORE(MISS | L1, SNOOP_NA, 0, 0, 0, 0), ACCESS_STORE, HIT_L1_MISS,
	 STORES(B(ST_L1MISS))},
	{"store, uncached", STORE(HIT | UNC, SNOOP_NA, 0, 0, 0, 0), ACCESS_STORE, HIT_UNCACHED,
	 STORES(B(ST_UNCACHE))},
	/* AMD */
	{"Zen 4: own group, HITM", LOAD(HIT | L3, HITM, NUM_L3, 0, 0, 0), ACCESS_LOAD,
	 HIT_LOCAL_HITM, LOADS(B(LCL_HITM))},
	{"Zen 4: near group, HITM", LOAD(HIT | REM_CCE1, HITM, NUM_ANY, 1, 0, 1), ACCESS_LOAD,
	 HIT_REMOTE_HITM, LOADS(B(RMT_HITM))},
	{"Zen 4: far group, HITM", LOAD(HIT | REM_CCE2, HITM, NUM_ANY, 1, 0, 2), ACCESS_LOAD,
	 HIT_REMOTE_HITM, LOADS(B(RMT_HITM))},
	{"Zen 3: no snoop", LOAD(HIT | REM_CCE1, 0, NUM_ANY, 1, 0, 1), ACCESS_LOAD,
	 HIT_REMOTE_CACHE, LOADS(0)},
	{"IBS store, L1", STORE(HIT | L1, SNOOP_NA, NUM_L1, 0, 0, 0), ACCESS_STORE, HIT_L1,
	 STORES(B(ST_L1HIT))},
	{"IBS store, L2", STORE(HIT | L2, SNOOP_NA, NUM_L2, 0, 0, 0), ACCESS_STORE, HIT_L1_MISS,
	 STORES(0)},
	{"IBS store, not known", STORE(NA, SNOOP_NA, NUM_NA, 0, 0, 0), ACCESS_STORE, HIT_UNKNOWN,
	 STORES(B(ST_NA))},
	/* Arm */
	{"SPE: core beside", LOAD(HIT | L2, 0, NUM_L2, 0, PEER, 0), ACCESS_LOAD, HIT_LOCAL_PEER,
	 LOADS(B(LD_L2HIT) | B(LCL_PEER))},
	{"SPE: cluster beside", LOAD(HIT | L3, 0, NUM_L3, 0, PEER, 0), ACCESS_LOAD, HIT_LOCAL_PEER,
	 LOADS(B(LD_LLCHIT) | B(LCL_PEER))},
	{"SPE: other socket", LOAD(NA, 0, NUM_NA, 1, PEER, 0), ACCESS_LOAD, HIT_REMOTE_PEER,
	 LOADS(B(RMT_HIT) | B(RMT_PEER))},
	{"SPE: store", STORE(NA, SNOOP_NA, NUM_NA, 0, 0, 0), ACCESS_STORE, HIT_UNKNOWN,
	 STORES(B(ST_NA))},
	/* Levels that only the later field has */
	{"number: L1", LOAD(0, 0, NUM_L1, 0, 0, 0), ACCESS_LOAD, HIT_L1, LOADS(0)},
	{"number: on its way to L2", LOAD(0, 0, NUM_MHB, 0, 0, 0), ACCESS_LOAD, HIT_LFB, LOADS(0)},
	{"number: CXL", LOAD(0, 0, NUM_CXL, 0, 0, 0), ACCESS_LOAD, HIT_LOCAL_DRAM, LOADS(0)},
	{"number: remote memory, near", LOAD(0, 0, NUM_RAM, 1, 0, 2), ACCESS_LOAD, HIT_REMOTE_DRAM,
	 LOADS(0)},
	{"number: memory-side cache", LOAD(0, 0, NUM_MSC, 0, 0, 0), ACCESS_LOAD, HIT_LOCAL_DRAM,
	 LOADS(0)},
	{"nothing", LOAD(NA, SNOOP_NA, NUM_NA, 0, 0, 0), ACCESS_LOAD, HIT_UNKNOWN, LOADS(0)},
	/* Both: perf takes it for a load */
	{"load and store", WORD(OP_LOAD | OP_STORE, HIT | L1, SNOOP_NONE, NUM_L1, 0, 0, 0),
	 ACCESS_LOAD, HIT_L1, LOADS(B(LD_L1HIT))},
	{"prefetch", WORD(OP_PFETCH, HIT | L1, 0, NUM_L1, 0, 0, 0), ACCESS_OTHER, HIT_UNKNOWN,
	 B(NOPARSE)},
	{"code", WORD(OP_EXEC, HIT | L1, 0, NUM_L1, 0, 0, 0), ACCESS_OTHER, HIT_UNKNOWN,
	 B(NOPARSE)},
	{"no memory", WORD(OP_NA, NA, SNOOP_NA, NUM_NA, 0, 0, 0), ACCESS_OTHER, HIT_UNKNOWN,
	 B(NOPARSE)},
	{"zero", 0, ACCESS_OTHER, HIT_UNKNOWN, B(NOPARSE)},
};

static void every_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct access access = {.has_address = true};

		classify(row->word, &access);
		if (access.op != row->op || access.hit != row->hit ||
		    access.perf_counts != row->counts)
			fail_msg("%s: op %d, hit %d, counts %#llx", row->name, access.op,
				 access.hit, (unsigned long long)access.perf_counts);
		assert_false(access.locked);
	}
}

static void lock_and_blocks_count_beside(void **state)
{
	const uint64_t hitm = LOAD(HIT | L3, HITM, NUM_L3, 0, 0, 0);
	struct access access = {.has_address = true};

	(void)state;
	classify(hitm | (uint64_t)LOCKED << 24 | (uint64_t)BLK_DATA << 40 |
			 (uint64_t)BLK_ADDR << 40,
		 &access);
	assert_true(access.locked);
	assert_int_equal(access.hit, HIT_LOCAL_HITM);
	assert_int_equal(access.perf_counts,
			 LOADS(B(LCL_HITM) | B(LOCKS) | B(BLK_DATA) | B(BLK_ADDR)));
}

static void without_address_only_the_kind(void **state)
{
	struct access access = {.has_address = false};

	(void)state;
	classify(LOAD(HIT | L3, HITM, NUM_L3, 0, 0, 0), &access);
	assert_int_equal(access.perf_counts, LOADS(B(LD_NOADRS)));
	assert_int_equal(access.hit, HIT_LOCAL_HITM);
	classify(STORE(HIT | L1, 0, 0, 0, 0, 0), &access);
	assert_int_equal(access.perf_counts, STORES(B(ST_NOADRS)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row),
		cmocka_unit_test(lock_and_blocks_count_beside),
		cmocka_unit_test(without_address_only_the_kind),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
