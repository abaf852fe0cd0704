/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a rule broke, told from the layout alone: which member stands at the place in question, and
 * which one ends just before it. Clauses for a finding's `cause`, in the judge's arena; NULL when
 * there is nothing to tell.
 */
#ifndef RULE_CAUSE_H
#define RULE_CAUSE_H

#include "base/buf.h"
#include "rule/judge.h"
#include "rule/member.h"

/* "failcnt (offset 128)", "local_watermark (offset 120, 8 bytes)", "flag (offset 8, 3 bits)". */
const char *span_at(const struct span *span, struct arena *arena);
const char *span_full(const struct span *span, struct arena *arena);

/* ": a, b and 7 more": the first @most names of what is counted. */
struct name_list {
	size_t most;
	uint64_t n;
	struct buf text;
};
void name_list_add(struct name_list *list, const char *name);
const char *name_list_finish(struct name_list *list, struct arena *arena); /* releases it */

/* The field that ends last at or before @bit_offset, or NULL. */
const struct field *field_before(const struct fields *fields, uint64_t bit_offset);

/*
 * What opened a line (of the granule, counted from base 0): "failcnt (offset 128) opened line 2;
 * local_watermark (offset 120, 8 bytes) filled line 1 before it".
 */
const char *cause_opened(const struct judge *judge, const struct fields *fields, uint64_t line);

/* What stands before a member: "count (offset 0, 4 bytes) ends just before next_fd". */
const char *cause_before(const struct judge *judge, const struct fields *fields,
			 const struct span *span);

/* What makes the type larger than @limit bytes: the emptiest line's first member where a line is to
 * be saved, else the first member that reaches past the limit. */
const char *cause_too_large(const struct judge *judge, uint64_t limit);

/* How the type ends: its last member and the padding. */
const char *cause_tail(const struct judge *judge);

#endif
