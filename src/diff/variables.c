/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who came onto the line of a variable, or left it. A linker places variables anew in every build,
 * so what is compared is names: of a static variable in a function that without its number.
 */
#include <inttypes.h>
#include <string.h>

#include "base/math.h"
#include "diff/compare.h"
#include "layout/data.h"

/* A variable on one side, with the others on its lines. */
struct beside {
	struct extent own;
	struct extents others;
};

static struct beside beside_of(const struct comparison *c, const struct data_table *data,
			       const struct extent *own)
{
	uint64_t start = own->start / c->line * c->line;
	uint64_t end = add_capped(extent_end(own), c->line - 1) / c->line * c->line;
	struct beside ret = {.own = *own};
	size_t n = 0;

	ret.others = data_between(data, own->section->space, start, end, c->arena);
	for (size_t i = 0; i < ret.others.n; i++) {
		const struct extent *other = &ret.others.items[i];

		if (extent_end(other) <= own->start || other->start >= extent_end(own))
			ret.others.items[n++] = *other;
	}
	ret.others.n = n;
	return ret;
}

static bool has_name(const struct comparison *c, const struct extents *extents, const char *name)
{
	for (size_t i = 0; i < extents->n; i++)
		if (strcmp(data_plain_name(extents->items[i].name, c->arena), name) == 0)
			return true;
	return false;
}

static const char *distance(const struct extent *from, const struct extent *to, struct arena *arena)
{
	return to->start < from->start ? arena_printf(arena, "-%" PRIu64, from->start - to->start)
				       : arena_printf(arena, "+%" PRIu64, to->start - from->start);
}

static bool is_there(const struct comparison *c, const struct data_table *data, const char *name)
{
	struct extent extent;
	const char *why;

	return data_find(data, name, NULL, c->arena, &why, &extent) != DATA_ABSENT;
}

/* Those of @here that are not on the lines of @there. */
static void tell(struct comparison *c, const struct beside *here, const struct beside *there,
		 bool came)
{
	const struct data_table *elsewhere = came ? c->before->data : c->after->data;

	for (size_t i = 0; i < here->others.n; i++) {
		const struct extent *other = &here->others.items[i];
		const char *name = data_plain_name(other->name, c->arena), *at;
		struct change change = change_new(CHANGE_BESIDE);

		if (has_name(c, &there->others, name))
			continue;
		at = distance(&here->own, other, c->arena);
		change.of_variables = true;
		change.other = name;
		change.was = came ? NULL : at;
		change.now = came ? at : NULL;
		if (!came)
			change.severity = SEVERITY_NOTE;
		change.message =
			came ? arena_printf(c->arena, "`%s` came onto its line, at %s", name, at)
			     : arena_printf(c->arena, "`%s` left its line, where it was at %s",
					    name, at);
		change.cause = is_there(c, elsewhere, name)
				       ? came ? "it was on another line" : "it is on another line"
			       : came ? "it is new"
				      : "it is gone";
		compare_add(c, &change);
	}
}

/* Where in a line it is, is known. */
static bool is_placed(const struct comparison *c, const struct data_table *data,
		      const struct extent *extent)
{
	return extent->size && (!data->is_object || extent->section->align % c->line == 0);
}

static bool find(const struct comparison *c, const struct data_table *data,
		 const struct diff_variable *variable, struct extent *ret)
{
	enum data_found found = DATA_ABSENT;
	const char *why;

	for (size_t i = 0; i < variable->n && found == DATA_ABSENT; i++)
		found = data_find(data, variable->names[i], variable->source, c->arena, &why, ret);
	return found == DATA_FOUND && is_placed(c, data, ret);
}

static void compare_variable(struct comparison *c, const struct diff_variable *variable)
{
	struct extent old, new;
	struct beside before, after;

	if (!find(c, c->before->data, variable, &old) || !find(c, c->after->data, variable, &new))
		return;
	before = beside_of(c, c->before->data, &old);
	after = beside_of(c, c->after->data, &new);
	c->subject = arena_strdup(c->arena, data_plain_name(new.name, c->arena));
	tell(c, &after, &before, true);
	tell(c, &before, &after, false);
}

static bool is_listed(const struct comparison *c, const char *section)
{
	for (size_t i = 0; i < c->options->nsections; i++)
		if (strcmp(c->options->sections[i], section) == 0)
			return true;
	return false;
}

/* Where those are that packs name, so that they have been compared. */
static struct extents find_named(const struct comparison *c)
{
	struct extents ret = {0};

	ret.items = arena_array(c->arena, c->options->nvariables, sizeof *ret.items);
	for (size_t i = 0; i < c->options->nvariables; i++)
		ret.n += find(c, c->after->data, &c->options->variables[i], &ret.items[ret.n]);
	return ret;
}

static bool is_at(const struct data_symbol *symbol, const struct extent *extent)
{
	return symbol->section == extent->section && symbol->address == extent->start;
}

static bool is_named(const struct extents *named, const struct data_symbol *symbol)
{
	for (size_t i = 0; i < named->n; i++)
		if (is_at(symbol, &named->items[i]))
			return true;
	return false;
}

/* Each variable of the sections once, by the first of its names: unless that is another's, too. */
static void compare_sections(struct comparison *c)
{
	const struct data_table *data = c->after->data;
	struct extents named = find_named(c);

	for (size_t i = 0; c->options->nsections && i < data->n; i++) {
		const struct data_symbol *symbol = &data->items[i];
		const char *name = data_plain_name(symbol->name, c->arena);
		const struct diff_variable variable = {.names = &name, .n = 1};
		struct extent found;

		if (!symbol->section || !symbol->size || !is_listed(c, symbol->section->name) ||
		    is_named(&named, symbol) ||
		    (i && symbol[-1].section == symbol->section &&
		     symbol[-1].address == symbol->address))
			continue;
		if (find(c, data, &variable, &found) && is_at(symbol, &found))
			compare_variable(c, &variable);
	}
}

void compare_variables(struct comparison *c)
{
	const struct data_table *before = c->before->data, *after = c->after->data;

	c->pair = NULL;
	if (!c->line || !before || !after || before->unknown || after->unknown)
		return;
	for (size_t i = 0; i < c->options->nvariables; i++)
		compare_variable(c, &c->options->variables[i]);
	compare_sections(c);
}
