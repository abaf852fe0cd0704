/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bounded reader: every operation on every length, in both byte orders. Each input is a
 * malloc'd block of exactly its size, so that the sanitizer sees a byte read too far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cursor.h"
#include "base/mem.h"

static const bool other_order = __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__; /* `swap` for big-endian */

/* ---- each operation, cut short at every length ----------------------------------------------- */

static void op_u8(struct cursor *c)
{
	uint64_t value = cursor_u8(c);

	assert_int_equal(value, c->bad ? 0 : 0x01);
}

static void op_u16(struct cursor *c)
{
	uint64_t value = cursor_u16(c);

	assert_int_equal(value, c->bad ? 0 : 0x0102);
}

static void op_u32(struct cursor *c)
{
	uint64_t value = cursor_u32(c);

	assert_int_equal(value, c->bad ? 0 : 0x01020304);
}

static void op_u64(struct cursor *c)
{
	uint64_t value = cursor_u64(c);

	assert_int_equal(value, c->bad ? 0 : 0x0102030405060708);
}

static void op_uint3(struct cursor *c)
{
	uint64_t value = cursor_uint(c, 3);

	assert_int_equal(value, c->bad ? 0 : 0x010203);
}

static void op_bytes(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 5);

	assert_int_equal(p == NULL, c->bad);
	if (p)
		assert_memory_equal(p, "\1\2\3\4\5", 5);
}

static void op_skip(struct cursor *c)
{
	cursor_skip(c, 7);
}

static void every_length(void **state)
{
	static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	static const struct {
		void (*run)(struct cursor *c);
		size_t needs;
	} ops[] = {{op_u8, 1},    {op_u16, 2},   {op_u32, 4}, {op_u64, 8},
		   {op_uint3, 3}, {op_bytes, 5}, {op_skip, 7}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		for (size_t len = 0; len <= sizeof data; len++) {
			uint8_t *copy = memcpy(xmalloc(len), data, len);
			struct cursor c = cursor_over(copy, len, other_order);

			ops[i].run(&c);
			assert_int_equal(c.bad, len < ops[i].needs);
			assert_int_equal(cursor_offset(&c), c.bad ? len : ops[i].needs);
			assert_int_equal(cursor_left(&c), len - cursor_offset(&c));
			free(copy);
		}
}

static void both_orders(void **state)
{
	static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};

	(void)state;
	for (unsigned size = 1; size <= 8; size++) {
		uint64_t big = 0, little = 0;
		struct cursor b = cursor_over(data, 8, other_order);
		struct cursor l = cursor_over(data, 8, !other_order);

		for (unsigned i = 0; i < size; i++) {
			big = big << 8 | data[i];
			little |= (uint64_t)data[i] << (8 * i);
		}
		assert_int_equal(cursor_uint(&b, size), big);
		assert_int_equal(cursor_uint(&l, size), little);
		b = cursor_over(data, 8, other_order);
		l = cursor_over(data, 8, !other_order);
		if (size == 2)
			assert_true(cursor_u16(&b) == big && cursor_u16(&l) == little);
		if (size == 4)
			assert_true(cursor_u32(&b) == big && cursor_u32(&l) == little);
		if (size == 8)
			assert_true(cursor_u64(&b) == big && cursor_u64(&l) == little);
	}
}

