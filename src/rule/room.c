/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/room.h"

#include "rule/align.h"
#include "rule/cause.h"

uint64_t free_behind(const struct judge *judge, const struct span *span, uint64_t base)
{
	uint64_t last = (span_end(span) - 1) / 8;

	return judge->granule - 1 - (last % judge->granule + base) % judge->granule;
}

uint64_t hole_before(const struct fields *fields, const struct span *span)
{
	const struct field *before = field_before(fields, span->bit_offset);

	return (span->bit_offset - (before ? span_end(&before->span) : 0)) / 8;
}

uint64_t room_before(const struct judge *judge, const struct fields *fields,
		     const struct span *span, uint64_t most)
{
	return hole_before(fields, span) + most - most % align_step(span, judge->layout);
}

bool is_pinned(const struct judge *judge, const struct span *span)
{
	return align_of_span(span, judge->def, judge->layout).least % judge->granule == 0;
}

void least_add(struct least *least, uint64_t value)
{
	if (!least->any || value < least->value)
		least->value = value;
	least->any = true;
}

void least_margin(struct judge *judge, const struct least *least)
{
	if (least->any)
		judge_margin(judge, least->value);
}
