/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies at a byte of a type: the member, by path, and the structs that embed it. Bytes. */
#ifndef C2C_PLACE_H
#define C2C_PLACE_H

#include "base/mem.h"
#include "layout/claim.h"
#include "layout/model.h"

struct place {
	const char *path; /* "fd_array[3]", "mmap_lock.count" */
	uint64_t offset;  /* of the member from the start of the type */
	uint64_t size;    /* 0: to infinity, or not known */
};

/*
 * The member that an access of @size bytes (0: not known) at @offset means. It goes no deeper than
 * to what people name: a word that is a lock, a counter or a union of views of itself is one
 * member, whatever half of it an instruction takes. False: a hole, padding, or outside.
 */
bool place_at(const struct type *type, uint64_t offset, uint32_t size, struct arena *arena,
	      struct place *ret);

/*
 * Could the claim, made of the byte at @offset of @type, be right? 0: no. Else how much it agrees:
 * 2 when the claimed type is @type or lies embedded where the claim needs it, 1 when it claims a
 * scalar alone and there is such a one.
 */
unsigned place_agrees(const struct def *def, uint64_t offset, const struct claim *claim);

/* Whether the claim's type goes by that of the definition. */
bool claim_is_of(const struct claim *claim, const struct def *def);

#endif
