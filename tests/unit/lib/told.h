/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a diff of made layouts tells. */
#ifndef UNIT_LIB_TOLD_H
#define UNIT_LIB_TOLD_H

#include "diff/diff.h"
#include "lib/model.h"

/* Two layouts of a kernel 6.12 for x86_64, empty; and what is told of them. */
struct sides {
	struct layout *before, *after;
	struct diff_options options;
	struct changes changes;
	struct arena arena;
};

void sides_init(struct sides *sides);
void sides_release(struct sides *sides);

/* One definition on each side; NULL members: not on that side. */
void sides_define(struct sides *sides, const char *name, uint64_t old_size, const char *old,
		  uint64_t new_size, const char *new);

/*
 * Compares them, and holds what is told against @expected, a line each, without the last newline:
 * "warning s: message [kind]". @but, when it is not NULL, leaves out kinds: "added size".
 */
void expect_told(struct sides *sides, const char *but, const char *expected);

/* The only change of that kind, after expect_told(). */
const struct change *only_change(const struct sides *sides, enum change_kind kind);

#endif
