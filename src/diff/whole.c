/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type as a whole: its size and what follows from it, its alignment, its padding. */
#include <inttypes.h>

#include "base/buf.h"
#include "diff/compare.h"

/* ---- size ---------------------------------------------------------------------------------- */

/* A number of both sides; false: a side does not know it. */
struct both {
	uint64_t was, now;
};

static bool lines_of(const struct comparison *c, struct both *ret)
{
	uint64_t bits = c->line * 8;

	if (!bits)
		return false;
	ret->was = c->old.bits / bits + (c->old.bits % bits != 0);
	ret->now = c->new.bits / bits + (c->new.bits % bits != 0);
	return true;
}

static bool buckets_of(const struct comparison *c, struct both *ret)
{
	return kmalloc_bucket(c->old.bits / 8, &c->before->target, &ret->was) &&
	       kmalloc_bucket(c->new.bits / 8, &c->after->target, &ret->now);
}

/* A cache of its own for the type, without further wishes. */
static bool slab_objects_of(uint64_t bits, const struct target *target, unsigned cpus,
			    uint64_t *ret)
{
	const struct alloc alloc = {.kind = ALLOC_CACHE};
	uint64_t stride;

	return cpus && alloc_stride(&alloc, bits / 8, target, &stride) &&
	       slab_objects(stride, cpus, target, ret);
}

bool objects_of(const struct comparison *c, const struct def_pair *pair, uint64_t *was,
		uint64_t *now)
{
	unsigned cpus = c->options->cpus;

	return slab_objects_of(pair->old->type->bits, &c->before->target, cpus, was) &&
	       slab_objects_of(pair->new->type->bits, &c->after->target, cpus, now);
}

/* "1k" above half of that, as the kernel names its caches. */
static const char *bucket_name(uint64_t size, struct arena *arena)
{
	if (size >= 1024 && size % 1024 == 0)
		return arena_printf(arena, "kmalloc-%" PRIu64 "k", size / 1024);
	return arena_printf(arena, "kmalloc-%" PRIu64, size);
}

static void tell_size(struct comparison *c)
{
	struct change change = change_new(CHANGE_SIZE);
	struct buf text = BUF_INIT;
	struct both n;

	buf_addf(&text, "size %s from %" PRIu64 " to %" PRIu64 " bytes",
		 c->new.bits > c->old.bits ? "grew" : "shrank", c->old.bits / 8, c->new.bits / 8);
	if (lines_of(c, &n) && n.was != n.now) {
		buf_addf(&text, ", %" PRIu64 " to %" PRIu64 " line%s", n.was, n.now,
			 n.now == 1 ? "" : "s");
		if (n.now > n.was)
			change.severity = SEVERITY_WARNING;
	}
	if (buckets_of(c, &n) && n.was != n.now) {
		buf_addf(&text, ", %s to %s", bucket_name(n.was, c->arena),
			 bucket_name(n.now, c->arena));
		if (n.now > n.was)
			change.severity = SEVERITY_WARNING;
	}
	if (objects_of(c, c->pair, &n.was, &n.now) && n.was != n.now) {
		buf_addf(&text, ", %" PRIu64 " to %" PRIu64 " objects a slab", n.was, n.now);
		if (n.now < n.was)
			change.severity = SEVERITY_WARNING;
	}
	change.was = arena_printf(c->arena, "%" PRIu64, c->old.bits / 8);
	change.now = arena_printf(c->arena, "%" PRIu64, c->new.bits / 8);
	change.message = arena_strdup(c->arena, text.s);
	change.cause = explain_size(c);
	compare_add(c, &change);
	buf_release(&text);
}

/* ---- alignment ----------------------------------------------------------------------------- */

const char *align_text(bool has_align, uint64_t align, struct arena *arena)
{
	return has_align ? arena_printf(arena, "%" PRIu64, align) : "natural";
}

static void tell_align(struct comparison *c)
{
	const struct type *old = c->pair->old->type, *new = c->pair->new->type;
	struct change change = change_new(CHANGE_ALIGN);

	change.was = align_text(old->has_align, old->align, c->arena);
	change.now = align_text(new->has_align, new->align, c->arena);
	change.message =
		arena_printf(c->arena, "alignment changed from %s to %s", change.was, change.now);
	compare_add(c, &change);
}

/* ---- padding ------------------------------------------------------------------------------- */

/* False: it is not known. */
static bool padding_of(const struct type *type, struct arena *arena, uint64_t *ret)
{
	struct geometry geometry;

	geometry_of(type, 0, arena, &geometry);
	*ret = geometry.padding;
	return type->has_size && !geometry.leaves.has_dynamic;
}

static void tell_padding(struct comparison *c)
{
	struct change change = change_new(CHANGE_PADDING);
	uint64_t was, now;

	if (!padding_of(c->pair->old->type, &c->scratch, &was) ||
	    !padding_of(c->pair->new->type, &c->scratch, &now) || was == now)
		return;
	change.was = arena_printf(c->arena, "%" PRIu64, was);
	change.now = arena_printf(c->arena, "%" PRIu64, now);
	change.message = arena_printf(c->arena, "padding %s from %s to %s bytes",
				      now > was ? "grew" : "shrank", change.was, change.now);
	compare_add(c, &change);
}

void compare_whole(struct comparison *c)
{
	const struct type *old = c->pair->old->type, *new = c->pair->new->type;

	if (old->has_size && new->has_size && old->bits != new->bits)
		tell_size(c);
	if (c->aligns &&
	    (old->has_align != new->has_align || (old->has_align && old->align != new->align)))
		tell_align(c);
	tell_padding(c);
}
