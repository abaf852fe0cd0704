/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds there are, in the order of the manual. To add one: see kind.h. */
#include "rule/kind.h"

#include <string.h>

/* Rows move beside their functions as those are written. */
static const struct kind_param together_params[] = {
	{.name = "lines", .fallback = 1, .least = 1, .help = "lines that the members may touch"},
	{.name = NULL},
};
static const struct kind kind_size = {
	.name = "size", .arg = ARG_EXPRS, .help = "the type's size satisfies the expression"};
static const struct kind_param bucket_params[] = {
	{.name = "buckets",
	 .least = 1,
	 .is_list = true,
	 .help = "the bucket sizes of kmalloc(), for an image that does not tell its kernel"},
	{.name = NULL},
};
static const struct kind kind_bucket = {.name = "bucket",
					.arg = ARG_NUMBER,
					.params = bucket_params,
					.help = "kmalloc() of the type lands in this bucket"};
static const struct kind kind_align = {
	.name = "align",
	.arg = ARG_EXPRS_OR_MEMBERS,
	.help = "the alignment of the type, or of members, satisfies the expression"};
static const struct kind kind_offset = {.name = "offset",
					.arg = ARG_MEMBER_EXPRS,
					.help = "the offsets of members satisfy their expressions"};
static const struct kind kind_starts_line = {
	.name = "starts_line",
	.arg = ARG_ITEM,
	.uses_line = true,
	.uses_granule = true,
	.help = "the member, or a group's first byte, begins a line"};
static const struct kind kind_together = {.name = "together",
					  .arg = ARG_ITEM,
					  .fewest = 2,
					  .uses_line = true,
					  .uses_granule = true,
					  .params = together_params,
					  .help = "the members touch at most N lines"};
static const struct kind kind_apart = {.name = "apart",
				       .arg = ARG_ITEMS,
				       .uses_line = true,
				       .uses_granule = true,
				       .help = "no line holds something of two items"};
static const struct kind kind_alone = {.name = "alone",
				       .arg = ARG_ITEM,
				       .uses_line = true,
				       .uses_granule = true,
				       .help = "nothing else is on the member's lines"};
static const struct kind kind_no_straddle = {
	.name = "no_straddle",
	.arg = ARG_ITEM,
	.each = true,
	.uses_line = true,
	.uses_granule = true,
	.help = "the member touches no more lines than its size needs"};
static const struct kind kind_max_lines = {.name = "max_lines",
					   .arg = ARG_NUMBER,
					   .uses_line = true,
					   .help = "the type covers at most N lines"};
static const struct kind kind_max_hole = {.name = "max_hole",
					  .arg = ARG_NUMBER,
					  .help = "the type's largest hole is at most N bytes"};
static const struct kind kind_max_padding = {
	.name = "max_padding", .arg = ARG_NUMBER, .help = "at most N bytes follow the last member"};
static const struct kind kind_order = {.name = "order",
				       .arg = ARG_ITEM,
				       .fewest = 2,
				       .help = "offsets strictly increase in this order"};
static const struct kind kind_present = {
	.name = "present", .arg = ARG_ITEM, .each = true, .help = "the member exists"};
static const struct kind kind_absent = {
	.name = "absent", .arg = ARG_ITEM, .each = true, .help = "the member does not exist"};

const struct kind *const kinds[] = {
	&kind_size,        &kind_bucket,    &kind_align,    &kind_offset,
	&kind_starts_line, &kind_together,  &kind_apart,    &kind_alone,
	&kind_no_straddle, &kind_max_lines, &kind_max_hole, &kind_max_padding,
	&kind_order,       &kind_present,   &kind_absent,   NULL,
};

const struct kind *kind_find(const char *name)
{
	for (const struct kind *const *kind = kinds; *kind; kind++)
		if (strcmp((*kind)->name, name) == 0)
			return *kind;
	return NULL;
}
