/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings, numbers, hashes, memory and errors. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

/* ---- buf ------------------------------------------------------------------------------------- */

static void buffers(void **state)
{
	struct buf buf = BUF_INIT;
	char *whole;

	(void)state;
	assert_string_equal(buf.s, "");
	buf_add(&buf, "", 0);
	buf_adds(&buf, "");
	buf_pad(&buf, 'x', 0);
	assert_int_equal(buf.cap, 0);
	buf_adds(&buf, "ab");
	buf_addc(&buf, '\0');
	buf_add(&buf, "c\0d", 3);
	buf_pad(&buf, '-', 2);
	assert_int_equal(buf.len, 8);
	assert_memory_equal(buf.s, "ab\0c\0d--", 9);
	buf_release(&buf);
	assert_string_equal(buf.s, "");

	for (int i = 0; i < 1000; i++)
		buf_addf(&buf, "%d,", i);
	assert_int_equal(buf.len, 2890 + 1000);
	assert_int_equal(buf.s[buf.len], '\0');
	assert_string_equal(buf.s + buf.len - 4, "999,");
	whole = buf_detach(&buf);
	assert_string_equal(buf.s, "");
	assert_int_equal(strlen(whole), 3890);
	free(whole);
	whole = buf_detach(&buf);
	assert_string_equal(whole, "");
	free(whole);
}

/* ---- err ------------------------------------------------------------------------------------- */

static void errors(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_false(err_set(&err, "vmlinux", "%d is wrong", 7));
	assert_string_equal(err.text, "vmlinux: 7 is wrong");
	assert_false(err_set(&err, "vmlinux", "later"));
	errno = ENOENT;
	assert_false(err_set_errno(&err, "vmlinux", "later still"));
	assert_string_equal(err.text, "vmlinux: 7 is wrong"); /* the first one wins */
	err_release(&err);
	assert_null(err.text);
	assert_false(err_set(&err, NULL, "no place"));
	assert_string_equal(err.text, "no place");
	err_release(&err);
	errno = EACCES;
	assert_false(err_set_errno(&err, "a%sb", "cannot open %s", "it"));
	assert_non_null(strstr(err.text, "a%sb: cannot open it: "));
	assert_non_null(strstr(err.text, strerror(EACCES)));
	err_release(&err);
}

/* What a child says on stderr before it ends with status 2. */
static void dies(void (*run)(void), const char *part)
{
	char text[512] = "";
	int ends[2], status;
	ssize_t len;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		run();
		_exit(0);
	}
	close(ends[1]);
	len = read(ends[0], text, sizeof text - 1);
	close(ends[0]);
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_CANNOT);
	assert_true(len > 0 && text[len - 1] == '\n');
	assert_non_null(strstr(text, part));
}

static void product_overflows(void)
{
	struct arena arena = {0};

	arena_array(&arena, SIZE_MAX / 2, 3);
}

static void size_overflows(void)
{
	struct arena arena = {0};

	arena_alloc(&arena, SIZE_MAX);
}

static void buffer_overflows(void)
{
	struct buf buf = BUF_INIT;

	buf_pad(&buf, 'x', SIZE_MAX / 2);
}

static void broken_invariant(void)
{
	BUG("this cannot be");
}

static void deaths(void **state)
{
	(void)state;
	dies(product_overflows, "layoutcheck: out of memory");
	dies(size_overflows, "layoutcheck: out of memory");
	dies(buffer_overflows, "layoutcheck: out of memory");
	dies(broken_invariant, "base_text.c:");
	dies(broken_invariant, ": this cannot be");
}

/* ---- mem ------------------------------------------------------------------------------------- */

