/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of types, as -C has them. */
#include "cli/types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"

static void lists(void **state)
{
	static const struct {
		const char *words, *names; /* a name in brackets each */
	} rows[] = {
		{"a,b", "[a][b]"},
		{"a,,a,", "[a]"},
		{"P<int, char>,b", "[P<int, char>][b]"},
		{"P<Q<int, char>>,b", "[P<Q<int, char>>][b]"},
		{"P<Q<int, char> >,b", "[P<Q<int, char> >][b]"},
		{"P<&Q::operator->, int>,b", "[P<&Q::operator->, int>][b]"},
		{"P<&Q::operator->*, int>,b", "[P<&Q::operator->*, int>][b]"},
		{"P<&Q::operator<, 1>,b", "[P<&Q::operator<, 1>][b]"},
		{"P<&Q::operator<<, 1>,b", "[P<&Q::operator<<, 1>][b]"},
		{"P<&Q::operator<=>, 1>,b", "[P<&Q::operator<=>, 1>][b]"},
		{"P<&Q::operator,, 1>,b", "[P<&Q::operator,, 1>][b]"},
		{"P<auto (int)->Q<int, 1>, 1>,b", "[P<auto (int)->Q<int, 1>, 1>][b]"},
		{"P<(1 <= 2), 1>,b", "[P<(1 <= 2), 1>][b]"},
		{"my_operator<int, 1>,b", "[my_operator<int, 1>][b]"},
		{"operator_info,b", "[operator_info][b]"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strings types = {0};
		struct buf got = BUF_INIT;
		struct arena arena;

		arena_init(&arena);
		types_add(&types, rows[i].words, &arena);
		for (size_t k = 0; k < types.n; k++)
			buf_addf(&got, "[%s]", types.items[k]);
		assert_string_equal(got.s, rows[i].names);
		buf_release(&got);
		strings_release(&types);
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
