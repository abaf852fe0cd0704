/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { FIRST_SIZE = 256 };

/* A name of thousands of letters is of C++, and most of its DIEs have none. */
uint64_t names_most(const struct sections *sections)
{
	enum { RATIO = 32, LEAST = 8 << 20 };
	uint64_t bytes = sections->str.size;

	for (unsigned i = 0; i < ALL_UNIT_SECTIONS; i++)
		bytes += sections->units[i] ? sections->units[i]->size : 0;
	return bytes * RATIO + LEAST;
}

void names_init(struct names *names, const struct sections *sections)
{
	*names = (struct names){.n = 1, .cap = FIRST_SIZE, .index_size = 2 * FIRST_SIZE};
	names->most = names_most(sections);
	names->text = xcalloc(names->cap, sizeof *names->text);
	names->hash = xcalloc(names->cap, sizeof *names->hash);
	names->size = xcalloc(names->cap, sizeof *names->size);
	names->index = xcalloc(names->index_size, sizeof *names->index);
	names->offsets_size = 2 * FIRST_SIZE;
	names->offsets = xcalloc(names->offsets_size, sizeof *names->offsets);
}

void names_release(struct names *names)
{
	arena_release(&names->arena);
	free(names->text);
	free(names->hash);
	free(names->size);
	free(names->index);
	free(names->offsets);
	*names = (struct names){0};
}

/* ---- by content ------------------------------------------------------------------------------ */

static size_t find_text(const struct names *names, const char *text, uint64_t hash)
{
	size_t mask = names->index_size - 1;
	size_t i = hash & mask;

	for (; names->index[i]; i = (i + 1) & mask) {
		uint32_t id = names->index[i];

		if (names->hash[id] == hash && strcmp(names->text[id], text) == 0)
			break;
	}
	return i;
}

static void grow(struct names *names)
{
	size_t mask;

	names->cap *= 2;
	names->text = xrealloc_array(names->text, names->cap, sizeof *names->text);
	names->hash = xrealloc_array(names->hash, names->cap, sizeof *names->hash);
	names->size = xrealloc_array(names->size, names->cap, sizeof *names->size);
	free(names->index);
	names->index_size = 2 * names->cap;
	names->index = xcalloc(names->index_size, sizeof *names->index);
	mask = names->index_size - 1;
	for (uint32_t id = 1; id < names->n; id++) {
		size_t i = names->hash[id] & mask;

		while (names->index[i])
			i = (i + 1) & mask;
		names->index[i] = id;
	}
}

uint32_t names_add(struct names *names, const char *text, bool stays)
{
	size_t size = strlen(text);
	uint64_t hash = hash128(text, size).lo;
	size_t i = find_text(names, text, hash);
	uint32_t id = names->index[i];

	if (id)
		return id;
	if (names->n == names->cap) {
		grow(names);
		i = find_text(names, text, hash);
	}
	id = (uint32_t)names->n++;
	names->text[id] = stays ? text : arena_strdup(&names->arena, text);
	names->hash[id] = hash;
	names->size[id] = size;
	names->index[i] = id;
	return id;
}

/* ---- by offset: a name is seen many times at one place --------------------------------------- */

static size_t find_offset(const struct names *names, uint32_t offset)
{
	size_t mask = names->offsets_size - 1;
	size_t i = (offset * 0x9e3779b1u >> 7) & mask;

	while (names->offsets[i].id && names->offsets[i].offset != offset)
		i = (i + 1) & mask;
	return i;
}

static void grow_offsets(struct names *names)
{
	struct name_offset *old = names->offsets;
	size_t n = names->offsets_size;

	names->offsets_size *= 2;
	names->offsets = xcalloc(names->offsets_size, sizeof *names->offsets);
	for (size_t i = 0; i < n; i++)
		if (old[i].id)
			names->offsets[find_offset(names, old[i].offset)] = old[i];
	free(old);
}

uint32_t names_add_offset(struct names *names, const struct span_of_bytes *str, uint64_t offset)
{
	const char *text = (const char *)str->data + offset;
	struct name_offset *entry;

	if (offset > UINT32_MAX)
		return names_add(names, text, true);
	entry = &names->offsets[find_offset(names, (uint32_t)offset)];
	if (entry->id)
		return entry->id;
	if (2 * names->noffsets >= names->offsets_size) {
		grow_offsets(names);
		entry = &names->offsets[find_offset(names, (uint32_t)offset)];
	}
	names->noffsets++;
	entry->offset = (uint32_t)offset;
	entry->id = names_add(names, text, true);
	return entry->id;
}

bool names_are_few(const char *path, uint64_t used, uint64_t most, struct err *err)
{
	return used <= most || err_set(err, path,
				       "its names are more than %llu bytes: no compiler makes so "
				       "much of debug info "
				       "that is so small",
				       (unsigned long long)most);
}

static bool use(struct names *names, const struct reader *reader, uint32_t id)
{
	names->used += names->size[id];
	return names_are_few(reader->sections->path, names->used, names->most, reader->err);
}

bool names_add_value(struct names *names, const struct reader *reader, const struct unit *unit,
		     const struct value *value, uint32_t *ret)
{
	const char *text;
	uint64_t offset;

	if (string_is_offset(unit, value)) {
		if (!unit_str_offset(reader, unit, value, &offset))
			return false;
		*ret = names_add_offset(names, &reader->sections->str, offset);
		return use(names, reader, *ret);
	}
	if (!unit_string(reader, unit, value, &text))
		return false;
	*ret = names_add(names, text, value->kind != VALUE_STRING);
	return use(names, reader, *ret);
}

enum { SAMPLE = 256 << 10 };

bool names_are_merged(const struct sections *sections)
{
	const struct span_of_bytes *str = &sections->str;
	uint64_t limit = str->size < SAMPLE ? str->size : SAMPLE;
	size_t strings = 0, distinct;
	struct names seen;

	names_init(&seen, sections);
	for (uint64_t at = 0; at < limit; strings++) {
		const char *text = (const char *)str->data + at;

		names_add(&seen, text, true);
		at += strlen(text) + 1;
	}
	distinct = seen.n - 1;
	names_release(&seen);
	return strings - distinct <= strings / 64;
}
