/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/data.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/text.h"

uint64_t extent_end(const struct extent *extent)
{
	return add_capped(extent->start, extent->size);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* What has no place yet comes last. */
static uint32_t space_of(const struct data_symbol *variable)
{
	return variable->section ? variable->section->space : UINT32_MAX;
}

static int compare_places(const void *left, const void *right)
{
	const struct data_symbol *a = left, *b = right;
	int order = compare_u64(space_of(a), space_of(b));

	if (!order)
		order = compare_u64(a->address, b->address);
	if (!order)
		order = compare_u64(b->size, a->size);
	if (!order)
		order = (int)a->is_local - (int)b->is_local;
	return order ? order : strcmp(a->name, b->name);
}

static int compare_names(const void *left, const void *right)
{
	const struct data_symbol *a = *(struct data_symbol *const *)left;
	const struct data_symbol *b = *(struct data_symbol *const *)right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a > b) - (a < b);
}

void data_sort(struct data_table *data, struct arena *arena)
{
	size_t n = data->n;

	data->by_name = arena_array(arena, n, sizeof(struct data_symbol *));
	if (!n)
		return;
	qsort(data->items, n, sizeof *data->items, compare_places);
	for (size_t i = 0; i < n; i++) {
		struct data_symbol *item = &data->items[i];

		item->reach = add_capped(item->address, item->size);
		if (i && space_of(item - 1) == space_of(item))
			item->reach = max_u64(item->reach, item[-1].reach);
		data->by_name[i] = item;
	}
	qsort(data->by_name, n, sizeof(struct data_symbol *), compare_names);
}

/* ---- by name --------------------------------------------------------------------------------- */

/* The variables that a name may mean. */
struct candidates {
	const struct data_symbol **items;
	size_t n, cap;
};

/* Index in by_name of the first name that is not before @name. */
static size_t first_named(const struct data_table *data, const char *name)
{
	size_t low = 0, high = data->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(data->by_name[mid]->name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* `.3`, what a compiler puts behind the name of a static variable that stands in a function, or of
 * several that it made one unit of. */
static bool is_suffix(const char *text)
{
	static const char *const marks[] = {".llvm.", ".lto_priv.", "."};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		size_t len = strlen(marks[i]);

		if (strncmp(text, marks[i], len) == 0)
			return text[len] && !text[len + strspn(text + len, "0123456789")];
	}
	return false;
}

const char *data_plain_name(const char *name, struct arena *arena)
{
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
		if (dot > name && is_suffix(dot))
			return arena_strndup(arena, name, (size_t)(dot - name));
	return name;
}

static void collect(const struct data_table *data, const char *name, bool with_suffix,
		    struct candidates *ret)
{
	size_t len = strlen(name);

	for (size_t i = first_named(data, name); i < data->n; i++) {
		const struct data_symbol *item = data->by_name[i];

		if (strncmp(item->name, name, len) != 0)
			break;
		if (with_suffix ? !is_suffix(item->name + len) : item->name[len] != '\0')
			continue;
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n++] = item;
	}
}

/* Keeps the global ones, where there are any. */
static bool keep_global(struct candidates *candidates)
{
	size_t n = 0;

	for (size_t i = 0; i < candidates->n; i++)
		n += !candidates->items[i]->is_local;
	if (!n)
		return false;
	n = 0;
	for (size_t i = 0; i < candidates->n; i++)
		if (!candidates->items[i]->is_local)
			candidates->items[n++] = candidates->items[i];
	candidates->n = n;
	return true;
}

/* One of the two paths is the tail of the other. */
static bool same_file(const char *a, const char *b)
{
	size_t len_a = strlen(a), len_b = strlen(b);
	const char *longer = len_a > len_b ? a : b, *shorter = len_a > len_b ? b : a;
	size_t rest = len_a > len_b ? len_a - len_b : len_b - len_a;

	return text_ends_with(longer, shorter) && (!rest || longer[rest - 1] == '/');
}

static void keep_file(struct candidates *candidates, const char *source)
{
	size_t n = 0;

	for (size_t i = 0; i < candidates->n; i++)
		if (candidates->items[i]->file && same_file(candidates->items[i]->file, source))
			candidates->items[n++] = candidates->items[i];
	candidates->n = n;
}

