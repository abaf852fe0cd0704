// SPDX-License-Identifier: GPL-2.0-or-later
/* Snapshots that are none: one sentence that says where, never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout/snapshot.h"
#include "layout/view.h"
#include "lib/model.h"

static const struct want everything = {.all = true};

/* Every key there is. */
static struct buf sample(void)
{
	static const struct snapshot_options stamp = {.stamp = true, .tool = "tool"};
	struct layout *layout = model_consoles(SOURCE_DWARF);
	struct buf out = BUF_INIT;

	layout->target.build_id = "00";
	layout->target.config = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
	layout->target.big_endian = true;
	model_define(layout, "s2!64", 64, "a@0:8!8 b@4.3:b5 far%@0:4 many@8:=pairx3 rest@60:4x")
		->scope = "ns";
	snapshot_write(layout, &everything, &stamp, &out);
	layout_free(layout);
	return out;
}

/* In an allocation of just that size, so that a sanitizer sees the first byte behind it. What is
 * read is drawn, too. */
static bool survives(const char *text, size_t len, struct err *err)
{
	char *copy = memcpy(xmalloc(len + !len), text, len);
	struct layout *layout = NULL;
	bool ok = snapshot_read(copy, len, "file", err, &layout);

	free(copy);
	assert_int_equal(ok, layout != NULL);
	assert_int_equal(ok, err->text == NULL);
	for (size_t i = 0; ok && i < layout->ndefs; i++) {
		struct arena arena = {0};
		struct view view;

		view_make(&layout->defs[i], &layout->target, &arena, &view);
		arena_release(&arena);
	}
	layout_free(layout);
	return ok;
}

static void every_prefix(void **state)
{
	struct buf text = sample();

	(void)state;
	for (size_t len = 0; len < text.len; len++) {
		struct err err = ERR_INIT;

		if (survives(text.s, len, &err))
			fail_msg("%zu of %zu bytes are taken for the whole", len, text.len);
		assert_non_null(strstr(err.text, "file: "));
		assert_null(strchr(err.text, '\n'));
		err_release(&err);
	}
	buf_release(&text);
}

static void every_byte_replaced(void **state)
{
	static const char values[] = "\0\"{],-9e\\\xff";
	struct buf text = sample();
	size_t alive = 0, refused = 0;

	(void)state;
	for (size_t i = 0; i < text.len; i++) {
		char saved = text.s[i];

		for (size_t k = 0; k < sizeof values - 1; k++) {
			struct err err = ERR_INIT;
			bool ok;

			text.s[i] = values[k];
			ok = survives(text.s, text.len, &err);
			alive += ok;
			refused += !ok;
			err_release(&err);
		}
		text.s[i] = saved;
	}
	assert_true(alive > 0); /* names, for one, may be anything */
	assert_true(refused > alive);
	buf_release(&text);
}

/* The sample with the first @from of it made @to is refused with exactly this sentence. */
static void refuses(const char *from, const char *to, const char *sentence)
{
	struct buf text = sample(), changed = BUF_INIT;
	struct err err = ERR_INIT;
	char *at = strstr(text.s, from);

	if (!at)
		fail_msg("no \"%s\" in\n%s", from, text.s);
	buf_add(&changed, text.s, (size_t)(at - text.s));
	buf_adds(&changed, to);
	buf_adds(&changed, at + strlen(from));
	if (survives(changed.s, changed.len, &err))
		fail_msg("read, with \"%s\" for \"%s\"", to, from);
	assert_string_equal(err.text, sentence);
	err_release(&err);
	buf_release(&changed);
	buf_release(&text);
}

