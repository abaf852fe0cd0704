/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that no instruction names, and that must be there all the same: what is seen is a part of
 * them. A holder of a type is taken when it is the only one that can be, which two things tell:
 *
 *	rows beyond the part	claim what just one holder has there, or what holds that in turn
 *	where the part begins	is no place that kmalloc() gives to an object of its size, and is
 *				one inside just one holder, by more than chance
 *	where several begin	are places that a slab of holders has
 */
#include <stdlib.h>

#include "base/math.h"
#include "c2c/attribution.h"
#include "c2c/place.h"
#include "layout/slab.h"

/*
 * Holders looked at of one type: of a spinlock_t there are thousands, and nothing tells them apart.
 * Of a rw_semaphore there are hundreds: those are looked at that have a neighbour where it is.
 */
enum { MOST_HOLDERS = 256, MOST_WITH_NEIGHBOUR = 2048 };

/* What is looked for in, and with. */
struct search {
	const struct c2c_table *table;
	const struct c2c_image *image;
	const struct embed *embed;
	struct attribution *attribution;
	const struct object **group; /* room for as many as there are objects */
};

/* Where the type of a part is by value. */
struct holders {
	const struct embed_name *items;
	size_t n;
};

static struct object holder_at(const struct object *part, const struct holder *holder)
{
	struct object object = *part;

	object.def = holder->outer;
	object.size = holder->outer->type->bits / 8;
	object.base = part->base - holder->offset;
	object.votes = object.explained = object.contradicted = 0;
	object.was_lifted = false;
	return object;
}

/* ---- by rows beyond -------------------------------------------------------------------------- */

struct objects {
	struct object *items;
	size_t n, cap;
};

static void push(struct objects *objects, const struct object *object)
{
	ARRAY_GROW(objects->items, objects->n, objects->cap);
	objects->items[objects->n++] = *object;
}

/*
 * What is there for certain when any of several can be: the one that all others hold just there, as
 * an inode holds the address_space in it.
 */
static const struct object *innermost(const struct objects *objects)
{
	for (size_t i = 0; i < objects->n; i++) {
		bool all = true;

		for (size_t k = 0; k < objects->n && all; k++)
			all = k == i || object_embeds(&objects->items[k], &objects->items[i]);
		if (all)
			return &objects->items[i];
	}
	return NULL;
}

/* Believed objects that stand close to another one, and not in each other. */
enum { MOST_NEIGHBOURS = 8 };

struct neighbours {
	const struct object *items[MOST_NEIGHBOURS];
	size_t n;
};

static bool has_neighbour(const struct embed *embed, const struct object *part,
			  const struct holder *holder, const struct neighbours *neighbours)
{
	uint64_t base = part->base - holder->offset;

	for (size_t i = 0; i < neighbours->n; i++) {
		const struct object *other = neighbours->items[i];

		if (other->base >= base &&
		    embed_holds(embed, holder->outer, other->def->name, other->base - base))
			return true;
	}
	return false;
}

/*
 * The holder that more rows bear out than the part, and than any other that does not hold it;
 * false: none, or several that have nothing to do with each other. Of many holders only those are
 * tried that have a neighbour of the part where it is.
 */
static bool find_by_rows(const struct search *search, const struct object *part,
			 const struct neighbours *neighbours, const struct holders *holders,
			 struct object *ret)
{
	const struct object *found;
	struct objects best = {0};

	for (size_t i = 0; i < holders->n; i++) {
		const struct holder *holder = &holders->items[i].holder;
		struct object object = holder_at(part, holder);

		if (holders->n > MOST_HOLDERS &&
		    !has_neighbour(search->embed, part, holder, neighbours))
			continue;
		object_judge(search->table, search->image, &object);
		if (!object.accepted || object.contradicted || object.explained <= part->explained)
			continue;
		if (best.n && object.explained > best.items[0].explained)
			best.n = 0;
		if (!best.n || object.explained == best.items[0].explained)
			push(&best, &object);
	}
	found = innermost(&best);
	if (found)
		*ret = *found;
	free(best.items);
	return found;
}

/* ---- by place -------------------------------------------------------------------------------- */

/*
 * Buckets that are powers of two give multiples of themselves; 96 and 192, multiples from the start
 * of a page.
 */
