/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How changes are told in the formats for CI systems, on changes made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/report.h"

static const struct type wide = {
	.kind = TYPE_STRUCT, .name = "counter", .has_size = true, .bits = 256 * 8};
static const struct def counter = {.name = "counter",
				   .kind = DEF_STRUCT,
				   .type = &wide,
				   .has_decl = true,
				   .file = "counter.h",
				   .line = 20,
				   .cus = 7};
static const struct def undeclared = {
	.name = "counter", .kind = DEF_STRUCT, .type = &wide, .cus = 1};

static const struct finding broken = {.rule = "counter/size",
				      .kind = "size",
				      .severity = SEVERITY_ERROR,
				      .outcome = OUTCOME_BROKEN,
				      .subject = "counter",
				      .def = &counter,
				      .pack = {"mm.yaml", 41, 9},
				      .message = "size is 256",
				      .why = "one a page"};

enum { RULE, WARNED, WAIVED, NOTED, N };

static const struct change all[N] = {
	[RULE] = {.kind = CHANGE_RULE_BROKEN,
		  .severity = SEVERITY_ERROR,
		  .subject = "counter",
		  .message = "counter/size held and is broken",
		  .cause = "lock was added",
		  .old_def = &counter,
		  .new_def = &counter,
		  .rule = "counter/size",
		  .pack = {"mm.yaml", 41, 9},
		  .finding = &broken,
		  .fingerprint = "1111"},
	[WARNED] = {.kind = CHANGE_STRADDLES,
		    .severity = SEVERITY_WARNING,
		    .subject = "counter",
		    .member = "lock",
		    .message = "`lock` straddles",
		    .old_def = &counter,
		    .new_def = &counter,
		    .fingerprint = "2222"},
	[WAIVED] = {.kind = CHANGE_NEIGHBOUR,
		    .severity = SEVERITY_ERROR,
		    .subject = "counter",
		    .member = "lock",
		    .other = "max",
		    .message = "`lock` shares line 0 with `max` now",
		    .old_def = &counter,
		    .new_def = &counter,
		    .waived = true,
		    .fingerprint = "3333"},
	[NOTED] = {.kind = CHANGE_APPEARED,
		   .severity = SEVERITY_NOTE,
		   .subject = "table",
		   .message = "appeared: 8 bytes",
		   .now = "8",
		   .new_def = &undeclared,
		   .fingerprint = "4444"},
};

struct setting {
	size_t first, end; /* of the changes */
	bool strict, verbose, twins;
};
#define SETTING(...) ((struct setting){__VA_ARGS__})

static struct buf diff(const char *name, struct setting setting)
{
	static const char *const missing[] = {"lost"};
	static const char *warnings[] = {"of two minds"};
	const struct layout before = {.path = "old.json",
				      .source = SOURCE_DWARF,
				      .target = {.arch = "x86_64", .bits = 64, .line = 64}};
	const struct layout after = {.path = "vmlinux",
				     .source = SOURCE_DWARF,
				     .target = {.arch = "x86_64", .bits = 64, .line = 64}};
	const struct report_style style = {.verbose = setting.verbose};
	struct change items[N];
	struct changes changes = {.items = items,
				  .n = setting.end - setting.first,
				  .warnings = warnings,
				  .nwarnings = 1,
				  .summary = {.compared = 3, .changed = 1, .errors = 2}};
	struct diff_report report = {.before = &before,
				     .after = &after,
				     .line = 64,
				     .changes = &changes,
				     .strict = setting.strict,
				     .missing = missing,
				     .nmissing = setting.end == N};
	struct buf out = BUF_INIT;

	memcpy(items, all + setting.first, changes.n * sizeof *items);
	if (setting.twins)
		items[0].new_def = &undeclared;
	format_find(name)->diff(&report, &style, &out);
	return out;
}

