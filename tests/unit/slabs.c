/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SLUB's books in a small memory that is written here, entry by entry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/scratch.h"
#include "plugin/coherence.h"
#include "record/objects.h"

/*
 * Physical pages: 1 the top table, 2 to 7 tables, 8 the kernel's variables, 9 struct pages, 16 to
 * 19 a slab of two pages and one of a page. The kernel is mapped by small pages, the direct map by
 * one large page.
 */
enum {
	PAGES = 20,
	PAGE = 4096,
	TOP = 1 * PAGE,
	VARIABLES = 8 * PAGE,
	STRUCT_PAGES = 9 * PAGE,
	STRUCT_PAGE = 64,
	SLAB = 16,
	FLAGS = 3, /* present, writable */
	LARGE = 0x83,
};
#define KERNEL  UINT64_C(0xffffffff80000000)
#define DIRECT  UINT64_C(0xffff888000000000)
#define VMEMMAP UINT64_C(0xffffea0000000000)

static char ram[PAGES * PAGE];

static const struct slab_facts facts = {
	.page_offset_base = KERNEL + VARIABLES,
	.vmemmap_base = KERNEL + VARIABLES + 8,
	.slab_caches = KERNEL + VARIABLES + 16,
	.page_size = STRUCT_PAGE,
	.compound_head = 8,
	.slab_cache = 8,
	.cache_list = 32,
	.cache_name = 16,
	.cache_size = 24,
	.cache_object_size = 28,
};

static void put(uint64_t at, uint64_t value)
{
	memcpy(ram + at, &value, sizeof value);
}

static unsigned index_of(uint64_t address, int shift)
{
	return address >> shift & 511;
}

/* A page of 4 KiB through three tables of its own from @table on. */
static void map_small(uint64_t address, uint64_t table, uint64_t to)
{
	put(TOP + 8 * index_of(address, 39), table | FLAGS);
	put(table + 8 * index_of(address, 30), (table + PAGE) | FLAGS);
	put(table + PAGE + 8 * index_of(address, 21), (table + 2 * PAGE) | FLAGS);
	put(table + 2 * PAGE + 8 * index_of(address, 12), to | FLAGS);
}

static void put_cache(uint64_t at, uint64_t next, const char *name, uint32_t size,
		      uint32_t object_size)
{
	put(at + 16, KERNEL + at + 48);
	memcpy(ram + at + 24, &size, sizeof size);
	memcpy(ram + at + 28, &object_size, sizeof object_size);
	put(at + 32, next);
	memcpy(ram + at + 48, name, strlen(name) + 1);
}

static void put_page(unsigned number, uint64_t word)
{
	put(STRUCT_PAGES + number * STRUCT_PAGE + 8, word);
}

static int fill(void **state)
{
	const uint64_t first = VARIABLES + 256, second = VARIABLES + 512;

	map_small(KERNEL + VARIABLES, 2 * PAGE, VARIABLES);
	put(TOP + 8 * index_of(DIRECT, 39), (5 * PAGE) | FLAGS);
	put(5 * PAGE + 8 * index_of(DIRECT, 30), LARGE); /* of 1 GiB */
	put(TOP + 8 * index_of(VMEMMAP, 39), (6 * PAGE) | FLAGS);
	put(6 * PAGE, (7 * PAGE) | FLAGS);
	put(7 * PAGE, (10 * PAGE) | FLAGS);
	put(10 * PAGE, STRUCT_PAGES | FLAGS);
	put(VARIABLES, DIRECT);
	put(VARIABLES + 8, VMEMMAP);
	put(VARIABLES + 16, KERNEL + first + 32);
	put_cache(first, KERNEL + second + 32, "files_cache", 704, 696);
	put_cache(second, KERNEL + VARIABLES + 16, "kmalloc-64", 64, 64);
	put_page(SLAB, KERNEL + first);
	put_page(SLAB + 1, (VMEMMAP + SLAB * STRUCT_PAGE) | 1);
	put_page(SLAB + 2, KERNEL + second);
	put_page(SLAB + 3, KERNEL + 12345);
	return scratch_make(state);
}

static void write_ram(const char *name)
{
	FILE *file = fopen(scratch_path(name), "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(ram, 1, sizeof ram, file), sizeof ram);
	assert_int_equal(fclose(file), 0);
}

static void finds_objects(void **state)
{
	static const struct {
		uint64_t at;
		const char *cache; /* NULL: none */
		uint64_t offset, size;
	} cases[] = {
		{SLAB * PAGE, "files_cache", SLAB * PAGE, 696},
		{SLAB * PAGE + 703, "files_cache", SLAB * PAGE, 696},
		{SLAB * PAGE + 704, "files_cache", SLAB * PAGE + 704, 696},
		{(SLAB + 1) * PAGE, "files_cache", SLAB * PAGE + 5 * 704, 696}, /* across pages */
		{(SLAB + 2) * PAGE + 100, "kmalloc-64", (SLAB + 2) * PAGE + 64, 64},
		{(SLAB + 3) * PAGE, NULL, 0, 0}, /* a word that is no cache */
		{VARIABLES, NULL, 0, 0},
		{UINT64_C(1) << 40, NULL, 0, 0}, /* no memory */
	};
	struct err err = ERR_INIT;
	struct slab_object object;
	struct memory memory;
	struct slabs *slabs;

	(void)state;
	write_ram("ram");
	assert_true(memory_open(scratch_path("ram"), KERNEL + TOP, &err, &memory));
	assert_true(slabs_open(&memory, &facts, &err, &slabs));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(slabs_find(slabs, cases[i].at, &object), cases[i].cache != NULL);
		if (!cases[i].cache)
			continue;
		assert_string_equal(object.cache, cases[i].cache);
		assert_int_equal(object.address, DIRECT + cases[i].offset);
		assert_int_equal(object.size, cases[i].size);
	}
	slabs_close(slabs);
	memory_close(&memory);
}

