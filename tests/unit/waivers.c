/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Days, waiver files on every prefix, and what fingerprints mean. tests/cli/waivers.t has what
 * becomes of findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lib/judged.h"
#include "rule/waivers.h"

/* ---- days ------------------------------------------------------------------------------------ */

static void test_valid_days(void **state)
{
	static const char *const right[] = {"0001-01-01", "2024-02-29", "2000-02-29", "2026-12-31",
					    "9999-12-31"};
	static const char *const wrong[] = {"",           "2026-12-3",  "2026-12-310", "2026/12/31",
					    "2026-00-01", "2026-01-00", "2026-04-31",  "2026-13-01",
					    "2026-02-29", "1900-02-29", "0000-01-01",  "2026-1 -01",
					    "-026-01-01", "20261231  "};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		if (!date_is_valid(right[i]))
			fail_msg("%s is a day", right[i]);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (date_is_valid(wrong[i]))
			fail_msg("%s is no day", wrong[i]);
}

static void test_seconds(void **state)
{
	static const struct {
		uint64_t seconds;
		const char *day;
	} cases[] = {{0, "1970-01-01"},
		     {86399, "1970-01-01"},
		     {86400, "1970-01-02"},
		     {UINT64_C(951782400), "2000-02-29"},
		     {UINT64_C(4102444800), "2100-01-01"},
		     {UINT64_C(253402300799), "9999-12-31"}};
	char day[DATE_TEXT];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(date_of_seconds(cases[i].seconds, day));
		assert_string_equal(day, cases[i].day);
	}
	assert_false(date_of_seconds(UINT64_C(253402300800), day));
	assert_false(date_of_seconds(UINT64_MAX, day));
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char whole[] = "layoutcheck-waivers: 1\n"
			    "waivers:\n"
			    "  - {fingerprint: abcdefabcdef, why: \"é\", until: 2026-12-31}\n"
			    "  - fingerprint: \"012345678901\"\n"
			    "    why: |\n"
			    "      two\n"
			    "      lines\n"
			    "    owner: me\n"
			    "    of: change\n";

static bool parse(const char *text, size_t len, struct waivers *ret, size_t *ret_errors)
{
	struct pack_errors errors;
	bool ok;

	waivers_init(ret, "2026-06-15");
	pack_errors_init(&errors);
	ok = waivers_parse(ret, "w.yaml", text, len, &errors);
	*ret_errors = errors.n;
	pack_errors_release(&errors);
	return ok;
}

static void test_whole(void **state)
{
	struct waivers waivers;
	size_t n;

	(void)state;
	assert_true(parse(whole, strlen(whole), &waivers, &n));
	assert_int_equal(n, 0);
	assert_int_equal(waivers.n, 2);
	assert_string_equal(waivers.items[0].fingerprint, "abcdefabcdef");
	assert_string_equal(waivers.items[0].waiver.until, "2026-12-31");
	assert_null(waivers.items[0].waiver.owner);
	assert_int_equal(waivers.items[0].of, WAIVER_OF_ANY);
	assert_int_equal(waivers.items[0].waiver.pos.line, 3);
	assert_string_equal(waivers.items[1].waiver.why, "two\nlines\n");
	assert_string_equal(waivers.items[1].waiver.owner, "me");
	assert_null(waivers.items[1].waiver.until);
	assert_int_equal(waivers.items[1].of, WAIVER_OF_CHANGE);
	waivers_release(&waivers);
}

/* It is right, or there is something to say; never both, never neither. */
static void test_prefixes(void **state)
{
	size_t right = 0;

	(void)state;
	for (size_t len = 0; len < strlen(whole); len++) {
		struct waivers waivers;
		size_t n;
		bool ok = parse(whole, len, &waivers, &n);

		if (ok != (n == 0))
			fail_msg("prefix of %zu bytes", len);
		right += ok;
		waivers_release(&waivers);
	}
	assert_true(right > 0 && right < 100);
}

/* ---- what a fingerprint means ---------------------------------------------------------------- */

/* The fingerprints of the findings of @IDS about struct s begin alike; found by trying. */
#define FIRST  "r32557341"
#define SECOND "r37357520"
#define START  "041e875f9fd4"

