/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/randomized.h"

const char randomized_telltale[] = "task_struct";

const char randomized_warning[] = "its layouts are randomised (CONFIG_RANDSTRUCT): in structs that "
				  "are marked so, offsets are those of this build alone";

/*
 * Most of task_struct stands in an anonymous struct, which is not there without the option
 * (randomized_struct_fields_start of linux/compiler_types.h).
 */
static bool has_shape(const struct layout *layout, struct arena *arena)
{
	struct type_ref ref = {.kind = DEF_STRUCT, .name = randomized_telltale};
	struct def_list found = layout_find(layout, ref, arena);
	const struct type *type = found.n ? found.defs[0]->type : NULL;

	for (size_t i = 0; type && i < type->nmembers; i++) {
		const struct member *member = &type->members[i];

		if (!member->name && type_strip(member->type)->kind == TYPE_STRUCT &&
		    member->bit_size > type->bits / 2)
			return true;
	}
	return false;
}

bool layout_is_randomized(const struct layout *layout, struct arena *arena)
{
	return layout->target.randomized == RANDOMIZED_YES || has_shape(layout, arena);
}
