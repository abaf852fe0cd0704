/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths: what they find, and what is said of those that find nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "layout/path.h"
#include "lib/spec.h"

static struct arena arena;
static struct type *inode;

/* An inode of sorts: embedded in embedded, an anonymous union, arrays, a group, bit-fields. */
static const char inode_spec[] =
	"i_mode:16@0 "
	"union{i_nlink:32@0 __i_nlink:32@0 struct{deep:8@0 deeper:8@8}:16@0}:32@32 "
	"i_data=struct{host:64@0 i_mmap_rwsem=struct{count:64@0 owner:64@64}:128@64}:192@64 "
	"slots[3]:192@256 grid[2][3]:384@448 "
	"union{struct{x:8@0 y:32@32}:64@0 group=struct{x:8@0 y:32@32}:64@0}:64@832 "
	"flag/32:3@896 *ops:64@960 "
	"__cacheline_group_begin__rx:0@1024 ?moved:64@0 none[0]:0@1024 tail[]/16@1024";

static int setup(void **state)
{
	(void)state;
	inode = spec_struct(&arena, "inode", 128, inode_spec);
	return 0;
}

static void found(const char *path, uint64_t bit_offset, uint64_t bit_size)
{
	static const char untouched[] = "untouched";
	const char *why = untouched;
	struct span span;

	if (path_resolve(inode, path, &arena, &why, &span) != PATH_FOUND)
		fail_msg("%s: %s", path, why);
	if (span.bit_offset != bit_offset || span.bit_size != bit_size)
		fail_msg("%s: %llu bits at %llu", path, (unsigned long long)span.bit_size,
			 (unsigned long long)span.bit_offset);
	assert_string_equal(span.path, path);
	assert_ptr_equal(why, untouched);
	assert_true(path_is_valid(path, &arena, &why));
}

static void not_found(const char *path, enum path_result result, const char *wanted)
{
	struct span span = {.bit_offset = 77};
	const char *why = "";

	if (path_resolve(inode, path, &arena, &why, &span) != result || !strstr(why, wanted))
		fail_msg("%s: %s", path, why);
	assert_int_equal(span.bit_offset, 77);
}

static void names(void **state)
{
	(void)state;
	found("i_mode", 0, 16);
	found("i_nlink", 32, 32);
	found("__i_nlink", 32, 32);
	found("deeper", 40, 8);
	found("i_data", 64, 192);
	found("i_data.host", 64, 64);
	found("i_data.i_mmap_rwsem.owner", 192, 64);
	found("y", 864, 32);
	found("group", 832, 64);
	found("group.y", 864, 32);
	found("ops", 960, 64);
	found("__cacheline_group_begin__rx", 1024, 0);
}

static void what_it_is(void **state)
{
	const char *why;
	struct span span;

	(void)state;
	assert_int_equal(path_resolve(inode, "flag", &arena, &why, &span), PATH_FOUND);
	assert_true(span.is_bitfield && span.bit_size == 3 && span.bit_offset == 896);
	assert_string_equal(span.member->name, "flag");
	assert_int_equal(path_resolve(inode, "tail", &arena, &why, &span), PATH_FOUND);
	assert_true(span.is_flexible && span.bit_size == 0 && span.bit_offset == 1024);
	assert_int_equal(path_resolve(inode, "tail[2]", &arena, &why, &span), PATH_FOUND);
	assert_true(!span.is_flexible && span.bit_size == 16 && span.bit_offset == 1056);
	assert_string_equal(span.type->name, "u16");
	assert_int_equal(path_resolve(inode, "grid", &arena, &why, &span), PATH_FOUND);
	assert_int_equal(span.type->kind, TYPE_ARRAY);
	assert_int_equal(path_resolve(inode, "grid[0..1]", &arena, &why, &span), PATH_FOUND);
	assert_int_equal(span.type->kind, TYPE_ARRAY);
	assert_int_equal(span.type->count, 3);
	assert_string_equal(span.member->name, "grid");
}

static void indices(void **state)
{
	(void)state;
	found("slots[0]", 256, 64);
	found("slots[2]", 384, 64);
	found("slots[0x2]", 384, 64);
	found("slots[1..2]", 320, 128);
	found("slots[1..1]", 320, 64);
	found("grid[1]", 640, 192);
	found("grid[1][2]", 768, 64);
	found("grid[0][1..2]", 512, 128);
	found("tail[1..3]", 1040, 48);
}

static void absent(void **state)
{
	(void)state;
	not_found("i_nod", PATH_ABSENT, "`inode` has no member `i_nod`");
	not_found("i_data.i_nmap", PATH_ABSENT, "`i_data` has no member `i_nmap`");
	not_found("host", PATH_ABSENT, "no member `host`");
	not_found("moved", PATH_DYNAMIC, "");
}

static void invalid(void **state)
{
	(void)state;
	not_found("slots[3]", PATH_INVALID, "`slots` has 3 elements, `[3]` is past them");
	not_found("slots[0..3]", PATH_INVALID, "past them");
	not_found("none[0]", PATH_INVALID, "has 0 elements");
	not_found("grid[0][3]", PATH_INVALID, "`grid[0]` has 3 elements");
	not_found("slots[0][0]", PATH_INVALID, "`slots[0]` is no array");
	not_found("i_mode[0]", PATH_INVALID, "`i_mode` is no array");
	not_found("i_data[0]", PATH_INVALID, "is no array");
	not_found("ops.read", PATH_INVALID, "`ops` is a pointer");
	not_found("i_mode.bits", PATH_INVALID, "no struct or union");
	not_found("slots.x", PATH_INVALID, "`slots` is an array");
	not_found("tail[18446744073709551615]", PATH_INVALID, "64 bits");
	not_found("tail[1152921504606846976]", PATH_INVALID, "64 bits");
	not_found("tail[0..18446744073709551615]", PATH_INVALID, "64 bits");
}

