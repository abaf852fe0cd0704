/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/pointee.h"

void pointees_add(struct pointees *list, const struct pointee *p)
{
	for (unsigned i = 0; i < list->n; i++) {
		struct pointee *old = &list->items[i];

		if (old->type != p->type || old->offset != p->offset ||
		    old->has_address != p->has_address || old->address != p->address)
			continue;
		old->is_exact &= p->is_exact;
		old->is_tracked &= p->is_tracked;
		old->is_doubtful &= p->is_doubtful;
		if (!old->variable)
			old->variable = p->variable;
		return;
	}
	if (list->n < POINTEES_MAX)
		list->items[list->n++] = *p;
}

void pointees_join(struct pointees *list, const struct pointees *more)
{
	for (unsigned i = 0; i < more->n; i++)
		pointees_add(list, &more->items[i]);
	list->is_plain |= more->is_plain;
}

bool pointees_add_object(struct ctypes *types, struct pointees *list, const struct ctype *type,
			 int64_t offset, bool is_exact, const char *variable)
{
	struct pointee p = {.offset = offset, .is_exact = is_exact, .variable = variable};

	if (!ctype_element(types, type, &p.type))
		return false;
	if (!p.type || p.type->kind == CTYPE_FUNCTION)
		return true;
	pointees_add(list, &p);
	return true;
}

bool pointees_add_target(struct ctypes *types, struct pointees *list, const struct ctype *type,
			 int64_t offset, bool is_exact, const char *variable)
{
	const struct ctype *target;

	if (!ctype_target(types, type, &target))
		return false;
	return !target || pointees_add_object(types, list, target, offset, is_exact, variable);
}

/* ---- of several answers ---------------------------------------------------------------------- */

static bool is_composite(const struct pointee *p)
{
	return p->type && p->type->kind == CTYPE_COMPOSITE;
}

/* What @inner says is a part of what @outer says. */
static bool is_part(struct ctypes *types, const struct pointee *inner, const struct pointee *outer,
		    bool *ret)
{
	int64_t at = (int64_t)((uint64_t)outer->offset - (uint64_t)inner->offset);

	*ret = false;
	if (!inner->type || !is_composite(outer))
		return true;
	if (outer->is_exact && outer->type->has_size &&
	    (at < 0 || (uint64_t)at >= outer->type->size))
		return true;
	return ctype_holds(types, outer->type, at, inner->type, ret);
}

/* A pointer to a number says little: whoever has it may have taken it out of a struct. */
static bool is_inside(const struct pointee *p)
{
	return is_composite(p) && p->type->has_size && p->offset >= 0 &&
	       (uint64_t)p->offset < p->type->size;
}

static void keep_address(struct pointee *to, const struct pointee *from)
{
	if (to->has_address || !from->has_address)
		return;
	to->has_address = true;
	to->address = from->address;
	to->is_percpu = from->is_percpu;
}

/* One of @further against all of @list: true in *ret when it takes their place. */
static bool supersedes(struct ctypes *types, const struct pointees *list,
		       const struct pointee *further, bool *ret)
{
	bool all_scalars = true;

	*ret = false;
	for (unsigned i = 0; i < list->n; i++) {
		const struct pointee *near = &list->items[i];

		if (further->type == near->type && further->offset == near->offset)
			return true;
		if (!is_part(types, near, further, ret))
			return false;
		if (*ret)
			return true;
		all_scalars &= !is_composite(near);
	}
	*ret = all_scalars && is_inside(further);
	return true;
}

bool pointees_refine(struct ctypes *types, struct pointees *list, const struct pointees *further)
{
	struct pointees outer = {.n = 0};

	list->is_plain |= further->is_plain;
	if (!list->n) {
		pointees_join(list, further);
		return true;
	}
	for (unsigned i = 0; i < further->n; i++) {
		const struct pointee *p = &further->items[i];
		bool better;

		if (!supersedes(types, list, p, &better))
			return false;
		if (better)
			pointees_add(&outer, p);
		else if (list->n == 1 && list->items[0].type == p->type &&
			 list->items[0].offset == p->offset)
			keep_address(&list->items[0], p);
	}
	if (outer.n) {
		outer.is_plain = list->is_plain;
		*list = outer;
	}
	return true;
}
