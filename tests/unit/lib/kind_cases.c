/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/kind_cases.h"

static const struct kind_case slab_cases[] = {
	{"waste", 72, FDTABLE_72, "waste: \"<= 24\"", OUTCOME_HOLDS,
	 .message = "24 of the 96 bytes an object takes are not its own, wanted <= 24",
	 .block = "alloc: kmalloc", /* up to a bucket of 128 */
	 .margin = "56"},
	{"waste", 72, FDTABLE_72, "waste: \"< 24\"", OUTCOME_BROKEN,
	 .message = "24 of the 96 bytes an object takes are not its own, wanted < 24",
	 .cause = "size 72 takes 96 bytes of kmalloc()", .block = "alloc: kmalloc"},
	{"waste", 72, FDTABLE_72, "waste: 0", OUTCOME_HOLDS,
	 .message = "0 of the 72 bytes an object takes are not its own, wanted 0",
	 .block = "alloc: {cache: tables}"},
	/* The one word that a constructor costs. */
	{"waste", 72, FDTABLE_72, "waste: 0", OUTCOME_BROKEN,
	 .message = "8 of the 80 bytes an object takes are not its own, wanted 0",
	 .cause = "objects of tables begin every 80 bytes, the free pointer included",
	 .block = "alloc: {cache: tables, freeptr: after}"},
	{"waste", 72, FDTABLE_72, "waste: \"<= 8\"", OUTCOME_BROKEN,
	 .message = "56 of the 128 bytes an object takes are not its own, wanted <= 8",
	 .cause = "objects of tables begin every 128 bytes",
	 .block = "alloc: {cache: tables, hwcache_align: true}"},
	{"waste", 72, FDTABLE_72, "waste: 0", OUTCOME_UNKNOWN,
	 .message = "how far apart two objects are cannot be told for this kernel",
	 .block = "alloc: {cache: tables, hwcache_align: true}", .no_line = true},
	{"objects_per_slab", 72, FDTABLE_72, "objects_per_slab: \">= 56\"\norder: 0", OUTCOME_HOLDS,
	 .message = "a slab of 4096 bytes holds 56 objects, wanted >= 56",
	 .block = "alloc: {cache: tables}", .margin = "0"},
	{"objects_per_slab", 72, FDTABLE_72, "objects_per_slab: \">= 50\"\norder: 0", OUTCOME_HOLDS,
	 .message = "a slab of 4096 bytes holds 56 objects, wanted >= 50",
	 .block = "alloc: {cache: tables}", .margin = "8"},
	{"objects_per_slab", 72, FDTABLE_72, "objects_per_slab: 56\norder: 0", OUTCOME_BROKEN,
	 .message = "a slab of 4096 bytes holds 51 objects, wanted 56",
	 .cause = "objects of tables begin every 80 bytes, the free pointer included",
	 .block = "alloc: {cache: tables, freeptr: after}"},
	/* By the processors: order 1 on 8 of them, as tests/unit/slab.c has it. */
	{"objects_per_slab", 256, "a@0:8x32", "objects_per_slab: 32\ncpus: 8", OUTCOME_HOLDS,
	 .message = "a slab of 8192 bytes holds 32 objects, wanted 32", .block = "alloc: kmalloc",
	 /* a bucket of 1024 has 32, too */ .margin = "768"},
	{"objects_per_slab", 256, "a@0:8x32", "objects_per_slab: 32\ncpus: 2", OUTCOME_BROKEN,
	 .message = "a slab of 4096 bytes holds 16 objects, wanted 32",
	 .cause = "size 256 takes 256 bytes of kmalloc()", .block = "alloc: kmalloc"},
	{"objects_per_slab", 8200, "a@0:8x1025", "objects_per_slab: \">= 1\"\ncpus: 2",
	 OUTCOME_BROKEN,
	 .message = "there is no slab: 16384 bytes of kmalloc() are pages, wanted >= 1 objects",
	 .block = "alloc: kmalloc"},
	/* Pages of 4, 16 or 64 KiB. */
	{"objects_per_slab", 256, "a@0:8x32", "objects_per_slab: 32\norder: 1", OUTCOME_UNKNOWN,
	 .message = "how large a slab is cannot be told for this kernel", .block = "alloc: kmalloc",
	 .arch = "aarch64"},
};

