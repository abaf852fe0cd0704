/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How large a slab is: calculate_order() of mm/slub.c as it was before 6.7, and as it is since. */
#include "layout/slab.h"

#include <string.h>

#include "base/mem.h"

enum {
	PAGE = 4096,
	MOST_ORDER = 3,       /* slub_max_order: PAGE_ALLOC_COSTLY_ORDER */
	LARGEST_ORDER = 10,   /* MAX_ORDER: what the page allocator gives at all */
	MOST_OBJECTS = 32767, /* MAX_OBJS_PER_PAGE: the counter has 15 bits */
};

/*
 * Machines on which a page is 4 KiB whatever the configuration. On the others (arm64, ppc64, mips,
 * ...) it is a choice of the configuration.
 */
static bool page_is_known(const struct target *target)
{
	static const char *const names[] = {"x86_64", "i386", "s390x", "riscv64", "arm"};

	for (size_t i = 0; target->arch && i < ARRAY_SIZE(names); i++)
		if (strcmp(target->arch, names[i]) == 0)
			return true;
	return false;
}

static uint64_t bytes_of(unsigned order)
{
	return (uint64_t)PAGE << order;
}

/* get_order(): of the smallest slab that holds so many bytes. */
static unsigned order_of(uint64_t bytes)
{
	unsigned order = 0;

	while (bytes_of(order) < bytes)
		order++;
	return order;
}

/* fls(): 1 for 1, 2 for 2 and 3, 3 for 4 to 7. */
static unsigned bits_of(unsigned n)
{
	unsigned bits = 0;

	for (; n; n /= 2)
		bits++;
	return bits;
}

/* calc_slab_order(): the first from @order on that wastes at most 1/@fraction; else one past the
 * most. */
static unsigned order_with_waste(uint64_t stride, unsigned order, unsigned fraction)
{
	for (; order <= MOST_ORDER; order++)
		if (bytes_of(order) % stride <= bytes_of(order) / fraction)
			break;
	return order;
}

/* Before 6.7: fewer and fewer objects, for each less and less strict about waste. */
static unsigned order_by_objects(uint64_t stride, uint64_t objects)
{
	for (; objects > 1; objects--)
		for (unsigned fraction = 16; fraction >= 4; fraction /= 2) {
			unsigned order =
				order_with_waste(stride, order_of(objects * stride), fraction);

			if (order <= MOST_ORDER)
				return order;
		}
	return order_of(stride);
}

static unsigned order_by_waste(uint64_t stride, uint64_t objects)
{
	for (unsigned fraction = 16; fraction > 1; fraction /= 2) {
		unsigned order = order_with_waste(stride, order_of(objects * stride), fraction);

		if (order <= MOST_ORDER)
			return order;
	}
	return order_of(stride);
}

static unsigned choose_order(uint64_t stride, unsigned cpus, const struct target *target)
{
	static const struct kernel_version since = {6, 7, 0};
	uint64_t objects = 4 * (bits_of(cpus) + 1), most = bytes_of(MOST_ORDER) / stride;
	unsigned order;

	if (objects > most)
		objects = most ? most : 1;
	if (bytes_of(order_of(objects * stride)) / stride > MOST_OBJECTS) {
		order = order_of(stride * MOST_OBJECTS);
		return order ? order - 1 : 0;
	}
	return kernel_version_compare(target->kernel, since) < 0 ? order_by_objects(stride, objects)
								 : order_by_waste(stride, objects);
}

bool slab_order(uint64_t stride, unsigned cpus, const struct target *target, unsigned *ret)
{
	if (!stride || !cpus || !target->has_kernel || !page_is_known(target) ||
	    stride > bytes_of(LARGEST_ORDER))
		return false;
	*ret = choose_order(stride, cpus, target);
	return true;
}

bool slab_bytes(unsigned order, const struct target *target, uint64_t *ret)
{
	if (!page_is_known(target) || order > LARGEST_ORDER)
		return false;
	*ret = bytes_of(order);
	return true;
}

bool slab_objects(uint64_t stride, unsigned cpus, const struct target *target, uint64_t *ret)
{
	unsigned order;

	if (!slab_order(stride, cpus, target, &order))
		return false;
	*ret = bytes_of(order) / stride;
	return true;
}
