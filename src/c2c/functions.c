/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of lines whose rows tell functions alone: a report of another build has its code at other
 * addresses, while a function of that name mostly does what it did. What all instructions of each
 * could be, seen from where the row is, are votes for objects; one that nearly all rows of a line
 * agree on, from several functions at several places, is there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "c2c/attribution.h"
#include "c2c/place.h"

const struct c2c_function *row_function(const struct c2c_image *image, const struct table_row *row)
{
	size_t low = 0, high = image->nfunctions;

	while (row->has_function && low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(image->functions[mid].name, row->symbol);

		if (order == 0)
			return &image->functions[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* A row says that an object could begin there. */
struct vote {
	const struct def *def;
	uint64_t base;
	uint32_t row;
};
struct votes {
	struct vote *items;
	size_t n, cap;
};

static int compare_votes(const void *left, const void *right)
{
	const struct vote *a = left, *b = right;
	int order = compare_u64((uintptr_t)a->def, (uintptr_t)b->def);

	if (!order)
		order = compare_u64(a->base, b->base);
	return order ? order : compare_u64(a->row, b->row);
}

static void vote(const struct c2c_table *table, const struct c2c_image *image, uint32_t index,
		 struct arena *arena, struct votes *votes)
{
	const struct table_row *row = &table->rows[index];
	const struct c2c_function *function = row_function(image, row);
	uint64_t address = table->lines[row->line].address + row->offset;

	for (size_t i = 0; function && i < function->n; i++) {
		const struct claim *claim = &function->claims[i];
		bool may = (row->counts.loads && claim->reads) ||
			   (row->counts.stores && claim->writes);
		const struct def *def = NULL;

		if (may && claim->how != CLAIM_SYMBOL && claim->is_exact && claim->offset >= 0 &&
		    (uint64_t)claim->offset <= address)
			def = def_of_claim(image, claim, arena);
		if (!def || !def->type->has_size ||
		    (uint64_t)claim->offset >= min_u64(def->type->bits / 8, LARGEST_OBJECT))
			continue;
		ARRAY_GROW(votes->items, votes->n, votes->cap);
		votes->items[votes->n++] =
			(struct vote){def, address - (uint64_t)claim->offset, index};
	}
}

/* What the votes for one object, which begin at @votes, come to. */
struct count {
	size_t n; /* votes */
	uint64_t samples;
	size_t functions, offsets;
};

static struct count count_votes(const struct c2c_table *table, const struct vote *votes, size_t n)
{
	struct count count = {0};

	for (;
	     count.n < n && votes[count.n].def == votes->def && votes[count.n].base == votes->base;
	     count.n++) {
		const struct table_row *row = &table->rows[votes[count.n].row];
		bool new_function = true, new_offset = true;

		if (count.n && votes[count.n].row == votes[count.n - 1].row)
			continue;
		for (size_t i = 0; i < count.n; i++) {
			const struct table_row *other = &table->rows[votes[i].row];

			new_function &= strcmp(other->symbol, row->symbol) != 0;
			new_offset &= other->offset != row->offset;
		}
		count.functions += new_function;
		count.offsets += new_offset;
		count.samples += row->counts.samples;
	}
	return count;
}

static struct object object_of(const struct vote *vote, const struct table_line *line,
			       uint64_t samples)
{
	return (struct object){
		.def = vote->def,
		.base = vote->base,
		.size = vote->def->type->bits / 8,
		.pid = line->pid,
		.explained = samples,
		.last_slice = C2C_SLICES - 1,
		.accepted = true,
		.was_lifted = true, /* what holds it in that build is another question */
		.of_functions = true,
	};
}

/* The only object that enough of the line's @samples are for, or the outermost of several that lie
 * in each other. */
static bool elect(const struct c2c_table *table, const struct table_line *line,
		  const struct votes *votes, uint64_t samples, struct object *ret)
{
	enum { LEAST_FUNCTIONS = 3, LEAST_OFFSETS = 2 };
	bool found = false;
	struct count count;

	for (size_t i = 0; i < votes->n; i += count.n) {
		struct object object;

		count = count_votes(table, &votes->items[i], votes->n - i);
		/* Four in five, as everywhere. */
		if (count.samples * 5 < samples * 4 || count.functions < LEAST_FUNCTIONS ||
		    count.offsets < LEAST_OFFSETS)
			continue;
		object = object_of(&votes->items[i], line, count.samples);
		if (found && object_embeds(ret, &object))
			continue;
		if (found && !object_embeds(&object, ret))
			return false;
		*ret = object;
		found = true;
	}
	return found;
}

void functions_vote(const struct c2c_table *table, const struct c2c_image *image,
		    struct attribution *attribution)
{
	struct votes votes = {0};

	for (size_t i = 0; image->nfunctions && i < table->nlines; i++) {
		const struct table_line *line = &table->lines[i];
		uint64_t samples = 0;
		struct object object;

		votes.n = 0;
		for (size_t k = 0; k < line->nrows; k++) {
			samples += table->rows[line->first + k].counts.samples;
			vote(table, image, (uint32_t)(line->first + k), &attribution->arena,
			     &votes);
		}
		if (votes.n)
			qsort(votes.items, votes.n, sizeof *votes.items, compare_votes);
		if (!elect(table, line, &votes, samples, &object))
			continue;
		ARRAY_GROW(attribution->objects, attribution->nobjects, attribution->cap_objects);
		attribution->objects[attribution->nobjects++] = object;
	}
	objects_sort(attribution);
	free(votes.items);
}
