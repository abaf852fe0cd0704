/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text files beside a recording: what is written is read again, and what is broken is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "perf/objects.h"
#include "perf/pairs.h"

#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER  "1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct access_pair some_pairs[] = {
	{0xffffffff81002000, 0xffff888101a40000, 0xffffffff81001000, 0xffff888101a40038, 7, 0},
	{0x401000, 0x7f00, 0x401010, 0x7f08, 12, 12},
	{0xffffffff81002000, 0xffff888101a40000, 0xffffffff81001000, 0xffff888101a40038, 3, 2},
	{0x401000, 0x7f00, 0x401010, 0x7f00, UINT64_MAX, 1},
};

#define PAIRS_TEXT                                                                                 \
	"layoutcheck pairs 1 " DIGEST " 3\n"                                                       \
	"0x401000 0x7f00 0x401010 0x7f00 18446744073709551615 1\n"                                 \
	"0x401000 0x7f00 0x401010 0x7f08 12 12\n"                                                  \
	"0xffffffff81002000 0xffff888101a40000 0xffffffff81001000 0xffff888101a40038 10 2\n"

static const struct line_object some_objects[] = {
	{0xffff888101a40040, 0xffff888101a40060, 32, "kmalloc-32"},
	{0xffff888101a40000, 0xffff888101a3ff80, 704, "files_cache"},
	{0xffff888101a40040, 0xffff888101a40040, 32, "odd name\n"},
	{0xffff888101a40000, 0xffff888101a3ff80, 704, "files_cache"},
};

#define OBJECTS_TEXT                                                                               \
	"layoutcheck objects 1 " DIGEST " 3\n"                                                     \
	"0xffff888101a40000 0xffff888101a3ff80 704 files_cache\n"                                  \
	"0xffff888101a40040 0xffff888101a40040 32 odd name\\x0a\n"                                 \
	"0xffff888101a40040 0xffff888101a40060 32 kmalloc-32\n"

/* Of exactly these bytes, so that a sanitizer sees whoever reads on. */
static struct bytes bytes_of(const char *text, size_t len)
{
	struct bytes bytes = {malloc(len ? len : 1), len};

	memcpy(bytes.data, text, len);
	return bytes;
}

static bool read_as(bool is_pairs, const char *text, size_t len, struct err *err)
{
	struct bytes bytes = bytes_of(text, len);
	bool ok;

	if (is_pairs) {
		struct perf_pairs pairs;

		ok = pairs_read(&bytes, "f", DIGEST, err, &pairs);
		if (ok)
			pairs_release(&pairs);
	} else {
		struct perf_objects objects;

		ok = objects_read(&bytes, "f", DIGEST, err, &objects);
		if (ok)
			objects_release(&objects);
	}
	free(bytes.data);
	return ok;
}

static void test_pairs(void **state)
{
	struct access_pair items[ARRAY_SIZE(some_pairs)];
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct perf_pairs pairs;
	struct bytes bytes;

	(void)state;
	memcpy(items, some_pairs, sizeof items);
	pairs_write(items, ARRAY_SIZE(items), DIGEST, &out);
	assert_string_equal(out.s, PAIRS_TEXT);
	bytes = bytes_of(out.s, out.len);
	assert_true(pairs_read(&bytes, "f", DIGEST, &err, &pairs));
	assert_int_equal(pairs.n, 3);
	assert_true(pairs.items[0].count == UINT64_MAX);
	assert_true(pairs.items[2].writer_ip == 0xffffffff81002000);
	assert_true(pairs.items[2].writer_address == 0xffff888101a40000);
	assert_true(pairs.items[2].reader_ip == 0xffffffff81001000);
	assert_true(pairs.items[2].reader_address == 0xffff888101a40038);
	assert_true(pairs.items[2].count == 10);
	assert_true(pairs.items[2].needed == 2);
	pairs_release(&pairs);
	free(bytes.data);
	buf_release(&out);
}

