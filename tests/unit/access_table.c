/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of how members are accessed: both forms, every prefix and much damage of them, and what
 * cannot be understood, each with its line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "rule/pack.h"
#include "rule/write.h"

static const char *const documents[] = {"tests/fixtures/access/queue.rst",
					"tests/fixtures/access/packet.rst"};

struct result {
	bool ok;
	struct access_table table;
	struct arena arena;
	struct err err;
};

/* The bytes end where they end: a copy of their own, so that a sanitizer sees a read past them. */
static void read_bytes(const char *data, size_t len, const char *type, struct result *ret)
{
	char *copy = malloc(len ? len : 1);

	assert_non_null(copy);
	memcpy(copy, data, len);
	*ret = (struct result){0};
	arena_init(&ret->arena);
	ret->ok =
		access_table_read("doc.rst", copy, len, type, &ret->arena, &ret->err, &ret->table);
	free(copy);
	assert_int_equal(ret->ok, !ret->err.text);
}

static void result_release(struct result *result)
{
	err_release(&result->err);
	arena_release(&result->arena);
}

static struct bytes read_document(const char *path)
{
	struct bytes bytes = {0};
	struct err err = ERR_INIT;

	if (!file_read(path, 1 << 20, &err, &bytes))
		fail_msg("%s", err.text);
	return bytes;
}

static void expect_row(const struct access_row *row, const char *member, enum access_class tx,
		       enum access_class rx, unsigned line)
{
	assert_string_equal(row->member, member);
	assert_int_equal(row->tx, tx);
	assert_int_equal(row->rx, rx);
	assert_int_equal(row->line, line);
}

/* ---- what is right --------------------------------------------------------------------------- */

static void test_without_rules(void **state)
{
	struct bytes bytes = read_document(documents[0]);
	struct result got;

	(void)state;
	read_bytes(bytes.data, bytes.len, NULL, &got);
	assert_null(got.err.text);
	assert_string_equal(got.table.type, "queue"); /* the first row, not the title */
	assert_int_equal(got.table.line, 10);
	assert_int_equal(got.table.n, 10);
	expect_row(&got.table.rows[0], "limit", ACCESS_READ, ACCESS_NONE, 12);
	expect_row(&got.table.rows[1], "ops", ACCESS_READ, ACCESS_READ, 13);
	expect_row(&got.table.rows[2], "first", ACCESS_NONE, ACCESS_WRITE, 14);
	expect_row(&got.table.rows[3], "last", ACCESS_WRITE, ACCESS_NONE, 15);
	expect_row(&got.table.rows[4], "drops", ACCESS_NONE, ACCESS_WRITE, 16);
	expect_row(&got.table.rows[5], "is_closed", ACCESS_NONE, ACCESS_READ, 17);
	expect_row(&got.table.rows[6], "tail.pushed|pushed", ACCESS_WRITE, ACCESS_READ, 18);
	expect_row(&got.table.rows[7], "tail.slots|slots", ACCESS_NONE, ACCESS_NONE, 19);
	expect_row(&got.table.rows[8], "stamp", ACCESS_NONE, ACCESS_NONE, 20);
	expect_row(&got.table.rows[9], "gone", ACCESS_NONE, ACCESS_NONE, 21);
	result_release(&got);
	read_bytes(bytes.data, bytes.len, "other", &got);
	assert_string_equal(got.table.type, "other");
	result_release(&got);
	bytes_release(&bytes);
}

static void test_simple_table(void **state)
{
	struct bytes bytes = read_document(documents[1]);
	struct result got;

	(void)state;
	read_bytes(bytes.data, bytes.len, NULL, &got);
	assert_null(got.err.text);
	assert_string_equal(got.table.type, "packet");
	assert_int_equal(got.table.n, 4);
	expect_row(&got.table.rows[0], "data", ACCESS_READ, ACCESS_READ, 12);
	expect_row(&got.table.rows[1], "length", ACCESS_NONE, ACCESS_READ, 14);
	expect_row(&got.table.rows[2], "users", ACCESS_NONE, ACCESS_NONE, 15);
	expect_row(&got.table.rows[3], "hash", ACCESS_NONE, ACCESS_NONE, 17);
	result_release(&got);
	bytes_release(&bytes);
}

/* Other words in the headings, another order, tabs, lines of another system, columns as narrow as
 * their headings. */
static void test_variants(void **state)
{
	static const char text[] = "s struct\r\n========\r\n\r\n"
				   "======= ======= ======= ======= ==\r\n"
				   "TYPE    Member  size    Rx      Tx\r\n"
				   "======= ======= ======= ======= ==\r\n"
				   "int\ta\t4\t\tread_only\r\n"
				   "int\tb\t4\twrite_only -\r\n"
				   "======= ======= ======= ======= ==\r\n";
	struct result got;

	(void)state;
	read_bytes(text, strlen(text), NULL, &got);
	assert_null(got.err.text);
	assert_string_equal(got.table.type, "s");
	expect_row(&got.table.rows[0], "a", ACCESS_READ, ACCESS_NONE, 7);
	expect_row(&got.table.rows[1], "b", ACCESS_NONE, ACCESS_WRITE, 8);
	result_release(&got);
}

/* ---- what is not ----------------------------------------------------------------------------- */

#define HEAD  "s struct\n====\n\nType  Name  tx_access    rx_access    comment\n"
#define RULES "===== ===== ============ ============ =======\n"

