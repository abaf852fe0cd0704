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

/* The first shift at which the rule breaks for an object at @base. */
static bool first_break(const struct judge *judge, const struct span *span, uint64_t base,
			uint64_t most, room_keeps *keeps, void *context, uint64_t *ret)
{
	enum { MOST_TRIES = 1 << 14 }; /* members that are megabytes apart have no small margin */
	uint64_t step = align_step(span, judge->layout);

	for (uint64_t i = 1; i <= most / step && i < MOST_TRIES; i++) {
		struct span moved = *span;

		moved.bit_offset += i * step * 8;
		if (keeps(judge, &moved, base, context))
			continue;
		*ret = i * step;
		return true;
	}
	return false;
}

bool room_until(const struct judge *judge, const struct fields *fields, const struct span *span,
		const struct bases *bases, uint64_t most, room_keeps *keeps, void *context,
		uint64_t *ret)
{
	struct least least = {0};

	for (uint64_t i = 0; i < bases->n; i++) {
		uint64_t shift;

		if (first_break(judge, span, i * bases->step, most, keeps, context, &shift))
			least_add(&least, shift);
	}
	if (least.any)
		*ret = hole_before(fields, span) + least.value - align_step(span, judge->layout);
	return least.any;
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
