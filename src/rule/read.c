/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/read.h"

#include <string.h>

#include "base/text.h"

void oops(struct reader *reader, const struct node *at, const char *fmt, ...)
{
	struct buf sentence = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&sentence, fmt, ap);
	va_end(ap);
	complain(&reader->complaints, at->line, at->col, "%s", sentence.s);
	buf_release(&sentence);
}

const char *did_you_mean(struct reader *reader, const char *word, const char *const *known,
			 size_t n)
{
	const char *nearest = text_nearest(word, known, n);

	return nearest ? arena_printf(&reader->scratch, "; did you mean `%s`?", nearest) : "";
}

const char *listed(struct reader *reader, const char *const *words, size_t n)
{
	struct buf buf = BUF_INIT;
	const char *ret;

	for (size_t i = 0; i < n; i++)
		buf_addf(&buf, "%s%s", i ? ", " : "", words[i]);
	ret = arena_strdup(&reader->scratch, buf.s);
	buf_release(&buf);
	return ret;
}

/* ---- what a node is ---------------------------------------------------------------------- */

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

static bool is_null(const struct node *node)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};

	return node->kind == NODE_SCALAR && !node->quoted && is_one_of(node->text, nulls);
}

static bool is_empty(const struct node *node)
{
	return node->kind == NODE_SCALAR ? is_null(node) || !*node->text : !node->n;
}

/* For "must be a list, not ...". */
static const char *describe(const struct node *node)
{
	if (is_empty(node))
		return "empty";
	return node->kind == NODE_LIST  ? "a list"
	       : node->kind == NODE_MAP ? "a mapping"
					: "a single value";
}

/* ---- mappings ---------------------------------------------------------------------------- */

static void unknown_key(struct reader *reader, const struct node *key, const struct slot *slots,
			size_t n)
{
	const char **names = arena_array(&reader->scratch, n, sizeof *names);
	size_t allowed = 0;

	for (size_t i = 0; i < n; i++)
		if (!slots[i].refusal)
			names[allowed++] = slots[i].name;
	oops(reader, key, "unknown key `%.60s`%s", key->text,
	     did_you_mean(reader, key->text, names, allowed));
}

static struct slot *find_slot(struct slot *slots, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(slots[i].name, name) == 0)
			return &slots[i];
	return NULL;
}

bool read_slots(struct reader *reader, const struct node *map, const char *what, struct slot *slots,
		size_t n)
{
	bool ok = true;

	if (map->kind == NODE_BAD)
		return false;
	if (map->kind != NODE_MAP || !map->n) {
		oops(reader, map, "%s must be a mapping, not %s", what, describe(map));
		return false;
	}
	for (size_t i = 0; i < map->n; i++) {
		const struct node *key = node_key(map, i);
		struct slot *slot = find_slot(slots, n, key->text);

		if (slot && !slot->refusal) {
			if (!slot->value)
				slot->value = node_value(map, i);
			continue;
		}
		if (slot)
			oops(reader, key, "`%s` %s", key->text, slot->refusal);
		else
			unknown_key(reader, key, slots, n);
		ok = false;
	}
	for (size_t i = 0; i < n; i++)
		if (slots[i].required && !slots[i].value) {
			oops(reader, map, "%s needs `%s`", what, slots[i].name);
			ok = false;
		}
	return ok;
}

/* ---- scalars ----------------------------------------------------------------------------- */

bool read_present(struct reader *reader, const struct node *node, const char *name)
{
	if (node->kind == NODE_BAD)
		return false;
	if (is_empty(node)) {
		oops(reader, node, "`%.60s` must not be empty", name);
		return false;
	}
	return true;
}

bool read_kind(struct reader *reader, const struct node *node, const char *name,
	       enum node_kind kind)
{
	static const char *const words[] = {
		[NODE_SCALAR] = "a single value", [NODE_LIST] = "a list", [NODE_MAP] = "a mapping"};

	if (!read_present(reader, node, name))
		return false;
	if (node->kind == kind)
		return true;
	oops(reader, node, "`%.60s` must be %s, not %s", name, words[kind], describe(node));
	return false;
}

bool is_number(const char *text, uint64_t *ret)
{
	bool octal = text[0] == '0' && text[1] >= '0' && text[1] <= '9';

	return !octal && text_to_u64(text, ret);
}

