/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of an edit. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "layout/abi.h"
#include "layout/edit.h"

struct reader {
	const char *text;
	const char *at; /* what is read next, blanks passed over */
	struct arena *arena;
	struct err *err;
};

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

static bool refuse(struct reader *r, const char *at, const char *what)
{
	return err_set(r->err, r->text, "column %zu: %s", (size_t)(at - r->text) + 1, what);
}

/* ---- words ----------------------------------------------------------------------------------- */

static size_t name_length(const char *s)
{
	size_t len = 0;

	while (isalnum((unsigned char)s[len]) || s[len] == '_' || (unsigned char)s[len] >= 0x80)
		len++;
	return isdigit((unsigned char)s[0]) ? 0 : len;
}

static bool next_is(const struct reader *r, const char *word)
{
	size_t len = name_length(r->at);

	return strlen(word) == len && memcmp(r->at, word, len) == 0;
}

static void pass(struct reader *r, size_t len)
{
	r->at = skip_blanks(r->at + len);
}

static bool take_word(struct reader *r, const char *word)
{
	if (!next_is(r, word))
		return false;
	pass(r, strlen(word));
	return true;
}

static bool take_char(struct reader *r, char c)
{
	if (*r->at != c)
		return false;
	pass(r, 1);
	return true;
}

static bool take_name(struct reader *r, const char *what, const char **ret)
{
	size_t len = name_length(r->at);

	if (!len)
		return refuse(r, r->at, what);
	*ret = arena_strndup(r->arena, r->at, len);
	pass(r, len);
	return true;
}

/* Names with dots between. */
static bool take_path(struct reader *r, const char **ret)
{
	const char *start = r->at;
	size_t len = 0;

	for (;;) {
		size_t name = name_length(start + len);

		if (!name)
			return refuse(r, start + len, "the name of a member is wanted");
		len += name;
		if (start[len] != '.')
			break;
		len++;
	}
	*ret = arena_strndup(r->arena, start, len);
	pass(r, len);
	return true;
}

