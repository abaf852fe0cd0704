/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slab arithmetic, against the source's own rules, and against the running kernel's /proc/slabinfo
 * where it can be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "layout/slab.h"

static struct target target_of(const char *arch, unsigned major, unsigned minor, unsigned patch)
{
	const struct arch *row = arch_by_name(arch);

	assert_non_null(row);
	return (struct target){.arch = arch,
			       .bits = row->bits,
			       .line = row->line,
			       .has_kernel = true,
			       .kernel = {major, minor, patch}};
}

/* ---- buckets --------------------------------------------------------------------------------- */

static uint64_t bucket(const struct target *target, uint64_t size)
{
	uint64_t ret = 0;

	bool found = kmalloc_bucket(size, target, &ret);

	assert_int_equal(found, ret != 0);
	return ret;
}

/*
 * The rule that mm/slab_common.c makes buckets by, from the smallest one that the machine allows:
 * powers of two, 96 up to a minimum of 32, 192 up to one of 64.
 */
static uint64_t by_the_rule(uint64_t size, uint64_t minimum)
{
	uint64_t power = minimum;

	if (size > 64 && size <= 96 && minimum <= 32)
		return 96;
	if (size > 128 && size <= 192 && minimum <= 64)
		return 192;
	while (power < size)
		power *= 2;
	return power;
}

static void buckets_by_the_rule(void **state)
{
	static const struct {
		const char *arch;
		unsigned major, minor, patch;
		uint64_t minimum;
	} rows[] = {
		{"x86_64", 6, 12, 0, 8},    {"x86_64", 2, 6, 32, 8}, {"i386", 3, 2, 0, 8},
		{"s390x", 6, 1, 0, 8},      {"ppc64le", 6, 1, 0, 8}, {"arm64", 6, 5, 0, 8},
		{"aarch64", 6, 4, 99, 128}, {"arm64", 4, 9, 0, 128}, {"riscv64", 5, 19, 0, 8},
		{"riscv64", 6, 12, 0, 8},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct target target =
			target_of(rows[i].arch, rows[i].major, rows[i].minor, rows[i].patch);

		for (uint64_t size = 1; size <= 8192; size++)
			if (bucket(&target, size) != by_the_rule(size, rows[i].minimum))
				fail_msg("%s %u.%u: %llu lands in %llu", rows[i].arch,
					 rows[i].major, rows[i].minor, (unsigned long long)size,
					 (unsigned long long)bucket(&target, size));
		assert_int_equal(bucket(&target, 8193), 0);
		assert_int_equal(bucket(&target, UINT64_MAX), 0);
		assert_int_equal(bucket(&target, 0), 0);
	}
}

/* arm has lines of 32 or 64 bytes, and the version does not say which. */
static void buckets_that_every_configuration_has(void **state)
{
	struct target target = target_of("arm", 6, 1, 0);
	struct alloc kmalloc = {.kind = ALLOC_KMALLOC};
	uint64_t ret;

	(void)state;
	for (uint64_t size = 1; size <= 8192; size++) {
		uint64_t small = by_the_rule(size, 32), large = by_the_rule(size, 64);

		assert_int_equal(bucket(&target, size), small == large ? small : 0);
	}
	assert_int_equal(bucket(&target, 32), 0);
	assert_int_equal(bucket(&target, 96), 0);
	assert_int_equal(bucket(&target, 97), 128);
	assert_false(alloc_stride(&kmalloc, 96, &target, &ret));
	assert_true(alloc_base(&kmalloc, 180, 0, 64, &target, &ret));
	assert_int_equal(ret, 64);
	assert_true(alloc_stride(&kmalloc, 8193, &target, &ret));
	assert_int_equal(ret, 16384);
}

static void unknown_is_not_guessed(void **state)
{
	struct target target = target_of("x86_64", 6, 12, 0);
	struct alloc kmalloc = {.kind = ALLOC_KMALLOC};
	uint64_t ret;
	size_t n;

	(void)state;
	assert_non_null(kmalloc_buckets(&target, &n));
	assert_int_equal(n, 13);
	target.has_kernel = false;
	assert_null(kmalloc_buckets(&target, &n));
	assert_false(alloc_stride(&kmalloc, 64, &target, &ret));
	assert_false(alloc_base(&kmalloc, 64, 8, 64, &target, &ret));
	target = target_of("x86_64", 2, 6, 14);
	assert_null(kmalloc_buckets(&target, &n));
	target = target_of("riscv64", 6, 6, 0);
	assert_null(kmalloc_buckets(&target, &n));
	target = target_of("arm", 6, 12, 0);
	assert_null(kmalloc_buckets(&target, &n));
	target = (struct target){.has_kernel = true, .kernel = {6, 12, 0}};
	assert_null(kmalloc_buckets(&target, &n));
	target.arch = "pdp11";
	assert_null(kmalloc_buckets(&target, &n));
}