static bool same_place(const struct data_symbol *a, const struct data_symbol *b)
{
	return a->section == b->section && a->address == b->address;
}

static bool are_one(const struct candidates *candidates)
{
	for (size_t i = 1; i < candidates->n; i++)
		if (!same_place(candidates->items[0], candidates->items[i]))
			return false;
	return true;
}

/* "a.c, b.c and 3 others" */
static const char *files_of(const struct candidates *candidates, struct arena *arena)
{
	enum { MOST_SHOWN = 4 };
	const char *text = NULL;

	for (size_t i = 0; i < candidates->n && i < MOST_SHOWN; i++) {
		const char *file = candidates->items[i]->file;

		file = file ? file : "a file without a name";
		text = text ? arena_printf(arena, "%s, %s", text, file) : file;
	}
	if (candidates->n > MOST_SHOWN)
		text = arena_printf(arena, "%s and %zu others", text, candidates->n - MOST_SHOWN);
	return text;
}

/* Its own size, or that of another name of it. */
static struct extent extent_of(const struct data_table *data, const struct data_symbol *variable)
{
	const struct data_symbol *first = variable;

	while (first > data->items && same_place(first - 1, variable))
		first--;
	return (struct extent){.name = variable->name,
			       .section = variable->section,
			       .start = variable->address,
			       .size = first->size,
			       .has_size = first->size || !variable->is_label};
}

static enum data_found choose(const struct data_table *data, const char *name, const char *source,
			      struct candidates *found, struct arena *arena, const char **why,
			      struct extent *ret)
{
	if (!found->n) {
		*why = arena_printf(arena, "%s is not in this image%s", name,
				    data->is_partial ? ", from which local symbols are stripped"
						     : "");
		return data->is_partial ? DATA_UNTOLD : DATA_ABSENT;
	}
	if (!keep_global(found) && source) {
		const char *files = files_of(found, arena);

		keep_file(found, source);
		if (!found->n) {
			*why = arena_printf(arena, "%s is not in this image for %s, but for %s",
					    name, source, files);
			return DATA_ABSENT;
		}
	}
	if (!are_one(found)) {
		*why = arena_printf(arena, "there are %zu variables %s, those of %s", found->n,
				    name, files_of(found, arena));
		return DATA_UNTOLD;
	}
	if (!found->items[0]->section || found->items[0]->section->is_thread) {
		*why = arena_printf(
			arena, "%s %s", name,
			found->items[0]->section
				? "is thread-local: each thread has its own"
				: "is a common symbol, which the linker has yet to place");
		return DATA_UNTOLD;
	}
	*ret = extent_of(data, found->items[0]);
	return DATA_FOUND;
}

enum data_found data_find(const struct data_table *data, const char *name, const char *source,
			  struct arena *arena, const char **why, struct extent *ret)
{
	struct candidates found = {0};
	enum data_found result;

	if (data->unknown) {
		*why = data->unknown;
		return DATA_UNTOLD;
	}
	collect(data, name, false, &found);
	if (!found.n)
		collect(data, name, true, &found);
	result = choose(data, name, source, &found, arena, why, ret);
	free(found.items);
	return result;
}

/* ---- by place -------------------------------------------------------------------------------- */

/* Index of the first item of @space that begins at or behind @address. */
static size_t first_at(const struct data_table *data, uint32_t space, uint64_t address)
{
	size_t low = 0, high = data->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct data_symbol *item = &data->items[mid];

		if (space_of(item) < space || (space_of(item) == space && item->address < address))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct extents data_between(const struct data_table *data, uint32_t space, uint64_t start,
			    uint64_t end, struct arena *arena)
{
	size_t first = first_at(data, space, start), last = first_at(data, space, end);
	struct extents ret = {0};
	uint64_t covered = 0;

	while (first && space_of(&data->items[first - 1]) == space &&
	       data->items[first - 1].reach > start)
		first--;
	ret.items = arena_array(arena, last - first, sizeof *ret.items);
	for (size_t i = first; i < last; i++) {
		const struct data_symbol *item = &data->items[i];
		uint64_t item_end = add_capped(item->address, item->size);

		/* What lies whole within one that begins before it is part of that. */
		if (!item->size || item_end <= start || (ret.n && item_end <= covered))
			continue;
		covered = item_end;
		ret.items[ret.n++] = extent_of(data, item);
	}
	return ret;
}
