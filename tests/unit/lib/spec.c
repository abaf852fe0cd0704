/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct parser {
	struct arena *arena;
	const char *pos;
};

static uint64_t number(struct parser *p)
{
	char *end;
	uint64_t value = strtoull(p->pos, &end, 10);

	if (end == p->pos)
		fail_msg("spec: a number is missing at `%s`", p->pos);
	p->pos = end;
	return value;
}

static bool take(struct parser *p, const char *word)
{
	if (strncmp(p->pos, word, strlen(word)) != 0)
		return false;
	p->pos += strlen(word);
	return true;
}

static void want(struct parser *p, const char *word)
{
	if (!take(p, word))
		fail_msg("spec: `%s` is missing at `%s`", word, p->pos);
}

static struct type *new_type(struct parser *p, enum type_kind kind, const char *name, uint64_t bits,
			     const char *spelling)
{
	struct type *type = arena_alloc(p->arena, sizeof *type);

	*type = (struct type){
		.kind = kind, .name = name, .has_size = true, .bits = bits, .spelling = spelling};
	return type;
}

/* u8, u16, ... ; other sizes are arrays of bytes. */
static struct type *plain_type(struct parser *p, uint64_t bits)
{
	const char *name = arena_printf(p->arena, "u%llu", (unsigned long long)bits);
	struct type *type;

	if (bits == 0)
		return new_type(p, TYPE_STRUCT, NULL, 0, "struct {...}");
	if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
		return new_type(p, TYPE_BASE, name, bits, name);
	name = arena_printf(p->arena, "u8[%llu]", (unsigned long long)bits / 8);
	type = new_type(p, TYPE_ARRAY, NULL, bits, name);
	type->target = plain_type(p, 8);
	type->has_count = true;
	type->count = bits / 8;
	type->name_at = 2;
	return type;
}

static struct type *array_type(struct parser *p, const uint64_t *counts, size_t n, uint64_t bits)
{
	uint64_t element = counts[0] ? bits / counts[0] : bits;
	struct type *type = new_type(p, TYPE_ARRAY, NULL, bits, NULL), *target;

	target = n > 1 ? array_type(p, counts + 1, n - 1, element) : plain_type(p, element);
	type->target = target;
	type->has_count = true;
	type->count = counts[0];
	type->name_at = target->name_at ? target->name_at : strlen(target->spelling);
	type->spelling =
		arena_printf(p->arena, "%.*s[%llu]%s", (int)type->name_at, target->spelling,
			     (unsigned long long)counts[0], target->spelling + type->name_at);
	return type;
}

static void members(struct parser *p, struct type *type);

/* "struct{ ... }" or "union{ ... }", when one stands here. */
static struct type *composite(struct parser *p, const char *tag)
{
	bool is_union = false;
	const char *spelling;
	struct type *type;

	if (!take(p, "struct{")) {
		if (!take(p, "union{"))
			return NULL;
		is_union = true;
	}
	spelling =
		arena_printf(p->arena, "%s %s", is_union ? "union" : "struct", tag ? tag : "{...}");
	type = new_type(p, is_union ? TYPE_UNION : TYPE_STRUCT, tag, 0, spelling);
	members(p, type);
	want(p, "}");
	return type;
}

/* Behind the name: what it is, and its size. */
static void shape(struct parser *p, struct member *member, bool pointer)
{
	uint64_t counts[4], unit = 0;
	size_t n = 0;

	while (take(p, "[")) {
		if (take(p, "]")) {
			struct type *type = new_type(p, TYPE_ARRAY, NULL, 0, NULL);

			want(p, "/");
			type->target = plain_type(p, number(p));
			type->has_size = false;
			type->spelling = arena_printf(p->arena, "%s[]", type->target->spelling);
			type->name_at = strlen(type->target->spelling);
			member->type = type;
			member->is_flexible = true;
			return;
		}
		assert_true(n < 4);
		counts[n++] = number(p);
		want(p, "]");
	}
	if (take(p, "/")) {
		unit = number(p);
		member->is_bitfield = true;
	}
	want(p, ":");
	member->bit_size = number(p);
	if (pointer)
		member->type = new_type(p, TYPE_POINTER, NULL, member->bit_size, "void *");
	else if (n)
		member->type = array_type(p, counts, n, member->bit_size);
	else
		member->type = plain_type(p, unit ? unit : member->bit_size);
}

static void parse_member(struct parser *p, struct member *member)
{
	bool pointer = take(p, "*");
	size_t len;
	struct type *type;

	member->is_dynamic = take(p, "?");
	member->is_base = take(p, "^");
	type = composite(p, NULL);
	if (!type) {
		len = strcspn(p->pos, ":=[/ ");
		member->name = arena_strndup(p->arena, p->pos, len);
		p->pos += len;
		if (take(p, "=")) {
			type = composite(p, member->name);
			if (member->is_base)
				member->name = NULL;
		} else {
			shape(p, member, pointer);
		}
	}
	if (type) {
		want(p, ":");
		type->bits = member->bit_size = number(p);
		member->type = type;
	}
	want(p, "@");
	member->bit_offset = number(p);
	member->is_marker = member->name && is_marker_name(member->name);
}

static void members(struct parser *p, struct type *type)
{
	struct member *list = arena_array(p->arena, strlen(p->pos) / 4 + 1, sizeof *list);
	size_t n = 0;

	for (;;) {
		p->pos += strspn(p->pos, " ");
		if (!*p->pos || *p->pos == '}')
			break;
		parse_member(p, &list[n++]);
	}
	type->members = list;
	type->nmembers = n;
}

static struct type *from_spec(struct arena *arena, enum type_kind kind, const char *name,
			      uint64_t bytes, const char *spec)
{
	struct parser p = {arena, spec};
	struct type *type = new_type(&p, kind, name, bytes * 8,
				     arena_printf(arena, "struct %s", name ? name : "{...}"));

	members(&p, type);
	if (*p.pos)
		fail_msg("spec: `%s` is left over", p.pos);
	return type;
}

struct type *spec_struct(struct arena *arena, const char *name, uint64_t bytes, const char *spec)
{
	return from_spec(arena, TYPE_STRUCT, name, bytes, spec);
}

struct type *spec_union(struct arena *arena, const char *name, uint64_t bytes, const char *spec)
{
	return from_spec(arena, TYPE_UNION, name, bytes, spec);
}

static const struct member *find(const struct type *type, const char *name)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];
		const struct type *inner = type_composite(member->type);
		const struct member *found;

		if (member->name && strcmp(member->name, name) == 0)
			return member;
		found = inner ? find(inner, name) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

const struct member *spec_member(const struct type *type, const char *name)
{
	const struct member *member = find(type, name);

	if (!member)
		fail_msg("no member %s", name);
	return member;
}
