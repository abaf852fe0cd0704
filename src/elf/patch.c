/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/patch.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/math.h"
#include "base/mem.h"

void patches_release(struct patches *patches)
{
	free(patches->items);
	free(patches->edges);
	free(patches->sites);
	*patches = (struct patches){0};
}

/* The bytes of a table, and the address of its first one. */
struct table {
	const uint8_t *data;
	uint64_t size, address;
	uint8_t *owned; /* NULL: it lives as long as the image */
	bool swap;
};

static struct cursor cursor_at(const struct table *table, uint64_t offset)
{
	struct cursor c = cursor_over(table->data, table->size, table->swap);

	cursor_seek(&c, offset);
	return c;
}

/* An address that is written as its distance from here. */
static uint64_t read_relative(const struct table *table, struct cursor *c)
{
	uint64_t here = table->address + cursor_offset(c);

	return here + (uint64_t)(int64_t)(int32_t)cursor_u32(c);
}

static bool find_section(struct image *image, const char *name, struct err *err, struct table *ret)
{
	struct section *section;

	if (!image_section_loaded(image, name, err, &section))
		return false;
	if (!section)
		return true;
	ret->data = section->data;
	ret->size = section->size;
	ret->address = section->address;
	return true;
}

/* A table that has no section of its own, only a symbol at each end. */
enum { TABLE_MAX = 64 << 20 };

static void find_between(struct image *image, const char *from, const char *to, struct table *ret)
{
	uint64_t start, end, size;

	if (!image_symbol(image, from, &start, &size) || !image_symbol(image, to, &end, &size) ||
	    end <= start || end - start > TABLE_MAX)
		return;
	ret->owned = xmalloc(end - start);
	if (!image_read_address(image, start, ret->owned, end - start))
		return;
	ret->data = ret->owned;
	ret->size = end - start;
	ret->address = start;
}

/* ---- .altinstructions ------------------------------------------------------------------------ */

/*
 * The distances of both, then what it depends on: 2 bytes (4 since 6.3), then both lengths, and
 * before 5.13 one of padding.
 */
struct alternative_form {
	unsigned size, condition;
};
static const struct alternative_form forms[] = {{12, 2}, {14, 4}, {13, 2}};

static struct patch read_alternative(const struct table *table, uint64_t at, unsigned condition)
{
	struct cursor c = cursor_at(table, at);
	struct patch patch = {.address = read_relative(table, &c)};

	patch.replacement = read_relative(table, &c);
	cursor_skip(&c, condition);
	patch.size = cursor_u8(&c);
	patch.replacement_size = cursor_u8(&c);
	return patch;
}

/* All of it makes sense in this form. */
static bool has_form(const struct table *table, const struct alternative_form *form)
{
	uint64_t low = UINT64_MAX, high = 0;

	if (!table->data || !table->size || table->size % form->size)
		return false;
	for (uint64_t at = 0; at < table->size; at += form->size) {
		struct patch patch = read_alternative(table, at, form->condition);

		if (!patch.size || patch.replacement_size > patch.size)
			return false;
		low = min_u64(low, min_u64(patch.address, patch.replacement));
		high = max_u64(high, max_u64(patch.address, patch.replacement));
	}
	/* The text of a kernel is not that long. */
	return high - low < 1 << 30;
}

static void read_alternatives(const struct table *table, struct patches *ret)
{
	const struct alternative_form *form = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(forms) && !form; i++)
		if (has_form(table, &forms[i]))
			form = &forms[i];
	for (uint64_t at = 0; form && at < table->size; at += form->size) {
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n] = read_alternative(table, at, form->condition);
		ret->items[ret->n].order = (uint32_t)ret->n;
		ret->n++;
	}
}

/* ---- the others ------------------------------------------------------------------------------ */

/* An address, what it calls, its length, and filling up to 16 bytes. */
static void read_sites(const struct table *table, struct patches *ret)
{
	for (uint64_t at = 0; table->data && table->size - at >= 16; at += 16) {
		struct cursor c = cursor_at(table, at);
		struct patch_site site = {.address = cursor_u64(&c)};

		cursor_skip(&c, 1);
		site.size = cursor_u8(&c);
		ARRAY_GROW(ret->sites, ret->nsites, ret->cap_sites);
		ret->sites[ret->nsites++] = site;
	}
}

/* Two distances, and so many bytes more. */
static void read_edges(const struct table *table, unsigned size, struct patches *ret)
{
	if (!table->data || table->size % size)
		return;
	for (uint64_t at = 0; at < table->size; at += size) {
		struct cursor c = cursor_at(table, at);
		struct patch_edge edge = {.from = read_relative(table, &c)};

		edge.to = read_relative(table, &c);
		ARRAY_GROW(ret->edges, ret->nedges, ret->cap_edges);
		ret->edges[ret->nedges++] = edge;
	}
}

static int compare_patches(const void *left, const void *right)
{
	const struct patch *a = left, *b = right;

	return a->address != b->address ? compare_u64(a->address, b->address)
					: compare_u64(a->order, b->order);
}

static int compare_edges(const void *left, const void *right)
{
	const struct patch_edge *a = left, *b = right;

	return a->from != b->from ? compare_u64(a->from, b->from) : compare_u64(a->to, b->to);
}

static int compare_sites(const void *left, const void *right)
{
	const struct patch_site *a = left, *b = right;

	return compare_u64(a->address, b->address);
}

static void sort(struct patches *p)
{
	if (p->n)
		qsort(p->items, p->n, sizeof *p->items, compare_patches);
	if (p->nedges)
		qsort(p->edges, p->nedges, sizeof *p->edges, compare_edges);
	if (p->nsites)
		qsort(p->sites, p->nsites, sizeof *p->sites, compare_sites);
}

/* Jump labels became distances in 4.19; exceptions have a type of 4 bytes since then too. */
enum { JUMP_SIZE = 16, EXCEPTION_SIZE = 12 };

bool patches_read(struct image *image, struct err *err, struct patches *ret)
{
	const struct target *target = image_target(image);
	bool swap = target->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct table alternatives = {.swap = swap}, sites = {.swap = swap};
	struct table jumps = {.swap = swap}, exceptions = {.swap = swap};

	*ret = (struct patches){0};
	if (!target->arch || strcmp(target->arch, "x86_64") != 0 || !target->module)
		return true;
	if (!find_section(image, ".altinstructions", err, &alternatives) ||
	    !find_section(image, ".parainstructions", err, &sites) ||
	    !find_section(image, "__ex_table", err, &exceptions))
		return false;
	find_between(image, "__start___jump_table", "__stop___jump_table", &jumps);
	read_alternatives(&alternatives, ret);
	read_sites(&sites, ret);
	read_edges(&exceptions, EXCEPTION_SIZE, ret);
	read_edges(&jumps, JUMP_SIZE, ret);
	free(jumps.owned);
	sort(ret);
	return true;
}