static void refuses_heads(void **state)
{
	(void)state;
	refuses("\"layoutcheck_snapshot\": 1", "\"layoutcheck_snapshot\": 2",
		"file: is a snapshot of version 2; this program reads version 1");
	refuses("\"layoutcheck_snapshot\": 1", "\"layoutcheck_snapshot\": \"1\"",
		"file: layoutcheck_snapshot: is no number");
	refuses("\"layoutcheck_snapshot\": 1", "\"version\": 1",
		"file: is JSON and no snapshot of layoutcheck");
	refuses("\"source\": \"dwarf\"", "\"sauce\": \"dwarf\"",
		"file: sauce: is a key that version 1 does not have");
	refuses("\"source\": \"dwarf\",\n", "", "file: source: is missing");
	refuses("\"source\": \"dwarf\"", "\"source\": \"stabs\"",
		"file: source: is `stabs`, which is not known");
	refuses("\"bits\": 64", "\"bits\": 65", "file: target.bits: is larger than 64");
	refuses("\"bits\": 64", "\"bits\": 63", "file: target.bits: is neither 32 nor 64");
	refuses("\"line\": 64", "\"line\": 63", "file: target.line: is not a power of two");
	refuses("\"big_endian\": true", "\"big_endian\": false",
		"file: target.big_endian: is there and not true");
	refuses("e3b0c442", "e3b0c44", "file: target.config: is no SHA-256 digest");
	refuses("e3b0c442", "E3b0c442", "file: target.config: is no SHA-256 digest");
	refuses("6.12.57\"", "6.12\"", "file: target.kernel: is no version such as 6.12.0");
	refuses("\"align\", \"decl\"", "\"align\", \"align\"",
		"file: knows: `align` is not known, or there twice");
	refuses("\"align\", \"decl\"", "\"align\", 3", "file: knows[1]: is no string");
	refuses("\"asked\": null", "\"asked\": {}", "file: asked: is no list");
	refuses("\"asked\": null,\n", "", "file: asked: is missing");
}

static void refuses_definitions(void **state)
{
	(void)state;
	refuses("{\"name\": \"console\", ", "{", "file: defs[0].name: is missing");
	refuses("\"type\": \"pair\"", "\"type\": \"pear\"",
		"file: defs[2].type: there is no type with the key `pear`");
	refuses("\"type\": \"pair\"", "\"type\": \"u64\"",
		"file: defs[2].type: is a base, which the definition is not");
	refuses("\"kind\": \"struct\", \"type\": \"pair\"",
		"\"kind\": \"union\", \"type\": \"pair\"",
		"file: defs[2].type: is a struct, which the definition is not");
	refuses("\"file\": \"include/pair.h\", ", "",
		"file: defs[2].line: is there without a file");
	refuses("pair.h\", \"line\": 1", "pair.h\"", "file: defs[2].line: is missing");
	refuses("pair.h\", \"line\": 1", "pair.h\", \"line\": 4294967296",
		"file: defs[2].line: is larger than 4294967295");
	refuses("\"defs\": [\n", "\"defs\": [\n7, ", "file: defs[0]: is no object");
}

static void refuses_types(void **state)
{
	(void)state;
	refuses("\"kind\": \"base\"", "\"kind\": \"bass\"",
		"file: types[0].kind: is `bass`, which is not known");
	refuses("{\"key\": \"u32\"", "{\"kye\": \"u32\"",
		"file: types[0].kye: is a key that version 1 does not have");
	refuses("{\"key\": \"u32\"", "{\"key\": \"u64\"",
		"file: types[1].key: `u64` is the key of another type, too");
	refuses("\"kind\": \"base\",", "\"kind\": \"base\", \"count\": 2,",
		"file: types[0].count: a type of this kind has none");
	refuses("\"kind\": \"base\",", "\"kind\": \"base\", \"target\": \"u64\",",
		"file: types[0].target: a type of this kind has none");
	refuses("\"kind\": \"base\",", "\"kind\": \"base\", \"members\": [],",
		"file: types[0].members: a type of this kind has none");
	refuses("\"kind\": \"base\",", "\"kind\": \"base\", \"bits\": 3,",
		"file: types[0].bits: is there beside `size`");
	refuses("\"kind\": \"base\",", "\"kind\": \"base\", \"name_at\": 9,",
		"file: types[0].name_at: is larger than 3");
}

