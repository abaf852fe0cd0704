/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables of the image, static and per-cpu: which one an address is in, and of which type it is,
 * which instructions that spell its address claim.
 */
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "c2c/attribution.h"
#include "c2c/place.h"

/* ---- per-cpu areas --------------------------------------------------------------------------- */

static struct percpu_area *find_area(struct variables *variables, uint64_t base)
{
	for (size_t i = 0; i < variables->nareas; i++)
		if (variables->areas[i].base == base)
			return &variables->areas[i];
	ARRAY_GROW(variables->areas, variables->nareas, variables->cap_areas);
	variables->areas[variables->nareas] = (struct percpu_area){.base = base, .cpu = -1};
	return &variables->areas[variables->nareas++];
}

/* Who accesses a row most; -1: it does not say. */
static int32_t busiest_cpu(const struct table_row *row)
{
	uint64_t most = 0;
	int32_t cpu = -1;

	for (size_t i = 0; i < row->ncpus; i++) {
		uint64_t n = (uint64_t)row->cpus[i].loads + row->cpus[i].stores;

		if (n > most) {
			most = n;
			cpu = row->cpus[i].cpu;
		}
	}
	return cpu;
}

static void learn_area(struct variables *variables, const struct table_row *row, uint64_t address,
		       const struct claim *claim)
{
	uint64_t base = address - claim->address;
	struct percpu_area *area;

	if (!claim->is_percpu || !claim->is_exact || base % PERCPU_PAGE ||
	    !is_kernel_address(address))
		return;
	area = find_area(variables, base);
	if (!area->votes || row->ncpus == 1)
		area->cpu = busiest_cpu(row);
	area->votes += row->counts.samples;
}

/* ---- types of variables ---------------------------------------------------------------------- */

/* A claim has something of the type begin at @base of the image: the variable there, or an array.
 */
static void learn_type(struct variables *variables, const struct c2c_image *image, uint64_t base,
		       bool is_percpu, const struct def *def, uint64_t weight)
{
	uint64_t size = def && def->type->has_size ? def->type->bits / 8 : 0;
	struct c2c_variable variable;

	if (!size || !image->variable(image->arg, base, is_percpu, &variable) ||
	    variable.address != base || (variable.size && variable.size % size))
		return;
	for (size_t i = 0; i < variables->ntypes; i++) {
		struct variable_type *type = &variables->types[i];

		if (type->address == variable.address && type->is_percpu == is_percpu &&
		    type->def == def) {
			type->votes += weight;
			return;
		}
	}
	ARRAY_GROW(variables->types, variables->ntypes, variables->cap_types);
	variables->types[variables->ntypes++] =
		(struct variable_type){variable.address, is_percpu, def, weight};
}

static int compare_types(const void *left, const void *right)
{
	const struct variable_type *a = left, *b = right;
	int order = compare_u64(a->address, b->address);

	if (!order)
		order = compare_u64(b->def->type->bits, a->def->type->bits);
	return order ? order : compare_u64(b->votes, a->votes);
}

/* Functions that are given a pointer to a variable know its type, too. */
static void learn_from_row(struct variables *variables, const struct c2c_table *table,
			   const struct c2c_image *image, const struct table_row *row,
			   struct arena *arena)
{
	const struct table_line *line = &table->lines[row->line];
	const struct claim_run *run = run_of(image, row);

	for (size_t i = 0; run && i < run->n; i++) {
		const struct claim *claim = &image->claims[run->first + i];
		const struct def *def;
		uint64_t into;

		if (claim->how == CLAIM_SYMBOL || !claim->type || !claim->is_exact ||
		    claim->offset < 0)
			continue;
		def = def_of_claim(image, claim, arena);
		into = row->offset - (uint64_t)claim->offset;
		if (line->has_image)
			learn_type(variables, image, line->image + into, false, def,
				   row->counts.samples);
		for (size_t k = 0; !line->has_image && line->pid < 0 && k < variables->nareas;
		     k++) {
			uint64_t base = line->address - variables->areas[k].base + into;

			if (base >= image->percpu_start && base < image->percpu_end)
				learn_type(variables, image, base, true, def, row->counts.samples);
		}
	}
}

