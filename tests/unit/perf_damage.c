/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings that are none: one sentence with its place, never a crash, bounded memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zstd.h>

#include <cmocka.h>

#include "lib/perf_writer.h"

enum { EVENT_ID = 101 };

static const uint64_t usual = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_CPU |
			      SAMPLE_CALLCHAIN | SAMPLE_DATA_SRC | SAMPLE_WEIGHT |
			      SAMPLE_IDENTIFIER;

static const struct sample a_load = {
	.ip = 0x401010,
	.pid = 10,
	.tid = 11,
	.time = 1000,
	.address = 0x7f0000001008,
	.data_src = UINT64_C(0x10669800842),
};

/* A little of everything. */
static void sample_file(struct pw *pw, struct buf *ret)
{
	static const uint8_t id[20] = {1, 2, 3};
	size_t event = pw_event(pw, usual, EVENT_ID, "loads");
	struct buf *numa = pw_feature(pw, 14);

	pw_u32(pw, numa, 1);
	pw_u32(pw, numa, 0);
	pw_u64(pw, numa, 1000);
	pw_u64(pw, numa, 1000);
	pw_string(pw, numa, "0-3");
	pw_feature_string(pw, 4, "6.1.0");
	pw_build_id(pw, MISC_KERNEL | 1 << 15, id, 20, "[kernel.kallsyms]");
	pw_mmap(pw, MAPS_KERNEL, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		"[kernel.kallsyms]_text", 0);
	pw_comm(pw, 10, 11, "x", true, 0);
	pw_mmap2(pw, 10, 0x400000, 0x10000, 0, "/bin/x", 0, id, false);
	pw_fork(pw, 12, 10, 12, 11, 900);
	pw_ksymbol(pw, 0xffffffffc0000000, 64, false, "bpf_prog", 900);
	for (int i = 0; i < 3; i++)
		pw_sample(pw, event, MISC_USER, &a_load);
	pw_round(pw);
	pw_finish(pw, ret);
}

/* Reads it and holds the result to the contract; true: it was read. */
static bool survives(const struct buf *bytes)
{
	struct pr pr;
	bool ok = pr_read(bytes, NULL, &pr);

	assert_int_equal(ok, pr.err.text == NULL);
	if (!ok) {
		assert_non_null(strstr(pr.err.text, ": "));
		assert_null(strchr(pr.err.text, '\n'));
	}
	pr_release(&pr);
	return ok;
}

static const struct pw ways[] = {
	{.big = false},
	{.big = true, .pipe = true},
	{.compress = RECORD_COMPRESSED},
	{.big = true, .compress = RECORD_COMPRESSED2},
};

static void every_prefix(void **state)
{
	(void)state;
	for (size_t way = 0; way < ARRAY_SIZE(ways); way++) {
		struct pw pw = ways[way];
		struct buf bytes = BUF_INIT;
		size_t read = 0, all;

		sample_file(&pw, &bytes);
		all = bytes.len;
		assert_true(survives(&bytes));
		for (bytes.len = 0; bytes.len < all; bytes.len++)
			read += survives(&bytes);
		/* A pipe may end behind any record. */
		if (!ways[way].pipe)
			assert_int_equal(read, 0);
		buf_release(&bytes);
	}
}

static void every_byte_replaced(void **state)
{
	static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
	size_t read = 0, refused = 0;

	(void)state;
	for (size_t way = 0; way < ARRAY_SIZE(ways); way++) {
		struct pw pw = ways[way];
		struct buf bytes = BUF_INIT;

		sample_file(&pw, &bytes);
		for (size_t i = 0; i < bytes.len; i++) {
			char saved = bytes.s[i];

			bytes.s[i] =
				(char)(i % 2 ? values[i % ARRAY_SIZE(values)] : saved ^ 1 << i % 8);
			*(survives(&bytes) ? &read : &refused) += 1;
			bytes.s[i] = saved;
		}
		buf_release(&bytes);
	}
	assert_true(read > 500);
	assert_true(refused > 500);
}

