/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/select.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

static bool same_module(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
			return false;
	return *a == *b;
}

bool pack_applies(const struct pack *pack, const struct target *target)
{
	static const char MODULE[] = "module:";

	if (!pack->image)
		return true;
	if (strcmp(pack->image, "user") == 0)
		return !target->module;
	if (!target->module)
		return false;
	if (text_starts_with(pack->image, MODULE))
		return same_module(pack->image + strlen(MODULE), target->module);
	return strcmp(pack->image, target->module) == 0;
}

/* @file is @source, or ends with it behind a `/`. */
static bool is_source(const char *file, const char *source)
{
	size_t file_len, source_len;

	while (text_starts_with(source, "./"))
		source += 2;
	file_len = strlen(file);
	source_len = strlen(source);
	return text_ends_with(file, source) &&
	       (file_len == source_len || file[file_len - source_len - 1] == '/');
}

const char *def_describe(const struct def *def, struct arena *arena)
{
	const char *size = arena_printf(arena, "%" PRIu64 " bytes", def->type->bits / 8);

	if (!def->has_decl)
		return size;
	return arena_printf(arena, "%s, %s:%u, %u CU%s", size, def->file, def->line, def->cus,
			    def->cus == 1 ? "" : "s");
}

/* The pin fits none of @defs. */
static const char *elsewhere(const struct block *block, struct def_list defs, struct arena *arena)
{
	enum { MOST_SHOWN = 4 };
	struct buf buf = BUF_INIT;
	const char *text;

	buf_addf(&buf, "no definition of %s is declared in %s: ", block->name, block->source);
	for (size_t i = 0; i < defs.n && i < MOST_SHOWN; i++)
		buf_addf(&buf, "%s%s", i ? "; " : "", def_describe(defs.defs[i], arena));
	if (defs.n > MOST_SHOWN)
		buf_addf(&buf, "; and %zu others", defs.n - MOST_SHOWN);
	text = arena_strdup(arena, buf.s);
	buf_release(&buf);
	return text;
}

void select_defs(const struct block *block, const struct layout *layout, struct arena *arena,
		 struct selection *ret)
{
	struct def_list all = layout_find(layout, block->type, arena);
	struct def_list pinned = {arena_array(arena, all.n, sizeof *pinned.defs), 0};

	*ret = (struct selection){.defs = all};
	if (!all.n && !layout_tells_of(layout, block->type.name)) {
		ret->untold = true;
		ret->missing =
			arena_printf(arena, "the snapshot was taken without %s", block->name);
		return;
	}
	if (!all.n) {
		ret->missing = arena_printf(arena, "%s is not in this image", block->name);
		return;
	}
	if (!block->source)
		return;
	if (!layout->knows_decl) {
		ret->unverified = true;
		return;
	}
	for (size_t i = 0; i < all.n; i++)
		if (all.defs[i]->has_decl && is_source(all.defs[i]->file, block->source))
			pinned.defs[pinned.n++] = all.defs[i];
	ret->defs = pinned;
	if (!pinned.n)
		ret->missing = elsewhere(block, all, arena);
}
