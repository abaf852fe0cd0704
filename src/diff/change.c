/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/change.h"

#include <stdlib.h>
#include <string.h>

const struct change_row change_rows[CHANGE_KINDS] = {
	[CHANGE_RULE_BROKEN] = {"rule_broken", SEVERITY_ERROR,
				"a rule that held is broken, or misses its member; as severe as "
				"the rule"},
	[CHANGE_NEIGHBOUR] = {"neighbour", SEVERITY_NOTE,
			      "a member shares a line that it did not share before; as severe as "
			      "the rule that keeps the two apart"},
	[CHANGE_SIZE] = {"size", SEVERITY_NOTE,
			 "the size of the type; a warning when it takes more lines, a larger "
			 "bucket, or leaves fewer objects a slab"},
	[CHANGE_CROSSED_LINE] = {"crossed_line", SEVERITY_WARNING,
				 "a member begins on another line; a note when it moved by whole "
				 "lines"},
	[CHANGE_STRADDLES] = {"straddles", SEVERITY_WARNING,
			      "a member lies on more lines than its size needs, and did not"},
	[CHANGE_STARTS_LINE] = {"starts_line", SEVERITY_WARNING,
				"a member no longer starts a line"},
	[CHANGE_GROUP] =
		{"group", SEVERITY_WARNING,
		 "a member left or entered a __cacheline_group; a note when the group is new"},
	[CHANGE_ALIGN] = {"align", SEVERITY_WARNING,
			  "another alignment was asked for, of the type or a member"},
	[CHANGE_HOLE_OPENED] = {"hole_opened", SEVERITY_NOTE, "a hole opened or grew"},
	[CHANGE_HOLE_USED] = {"hole_used", SEVERITY_NOTE, "a hole was used, or shrank"},
	[CHANGE_PADDING] = {"padding", SEVERITY_NOTE, "the bytes behind the last member"},
	[CHANGE_ADDED] = {"added", SEVERITY_NOTE, "a member was added"},
	[CHANGE_REMOVED] = {"removed", SEVERITY_NOTE, "a member was removed"},
	[CHANGE_RENAMED] = {"renamed", SEVERITY_NOTE,
			    "a member has another name, at the same offset, of the same type"},
	[CHANGE_MOVED] = {"moved", SEVERITY_NOTE, "a member moved and stayed on its line"},
	[CHANGE_BITFIELD] = {"bitfield", SEVERITY_NOTE, "a bit-field moved within the same bytes"},
	[CHANGE_TYPE] = {"type", SEVERITY_NOTE,
			 "the type of a member, or its inside, at the same size"},
	[CHANGE_TYPE_SIZE] = {"type_size", SEVERITY_NOTE,
			      "the size of a member: of its enum, union, struct, array, bit-field"},
	[CHANGE_APPEARED] = {"appeared", SEVERITY_NOTE, "the type was not there"},
	[CHANGE_VANISHED] = {"vanished", SEVERITY_NOTE, "the type is not there"},
	[CHANGE_AMBIGUOUS] = {"ambiguous", SEVERITY_WARNING,
			      "the name has several different definitions, and had one"},
	[CHANGE_MARGIN] = {"margin", SEVERITY_NOTE, "a rule still holds, with less to spare"},
	[CHANGE_BESIDE] = {"beside", SEVERITY_WARNING,
			   "a variable came onto the line of one that rules name; a note when it "
			   "left"},
};

bool change_kind_find(const char *name, enum change_kind *ret)
{
	for (size_t i = 0; i < CHANGE_KINDS; i++)
		if (strcmp(change_rows[i].name, name) == 0) {
			*ret = (enum change_kind)i;
			return true;
		}
	return false;
}

bool change_fails(const struct change *change, bool strict)
{
	return !change->waived && (strict || change->severity == SEVERITY_ERROR);
}

void changes_init(struct changes *changes)
{
	*changes = (struct changes){0};
	arena_init(&changes->arena);
}

void changes_release(struct changes *changes)
{
	free(changes->items);
	arena_release(&changes->arena);
	changes_init(changes);
}
