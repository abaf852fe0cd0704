/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kind about members of several types: same_offset. It has no margin: what is added before the
 * one member may well be added before the other.
 */
#include <inttypes.h>
#include <string.h>

#include "rule/judge.h"
#include "rule/kinds.h"
#include "rule/member.h"

/* ---- other types ----------------------------------------------------------------------------- */

enum state { TOLD, LEFT_OUT, SAID }; /* SAID: the verdict is given */

/* The definitions that a name means beside the one that is judged. */
static struct def_list defs_of(const struct judge *judge, struct type_ref type)
{
	struct def_list list = layout_find(judge->layout, type, judge->arena);

	if (strcmp(type.name, judge->block->type.name) == 0) {
		const struct def **one = arena_alloc(judge->arena, sizeof *one);

		*one = judge->def;
		return (struct def_list){one, 1};
	}
	return list;
}

static enum state type_missing(struct judge *judge, struct type_ref type, bool optional)
{
	if (optional)
		return LEFT_OUT;
	if (!layout_tells_of(judge->layout, type.name))
		judge_unknown(judge, "the snapshot was taken without %s", type.name);
	else
		judge_missing(judge, "%s is not in this image", type.name);
	return SAID;
}

static enum state find_offset(struct judge *judge, const struct typed_ref *place, uint64_t *ret)
{
	bool optional = judge->rule->optional || place->ref.optional;
	struct def_list defs = defs_of(judge, place->type);

	if (!defs.n)
		return type_missing(judge, place->type, optional);
	for (size_t i = 0; i < defs.n; i++) {
		struct found found;

		member_find(&place->ref, defs.defs[i], NULL, judge->arena, &found);
		if (found.result == PATH_ABSENT && optional)
			return LEFT_OUT;
		if (found.result == PATH_ABSENT) {
			judge_missing(judge, "%s", found.why);
			return SAID;
		}
		if (found.result != PATH_FOUND) {
			judge_unknown(judge, "%s", found.why);
			return SAID;
		}
		if (i && found.parts->span.bit_offset != *ret) {
			judge_unknown(judge, "the definitions of %s disagree on %s",
				      place->type.name, place->text);
			return SAID;
		}
		*ret = found.parts->span.bit_offset;
	}
	return TOLD;
}

static enum state find_distance(struct judge *judge, uint64_t *ret)
{
	const struct distance *plus = &judge->rule->plus;
	struct def_list defs;

	*ret = plus->text ? plus->factor : 0;
	if (plus->has_type) {
		defs = defs_of(judge, plus->type);
		if (!defs.n)
			return type_missing(judge, plus->type, judge->rule->optional);
		for (size_t i = 0; i < defs.n; i++)
			if (!defs.defs[i]->type->has_size ||
			    defs.defs[i]->type->bits != defs.defs[0]->type->bits) {
				judge_unknown(judge, "the size of %s is not one number",
					      plus->type.name);
				return SAID;
			}
		if (__builtin_mul_overflow(*ret, defs.defs[0]->type->bits / 8, ret))
			*ret = UINT64_MAX / 8;
	}
	if (__builtin_mul_overflow(*ret, 8, ret))
		*ret = UINT64_MAX;
	return TOLD;
}

/* ---- same_offset ----------------------------------------------------------------------------- */

/* "offset 8", "offset 8 bit 3". */
static const char *offset_text(const struct judge *judge, uint64_t bits)
{
	return bits % 8 ? arena_printf(judge->arena, "offset %" PRIu64 " bit %" PRIu64, bits / 8,
				       bits % 8)
			: arena_printf(judge->arena, "offset %" PRIu64, bits / 8);
}

static void judge_other(struct judge *judge, const struct typed_ref *first, uint64_t first_at,
			const struct typed_ref *other, uint64_t at, uint64_t distance)
{
	const char *plus = judge->rule->plus.text;

	judge->verdict.measured = arena_printf(judge->arena, "%" PRIu64, at / 8);
	judge->verdict.wanted = arena_printf(judge->arena, "%" PRIu64, (first_at + distance) / 8);
	judge_broken(judge, "%s is at %s, wanted %s: that of %s%s%s", other->text,
		     offset_text(judge, at), offset_text(judge, first_at + distance), first->text,
		     plus ? " plus " : "", plus ? plus : "");
}

static void judge_same_offset(struct judge *judge)
{
	const struct rule *rule = judge->rule;
	const struct typed_ref *first = NULL;
	uint64_t first_at = 0, distance;
	size_t told = 0;
	enum state state = find_distance(judge, &distance);

	for (size_t i = 0; i < rule->nplaces && state != SAID; i++) {
		const struct typed_ref *place = &rule->places[i];
		uint64_t at;

		state = find_offset(judge, place, &at);
		if (state == LEFT_OUT)
			judge_note(judge, "%s is left out: it is not there", place->text);
		if (state != TOLD)
			continue;
		if (!told++) {
			first = place;
			first_at = at;
			continue;
		}
		if (at - first_at != distance) {
			judge_other(judge, first, first_at, place, at, distance);
			return;
		}
	}
	if (state == SAID)
		return;
	if (told < 2)
		judge_not_applicable(judge, "too few of its members are there to judge");
	else
		judge_holds(judge, "the other%s at %s: that of %s%s%s", told == 2 ? " is" : "s are",
			    offset_text(judge, first_at + distance), first->text,
			    rule->plus.text ? " plus " : "",
			    rule->plus.text ? rule->plus.text : "");
}

static const struct kind_param same_offset_params[] = {
	{.name = "plus",
	 .type = PARAM_DISTANCE,
	 .help = "how far behind the first the others are: 64, 2 * sizeof(T)"},
	{.name = NULL},
};

const struct kind kind_same_offset = {
	.name = "same_offset",
	.arg = ARG_PLACES,
	.params = same_offset_params,
	.judge = judge_same_offset,
	.help = "members of several types have one offset",
};
