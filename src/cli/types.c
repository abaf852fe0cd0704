/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/types.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

const struct want want_all = {.all = true};

/* How long an operator is that begins there and has an angle or a comma in it; 0: none does. */
static size_t operator_length(const char *s)
{
	static const char *const operators[] = {"<=>", "<<=", ">>=", "->*", "->", "<<",
						">>",  "<=",  ">=",  "<",   ">",  ","};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (strncmp(s, operators[i], strlen(operators[i])) == 0)
			return strlen(operators[i]);
	return 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Up to the comma that ends the first name. "operator->" opens and closes nothing, nor does an
 * arrow or a comparison. */
static size_t name_length(const char *s)
{
	static const char word[] = "operator";
	size_t len = 0;
	int depth = 0;

	/* "(u8, u64)" is a tuple of Rust. */
	while (s[len] && (s[len] != ',' || depth > 0)) {
		const char *rest = s + len;

		if (strncmp(rest, word, strlen(word)) == 0 && (!len || !is_word(rest[-1]))) {
			len += strlen(word);
			len += operator_length(s + len);
		} else if (strncmp(rest, "->", 2) == 0 || strncmp(rest, "<=", 2) == 0 ||
			   strncmp(rest, ">=", 2) == 0) {
			len += 2;
		} else {
			depth += (*rest && strchr("<([", *rest)) - (*rest && strchr(">)]", *rest));
			len++;
		}
	}
	return len;
}

void types_add(struct strings *types, const char *words, struct arena *arena)
{
	while (*words) {
		size_t len = name_length(words);
		char *name = arena_strndup(arena, words, len);
		bool known = false;

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
