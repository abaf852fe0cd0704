/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Separate debug files: found, matched, refused. */
#include "elf_help.h"

/* bin is stripped, bin.debug has what it lost, full has both; with a build id unless without. */
static void make(const char *options)
{
	write_text("a.c", "struct s { int a; char *b; } g; int _start(void) { return g.a; }\n");
	run("rm -rf .debug dbg bin bin.debug");
	run("gcc -g %s -nostdlib -static a.c -o full", options);
	run("objcopy --only-keep-debug full bin.debug && objcopy -S full bin");
}

static void link_debug(void)
{
	run("objcopy --add-gnu-debuglink=bin.debug bin");
}

static struct image *open_with(const char *debug_dir)
{
	struct image_options options = {.debug_dir = debug_dir};

	return open_image("bin", &options);
}

/* Is the debug info of `full` what the image shows, from @path? */
static void expect_found(struct image *image, const char *path)
{
	struct image *full = open_image("full", NULL);
	struct section *want = get_section(full, ".debug_info");
	struct section *have = get_section(image, ".debug_info");
	const char *found = image_debug_path(image);

	assert_non_null(found);
	if (strlen(found) < strlen(path) || strcmp(found + strlen(found) - strlen(path), path) != 0)
		fail_msg("wanted .../%s, got %s", path, found);
	assert_null(image_debug_mismatch(image));
	assert_non_null(have);
	assert_int_equal(have->size, want->size);
	assert_memory_equal(have->data, want->data, want->size);
	/* The sections of the debug file are listed, those of the program itself are not lost. */
	assert_non_null(get_section(image, ".text"));
	image_close(full);
	image_close(image);
}

static void expect_none(struct image *image, const char *mismatch)
{
	assert_null(image_debug_path(image));
	assert_null(get_section(image, ".debug_info"));
	if (!mismatch)
		assert_null(image_debug_mismatch(image));
	else if (!image_debug_mismatch(image) || !strstr(image_debug_mismatch(image), mismatch))
		fail_msg("wanted \"%s\", got \"%s\"", mismatch, image_debug_mismatch(image));
	image_close(image);
}

static void test_build_id(void **state)
{
	struct image_options no = {.debug_dir = "dbg", .no_separate = true};
	struct image *image;

	(void)state;
	make("-Wl,--build-id=0xabcdef0123456789");
	image = open_with("dbg");
	assert_string_equal(image_debug_looked(image), "dbg/.build-id/ab/cdef0123456789.debug");
	expect_none(image, NULL);
	run("mkdir -p dbg/.build-id/ab && mv bin.debug dbg/.build-id/ab/cdef0123456789.debug");
	expect_found(open_with("dbg"), "dbg/.build-id/ab/cdef0123456789.debug");
	image = open_image("bin", &no);
	assert_null(image_debug_looked(image));
	expect_none(image, NULL);
}

/* A file of another build at the very path. */
static void test_build_id_differs(void **state)
{
	(void)state;
	make("-Wl,--build-id=0xabcdef0123456700");
	run("mkdir -p dbg/.build-id/ab && mv bin.debug dbg/.build-id/ab/cdef0123456789.debug");
	run("gcc -g -Wl,--build-id=0xabcdef0123456789 -nostdlib -static a.c -o full && "
	    "objcopy -S full bin");
	expect_none(open_with("dbg"), "cdef0123456789.debug is not its debug file: build id "
				      "abcdef0123456700, wanted abcdef0123456789");
	run("objcopy -R .note.gnu.build-id 2>/dev/null dbg/.build-id/ab/cdef0123456789.debug");
	expect_none(open_with("dbg"), "is not its debug file: no build id");
}

static void test_link(void **state)
{
	(void)state;
	make("-Wl,--build-id=none");
	link_debug();
	expect_found(open_with("dbg"), "/bin.debug");
	run("mkdir .debug && mv bin.debug .debug/");
	expect_found(open_with("dbg"), "/.debug/bin.debug");
	run("mkdir -p dbg$(pwd) && mv .debug/bin.debug dbg$(pwd)/");
	expect_found(open_with("dbg"), "/bin.debug");
	run("rm -r dbg");
	expect_none(open_with("dbg"), NULL);
}

/* The first does not match: the search goes on. */
static void test_link_order(void **state)
{
	struct image *image;

	(void)state;
	make("-Wl,--build-id=none");
	link_debug();
	run("mkdir .debug && cp bin.debug .debug/ && printf x >>bin.debug");
	image = open_with("dbg");
	assert_non_null(image_debug_path(image));
	assert_non_null(strstr(image_debug_path(image), "/.debug/bin.debug"));
	assert_non_null(image_debug_mismatch(image));
	assert_non_null(
		strstr(image_debug_mismatch(image), "/bin.debug is not its debug file: CRC "));
	image_close(image);
	run("rm -r .debug");
	expect_none(open_with("dbg"), "/bin.debug is not its debug file: CRC ");
}

