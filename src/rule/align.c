/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/align.h"

#include <string.h>

/*
 * Where scalars of 8 and of 16 bytes are aligned to less than their size, or to what this table
 * cannot tell. The psABI supplements of the machines; s390x: 16-byte scalars to 8.
 */
static const struct {
	const char *arch;
	struct align_range of4, of8, of16;
} abis[] = {
	{"x86_64", {4, 4}, {8, 8}, {16, 16}},      {"i386", {4, 4}, {4, 4}, {4, 16}},
	{"aarch64", {4, 4}, {8, 8}, {16, 16}},     {"arm", {4, 4}, {8, 8}, {8, 8}},
	{"riscv64", {4, 4}, {8, 8}, {16, 16}},     {"ppc64", {4, 4}, {8, 8}, {16, 16}},
	{"ppc64le", {4, 4}, {8, 8}, {16, 16}},     {"s390x", {4, 4}, {8, 8}, {8, 8}},
	{"mips64", {4, 4}, {8, 8}, {16, 16}},      {"sparc64", {4, 4}, {8, 8}, {16, 16}},
	{"loongarch64", {4, 4}, {8, 8}, {16, 16}}, {"m68k", {2, 2}, {2, 2}, {2, 2}},
};

enum {
	DEEPEST = 64,         /* levels of types in types; a circle is a broken image */
	MOST_TYPES = 1 << 20, /* looked at for one answer */
};

struct walk {
	const struct target *target;
	unsigned budget;
	bool gave_up;
};

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t align_lowbit(uint64_t value)
{
	return value ? value & -value : (uint64_t)1 << 63;
}

static struct align_range exactly(uint64_t align)
{
	align = max_u64(align, 1);
	return (struct align_range){align, align};
}

static struct align_range align_of_scalar(uint64_t bytes, const struct target *target)
{
	if (bytes <= 2)
		return exactly(bytes);
	for (size_t i = 0; target->arch && i < ARRAY_SIZE(abis); i++) {
		if (strcmp(abis[i].arch, target->arch) != 0)
			continue;
		if (bytes == 4)
			return abis[i].of4;
		if (bytes == 8)
			return abis[i].of8;
		if (bytes == 16)
			return abis[i].of16;
	}
	/* A machine that the table does not have, or an odd size: long double of 12 bytes. */
	if (bytes & (bytes - 1) || bytes > 16)
		return (struct align_range){1, align_lowbit(bytes)};
	if (!target->arch)
		return (struct align_range){2, bytes};
	return (struct align_range){min_u64(bytes, 4), bytes};
}

static struct align_range align_of_type(struct walk *walk, const struct type *type, unsigned depth);

static struct align_range align_of_member(struct walk *walk, const struct member *member,
					  unsigned depth)
{
	struct align_range range = align_of_type(walk, member->type, depth);

	if (member->is_bitfield) /* of no width, or in no unit of its type, it asks for nothing */
		range.least = 1;
	/* An attribute wins over a lower alignment, and over a higher one in a packed struct. */
	if (member->has_align) {
		range.least = max_u64(member->align, 1);
		range.most = max_u64(range.least, range.most);
		if ((member->bit_offset / 8) % range.most)
			range.most = range.least;
	}
	return range;
}

static struct align_range align_of_members(struct walk *walk, const struct type *type,
					   unsigned depth)
{
	uint64_t explicit = type->has_align ? max_u64(type->align, 1) : 1;
	uint64_t bytes = type->bits / 8;
	struct align_range range = {explicit, explicit};
	bool packed = false;

	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];
		struct align_range one;

		if (member->is_dynamic)
			continue;
		one = align_of_member(walk, member, depth);
		packed |= !member->is_bitfield && (member->bit_offset / 8) % one.least;
		range.least = max_u64(range.least, one.least);
		range.most = max_u64(range.most, one.most);
	}
	packed |= bytes % range.least != 0;
	if (packed)
		range.least = explicit;
	if (bytes)
		range.most = min_u64(range.most, align_lowbit(bytes));
	range.most = max_u64(range.most, range.least);
	return range;
}

static struct align_range align_of_type(struct walk *walk, const struct type *type, unsigned depth)
{
	if (!type)
		return exactly(1);
	if (depth > DEEPEST || !walk->budget) {
		walk->gave_up = true;
		return exactly(1);
	}
	walk->budget--;
	switch (type->kind) {
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_POINTER:
		if (type->has_align)
			return exactly(type->align);
		return align_of_scalar(type->bits / 8, walk->target);
	case TYPE_TYPEDEF:
	case TYPE_QUALIFIER:
	case TYPE_ARRAY:
		if (type->has_align)
			return exactly(type->align);
		return align_of_type(walk, type->target, depth + 1);
	case TYPE_STRUCT:
	case TYPE_UNION:
		return align_of_members(walk, type, depth + 1);
	case TYPE_VOID:
	case TYPE_FUNCTION:
	case TYPE_INCOMPLETE:
		break;
	}
	return exactly(1);
}

/* Alignments are attributes of foreign types: nothing but a power of two may come out of here. */
static struct align_range sane(const struct walk *walk, struct align_range range, uint64_t allowed)
{
	if (walk->gave_up || range.least & (range.least - 1) || range.most & (range.most - 1) ||
	    range.least > range.most)
		return (struct align_range){1, allowed};
	return range;
}

struct align_range align_of_def(const struct def *def, const struct layout *layout)
{
	struct walk walk = {&layout->target, MOST_TYPES, false};
	uint64_t allowed = align_lowbit(def->type->bits / 8);

	if (!layout->knows_align)
		return (struct align_range){1, allowed};
	return sane(&walk, align_of_type(&walk, def->type, 0), allowed);
}

struct align_range align_of_span(const struct span *span, const struct def *def,
				 const struct layout *layout)
{
	struct walk walk = {&layout->target, MOST_TYPES, false};
	uint64_t offset = span->bit_offset / 8;
	uint64_t allowed = align_lowbit(offset | def->type->bits / 8);
	struct align_range range;

	if (!layout->knows_align)
		return (struct align_range){1, allowed};
	/* With [i] it is the element that was asked for, not the member. */
	if (span->type == span->member->type)
		range = align_of_member(&walk, span->member, 0);
	else
		range = align_of_type(&walk, span->type, 0);
	range = sane(&walk, range, allowed);
	if (offset % range.least) /* packed */
		return (struct align_range){1, allowed};
	if (range.least < range.most)
		range.most = max_u64(range.least, min_u64(range.most, allowed));
	return range;
}

uint64_t align_step(const struct span *span, const struct layout *layout)
{
	struct walk walk = {&layout->target, MOST_TYPES, false};
	struct align_range range = align_of_member(&walk, span->member, 0);
	uint64_t at = align_lowbit(span->bit_offset / 8);

	range = sane(&walk, range, 1);
	return min_u64(range.most, at);
}