/* ---- the running kernel ---------------------------------------------------------------------- */

/* The target this test runs on; false for a kernel or a machine that the tables do not know. */
static bool running(struct target *ret)
{
	struct utsname uts;
	struct kernel_version version;

	assert_int_equal(uname(&uts), 0);
	if (!arch_by_name(uts.machine) || !kernel_version_parse(uts.release, &version))
		return false;
	*ret = target_of(arch_by_name(uts.machine)->name, version.major, version.minor, 0);
	return true;
}

static int compare_sizes(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* "kmalloc-1k 30 32 1024 ...": the object sizes of such lines, ascending. Zero: not readable. */
static size_t read_slabinfo(uint64_t *sizes, size_t cap)
{
	struct err err = ERR_INIT;
	struct bytes bytes;
	size_t n = 0;

	if (!file_read("/proc/slabinfo", 1 << 24, &err, &bytes)) {
		err_release(&err);
		return 0;
	}
	for (char *line = bytes.data, *end; (end = strchr(line, '\n')) && n < cap; line = end + 1) {
		char *field = line + strcspn(line, " ");

		if (strncmp(line, "kmalloc-", 8) != 0 || line[8] < '0' || line[8] > '9')
			continue;
		strtoull(field, &field, 10);
		strtoull(field, &field, 10);
		sizes[n++] = strtoull(field, NULL, 10);
	}
	bytes_release(&bytes);
	qsort(sizes, n, sizeof *sizes, compare_sizes);
	return n;
}

/* Without /proc/slabinfo (it takes root) the table has been held against the rule, above. */
static void as_the_running_kernel(void **state)
{
	uint64_t sizes[64];
	size_t n = read_slabinfo(sizes, 64), nbuckets = 0;
	const uint64_t *buckets;
	struct target target;

	(void)state;
	if (!n || !running(&target) || !(buckets = kmalloc_buckets(&target, &nbuckets))) {
		print_message("# no readable /proc/slabinfo, or a kernel that is not in the table: "
			      "only the rule was checked\n");
		return;
	}
	print_message("# %zu buckets in /proc/slabinfo\n", n);
	/* Kernels with larger pages have buckets above ours. */
	for (size_t i = 0; i < nbuckets; i++)
		if (i >= n || sizes[i] != buckets[i])
			fail_msg("bucket %zu is %llu, the table has %llu", i,
				 i < n ? (unsigned long long)sizes[i] : 0,
				 (unsigned long long)buckets[i]);
	assert_true(n == nbuckets || sizes[nbuckets] == 2 * buckets[nbuckets - 1]);
}

/* ---- objects a slab -------------------------------------------------------------------------- */

/* Processors that are present: "0-3". */
static unsigned processors(void)
{
	struct err err = ERR_INIT;
	struct bytes bytes;
	unsigned n = 0, last;

	if (!file_read("/sys/devices/system/cpu/present", 4096, &err, &bytes)) {
		err_release(&err);
		return 0;
	}
	if (sscanf(bytes.data, "0-%u", &last) == 1)
		n = last + 1;
	bytes_release(&bytes);
	return n;
}

/* "name active all size objects pages : ..." of every cache. */
static void objects_as_the_running_kernel(void **state)
{
	struct err err = ERR_INIT;
	struct bytes bytes;
	struct target target;
	unsigned cpus = processors();
	size_t n = 0;

	(void)state;
	if (!running(&target) || !cpus || !slab_objects(64, cpus, &target, &(uint64_t){0}) ||
	    !file_read("/proc/slabinfo", 1 << 24, &err, &bytes)) {
		err_release(&err);
		print_message("# no readable /proc/slabinfo: only the table was checked\n");
		return;
	}
	for (char *line = bytes.data, *end; (end = strchr(line, '\n')); line = end + 1) {
		unsigned long long size, objects;
		uint64_t ret = 0;

		if (sscanf(line, "%*s %*u %*u %llu %llu", &size, &objects) != 2)
			continue;
		n++;
		if (!slab_objects(size, cpus, &target, &ret) || ret != objects)
			fail_msg("%.*s: %llu objects of %llu bytes, not %llu",
				 (int)strcspn(line, " "), line, objects, size,
				 (unsigned long long)ret);
	}
	bytes_release(&bytes);
	print_message("# %zu caches in /proc/slabinfo\n", n);
	assert_true(n > 0);
}

/* By hand, after mm/slub.c. */
static void objects(void **state)
{
	static const struct {
		unsigned minor, cpus;
		uint64_t stride, objects;
	} rows[] = {
		{1, 2, 192, 21},  /* 12 at least: a page, 64 bytes of waste */
		{1, 8, 192, 21},  /* 20 at least: 3840 bytes still fit it */
		{1, 16, 192, 42}, /* 24 at least: they do not */
		{12, 2, 256, 16},  {12, 8, 256, 32},  {12, 2, 2048, 16},
		{12, 1, 2048, 8},  {1, 2, 9792, 3},  /* 32 KiB, 3392 bytes of waste */
		{12, 2, 9792, 3},  {1, 2, 12000, 1}, /* two would waste more than a quarter of 32
							KiB */
		{12, 2, 12000, 2},                   /* and may, since 6.7 */
		{1, 2, 20000, 1},  {12, 2, 20000, 1}, {12, 2, 40000, 1},
		{1, 2, 8, 512},    {12, 256, 8, 512},
	};
	struct target target = target_of("x86_64", 6, 0, 0);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t ret = 0;

		target.kernel.minor = rows[i].minor;
		if (!slab_objects(rows[i].stride, rows[i].cpus, &target, &ret) ||
		    ret != rows[i].objects)
			fail_msg("6.%u, %u processors: %llu of %llu bytes, not %llu", rows[i].minor,
				 rows[i].cpus, (unsigned long long)ret,
				 (unsigned long long)rows[i].stride,
				 (unsigned long long)rows[i].objects);
	}
}