static void syntax(void **state)
{
	static const char *const bad[] = {"",        ".",
					  "a.",      ".a",
					  "a..b",    "a[",
					  "a[]",     "a[1",
					  "a]",      "a[1]b",
					  "a[x]",    "a[-1]",
					  "a[1.]",   "a[1...2]",
					  "a[..2]",  "a[1..]",
					  "a[2..1]", "a[1..2].b",
					  "[1]",     "a.[1]",
					  "a[ 1]",   "a[1][",
					  "a[1]..b", "a[0]]",
					  "a[[0]]",  "a[99999999999999999999]"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *why = NULL;

		if (path_is_valid(bad[i], &arena, &why))
			fail_msg("`%s` is taken for a path", bad[i]);
		assert_non_null(strstr(why, "is no path"));
		not_found(bad[i], PATH_INVALID, "is no path");
	}
	not_found("a[1..2][0]", PATH_INVALID, "nothing may follow a range");
}

static void incomplete(void **state)
{
	struct type declared = {.kind = TYPE_INCOMPLETE, .name = "file", .spelling = "struct file"};
	struct type array = {
		.kind = TYPE_ARRAY, .target = &declared, .has_count = true, .count = 4};
	struct member members[] = {{.name = "f", .type = &declared}, {.name = "a", .type = &array}};
	struct type type = {
		.kind = TYPE_STRUCT, .spelling = "struct {...}", .members = members, .nmembers = 2};
	const char *why = "";
	struct span span;

	(void)state;
	assert_int_equal(path_resolve(&type, "f.x", &arena, &why, &span), PATH_INVALID);
	assert_non_null(strstr(why, "only declared"));
	assert_int_equal(path_resolve(&type, "a[1]", &arena, &why, &span), PATH_INVALID);
	assert_non_null(strstr(why, "unknown size"));
	assert_int_equal(path_resolve(&type, "g", &arena, &why, &span), PATH_ABSENT);
	assert_string_equal(why, "`struct {...}` has no member `g`");
}

static void base_classes(void **state)
{
	const struct type *type =
		spec_struct(&arena, "D", 24, "^B=struct{x:32@0 hidden:32@32}:64@64 hidden:32@0");
	const char *why;
	struct span span;

	(void)state;
	assert_int_equal(path_resolve(type, "x", &arena, &why, &span), PATH_FOUND);
	assert_int_equal(span.bit_offset, 64);
	assert_int_equal(path_resolve(type, "hidden", &arena, &why, &span), PATH_FOUND);
	assert_int_equal(span.bit_offset, 0);
	/* What is in an anonymous struct is the class's own. */
	type = spec_struct(&arena, "D", 24, "^B=struct{x:32@0}:64@64 struct{x:32@0}:32@128");
	assert_int_equal(path_resolve(type, "x", &arena, &why, &span), PATH_FOUND);
	assert_int_equal(span.bit_offset, 128);
}

static void nearest(void **state)
{
	(void)state;
	assert_string_equal(path_nearest(inode, "i_mdoe", &arena), "i_mode");
	assert_string_equal(path_nearest(inode, "deepper", &arena), "deeper");
	assert_string_equal(path_nearest(inode, "i_data.i_mmap_rwsen.count", &arena),
			    "i_mmap_rwsem");
	assert_null(path_nearest(inode, "i_data.entirely_else", &arena));
	assert_null(path_nearest(inode, "slots[9]", &arena));
	assert_null(path_nearest(inode, "a..b", &arena));
	assert_null(path_nearest(inode, "i_mode", &arena));
}

static void hostile(void **state)
{
	struct type *type = spec_struct(&arena, "s", 8, "struct{a:32@0}:32@0 struct{a:32@0}:32@32");
	struct member *members = arena_copy(&arena, type->members, 2 * sizeof *members);
	char *deep = arena_alloc(&arena, 100000);
	const char *why = "";
	struct span span;

	(void)state;
	members[0].type = members[1].type = type;
	type->members = members;
	assert_int_equal(path_resolve(type, "a", &arena, &why, &span), PATH_ABSENT);
	assert_null(path_nearest(type, "a", &arena));

	/* 30,000 steps, through a struct that embeds itself. */
	members[0].name = "a";
	for (size_t i = 0; i < 60000; i += 2)
		memcpy(deep + i, "a.", 2);
	deep[59999] = '\0';
	assert_int_equal(path_resolve(type, deep, &arena, &why, &span), PATH_FOUND);
	members[0].bit_offset = UINT64_MAX / 2;
	assert_int_equal(path_resolve(type, "a.a.a", &arena, &why, &span), PATH_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),      cmocka_unit_test(what_it_is),
		cmocka_unit_test(indices),    cmocka_unit_test(absent),
		cmocka_unit_test(invalid),    cmocka_unit_test(syntax),
		cmocka_unit_test(incomplete), cmocka_unit_test(base_classes),
		cmocka_unit_test(nearest),    cmocka_unit_test(hostile),
	};
	int failed;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = cmocka_run_group_tests(tests, setup, NULL);
	arena_release(&arena);
	return failed;
}