static void bad_stays(void **state)
{
	static const uint8_t data[] = {1, 2, 3};
	struct cursor c = cursor_over(data, 3, false);

	(void)state;
	assert_int_equal(cursor_u32(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_u8(&c), 0);
	cursor_seek(&c, 0);
	assert_int_equal(cursor_u8(&c), 1);
	assert_true(c.bad);

	c = cursor_over(data, 3, false);
	cursor_seek(&c, 3);
	assert_false(c.bad);
	cursor_seek(&c, 4);
	assert_true(c.bad);
	c = cursor_over(data, 3, false);
	cursor_skip(&c, UINT64_MAX);
	assert_true(c.bad);
	c = cursor_over(data, 3, false);
	cursor_seek(&c, UINT64_MAX);
	assert_true(c.bad && cursor_offset(&c) == 3);
	c = cursor_over(data, 3, false);
	assert_non_null(cursor_bytes(&c, 0));
	assert_false(c.bad);
}

/* ---- LEB128 ---------------------------------------------------------------------------------- */

static struct cursor over(const char *bytes, size_t len)
{
	return cursor_over(bytes, len, false);
}

#define OVER(literal) over(literal, sizeof(literal) - 1)

static void uleb(struct cursor c, uint64_t wanted)
{
	size_t len = cursor_left(&c);

	assert_int_equal(cursor_uleb(&c), wanted);
	assert_false(c.bad);
	assert_int_equal(cursor_offset(&c), len);
}

static void sleb(struct cursor c, int64_t wanted)
{
	size_t len = cursor_left(&c);

	assert_int_equal(cursor_sleb(&c), wanted);
	assert_false(c.bad);
	assert_int_equal(cursor_offset(&c), len);
}

static void bad_uleb(struct cursor c)
{
	assert_int_equal(cursor_uleb(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_left(&c), 0);
}

static void bad_sleb(struct cursor c)
{
	assert_int_equal(cursor_sleb(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_left(&c), 0);
}

#define NINE_FF "\xff\xff\xff\xff\xff\xff\xff\xff\xff"
#define NINE_80 "\x80\x80\x80\x80\x80\x80\x80\x80\x80"

static void leb128(void **state)
{
	(void)state;
	uleb(OVER("\x00"), 0);
	uleb(OVER("\x7f"), 127);
	uleb(OVER("\x80\x01"), 128);
	uleb(OVER("\xe5\x8e\x26"), 624485);
	uleb(OVER("\xff\x00"), 127);
	uleb(OVER(NINE_FF "\x01"), UINT64_MAX);
	uleb(OVER(NINE_80 "\x01"), UINT64_C(1) << 63);
	uleb(OVER(NINE_80 "\x80\x80\x00"), 0); /* padded, as linkers do */
	bad_uleb(OVER(NINE_80 "\x02"));
	bad_uleb(OVER(NINE_FF "\x7f"));
	bad_uleb(OVER(NINE_80 "\x80\x01"));
	bad_uleb(OVER(""));
	bad_uleb(OVER("\x80"));
	bad_uleb(OVER(NINE_FF));

	sleb(OVER("\x00"), 0);
	sleb(OVER("\x3f"), 63);
	sleb(OVER("\x40"), -64);
	sleb(OVER("\x7f"), -1);
	sleb(OVER("\xc0\x00"), 64);
	sleb(OVER("\x80\x7f"), -128);
	sleb(OVER("\x9b\xf1\x59"), -624485);
	sleb(OVER("\xff\x7f"), -1);
	sleb(OVER(NINE_FF "\x00"), INT64_MAX);
	sleb(OVER(NINE_80 "\x7f"), INT64_MIN);
	sleb(OVER(NINE_FF "\xff\xff\x7f"), -1);
	sleb(OVER(NINE_80 "\x80\x00"), 0);
	sleb(OVER("\xff\xff\xff\xff\xff\xff\xff\xff\x3f"), INT64_MAX >> 1);
	sleb(OVER("\x80\x80\x80\x80\x80\x80\x80\x80\x40"), INT64_MIN >> 1);
	bad_sleb(OVER(NINE_FF "\x01"));
	bad_sleb(OVER(NINE_80 "\x3f"));
	bad_sleb(OVER(NINE_80 "\x40"));
	bad_sleb(OVER(NINE_FF "\xff\x00"));
	bad_sleb(OVER(""));
	bad_sleb(OVER("\x80"));
}

/* What is written comes back, cut short it is bad. */
static void leb128_round_trip(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift < 64; shift++)
		for (int add = -1; add <= 1; add++) {
			uint64_t value = (UINT64_C(1) << shift) + (uint64_t)(int64_t)add;
			uint8_t bytes[10];
			size_t n = 0;

			for (uint64_t rest = value;; rest >>= 7) {
				bytes[n++] = (uint8_t)((rest & 0x7f) | (rest >> 7 ? 0x80 : 0));
				if (!(rest >> 7))
					break;
			}
			uleb(cursor_over(bytes, n, false), value);
			for (size_t len = 0; len < n; len++) {
				uint8_t *copy = memcpy(xmalloc(len), bytes, len);

				bad_uleb(cursor_over(copy, len, false));
				free(copy);
			}
		}
}

static void strings(void **state)
{
	struct cursor c = OVER("ab\0\0c");

	(void)state;
	assert_string_equal(cursor_string(&c), "ab");
	assert_string_equal(cursor_string(&c), "");
	assert_false(c.bad);
	assert_int_equal(cursor_offset(&c), 4);
	assert_string_equal(cursor_string(&c), ""); /* "c" has no NUL */
	assert_true(c.bad);
	c = OVER("");
	assert_string_equal(cursor_string(&c), "");
	assert_true(c.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length),      cmocka_unit_test(both_orders),
		cmocka_unit_test(bad_stays),         cmocka_unit_test(leb128),
		cmocka_unit_test(leb128_round_trip), cmocka_unit_test(strings),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
