/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The votes: which objects the claims of all rows speak for, and whether the rows bear them out. */
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/search.h"
#include "c2c/attribution.h"
#include "c2c/place.h"

const struct claim_run *run_of(const struct c2c_image *image, const struct table_row *row)
{
	size_t at = FIRST_FROM(image->runs, image->nruns, pc, row->pc);

	if (row->has_pc && at < image->nruns && image->runs[at].pc == row->pc)
		return &image->runs[at];
	return NULL;
}

bool claim_holds(const struct c2c_table *table, const struct table_row *row,
		 const struct claim *claim)
{
	const struct table_line *line = &table->lines[row->line];

	if (claim->how != CLAIM_SYMBOL)
		return true;
	if (claim->is_percpu)
		return !claim->is_exact ||
		       (line->address + row->offset - claim->address) % PERCPU_PAGE == 0;
	return line->has_image && (!claim->is_exact || line->image + row->offset == claim->address);
}

const struct def *def_of_claim(const struct c2c_image *image, const struct claim *claim,
			       struct arena *arena)
{
	const struct def *best = NULL;
	struct def_list defs;

	if (!claim->type || !image->layout)
		return NULL;
	defs = layout_find(image->layout, type_ref_parse(arena, claim->type), arena);
	for (size_t i = 0; i < defs.n; i++) {
		const struct def *def = defs.defs[i];
		bool same_file =
			claim->source && def->has_decl && strcmp(claim->source, def->file) == 0;

		if (!claim_is_of(claim, def))
			continue;
		if (!best || same_file)
			best = def;
	}
	return best;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static int compare_objects(const void *left, const void *right)
{
	const struct object *a = left, *b = right;
	int order;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	order = compare_u64(a->base, b->base);
	if (!order)
		order = compare_u64(b->size, a->size);
	if (!order)
		order = strcmp(a->def->name, b->def->name);
	return order ? order : compare_u64(a->def->digest, b->def->digest);
}

/* When a row was accessed. */
static void seen(const struct table_row *row, struct object *object)
{
	object->first_slice = C2C_SLICES;
	object->last_slice = 0;
	for (unsigned i = 0; i < C2C_SLICES; i++) {
		if (!row->slices[i].loads && !row->slices[i].stores)
			continue;
		if (object->first_slice == C2C_SLICES)
			object->first_slice = i;
		object->last_slice = i;
	}
	if (object->first_slice == C2C_SLICES)
		*object = (struct object){0};
}

static void add_vote(const struct c2c_table *table, const struct c2c_image *image,
		     const struct table_row *row, const struct claim *claim,
		     struct attribution *attribution)
{
	const struct table_line *line = &table->lines[row->line];
	const struct def *def = def_of_claim(image, claim, &attribution->arena);
	struct object object = {0};
	uint64_t size, address = line->address + row->offset;

	if (!def || !def->type->has_size || claim->offset < 0 || !claim->is_exact ||
	    !claim_holds(table, row, claim))
		return;
	size = def->type->bits / 8;
	if (!size || size > LARGEST_OBJECT || (uint64_t)claim->offset > address)
		return;
	seen(row, &object);
	object.def = def;
	object.size = size;
	object.base = address - (uint64_t)claim->offset % size;
	object.pid = line->pid;
	object.votes = row->counts.samples;
	ARRAY_GROW(attribution->objects, attribution->nobjects, attribution->cap_objects);
	attribution->objects[attribution->nobjects++] = object;
}

void objects_sort(struct attribution *attribution)
{
	size_t kept = 0;

	if (attribution->nobjects)
		qsort(attribution->objects, attribution->nobjects, sizeof *attribution->objects,
		      compare_objects);
	for (size_t i = 0; i < attribution->nobjects; i++) {
		const struct object *object = &attribution->objects[i];
		struct object *last = kept ? &attribution->objects[kept - 1] : NULL;

		if (!last || compare_objects(last, object) != 0) {
			attribution->objects[kept++] = *object;
			continue;
		}
		last->votes += object->votes;
		if (object->first_slice < last->first_slice)
			last->first_slice = object->first_slice;
		if (object->last_slice > last->last_slice)
			last->last_slice = object->last_slice;
	}
	attribution->nobjects = kept;
}

/* ---- judging --------------------------------------------------------------------------------- */

static uint64_t samples_in(const struct table_row *row, unsigned first, unsigned last)
{
	uint64_t n = 0;

	for (unsigned i = first; i <= last; i++)
		n += (uint64_t)row->slices[i].loads + row->slices[i].stores;
	return n;
}

/* What the row says of the object while that was there. */
static void hear(const struct c2c_table *table, const struct c2c_image *image,
		 const struct table_row *row, uint64_t offset, struct object *object)
{
	const struct claim_run *run = run_of(image, row);
	uint64_t samples = samples_in(row, object->first_slice, object->last_slice);
	unsigned agrees = 0;
	bool typed = false;

	if (!run || !samples)
		return;
	for (size_t i = 0; i < run->n; i++) {
		const struct claim *claim = &image->claims[run->first + i];
		unsigned found;

		if (!claim_holds(table, row, claim))
			continue;
		found = place_agrees(object->def, offset, claim);
		typed |= claim->type != NULL;
		if (found > agrees)
			agrees = found;
	}
	if (agrees)
		object->explained += samples;
	else if (typed)
		object->contradicted += samples;
}

/* The first line of the process at or behind @address, in table->line_order. */
static size_t first_line(const struct c2c_table *table, int32_t pid, uint64_t address)
{
	size_t low = 0, high = table->nlines;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct table_line *line = &table->lines[table->line_order[mid]];

		if (line->pid < pid || (line->pid == pid && line->address < address))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void object_judge(const struct c2c_table *table, const struct c2c_image *image,
		  struct object *object)
{
	uint64_t start = object->base & ~(table->line_size - 1), end = object->base + object->size;

	for (size_t i = first_line(table, object->pid, start); i < table->nlines; i++) {
		const struct table_line *line = &table->lines[table->line_order[i]];

		if (line->pid != object->pid || line->address >= end)
			break;
		for (size_t k = 0; k < line->nrows; k++) {
			const struct table_row *row = &table->rows[line->first + k];
			uint64_t address = line->address + row->offset;

			if (address >= object->base && address < end)
				hear(table, image, row, address - object->base, object);
		}
	}
	/* Four in five rows must bear it out. */
	object->accepted = object->explained >= 4 * object->contradicted;
}

bool object_embeds(const struct object *outer, const struct object *inner)
{
	struct claim claim = {.type = inner->def->name,
			      .has_type_size = true,
			      .type_size = inner->size,
			      .is_exact = true};

	return outer->base <= inner->base && inner->base - outer->base < outer->size &&
	       place_agrees(outer->def, inner->base - outer->base, &claim) == 2;
}

void objects_vote(const struct c2c_table *table, const struct c2c_image *image,
		  struct attribution *attribution)
{
	for (size_t i = 0; i < table->nrows; i++) {
		const struct table_row *row = &table->rows[i];
		const struct claim_run *run = run_of(image, row);

		for (size_t k = 0; run && k < run->n; k++)
			add_vote(table, image, row, &image->claims[run->first + k], attribution);
	}
	objects_sort(attribution);
	for (size_t i = 0; i < attribution->nobjects; i++)
		object_judge(table, image, &attribution->objects[i]);
}