void variables_learn(const struct c2c_table *table, const struct c2c_image *image,
		     struct arena *arena, struct variables *ret)
{
	*ret = (struct variables){0};
	for (size_t i = 0; i < table->nrows; i++) {
		const struct table_row *row = &table->rows[i];
		const struct claim_run *run = run_of(image, row);

		for (size_t k = 0; run && k < run->n; k++)
			if (image->claims[run->first + k].how == CLAIM_SYMBOL)
				learn_area(ret, row, table->lines[row->line].address + row->offset,
					   &image->claims[run->first + k]);
	}
	for (size_t i = 0; i < image->nruns; i++)
		for (size_t k = 0; k < image->runs[i].n; k++) {
			const struct claim *claim = &image->claims[image->runs[i].first + k];

			if (claim->how == CLAIM_SYMBOL && claim->offset >= 0)
				learn_type(ret, image, claim->address - (uint64_t)claim->offset,
					   claim->is_percpu, def_of_claim(image, claim, arena), 1);
		}
	for (size_t i = 0; i < table->nrows; i++)
		learn_from_row(ret, table, image, &table->rows[i], arena);
	if (ret->ntypes)
		qsort(ret->types, ret->ntypes, sizeof *ret->types, compare_types);
}

void variables_release(struct variables *variables)
{
	free(variables->areas);
	free(variables->types);
	*variables = (struct variables){0};
}

static const struct def *type_of(const struct variables *variables, uint64_t address,
				 bool is_percpu)
{
	for (size_t i = 0; i < variables->ntypes; i++)
		if (variables->types[i].address == address &&
		    variables->types[i].is_percpu == is_percpu)
			return variables->types[i].def;
	return NULL;
}

/* ---- a row ----------------------------------------------------------------------------------- */

/* The row's own claim, when it spells the variable. */
static void settle(const struct c2c_table *table, const struct c2c_image *image,
		   const struct variables *variables, uint64_t address, uint64_t slide,
		   struct named *named)
{
	const struct claim_run *run = named->run;

	named->base = named->variable.address + slide;
	named->def = type_of(variables, named->variable.address, named->is_percpu);
	named->how = HOW_SYMBOL;
	for (size_t i = 0; run && i < run->n; i++) {
		const struct claim *claim = &image->claims[run->first + i];

		if (!claim_holds(table, &table->rows[named->row], claim))
			continue;
		if (claim->how == CLAIM_SYMBOL &&
		    (!claim->is_exact || claim->address == address - slide))
			named->how = HOW_INSN;
		if (!named->claim ||
		    (named->def &&
		     place_agrees(named->def, address - named->base, claim) >
			     place_agrees(named->def, address - named->base, named->claim)))
			named->claim = claim;
	}
}

bool name_by_variable(const struct c2c_table *table, const struct c2c_image *image,
		      const struct variables *variables, struct named *named)
{
	const struct table_row *row = &table->rows[named->row];
	const struct table_line *line = &table->lines[row->line];
	uint64_t address = line->address + row->offset;

	if (line->has_image &&
	    image->variable(image->arg, line->image + row->offset, false, &named->variable)) {
		settle(table, image, variables, address, line->address - line->image, named);
		return true;
	}
	for (size_t i = 0; line->pid < 0 && i < variables->nareas; i++) {
		const struct percpu_area *area = &variables->areas[i];
		uint64_t image_address = address - area->base;

		if (image_address < image->percpu_start || image_address >= image->percpu_end ||
		    !image->variable(image->arg, image_address, true, &named->variable))
			continue;
		named->is_percpu = true;
		named->cpu = area->cpu;
		settle(table, image, variables, address, area->base, named);
		return true;
	}
	return false;
}