/* @part of the sentence; "": it is read all the same. */
static void expect(struct pw *pw, const char *part)
{
	struct buf bytes = BUF_INIT;
	struct pr pr;
	bool ok;

	pw_finish(pw, &bytes);
	ok = pr_read(&bytes, NULL, &pr);
	assert_int_equal(ok, *part == 0);
	if (!ok && !strstr(pr.err.text, part))
		fail_msg("%s", pr.err.text);
	pr_release(&pr);
	buf_release(&bytes);
}

static void records_that_cannot_be(void **state)
{
	(void)state;
	for (uint16_t size = 0; size < 8; size++) {
		struct pw plain = {0}, packed = {.compress = RECORD_COMPRESSED};

		pw_event(&plain, usual, EVENT_ID, "loads");
		pw_u32(&plain, &plain.records, RECORD_SAMPLE);
		pw_u16(&plain, &plain.records, 0);
		pw_u16(&plain, &plain.records, size);
		buf_pad(&plain.records, 0, 64);
		pw_event(&packed, usual, EVENT_ID, "loads");
		buf_add(&packed.records, plain.records.s, plain.records.len);
		expect(&plain, "smaller than its own header");
		expect(&packed, "smaller than its own header");
	}
}

/* Fields that say they are longer than the record. */
static void counts_past_the_record(void **state)
{
	static const struct {
		uint64_t field;
		bool is_u32;
	} fields[] = {
		{SAMPLE_CALLCHAIN, false}, {SAMPLE_RAW, true},         {SAMPLE_BRANCH_STACK, false},
		{SAMPLE_READ, false},      {SAMPLE_STACK_USER, false},
	};
	static const uint64_t counts[] = {
		UINT64_MAX, UINT64_MAX / 8 + 1, UINT64_MAX / 24 + 1, 0x2000000000000001,
		1000,       UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		for (size_t k = 0; k < ARRAY_SIZE(counts); k++) {
			struct pw pw = {.read_format = 8};
			struct buf body = BUF_INIT;

			if (fields[i].is_u32 && (uint32_t)counts[k] < 128)
				continue;
			pw_event(&pw, SAMPLE_ADDR | SAMPLE_DATA_SRC | fields[i].field, 0, "loads");
			pw_u64(&pw, &body, 0x1000);
			if (fields[i].is_u32)
				pw_u32(&pw, &body, (uint32_t)counts[k]);
			else
				pw_u64(&pw, &body, counts[k]);
			buf_pad(&body, 1, 128);
			pw_record(&pw, RECORD_SAMPLE, 0, &body);
			expect(&pw, "its fields run past its end");
		}
}

static void samples_that_are_too_short(void **state)
{
	(void)state;
	for (size_t len = 0; len < 32; len++) {
		struct pw pw = {0};
		struct buf body = BUF_INIT;

		pw_event(&pw, SAMPLE_ADDR | SAMPLE_TID | SAMPLE_WEIGHT | SAMPLE_DATA_SRC, 0,
			 "loads");
		buf_pad(&body, 2, len);
		pw_record(&pw, RECORD_SAMPLE, 0, &body);
		expect(&pw, "its fields run past its end");
	}
}

/* A chunk of a few bytes that says it is gigabytes: of zeros, which are no records, and of records
 * that are there to be skipped. */
static void bombs(void **state)
{
	(void)state;
	for (int zeros = 0; zeros < 2; zeros++) {
		const size_t size = 1 << 26;
		char *records = calloc(1, size);
		size_t bound = ZSTD_compressBound(size), n;
		char *packed = malloc(bound);
		struct rusage before, after;
		struct buf body = BUF_INIT;
		struct pw pw = {0};

		assert_non_null(records);
		assert_non_null(packed);
		for (size_t i = 0; !zeros && i < size; i += 1 << 15) {
			records[i] = 68;
			records[i + 7] = (char)0x80; /* 32 KiB each */
		}
		n = ZSTD_compress(packed, bound, records, size, 1);
		assert_true(n < 60000);
		buf_add(&body, packed, n);
		free(records);
		free(packed);
		pw_event(&pw, usual, EVENT_ID, "loads");
		pw_record(&pw, RECORD_COMPRESSED, 0, &body);
		assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
		expect(&pw, zeros ? "smaller than its own header" : "");
		assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
		/* What it was made with is past. */
		assert_true(after.ru_maxrss - before.ru_maxrss < 20000);
	}
}

static void what_is_compressed_and_damaged(void **state)
{
	struct pw pw = {0}, past = {0}, open = {.compress = RECORD_COMPRESSED};
	struct buf body = BUF_INIT;

	(void)state;
	pw_event(&pw, usual, EVENT_ID, "loads");
	buf_adds(&body, "this is no zstd at all..");
	pw_record(&pw, RECORD_COMPRESSED, 0, &body);
	expect(&pw, "what is compressed in it is damaged");
	pw_event(&past, usual, EVENT_ID, "loads");
	pw_u64(&past, &body, 1000);
	buf_pad(&body, 0, 8);
	pw_record(&past, RECORD_COMPRESSED2, 0, &body);
	expect(&past, "its compressed bytes run past it");
	pw_event(&open, usual, EVENT_ID, "loads");
	pw_sample(&open, 0, MISC_USER, &a_load);
	open.records.len -= 8;
	expect(&open, "the compressed records end in one");
}

static void headers_that_cannot_be(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		const char *part;
	} want[] = {
		{8, 0, "inside of its header"},      {8, 105, "inside of its header"},
		{16, 0, "description of an event"},  {16, 79, "description of an event"},
		{24, UINT64_MAX, "it is cut short"}, {32, UINT64_MAX, "it is cut short"},
		{40, UINT64_MAX, "it is cut short"}, {48, UINT64_MAX, "it is cut short"},
		{72, UINT64_MAX, "it is cut short"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct buf bytes = BUF_INIT;
		struct pw pw = {0};
		struct pr pr;

		sample_file(&pw, &bytes);
		memcpy(bytes.s + want[i].at, &want[i].value, 8);
		assert_false(pr_read(&bytes, NULL, &pr));
		if (!strstr(pr.err.text, want[i].part))
			fail_msg("%zu: %s", want[i].at, pr.err.text);
		pr_release(&pr);
		buf_release(&bytes);
	}
}

static void machines_that_cannot_be(void **state)
{
	static const char *const lists[] = {"0-99999999", "x", "3-1", "1,", "1-", "-5", "0;1"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		struct pw pw = {0};
		struct buf *b = pw_feature(&pw, 14);

		pw_event(&pw, usual, EVENT_ID, "loads");
		pw_u32(&pw, b, 1);
		pw_u32(&pw, b, 0);
		buf_pad(b, 0, 16);
		pw_string(&pw, b, lists[i]);
		pw_round(&pw);
		expect(&pw, strcmp(lists[i], "1,") == 0 ? "" : "feature 14");
	}
	for (unsigned feature = 0; feature < PW_FEATURES; feature++) {
		struct pw pw = {0};

		/* EVENT_DESC is what the writer puts there itself. */
		if (feature == 12)
			continue;
		pw_event(&pw, usual, EVENT_ID, "loads");
		buf_pad(pw_feature(&pw, feature), (char)0xff, 40);
		pw_round(&pw);
		expect(&pw,
		       features_wants(feature) && feature != 7 && feature != 20 && feature != 22
			       ? "is cut short"
			       : "");
	}
}

static void what_is_no_recording(void **state)
{
	static const char *const texts[] = {
		"", "x", "PERFILE2", "PERFFILE........", "\177ELF", "hello\nworld\n"};
	static const char *const parts[] = {"it is empty",      "neither", "inside of its header",
					    "before Linux 3.3", "neither", "neither"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct buf bytes = BUF_INIT;
		struct pr pr;

		buf_adds(&bytes, texts[i]);
		assert_false(pr_read(&bytes, NULL, &pr));
		if (!strstr(pr.err.text, parts[i]))
			fail_msg("%s", pr.err.text);
		pr_release(&pr);
		buf_release(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(every_byte_replaced),
		cmocka_unit_test(records_that_cannot_be),
		cmocka_unit_test(counts_past_the_record),
		cmocka_unit_test(samples_that_are_too_short),
		cmocka_unit_test(bombs),
		cmocka_unit_test(what_is_compressed_and_damaged),
		cmocka_unit_test(headers_that_cannot_be),
		cmocka_unit_test(machines_that_cannot_be),
		cmocka_unit_test(what_is_no_recording),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
