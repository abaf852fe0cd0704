/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/yaml_write.h"

#include <string.h>

#include "base/escape.h"
enum { PAGE_WIDTH = 90 };

bool is_plain_name(const char *name)
{
	size_t len =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return len && !name[len] && !(*name >= '0' && *name <= '9');
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

/* YAML reads "\x1b" as what it was written for, and "\xe4" as a letter. */
const char *yaml_quoted(const char *text, struct arena *arena)
{
	struct buf escaped = BUF_INIT, out = BUF_INIT;
	bool same = true;

	escape_text(&escaped, text);
	buf_addc(&out, '"');
	for (const char *p = escaped.s; *p; p++) {
		if (*p == '"')
			buf_addc(&out, '\\');
		buf_addc(&out, *p);
		if (*p != '\\')
			continue;
		buf_addc(&out, *++p);
		same = same && (*p == '\\' || (*p == 'x' && p[1] < '8'));
	}
	buf_addc(&out, '"');
	text = same ? arena_strdup(arena, out.s) : NULL;
	buf_release(&escaped);
	buf_release(&out);
	return text;
}

const char *pack_type_name(const struct def *def, struct arena *arena)
{
	const char *word = "", *text;

	if (def->kind == DEF_UNION)
		word = "union ";
	else if (def->kind == DEF_TYPEDEF)
		word = "typedef ";
	text = def->scope ? arena_printf(arena, "%s%s::%s", word, def->scope, def->name)
			  : arena_printf(arena, "%s%s", word, def->name);
	return !def->scope && is_plain_name(def->name) && !is_taken(text)
		       ? text
		       : yaml_quoted(text, arena);
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
