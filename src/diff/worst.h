/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the worst that a diff of whole images ends with. */
#ifndef DIFF_WORST_H
#define DIFF_WORST_H

#include "diff/compare.h"

struct worst;

struct worst *worst_new(void);
void worst_free(struct worst *worst); /* NULL is fine */

/* The pair that has been compared: how much it grew. */
void worst_add_pair(struct worst *worst, const struct comparison *c);

/* A member straddles lines now; it counts when it is a lock. */
void worst_add_straddle(struct worst *worst, const struct comparison *c, const struct field *field);

/* Fills in changes->worst; tables without rows are left out. */
void worst_finish(struct worst *worst, const struct comparison *c);

#endif
