/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a Linux kernel does to its own code when it starts and while it runs, as far as its image
 * says: other instructions for processors that have better ones, calls that are none on real
 * hardware, jumps that are switched on and off, the ways out of accesses that fault.
 *
 * Sources: arch/x86/include/asm/alternative.h and paravirt_types.h, include/linux/jump_label.h,
 * arch/x86/include/asm/extable.h of Linux 4.19 to 7.0. Only x86-64 so far; what has another form
 * than these is left out.
 */
#ifndef ELF_PATCH_H
#define ELF_PATCH_H

#include "base/err.h"
#include "elf/image.h"

/* Code that may be replaced: .altinstructions. Several of one address are tried in their order. */
struct patch {
	uint64_t address, replacement;
	uint32_t order;
	uint8_t size, replacement_size;
};

/* A way that the instructions do not show. */
struct patch_edge {
	uint64_t from, to;
};

/* Calls through a table of functions, which the kernel turns into something else. */
struct patch_site {
	uint64_t address;
	uint8_t size;
};

/* All by address. */
struct patches {
	struct patch *items;
	size_t n, cap;
	struct patch_edge *edges;
	size_t nedges, cap_edges;
	struct patch_site *sites; /* .parainstructions */
	size_t nsites, cap_sites;
};

MUST_CHECK bool patches_read(struct image *image, struct err *err, struct patches *ret);
void patches_release(struct patches *patches);

#endif
