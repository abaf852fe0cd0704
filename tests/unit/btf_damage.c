// SPDX-License-Identifier: GPL-2.0-or-later
/* Damaged BTF: one sentence or a layout, never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/btf.h"
#include "lib/scratch.h"

/* Any answer will do, but one: a sentence or a layout. */
static bool survives(const void *data, size_t len)
{
	struct btf_bytes own = {data, len, "damaged"};
	struct err err = ERR_INIT;
	struct layout *layout = NULL;
	bool ok = btf_load(&own, NULL, &everything, 64, &err, &layout);

	assert_int_equal(ok, layout != NULL);
	assert_int_equal(ok, err.text == NULL);
	layout_free(layout);
	err_release(&err);
	return ok;
}

/* In an allocation of just that size, so that a sanitizer sees the first byte behind it. */
static void every_prefix(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct bytes bytes = scratch_read(big ? "bpfeb.btf" : "gcc.btf");

		for (size_t len = 0; len < bytes.len; len++) {
			void *prefix = len ? memcpy(xmalloc(len), bytes.data, len) : NULL;

			assert_false(survives(prefix, len));
			free(prefix);
		}
		assert_true(survives(bytes.data, bytes.len));
		bytes_release(&bytes);
	}
}

static void every_bit_flipped(void **state)
{
	size_t alive = 0;

	(void)state;
	for (int big = 0; big < 2; big++) {
		struct bytes bytes = scratch_read(big ? "bpfeb.btf" : "gcc.btf");

		for (size_t i = 0; i < bytes.len; i++) {
			for (unsigned bit = 0; bit < 8; bit++) {
				bytes.data[i] ^= (char)(1 << bit);
				alive += survives(bytes.data, bytes.len);
				bytes.data[i] ^= (char)(1 << bit);
			}
		}
		assert_true(survives(bytes.data, bytes.len));
		bytes_release(&bytes);
	}
	assert_true(alive > 0); /* names, for one, may be anything */
}

/* Whole words made large, small or another type's number. */
static void every_word_replaced(void **state)
{
	static const uint32_t values[] = {0,          1,          2,          0xffff,
					  0x7fffffff, 0xffffffff, 0x84000001, 0x0d00ffff};
	struct bytes bytes = scratch_read("gcc.btf");

	(void)state;
	for (size_t at = 0; at + 4 <= bytes.len; at += 4) {
		char saved[4];

		memcpy(saved, bytes.data + at, 4);
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			memcpy(bytes.data + at, &values[i], 4);
			survives(bytes.data, bytes.len);
		}
		memcpy(bytes.data + at, saved, 4);
	}
	assert_true(survives(bytes.data, bytes.len));
	bytes_release(&bytes);
}

static void refuses_headers(void **state)
{
	struct bytes bytes = scratch_read("gcc.btf");
	struct btf_bytes own = {bytes.data, bytes.len, "head"};

	(void)state;
	refuses((struct btf_bytes){"", 0, "empty"}, NULL, "empty: not BTF");
	refuses((struct btf_bytes){"\x9f\xeb\x01", 3, "short"}, NULL, "short: not BTF");
	bytes.data[2] = 2;
	refuses(own, NULL, "head: BTF of version 2");
	bytes.data[2] = 1;
	bytes.data[4] = 20;
	refuses(own, NULL, "behind a header of 20");
	bytes.data[4] = 24;
	bytes.data[bytes.len - 1] = 'x';
	refuses(own, NULL, "strings do not end with a NUL");
	bytes.data[bytes.len - 1] = '\0';
	bytes.data[24 + 7] = 21;
	refuses(own, NULL, "type 1 is of kind 21, which is not known");
	bytes.data[24 + 7] = 0x21; /* 1 of five bits */
	refuses(own, NULL, "type 1 is of kind 33, which is not known");
	bytes.data[24 + 7] = 1;
	bytes.data[24 + 6] = 1;
	refuses(own, NULL, "type 1 has more parts than 65535");
	bytes_release(&bytes);
}

/* As kernels since 7.0 may have it: a section more, whose place stands behind the others. */
static void longer_header(void **state)
{
	enum { OLD = 24, NEW = 32 };
	struct bytes bytes = scratch_read("gcc.btf");
	char *longer = xcalloc(1, bytes.len + NEW - OLD);

	(void)state;
	memcpy(longer, bytes.data, OLD);
	memcpy(longer + NEW, bytes.data + OLD, bytes.len - OLD);
	longer[4] = NEW;
	assert_true(survives(longer, bytes.len + NEW - OLD));
	free(longer);
	bytes_release(&bytes);
}

static void refuses_references(void **state)
{
	struct btf *btf = small_btf();

	(void)state;
	btf__add_typedef(btf, "t", 1);
	((struct btf_type *)btf__type_by_id(btf, 4))->type = 5;
	refuses_btf(btf, "type 4 refers to type 5 of 4");
	btf = small_btf();
	((struct btf_type *)btf__type_by_id(btf, 2))->name_off = 99;
	refuses_btf(btf, "type 2 has a name at 99 in 17 bytes of strings");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix),        cmocka_unit_test(every_bit_flipped),
		cmocka_unit_test(every_word_replaced), cmocka_unit_test(refuses_headers),
		cmocka_unit_test(refuses_references),  cmocka_unit_test(longer_header),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_fixtures, scratch_remove);
}
