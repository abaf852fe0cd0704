/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/snapshot.h"

#include <string.h>

const char *const snapshot_type_kinds[] = {
	[TYPE_VOID] = "void",
	[TYPE_BASE] = "base",
	[TYPE_ENUM] = "enum",
	[TYPE_POINTER] = "pointer",
	[TYPE_FUNCTION] = "function",
	[TYPE_ARRAY] = "array",
	[TYPE_STRUCT] = "struct",
	[TYPE_UNION] = "union",
	[TYPE_TYPEDEF] = "typedef",
	[TYPE_QUALIFIER] = "qualifier",
	[TYPE_INCOMPLETE] = "incomplete",
	[TYPE_INCOMPLETE + 1] = NULL,
};

const char *const snapshot_def_kinds[] = {
	[DEF_STRUCT] = "struct",
	[DEF_UNION] = "union",
	[DEF_TYPEDEF] = "typedef",
	[DEF_TYPEDEF + 1] = NULL,
};

bool snapshot_detect(const void *data, size_t len)
{
	const char *s = data;

	for (size_t i = 0; i < len; i++)
		if (!s[i] || !strchr(" \t\r\n", s[i]))
			return s[i] == '{';
	return false;
}

struct layout *snapshot_select(const struct layout *whole, const struct want *want)
{
	struct layout *layout = layout_new();

	*layout = *whole;
	arena_init(&layout->arena);
	layout->defs = arena_array(&layout->arena, whole->ndefs, sizeof *layout->defs);
	layout->ndefs = 0;
	for (size_t i = 0; i < whole->ndefs; i++)
		if (want_has(want, whole->defs[i].name))
			layout->defs[layout->ndefs++] = whole->defs[i];
	return layout;
}