static void reads_memory(void **state)
{
	struct err err = ERR_INIT;
	struct memory memory;
	uint64_t at;
	char text[12];

	(void)state;
	write_ram("ram");
	assert_true(memory_open(scratch_path("ram"), KERNEL + TOP, &err, &memory));
	assert_true(memory_physical(&memory, DIRECT + 5, &at));
	assert_int_equal(at, 5);
	assert_true(memory_physical(&memory, KERNEL + VARIABLES + 7, &at));
	assert_int_equal(at, VARIABLES + 7);
	assert_false(memory_physical(&memory, KERNEL + VARIABLES + PAGE, &at));
	assert_false(memory_physical(&memory, 0, &at));
	assert_true(memory_read(&memory, KERNEL + VARIABLES + 256 + 48, text, sizeof text));
	assert_string_equal(text, "files_cache");
	assert_false(memory_read(&memory, DIRECT + sizeof ram - 4, text, 8)); /* past the end */
	memory_close(&memory);
	assert_false(memory_open(scratch_path("none"), KERNEL, &err, &memory));
	assert_non_null(strstr(err.text, "cannot open"));
	err_release(&err);
}

/* A list that goes in a circle, or leads nowhere, ends. */
static void broken_lists(void **state)
{
	const uint64_t next = VARIABLES + 512 + 32;
	const uint64_t bad[] = {KERNEL + next, 0, KERNEL + VARIABLES + 256 + 32};
	struct err err = ERR_INIT;
	struct memory memory;
	struct slabs *slabs;
	uint64_t good;

	(void)state;
	memcpy(&good, ram + next, sizeof good);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		put(next, bad[i]);
		write_ram("broken");
		assert_true(memory_open(scratch_path("broken"), KERNEL + TOP, &err, &memory));
		assert_false(slabs_open(&memory, &facts, &err, &slabs));
		assert_non_null(strstr(err.text, "list of slab caches is broken"));
		err_release(&err);
		memory_close(&memory);
	}
	put(next, good);
}

/* Lines that were fought over, in the direct map, each with all of its objects. */
static void on_lines(void **state)
{
	const uint64_t slab = SLAB * PAGE, small = (SLAB + 2) * PAGE;
	const struct trace_access accesses[] = {
		{.address = DIRECT + small + 72,
		 .physical = small + 72,
		 .loads = {[LEVEL_HITM] = 1}},
		{.address = DIRECT + slab + 700,
		 .physical = slab + 700,
		 .stores = {[LEVEL_HITM] = 1}},
		{.address = DIRECT + slab + 8, .physical = slab + 8, .loads = {[LEVEL_HITM] = 1}},
		{.address = DIRECT + slab, .physical = slab, .loads = {[LEVEL_HITM] = 1}},
		{.address = DIRECT + slab + 128,
		 .physical = slab + 128,
		 .loads = {[LEVEL_OWN] = 9}},
		{.address = KERNEL, .physical = slab + 192, .loads = {[LEVEL_HITM] = 1}},
	};
	const struct trace_header header = {.line = 128, .naccesses = ARRAY_SIZE(accesses)};
	const struct trace trace = {.header = &header, .accesses = accesses};
	const struct objects_source source = {.snapshot = scratch_path("ram"),
					      .page_table = KERNEL + TOP,
					      .direct = DIRECT,
					      .facts = facts};
	const struct line_object wanted[] = {
		{DIRECT + slab, DIRECT + slab, 696, "files_cache"},
		{DIRECT + slab + 640, DIRECT + slab, 696, "files_cache"},
		{DIRECT + slab + 640, DIRECT + slab + 704, 696, "files_cache"},
		{DIRECT + small, DIRECT + small, 64, "kmalloc-64"},
		{DIRECT + small, DIRECT + small + 64, 64, "kmalloc-64"},
	};
	struct line_object *objects;
	struct arena arena = {0};
	struct err err = ERR_INIT;
	size_t n;

	(void)state;
	write_ram("ram");
	assert_true(objects_find(&source, &trace, &arena, &err, &objects, &n));
	assert_int_equal(n, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(objects[i].line, wanted[i].line);
		assert_int_equal(objects[i].start, wanted[i].start);
		assert_int_equal(objects[i].size, wanted[i].size);
		assert_string_equal(objects[i].cache, wanted[i].cache);
	}
	free(objects);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_objects),
		cmocka_unit_test(reads_memory),
		cmocka_unit_test(broken_lists),
		cmocka_unit_test(on_lines),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, fill, scratch_remove);
}