static void arenas(void **state)
{
	struct arena arena;
	char *first, *large, *text;

	(void)state;
	arena_init(&arena);
	assert_int_equal(arena.total, 0);
	for (size_t size = 1; size < 300; size++) {
		unsigned char *p = arena_alloc(&arena, size);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
	}
	assert_true(arena.total < 3 * 65536);

	/* A large block does not waste the rest of the current one. */
	first = arena_alloc(&arena, 16);
	large = arena_alloc(&arena, 1 << 20);
	memset(large, 1, 1 << 20);
	assert_ptr_equal((char *)arena_alloc(&arena, 16), first + 16);
	assert_true(arena.total > 1 << 20);

	text = arena_strdup(&arena, "abc");
	assert_string_equal(text, "abc");
	assert_string_equal(arena_strndup(&arena, "abcdef", 3), "abc");
	assert_string_equal(arena_strndup(&arena, "", 0), "");
	assert_string_equal(arena_printf(&arena, "%s-%d", text, 5), "abc-5");
	assert_memory_equal(arena_copy(&arena, "a\0b", 3), "a\0b", 3);
	assert_non_null(arena_copy(&arena, NULL, 0));
	assert_non_null(arena_array(&arena, 0, 8));
	arena_release(&arena);
	assert_int_equal(arena.total, 0);
	large = arena_alloc(&arena, 1 << 20); /* first of all, and usable again */
	assert_int_equal(large[(1 << 20) - 1], 0);
	arena_release(&arena);
}

/* What was in the one is in the other, whose current block stays current. */
static void adopting(void **state)
{
	struct arena arena, other;
	char *here, *there;
	size_t total;

	(void)state;
	arena_init(&arena);
	arena_init(&other);
	arena_adopt(&arena, &other);
	assert_int_equal(arena.total, 0);
	arena_alloc(&other, 16);
	arena_alloc(&other, 1 << 20);
	total = other.total;
	arena_adopt(&arena, &other);
	assert_int_equal(arena.total, total);
	assert_int_equal(other.total, 0);

	arena_release(&arena);
	here = arena_alloc(&arena, 16);
	there = arena_strdup(&other, "there");
	total = arena.total + other.total;
	arena_adopt(&arena, &other);
	assert_int_equal(arena.total, total);
	assert_ptr_equal((char *)arena_alloc(&arena, 16), here + 16);
	arena_release(&other);
	assert_string_equal(there, "there");
	arena_release(&arena);
}

/* What was handed out before stays readable, and nothing that was in it is lost. */
static void growing_in_an_arena(void **state)
{
	struct arena arena;
	size_t *items = NULL, *first = NULL;

	(void)state;
	arena_init(&arena);
	for (size_t n = 0; n < 100; n++) {
		items = arena_grow(&arena, items, n, sizeof *items);
		items[n] = n;
		first = first ? first : items;
	}
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(items[i], i);
	assert_int_equal(*first, 0);
	arena_release(&arena);
}

static void growing(void **state)
{
	size_t n = 0, cap = 0;
	int *items = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		ARRAY_GROW(items, n, cap);
		items[n++] = i;
	}
	assert_true(cap >= 1000 && cap < 2048);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	free(items);
}

/* ---- escapes --------------------------------------------------------------------------------- */

static void text_is(const char *name, const char *wanted)
{
	struct buf buf = BUF_INIT;

	escape_text(&buf, name);
	assert_string_equal(buf.s, wanted);
	buf_release(&buf);
}

static void utf8_is(const char *name, const char *wanted)
{
	char *text = escape_utf8(name);

	assert_string_equal(text, wanted);
	free(text);
}