static void test_malformed(void **state)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
		{"", "doc.rst: no table has columns for type, name, tx access and rx access"},
		{"s struct\n====\n\nint a\n",
		 "doc.rst: no table has columns for type, name, tx access and rx access"},
		{HEAD, "doc.rst:4: the table has no rows"},
		{"Type  Name  rx_access\nint   a\n",
		 "doc.rst:1: the table has no column for tx access"},
		{"Type  Name  tx_access\nint   a\n",
		 "doc.rst:1: the table has no column for rx access"},
		{"Type  Name  tx_access  rx_access  tx_bytes\n",
		 "doc.rst:1: `tx_bytes` is a second such column"},
		{"Type  Name  tx  rx  a  b  c  d  e  f  g  h  i  j  k  l  m\n",
		 "doc.rst:1: the table has more than 16 columns"},
		{"Type  Name  tx_access    rx_access\nint   a     read_mostly  -\n",
		 "doc.rst:1: nothing says whose members these are: name it with -C"},
		{HEAD "int   a     read_mosty   -\n",
		 "doc.rst:5: `read_mosty` is no access; did you mean `read_mostly`?"},
		{HEAD "int   a     often        -\n", "doc.rst:5: `often` is no access: one is "
						      "read_mostly, read_write, write_mostly or -"},
		{HEAD "int         read_mostly  -\n", "doc.rst:5: this row names no member"},
		{HEAD "int   a-b   read_mostly  -\n", "doc.rst:5: `a-b` is no member's name"},
		{HEAD "int   a[3   read_mostly  -\n", "doc.rst:5: `a[3` is no member's name"},
		{HEAD "int   a b   read_mostly  -\n",
		 "doc.rst:5: `b` stands beside `a` in one column"},
		{HEAD "int   a     -            -\nint   b\nint   a     read_mostly  -\n",
		 "doc.rst:7: `a` is accessed otherwise in line 5"},
		{HEAD "..union ..u\n", "doc.rst:5: `..union ..u` names no struct"},
		{HEAD "..struct ..s\n..struct ..t\n",
		 "doc.rst:6: `t` is a second struct, behind `s`"},
		{HEAD "..enum\nint   A     -            -\n",
		 "doc.rst:4: these are counters of an enum: they are no members, and have no "
		 "layout"},
		{HEAD "int   a\x01\n", "doc.rst:5: this line is no text"},
		{RULES "Type  Name  tx_access    rx_access    comment\n" RULES "int   a\n",
		 "doc.rst:2: the table does not end: no rule of `=` comes last"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct result got;

		read_bytes(cases[i].text, strlen(cases[i].text), NULL, &got);
		assert_false(got.ok);
		assert_string_equal(got.err.text, cases[i].sentence);
		result_release(&got);
	}
}

/* ---- what nobody wrote ----------------------------------------------------------------------- */

/* Whatever is read makes a pack that can be. */
static bool try_bytes(const char *data, size_t len)
{
	struct buf text = BUF_INIT;
	struct pack_errors errors;
	struct packs packs;
	struct result got;
	bool ok;

	read_bytes(data, len, NULL, &got);
	ok = got.ok;
	if (ok) {
		packs_init(&packs);
		pack_errors_init(&errors);
		pack_write_access(&got.table, 1, &text);
		if (!packs_parse(&packs, "imported", text.s, text.len, &errors))
			fail_msg("%s", errors.text.s);
		pack_errors_release(&errors);
		packs_release(&packs);
		buf_release(&text);
	}
	result_release(&got);
	return ok;
}

static void test_prefixes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		struct bytes bytes = read_document(documents[i]);
		size_t refused = 0;

		for (size_t len = 0; len <= bytes.len; len++)
			refused += !try_bytes(bytes.data, len);
		assert_true(refused > 300 && refused < bytes.len);
		bytes_release(&bytes);
	}
}

static void test_damage(void **state)
{
	static const char marks[] = "=-.[\t\n \0\xff";

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		struct bytes bytes = read_document(documents[i]);
		size_t refused = 0;

		for (size_t at = 0; at < bytes.len; at++)
			for (size_t k = 0; k < sizeof marks - 1; k++) {
				char kept = bytes.data[at];

				bytes.data[at] = marks[k];
				refused += !try_bytes(bytes.data, bytes.len);
				bytes.data[at] = kept;
			}
		assert_true(refused > 0 && refused < bytes.len * (sizeof marks - 1));
		bytes_release(&bytes);
	}
}

/* Memory stays within some times the document. */
static void test_large(void **state)
{
	struct buf text = BUF_INIT;
	struct result got;

	(void)state;
	buf_adds(&text, HEAD);
	for (int i = 0; i < 40000; i++)
		buf_addf(&text, "int   m%d\n", i);
	read_bytes(text.s, text.len, NULL, &got);
	assert_true(got.ok);
	assert_int_equal(got.table.n, 40000);
	assert_true(got.arena.total < 40 * text.len);
	result_release(&got);
	text.len = 0;
	buf_adds(&text, HEAD "int   ");
	buf_pad(&text, '\t', 1 << 19);
	read_bytes(text.s, text.len, NULL, &got);
	assert_false(got.ok);
	assert_true(got.arena.total < 40 * text.len);
	result_release(&got);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_rules), cmocka_unit_test(test_simple_table),
		cmocka_unit_test(test_variants),      cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_prefixes),      cmocka_unit_test(test_damage),
		cmocka_unit_test(test_large),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