static bool kmalloc_gives(const struct object *object, const struct target *target)
{
	enum { PAGE = 4096 };
	size_t n = 0; /* of a machine whose buckets are not known */
	const uint64_t *buckets = kmalloc_buckets(target, &n);

	for (size_t i = 0; i < n; i++) {
		bool is_power = (buckets[i] & (buckets[i] - 1)) == 0;

		if (buckets[i] >= object->size &&
		    (is_power ? object->base : object->base % PAGE) % buckets[i] == 0)
			return true;
	}
	return false;
}

/* The only holder that kmalloc() would put just there; false: none, several, or by chance. */
static bool find_by_place(const struct search *search, const struct object *part,
			  const struct holders *holders, struct object *ret)
{
	enum { STEP = 8, LEAST_ODDS = 20 };
	const struct target *target = &search->image->layout->target;
	double chance = 0;
	size_t found = 0;

	if (!is_kernel_address(part->base) || kmalloc_gives(part, target))
		return false;
	for (size_t i = 0; i < holders->n; i++) {
		struct object object = holder_at(part, &holders->items[i].holder);
		uint64_t bucket;

		if (!kmalloc_bucket(object.size, target, &bucket))
			continue;
		chance += (double)STEP / (double)bucket;
		object_judge(search->table, search->image, &object);
		if (!object.accepted || object.contradicted || !kmalloc_gives(&object, target))
			continue;
		*ret = object;
		found++;
	}
	return found == 1 && chance * LEAST_ODDS < 1;
}

/* ---- by the places of several -----------------------------------------------------------------
 */

/* Objects of a slab: every @stride bytes from a multiple of a page's @order. */
struct slab_of {
	uint64_t offset, stride; /* of the part in the object; from object to object */
	unsigned order;
};

static bool slab_has(const struct slab_of *slab, uint64_t base)
{
	const uint64_t page = 4096;
	uint64_t into = (base - slab->offset) & ((page << slab->order) - 1);

	return into % slab->stride == 0;
}

/* Believed parts of one type, each at another place. */
struct group {
	const struct object **items;
	size_t n;
};

static size_t count_in(const struct slab_of *slab, const struct group *group)
{
	size_t n = 0;

	for (size_t i = 0; i < group->n; i++)
		n += slab_has(slab, group->items[i]->base);
	return n;
}

/* The slab of objects of @size that @one and most others of the group are in; returns how many are.
 */
static size_t best_slab(const struct group *group, const struct object *one, uint64_t size,
			uint64_t offset, struct slab_of *ret)
{
	enum { WORD = 8, LINE = 64, ORDERS = 4 };
	const uint64_t word_up = (size + WORD - 1) / WORD * WORD;
	const uint64_t strides[] = {word_up, word_up + WORD, (size + LINE - 1) / LINE * LINE};
	size_t most = 0;

	for (size_t s = 0; s < ARRAY_SIZE(strides); s++)
		for (unsigned order = 0; order < ORDERS; order++) {
			const struct slab_of slab = {offset, strides[s], order};
			size_t n = slab_has(&slab, one->base) ? count_in(&slab, group) : 0;

			if (n > most) {
				most = n;
				*ret = slab;
			}
		}
	return most;
}

/*
 * The holder whose slabs have @part and another one of its type where they are. By chance a place
 * fits once in stride / 8, two fit once in the square of that; small ones tell nothing.
 */
static bool find_by_slab(const struct group *group, const struct object *part,
			 const struct holders *holders, struct object *ret)
{
	enum { LEAST_STRIDE = 256, ENOUGH = 2 };
	struct slab_of slab;
	size_t most = best_slab(group, part, part->size, 0, &slab);
	bool found = false;

	if (!is_kernel_address(part->base) || group->n < ENOUGH)
		return false;
	for (size_t i = 0; i < holders->n; i++) {
		const struct holder *holder = &holders->items[i].holder;
		struct object object = holder_at(part, holder);
		size_t fit = best_slab(group, part, object.size, holder->offset, &slab);

		if (fit > most && fit >= ENOUGH && object.size >= LEAST_STRIDE) {
			*ret = object;
			found = true;
			most = fit;
		} else if (fit == most) {
			found = false;
		}
	}
	return found;
}

static struct group group_of(const struct search *search, const struct object *part)
{
	const struct attribution *attribution = search->attribution;
	struct group group = {search->group, 0};

