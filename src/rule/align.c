/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/align.h"

#include <string.h>

#include "base/math.h"

/*
 * The machines whose ABI is known here: scalars of up to 4 bytes are aligned to their size, those
 * of 8 and 16 as the table says, and the declared type of a bit-field counts as any member's. From
 * the psABI supplements.
 */
struct abi {
	const char *arch;
	struct align_range of8, of16;
};

static const struct abi abis[] = {
	{"x86_64", {8, 8}, {16, 16}},      {"i386", {4, 4}, {4, 16}},
	{"aarch64", {8, 8}, {16, 16}},     {"arm", {8, 8}, {8, 8}},
	{"riscv64", {8, 8}, {16, 16}},     {"ppc64", {8, 8}, {16, 16}},
	{"ppc64le", {8, 8}, {16, 16}},     {"s390x", {8, 8}, {8, 8}},
	{"mips64", {8, 8}, {16, 16}},      {"sparc64", {8, 8}, {16, 16}},
	{"loongarch64", {8, 8}, {16, 16}},
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

uint64_t align_lowbit(uint64_t value)
{
	return value ? value & -value : (uint64_t)1 << 63;
}

/* What an attribute says, kept to what arithmetic can bear. */
static uint64_t explicit_align(uint64_t align)
{
	enum { LARGEST = 1 << 28 }; /* what compilers and linkers take */

	return min_u64(max_u64(align, 1), LARGEST);
}

static struct align_range exactly(uint64_t align)
{
	align = explicit_align(align);
	return (struct align_range){align, align};
}

static const struct abi *find_abi(const struct target *target)
{
	for (size_t i = 0; target->arch && i < ARRAY_SIZE(abis); i++)
		if (strcmp(abis[i].arch, target->arch) == 0)
			return &abis[i];
	return NULL;
}

static struct align_range align_of_scalar(uint64_t bytes, const struct target *target)
{
	const struct abi *abi = find_abi(target);

	if (bytes <= 2 || (bytes == 4 && abi))
		return exactly(bytes);
	if (bytes == 8 && abi)
		return abi->of8;
	if (bytes == 16 && abi)
		return abi->of16;
	/* long double of 12 bytes, or a machine that aligns everything to 2, as m68k. */
	return (struct align_range){bytes % 2 ? 1 : 2, align_lowbit(bytes)};
}

static struct align_range align_of_type(struct walk *walk, const struct type *type, unsigned depth);

static struct align_range align_of_member(struct walk *walk, const struct member *member,
					  unsigned depth)
{
	struct align_range range = align_of_type(walk, member->type, depth);

	if (member->is_bitfield && !find_abi(walk->target))
		range.least = 1;
	/* An attribute wins over a lower alignment, and over a higher one in a packed struct. */
	if (member->has_align) {
		range.least = explicit_align(member->align);
		range.most = max_u64(range.least, range.most);
		if ((member->bit_offset / 8) % range.most)
			range.most = range.least;
	}
	return range;
}

/*
 * Do the offsets and the size fit the alignments? They do not in a packed struct, which is tighter,
 * nor where something is stricter than it is known to be (a vector, an _Atomic long long of i386),
 * which leaves larger holes.
 */
struct fit {
	uint64_t end; /* of the members so far, in bits */
	bool tighter, looser;
	bool shuffled; /* members are not in order of offset: holes cannot be told one by one */
};

static void fit_member(struct fit *fit, const struct member *member, struct align_range range)
{
	uint64_t unit = range.least * 8, start = member->bit_offset, end = start + member->bit_size;

	if (member->is_bitfield)
		fit->tighter |= end > start && start / unit != (end - 1) / unit;
	else
		fit->tighter |= start % unit != 0;
	fit->looser |= start > fit->end && start - fit->end >= range.most * 8;
	fit->shuffled |= start < fit->end;
	fit->end = max_u64(fit->end, end);
}

static void fit_size(struct fit *fit, uint64_t bits, struct align_range range)
{
	fit->tighter |= bits % (range.least * 8) != 0;
	fit->looser |= bits > fit->end && bits - fit->end >= range.most * 8;
}

static struct align_range align_of_members(struct walk *walk, const struct type *type,
					   unsigned depth)
{
	uint64_t explicit = type->has_align ? explicit_align(type->align) : 1;
	uint64_t allowed = type->bits / 8 ? align_lowbit(type->bits / 8) : explicit;
	struct align_range range = {explicit, explicit};
	struct fit fit = {0};

	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];
		struct align_range one;

		if (member->is_dynamic)
			continue;
		one = align_of_member(walk, member, depth);
		fit_member(&fit, member, one);
		range.least = max_u64(range.least, one.least);
		range.most = max_u64(range.most, one.most);
	}
	fit_size(&fit, type->bits, range);
	if (fit.tighter)
		range.least = explicit;
	if (fit.looser && !fit.shuffled)
		range.most = allowed;
	range.most = max_u64(range.least, min_u64(range.most, allowed));
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
