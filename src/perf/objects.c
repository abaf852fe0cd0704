/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/math.h"

static int compare_objects(const void *left, const void *right)
{
	const struct line_object *a = left, *b = right;
	int order = compare_u64(a->line, b->line);

	return order ? order : compare_u64(a->start, b->start);
}

void objects_write(struct line_object *items, size_t n, const char digest[SHA256_HEX],
		   struct buf *out)
{
	size_t kept = 0;

	if (n)
		qsort(items, n, sizeof *items, compare_objects);
	for (size_t i = 0; i < n; i++)
		if (!kept || compare_objects(&items[kept - 1], &items[i]) != 0)
			items[kept++] = items[i];
	side_begin(out, "objects", digest, kept);
	for (size_t i = 0; i < kept; i++) {
		buf_addf(out, "0x%" PRIx64 " 0x%" PRIx64 " %" PRIu64 " ", items[i].line,
			 items[i].start, items[i].size);
		escape_text(out, items[i].cache);
		buf_addc(out, '\n');
	}
}

/* The names are few and come again and again: the last one is looked at first. */
static const char *name_of(struct text text, const struct perf_objects *objects,
			   struct arena *arena)
{
	const char *last = objects->n ? objects->items[objects->n - 1].cache : NULL;

	return last && text_is(text, last) ? last : arena_strndup(arena, text.s, text.len);
}

static bool read_line(struct text line, struct perf_objects *objects, struct line_object *ret)
{
	struct text size, name;

	if (!side_hex(&line, &ret->line) || !side_hex(&line, &ret->start) ||
	    !text_word(&line, &size) || !text_number(size, &ret->size))
		return false;
	name = text_trim(line.s, line.len);
	if (!name.len || memchr(name.s, 0, name.len))
		return false;
	ret->cache = name_of(name, objects, &objects->arena);
	return true;
}

/* Has it a byte on the line or behind? How long lines are is the recording's to say. */
static bool reaches(const struct line_object *object)
{
	return object->size && object->start + (object->size - 1) >= object->start &&
	       object->start + (object->size - 1) >= object->line;
}

static bool read_all(struct side_lines *lines, struct err *err, struct perf_objects *objects)
{
	for (uint64_t i = 0; i < lines->n; i++) {
		struct line_object *object = &objects->items[i];
		struct text line;

		if (!side_next(lines, err, &line))
			return false;
		if (!read_line(line, objects, object))
			return side_wrong(lines, err,
					  "it is not two addresses, a size and a cache");
		if (!reaches(object))
			return side_wrong(lines, err, "the object has no byte on the line");
		if (i && compare_objects(object - 1, object) >= 0)
			return side_wrong(lines, err, "it does not come behind the one before");
		objects->n++;
	}
	return side_close(lines, err);
}

bool objects_read(const struct bytes *bytes, const char *path, const char digest[SHA256_HEX],
		  struct err *err, struct perf_objects *ret)
{
	struct side_lines lines;
	struct perf_objects objects = {0};

	if (!side_open(bytes, path, "objects", digest, err, &lines))
		return false;
	objects.items = xcalloc(lines.n, sizeof *objects.items);
	if (!read_all(&lines, err, &objects)) {
		objects_release(&objects);
		return false;
	}
	*ret = objects;
	return true;
}

void objects_release(struct perf_objects *objects)
{
	free(objects->items);
	arena_release(&objects->arena);
	*objects = (struct perf_objects){0};
}
