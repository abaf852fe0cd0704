/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/unitmap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/search.h"
#include "dwarf/constants.h"

void unit_map_release(struct unit_map *map)
{
	free(map->items);
	*map = (struct unit_map){0};
}

static void add(struct unit_map *map, uint64_t low, uint64_t high, uint64_t unit)
{
	if (low >= high)
		return;
	ARRAY_GROW(map->items, map->n, map->cap);
	map->items[map->n++] = (struct unit_range){low, high, unit, 0};
}

/* Units that .debug_aranges speaks of, ascending. */
struct listed {
	uint64_t *items;
	size_t n, cap;
};

static bool fail_at(const struct code_sections *s, uint64_t at, struct err *err, const char *what)
{
	char place[512];

	snprintf(place, sizeof place, "%s: .debug_aranges+0x%" PRIx64, s->sections->path, at);
	return err_set(err, place, "%s", what);
}

/* One set: DWARF 5, 6.1.2. @c holds no more than it. */
static bool read_set(struct cursor *c, unsigned offset_size, struct unit_map *map,
		     struct listed *listed)
{
	unsigned version = cursor_u16(c), size, segment;
	uint64_t unit = cursor_uint(c, offset_size), low, high;

	size = cursor_u8(c);
	segment = cursor_u8(c);
	if (c->bad || version != 2 || segment || (size != 4 && size != 8))
		return false;
	/* The tuples are aligned, from the start of the set. */
	cursor_skip(c, (2 * size - cursor_offset(c) % (2 * size)) % (2 * size));
	ARRAY_GROW(listed->items, listed->n, listed->cap);
	listed->items[listed->n++] = unit;
	while (cursor_left(c) >= 2 * size) {
		low = cursor_uint(c, size);
		high = low + cursor_uint(c, size);
		if (!low && !high)
			break;
		/* What a linker threw away has the address 0. */
		if (low)
			add(map, low, high, unit);
	}
	return !c->bad;
}

static bool read_aranges(const struct code_sections *s, struct err *err, struct unit_map *map,
			 struct listed *listed)
{
	struct cursor c = cursor_over(s->aranges.data, s->aranges.size, s->sections->swap);

	while (cursor_left(&c)) {
		uint64_t start = cursor_offset(&c), length = cursor_u32(&c);
		unsigned offset_size = length == 0xffffffff ? 8 : 4;
		struct cursor set;

		if (offset_size == 8)
			length = cursor_u64(&c);
		if (c.bad || length > cursor_left(&c))
			return fail_at(s, start, err, "the set runs past the end of the section");
		set = cursor_over(s->aranges.data + start, length + cursor_offset(&c) - start,
				  s->sections->swap);
		cursor_skip(&set, cursor_offset(&c) - start);
		cursor_skip(&c, length);
		if (!read_set(&set, offset_size, map, listed))
			return fail_at(s, start, err, "the set cannot be read");
	}
	return true;
}

/* ---- units that are not listed --------------------------------------------------------------- */

/* The functions of a unit that does not say what it covers. */
static bool read_functions(struct code_unit *cu, struct ranges *ranges)
{
	struct cursor c;

	if (!cu->unit->children)
		return true;
	c = unit_cursor(cu->reader, cu->unit, cu->unit->children);
	while (cursor_left(&c)) {
		struct code_die die;

		if (!code_die_read(cu, cu->unit, &c, &die))
			return false;
		if (!die.tag)
			break;
		if (die.tag == DW_TAG_subprogram && !code_ranges(cu, &die, ranges))
			return false;
		if (!code_die_pass_children(cu, &c, &die))
			return false;
	}
	return true;
}

static bool add_unit(const struct code_sections *s, struct reader *reader, uint64_t offset,
		     struct unit_map *map)
{
	struct ranges ranges = {0};
	const struct unit *unit;
	struct code_unit cu;
	bool ok;

	if (!fetch_unit(reader, SECTION_INFO, offset, &unit))
		return false;
	ok = code_unit_init(s, reader, unit, &cu) && code_ranges(&cu, &cu.root, &ranges);
	if (ok && !ranges.n && cu.root.tag == DW_TAG_compile_unit)
		ok = read_functions(&cu, &ranges);
	for (size_t i = 0; i < ranges.n && ok; i++)
		if (ranges.items[i].low)
			add(map, ranges.items[i].low, ranges.items[i].high, offset);
	free(ranges.items);
	fetch_done(reader, unit);
	return ok;
}

static int compare_offsets(const void *left, const void *right)
{
	return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

static bool is_listed(const struct listed *listed, uint64_t unit)
{
	return listed->n &&
	       bsearch(&unit, listed->items, listed->n, sizeof *listed->items, compare_offsets);
}

static bool add_others(const struct code_sections *s, struct err *err, struct listed *listed,
		       struct unit_map *map)
{
	const struct section *info = s->sections->units[SECTION_INFO];
	struct reader reader;
	uint64_t size;
	bool ok = true;

	if (listed->n)
		qsort(listed->items, listed->n, sizeof *listed->items, compare_offsets);
	reader_init(&reader, s->sections, err);
	for (uint64_t offset = 0; offset < info->size && ok; offset += size) {
		ok = sections_unit_size(s->sections, SECTION_INFO, offset, err, &size);
		if (ok && !is_listed(listed, offset))
			ok = add_unit(s, &reader, offset, map);
	}
	foreign_release(&reader);
	reader_release(&reader);
	return ok;
}

/* ---- the map --------------------------------------------------------------------------------- */

static int compare_ranges(const void *left, const void *right)
{
	const struct unit_range *a = left, *b = right;

	return a->low != b->low ? compare_u64(a->low, b->low) : compare_u64(a->unit, b->unit);
}

bool unit_map_read(const struct code_sections *sections, struct err *err, struct unit_map *ret)
{
	struct unit_map map = {0};
	struct listed listed = {0};
	uint64_t reach = 0;
	bool ok = read_aranges(sections, err, &map, &listed) &&
		  add_others(sections, err, &listed, &map);

	free(listed.items);
	if (!ok) {
		unit_map_release(&map);
		return false;
	}
	if (map.n)
		qsort(map.items, map.n, sizeof *map.items, compare_ranges);
	for (size_t i = 0; i < map.n; i++)
		reach = map.items[i].reach = max_u64(reach, map.items[i].high);
	*ret = map;
	return true;
}

uint64_t unit_map_at(const struct unit_map *map, uint64_t pc)
{
	size_t low = FIRST_ABOVE(map->items, map->n, low, pc);

	/* The one that begins nearest before it; where ranges overlap, another one may hold it. */
	while (low-- > 0 && map->items[low].reach > pc)
		if (map->items[low].high > pc)
			return map->items[low].unit;
	return UINT64_MAX;
}
