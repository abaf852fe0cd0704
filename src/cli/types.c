/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/types.h"

#include <string.h>

#include "base/mem.h"

const struct want want_all = {.all = true};

void types_add(struct strings *types, const char *words, struct arena *arena)
{
	while (*words) {
		size_t len = 0;
		char *name;
		bool known = false;

		for (int depth = 0; words[len] && (words[len] != ',' || depth > 0); len++)
			depth += (words[len] == '<') - (words[len] == '>');
		name = arena_strndup(arena, words, len);
		for (size_t i = 0; i < types->n; i++)
			known = known || strcmp(types->items[i], name) == 0;
		if (len && !known)
			strings_add(types, name);
		words += len + (words[len] == ',');
	}
}

/* Only now are all names looked at. */
void types_say_missing(struct source *source, const char *name)
{
	struct strings names = {0};
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;
	struct layout *layout;
	struct arena arena;

	arena_init(&arena);
	buf_addf(&text, "%s: there is no type `%s`", source_path(source), name);
	if (source_read(source, &want_all, &err, &layout)) {
		struct type_ref ref = type_ref_parse(&arena, name);

		if (!layout_tells_of(layout, ref.name))
			buf_adds(&text, " in this snapshot, which was taken without it");
		for (size_t i = 0; i < layout->ndefs; i++)
			if (!i || strcmp(layout->defs[i].name, layout->defs[i - 1].name) != 0)
				strings_add(&names, layout->defs[i].name);
		add_suggestion(&text, ref.name, "", names.items, names.n);
		layout_free(layout);
	}
	say_error("%s", text.s);
	err_release(&err);
	strings_release(&names);
	buf_release(&text);
	arena_release(&arena);
}
