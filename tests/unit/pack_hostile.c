// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packs that nobody wrote: prefixes and damaged bytes of real ones, bombs, and very large ones.
 * What is looked at is that the parser ends, soon, and that it complains exactly when it refuses;
 * the sanitizers look at the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/file.h"
#include "rule/pack.h"
#include "rule/yaml.h"

static const char *const inputs[] = {
	"rules/linux/files.yaml",
	"tests/fixtures/rules/language.yaml",
	"tests/fixtures/rules/seed-2005.yaml",
	"tests/fixtures/rules/bad/extras.yaml",
};

static size_t count_rules(const struct packs *packs)
{
	size_t n = 0;

	for (size_t i = 0; i < packs->n; i++)
		for (size_t b = 0; b < packs->items[i].nblocks; b++)
			n += packs->items[i].blocks[b].nrules;
	return n;
}

struct outcome_of_parse {
	bool ok;
	size_t rules, memory;
	char *text; /* owned */
};

/* Bytes end where they end: a copy of their own, so that a sanitizer sees a read past them. */
static struct outcome_of_parse parse(const char *data, size_t len)
{
	struct outcome_of_parse ret;
	struct pack_errors errors;
	struct packs packs;
	char *copy = malloc(len ? len : 1);

	assert_non_null(copy);
	memcpy(copy, data, len);
	packs_init(&packs);
	pack_errors_init(&errors);
	ret.ok = packs_parse(&packs, "hostile", copy, len, &errors);
	ret.ok = packs_finish(&packs, &errors) && ret.ok;
	assert_int_equal(ret.ok, errors.n == 0);
	assert_int_equal(ret.ok, errors.text.len == 0);
	ret.rules = count_rules(&packs);
	ret.memory = packs.arena.total;
	ret.text = buf_detach(&errors.text);
	free(copy);
	packs_release(&packs);
	pack_errors_release(&errors);
	return ret;
}

static struct outcome_of_parse parse_buf(struct buf *text)
{
	struct outcome_of_parse ret = parse(text->s, text->len);

	buf_release(text);
	return ret;
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static struct bytes read_input(const char *path)
{
	struct bytes bytes = {0};
	struct err err = ERR_INIT;

	if (!file_read(path, YAML_MOST_BYTES, &err, &bytes))
		fail_msg("%s", err.text);
	return bytes;
}

/* ---- damage ------------------------------------------------------------------------------- */

static void test_prefixes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
		struct bytes bytes = read_input(inputs[i]);
		size_t refused = 0;

		for (size_t len = 0; len <= bytes.len; len++) {
			struct outcome_of_parse got = parse(bytes.data, len);

			refused += !got.ok;
			free(got.text);
		}
		/* A pack cut off in its second half can be right, but not in its first lines. */
		assert_true(refused > bytes.len / 4);
		bytes_release(&bytes);
	}
}

static void test_damage(void **state)
{
	static const char marks[] = "{[\"'#&*!|%-?:\n\t\0\xff\xe2";
	struct bytes bytes = read_input("tests/fixtures/rules/language.yaml");
	size_t refused = 0, tried = 0;

	(void)state;
	/* Every mark at every third byte, which is at all kinds of places. */
	for (size_t i = 0; i < bytes.len; i += 3)
		for (size_t k = 0; k < sizeof marks - 1; k++) {
			char kept = bytes.data[i];
			struct outcome_of_parse got;

			bytes.data[i] = marks[k];
			got = parse(bytes.data, bytes.len);
			bytes.data[i] = kept;
			refused += !got.ok;
			tried++;
			free(got.text);
		}
	assert_true(refused > tried / 2);
	assert_true(refused < tried);
	bytes_release(&bytes);
}

/* ---- bombs -------------------------------------------------------------------------------- */

static void expect_refusal(struct buf *text, const char *sentence)
{
	double start = seconds();
	struct outcome_of_parse got = parse_buf(text);

	assert_false(got.ok);
	if (!strstr(got.text, sentence))
		fail_msg("no `%s` in: %.300s", sentence, got.text);
	assert_true(seconds() - start < 20);
	free(got.text);
}

