/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that no instruction names, and that must be there all the same: what is seen is a part of
 * them. A holder of a type is taken when it is the only one that can be, which two things tell:
 *
 *	rows beyond the part	claim what just one holder has there
 *	where the part begins	is no place that kmalloc() gives to an object of its size, and is
 *				one inside just one holder, by more than chance
 *	where several begin	are places that a slab of holders has
 */
#include <stdlib.h>

#include "base/math.h"
#include "c2c/attribution.h"
#include "c2c/place.h"
#include "layout/slab.h"

/* Holders looked at of one type: of a spinlock_t there are thousands, and nothing tells them apart.
 */
enum { MOST_HOLDERS = 256 };

static struct object holder_at(const struct object *part, const struct holder *holder)
{
	struct object object = *part;

	object.def = holder->outer;
	object.size = holder->outer->type->bits / 8;
	object.base = part->base - holder->offset;
	object.votes = object.explained = object.contradicted = 0;
	return object;
}

/* ---- by rows beyond -------------------------------------------------------------------------- */

/* The only holder that more rows bear out than the part; false: none, or several. */
static bool find_by_rows(const struct c2c_table *table, const struct c2c_image *image,
			 const struct object *part, const struct embed_name *holders, size_t n,
			 struct object *ret)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		struct object object = holder_at(part, &holders[i].holder);

		object_judge(table, image, &object);
		if (!object.accepted || object.contradicted || object.explained <= part->explained)
			continue;
		if (!found || object.explained > ret->explained) {
			*ret = object;
			found = 1;
		} else if (object.explained == ret->explained) {
			found++;
		}
	}
	return found == 1;
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
static bool find_by_place(const struct c2c_table *table, const struct c2c_image *image,
			  const struct object *part, const struct embed_name *holders, size_t n,
			  struct object *ret)
{
	enum { STEP = 8, LEAST_ODDS = 20 };
	const struct target *target = &image->layout->target;
	double chance = 0;
	size_t found = 0;

	if (!is_kernel_address(part->base) || kmalloc_gives(part, target))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct object object = holder_at(part, &holders[i].holder);
		uint64_t bucket;

		if (!kmalloc_bucket(object.size, target, &bucket))
			continue;
		chance += (double)STEP / (double)bucket;
		object_judge(table, image, &object);
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
			 const struct embed_name *holders, size_t n, struct object *ret)
{
	enum { LEAST_STRIDE = 256, ENOUGH = 2 };
	struct slab_of slab;
	size_t most = best_slab(group, part, part->size, 0, &slab);
	bool found = false;

	if (!is_kernel_address(part->base) || group->n < ENOUGH)
		return false;
	for (size_t i = 0; i < n; i++) {
		struct object object = holder_at(part, &holders[i].holder);
		size_t fit = best_slab(group, part, object.size, holders[i].holder.offset, &slab);

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

static struct group group_of(const struct attribution *attribution, const struct object *part,
			     const struct object **items)
{
	struct group group = {items, 0};

	for (size_t i = 0; i < attribution->nobjects; i++) {
		const struct object *object = &attribution->objects[i];

		if (object->accepted && object->def == part->def && object->pid == part->pid)
			items[group.n++] = object;
	}
	return group;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool find_in_slab(const struct c2c_table *table, const struct c2c_image *image,
			 const struct attribution *attribution, const struct object *part,
			 const struct embed_name *holders, size_t n, const struct object **items,
			 struct object *ret)
{
	const struct group group = group_of(attribution, part, items);

	if (!image->layout->target.module || !find_by_slab(&group, part, holders, n, ret))
		return false;
	object_judge(table, image, ret);
	return ret->accepted;
}

struct objects {
	struct object *items;
	size_t n, cap;
};

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
	return part + 1 < attribution->nobjects &&
	       attribution->objects[part + 1].base == object->base &&
	       attribution->objects[part + 1].size > object->size;
}

void containers_find(const struct c2c_table *table, const struct c2c_image *image,
		     const struct embed *embed, struct attribution *attribution)
{
	size_t n = attribution->nobjects;
	const struct object **items = xcalloc(n, sizeof *items);
	struct objects found_all = {0};

	for (size_t i = 0; i < n && image->layout; i++) {
		const struct object part = attribution->objects[i];
		const struct embed_name *holders;
		struct object found;
		size_t nholders;

		if (!part.accepted || is_held(attribution, i))
			continue;
		nholders = embed_holders(embed, part.def->name, &holders);
		if (!nholders || nholders > MOST_HOLDERS ||
		    (!find_by_rows(table, image, &part, holders, nholders, &found) &&
		     !find_by_place(table, image, &part, holders, nholders, &found) &&
		     !find_in_slab(table, image, attribution, &part, holders, nholders, items,
				   &found)))
			continue;
		ARRAY_GROW(found_all.items, found_all.n, found_all.cap);
		found_all.items[found_all.n++] = found;
	}
	for (size_t i = 0; i < found_all.n; i++) {
		ARRAY_GROW(attribution->objects, attribution->nobjects, attribution->cap_objects);
		attribution->objects[attribution->nobjects++] = found_all.items[i];
	}
	free(found_all.items);
	free(items);
	objects_sort(attribution);
}