static void test_ambiguous(void **state)
{
	static const char pack[] =
		"structs: {s: {rules: [{size: 1, id: " FIRST "}, {size: 2, id: " SECOND "}]}}\n";
	struct layout *layout = model_kernel(SOURCE_DWARF);
	const struct {
		const char *digits;
		bool ok;
	} cases[] = {{START, false}, {START "f", true}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct check_options options = {0};
		struct buf text = BUF_INIT;
		struct pack_errors errors;
		struct waivers waivers;
		struct judged judged;

		pack_errors_init(&errors);
		waivers_init(&waivers, "2026-06-15");
		buf_addf(&text,
			 "layoutcheck-waivers: 1\nwaivers: [{fingerprint: \"%s\", why: x}]\n",
			 cases[i].digits);
		assert_true(waivers_parse(&waivers, "w.yaml", text.s, text.len, &errors));
		options.waivers = &waivers;
		judge_pack(layout, pack, &options, &judged);
		assert_int_equal(judged.findings.summary.waived, cases[i].ok ? 1 : 2);
		assert_int_equal(waivers_finish(&waivers, &errors), cases[i].ok);
		if (!cases[i].ok)
			assert_has(errors.text.s, "w.yaml:2:11: fingerprint " START
						  " is the start of two, of " FIRST
						  " and of " SECOND ": write more of its digits\n");
		judged_release(&judged);
		waivers_release(&waivers);
		pack_errors_release(&errors);
		buf_release(&text);
	}
	layout_free(layout);
}

/* Of two waivers of one finding the one in force counts, whichever comes first, and both have
 * something to silence. */
static void test_two(void **state)
{
	char fingerprint[SHA256_HEX];

	(void)state;
	finding_fingerprint("s/size", "s", NULL, fingerprint);
	for (size_t i = 0; i < 2; i++) {
		struct layout *layout = model_kernel(SOURCE_DWARF);
		struct check_options options = {0};
		struct waivers waivers;
		struct judged judged;

		waivers_init(&waivers, "2026-06-15");
		for (int file = 0; file < 2; file++) {
			struct buf text = BUF_INIT;
			struct pack_errors errors;
			bool on = (file == 0) == (i == 0);

			pack_errors_init(&errors);
			buf_addf(&text,
				 "layoutcheck-waivers: 1\n"
				 "waivers: [{fingerprint: \"%s\", why: %s}]\n",
				 fingerprint, on ? "on" : "over, until: 2026-06-14");
			assert_true(waivers_parse(&waivers, "w.yaml", text.s, text.len, &errors));
			pack_errors_release(&errors);
			buf_release(&text);
		}
		options.waivers = &waivers;
		judge_pack(layout, "structs: {s: {rules: [{size: 1}]}}\n", &options, &judged);
		assert_true(only_finding(&judged)->waived);
		assert_string_equal(only_finding(&judged)->waiver->why, "on");
		waivers_tell_unmatched(&waivers, 0, &judged.findings);
		assert_int_equal(judged.findings.n, 1);
		judged_release(&judged);
		waivers_release(&waivers);
		layout_free(layout);
	}
}

/* Findings about waivers stand behind the last of their file, whose suite they are. */
static void test_order(void **state)
{
	struct layout *layout = model_kernel(SOURCE_DWARF);
	struct check_options options = {.all = true};
	struct finding other = {.rule = "z/size",
				.kind = "size",
				.subject = "z",
				.message = "x",
				.pack = {"q.yaml", 3, 1}};
	struct waivers waivers;
	struct judged judged;

	(void)state;
	waivers_init(&waivers, "2026-06-15");
	options.waivers = &waivers;
	judge_pack(layout,
		   "structs: {s: {rules: [{size: 16, waive: {why: x}}, {max_padding: 99}]}}\n",
		   &options, &judged);
	assert_int_equal(judged.findings.n, 2);
	findings_add(&judged.findings, &other);
	waivers_of_packs(&waivers, &judged.packs);
	waivers.items[0].held = waivers.items[0].judged = true;
	waivers_tell_unmatched(&waivers, 0, &judged.findings);
	assert_int_equal(judged.findings.n, 4);
	assert_string_equal(judged.findings.items[2].rule, "waiver/s/size");
	assert_string_equal(judged.findings.items[3].rule, "z/size");
	assert_int_equal(judged.findings.summary.unmatched, 1);
	judged_release(&judged);
	waivers_release(&waivers);
	layout_free(layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_valid_days), cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_whole),      cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_ambiguous),  cmocka_unit_test(test_two),
		cmocka_unit_test(test_order),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
