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

const struct kind_cases more_cases[] = {
	{slab_cases, ARRAY_SIZE(slab_cases)},
	{NULL, 0},
};
