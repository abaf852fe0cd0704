/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code addresses -> what the instructions there access: the compile unit at the address, the scopes
 * (inlined ones too), the variable that lives in the register of the memory operand, the type that
 * it points to. Where no variable is in the register, it is followed backwards over the control
 * flow (insn/) to an instruction where DWARF knows more.
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
 * error is damaged debug info. @threads: 0, one a processor.
 */
MUST_CHECK bool claims_find(struct image *image, const uint64_t *pcs, size_t n, unsigned threads,
			    struct err *err, struct claims *ret);

#endif