static void objects_unknown(void **state)
{
	struct target target = target_of("x86_64", 6, 12, 0), arm64 = target_of("arm64", 6, 12, 0);
	uint64_t ret = 7;

	(void)state;
	assert_false(slab_objects(0, 2, &target, &ret));
	assert_false(slab_objects(64, 0, &target, &ret));
	assert_true(slab_objects(4096 << 10, 2, &target, &ret));
	assert_int_equal(ret, 1);
	assert_false(slab_objects((4096 << 10) + 1, 2, &target, &ret));
	assert_false(slab_objects(UINT64_MAX, 2, &target, &ret));
	assert_false(slab_objects(64, 2, &arm64, &ret)); /* pages of 4, 16 or 64 KiB */
	target.has_kernel = false;
	assert_false(slab_objects(64, 2, &target, &ret));
	target.has_kernel = true;
	target.arch = NULL;
	assert_false(slab_objects(64, 2, &target, &ret));
}

/* ---- strides and bases ----------------------------------------------------------------------- */

struct want {
	struct alloc alloc;
	uint64_t size, stride, base;
};

static void expect(const struct target *target, const struct want *want)
{
	uint64_t stride = 0, base = 0;

	if (!alloc_stride(&want->alloc, want->size, target, &stride) || stride != want->stride)
		fail_msg("%llu bytes: stride %llu, not %llu", (unsigned long long)want->size,
			 (unsigned long long)stride, (unsigned long long)want->stride);
	if (!alloc_base(&want->alloc, want->size, 32, 64, target, &base) || base != want->base)
		fail_msg("%llu bytes: base %llu, not %llu", (unsigned long long)want->size,
			 (unsigned long long)base, (unsigned long long)want->base);
}

#define KMALLOC                                                                                    \
	{                                                                                          \
		.kind = ALLOC_KMALLOC                                                              \
	}
#define CACHE(...)                                                                                 \
	{                                                                                          \
		.kind = ALLOC_CACHE, .cache = "c", __VA_ARGS__                                     \
	}
#define HWCACHE .hwcache_align = true
#define AFTER   .freeptr = FREEPTR_AFTER

