/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Positions in ascending arrays, against looking at each item. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/search.h"

struct item {
	char other[3];
	uint64_t number;
	char behind;
};

enum { MOST = 9 };

static size_t count(const struct item *items, size_t n, uint64_t key, int or_same)
{
	size_t below = 0;

	for (size_t i = 0; i < n; i++)
		below += items[i].number < key || (or_same && items[i].number == key);
	return below;
}

/* Each length, with numbers that come once, twice, and as large as there are. */
static void every_length(void **state)
{
	static const uint64_t numbers[MOST] = {0, 0, 1, 5, 5, 5, 9, UINT64_MAX - 1, UINT64_MAX};
	static const uint64_t keys[] = {0, 1, 2, 4, 5, 6, 9, 10, UINT64_MAX - 1, UINT64_MAX};

	(void)state;
	for (size_t first = 0; first <= MOST; first++)
		for (size_t n = 0; first + n <= MOST; n++) {
			struct item items[MOST] = {0};

			for (size_t i = 0; i < n; i++)
				items[i].number = numbers[first + i];
			for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
				assert_int_equal(FIRST_FROM(items, n, number, keys[k]),
						 count(items, n, keys[k], 0));
				assert_int_equal(FIRST_ABOVE(items, n, number, keys[k]),
						 count(items, n, keys[k], 1));
			}
		}
}

static void nothing(void **state)
{
	const struct item *none = NULL;

	(void)state;
	assert_int_equal(FIRST_FROM(none, 0, number, 7), 0);
	assert_int_equal(FIRST_ABOVE(none, 0, number, UINT64_MAX), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length),
		cmocka_unit_test(nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
