/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which store each HITM met, where a recording says it. In a table they are in the order of the
 * readers' addresses, so that a line's are together.
 */
#ifndef C2C_FOUGHT_H
#define C2C_FOUGHT_H

#include "layout/access.h"

struct c2c_foughts {
	struct access_pair *items; /* malloc'd */
	size_t n, cap;
};

void foughts_add(struct c2c_foughts *foughts, const struct access_pair *fought);
void foughts_sort(struct c2c_foughts *foughts);
void foughts_release(struct c2c_foughts *foughts);

/* Of a sorted one: those whose reader is in the @size bytes from @address. */
const struct access_pair *foughts_on(const struct c2c_foughts *foughts, uint64_t address,
				     uint64_t size, size_t *ret_n);

#endif
