/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that are cut, damaged or made to cost: they are read in bounded time and memory, or refused
 * with a sentence. To be run under the sanitizers, too. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "perf/report.h"

#define REPORTS "tests/fixtures/c2c/reports/"

/* Reads exactly these bytes, of which none follows, as whole or as not at all. */
static bool read_bytes(const char *s, size_t len)
{
	struct err err = ERR_INIT;
	struct report report;
	struct bytes text = {xmalloc(len + 1), len};
	bool ok;

	memcpy(text.data, s, len);
	text.data[len] = 0;
	text.data = realloc(text.data, len + 1);
	ok = report_parse("mail", &text, &err, &report);
	if (ok) {
		report_counts(&report);
	} else {
		assert_non_null(err.text);
		assert_null(strchr(err.text, '\n'));
		err_release(&err);
	}
	report_release(&report);
	return ok;
}

static void for_each_fixture(void (*fn)(const char *name, const struct bytes *text))
{
	DIR *dir = opendir(REPORTS);
	const struct dirent *entry;
	int n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		struct err err = ERR_INIT;
		struct bytes text;
		char path[512];

		if (!text_ends_with(entry->d_name, ".txt"))
			continue;
		snprintf(path, sizeof path, REPORTS "%s", entry->d_name);
		if (!file_read(path, 1 << 20, &err, &text))
			fail_msg("%s", err.text);
		fn(entry->d_name, &text);
		bytes_release(&text);
		n++;
	}
	closedir(dir);
	assert_true(n > 10);
}

static void prefixes_of(const char *name, const struct bytes *text)
{
	size_t refused = 0;

	for (size_t len = 0; len < text->len; len++)
		refused += !read_bytes(text->data, len);
	/* Once there is a line in it, more of it is never less. */
	assert_true(refused > 0 && refused < text->len);
	for (size_t len = refused; len < text->len; len++)
		if (!read_bytes(text->data, len))
			fail_msg("%s: refused at %zu bytes, not before", name, len);
}

static void every_prefix(void **state)
{
	(void)state;
	for_each_fixture(prefixes_of);
}

/* A generator of our own: the same damage on every machine. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void damages_of(const char *name, const struct bytes *text)
{
	static const char bytes[] = " \n\t\0%-0x9[]{}.#|>:\xff";
	char *copy = xmalloc(text->len);
	uint32_t seed = (uint32_t)text->len;

	(void)name;
	for (int round = 0; round < 300; round++) {
		int flips = 1 + (int)(next_random(&seed) % 40);

		memcpy(copy, text->data, text->len);
		for (int i = 0; i < flips; i++)
			copy[next_random(&seed) % text->len] =
				bytes[next_random(&seed) % (sizeof bytes - 1)];
		(void)read_bytes(copy, text->len);
	}
	free(copy);
}

static void damaged_bytes(void **state)
{
	(void)state;
	for_each_fixture(damages_of);
}

/* @n times @piece, between @before and @after. */
static void read_many(const char *before, const char *piece, size_t n, const char *after)
{
	size_t len = strlen(before), piece_len = strlen(piece), after_len = strlen(after);
	char *text = xmalloc(len + n * piece_len + after_len);

	memcpy(text, before, len);
	for (size_t i = 0; i < n; i++, len += piece_len)
		memcpy(text + len, piece, piece_len);
	memcpy(text + len, after, after_len);
	(void)read_bytes(text, len + after_len);
	free(text);
}

static void texts_that_cost(void **state)
{
	static const char group[] = "0 1 2 3 4 0x1000\n";
	static const char row[] = "1.00% 2.00% 3.00% 4.00% 0x0 0x10 7 8 9 44 5 [.] f prog 0\n";
	static const size_t many = 1000000;
	clock_t start = clock();
	char before[256];

	(void)state;
	read_many("# Num Offset", " Offset", many, "\n");
	read_many("# Num Offset Index\n#", " ...", many, "\n");
	snprintf(before, sizeof before, "%s1.00%% 1.00%% 1.00%% 1.00%% 0x0", group);
	read_many(before, " 1", many, "\n");
	read_many(before, " 0x1", many, "\n");
	read_many(before, " 12:a", many, "\n");
	read_many(before, " 12:a  b", many, "\n");
	snprintf(before, sizeof before, "%s1.00%% 1.00%% 1.00%% 1.00%% 0x0 0x10 1 1 1 1 [k] f",
		 group);
	read_many(before, " <", many, "\n");
	read_many(before, " operator<", many / 10, "\n");
	read_many(before, "  0{0-1}", many, "\n");
	read_many(before, " [k]", many, "\n");
	read_many(group, "1.00% ", many, "\n");
	read_many(group, row, many / 10, "");
	read_many(group, "1.00% 1.00% 1.00%\n", many / 10, "");
	read_many("", group, many / 10, row);
	read_many("> ", "> ", many, row);
	read_many("0 0x1000", " 1", many, "\n");
	read_many("", "0 0x1000 260 9.00% 15 3 12 161 161 0 1 2 15 99 25 50 0 6 1\n", many / 10,
		  "0 1 2 3 4 0x1000\n");
	/* Rows that mailers broke: each line a piece of the one before. */
	snprintf(before, sizeof before, "%s1.00%% 1.00%% 1.00%% 1.00%%\n", group);
	read_many(before, "0x0\n", many / 10, "");
	read_many("c2c details\nEvents : a\n", " : b\n", many / 10, "");
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 60);
}

static void bytes_that_are_no_text(void **state)
{
	static const char nul[] =
		"0 1 2 3 4 0x1000\n1.00% 1.00% 1.00% 1.00% 0x0\0\0 0x10 7 8 9 4 5 "
		"[.] f\0g  prog  0\n";

	/* A cell that looks like a symbol's and is shorter. */
	static const char tab[] = "0 1 2 3 4 0x1000\n1.00% 1.00% 1.00% 1.00% 0x0 0x10 7 8 9 4 5 "
				  "[\t] f  prog  0\n";

	(void)state;
	assert_true(read_bytes(nul, sizeof nul - 1));
	assert_true(read_bytes(tab, sizeof tab - 1));
	assert_false(read_bytes("\0\0\0", 3));
	assert_false(read_bytes("", 0));
	assert_false(read_bytes("\n", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(damaged_bytes),
		cmocka_unit_test(texts_that_cost),
		cmocka_unit_test(bytes_that_are_no_text),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("c2c_report_hostile", tests, NULL, NULL);
}