	for (size_t i = 0; i < attribution->nobjects; i++) {
		const struct object *object = &attribution->objects[i];

		if (object->accepted && object->def == part->def && object->pid == part->pid)
			search->group[group.n++] = object;
	}
	return group;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool find_in_slab(const struct search *search, const struct object *part,
			 const struct holders *holders, struct object *ret)
{
	const struct group group = group_of(search, part);

	if (!search->image->layout->target.module || !find_by_slab(&group, part, holders, ret))
		return false;
	object_judge(search->table, search->image, ret);
	return ret->accepted;
}

/* A larger one that was believed holds it already. */
static bool is_held(const struct attribution *attribution, size_t part)
{
	const struct object *object = &attribution->objects[part];

	for (size_t i = part; i-- > 0;) {
		const struct object *other = &attribution->objects[i];

		if (other->pid != object->pid || object->base - other->base > LARGEST_OBJECT)
			break;
		if (other->accepted && other->size > object->size &&
		    object->base - other->base < other->size)
			return true;
	}
	return false;
}

/* Near enough for the same lines or those beside them, at the same time, and not of one place. */
static bool are_neighbours(const struct object *a, const struct object *b)
{
	return a->first_slice <= b->last_slice && b->first_slice <= a->last_slice &&
	       (a->base + a->size <= b->base || b->base + b->size <= a->base);
}

static struct neighbours neighbours_of(const struct attribution *attribution, size_t part)
{
	enum { FARTHEST = 512 };
	const struct object *object = &attribution->objects[part];
	struct neighbours neighbours = {.n = 0};

	for (int step = -1; step <= 1; step += 2)
		for (size_t i = part + (size_t)step;
		     i < attribution->nobjects && neighbours.n < MOST_NEIGHBOURS;
		     i += (size_t)step) {
			const struct object *other = &attribution->objects[i];
			uint64_t distance =
				step < 0 ? object->base - other->base : other->base - object->base;

			if (other->pid != object->pid || distance > FARTHEST)
				break;
			if (other->accepted && are_neighbours(object, other))
				neighbours.items[neighbours.n++] = other;
		}
	return neighbours;
}

static bool find_container(const struct search *search, size_t part, struct object *ret)
{
	const struct object *object = &search->attribution->objects[part];
	struct holders holders;
	struct neighbours neighbours;

	holders.n = embed_holders(search->embed, object->def->name, &holders.items);
	if (!holders.n || holders.n > MOST_WITH_NEIGHBOUR)
		return false;
	neighbours = neighbours_of(search->attribution, part);
	if (find_by_rows(search, object, &neighbours, &holders, ret))
		return true;
	return holders.n <= MOST_HOLDERS && (find_by_place(search, object, &holders, ret) ||
					     find_in_slab(search, object, &holders, ret));
}

static void add_found(struct attribution *attribution, const struct objects *found)
{
	for (size_t i = 0; i < found->n; i++) {
		ARRAY_GROW(attribution->objects, attribution->nobjects, attribution->cap_objects);
		attribution->objects[attribution->nobjects++] = found->items[i];
	}
	objects_sort(attribution);
}

/* Of those that were there, not of what is found. Returns whether there is any. */
static bool find_once(const struct search *search)
{
	struct attribution *attribution = search->attribution;
	struct objects found_all = {0};

	for (size_t i = 0; i < attribution->nobjects; i++) {
		struct object *part = &attribution->objects[i];
		struct object found;

		if (part->was_lifted || !part->accepted || is_held(attribution, i))
			continue;
		part->was_lifted = true;
		if (find_container(search, i, &found))
			push(&found_all, &found);
	}
	add_found(attribution, &found_all);
	free(found_all.items);
	return found_all.n != 0;
}

void containers_find(const struct c2c_table *table, const struct c2c_image *image,
		     const struct embed *embed, struct attribution *attribution)
{
	enum { DEEPEST = 8 };
	struct search search = {table, image, embed, attribution, NULL};
	bool any = image->layout;

	/* A container may be a part, too. */
	for (unsigned i = 0; any && i < DEEPEST; i++) {
		search.group = xcalloc(attribution->nobjects, sizeof *search.group);
		any = find_once(&search);
		free(search.group);
	}
}
