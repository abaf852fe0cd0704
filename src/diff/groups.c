/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members that left or entered a cache-line group that markers in the struct delimit. */
#include <string.h>

#include "diff/compare.h"

static const struct marker_group *find_group(const struct fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->ngroups; i++)
		if (strcmp(fields->groups[i].name, name) == 0)
			return &fields->groups[i];
	return NULL;
}

static bool is_in(const struct field *field, const struct marker_group *group)
{
	return group && field && field_occupies(field) && field->bit_offset >= group->begin &&
	       field->bit_offset < group->end;
}

/* @elsewhere: the group on the side from which the members entered, or to which they left. */
static void tell(struct comparison *c, const char *name, const struct field *const *fields,
		 size_t n, bool entered, const struct marker_group *elsewhere)
{
	struct change change = change_new(CHANGE_GROUP);
	const char *members = name_list(fields, n, c->arena);

	change_place(c, fields[0], &change);
	change.members = n;
	change.other = arena_strdup(c->arena, name);
	*(entered ? &change.now : &change.was) = change.other;
	if (entered && !elsewhere)
		change.severity = SEVERITY_NOTE;
	if (entered)
		change.message = arena_printf(c->arena, "%s entered the %sgroup `%s`", members,
					      elsewhere ? "" : "new ", name);
	else
		change.message = arena_printf(c->arena, "%s left the group `%s`%s", members, name,
					      elsewhere ? "" : ", which is gone");
	compare_add(c, &change);
}

/* What is in the group on the new side and was not, and the other way round. */
static void compare_group(struct comparison *c, const char *name)
{
	const struct marker_group *old = find_group(&c->old, name);
	const struct marker_group *new = find_group(&c->new, name);
	const struct field **in = arena_array(&c->scratch, c->new.n, sizeof *in);
	const struct field **out = arena_array(&c->scratch, c->new.n, sizeof *out);
	size_t nin = 0, nout = 0;

	for (size_t i = 0; i < c->new.n; i++) {
		const struct field *field = &c->new.items[i];
		bool now = is_in(field, new), was = is_in(field->match, old);

		if (now && !was)
			in[nin++] = field;
		if (was && !now)
			out[nout++] = field;
	}
	if (nout)
		tell(c, name, out, nout, false, new);
	if (nin)
		tell(c, name, in, nin, true, old);
}

void compare_groups(struct comparison *c)
{
	for (size_t i = 0; i < c->new.ngroups; i++)
		compare_group(c, c->new.groups[i].name);
	for (size_t i = 0; i < c->old.ngroups; i++)
		if (!find_group(&c->new, c->old.groups[i].name))
			compare_group(c, c->old.groups[i].name);
}
