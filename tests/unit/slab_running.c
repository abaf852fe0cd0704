/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strides, orders and objects of every cache of the running kernel, as /sys/kernel/slab has them,
 * from the size and the flags that stand there. What cannot be read or told is said.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "layout/slab.h"

#define SLABS "/sys/kernel/slab"

static bool read_text(const char *dir, const char *name, char *ret, size_t cap)
{
	struct buf path = BUF_INIT;
	FILE *file;
	size_t n = 0;

	buf_addf(&path, "%s/%s", dir, name);
	file = fopen(path.s, "r");
	buf_release(&path);
	if (!file)
		return false;
	n = fread(ret, 1, cap - 1, file);
	ret[n] = '\0';
	fclose(file);
	return true;
}

static bool read_value(const char *dir, const char *name, uint64_t *ret)
{
	char text[64], *end;

	if (!read_text(dir, name, text, sizeof text))
		return false;
	*ret = strtoull(text, &end, 10);
	return end != text;
}

static bool running(struct target *ret)
{
	struct utsname names;
	const struct arch *arch;

	if (uname(&names) != 0 || !(arch = arch_by_name(names.machine)))
		return false;
	*ret = (struct target){.arch = arch->name, .bits = arch->bits, .line = arch->line};
	ret->has_kernel = kernel_version_parse(names.release, &ret->kernel);
	return ret->has_kernel;
}

static unsigned processors(void)
{
	char text[64];
	unsigned last;

	if (!read_text("/sys/devices/system/cpu", "present", text, sizeof text) ||
	    sscanf(text, "0-%u", &last) != 1)
		return 0;
	return last + 1;
}

struct cache {
	uint64_t object_size, slab_size, objects, order, align, hwcache_align, rcu;
	bool has_ctor;
};

/* False: unreadable, or made larger by debugging. */
static bool read_cache(const char *dir, struct cache *ret)
{
	static const char *const debugging[] = {"red_zone", "poison", "store_user"};
	char ctor[256];

	for (size_t i = 0; i < ARRAY_SIZE(debugging); i++) {
		uint64_t on;

		if (read_value(dir, debugging[i], &on) && on)
			return false;
	}
	if (!read_text(dir, "ctor", ctor, sizeof ctor))
		return false;
	ret->has_ctor = *ctor != '\0';
	return read_value(dir, "object_size", &ret->object_size) &&
	       read_value(dir, "slab_size", &ret->slab_size) &&
	       read_value(dir, "objs_per_slab", &ret->objects) &&
	       read_value(dir, "order", &ret->order) && read_value(dir, "align", &ret->align) &&
	       read_value(dir, "hwcache_align", &ret->hwcache_align) &&
	       read_value(dir, "destroy_by_rcu", &ret->rcu);
}

struct tally {
	size_t caches, after, either, unread;
};

static void check_stride(const char *name, const struct cache *cache, const struct target *target,
			 struct tally *tally)
{
	struct alloc alloc = {.kind = ALLOC_CACHE,
			      .cache = name,
			      .hwcache_align = cache->hwcache_align,
			      .align = cache->align,
			      .freeptr = cache->has_ctor || cache->rcu ? FREEPTR_AFTER
								       : FREEPTR_INSIDE};
	uint64_t stride = 0;

	assert_true(alloc_stride(&alloc, cache->object_size, target, &stride));
	/* Whether a cache of SLAB_TYPESAFE_BY_RCU has a freeptr_offset is not told. */
	if (stride != cache->slab_size && cache->rcu && !cache->has_ctor) {
		alloc.freeptr = FREEPTR_INSIDE;
		assert_true(alloc_stride(&alloc, cache->object_size, target, &stride));
		tally->either++;
	}
	tally->after += alloc.freeptr == FREEPTR_AFTER;
	if (stride != cache->slab_size)
		fail_msg("%s: size %llu%s%s, align %llu: stride is %llu, not %llu", name,
			 (unsigned long long)cache->object_size, cache->has_ctor ? ", ctor" : "",
			 cache->hwcache_align ? ", hwcache_align" : "",
			 (unsigned long long)cache->align, (unsigned long long)cache->slab_size,
			 (unsigned long long)stride);
}

static void check_slab(const char *name, const struct cache *cache, const struct target *target)
{
	unsigned order = 99;
	uint64_t bytes = 0;

	if (!slab_order(cache->slab_size, processors(), target, &order)) {
		print_message("# %s: the order cannot be told\n", name);
		return;
	}
	assert_true(slab_bytes(order, target, &bytes));
	if (order != cache->order || bytes / cache->slab_size != cache->objects)
		fail_msg("%s: %llu objects in order %llu, not %llu in order %u", name,
			 (unsigned long long)cache->objects, (unsigned long long)cache->order,
			 (unsigned long long)(bytes / cache->slab_size), order);
}

/* A link is another name of a cache that several share. */
static bool is_cache(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void test_every_cache(void **state)
{
	DIR *dir = opendir(SLABS);
	struct tally tally = {0};
	struct target target;

	(void)state;
	if (!dir || !running(&target)) {
		print_message("# no readable " SLABS ": nothing was compared\n");
		if (dir)
			closedir(dir);
		return;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct buf path = BUF_INIT;
		struct cache cache;

		buf_addf(&path, SLABS "/%s", entry->d_name);
		if (entry->d_name[0] != '.' && is_cache(path.s)) {
			if (read_cache(path.s, &cache)) {
				check_stride(entry->d_name, &cache, &target, &tally);
				check_slab(entry->d_name, &cache, &target);
				tally.caches++;
			} else {
				tally.unread++;
			}
		}
		buf_release(&path);
	}
	closedir(dir);
	print_message("# %zu caches, %zu with the free pointer behind the object, %zu that keep "
		      "it inside in spite of RCU, %zu unreadable or debugged\n",
		      tally.caches, tally.after, tally.either, tally.unread);
	if (!tally.unread)
		assert_true(tally.caches > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_cache)};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