static bool take_number(struct reader *r, const char *what, uint64_t *ret)
{
	size_t len = strspn(r->at, "0123456789abcdefABCDEFxX");

	if (!len || !text_to_u64(arena_strndup(r->arena, r->at, len), ret))
		return refuse(r, r->at, what);
	pass(r, len);
	return true;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool take_qualifier(struct reader *r)
{
	return take_word(r, "const") || take_word(r, "volatile") || take_word(r, "__rcu") ||
	       take_word(r, "__user") || take_word(r, "__iomem") || take_word(r, "__percpu");
}

static bool take_c_word(struct reader *r, struct buf *type)
{
	static const char *const words[] = {"unsigned", "signed", "char",  "short",
					    "int",      "long",   "_Bool", NULL};

	for (const char *const *word = words; *word; word++)
		if (take_word(r, *word)) {
			buf_addf(type, "%s%s", type->len ? " " : "", *word);
			return true;
		}
	return false;
}

static bool take_tag(struct reader *r, struct buf *type)
{
	static const char *const words[] = {"struct", "union", "enum", NULL};

	for (const char *const *word = words; *word; word++)
		if (take_word(r, *word)) {
			buf_adds(type, *word);
			return true;
		}
	return false;
}

static bool take_base(struct reader *r, struct buf *type)
{
	const char *name = NULL;
	bool tagged;

	while (take_qualifier(r))
		;
	if (take_c_word(r, type)) {
		do
			while (take_qualifier(r))
				;
		while (take_c_word(r, type));
		return true;
	}
	tagged = take_tag(r, type);
	if (!take_name(r, tagged ? "the name of the type is wanted" : "a type is wanted", &name))
		return false;
	buf_addf(type, "%s%s", tagged ? " " : "", name);
	while (take_qualifier(r))
		;
	return true;
}

static bool take_type(struct reader *r, struct edit *edit)
{
	struct buf type = BUF_INIT, pointers = BUF_INIT;
	bool ok = take_base(r, &type);

	while (ok && take_char(r, '*')) {
		buf_addc(&pointers, '*');
		while (take_qualifier(r))
			;
	}
	edit->type = arena_strdup(r->arena, type.s);
	edit->pointers = arena_strdup(r->arena, pointers.s);
	buf_release(&type);
	buf_release(&pointers);
	return ok;
}

/* ---- what is edited -------------------------------------------------------------------------- */

static bool take_dimension(struct reader *r, struct edit *edit)
{
	const char *at = r->at;

	if (edit->ndimensions == MOST_DIMENSIONS)
		return refuse(r, at, "no array has so many dimensions");
	if (take_char(r, ']')) {
		if (edit->is_flexible || edit->ndimensions)
			return refuse(r, at, "only the first dimension can be left out");
		edit->is_flexible = true;
		return true;
	}
	if (!take_number(r, "how many elements is wanted, or `]`",
			 &edit->dimensions[edit->ndimensions++]))
		return false;
	return take_char(r, ']') || refuse(r, r->at, "`]` is wanted");
}

static bool take_declarator(struct reader *r, struct edit *edit)
{
	const char *at;

	if (!take_name(r, "the name of the new member is wanted", &edit->member))
		return false;
	at = r->at;
	if (take_char(r, ':')) {
		if (!take_number(r, "how many bits is wanted", &edit->bits))
			return false;
		if (!edit->bits)
			return refuse(r, at, "a member has one bit at least");
		return true;
	}
	while (take_char(r, '['))
		if (!take_dimension(r, edit))
			return false;
	return true;
}

static bool take_place(struct reader *r, struct edit *edit)
{
	edit->before = next_is(r, "before");
	if (!take_word(r, "before") && !take_word(r, "after"))
		return refuse(r, r->at, "`after` or `before` and a member are wanted");
	return take_path(r, &edit->anchor);
}

static bool take_add(struct reader *r, struct edit *edit)
{
	return take_type(r, edit) && take_declarator(r, edit) && (!*r->at || take_place(r, edit));
}

static bool take_move(struct reader *r, struct edit *edit)
{
	return take_path(r, &edit->member) && take_place(r, edit);
}

static bool take_remove(struct reader *r, struct edit *edit)
{
	return take_path(r, &edit->member);
}

static bool take_align(struct reader *r, struct edit *edit)
{
	enum { MOST = 1 << 28 }; /* of gcc */
	const char *at;

	if (!isdigit((unsigned char)*r->at) && !take_path(r, &edit->member))
		return false;
	at = r->at;
	if (!take_number(r, "how many bytes is wanted", &edit->align))
		return false;
	if (!edit->align || edit->align > MOST || (edit->align & (edit->align - 1)))
		return refuse(r, at, "an alignment is a power of two");
	return true;
}

static bool take_pack(struct reader *r, struct edit *edit)
{
	return !*r->at || take_path(r, &edit->member);
}

bool edit_parse(const char *text, struct arena *arena, struct err *err, struct edit *ret)
{
	static const struct {
		const char *word;
		enum edit_op op;
		bool (*take)(struct reader *r, struct edit *edit);
	} edits[] = {
		{"add", EDIT_ADD, take_add},          {"move", EDIT_MOVE, take_move},
		{"remove", EDIT_REMOVE, take_remove}, {"align", EDIT_ALIGN, take_align},
		{"pack", EDIT_PACK, take_pack},
	};
	struct reader r = {text, skip_blanks(text), arena, err};
	struct edit edit = {.text = text};

	for (size_t i = 0; i < ARRAY_SIZE(edits); i++) {
		if (!take_word(&r, edits[i].word))
			continue;
		edit.op = edits[i].op;
		if (!edits[i].take(&r, &edit))
			return false;
		if (*r.at)
			return refuse(&r, r.at, "nothing more is wanted here");
		*ret = edit;
		return true;
	}
	return refuse(&r, r.at, "`add`, `move`, `remove`, `align` or `pack` is wanted");
}

/* ---- what has to be loaded ------------------------------------------------------------------- */

bool edit_wanted(const struct edit *edit, struct want_list *list)
{
	const struct abi any = {.pointer = 8, .most = 8};

	if (edit->op != EDIT_ADD || *edit->pointers || abi_size(&any, edit->type))
		return true;
	if (!text_starts_with(edit->type, "struct ") && !text_starts_with(edit->type, "union "))
		return false;
	want_list_add(list, strchr(edit->type, ' ') + 1);
	return true;
}
