/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds there are, in the order of the manual. To add one: see kind.h. */
#include "rule/kinds.h"

#include <string.h>

const struct kind *const kinds[] = {
	&kind_size,
	&kind_bucket,
	&kind_waste,
	&kind_objects_per_slab,
	&kind_align,
	&kind_offset,
	&kind_starts_line,
	&kind_together,
	&kind_apart,
	&kind_classes,
	&kind_alone,
	&kind_no_straddle,
	&kind_max_lines,
	&kind_max_hole,
	&kind_max_padding,
	&kind_order,
	&kind_complete,
	&kind_same_offset,
	&kind_group,
	&kind_max_ungrouped,
	&kind_present,
	&kind_absent,
	NULL,
};

const struct kind *const variable_kinds[] = {
	&kind_variable_size,
	&kind_variable_starts_line,
	&kind_variable_together,
	&kind_variable_apart,
	&kind_variable_alone,
	&kind_within,
	NULL,
};

const struct kind *kind_find(const struct kind *const *table, const char *name)
{
	for (const struct kind *const *kind = table; *kind; kind++)
		if (strcmp((*kind)->name, name) == 0)
			return *kind;
	return NULL;
}
