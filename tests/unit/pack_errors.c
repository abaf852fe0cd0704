// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is said about packs that are wrong. Each NAME.yaml of tests/fixtures/rules/bad, and each
 * directory there, has its complaints in NAME.txt, byte for byte. After a sentence was changed,
 * UPDATE=1 build/tests/pack_errors writes them anew, to be read before they are committed.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/text.h"
#include "rule/pack.h"

#define BAD "tests/fixtures/rules/bad/"

/* ---- the files ---------------------------------------------------------------------------- */

static void read_expected(const char *path, const char *got, struct bytes *ret)
{
	struct err err = ERR_INIT;

	if (getenv("UPDATE") && !file_write(path, got, strlen(got), &err))
		fail_msg("%s", err.text);
	if (!file_read(path, 1 << 20, &err, ret))
		fail_msg("%s", err.text);
}

static void test_file(void **state)
{
	const char *name = *state, *dot = strrchr(name, '.');
	struct buf path = BUF_INIT, expected_path = BUF_INIT;
	struct pack_errors errors;
	struct bytes expected;
	struct packs packs;
	bool ok;

	buf_addf(&path, BAD "%s", name);
	buf_addf(&expected_path, BAD "%.*s.txt", dot ? (int)(dot - name) : 100, name);
	packs_init(&packs);
	pack_errors_init(&errors);
	ok = packs_load(&packs, path.s, &errors);
	ok = packs_finish(&packs, &errors) && ok;
	assert_false(ok);
	assert_true(errors.n > 0);
	read_expected(expected_path.s, errors.text.s, &expected);
	assert_string_equal(errors.text.s, expected.data);
	bytes_release(&expected);
	packs_release(&packs);
	pack_errors_release(&errors);
	buf_release(&path);
	buf_release(&expected_path);
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && !text_ends_with(entry->d_name, ".txt");
}

/* ---- what no file shows ------------------------------------------------------------------- */

static size_t count_lines(const char *text, const char *with)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, with)); p++)
		n++;
	return n;
}

/* A file of another kind altogether must not fill the screen, and all is counted. */
static void test_many(void **state)
{
	struct buf text = BUF_INIT;
	struct pack_errors errors;
	struct packs packs;

	(void)state;
	for (int i = 0; i < 150; i++)
		buf_addf(&text, "wrong%d: 1\n", i);
	packs_init(&packs);
	pack_errors_init(&errors);
	assert_false(packs_parse(&packs, "many", text.s, text.len, &errors));
	/* 150 keys, and two that are missing */
	assert_int_equal(errors.n, 152);
	assert_int_equal(count_lines(errors.text.s, ": unknown key"), 98);
	assert_int_equal(count_lines(errors.text.s, "many: 52 more errors are not shown\n"), 1);
	packs_release(&packs);
	pack_errors_release(&errors);
	buf_release(&text);
}

/* The name of the file is foreign text, too. */
static void test_file_name(void **state)
{
	static const char text[] = "a: 1";
	struct pack_errors errors;
	struct packs packs;

	(void)state;
	packs_init(&packs);
	pack_errors_init(&errors);
	assert_false(packs_parse(&packs, "a\033b", text, strlen(text), &errors));
	assert_true(text_starts_with(errors.text.s, "a\\x1bb:1:1: "));
	packs_release(&packs);
	pack_errors_release(&errors);
}

int main(void)
{
	struct CMUnitTest tests[200] = {
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_file_name),
	};
	struct dirent **entries;
	size_t n = 2;
	int found = scandir(BAD, &entries, is_input, alphasort);

	for (int i = 0; i < found && n < 200; i++)
		tests[n++] = (struct CMUnitTest){.name = entries[i]->d_name,
						 .test_func = test_file,
						 .initial_state = entries[i]->d_name};
	if (found < 20) {
		fprintf(stderr, "the inputs in " BAD " are missing\n");
		return 1;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	found = _cmocka_run_group_tests("pack_errors", tests, n, NULL, NULL);
	for (size_t i = 2; i < n; i++)
		free(entries[i - 2]);
	free(entries);
	return found;
}
