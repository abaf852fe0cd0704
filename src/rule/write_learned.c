/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rule/member.h"
#include "rule/write.h"
#include "rule/yaml_write.h"

struct learned {
	struct geometry geometry; /* leaves by offset */
	uint64_t line;
	struct buf *out;
};

/* A member that a rule can name, whole on one line. */
static bool on_line(const struct learned *learned, const struct leaf *leaf, uint64_t *ret)
{
	struct line_span lines;

	if (!leaf->member->name || !is_plain_name(leaf->member->name) ||
	    leaf->member->is_flexible ||
	    !lines_touched(leaf->bit_offset, leaf->member->bit_size, learned->line, 0, &lines) ||
	    lines.first != lines.last)
		return false;
	*ret = lines.first;
	return true;
}

/* struct_group() has a member twice. */
static bool stood_before(const struct learned *learned, size_t index)
{
	const struct leaf *items = learned->geometry.leaves.items;

	for (size_t i = 0; i < index; i++)
		if (items[i].member->name &&
		    strcmp(items[i].member->name, items[index].member->name) == 0)
			return true;
	return false;
}

/* How many members are whole on @line; into @list, or NULL. */
static size_t list_line(const struct learned *learned, uint64_t line, struct yaml_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < learned->geometry.leaves.n; i++) {
		const struct leaf *leaf = &learned->geometry.leaves.items[i];
		uint64_t at;

		if (!on_line(learned, leaf, &at) || at != line || stood_before(learned, i))
			continue;
		if (list)
			yaml_list_add(list, leaf->member->name);
		n++;
	}
	return n;
}

static void write_groups(const struct learned *learned)
{
	bool any = false;

	for (uint64_t line = 0; line < learned->geometry.lines; line++) {
		struct yaml_list list;
		char name[32];

		if (list_line(learned, line, NULL) < 2)
			continue;
		if (!any)
			buf_adds(learned->out,
				 "    # Name what is used together by what it is for, and leave "
				 "out the rest.\n"
				 "    groups:\n");
		any = true;
		snprintf(name, sizeof name, "on_line_%" PRIu64, line);
		yaml_list_begin(&list, learned->out, 6, name);
		list_line(learned, line, &list);
		yaml_list_end(&list);
	}
}

static void write_together(const struct learned *learned)
{
	bool any = false;

	for (uint64_t line = 0; line < learned->geometry.lines; line++) {
		if (list_line(learned, line, NULL) < 2)
			continue;
		if (!any)
			buf_adds(learned->out, "      # Which of them matter? What must not share "
					       "a line is `apart`.\n");
		any = true;
		buf_addf(learned->out, "      - together: on_line_%" PRIu64 "\n", line);
	}
}

/* The members that begin a line, but for the first of all: the first of each. */
static void write_starts(const struct learned *learned)
{
	uint64_t line_bits = learned->line * 8, last = 0;
	bool any = false;

	for (size_t i = 0; i < learned->geometry.leaves.n; i++) {
		const struct leaf *leaf = &learned->geometry.leaves.items[i];
		const struct member *member = leaf->member;

		if (leaf->bit_offset % line_bits || leaf->bit_offset <= last || !member->name ||
		    !is_plain_name(member->name) || !member->bit_size || stood_before(learned, i))
			continue;
		if (!any)
			buf_adds(learned->out, "      # Keep those that are meant to: a lock, what "
					       "is written from here on.\n");
		any = true;
		last = leaf->bit_offset;
		buf_addf(learned->out, "      - starts_line: %s\n", member->name);
	}
}

static void write_sizes(const struct learned *learned)
{
	const struct geometry *geometry = &learned->geometry;
	uint64_t size = geometry->type->bits / 8, largest = 0;

	for (size_t i = 0; i < geometry->ngaps; i++)
		if (geometry->gaps[i].kind == GAP_HOLE && geometry->gaps[i].bit_size / 8 > largest)
			largest = geometry->gaps[i].bit_size / 8;
	buf_addf(learned->out,
		 "      # It has %" PRIu64 " bytes; up to the end of its last line there is room.\n"
		 "      - size: \"<= %" PRIu64 "\"\n",
		 size, geometry->lines * learned->line);
	if (!geometry->leaves.has_dynamic)
		buf_addf(learned->out, "      - max_hole: %" PRIu64 "\n        severity: note\n",
			 largest);
}

/* Of several definitions of a name it is one; the others are not learned from. */
static void write_source(struct learned *learned, const struct def *def, struct arena *arena)
{
	const char *file = def->has_decl ? yaml_quoted(def->file, arena) : NULL;

	buf_adds(learned->out, "    # One of several definitions of this name.\n");
	if (file)
		buf_addf(learned->out, "    source: %s\n", file);
}

static void write_type(struct learned *learned, const struct def *def, bool is_one_of_several,
		       const char *name, struct arena *arena)
{
	geometry_of(def->type, learned->line, arena, &learned->geometry);
	buf_addf(learned->out, "  %s:\n", name);
	if (is_one_of_several)
		write_source(learned, def, arena);
	buf_adds(learned->out,
		 "    # Where do its objects come from? Without it they are taken to start on a "
		 "line.\n"
		 "    # alloc: kmalloc\n");
	write_groups(learned);
	buf_adds(learned->out, "    rules:\n");
	write_sizes(learned);
	write_starts(learned);
	write_together(learned);
}

/* Another definition follows the one at @i, of the same name. */
static bool is_next(const struct def_list *defs, size_t i, const char *name, struct arena *arena)
{
	const char *next = i + 1 < defs->n ? pack_type_name(defs->defs[i + 1], arena) : NULL;

	return next && strcmp(next, name) == 0;
}

void pack_write_learned(const struct def_list *defs, uint64_t line, struct buf *out)
{
	struct learned learned = {.line = line, .out = out};
	const char *last = "";
	struct arena arena;

	arena_init(&arena);
	buf_addf(out,
		 "# All of this holds on the build that it was learned from, where lines have "
		 "%" PRIu64 " bytes.\n"
		 "# Most of it is chance: keep what is a promise, say `why`, and delete the rest.\n"
		 "layoutcheck: 1\n"
		 "cacheline: %" PRIu64 "\n"
		 "structs:\n",
		 line, line);
	for (size_t i = 0; i < defs->n; i++) {
		const char *name = pack_type_name(defs->defs[i], &arena);

		if (!name || strcmp(name, last) == 0)
			continue;
		last = name;
		write_type(&learned, defs->defs[i], is_next(defs, i, name, &arena), name, &arena);
	}
	arena_release(&arena);
}
