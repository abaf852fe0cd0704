/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the table in kinds.c, each beside its function. */
#ifndef RULE_KINDS_H
#define RULE_KINDS_H

#include "rule/kind.h"

/* kinds_size.c: a type as a whole */
extern const struct kind kind_size, kind_bucket, kind_max_lines, kind_max_hole, kind_max_padding;

/* kinds_variable.c, kinds_neighbour.c: variables, of the names that members have the like of */
extern const struct kind kind_variable_size, kind_variable_starts_line, kind_variable_together,
	kind_variable_apart, kind_variable_alone, kind_within;

/* kinds_slab.c: the objects of a slab */
extern const struct kind kind_objects_per_slab, kind_waste;

/* kinds_group.c: groups that the kernel marks */
extern const struct kind kind_group, kind_max_ungrouped;

/* kinds_same.c: members of several types */
extern const struct kind kind_same_offset;

/* kinds_line.c: members on lines */
extern const struct kind kind_starts_line, kind_together, kind_no_straddle;

/* kinds_apart.c: what may not be on one line */
extern const struct kind kind_apart, kind_classes, kind_alone;

/* kinds_member.c: members by themselves */
extern const struct kind kind_align, kind_offset, kind_order, kind_complete, kind_present,
	kind_absent;

#endif
