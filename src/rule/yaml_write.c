/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/yaml_write.h"

#include <string.h>

enum { PAGE_WIDTH = 90 };

bool is_plain_name(const char *name)
{
	size_t len =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return len && !name[len] && !(*name >= '0' && *name <= '9');
}

const char *pack_type_name(const struct def *def, struct arena *arena)
{
	const char *word = "";

	if (!is_plain_name(def->name))
		return NULL;
	for (const char *p = def->scope; p && *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:", *p))
			return NULL;
	if (def->kind == DEF_UNION)
		word = "union ";
	else if (def->kind == DEF_TYPEDEF)
		word = "typedef ";
	if (def->scope) /* YAML would take the colons for a key's */
		return arena_printf(arena, "\"%s%s::%s\"", word, def->scope, def->name);
	return arena_printf(arena, "%s%s", word, def->name);
}

/* Words that YAML 1.1 takes for truth values or nothing. */
static bool is_taken(const char *word)
{
	static const char *const words[] = {"y",   "n",    "yes",   "no",  "on",
					    "off", "true", "false", "null"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasecmp(word, words[i]) == 0)
			return true;
	return false;
}

void yaml_list_begin(struct yaml_list *list, struct buf *out, size_t indent, const char *key)
{
	*list = (struct yaml_list){out, indent + 4, indent + strlen(key) + 3, 0};
	buf_addf(out, "%*s%s: [", (int)indent, "", key);
}

void yaml_list_add(struct yaml_list *list, const char *word)
{
	const char *quote = is_taken(word) ? "\"" : "";
	size_t width = strlen(word) + 2 * strlen(quote) + 2;

	if (list->n && list->column + width > PAGE_WIDTH) {
		buf_addf(list->out, ",\n%*s", (int)list->indent, "");
		list->column = list->indent;
	} else if (list->n) {
		buf_adds(list->out, ", ");
	}
	buf_addf(list->out, "%s%s%s", quote, word, quote);
	list->column += width;
	list->n++;
}

void yaml_list_end(struct yaml_list *list)
{
	buf_adds(list->out, "]\n");
}
