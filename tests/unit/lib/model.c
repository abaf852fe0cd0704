/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

enum { MOST_DEFS = 64, MOST_MEMBERS = 512 };

struct layout *model_new(const char *arch, uint64_t line, enum layout_source source)
{
	struct layout *layout = layout_new();
	const struct arch *row = arch ? arch_by_name(arch) : NULL;

	layout->path = "made";
	layout->source = source;
	layout->knows_align = layout->knows_decl = source != SOURCE_BTF;
	layout->target.arch = arch;
	layout->target.bits = row ? row->bits : 0;
	layout->target.line = line;
	layout->defs = arena_array(&layout->arena, MOST_DEFS, sizeof *layout->defs);
	return layout;
}

static const struct type *scalar(struct layout *layout, uint64_t bytes)
{
	struct type *type = arena_alloc(&layout->arena, sizeof *type);

	type->kind = TYPE_BASE;
	type->name = type->spelling = arena_printf(&layout->arena, "u%" PRIu64, bytes * 8);
	type->has_size = true;
	type->bits = bytes * 8;
	return type;
}

static const struct type *array(struct layout *layout, const struct type *element, bool has_count,
				uint64_t count)
{
	struct type *type = arena_alloc(&layout->arena, sizeof *type);

	type->kind = TYPE_ARRAY;
	type->spelling = arena_printf(&layout->arena, "%s[]", element->spelling);
	type->has_size = true;
	type->bits = element->bits * count;
	type->target = element;
	type->has_count = has_count;
	type->count = count;
	return type;
}

static const struct type *defined(const struct layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->ndefs; i++)
		if (strcmp(layout->defs[i].name, name) == 0)
			return layout->defs[i].type;
	BUG("a member of a type that is not defined");
}

/* "4", "4x10", "4x", "b3", "=list_head", "=list_headx2" */
static void read_type(struct layout *layout, char *text, struct member *member)
{
	char *times = text[0] == '=' ? strrchr(text, 'x') : strchr(text, 'x');
	bool is_array = times && (!times[1] || (times[1] >= '0' && times[1] <= '9'));

	if (text[0] == 'b') {
		member->is_bitfield = true;
		member->type = scalar(layout, 4);
		member->bit_size = strtoull(text + 1, NULL, 10);
		return;
	}
	if (is_array)
		*times = '\0';
	member->type = text[0] == '=' ? defined(layout, text + 1)
				      : scalar(layout, strtoull(text, NULL, 10));
	if (is_array)
		member->type = array(layout, member->type, times[1] != '\0',
				     strtoull(times + 1, NULL, 10));
	member->is_flexible = is_array && !times[1];
	member->bit_size = member->type->bits;
}

static void read_member(struct layout *layout, char *text, struct member *member)
{
	char *at = strchr(text, '@'), *colon = strchr(text, ':'), *align = strchr(text, '!');
	char *bit = at ? strchr(at, '.') : NULL;

	if (!at || !colon)
		BUG("a member is NAME@OFFSET:TYPE");
	*at = *colon = '\0';
	if (align) {
		*align = '\0';
		member->has_align = layout->knows_align;
		member->align = strtoull(align + 1, NULL, 10);
	}
	member->bit_offset = strtoull(at + 1, NULL, 10) * 8;
	if (bit && bit < colon)
		member->bit_offset += strtoull(bit + 1, NULL, 10);
	if (at > text && at[-1] == '%') {
		member->is_dynamic = true;
		at[-1] = '\0';
	}
	member->name = strcmp(text, "-") == 0 ? NULL : arena_strdup(&layout->arena, text);
	member->is_marker = member->name && is_marker_name(member->name);
	read_type(layout, colon + 1, member);
}

static size_t read_members(struct layout *layout, const char *text, struct member *members)
{
	static const char blanks[] = " \n\t";
	size_t n = 0;

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		size_t len = strcspn(text, blanks);

		if (n == MOST_MEMBERS)
			BUG("too many members");
		read_member(layout, arena_strndup(&layout->arena, text, len), &members[n++]);
		text += len;
	}
	return n;
}

struct def *model_define(struct layout *layout, const char *name, uint64_t size,
			 const char *members)
{
	struct type *type = arena_alloc(&layout->arena, sizeof *type);
	struct member *array_of = arena_array(&layout->arena, MOST_MEMBERS, sizeof *array_of);
	bool is_union = text_starts_with(name, "union ");
	char *own = arena_strdup(&layout->arena, name + (is_union ? strlen("union ") : 0));
	char *align = strchr(own, '!');
	struct def def;

	if (align)
		*align = '\0';
	*type = (struct type){
		.kind = is_union ? TYPE_UNION : TYPE_STRUCT,
		.name = own,
		.spelling = own,
		.has_size = true,
		.bits = size * 8,
		.has_align = align && layout->knows_align,
		.align = align ? strtoull(align + 1, NULL, 10) : 0,
		.members = array_of,
	};
	type->nmembers = read_members(layout, members, array_of);
	def = (struct def){
		.name = own,
		.kind = is_union ? DEF_UNION : DEF_STRUCT,
		.type = type,
		.has_decl = layout->knows_decl,
		.file = arena_printf(&layout->arena, "include/%s.h", own),
		.line = 1,
		.cus = 1,
		.digest = layout->ndefs + 1,
	};
	if (layout->ndefs == MOST_DEFS)
		BUG("too many definitions");
	layout->defs[layout->ndefs++] = def;
	layout_sort(layout);
	for (size_t i = 0;; i++)
		if (layout->defs[i].type == type)
			return &layout->defs[i];
}

struct layout *model_kernel(enum layout_source source)
{
	struct layout *layout = model_new("x86_64", 64, source);

	layout->target.module = "vmlinux";
	layout->target.has_kernel = true;
	layout->target.kernel = (struct kernel_version){6, 12, 57};
	layout->target.release = "6.12.57";
	model_define(layout, "pair", 16, "x@0:8 y@8:8");
	model_define(layout, "s", 16, "a@0:8 b@8:8");
	return layout;
}

struct layout *model_consoles(enum layout_source source)
{
	struct layout *layout = model_kernel(source);

	model_define(layout, "console", 280, "name@0:1x16 rest@16:8x33")->cus = 1204;
	if (layout->knows_decl)
		model_define(layout, "console", 40, "a@0:8x5")->file = "drivers/tty/hvc/console.c";
	else
		model_define(layout, "console", 40, "a@0:8x5");
	return layout;
}
