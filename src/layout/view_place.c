/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of places in a view: the groups that its rows are in, and the marks on them. */
#include <string.h>

#include "base/math.h"
#include "base/text.h"
#include "layout/view.h"

static bool is_bit_gap(const struct view_row *row)
{
	return row->kind == VIEW_GAP && (row->gap == GAP_BIT_HOLE || row->gap == GAP_BIT_PADDING);
}

/* The names of the row's path begin @path, whose indices do not matter. */
static bool begins(const char *row, const char *path)
{
	for (;;) {
		size_t len = strcspn(row, ".");

		if (strcspn(path, ".[") != len || memcmp(row, path, len) != 0)
			return false;
		row += len;
		path += len;
		if (!*row)
			return true;
		path += strcspn(path, ".");
		if (!*path)
			return false;
		row++;
		path++;
	}
}

/* The first name of @path is the row's. */
static bool is_named(const struct view_row *row, const char *path)
{
	size_t len = strcspn(path, ".[");

	if (row->inside)
		return row->path && begins(row->path, path);

	return row->name && strlen(row->name) == len && memcmp(row->name, path, len) == 0;
}

bool view_row_is(const struct view_row *row, const struct spot *spot)
{
	bool in_bits = row->is_bitfield || is_bit_gap(row);
	uint64_t start = row->offset * 8 + (in_bits ? row->bit_offset : 0);
	uint64_t size = in_bits ? row->bit_size : row->size * 8;
	uint64_t end = add_capped(spot->bit_offset, spot->bit_size);

	if ((row->kind != VIEW_MEMBER && row->kind != VIEW_GAP) || row->is_dynamic)
		return false;
	if (row->inside && !spot->path)
		return false;
	if (spot->path && (row->kind != VIEW_MEMBER || !is_named(row, spot->path)))
		return false;
	/* The rows of the first element stand for those of all. */
	if (row->inside && strchr(spot->path, '['))
		return true;
	if (spot->bit_size == 0 || size == 0)
		return spot->path && spot->bit_offset >= start && spot->bit_offset <= start + size;
	return spot->bit_offset < start + size && start < end;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The index of the group of that name, which may be new. */
static size_t group_index(struct view *view, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < view->ngroups; i++)
		if (strcmp(view->groups[i].name, name) == 0)
			return i;
	view->groups = arena_grow(arena, view->groups, view->ngroups, sizeof *view->groups);
	view->groups[view->ngroups] = (struct view_group){.name = name};
	return view->ngroups++;
}

static bool is_in(const struct view_row *row, size_t group)
{
	for (size_t i = 0; i < row->ngroups; i++)
		if (row->groups[i] == group)
			return true;
	return false;
}

static void add_to_group(struct view *view, struct view_row *row, size_t index, struct arena *arena)
{
	struct view_group *group = &view->groups[index];
	size_t *more;
	uint64_t last = row->crosses ? row->last_line : row->line;

	if (is_in(row, index))
		return;
	more = arena_grow(arena, row->groups, row->ngroups, sizeof *more);
	more[row->ngroups++] = index;
	row->groups = more;
	group->members++;
	if (!view->geometry.line || row->is_dynamic)
		return;
	group->first_line = group->has_lines ? min_u64(group->first_line, row->line) : row->line;
	group->last_line = group->has_lines ? max_u64(group->last_line, last) : last;
	group->has_lines = true;
}

void view_group(struct view *view, const char *name, const struct spot *spot, struct arena *arena)
{
	for (size_t i = 0; i < view->nrows; i++) {
		struct view_row *row = &view->rows[i];

		if (row->kind == VIEW_MEMBER && !row->inside && view_row_is(row, spot))
			add_to_group(view, row, group_index(view, name, arena), arena);
	}
}

void view_group_markers(struct view *view, struct arena *arena)
{
	static const char begins[] = "__cacheline_group_begin__",
			  ends[] = "__cacheline_group_end__";
	const char *name = NULL;

	for (size_t i = 0; i < view->nrows; i++) {
		struct view_row *row = &view->rows[i];

		if (row->inside)
			continue;
		if (row->kind == VIEW_MARKER && text_starts_with(row->name, begins)) {
			name = row->name + sizeof begins - 1;
		} else if (row->kind == VIEW_MARKER && text_starts_with(row->name, ends)) {
			name = NULL;
		} else if (row->kind == VIEW_MEMBER && name) {
			size_t index = group_index(view, name, arena);

			view->groups[index].access = group_class_of(name);
			row->access = group_class_name(view->groups[index].access);
			add_to_group(view, row, index, arena);
		}
	}
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void set_moved(struct view_row *row, const struct edited *edited)
{
	for (size_t i = 0; row->member && i < edited->nwas; i++) {
		const struct edit_was *was = &edited->was[i];
		bool moved = was->bit_offset / 8 != row->offset ||
			     (row->is_bitfield && was->bit_offset % 8 != row->bit_offset);

		if (was->member != row->member || row->is_dynamic)
			continue;
		row->moved = was->is_new ? VIEW_NEW : moved ? VIEW_MOVED : VIEW_STAYS;
		row->was = was->bit_offset / 8;
		row->was_bit = was->bit_offset % 8;
	}
}

void view_set_edit(struct view *view, const struct view_edit *edit)
{
	view->edit = edit;
	for (size_t i = 0; i < view->nrows; i++)
		set_moved(&view->rows[i], edit->edited);
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void add_mark(const struct view_mark **marks, size_t *n, const struct view_mark *mark,
		     struct arena *arena)
{
	struct view_mark *more;

	if (*n && (*marks)[*n - 1].number == mark->number)
		return;
	more = arena_grow(arena, *marks, *n, sizeof *more);
	more[(*n)++] = *mark;
	*marks = more;
}

void view_mark(struct view *view, const struct spot *spot, const struct view_mark *mark,
	       struct arena *arena)
{
	struct view_mark more = *mark;
	bool found = false;

	for (size_t i = 0; spot && i < view->nrows; i++) {
		struct view_row *row = &view->rows[i];

		if (row->inside || !view_row_is(row, spot))
			continue;
		add_mark(&row->marks, &row->nmarks, &more, arena);
		more.text = NULL;
		found = true;
	}
	if (!found)
		add_mark(&view->marks, &view->nmarks, mark, arena);
}

void view_mark_run(struct view *view, const char *path, size_t n, const struct view_mark *mark,
		   struct arena *arena)
{
	struct view_mark more = *mark;
	bool begun = false;

	for (size_t i = 0; i < view->nrows && n; i++) {
		struct view_row *row = &view->rows[i];

		if (row->kind != VIEW_MEMBER || row->inside)
			continue;
		begun = begun || is_named(row, path);
		if (!begun)
			continue;
		add_mark(&row->marks, &row->nmarks, &more, arena);
		more.text = NULL;
		n--;
	}
}