/* What a YAML reader that types its scalars would not call a string: 42, -1, 1.5, 12345e678, true.
 */
static bool is_other_type(const char *text)
{
	static const char *const words[] = {"true",  "True",  "TRUE", "false",
					    "False", "FALSE", NULL};
	const char *p = text + strspn(text, "+-");
	size_t digits = strspn(p, "0123456789");
	uint64_t number;

	if (is_one_of(text, words) || text_to_u64(text, &number))
		return true;
	p += digits;
	if (*p == '.') {
		size_t fraction = strspn(++p, "0123456789");

		digits += fraction;
		p += fraction;
	}
	if (digits && (*p == 'e' || *p == 'E')) {
		p++;
		p += *p == '+' || *p == '-';
		if (!*p)
			return false;
		p += strspn(p, "0123456789");
	}
	return digits && !*p;
}

bool read_text(struct reader *reader, const struct node *node, const char *name, const char **ret)
{
	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	if (!node->quoted && is_other_type(node->text)) {
		oops(reader, node, "`%.60s` must be text: put %.60s in quotes", name, node->text);
		return false;
	}
	*ret = arena_strdup(reader->arena, node->text);
	return true;
}

bool read_number(struct reader *reader, const struct node *node, const char *name, uint64_t least,
		 uint64_t *ret)
{
	uint64_t value;

	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	if (!is_number(node->text, &value)) {
		oops(reader, node, "`%s` must be a number, as 64 or 0x40, not `%.60s`", name,
		     node->text);
		return false;
	}
	if (node->quoted) {
		oops(reader, node, "`%s` must be a number: leave out the quotes", name);
		return false;
	}
	if (value < least) {
		oops(reader, node, "`%s` must be at least %llu", name, (unsigned long long)least);
		return false;
	}
	*ret = value;
	return true;
}

bool read_power_of_two(struct reader *reader, const struct node *node, const char *name,
		       uint64_t *ret)
{
	uint64_t value;

	if (!read_number(reader, node, name, 1, &value))
		return false;
	if (value & (value - 1)) {
		oops(reader, node, "`%s` must be a power of two, not %s", name, node->text);
		return false;
	}
	*ret = value;
	return true;
}

bool read_bool(struct reader *reader, const struct node *node, const char *name, bool *ret)
{
	bool yes;

	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	yes = strcmp(node->text, "true") == 0;
	if (node->quoted || (!yes && strcmp(node->text, "false") != 0)) {
		oops(reader, node, "`%.60s` must be true or false", name);
		return false;
	}
	*ret = yes;
	return true;
}

bool read_choice(struct reader *reader, const struct node *node, const char *name,
		 const char *const *words, size_t n, size_t *ret)
{
	if (!read_kind(reader, node, name, NODE_SCALAR))
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(node->text, words[i]) == 0) {
			*ret = i;
			return true;
		}
	oops(reader, node, "`%s` must be one of %s, not `%.60s`%s", name, listed(reader, words, n),
	     node->text, did_you_mean(reader, node->text, words, n));
	return false;
}

/* ---- names of types ---------------------------------------------------------------------- */

/* Letters of any alphabet: Rust and C++ allow them. */
static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

/* C++ and Rust names go on with anything but a blank, except between angle brackets. */
static bool is_type_name(const char *name)
{
	int angles = 0;

	if (!is_name_start(*name))
		return false;
	for (const char *p = name; *p; p++) {
		angles += *p == '<';
		angles -= *p == '>' && angles;
		if (!angles && (*p == ' ' || *p == '\t' || *p == '\n'))
			return false;
	}
	return true;
}

bool read_type_name(struct reader *reader, const struct node *at, const char *text,
		    struct type_ref *ret)
{
	static const char *const words[] = {"struct ", "union ", "typedef "};
	const char *name = text;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_starts_with(text, words[i]))
			name = text + strlen(words[i]);
	if (!is_type_name(name)) {
		oops(reader, at,
		     "`%.60s` names no type: write fdtable, union sigval or typedef refcount_t",
		     text);
		return false;
	}
	*ret = type_ref_parse(reader->arena, text);
	return true;
}