static void assert_diff(const char *name, struct setting setting, const char *wanted)
{
	struct buf out = diff(name, setting);

	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

static json_t *load(const char *name, struct setting setting)
{
	struct buf out = diff(name, setting);
	json_t *value = json_loads(out.s, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(value);
	buf_release(&out);
	return value;
}

#define NAMES  "old.json (DWARF, x86_64, 64-byte lines) -> vmlinux (DWARF, x86_64, 64-byte lines)"
#define COUNTS "3 types compared, 1 changed, 0 appeared, 0 vanished: 2 errors, 0 warnings, 0 notes"

static void test_tap(void **state)
{
	(void)state;
	assert_diff("tap", SETTING(.end = N),
		    "KTAP version 1\n"
		    "# " NAMES "\n"
		    "1..6\n"
		    "# warning: of two minds\n"
		    "ok 1 - compared\n"
		    "# counter.h:20: counter: counter/size held and is broken\n"
		    "# lock was added\n"
		    "not ok 2 - counter/rule_broken (counter/size)\n"
		    "# counter.h:20: counter: `lock` straddles\n"
		    "ok 3 - counter/straddles (lock) # XFAIL warning\n"
		    "# counter.h:20: counter: `lock` shares line 0 with `max` now\n"
		    "ok 4 - counter/neighbour (lock, max) # XFAIL waived\n"
		    "ok 5 - table/appeared\n"
		    "not ok 6 - lost is in neither image\n"
		    "# " COUNTS "\n");
}

/* What is waived fails nothing, even now; of what is not declared the image is the place. */
static void test_tap_strict(void **state)
{
	struct buf out = diff("tap", SETTING(.end = N, .strict = true));

	(void)state;
	assert_non_null(strstr(out.s, "\nnot ok 3 - counter/straddles (lock)\n"));
	assert_non_null(strstr(out.s, "\nok 4 - counter/neighbour (lock, max) # XFAIL waived\n"));
	assert_non_null(strstr(out.s, "\n# vmlinux: table: appeared: 8 bytes\n"
				      "not ok 5 - table/appeared\n"));
	buf_release(&out);
}

static void test_twins(void **state)
{
	struct buf out = diff("tap", SETTING(.end = WAIVED, .twins = true));

	(void)state;
	assert_non_null(
		strstr(out.s, "\nnot ok 2 - counter/rule_broken (counter/size, 256 bytes)\n"));
	assert_non_null(strstr(
		out.s,
		"\nok 3 - counter/straddles (lock, 256 bytes, counter.h) # XFAIL warning\n"));
	buf_release(&out);
}

static void test_github(void **state)
{
	(void)state;
	assert_diff("github", SETTING(.end = N, .verbose = true),
		    "::warning title=layoutcheck::vmlinux: of two minds\n"
		    "::error file=counter.h,line=20,title=counter/size::counter: counter/size held "
		    "and is broken%0Alock was added%0Awhy: one a page\n"
		    "::warning file=counter.h,line=20,title=straddles::counter: `lock` straddles\n"
		    "::notice file=counter.h,line=20,title=neighbour::waived: counter: `lock` "
		    "shares line 0 with `max` now\n"
		    "::notice file=vmlinux,title=appeared::table: appeared: 8 bytes\n"
		    "::notice title=layoutcheck::" NAMES ": " COUNTS "\n"
		    "::error title=layoutcheck::lost is in neither image\n");
}

static void test_gitlab(void **state)
{
	static const struct {
		const char *name, *severity;
	} wanted[] = {{"counter/size", "critical"},
		      {"straddles", "minor"},
		      {"neighbour", "info"},
		      {"layoutcheck", "blocker"}};
	json_t *list = load("gitlab", SETTING(.end = N));

	(void)state;
	assert_int_equal(json_array_size(list), ARRAY_SIZE(wanted));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const json_t *entry = json_array_get(list, i);

		assert_string_equal(json_string_value(json_object_get(entry, "check_name")),
				    wanted[i].name);
		assert_string_equal(json_string_value(json_object_get(entry, "severity")),
				    wanted[i].severity);
	}
	json_decref(list);
}

/* The string at @key of the result at @index. */
static const char *of_result(const json_t *log, size_t index, const char *key)
{
	const json_t *run = json_array_get(json_object_get(log, "runs"), 0);
	const json_t *result = json_array_get(json_object_get(run, "results"), index);

	return json_string_value(json_object_get(result, key));
}

static void test_sarif(void **state)
{
	static const struct {
		const char *rule, *kind, *level;
	} wanted[N] = {{"counter/size", "fail", "error"},
		       {"straddles", "fail", "warning"},
		       {"neighbour", "fail", "error"},
		       {"appeared", "informational", "none"}};
	json_t *log = load("sarif", SETTING(.end = N, .verbose = true));
	const json_t *run = json_array_get(json_object_get(log, "runs"), 0);
	const json_t *results = json_object_get(run, "results");

	(void)state;
	assert_int_equal(json_array_size(results), N);
	for (size_t i = 0; i < N; i++) {
		const json_t *result = json_array_get(results, i);

		assert_string_equal(of_result(log, i, "ruleId"), wanted[i].rule);
		assert_string_equal(of_result(log, i, "kind"), wanted[i].kind);
		assert_string_equal(of_result(log, i, "level"), wanted[i].level);
		assert_string_equal(json_string_value(json_object_get(
					    json_object_get(result, "partialFingerprints"),
					    "layoutcheckChange/v1")),
				    all[i].fingerprint);
		assert_int_equal(json_object_get(result, "suppressions") != NULL, i == WAIVED);
		/* The rule that was broken stands in a pack. */
		assert_int_equal(json_array_size(json_object_get(result, "relatedLocations")),
				 i == RULE);
	}
	json_decref(log);
	log = load("sarif", SETTING(.end = N));
	assert_null(of_result(log, NOTED, "kind"));
	json_decref(log);
	log = load("sarif", SETTING(.end = N, .strict = true));
	assert_string_equal(of_result(log, NOTED, "kind"), "fail");
	assert_string_equal(of_result(log, NOTED, "level"), "note");
	json_decref(log);
}

static void test_junit(void **state)
{
	struct buf out = diff("junit", SETTING(.end = N));

	(void)state;
	assert_non_null(strstr(out.s, "<testsuites name=\"layoutcheck\" tests=\"6\" "
				      "failures=\"1\" errors=\"1\" skipped=\"2\">"));
	assert_non_null(strstr(out.s, "<testsuite name=\"old.json -&gt; vmlinux\" tests=\"5\" "));
	assert_non_null(strstr(out.s, "<failure type=\"rule_broken\" "));
	assert_non_null(strstr(out.s, "<skipped message=\"waived: "));
	assert_non_null(strstr(out.s, "<skipped message=\"warning: "));
	assert_non_null(strstr(out.s, "<testsuite name=\"lost\" tests=\"1\" "));
	buf_release(&out);
}

static void test_markdown(void **state)
{
	(void)state;
	assert_diff("markdown", SETTING(.first = WARNED, .end = WAIVED),
		    "<!-- layoutcheck -->\n"
		    "### layoutcheck: passed, 1 change\n\n"
		    "old.json (DWARF, x86_64, 64-byte lines) -&#62; "
		    "vmlinux (DWARF, x86_64, 64-byte lines): " COUNTS "\n\n"
		    "> warning: of two minds\n\n"
		    "| | type | change | kind | declared at |\n"
		    "|---|---|---|---|---|\n"
		    "| warning | <code>counter</code> | &#96;lock&#96; straddles | "
		    "<code>straddles</code> | <code>counter.h:20</code> |\n");
}

static void assert_verdict(struct setting setting, const char *wanted)
{
	struct buf out = diff("markdown", setting);

	assert_non_null(strstr(out.s, wanted));
	buf_release(&out);
}

static void test_verdicts(void **state)
{
	(void)state;
	assert_verdict(SETTING(.end = WAIVED), "\n### layoutcheck: failed, 1 change\n");
	assert_verdict(SETTING(.end = WAIVED, .strict = true),
		       "\n### layoutcheck: failed, 2 changes\n");
	assert_verdict(SETTING(.first = WAIVED, .end = NOTED),
		       "\n### layoutcheck: passed, 1 change\n");
	assert_verdict(SETTING(.end = 0), "\n### layoutcheck: passed, no layout changed\n");
	assert_verdict(SETTING(.first = NOTED, .end = N),
		       "\n### layoutcheck: not everything could be read\n\n"
		       "lost is in neither image\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tap),      cmocka_unit_test(test_tap_strict),
		cmocka_unit_test(test_twins),    cmocka_unit_test(test_github),
		cmocka_unit_test(test_gitlab),   cmocka_unit_test(test_sarif),
		cmocka_unit_test(test_junit),    cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_verdicts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
