/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of a function as a running kernel has it. Which of the alternatives for an instruction
 * is in place depends on the processor; the addresses that were seen to access memory tell:
 *
 *	- one that is the start of an access in only one of two is in that one;
 *	- calls through pv_ops are replaced, as they are on real hardware.
 */
#ifndef DWARF_PATCHED_H
#define DWARF_PATCHED_H

#include "elf/patch.h"
#include "insn/insn.h"
#include "layout/claim.h"

struct patcher {
	const struct patches *patches;
	struct insn_decoder *decoder;
	/* Contents of [address, address + len) of the image; false: not there. */
	bool (*read)(void *arg, uint64_t address, void *data, size_t len);
	void *arg;
	struct insn_code before, after;
};

void patcher_release(struct patcher *patcher);

/* Replaces in @bytes, @len of them from @address. @runs: addresses asked about, ascending. */
void patch_bytes(struct patcher *patcher, uint64_t address, uint8_t *bytes, size_t len,
		 struct claim_run *const *runs, size_t n);

/* The call at @pc is one that the kernel turns into something else when it starts. */
bool patch_replaces_call(const struct patches *patches, uint64_t pc);

/* The ways in [low, high) that instructions do not show: *ret_n of them. */
const struct patch_edge *patch_edges_in(const struct patches *patches, uint64_t low, uint64_t high,
					size_t *ret_n);

#endif