static void test_objects(void **state)
{
	struct line_object items[ARRAY_SIZE(some_objects)];
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct perf_objects objects;
	struct bytes bytes;

	(void)state;
	memcpy(items, some_objects, sizeof items);
	objects_write(items, ARRAY_SIZE(items), DIGEST, &out);
	assert_string_equal(out.s, OBJECTS_TEXT);
	bytes = bytes_of(out.s, out.len);
	assert_true(objects_read(&bytes, "f", DIGEST, &err, &objects));
	assert_int_equal(objects.n, 3);
	assert_true(objects.items[0].line == 0xffff888101a40000);
	assert_true(objects.items[0].start == 0xffff888101a3ff80);
	assert_true(objects.items[0].size == 704);
	assert_string_equal(objects.items[0].cache, "files_cache");
	assert_string_equal(objects.items[1].cache, "odd name\\x0a");
	objects_release(&objects);
	free(bytes.data);
	buf_release(&out);
}

static void test_nothing(void **state)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	pairs_write(NULL, 0, DIGEST, &out);
	assert_true(read_as(true, out.s, out.len, &err));
	buf_release(&out);
	objects_write(NULL, 0, DIGEST, &out);
	assert_true(read_as(false, out.s, out.len, &err));
	buf_release(&out);
}

/* Cut anywhere it is an error, a line's end included. */
static void test_prefixes(void **state)
{
	static const char *const texts[] = {OBJECTS_TEXT, PAIRS_TEXT};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t len = 0; len <= strlen(texts[i]); len++) {
			struct err err = ERR_INIT;

			assert_int_equal(read_as(i == 1, texts[i], len, &err),
					 len == strlen(texts[i]));
			assert_true(!err.text == (len == strlen(texts[i])));
			err_release(&err);
		}
}

/* Any byte made another is read as something or refused, and never read behind. */
static void test_changed_bytes(void **state)
{
	static const char *const texts[] = {OBJECTS_TEXT, PAIRS_TEXT};
	static const char put[] = {0, '\n', ' ', 'x', '-', '9', (char)0xff};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t at = 0; at < strlen(texts[i]) * sizeof put; at++) {
			char *text = xstrdup(texts[i]);
			struct err err = ERR_INIT;

			text[at / sizeof put] = put[at % sizeof put];
			assert_true(read_as(i == 1, text, strlen(texts[i]), &err) == !err.text);
			err_release(&err);
			free(text);
		}
}

