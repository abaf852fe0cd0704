/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/attribution.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "c2c/place.h"

void attribution_release(struct attribution *attribution)
{
	free(attribution->objects);
	free(attribution->parts);
	free(attribution->named);
	arena_release(&attribution->arena);
	*attribution = (struct attribution){0};
}

/* ---- counts of a part ------------------------------------------------------------------------ */

/* @whole shared out as @some is of @all. */
static uint64_t share(uint64_t whole, uint64_t some, uint64_t all)
{
	return all ? (uint64_t)((unsigned __int128)whole * some / all) : 0;
}

void row_counts_in(const struct table_row *row, unsigned first, unsigned last,
		   struct c2c_counts *ret)
{
	struct table_slice in = {0}, all = {0};
	const struct c2c_counts *whole = &row->counts;
	uint64_t quiet, quiet_all;

	*ret = *whole;
	if (first == 0 && last == C2C_SLICES - 1)
		return;
	for (unsigned i = 0; i < C2C_SLICES; i++) {
		struct table_slice *to = i >= first && i <= last ? &in : NULL;

		all.hitm += row->slices[i].hitm;
		all.loads += row->slices[i].loads;
		all.stores += row->slices[i].stores;
		if (!to)
			continue;
		to->hitm += row->slices[i].hitm;
		to->loads += row->slices[i].loads;
		to->stores += row->slices[i].stores;
	}
	quiet = in.loads - in.hitm;
	quiet_all = all.loads - all.hitm;
	ret->hitm = in.hitm;
	ret->loads = in.loads;
	ret->stores = in.stores;
	ret->samples = ret->loads + ret->stores;
	for (size_t i = 0; i < HIT_KINDS; i++) {
		bool met = i == HIT_LOCAL_HITM || i == HIT_REMOTE_HITM;

		ret->hits[i] = met ? share(whole->hits[i], in.hitm, all.hitm)
				   : share(whole->hits[i], quiet, quiet_all);
	}
	ret->store_l1 = share(whole->store_l1, in.stores, all.stores);
	ret->store_l1_miss = share(whole->store_l1_miss, in.stores, all.stores);
	ret->store_unknown = in.stores - ret->store_l1 - ret->store_l1_miss;
	ret->locked = share(whole->locked, ret->samples, whole->samples);
	for (size_t i = 0; i < WAITS; i++) {
		ret->cycles[i] = share(whole->cycles[i], ret->samples, whole->samples);
		ret->timed[i] = share(whole->timed[i], ret->samples, whole->samples);
	}
}

/* ---- which objects a line has ---------------------------------------------------------------- */

struct link {
	uint32_t line; /* place in table->line_order */
	uint32_t object;
};
struct links {
	struct link *items;
	size_t n, cap;
};

static int compare_links(const void *left, const void *right)
{
	const struct link *a = left, *b = right;

	return a->line != b->line ? compare_u64(a->line, b->line)
				  : compare_u64(a->object, b->object);
}

/* Both walks go upwards: objects by address, lines by address. */
static void link_objects(const struct c2c_table *table, const struct attribution *attribution,
			 struct links *links)
{
	size_t from = 0;