#define SOCK                                                                                       \
	"__cacheline_group_begin__write_rx@0:0 drops@0:4 queue@8:8x7 "                             \
	"__cacheline_group_end__write_rx@64:0 __cacheline_group_begin__read_rx@64:0 dst@64:8 "     \
	"ifindex@72:4 wq@80:8x6 __cacheline_group_end__read_rx@128:0 type@128:2"
#define SOCK_LATE                                                                                  \
	"first@0:8 __cacheline_group_begin__write_rx@8:0 drops@8:4 queue@16:8x7 "                  \
	"__cacheline_group_end__write_rx@72:0 type@72:2 state@74:1"

static const struct kind_case group_cases[] = {
	{"group", 136, SOCK, "group: read_rx\nlines: 1\nbytes: \"<= 64\"\nmembers: [dst, wq]",
	 OUTCOME_HOLDS, .message = "read_rx (offset 64, 64 bytes, 4 free) touches line 1",
	 .margin = "0"},
	{"group", 80, SOCK_LATE, "group: write_rx\nlines: 2\nbytes: \"< 80\"", OUTCOME_HOLDS,
	 .message = "write_rx (offset 8, 64 bytes, 4 free) touches lines 0 to 1, and fits 1",
	 .margin = "15"},
	{"group", 80, SOCK_LATE, "group: write_rx", OUTCOME_HOLDS,
	 .message = "write_rx (offset 8, 64 bytes, 4 free) touches lines 0 to 1, and fits 1"},
	{"group", 80, SOCK_LATE, "group: write_rx\nlines: 1", OUTCOME_BROKEN,
	 .message = "write_rx (offset 8, 64 bytes, 4 free) touches lines 0 to 1, and fits 1: "
		    "wanted <= 1 line",
	 .cause = "it begins at byte 8 of line 0, behind first (offset 0, 8 bytes)"},
	{"group", 80, SOCK_LATE, "group: write_rx\nstart: \"% 64\"", OUTCOME_BROKEN,
	 .message = "write_rx (offset 8, 64 bytes, 4 free) touches lines 0 to 1, and fits 1: its "
		    "offset is 8, wanted a multiple of 64",
	 .cause = "it begins at byte 8 of line 0, behind first (offset 0, 8 bytes)"},
	{"group", 136, SOCK, "group: write_rx\nbytes: 60", OUTCOME_BROKEN,
	 .message = "write_rx (offset 0, 64 bytes, 4 free) touches line 0: its size is 64, wanted "
		    "60"},
	{"group", 136, SOCK, "group: write_rx\nmembers: [drops, type]", OUTCOME_BROKEN,
	 .message = "type (offset 128, 2 bytes) lies outside of write_rx (offset 0, 64 bytes, 4 "
		    "free) touches line 0"},
	{"group", 136, SOCK, "group: write_rx\nlines: 1", OUTCOME_BROKEN,
	 .message = "write_rx (offset 0, 64 bytes, 4 free) touches up to 2 lines, and fits 1: "
		    "wanted <= 1 line when the object begins at byte 8, 16, 24, 32, 40, 48 or 56 "
		    "of a line",
	 .cause = "objects of socks begin at any multiple of 8 bytes",
	 .block = "alloc: {cache: socks}"},
	{"group", 136, SOCK, "group: write_tx", OUTCOME_MISSING,
	 .message = "s has no marked group `write_tx`; the nearest is `write_rx`"},
	{"group", 136, SOCK, "group: other\noptional: true", OUTCOME_NOT_APPLICABLE,
	 .message = "s has no marked group `other`"},
	{"max_ungrouped", 136, SOCK, "max_ungrouped: 1", OUTCOME_HOLDS,
	 .message = "1 member is in none of the 2 marked groups, wanted <= 1: type"},
	{"max_ungrouped", 80, SOCK_LATE, "max_ungrouped: 2", OUTCOME_BROKEN,
	 .message = "3 members are in none of the 1 marked groups, wanted <= 2: first, type, "
		    "state"},
	{"max_ungrouped", 72, FDTABLE_72, "max_ungrouped: 9", OUTCOME_MISSING,
	 .message = "s has no marked groups"},
};