static void hostile_names(void **state)
{
	(void)state;
	text_is("", "");
	text_is("files_struct", "files_struct");
	text_is("core::option::Option<&'a u8>", "core::option::Option<&'a u8>");
	text_is("\x1b[2J\x1b]0;owned\x07", "\\x1b[2J\\x1b]0;owned\\x07");
	text_is("two\nlines\r\tx", "two\\x0alines\\x0d\\x09x");
	text_is("\x7f", "\\x7f");
	text_is("gr\xc3\xb6\xc3\x9f"
		"e",
		"gr\xc3\xb6\xc3\x9f"
		"e");
	text_is("\xe6\xbc\xa2\xf0\x9f\xa6\x80", "\xe6\xbc\xa2\xf0\x9f\xa6\x80");
	text_is("a\xc2\x9b"
		"31m",
		"a\\xc2\\x9b31m"); /* C1 CSI */
	text_is("\xe2\x80\xae"
		"evil",
		"\\xe2\\x80\\xaeevil"); /* right-to-left override */
	text_is("a\xe2\x80\x8b"
		"b",
		"a\\xe2\\x80\\x8bb"); /* zero width */
	text_is("\xe2\x81\xa6\xef\xbb\xbf", "\\xe2\\x81\\xa6\\xef\\xbb\\xbf");
	text_is("\xff\xfe", "\\xff\\xfe");
	text_is("\xc0\xaf", "\\xc0\\xaf");                   /* overlong */
	text_is("\xe0\x80\xaf", "\\xe0\\x80\\xaf");          /* overlong */
	text_is("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* surrogate */
	text_is("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* above U+10FFFF */
	text_is("\xe6\xbc", "\\xe6\\xbc");                   /* cut short */
	text_is("\xf0\x9f\xa6x", "\\xf0\\x9f\\xa6x");
	text_is("\x80", "\\x80");
	text_is("\\x1b\\", "\\\\x1b\\\\"); /* not the byte */

	utf8_is("plain", "plain");
	utf8_is("\x1b\n", "\x1b\n"); /* the JSON library's to escape */
	utf8_is("a\xff"
		"b\xed\xa0\x80",
		"a\xef\xbf\xbd"
		"b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	utf8_is("\xe6\xbc\xa2\xe6\xbc", "\xe6\xbc\xa2\xef\xbf\xbd\xef\xbf\xbd");
}

/* What was escaped, from what was made of it. */
static void unescape(const char *s, char *ret)
{
	while (*s) {
		unsigned byte = 0;

		if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &byte) == 1) {
			*ret++ = (char)byte;
			s += 4;
		} else {
			s += *s == '\\';
			*ret++ = *s++;
		}
	}
	*ret = '\0';
}

/* Whatever two bytes come, what is printed is harmless and complete, and no other two print so. */
static void no_byte_escapes_the_escaper(void **state)
{
	(void)state;
	for (unsigned a = 1; a < 256; a++)
		for (unsigned b = 1; b < 256; b++) {
			char name[3] = {(char)a, (char)b, 0};
			struct buf once = BUF_INIT;
			char back[16];

			escape_text(&once, name);
			for (size_t i = 0; i < once.len; i++)
				assert_true((unsigned char)once.s[i] >= 0x20 && once.s[i] != 0x7f);
			assert_true(once.len >= 2 && once.len <= 8);
			unescape(once.s, back);
			assert_string_equal(back, name);
			buf_release(&once);
		}
}

/* ---- text ------------------------------------------------------------------------------------ */

static void numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {{"0", 0},
		    {"00", 0},
		    {"7", 7},
		    {"010", 10},
		    {"0x10", 16},
		    {"0XfF", 255},
		    {"18446744073709551615", UINT64_MAX},
		    {"0xffffffffffffffff", UINT64_MAX},
		    {"000000000000000000000000001", 1}};
	static const char *const bad[] = {"",
					  " 1",
					  "1 ",
					  "+1",
					  "-1",
					  "0x",
					  "x1",
					  "1x",
					  "0xg",
					  "1.0",
					  "1e3",
					  "banana",
					  "18446744073709551616",
					  "١",
					  "0x10000000000000000",
					  "99999999999999999999",
					  "0b1",
					  "1_0"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		uint64_t value = 99;

		assert_true(text_to_u64(good[i].text, &value));
		assert_int_equal(value, good[i].value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		uint64_t value = 99;

		if (text_to_u64(bad[i], &value))
			fail_msg("`%s` is taken for a number", bad[i]);
		assert_int_equal(value, 99);
	}
}

static const char *near(const char *word)
{
	static const char *const words[] = {
		"size",
		"bucket",
		"align",
		"offset",
		"starts_line",
		"together",
		"apart",
		"alone",
		"no_straddle",
		"fd",
		"a_word_that_is_longer_than_what_a_distance_is_computed_for_by_far"};
	const char *nearest = text_nearest(word, words, ARRAY_SIZE(words));

	return nearest ? nearest : "nothing";
}

static void nearest_words(void **state)
{
	char longest[65];

	(void)state;
	assert_string_equal(near("size"), "size");
	assert_string_equal(near("sise"), "size");
	assert_string_equal(near("isze"), "size"); /* neighbours swapped count once */
	assert_string_equal(near("siz"), "size");
	assert_string_equal(near("starts_lnie"), "starts_line");
	assert_string_equal(near("startsline"), "starts_line");
	assert_string_equal(near("appart"), "apart");
	assert_string_equal(near("df"), "fd");
	assert_string_equal(near("together_with"), "nothing");
	assert_string_equal(near("banana"), "nothing");
	assert_string_equal(near("f"), "nothing"); /* one letter is near everything */
	assert_string_equal(near(""), "nothing");
	memset(longest, 'x', sizeof longest);
	longest[64] = '\0';
	assert_string_equal(near(longest), "nothing");
	assert_null(text_nearest("size", NULL, 0));

	assert_true(text_starts_with("abc", "ab") && text_starts_with("abc", ""));
	assert_false(text_starts_with("ab", "abc"));
	assert_true(text_ends_with("abc", "bc") && text_ends_with("abc", ""));
	assert_false(text_ends_with("bc", "abc") || text_ends_with("abc", "ab"));
	assert_true(text_same("abc", "abc") && text_same(NULL, NULL));
	assert_false(text_same("abc", "ab") || text_same("", NULL) || text_same(NULL, ""));
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static void hashes(void **state)
{
	unsigned char bytes[64] = {0}, shifted[65];
	struct hash128 seen[64 + 64 * 8];
	size_t n = 0;

	(void)state;
	/* Zeros of every length, and every single bit: all different, in both halves. */
	for (size_t len = 0; len < 64; len++)
		seen[n++] = hash128(bytes, len);
	for (size_t bit = 0; bit < 64 * 8; bit++) {
		bytes[bit / 8] = (unsigned char)(1 << bit % 8);
		seen[n++] = hash128(bytes, 64);
		bytes[bit / 8] = 0;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			assert_true(seen[i].lo != seen[k].lo && seen[i].hi != seen[k].hi);

	/* Alignment does not matter. */
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = shifted[i + 1] = (unsigned char)(i * 7);
	assert_true(hash128_equal(hash128(bytes, 64), hash128(shifted + 1, 64)));
	assert_false(hash128_equal(hash128(bytes, 64), hash128(bytes, 63)));
}

/* printf 'abc\0' | sha256sum, and so on. */
static void fingerprints(void **state)
{
	static const char *const abc[] = {"abc"}, *const ab_c[] = {"ab", "c"},
				 *const a_bc[] = {"a", "bc"};
	char first[SHA256_HEX], second[SHA256_HEX];

	(void)state;
	hash_sha256(abc, 1, first);
	assert_string_equal(first,
			    "dc1114cd074914bd872cc1f9a23ec910ea2203bc79779ab2e17da25782a624fc");
	hash_sha256(NULL, 0, first);
	assert_string_equal(first,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	hash_sha256(ab_c, 2, first);
	assert_string_equal(first,
			    "629c2f14f654f026086f2aefe1855533d0897f49df86a19073be17b237361b09");
	hash_sha256(a_bc, 2, second);
	assert_string_not_equal(first, second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers),
		cmocka_unit_test(errors),
		cmocka_unit_test(deaths),
		cmocka_unit_test(arenas),
		cmocka_unit_test(adopting),
		cmocka_unit_test(growing),
		cmocka_unit_test(growing_in_an_arena),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(no_byte_escapes_the_escaper),
		cmocka_unit_test(numbers),
		cmocka_unit_test(nearest_words),
		cmocka_unit_test(hashes),
		cmocka_unit_test(fingerprints),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