	for (size_t o = 0; o < attribution->nobjects; o++) {
		const struct object *object = &attribution->objects[o];
		uint64_t start = object->base & ~(table->line_size - 1);

		for (; from < table->nlines; from++) {
			const struct table_line *line = &table->lines[table->line_order[from]];

			if (line->pid > object->pid ||
			    (line->pid == object->pid && line->address >= start))
				break;
		}
		for (size_t i = from; object->accepted && i < table->nlines; i++) {
			const struct table_line *line = &table->lines[table->line_order[i]];

			if (line->pid != object->pid ||
			    line->address >= object->base + object->size)
				break;
			ARRAY_GROW(links->items, links->n, links->cap);
			links->items[links->n++] = (struct link){(uint32_t)i, (uint32_t)o};
		}
	}
	if (links->n)
		qsort(links->items, links->n, sizeof *links->items, compare_links);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool overlap(const struct object *a, const struct object *b)
{
	return a->base < b->base + b->size && b->base < a->base + a->size;
}

static bool conflict(const struct object *a, const struct object *b)
{
	return overlap(a, b) && !object_embeds(a, b) && !object_embeds(b, a);
}

/* The better one of two that cannot both be: the one more rows bear out, then the larger one. */
static bool is_better(const struct object *a, const struct object *b)
{
	if (a->explained != b->explained)
		return a->explained > b->explained;
	if (a->votes != b->votes)
		return a->votes > b->votes;
	return a->size > b->size;
}

/* The objects of one line that are to be believed. */
struct residents {
	const struct object **items;
	size_t n;
};

/* Of two in conflict at one time the weaker goes. */
static void evict(struct residents *residents)
{
	size_t kept = 0;

	for (size_t i = 0; i < residents->n; i++) {
		const struct object *object = residents->items[i];
		bool stays = true;

		for (size_t k = 0; k < residents->n && stays; k++) {
			const struct object *other = residents->items[k];

			if (other != object && conflict(object, other) &&
			    object->first_slice <= other->last_slice &&
			    other->first_slice <= object->last_slice && is_better(other, object))
				stays = false;
		}
		if (stays)
			residents->items[kept++] = object;
	}
	residents->n = kept;
}

/* Where the line's time is cut: another occupant came. */
static size_t find_cuts(const struct residents *residents, unsigned cuts[C2C_SLICES])
{
	enum { FEWEST = 3 };
	size_t n = 0;

	for (unsigned slice = 1; slice < C2C_SLICES; slice++) {
		bool cut = false;

		for (size_t i = 0; i < residents->n && !cut; i++) {
			const struct object *came = residents->items[i];

			for (size_t k = 0; k < residents->n && !cut; k++) {
				const struct object *went = residents->items[k];

				cut = came->first_slice == slice && went->last_slice < slice &&
				      conflict(came, went) && came->explained >= FEWEST &&
				      went->explained >= FEWEST;
			}
		}
		if (cut)
			cuts[n++] = slice;
	}
	return n;
}

/* ---- naming ---------------------------------------------------------------------------------- */

struct naming {
	const struct c2c_table *table;
	const struct c2c_image *image;
	struct attribution *attribution;
	struct variables variables;
};

/* How well the row's claims agree with the object, and which does. */
static unsigned agreement(const struct naming *naming, const struct named *named,
			  const struct object *object, const struct claim **ret)
{
	const struct table_row *row = &naming->table->rows[named->row];
	uint64_t address = naming->table->lines[row->line].address + row->offset;
	unsigned best = 0;

	for (size_t i = 0; named->run && i < named->run->n; i++) {
		const struct claim *claim = &naming->image->claims[named->run->first + i];
		unsigned found = place_agrees(object->def, address - object->base, claim);

		if (found > best && claim_holds(naming->table, row, claim)) {
			best = found;
			*ret = claim;
		}
	}
	/* Of a function's many claims those alone tell something that have a type. */
	for (size_t i = 0; named->function && i < named->function->n; i++) {
		const struct claim *claim = &named->function->claims[i];
		unsigned found = place_agrees(object->def, address - object->base, claim);

		if (found > best && found > 1) {
			best = found;
			*ret = claim;
		}
	}
	return best;
}

static bool has_typed_claim(const struct naming *naming, const struct named *named)
{
	const struct table_row *row = &naming->table->rows[named->row];

	if (named->function)
		return true;
	for (size_t i = 0; named->run && i < named->run->n; i++) {
		const struct claim *claim = &naming->image->claims[named->run->first + i];

		if (claim->type && claim_holds(naming->table, row, claim))
			return true;
	}
	return false;
}

/* The largest object there that agrees with the row; one that claims nothing goes with the largest.
 */
static bool name_by_object(const struct naming *naming, const struct residents *residents,
			   const struct part *part, struct named *named)
{
	const struct table_row *row = &naming->table->rows[named->row];
	uint64_t address = naming->table->lines[row->line].address + row->offset;
	bool typed = has_typed_claim(naming, named);
	const struct object *best = NULL;
	const struct claim *best_claim = NULL;
	unsigned best_agrees = 0;

	for (size_t i = 0; i < residents->n; i++) {
		const struct object *object = residents->items[i];
		const struct claim *claim = NULL;
		unsigned agrees;

		if (address < object->base || address - object->base >= object->size ||
		    object->last_slice < part->first_slice ||
		    object->first_slice > part->last_slice)
			continue;
		agrees = agreement(naming, named, object, &claim);
		if (!agrees && typed)
			continue;
		if (best && (best->size > object->size ||
			     (best->size == object->size && best_agrees >= agrees)))
			continue;
		best = object;
		best_claim = claim;
		best_agrees = agrees;
	}
	if (!best)
		return false;
	named->object = best;
	named->def = best->def;
	named->base = best->base;
	named->claim = best_claim;
	named->how = named->run && best_claim && claim_is_of(best_claim, best->def) ? HOW_INSN
										    : HOW_CONSENSUS;
	return true;
}

/* No object that could be believed: what the instruction says stands alone. */
static bool name_by_claim(const struct naming *naming, struct named *named)
{
	const struct table_row *row = &naming->table->rows[named->row];
	uint64_t address = naming->table->lines[row->line].address + row->offset;

	for (size_t i = 0; named->run && i < named->run->n; i++) {
		const struct claim *claim = &naming->image->claims[named->run->first + i];
		const struct def *def =
			def_of_claim(naming->image, claim, &naming->attribution->arena);

		if (!claim_holds(naming->table, row, claim) ||
		    (named->claim && (!def || named->def)))
			continue;
		named->claim = claim;
		named->def = claim->offset >= 0 ? def : NULL;
		named->base = address - (uint64_t)claim->offset;
	}
	if (!named->claim)
		return false;
	named->how = HOW_INSN;
	return true;
}

static void name_row(const struct naming *naming, const struct residents *residents,
		     const struct part *part, uint32_t row)
{
	struct attribution *attribution = naming->attribution;
	struct named named = {.row = row, .cpu = -1, .how = HOW_NONE};

	named.run = run_of(naming->image, &naming->table->rows[row]);
	named.function = row_function(naming->image, &naming->table->rows[row]);
	named.none = named.run ? named.run->none : CLAIM_NO_CODE;
	if (named.none != CLAIM_STACK &&
	    !name_by_variable(naming->table, naming->image, &naming->variables, &named) &&
	    !name_by_object(naming, residents, part, &named) && !name_by_claim(naming, &named) &&
	    named.none == CLAIM_MADE)
		named.none = CLAIM_PATCHED;
	ARRAY_GROW(attribution->named, attribution->nnamed, attribution->cap_named);
	attribution->named[attribution->nnamed++] = named;
}

/* The object that most samples of the part are named after. */
static const struct object *heaviest(const struct naming *naming, const struct part *part)
{
	const struct object *best = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < part->n; i++) {
		const struct object *object = naming->attribution->named[part->first + i].object;
		uint64_t sum = 0;

		for (size_t k = 0; object && object != best && k < part->n; k++) {
			const struct named *named = &naming->attribution->named[part->first + k];
			const struct c2c_counts *counts = &naming->table->rows[named->row].counts;

			if (named->object == object)
				sum += 1 + counts->samples + counts->hitm;
		}
		if (sum > most) {
			most = sum;
			best = object;
		}
	}
	return best;
}