/* A build id decides where both have one: the CRC changes when the debug file is compressed. */
static void test_link_with_build_id(void **state)
{
	(void)state;
	make("-Wl,--build-id=sha1");
	link_debug();
	run("objcopy --compress-debug-sections=zlib bin.debug");
	expect_found(open_with("dbg"), "/bin.debug");
	run("gcc -g -O2 -DX -Wl,--build-id=sha1 -nostdlib -static -include stddef.h a.c -o other "
	    "&& objcopy --only-keep-debug other bin.debug");
	expect_none(open_with("dbg"), "/bin.debug is not its debug file: build id ");
}

/* A link to the file's own name is not an answer, nor is a directory. */
static void test_link_to_itself(void **state)
{
	(void)state;
	make("-Wl,--build-id=none");
	link_debug();
	run("rm bin.debug && ln bin bin.debug");
	expect_none(open_with("dbg"), NULL);
	run("rm bin.debug && mkdir bin.debug");
	expect_none(open_with("dbg"), NULL);
	run("rmdir bin.debug");
}

/* A debug file that is there and broken is not passed over. */
static void test_broken(void **state)
{
	struct image_options options = {.debug_dir = "dbg"};
	struct err err = ERR_INIT;
	struct image *image = NULL;

	(void)state;
	make("-Wl,--build-id=none");
	link_debug();
	run("head -c 700 bin.debug >short && mv short bin.debug");
	assert_false(image_open("bin", &options, &err, &image));
	assert_non_null(strstr(err.text, "/bin.debug: is truncated"));
	err_release(&err);

	make("-Wl,--build-id=none");
	run("printf 'dir/x\\0\\0\\0abcd' >link && "
	    "objcopy --add-section .gnu_debuglink=link bin");
	assert_false(image_open("bin", &options, &err, &image));
	assert_string_equal(err.text, "bin: .gnu_debuglink: is not the name of a file and its CRC");
	err_release(&err);
}

/* One that holds no .debug_info does not help. */
static void test_without_info(void **state)
{
	(void)state;
	make("-Wl,--build-id=none");
	run("objcopy -S full bin.debug && objcopy --add-gnu-debuglink=bin.debug bin");
	expect_none(open_with("dbg"), "/bin.debug has no .debug_info");
}

/* A file that has its own is not helped. */
static void test_not_wanted(void **state)
{
	struct image *image;

	(void)state;
	make("-Wl,--build-id=none");
	run("cp full bin && objcopy --add-gnu-debuglink=bin.debug bin");
	image = open_with("dbg");
	assert_null(image_debug_path(image));
	assert_null(image_debug_looked(image));
	assert_non_null(get_section(image, ".debug_info"));
	image_close(image);
}

/*
 * All of the DWARF is from the one file, whatever a program kept of its own; BTF stays with the
 * program, and symbols come from where they are.
 */
static void test_shared_out(void **state)
{
	uint64_t address, size;
	struct image *image;

	(void)state;
	make("-Wl,--build-id=none");
	link_debug();
	run("printf btf >btf && objcopy --add-section .BTF=btf --add-section .debug_str=btf bin");
	image = open_with("dbg");
	assert_true(get_section(image, ".debug_str")->size > 3);
	assert_non_null(image_debug_path(image));
	assert_memory_equal(get_section(image, ".BTF")->data, "btf", 3);
	assert_true(image_symbol(image, "g", &address, &size));
	assert_int_equal(size, 16);
	image_close(image);
}

/* A module's debug file is an object file too: it is relocated with its own symbols. */
static void test_object(void **state)
{
	struct image_options options = {.debug_dir = "dbg"};
	struct image *image;

	(void)state;
	write_text("a.c", "struct s { int a; char *b; } g; int f(void) { return g.a; }\n");
	run("rm -rf .debug && gcc -g -c a.c -o full && objcopy --only-keep-debug full bin.debug");
	run("objcopy -g --add-gnu-debuglink=bin.debug full bin");
	image = open_image("bin", &options);
	assert_true(image_is_relocatable(image));
	expect_found(image, "/bin.debug");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_build_id),
		cmocka_unit_test(test_build_id_differs),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_link_order),
		cmocka_unit_test(test_link_with_build_id),
		cmocka_unit_test(test_link_to_itself),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_without_info),
		cmocka_unit_test(test_not_wanted),
		cmocka_unit_test(test_shared_out),
		cmocka_unit_test(test_object),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
