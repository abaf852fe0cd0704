/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option parser: every way to write an option, and every way to get it wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "cli/options.h"

struct variables {
	bool quiet, all, has_margin;
	const char *output;
	struct strings rules, operands;
	uint64_t margin;
	int color;
	struct err err;
};

static const struct choice colors[] = {{"auto", 0}, {"always", 1}, {"never", 2}, {NULL, 0}};

static bool parse(struct variables *v, const char *const *words, size_t n)
{
	const struct option_row first[] = {
		OPT_FLAG(0, "all", &v->all, "everything"),
		OPT_NUMBER('m', "margin", "N", &v->margin, &v->has_margin, "bytes"),
	};
	const struct option_row second[] = {
		OPT_FLAG('q', "quiet", &v->quiet, "less"),
		OPT_STRING('o', "output", "FILE", &v->output, "where\nto write"),
		OPT_LIST('r', "rules", "PATH", &v->rules, "packs"),
		OPT_CHOICE(0, "color", "WHEN", &v->color, colors, "when"),
	};
	const struct option_group groups[] = {{"Options", first, ARRAY_SIZE(first)},
					      {"Common options", second, ARRAY_SIZE(second)}};
	char *argv[16] = {(char *)"check"};

	assert_true(n + 1 < ARRAY_SIZE(argv));
	for (size_t i = 0; i < n; i++)
		argv[i + 1] = (char *)words[i];
	*v = (struct variables){0};
	return options_parse((int)n + 1, argv, groups, ARRAY_SIZE(groups), &v->operands, &v->err);
}

#define PARSE(V, ...)                                                                              \
	parse((V), (const char *const[]){__VA_ARGS__},                                             \
	      ARRAY_SIZE(((const char *const[]){__VA_ARGS__})))

static void release(struct variables *v)
{
	strings_release(&v->rules);
	strings_release(&v->operands);
	err_release(&v->err);
}

#define REFUSES(SENTENCE, ...)                                                                     \
	do {                                                                                       \
		struct variables bad;                                                              \
		assert_false(PARSE(&bad, __VA_ARGS__));                                            \
		assert_string_equal(bad.err.text, SENTENCE);                                       \
		release(&bad);                                                                     \
	} while (0)

static void test_spellings(void **state)
{
	const char *const ways[][3] = {{"-o", "x", "img"},       {"-ox", "--", "img"},
				       {"--output", "x", "img"}, {"--output=x", "img", "--"},
				       {"img", "-o", "x"},       {"-qox", "--all", "img"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		struct variables v;

		assert_true(parse(&v, ways[i], 3));
		assert_string_equal(v.output, "x");
		assert_int_equal(v.operands.n, 1);
		assert_string_equal(v.operands.items[0], "img");
		assert_int_equal(v.quiet, i == 5);
		assert_int_equal(v.all, i == 5);
		release(&v);
	}
}

static void test_values(void **state)
{
	struct variables v;

	(void)state;
	assert_true(PARSE(&v, "-r", "a", "--rules=b", "--color", "never", "-m", "0x10",
			  "--output=", "-o", "last"));
	assert_int_equal(v.rules.n, 2);
	assert_string_equal(v.rules.items[0], "a");
	assert_string_equal(v.rules.items[1], "b");
	assert_int_equal(v.color, 2);
	assert_int_equal(v.margin, 16);
	assert_true(v.has_margin);
	assert_string_equal(v.output, "last");
	assert_int_equal(v.operands.n, 0);
	release(&v);

	/* A value may look like an option. */
	assert_true(PARSE(&v, "-o", "--all", "img"));
	assert_string_equal(v.output, "--all");
	assert_false(v.all);
	assert_false(v.has_margin);
	release(&v);
}

static void test_operands(void **state)
{
	struct variables v;

	(void)state;
	assert_true(PARSE(&v, "-", "--", "--all", "-q", "--"));
	assert_false(v.all);
	assert_false(v.quiet);
	assert_int_equal(v.operands.n, 4);
	assert_string_equal(v.operands.items[0], "-");
	assert_string_equal(v.operands.items[1], "--all");
	assert_string_equal(v.operands.items[3], "--");
	release(&v);
}

static void test_refusals(void **state)
{
	(void)state;
	REFUSES("unknown option `--colour`; did you mean `--color`?", "--colour=never");
	REFUSES("unknown option `--zzzzzz`", "--zzzzzz");
	REFUSES("unknown option `--out`", "--out=x");
	REFUSES("unknown option `-z`", "-z");
	REFUSES("unknown option `-z`", "-qz");
	REFUSES("option `--all` takes no value", "--all=yes");
	REFUSES("option `--output` wants a value (FILE)", "--output");
	REFUSES("option `-o` wants a value (FILE)", "-qo");
	REFUSES("option `--margin`: `8x` is not a number", "--margin", "8x");
	REFUSES("option `--margin`: `-8` is not a number", "-m", "-8");
	REFUSES("option `--margin`: `` is not a number", "--margin=");
	REFUSES("option `--margin`: `18446744073709551616` is too large",
		"--margin=18446744073709551616");
	REFUSES("option `--color`: `neve` is not auto, always or never; did you mean `never`?",
		"--color=neve");
	REFUSES("option `--color`: `` is not auto, always or never", "--color=");
}

/* The first mistake is told, and what stands behind it is still read: --bisect counts wherever it
 * stands. */
static void test_goes_on(void **state)
{
	struct variables v;

	(void)state;
	assert_false(PARSE(&v, "--first", "-z", "--all", "img"));
	assert_string_equal(v.err.text, "unknown option `--first`");
	assert_true(v.all);
	release(&v);
}

static void test_help(void **state)
{
	bool flag;
	const char *string;
	const struct option_row rows[] = {
		OPT_FLAG('q', "quiet", &flag, "less"),
		OPT_STRING(0, "output", "FILE", &string, "where\nto write"),
		OPT_FLAG(0, "a-name-that-leaves-no-room", &flag, "long"),
	};
	const struct option_group group = {"Options", rows, ARRAY_SIZE(rows)};
	struct buf out = BUF_INIT;

	(void)state;
	options_help(&group, 1, &out);
	assert_string_equal(out.s, "\nOptions:\n"
				   "  -q, --quiet                less\n"
				   "      --output FILE          where\n"
				   "                             to write\n"
				   "      --a-name-that-leaves-no-room\n"
				   "                             long\n");
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spellings), cmocka_unit_test(test_values),
		cmocka_unit_test(test_operands),  cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_goes_on),   cmocka_unit_test(test_help),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