static const struct kind_case access_cases[] = {
	{"classes", 72, FDTABLE_72, "classes: {read_mostly: next_fd, written: next, cold: fd}",
	 OUTCOME_HOLDS, .message = "no line holds both what is written and what is read mostly",
	 .margin = "56"},
	{"classes", 72, FDTABLE_72, "classes: {read_mostly: max_fds, written: fd}", OUTCOME_BROKEN,
	 .message = "max_fds (offset 0) shares line 0 with fd (offset 16)",
	 .cause = "next_fd (offset 8, 4 bytes) and a hole of 4 bytes come before fd"},
	{"classes", 200, "a@0:8 b@8:8 c@64:8 d@72:8 e@128:8 f@192:8",
	 "classes: {read_mostly: [a, c, e], written: [b, d, f]}", OUTCOME_BROKEN,
	 .message = "a (offset 0) shares line 0 with b (offset 8)",
	 .cause = "a (offset 0, 8 bytes) ends just before b", .note = "they share line 1, too"},
	{"classes", 72, FDTABLE_72, "classes: {read_mostly: max_fds, written: gone?}",
	 OUTCOME_NOT_APPLICABLE, .message = "too few of its members are there to judge",
	 .note = "gone is left out"},
	{"complete", 24, "a@0:4 b@4:4 c@8:8x2", "complete: [c, a, b]", OUTCOME_HOLDS,
	 .message = "all of the 3 members are listed"},
	{"complete", 24, "a@0:4 b@4:4 c@8:8x2", "complete: [b]", OUTCOME_BROKEN,
	 .message = "2 of 3 members are not listed: a, c"},
	{"complete", 24, "a@0:4 b@4:4 c@8:8x2", "complete: [a, b, d?]", OUTCOME_BROKEN,
	 .message = "1 of 3 members is not listed: c", .note = "d is left out"},
	{"complete", 24, "a@0:4 b@4:4 c@8:8x2", "complete: [\"c[0]\", a, b]", OUTCOME_BROKEN,
	 .message = "1 of 4 members is not listed: c"},
	{"same_offset", 56, FDTABLE_56, "same_offset: [s.fd, pair.y]", OUTCOME_HOLDS,
	 .message = "the other is at offset 8: that of s.fd"},
	{"same_offset", 56, FDTABLE_56, "same_offset: [s.fd, pair.x, pair.y]", OUTCOME_BROKEN,
	 .message = "pair.x is at offset 0, wanted offset 8: that of s.fd"},
	{"same_offset", 56, FDTABLE_56, "same_offset: [pair.y, s.open_fds]\nplus: sizeof(pair)",
	 OUTCOME_HOLDS, .message = "the other is at offset 24: that of pair.y plus sizeof(pair)"},
	{"same_offset", 56, FDTABLE_56, "same_offset: [pair.y, s.open_fds]\nplus: 8",
	 OUTCOME_BROKEN,
	 .message = "s.open_fds is at offset 24, wanted offset 16: that of pair.y "
		    "plus 8"},
	{"same_offset", 56, FDTABLE_56, "same_offset: [s.fd, trio.y]", OUTCOME_MISSING,
	 .message = "trio is not in this image"},
	{"same_offset", 56, FDTABLE_56, "same_offset: [s.fd, pair.z?]", OUTCOME_NOT_APPLICABLE,
	 .message = "too few of its members are there to judge",
	 .note = "pair.z? is left out: it is not there"},
};

const struct kind_cases more_cases[] = {
	{group_cases, ARRAY_SIZE(group_cases)},
	{access_cases, ARRAY_SIZE(access_cases)},
	{slab_cases, ARRAY_SIZE(slab_cases)},
	{NULL, 0},
};