/* Of pair, the only one with such an x. */
static void refuses_members(void **state)
{
	static const char x[] = "\"name\": \"x\", \"type\": \"u64\", \"offset\": 0, \"size\": 8";

	(void)state;
	refuses(x, "\"name\": \"x\", \"type\": \"u64\", \"offset\": -8, \"size\": 8",
		"file: types[10].members[0].offset: is no number from 0 up");
	refuses(x, "\"name\": \"x\", \"type\": \"u64\", \"offset\": 0.5, \"size\": 8",
		"file: types[10].members[0].offset: is no number from 0 up");
	refuses(x, "\"name\": \"x\", \"type\": \"u64\", \"offset\": \"8\", \"size\": 8",
		"file: types[10].members[0].offset: is no number from 0 up");
	refuses(x, "\"name\": \"x\", \"type\": \"u64\", \"size\": 8",
		"file: types[10].members[0].offset: is missing");
	refuses(x, "\"name\": \"x\", \"type\": \"u64\", \"offset\": 0",
		"file: types[10].members[0].size: is missing");
	refuses(x, "\"name\": 7, \"type\": \"u64\", \"offset\": 0, \"size\": 8",
		"file: types[10].members[0].name: is no string");
	refuses(x, "\"type\": \"u64\", \"offset\": 0, \"size\": 8",
		"file: types[10].members[0].name: is missing");
	refuses(x, "\"name\": \"x\", \"type\": \"u64\", \"offset\": 0, \"bit\": 8, \"size\": 8",
		"file: types[10].members[0].bit: is larger than 7");
	refuses(x,
		"\"name\": \"x\", \"type\": \"u64\", \"offset\": 2305843009213693951, \"size\": 8",
		"file: types[10].members[0].offset: is larger than 2305843009213693950");
	refuses(x,
		"\"name\": \"x\", \"type\": \"u64\", \"offset\": 0, \"dynamic\": true, \"size\": 8",
		"file: types[10].members[0].offset: is there, and the member is dynamic");
	refuses(x, "\"name\": \"x\", \"type\": \"pair\", \"offset\": 0, \"size\": 8",
		"file: types[10]: the type contains itself");
}

static void refuses_what_is_no_json(void **state)
{
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	refuses("\"size\": 8", "\"size\": 8, \"size\": 8",
		"file: line 16, column 63: duplicate object key near '\"size\"'");
	refuses("]\n}\n", "]\n}\n{}\n", "file: line 41, column 1: end of file expected near '{'");
	refuses("]\n}\n", "]\n}", "file: is cut off: its last line has no end");
	buf_pad(&text, '[', 100000);
	assert_false(survives(text.s, text.len, &err));
	assert_non_null(strstr(err.text, "file: line 1, column 20"));
	err_release(&err);
	buf_release(&text);
}

/* A chain of typedefs, each in a line before or behind what it names. */
static void refuses_deep(void **state)
{
	enum { DEEP = 1001 };

	(void)state;
	for (int way = 0; way < 2; way++) {
		for (int n = DEEP - 1; n <= DEEP; n++) {
			struct buf text = BUF_INIT;
			struct err err = ERR_INIT;

			buf_adds(&text, "{\"layoutcheck_snapshot\": 1, \"source\": \"btf\", "
					"\"target\": {}, \"knows\": [], \"asked\": null, "
					"\"defs\": [], \"types\": [");
			for (int i = 0; i < n; i++) {
				int k = way ? i : n - 1 - i;

				buf_addf(&text, "%s{\"key\": \"t%d\", \"kind\": \"typedef\"",
					 i ? "," : "", k);
				if (k)
					buf_addf(&text, ", \"target\": \"t%d\"", k - 1);
				buf_adds(&text, "}");
			}
			buf_adds(&text, "]}\n");
			assert_int_equal(survives(text.s, text.len, &err), n < DEEP);
			if (n == DEEP)
				assert_non_null(strstr(err.text, "types are nested too deeply"));
			err_release(&err);
			buf_release(&text);
		}
	}
}

static void refuses_large(void **state)
{
	size_t len = (size_t)SNAPSHOT_MAX + 1;
	char *text = xmalloc(len);
	struct err err = ERR_INIT;
	struct layout *layout = NULL;

	(void)state;
	memset(text, ' ', len);
	assert_false(snapshot_read(text, len, "file", &err, &layout));
	assert_string_equal(err.text, "file: a snapshot is no larger than 67108864 bytes");
	err_release(&err);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(every_byte_replaced),
		cmocka_unit_test(refuses_heads),
		cmocka_unit_test(refuses_definitions),
		cmocka_unit_test(refuses_types),
		cmocka_unit_test(refuses_members),
		cmocka_unit_test(refuses_what_is_no_json),
		cmocka_unit_test(refuses_deep),
		cmocka_unit_test(refuses_large),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
