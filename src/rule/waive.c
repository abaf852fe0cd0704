/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/waive.h"

#include "base/date.h"

enum { UNTIL, WHY, OWNER };

void waive_slots(struct slot slots[WAIVE_SLOTS])
{
	slots[UNTIL] = (struct slot){.name = "until"};
	slots[WHY] = (struct slot){.name = "why", .required = true};
	slots[OWNER] = (struct slot){.name = "owner"};
}

static bool parse_until(struct reader *reader, const struct node *node, struct waiver *ret)
{
	if (!read_kind(reader, node, "until", NODE_SCALAR))
		return false;
	if (!date_is_valid(node->text)) {
		oops(reader, node, "`until` must be a day, as 2026-12-31, not `%.60s`", node->text);
		return false;
	}
	ret->until = arena_strdup(reader->arena, node->text);
	return true;
}

bool waive_parse(struct reader *reader, const struct node *map,
		 const struct slot slots[WAIVE_SLOTS], struct waiver *ret)
{
	bool ok = true;

	ret->pos = (struct pos){reader->source.file, map->line, map->col};
	if (slots[UNTIL].value)
		ok = parse_until(reader, slots[UNTIL].value, ret);
	if (slots[WHY].value)
		ok = read_text(reader, slots[WHY].value, "why", &ret->why) && ok;
	if (slots[OWNER].value)
		ok = read_text(reader, slots[OWNER].value, "owner", &ret->owner) && ok;
	return ok;
}
