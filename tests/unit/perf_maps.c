/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Look-ups of maps against what a plain search says, and strings kept once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "perf/maps.h"
#include "perf/pool.h"

enum { ROUNDS = 60, MAPS = 40, SPACE = 64, TIMES = 12 };

static uint32_t draw(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 16) % n;
}

/* The last map that was there and has the address. */
static const struct map *plain_find(const struct map *maps, size_t n, uint64_t address,
				    uint64_t time)
{
	const struct map *last = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct map *map = &maps[i];

		if (map->since.time <= time && address >= map->start &&
		    address - map->start < map->len &&
		    (!last || map->since.time > last->since.time ||
		     (map->since.time == last->since.time && map->since.seq > last->since.seq)))
			last = map;
	}
	return last && last->file ? last : NULL;
}

static void finds_what_a_plain_search_finds(void **state)
{
	uint32_t seed = 1;
	size_t found = 0;

	(void)state;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct maps *maps = maps_new();
		struct map all[MAPS];
		size_t n = draw(&seed, MAPS) + 1;

		for (size_t i = 0; i < n; i++) {
			char path[32];

			(void)snprintf(path, sizeof path, "/%zu", i);
			all[i] = (struct map){
				.start = draw(&seed, SPACE),
				.len = 1 + draw(&seed, SPACE / 2),
				.pgoff = i,
				/* One in eight is an unmapping. */
				.file = draw(&seed, 8) ? maps_file(maps, path, NULL, 0) : NULL,
				.since = {draw(&seed, TIMES), i},
			};
			maps_add(maps, 7, &all[i]);
		}
		maps_sort(maps);
		for (uint64_t address = 0; address < 2 * SPACE; address++)
			for (uint64_t time = 0; time < TIMES; time++) {
				const struct map *want = plain_find(all, n, address, time);
				const struct map *got = maps_find(maps, 7, address, time);

				assert_int_equal(got != NULL, want != NULL);
				if (want) {
					assert_int_equal(got->pgoff, want->pgoff);
					found++;
				}
			}
		assert_null(maps_find(maps, 8, 1, TIMES));
		maps_free(maps);
	}
	assert_true(found > 1000);
}

static void maps_at_the_ends_of_memory(void **state)
{
	struct maps *maps = maps_new();
	const struct map_file *file = maps_file(maps, "/x", NULL, 0);

	(void)state;
	maps_add(maps, 1, &(struct map){.start = 0, .len = 1, .file = file});
	maps_add(maps, 1, &(struct map){.start = UINT64_MAX - 5, .len = UINT64_MAX, .file = file});
	maps_add(maps, 1, &(struct map){.start = UINT64_MAX, .len = UINT64_MAX, .file = file});
	maps_add(maps, 1, &(struct map){.start = 50, .len = 0, .file = file});
	maps_sort(maps);
	assert_non_null(maps_find(maps, 1, 0, 0));
	assert_null(maps_find(maps, 1, 1, 0));
	assert_null(maps_find(maps, 1, 50, 0));
	assert_non_null(maps_find(maps, 1, UINT64_MAX - 5, 0));
	assert_null(maps_find(maps, 1, UINT64_MAX - 6, 0));
	maps_free(maps);
}

static void marked_files(void **state)
{
	struct maps *maps = maps_new();
	struct map_file *file = maps_file(maps, "/x", NULL, 0);
	const struct map_file *other = maps_file(maps, "/y", NULL, 0);
	const struct map *map;

	(void)state;
	maps_add(maps, 1, &(struct map){.start = 10, .len = 1, .file = file, .since = {5, 0}});
	maps_add(maps, 1, &(struct map){.start = 20, .len = 1, .file = file, .since = {9, 1}});
	maps_add(maps, 1, &(struct map){.start = 30, .len = 1, .file = other, .since = {6, 2}});
	file->is_marked = true;
	maps_sort(maps);
	assert_null(maps_find_marked(maps, 1, 4));
	map = maps_find_marked(maps, 1, 8);
	assert_non_null(map);
	assert_int_equal(map->start, 10);
	map = maps_find_marked(maps, 1, 9);
	assert_non_null(map);
	assert_int_equal(map->start, 20);
	maps_free(maps);
}

static void one_file_of_each_name_and_build_id(void **state)
{
	static const uint8_t a[20] = {1}, b[20] = {2};
	struct maps *maps = maps_new();
	const struct map_file *files[500];

	(void)state;
	for (int i = 0; i < 500; i++) {
		char path[32];

		(void)snprintf(path, sizeof path, "/%d", i / 4);
		files[i] = maps_file(maps, path, i % 4 < 2 ? a : b, i % 2 ? 20 : 0);
	}
	assert_int_equal(maps_nfiles(maps), 375); /* with a, with b, without */
	for (int i = 0; i < 500; i += 4) {
		assert_ptr_equal(files[i], files[i + 2]);
		assert_ptr_not_equal(files[i], files[i + 1]);
		assert_ptr_not_equal(files[i + 1], files[i + 3]);
	}
	maps_free(maps);
}

static void a_pool_keeps_each_string_once(void **state)
{
	struct pool pool = {0};
	const char *first[300];

	(void)state;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 300; i++) {
			char s[32];
			const char *kept;

			(void)snprintf(s, sizeof s, "name%d...", i);
			kept = pool_get(&pool, s, strlen(s) - 3);
			if (round == 0)
				first[i] = kept;
			assert_ptr_equal(kept, first[i]);
			s[strlen(s) - 3] = 0;
			assert_string_equal(kept, s);
		}
	pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_a_plain_search_finds),
		cmocka_unit_test(maps_at_the_ends_of_memory),
		cmocka_unit_test(marked_files),
		cmocka_unit_test(one_file_of_each_name_and_build_id),
		cmocka_unit_test(a_pool_keeps_each_string_once),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