static void strides(void **state)
{
	/* Those with a cache's name stand so in /proc/slabinfo of the kernels named. */
	static const struct want wants[] = {
		{KMALLOC, 56, 64, 64},
		{KMALLOC, 72, 96, 32},
		{KMALLOC, 129, 192, 64},
		{KMALLOC, 1, 8, 8},
		{KMALLOC, 8193, 16384, 64},
		{CACHE(HWCACHE), 704, 704, 64}, /* files_cache */
		{CACHE(HWCACHE), 232, 256, 64}, /* filp, 6.1 */
		{CACHE(HWCACHE), 32, 32, 32},   /* two in a line */
		{CACHE(HWCACHE), 33, 64, 64},
		{CACHE(HWCACHE), 20, 32, 32},
		{CACHE(HWCACHE), 8, 8, 8},
		{CACHE(HWCACHE), 0, 8, 8},
		{CACHE(AFTER), 776, 784, 16},            /* shmem_inode_cache, 6.1 */
		{CACHE(AFTER), 96, 104, 8},              /* anon_vma */
		{CACHE(AFTER), 744, 752, 16},            /* shmem_inode_cache, 6.18 */
		{CACHE(AFTER), 1120, 1128, 8},           /* ext4_inode_cache, 6.18 */
		{CACHE(HWCACHE, AFTER), 2304, 2368, 64}, /* TCP, 6.18 */
		{CACHE(.align = 256), 300, 512, 64},
		{CACHE(.align = 32), 100, 128, 64},
		{CACHE(.align = 4), 100, 104, 8},
		{CACHE(.align = 0), 152, 152, 8},
		{CACHE(.align = 16, HWCACHE), 8, 16, 16},
		{{.kind = ALLOC_LINE}, 100, 100, 64},
		{{.kind = ALLOC_UNSAID}, 100, 100, 64},
		{{.kind = ALLOC_STATIC}, 100, 100, 32},
	};
	struct target target = target_of("x86_64", 6, 12, 0);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wants); i++)
		expect(&target, &wants[i]);
}

static void other_machines(void **state)
{
	static const struct want z = {CACHE(HWCACHE), 704, 768, 64};
	static const struct want small = {CACHE(AFTER), 40, 48, 16};
	struct target s390 = target_of("s390x", 6, 12, 0), i386 = target_of("i386", 6, 1, 0);
	struct alloc line = {.kind = ALLOC_LINE}, hwcache = {.kind = ALLOC_CACHE, HWCACHE};
	uint64_t ret;

	(void)state;
	expect(&s390, &z);
	expect(&i386, &small);
	assert_true(alloc_base(&line, 704, 0, 256, &s390, &ret));
	assert_int_equal(ret, 256);
	assert_true(alloc_base(&hwcache, 704, 0, 512, &s390, &ret));
	assert_int_equal(ret, 256);

	s390.line = 0;
	assert_false(alloc_base(&line, 704, 0, 256, &s390, &ret));
	assert_false(alloc_stride(&hwcache, 704, &s390, &ret));
	assert_false(alloc_base(&hwcache, 704, 0, 256, &s390, &ret));
	hwcache.hwcache_align = false;
	assert_true(alloc_stride(&hwcache, 704, &s390, &ret));
	s390.bits = 0;
	assert_false(alloc_stride(&hwcache, 704, &s390, &ret));
}

static void unknown_bases(void **state)
{
	struct target target = target_of("x86_64", 6, 12, 0);
	struct alloc variable = {.kind = ALLOC_STATIC}, unsaid = {.kind = ALLOC_UNSAID};
	struct alloc after = {.kind = ALLOC_CACHE, AFTER}, kmalloc = KMALLOC;
	uint64_t ret = 7;

	(void)state;
	assert_false(alloc_base(&variable, 100, 0, 64, &target, &ret));
	assert_true(alloc_base(&variable, 100, 128, 64, &target, &ret));
	assert_int_equal(ret, 64);
	assert_true(alloc_base(&unsaid, 100, 0, 128, &target, &ret)); /* a pair of lines */
	assert_int_equal(ret, 64);
	assert_false(alloc_base(&unsaid, 100, 0, 0, &target, &ret));
	assert_false(alloc_stride(&after, UINT64_MAX, &target, &ret));
	assert_false(alloc_stride(&after, UINT64_MAX - 7, &target, &ret));
	assert_false(alloc_stride(&kmalloc, UINT64_MAX, &target, &ret));
	assert_false(alloc_stride(&kmalloc, 0, &target, &ret));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_by_the_rule),
		cmocka_unit_test(buckets_that_every_configuration_has),
		cmocka_unit_test(unknown_is_not_guessed),
		cmocka_unit_test(as_the_running_kernel),
		cmocka_unit_test(strides),
		cmocka_unit_test(other_machines),
		cmocka_unit_test(unknown_bases),
		cmocka_unit_test(objects),
		cmocka_unit_test(objects_unknown),
		cmocka_unit_test(objects_as_the_running_kernel),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
