// SPDX-License-Identifier: GPL-2.0-or-later
#include "layout/spell.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"

/* Cut where only hostile input gets, so that spellings of spellings cannot fill the memory. */
static struct spelling bounded(struct spelling spelling)
{
	if (strlen(spelling.before) + strlen(spelling.after) > SPELL_MAX)
		return (struct spelling){"...", "", false};
	return spelling;
}

/* The suffixes of arrays and functions bind tighter than a pointer's prefix. */
static bool needs_parentheses(struct spelling target)
{
	return *target.after == '[' || *target.after == '(';
}

/* "int *" and "int (*" take the next sigil or name without a blank; words want one. */
static bool wants_blank(const char *before, size_t len)
{
	return len && !strchr("*&(", before[len - 1]);
}

static const char *blank_after(const char *before)
{
	return wants_blank(before, strlen(before)) ? " " : "";
}

struct spelling spell_name(const char *word, const char *name, struct arena *arena)
{
	struct spelling ret = {name ? name : "{...}", "", false};

	if (word)
		ret.before = arena_printf(arena, "%s %s", word, ret.before);
	return ret;
}

struct spelling spell_pointer(struct spelling target, const char *sigil, struct arena *arena)
{
	struct spelling ret = {NULL, target.after, true};

	if (needs_parentheses(target)) {
		ret.before = arena_printf(arena, "%s%s(%s", target.before,
					  blank_after(target.before), sigil);
		ret.after = arena_printf(arena, ")%s", target.after);
	} else {
		ret.before = arena_printf(arena, "%s%s%s", target.before,
					  blank_after(target.before), sigil);
	}
	return bounded(ret);
}

/* @word is among the words that @before begins or (of a pointer) ends with. */
static bool has_qualifier(const struct spelling *target, const char *word)
{
	static const char *const words[] = {"const", "volatile", "restrict", "_Atomic"};
	const char *s = target->before;
	size_t len;

	if (target->is_pointer) {
		const char *sigil = strrchr(s, '*');

		s = sigil ? sigil + 1 : s;
	}
	for (;; s += len + (s[len] == ' ')) {
		bool known = false;

		len = strcspn(s, " ");
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			known = known || (strlen(words[i]) == len && !memcmp(words[i], s, len));
		if (!known)
			return false;
		if (strlen(word) == len && memcmp(word, s, len) == 0)
			return true;
	}
}

struct spelling spell_qualified(const char *word, struct spelling target, struct arena *arena)
{
	struct spelling ret = target;

	/* A constant array is one of constants, and gcc says both. */
	if (has_qualifier(&target, word))
		return target;
	if (target.is_pointer)
		ret.before = arena_printf(arena, "%s%s%s", target.before,
					  blank_after(target.before), word);
	else
		ret.before = arena_printf(arena, "%s %s", word, target.before);
	return bounded(ret);
}

struct spelling spell_array(struct spelling element, bool has_count, uint64_t count,
			    struct arena *arena)
{
	struct spelling ret = element;

	if (has_count)
		ret.after = arena_printf(arena, "[%" PRIu64 "]%s", count, element.after);
	else
		ret.after = arena_printf(arena, "[]%s", element.after);
	return bounded(ret);
}

struct spelling spell_function(struct spelling result, const struct spelling *params, size_t n,
			       bool variadic, struct arena *arena)
{
	struct spelling ret = {result.before, NULL, false};
	struct buf list = BUF_INIT;

	for (size_t i = 0; i < n && list.len <= SPELL_MAX; i++) {
		buf_adds(&list, i ? ", " : "");
		buf_adds(&list, spell_join(params[i], NULL, arena));
	}
	if (variadic)
		buf_adds(&list, n ? ", ..." : "...");
	else if (!n)
		buf_adds(&list, "void");
	ret.after = arena_printf(arena, "(%s)%s", list.s, result.after);
	buf_release(&list);
	return bounded(ret);
}

/* @len bytes of @before, then the name in its place, then @after. */
static const char *join(const char *before, size_t len, const char *name, const char *after,
			struct arena *arena)
{
	/* A function without a name keeps the blank where the name would be: "int (void)". */
	bool blank = (name || *after == '(') && wants_blank(before, len);

	return arena_printf(arena, "%.*s%s%s%s", (int)len, before, blank ? " " : "",
			    name ? name : "", after);
}

const char *spell_join(struct spelling spelling, const char *name, struct arena *arena)
{
	return join(spelling.before, strlen(spelling.before), name, spelling.after, arena);
}

void spell_store(struct type *type, struct spelling spelling, struct arena *arena)
{
	type->spelling = spell_join(spelling, NULL, arena);
	type->name_at = strlen(spelling.before);
}

const char *spell_decl(const struct type *type, const char *name, struct arena *arena)
{
	size_t len = type->name_at ? type->name_at : strlen(type->spelling);
	const char *after = type->spelling + len;

	return join(type->spelling, len, name, *after == ' ' ? after + 1 : after, arena);
}