static const struct {
	bool is_pairs;
	const char *text, *error;
} odd[] = {
	{true, "", "f: it ends in line 1, which is not whole"},
	{true, "perf\n", "f: it does not begin with `layoutcheck pairs`"},
	{true, OBJECTS_TEXT, "f: it does not begin with `layoutcheck pairs`"},
	{false, PAIRS_TEXT, "f: it does not begin with `layoutcheck objects`"},
	{true, "layoutcheck pairs 2 " DIGEST " 0\n",
	 "f: its version is not 1, the one this program reads"},
	{true, "layoutcheck pairs 1 0123 0\n", "f: it does not say the SHA-256 of its recording"},
	{true, "layoutcheck pairs 1 " OTHER " 0\n",
	 "f: it is of another recording than the one beside it, whose SHA-256 is " DIGEST},
	{true, "layoutcheck pairs 1 " DIGEST "\n",
	 "f: line 1: it does not end with the number of lines that follow"},
	{true, "layoutcheck pairs 1 " DIGEST " 1 1\n",
	 "f: line 1: it does not end with the number of lines that follow"},
	{true, "layoutcheck pairs 1 " DIGEST " 18446744073709551615\n",
	 "f: line 1: more lines are to follow than there are"},
	{true, "layoutcheck pairs 1 " DIGEST " 0\n\n", "f: it goes on behind line 1, its last"},
	{true, "layoutcheck pairs 1 " DIGEST " 1\n0x1 0x2 0x3 0x4\n",
	 "f: line 2: it is not four addresses and two counts"},
	{true, "layoutcheck pairs 1 " DIGEST " 1\n0x1 0x2 0x3 0x4 0 0\n",
	 "f: line 2: it is not four addresses and two counts"},
	{true, "layoutcheck pairs 1 " DIGEST " 1\n0x1 0x2 0x3 0x4 1\n",
	 "f: line 2: it is not four addresses and two counts"},
	{true, "layoutcheck pairs 1 " DIGEST " 1\n0x1 0x2 0x3 0x4 1 2\n",
	 "f: line 2: it is not four addresses and two counts"},
	{true, "layoutcheck pairs 1 " DIGEST " 1\n0x1 0x2 3 0x4 1 0\n",
	 "f: line 2: it is not four addresses and two counts"},
	{true, "layoutcheck pairs 1 " DIGEST " 1\n0x1 0x2 0x3 0x4 1 1 1\n",
	 "f: line 2: it is not four addresses and two counts"},
	{true, "layoutcheck pairs 1 " DIGEST " 1\n0x1 0x2 0x3 0x10000000000000000 1 0\n",
	 "f: line 2: it is not four addresses and two counts"},
	{true, "layoutcheck pairs 1 " DIGEST " 2\n0x1 0x2 0x3 0x4 1 0\n0x1 0x2 0x3 0x4 1 0\n",
	 "f: line 3: it does not come behind the one before"},
	{false, "layoutcheck objects 1 " DIGEST " 1\n0x40 0x40 8\n",
	 "f: line 2: it is not two addresses, a size and a cache"},
	{false, "layoutcheck objects 1 " DIGEST " 1\n0x40 0x40 0 a\n",
	 "f: line 2: the object has no byte on the line"},
	{false, "layoutcheck objects 1 " DIGEST " 1\n0x40 0x38 8 a\n",
	 "f: line 2: the object has no byte on the line"},
	{false, "layoutcheck objects 1 " DIGEST " 1\n0x40 0xfffffffffffffff8 9 a\n",
	 "f: line 2: the object has no byte on the line"},
	{false, "layoutcheck objects 1 " DIGEST " 2\n0x80 0x80 8 a\n0x40 0x40 8 a\n",
	 "f: line 3: it does not come behind the one before"},
};

static void test_odd(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		struct err err = ERR_INIT;

		assert_false(read_as(odd[i].is_pairs, odd[i].text, strlen(odd[i].text), &err));
		assert_string_equal(err.text, odd[i].error);
		err_release(&err);
	}
}

static void test_find(void **state)
{
	char dir[] = "/tmp/perf_side.XXXXXX", recording[64], beside[64];
	struct err err = ERR_INIT;
	struct bytes bytes;
	char *path;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(recording, sizeof recording, "%s/perf.data", dir);
	snprintf(beside, sizeof beside, "%s/perf.data.pairs", dir);
	assert_false(side_find(recording, ".pairs", &err, &path, &bytes));
	assert_null(err.text);
	assert_null(path);
	assert_true(file_write(beside, "x", 1, &err));
	assert_true(side_find(recording, ".pairs", &err, &path, &bytes));
	assert_string_equal(path, beside);
	assert_int_equal(bytes.len, 1);
	bytes_release(&bytes);
	free(path);
	/* A directory of that name is there, and is no file. */
	assert_int_equal(unlink(beside), 0);
	snprintf(recording, sizeof recording, "%s", dir);
	assert_false(side_find(recording, "", &err, &path, &bytes));
	assert_non_null(err.text);
	err_release(&err);
	free(path);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),         cmocka_unit_test(test_objects),
		cmocka_unit_test(test_nothing),       cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_odd),           cmocka_unit_test(test_find),
		cmocka_unit_test(test_changed_bytes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
