/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code addresses -> what the instructions there access: the compile unit at the address, the scopes
 * (inlined ones too), the variable that lives in the register of the memory operand, the type that
 * it points to. Where no variable is in the register, it is followed backwards over the control
 * flow (insn/) to an instruction where DWARF knows more.
 *
 *	unitmap			address -> compile unit
 *	code, scope		the DIEs that speak of code, and their lists -> one function
 *	ctype			types behind pointers
 *	known, track, pointee	a register -> what it may point to
 *	claimer			one compile unit's addresses, in one thread
 *
 * All of it is our own reader's: thousands of addresses in hundreds of units are asked about at a
 * time, of a vmlinux, and the answer is waited for. Tests hold its lists and names against what
 * LLVM's reader makes of them. Only the units that the addresses are in are read.
 *
 * Sources: DWARF 5 chapters 2.5, 2.6, 3.3 (location expressions and lists, scopes, inlined
 * subroutines), the x86-64 psABI for register numbers.
 */
#ifndef DWARF_CLAIMS_H
#define DWARF_CLAIMS_H

#include "base/mem.h"
#include "elf/image.h"
#include "layout/claim.h"

struct claims {
	struct arena arena;
	struct claim_run *runs; /* one for each pc asked about, in the order given */
	size_t nruns;
	struct claim *claims;
	size_t nclaims, cap_claims;
};

void claims_init(struct claims *claims);
void claims_release(struct claims *claims);

/*
 * @pcs: addresses of the image, sorted, each once. What cannot be told is told so in the run; an
 * error is damaged debug info. An object file has no addresses yet, so nothing is told of one.
 * @threads: 0, one a processor; the answer does not depend on it.
 */
MUST_CHECK bool claims_find(struct image *image, const uint64_t *pcs, size_t n, unsigned threads,
			    struct err *err, struct claims *ret);

#endif