/* Each list ten times the one before: ten thousand million elements, were aliases followed. */
static void test_laughs(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	buf_adds(&text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 10; i++) {
		buf_addf(&text, "a%d: &a%d [", i, i);
		for (int k = 0; k < 10; k++)
			buf_addf(&text, "%s*a%d", k ? ", " : "", i - 1);
		buf_adds(&text, "]\n");
	}
	expect_refusal(&text, "an alias (`*a0`) has no place in a pack");
}

static void test_deep(void **state)
{
	static const char *const openings[] = {"[", "{a: ", "- ", "? "};

	(void)state;
	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
		struct buf text = BUF_INIT;

		for (int k = 0; k < 100000; k++)
			buf_adds(&text, openings[i]);
		expect_refusal(&text, "nested more than 32 deep");
	}
}

static void test_deep_blocks(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		buf_pad(&text, ' ', (size_t)i);
		buf_adds(&text, "a:\n");
	}
	expect_refusal(&text, "nested more than 32 deep");
}

/* A small file must not become a large one: a large group named in every rule. */
static void test_groups(void **state)
{
	struct buf text = BUF_INIT;
	struct outcome_of_parse got;

	(void)state;
	buf_adds(&text, "layoutcheck: 1\nstructs:\n  t:\n    groups:\n      g: [");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "%sm%d", i ? ", " : "", i);
	buf_adds(&text, "]\n    rules:\n");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "    - {id: r%d, together: [g, x%d]}\n", i, i);
	got = parse_buf(&text);
	assert_false(got.ok);
	assert_non_null(strstr(got.text, "the lists of this pack name more than 1048576 members"));
	assert_true(got.memory < 256 << 20);
	free(got.text);
}

/* Lists and mappings whose elements have to be told apart from each other. */
static void test_wide(void **state)
{
	struct buf list = BUF_INIT, map = BUF_INIT;

	(void)state;
	buf_adds(&list, "layoutcheck: 1\nstructs: {t: {rules: [order: [");
	for (int i = 0; i < 200000; i++)
		buf_addf(&list, "m%d, ", i);
	buf_adds(&list, "m77]]}}");
	expect_refusal(&list, "member `m77` stands twice: first at 2:");

	for (int i = 0; i < 200000; i++)
		buf_addf(&map, "k%d: 1\n", i);
	buf_adds(&map, "k77: 1\n");
	expect_refusal(&map, "199904 more errors are not shown");
}

/* One line as long as a file may be, wrong at its end. */
static void test_long_line(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	buf_adds(&text, "{a: \"");
	buf_pad(&text, 'x', YAML_MOST_BYTES - 100);
	buf_adds(&text, "\", layoutchek: 1}");
	expect_refusal(&text, "unknown key `layoutchek`; did you mean `layoutcheck`?");
}

/* ---- large and right ---------------------------------------------------------------------- */

static void test_speed(void **state)
{
	struct buf text = BUF_INIT;
	struct outcome_of_parse got;
	double start, took;

	(void)state;
	buf_adds(&text, "layoutcheck: 1\nstructs:\n");
	for (int i = 0; i < 1000; i++) {
		buf_addf(&text, "  t%d:\n    groups: {g: [a, b, c?]}\n    rules:\n", i);
		for (int k = 0; k < 10; k++)
			buf_addf(&text,
				 "      - id: r%d-%d\n"
				 "        apart: [g, [d, e], f|g%d]\n"
				 "        when: {bits: 64, kernel: \">= 6.1\"}\n"
				 "        why: because it was measured\n",
				 i, k, k);
	}
	start = seconds();
	got = parse_buf(&text);
	took = seconds() - start;
	if (!got.ok)
		fail_msg("%.1000s", got.text);
	assert_int_equal(got.rules, 10000);
	print_message("# 10000 rules in %.3f s, %zu bytes\n", took, got.memory);
	/* 0.07 s when it was written. */
#ifdef __SANITIZE_ADDRESS__
	assert_true(took < 5);
#else
	assert_true(took < 0.5);
#endif
	free(got.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prefixes),    cmocka_unit_test(test_damage),
		cmocka_unit_test(test_laughs),      cmocka_unit_test(test_deep),
		cmocka_unit_test(test_deep_blocks), cmocka_unit_test(test_groups),
		cmocka_unit_test(test_wide),        cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_speed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