static void name_part(const struct naming *naming, const struct residents *residents,
		      struct part part)
{
	const struct table_line *line = &naming->table->lines[part.line];
	struct attribution *attribution = naming->attribution;

	part.first = attribution->nnamed;
	for (size_t i = 0; i < line->nrows; i++) {
		size_t index = line->first + i;
		struct c2c_counts counts;

		row_counts_in(&naming->table->rows[index], part.first_slice, part.last_slice,
			      &counts);
		if (counts.samples)
			name_row(naming, residents, &part, index);
	}
	part.n = attribution->nnamed - part.first;
	part.object = heaviest(naming, &part);
	ARRAY_GROW(attribution->parts, attribution->nparts, attribution->cap_parts);
	attribution->parts[attribution->nparts++] = part;
}

static void name_line(const struct naming *naming, uint32_t line, struct residents *residents)
{
	unsigned cuts[C2C_SLICES];
	size_t ncuts;

	evict(residents);
	ncuts = find_cuts(residents, cuts);
	for (size_t i = 0; i <= ncuts; i++)
		name_part(naming, residents,
			  (struct part){.line = line,
					.is_part = ncuts != 0,
					.first_slice = i ? cuts[i - 1] : 0,
					.last_slice = i < ncuts ? cuts[i] - 1 : C2C_SLICES - 1});
}

static void name_lines(const struct naming *naming)
{
	const struct c2c_table *table = naming->table;
	const struct object **items;
	struct links links = {0};
	size_t at = 0;

	link_objects(table, naming->attribution, &links);
	items = xcalloc(links.n, sizeof *items);
	for (size_t i = 0; i < table->nlines; i++) {
		struct residents residents = {items, 0};

		for (; at < links.n && links.items[at].line == i; at++)
			items[residents.n++] =
				&naming->attribution->objects[links.items[at].object];
		name_line(naming, table->line_order[i], &residents);
	}
	free(items);
	free(links.items);
}

void attribution_find(const struct c2c_table *table, const struct c2c_image *image,
		      const struct embed *embed, struct attribution *ret)
{
	struct naming naming = {.table = table, .image = image, .attribution = ret};

	*ret = (struct attribution){0};
	variables_learn(table, image, &ret->arena, &naming.variables);
	objects_vote(table, image, ret);
	functions_vote(table, image, ret);
	containers_find(table, image, embed, ret);
	name_lines(&naming);
	variables_release(&naming.variables);
}
