/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Archives: the forms that tools write, every prefix of each, and headers that no tool writes. */
#include "elf/archive.h"

#include "base/mem.h"
#include "elf_help.h"

/* An ELF file of nothing, a text and an ELF file with a long name. */
static const char MEMBERS[] = "b.o text a_name_that_is_longer_than_sixteen_characters.o";

static int make_archives(void **state)
{
	if (enter_dir(state) != 0)
		return -1;
	write_text("empty.s", "");
	write_text("text", "some text, of odd length\n");
	run("as empty.s -o b.o && cp b.o a_name_that_is_longer_than_sixteen_characters.o");
	run("ar rc gnu %s && ar rcT thin %s && llvm-ar --format=bsd rc bsd %s", MEMBERS, MEMBERS,
	    MEMBERS);
	return 0;
}

/* Opens all objects; how many there are, or -1: refused. */
static int objects(const char *path)
{
	struct err err = ERR_INIT;
	struct archive *archive;
	size_t n;

	if (!archive_open(path, &err, &archive)) {
		assert_non_null(strstr(err.text, path));
		err_release(&err);
		return -1;
	}
	n = archive_nobjects(archive);
	for (size_t i = 0; i < n; i++) {
		struct image *image;

		if (archive_open_object(archive, i, &err, &image))
			image_close(image);
		else
			n = (size_t)-1;
	}
	err_release(&err);
	archive_close(archive);
	return (int)n;
}

static void test_forms(void **state)
{
	static const char *const forms[] = {"gnu", "thin", "bsd"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct err err = ERR_INIT;
		struct archive *archive;
		char want[128];

		assert_true(archive_detect(forms[i]));
		assert_true(archive_open(forms[i], &err, &archive));
		assert_int_equal(archive_nobjects(archive), 2);
		assert_int_equal(archive_nothers(archive), 1);
		snprintf(want, sizeof want, "%s(b.o)", forms[i]);
		assert_string_equal(archive_object_path(archive, 0), want);
		snprintf(want, sizeof want, "%s(a_name_that_is_longer_than_sixteen_characters.o)",
			 forms[i]);
		assert_string_equal(archive_object_path(archive, 1), want);
		snprintf(want, sizeof want, "%s(text)", forms[i]);
		assert_string_equal(archive_other_path(archive), want);
		assert_string_equal(archive_other_what(archive),
				    "is neither ELF nor BTF: begins with \"some tex\"");
		archive_close(archive);
		assert_int_equal(objects(forms[i]), 2);
	}
	assert_false(archive_detect("b.o"));
	assert_false(archive_detect("nothing"));
}

/* Refused, unless it ends where a member does. */
static void test_prefixes(void **state)
{
	static const char *const forms[] = {"gnu", "thin", "bsd"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct err err = ERR_INIT;
		struct bytes whole;
		unsigned read = 0;

		assert_true(file_read(forms[i], 1 << 20, &err, &whole));
		for (size_t len = 0; len < whole.len; len++) {
			write_file("prefix", whole.data, len);
			read += objects("prefix") >= 0;
		}
		/* Before each member, and before the byte that makes one even. */
		assert_in_range(read, 2, 8);
		bytes_release(&whole);
	}
}

/* A header: 16 bytes of name, 32 of what nobody reads, 10 of size. */
static void refuse_member(const char *name, const char *size, const char *contents,
			  const char *sentence)
{
	struct err err = ERR_INIT;
	struct archive *archive;
	char text[256];

	snprintf(text, sizeof text, "!<arch>\n%-16s%-32s%-10s`\n%s", name, "0", size, contents);
	write_text("made", text);
	assert_false(archive_open("made", &err, &archive));
	assert_non_null(strstr(err.text, sentence));
	err_release(&err);
}

static void test_damage(void **state)
{
	(void)state;
	refuse_member("x", "1x", "a", "the size of the member is no number");
	refuse_member("x", "", "a", "the size of the member is no number");
	refuse_member("x", "9999999999", "a", "a member runs past the end of the file");
	refuse_member("/5", "1", "a", "the member has no name");
	refuse_member("/x", "1", "a", "the member has no name");
	refuse_member("#1/2", "1", "a", "the member has no name");
	refuse_member("#1/", "1", "a", "the member has no name");
	refuse_member("#1/99999999999", "1", "a", "the member has no name");
	write_text("made", "!<arch>\njunk");
	assert_int_equal(objects("made"), -1);
	write_text("made", "!<thin>\n");
	assert_int_equal(objects("made"), 0);
	/* A member that is an archive is none that is read. */
	run("rm -f nest && ar rc nest gnu");
	assert_int_equal(objects("nest"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_damage),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_archives, leave_dir);
}
