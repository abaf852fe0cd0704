/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How every outcome is told in the formats for CI systems, on findings made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/report.h"

static const struct type wide = {
	.kind = TYPE_STRUCT, .name = "page_counter", .has_size = true, .bits = 256 * 8};
static const struct def counter = {.name = "page_counter",
				   .kind = DEF_STRUCT,
				   .type = &wide,
				   .has_decl = true,
				   .file = "include/linux/page counter.h",
				   .line = 20,
				   .cus = 7};
static const struct type narrow = {
	.kind = TYPE_STRUCT, .name = "page_counter", .has_size = true, .bits = 64 * 8};
static const struct def twin = {
	.name = "page_counter", .kind = DEF_STRUCT, .type = &narrow, .cus = 1};

enum { HOLDS, NARROW, BROKEN, WARNED, WAIVED, MISSING, UNTOLD, IDLE, FIRST, SECOND, N };

/* One of each; FIRST and SECOND are two definitions of one name. */
static void make(struct finding items[N])
{
	static const enum outcome outcomes[N] = {
		OUTCOME_HOLDS,  OUTCOME_HOLDS,   OUTCOME_BROKEN,  OUTCOME_BROKEN,
		OUTCOME_BROKEN, OUTCOME_MISSING, OUTCOME_UNKNOWN, OUTCOME_NOT_APPLICABLE,
		OUTCOME_BROKEN, OUTCOME_BROKEN,
	};
	static const char *const ids[N] = {"holds",   "narrow", "broken", "warned", "waived",
					   "missing", "untold", "idle",   "two",    "two"};

	for (size_t i = 0; i < N; i++)
		items[i] = (struct finding){
			.rule = ids[i],
			.kind = "size",
			.severity = SEVERITY_ERROR,
			.outcome = outcomes[i],
			.subject = "page_counter",
			.def = i == MISSING  ? NULL
			       : i == SECOND ? &twin
					     : &counter,
			.pack = {i < FIRST ? "mm.yaml" : "more.yaml", 41, 9},
			.message = "size is 256",
			.cause = i == BROKEN ? "failcnt opened line 2" : NULL,
		};
	items[NARROW].has_margin = true;
	items[NARROW].margin = 1;
	items[HOLDS].has_margin = true;
	items[HOLDS].margin = 8;
	items[WARNED].severity = SEVERITY_WARNING;
	items[WAIVED].waived = true;
	items[BROKEN].why = "one a page";
}

struct setting {
	size_t first, end; /* of the findings; end 0: all */
	bool allow_unknown, verbose, several, fail_on_warning;
};
#define SETTING(...) ((struct setting){__VA_ARGS__})

static struct buf check(const char *name, struct setting setting)
{
	static const char *const unread[] = {"lost"};
	const char *const warnings[] = {"of two minds"};
	struct layout layout = {.path = "vmlinux",
				.source = SOURCE_DWARF,
				.target = {.arch = "x86_64", .bits = 64, .line = 64}};
	struct report_style style = {.verbose = setting.verbose,
				     .several = setting.several,
				     .unread = unread,
				     .nunread = setting.several};
	struct finding items[N];
	struct findings findings;
	struct check_report reports[2];
	struct buf out = BUF_INIT;

	make(items);
	findings_init(&findings);
	for (size_t i = setting.first; i < (setting.end ? setting.end : N); i++)
		findings_add(&findings, &items[i]);
	findings.summary = (struct summary){.holds = 2, .broken = 5};
	reports[0] = (struct check_report){.layout = &layout,
					   .line = 64,
					   .findings = &findings,
					   .warnings = warnings,
					   .nwarnings = 1,
					   .fail_on = setting.fail_on_warning ? SEVERITY_WARNING
									      : SEVERITY_ERROR,
					   .allow_unknown = setting.allow_unknown,
					   .has_margin = true,
					   .margin = 8};
	reports[1] = reports[0];
	format_find(name)->check(reports, setting.several ? 2 : 1, &style, &out);
	findings_release(&findings);
	return out;
}

static void assert_check(const char *name, struct setting setting, const char *wanted)
{
	struct buf out = check(name, setting);

	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

static json_t *load(const char *name, struct setting setting)
{
	struct buf out = check(name, setting);
	json_t *value = json_loads(out.s, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(value);
	buf_release(&out);
	return value;
}

/* The string at "key.key.0.key" in @value; "-" when there is none. */
static const char *at(const json_t *value, const char *path)
{
	while (*path && value) {
		char key[64];
		size_t len = strcspn(path, "/");

		snprintf(key, sizeof key, "%.*s", (int)len, path);
		value = json_is_array(value) ? json_array_get(value, (size_t)(key[0] - '0'))
					     : json_object_get(value, key);
		path += len + (path[len] == '/');
	}
	return json_is_string(value) ? json_string_value(value) : "-";
}

static void test_tap(void **state)
{
	(void)state;
	assert_check("tap", SETTING(.first = 0),
		     "KTAP version 1\n"
		     "# vmlinux (DWARF, x86_64, 64-byte lines)\n"
		     "1..10\n"
		     "# warning: of two minds\n"
		     "ok 1 - holds\n"
		     "# include/linux/page counter.h:20: page_counter: size is 256\n"
		     "# 1 more byte fits before it breaks\n"
		     "ok 2 - narrow\n"
		     "# include/linux/page counter.h:20: page_counter: size is 256\n"
		     "# failcnt opened line 2\n"
		     "not ok 3 - broken\n"
		     "# include/linux/page counter.h:20: page_counter: size is 256\n"
		     "ok 4 - warned # XFAIL warning\n"
		     "# include/linux/page counter.h:20: page_counter: size is 256\n"
		     "ok 5 - waived # XFAIL waived\n"
		     "# mm.yaml:41: page_counter: size is 256\n"
		     "not ok 6 - missing\n"
		     "# include/linux/page counter.h:20: page_counter: size is 256\n"
		     "not ok 7 - untold\n"
		     "ok 8 - idle # SKIP not-applicable\n"
		     "# include/linux/page counter.h:20: page_counter: size is 256\n"
		     "not ok 9 - two (256 bytes, include/linux/page counter.h)\n"
		     "# more.yaml:41: page_counter: size is 256\n"
		     "not ok 10 - two (64 bytes)\n"
		     "# 2 hold, 5 broken\n");
}

static void test_tap_several(void **state)
{
	(void)state;
	assert_check("tap",
		     SETTING(.first = WARNED, .end = WARNED + 1, .several = true,
			     .fail_on_warning = true),
		     "KTAP version 1\n1..3\n"
		     "  KTAP version 1\n"
		     "  # vmlinux (DWARF, x86_64, 64-byte lines)\n"
		     "  1..1\n"
		     "  # warning: of two minds\n"
		     "  # include/linux/page counter.h:20: page_counter: size is 256\n"
		     "  not ok 1 - warned\n"
		     "  # 2 hold, 5 broken\n"
		     "not ok 1 - vmlinux\n"
		     "  KTAP version 1\n"
		     "  # vmlinux (DWARF, x86_64, 64-byte lines)\n"
		     "  1..1\n"
		     "  # warning: of two minds\n"
		     "  # include/linux/page counter.h:20: page_counter: size is 256\n"
		     "  not ok 1 - warned\n"
		     "  # 2 hold, 5 broken\n"
		     "not ok 2 - vmlinux\n"
		     "not ok 3 - lost could not be read\n");
}

static void test_tap_allowed(void **state)
{
	struct buf out = check("tap", SETTING(.first = UNTOLD, .end = FIRST, .allow_unknown = true,
					      .several = true));

	(void)state;
	assert_non_null(strstr(out.s, "\n  ok 1 - untold # SKIP unknown\n"));
	assert_non_null(strstr(out.s, "\nok 1 - vmlinux\n"));
	buf_release(&out);
}

static void test_github(void **state)
{
	(void)state;
	assert_check("github", SETTING(.end = FIRST, .verbose = true, .allow_unknown = true),
		     "::warning title=layoutcheck::vmlinux: of two minds\n"
		     "::notice file=include/linux/page counter.h,line=20,title=narrow::holds: "
		     "page_counter: size is 256%0A1 more byte fits before it breaks\n"
		     "::error file=include/linux/page counter.h,line=20,title=broken::"
		     "page_counter: size is 256%0Afailcnt opened line 2%0Awhy: one a page\n"
		     "::warning file=include/linux/page counter.h,line=20,title=warned::"
		     "page_counter: size is 256\n"
		     "::notice file=include/linux/page counter.h,line=20,title=waived::waived: "
		     "page_counter: size is 256\n"
		     "::error file=mm.yaml,line=41,title=missing::page_counter: size is 256\n"
		     "::notice file=include/linux/page counter.h,line=20,title=untold::unknown: "
		     "page_counter: size is 256\n"
		     "::notice title=layoutcheck::vmlinux (DWARF, x86_64, 64-byte lines): 2 hold, "
		     "5 broken\n");
}

static void test_gitlab(void **state)
{
	static const struct {
		const char *name, *severity, *description, *path;
	} wanted[] = {
		{"narrow", "info",
		 "holds: page_counter: size is 256; 1 more byte fits before it "
		 "breaks",
		 "include/linux/page counter.h"},
		{"broken", "critical", "page_counter: size is 256; failcnt opened line 2",
		 "include/linux/page counter.h"},
		{"warned", "minor", "page_counter: size is 256", "include/linux/page counter.h"},
		{"waived", "info", "waived: page_counter: size is 256",
		 "include/linux/page counter.h"},
		{"missing", "critical", "page_counter: size is 256", "mm.yaml"},
		{"untold", "critical", "page_counter: size is 256", "include/linux/page counter.h"},
		{"two", "critical", "page_counter: size is 256", "include/linux/page counter.h"},
		{"two", "critical", "page_counter: size is 256", "more.yaml"},
	};
	json_t *list = load("gitlab", SETTING(.first = 0));

	(void)state;
	assert_int_equal(json_array_size(list), ARRAY_SIZE(wanted));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const json_t *entry = json_array_get(list, i);

		assert_string_equal(at(entry, "check_name"), wanted[i].name);
		assert_string_equal(at(entry, "severity"), wanted[i].severity);
		assert_string_equal(at(entry, "description"), wanted[i].description);
		assert_string_equal(at(entry, "location/path"), wanted[i].path);
	}
	json_decref(list);
}

/* Definitions, and images, share the fingerprint of the rule; GitLab would show one of them. */
static void test_gitlab_fingerprints(void **state)
{
	json_t *alone = load("gitlab", SETTING(.first = BROKEN, .end = BROKEN + 1));
	json_t *sarif = load("sarif", SETTING(.first = BROKEN, .end = BROKEN + 1));
	json_t *two = load("gitlab", SETTING(.first = FIRST));
	const json_t *run = json_array_get(json_object_get(sarif, "runs"), 0);
	const json_t *result = json_array_get(json_object_get(run, "results"), 0);

	(void)state;
	assert_int_equal(strlen(at(alone, "0/fingerprint")), 64);
	assert_string_equal(at(alone, "0/fingerprint"),
			    at(json_object_get(json_object_get(result, "partialFingerprints"),
					       "layoutcheckFinding/v1"),
			       ""));
	assert_string_not_equal(at(two, "0/fingerprint"), at(two, "1/fingerprint"));
	json_decref(alone);
	json_decref(sarif);
	json_decref(two);
}

static void test_sarif(void **state)
{
	static const struct {
		const char *kind, *level;
	} wanted[N] = {
		{"pass", "none"},    {"informational", "none"}, {"fail", "error"},
		{"fail", "warning"}, {"fail", "error"},         {"fail", "error"},
		{"open", "none"},    {"notApplicable", "none"}, {"fail", "error"},
		{"fail", "error"},
	};
	json_t *log = load("sarif", SETTING(.first = 0));
	const json_t *run = json_array_get(json_object_get(log, "runs"), 0);
	const json_t *results = json_object_get(run, "results");

	(void)state;
	assert_string_equal(at(log, "version"), "2.1.0");
	assert_string_equal(at(run, "invocations/0/toolExecutionNotifications/0/message/text"),
			    "of two minds");
	assert_int_equal(json_array_size(results), N);
	for (size_t i = 0; i < N; i++) {
		const json_t *result = json_array_get(results, i);
		char id[64];

		assert_string_equal(at(result, "kind"), wanted[i].kind);
		assert_string_equal(at(result, "level"), wanted[i].level);
		/* The two definitions have one rule. */
		snprintf(id, sizeof id, "tool/driver/rules/%zu/id", i == SECOND ? i - 1 : i);
		assert_string_equal(at(result, "ruleId"), at(run, id));
		assert_int_equal(json_integer_value(json_object_get(result, "ruleIndex")),
				 i == SECOND ? i - 1 : i);
		assert_string_equal(at(result, "suppressions/0/status"),
				    i == WAIVED ? "accepted" : "-");
	}
	assert_string_equal(at(results, "2/message/text"),
			    "page_counter: size is 256\nfailcnt opened line 2");
	assert_string_equal(at(run, "tool/driver/rules/2/help/text"),
			    "one a page\nrule: mm.yaml:41\n");
	json_decref(log);
}

static void test_sarif_places(void **state)
{
	json_t *log = load("sarif", SETTING(.first = BROKEN, .end = MISSING + 1));
	const json_t *results =
		json_object_get(json_array_get(json_object_get(log, "runs"), 0), "results");
#define PLACE "/physicalLocation/artifactLocation/"

	(void)state;
	assert_string_equal(at(results, "0/locations/0" PLACE "uri"),
			    "include/linux/page%20counter.h");
	assert_string_equal(at(results, "0/locations/0" PLACE "uriBaseId"), "%SRCROOT%");
	assert_string_equal(at(results, "0/relatedLocations/0" PLACE "uri"), "mm.yaml");
	assert_string_equal(at(results, "0/relatedLocations/0" PLACE "uriBaseId"), "-");
	/* Not there, hence not declared: the rule is the place. */
	assert_string_equal(at(results, "3/locations/0" PLACE "uri"), "mm.yaml");
	assert_string_equal(at(results, "3/relatedLocations/0" PLACE "uri"), "-");
	json_decref(log);
}

/* The number of @part in @text. */
static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		n++;
		text += strlen(part);
	}
	return n;
}

static void test_junit(void **state)
{
	struct buf out = check("junit", SETTING(.first = 0));

	(void)state;
	assert_non_null(strstr(out.s, "<testsuites name=\"layoutcheck\" tests=\"10\" "
				      "failures=\"4\" errors=\"1\" skipped=\"3\">"));
	assert_non_null(strstr(out.s, "<testsuite name=\"mm.yaml on vmlinux\" tests=\"8\" "
				      "failures=\"2\" errors=\"1\" skipped=\"3\">"));
	assert_non_null(strstr(out.s, "<testsuite name=\"more.yaml on vmlinux\" tests=\"2\" "
				      "failures=\"2\" errors=\"0\" skipped=\"0\">"));
	assert_int_equal(count(out.s, "<testcase "), 10);
	assert_int_equal(count(out.s, "<failure "), 4);
	assert_int_equal(count(out.s, "<error type=\"unknown\" "), 1);
	assert_int_equal(count(out.s, "<skipped message=\"waived: "), 1);
	assert_int_equal(count(out.s, "<skipped message=\"warning: "), 1);
	assert_int_equal(count(out.s, "<skipped message=\"not-applicable: "), 1);
	assert_int_equal(count(out.s, "<system-out>"), 1);
	assert_int_equal(count(out.s, "<system-err>warning: of two minds\n"), 1);
	buf_release(&out);
	out = check("junit",
		    SETTING(.first = UNTOLD, .end = IDLE, .several = true, .allow_unknown = true));
	assert_int_equal(count(out.s, "<skipped message=\"unknown: "), 2);
	assert_non_null(strstr(out.s, "<testsuites name=\"layoutcheck\" tests=\"3\" "
				      "failures=\"0\" errors=\"1\" skipped=\"2\">"));
	assert_non_null(strstr(out.s, "<testsuite name=\"lost\" tests=\"1\" "));
	buf_release(&out);
}

static void test_markdown(void **state)
{
	(void)state;
	assert_check(
		"markdown", SETTING(.first = 0, .end = WAIVED + 1),
		"<!-- layoutcheck -->\n"
		"### layoutcheck: failed, 1 finding\n\n"
		"vmlinux (DWARF, x86_64, 64-byte lines): 2 hold, 5 broken\n\n"
		"> warning: of two minds\n\n"
		"| | struct | finding | rule | declared at |\n"
		"|---|---|---|---|---|\n"
		"| **error** | <code>page_counter</code> | size is 256<br>failcnt opened line 2 | "
		"<code>broken</code><br><code>mm.yaml:41</code> | "
		"<code>include/linux/page counter.h:20</code> |\n"
		"| holds | <code>page_counter</code> | size is 256<br>1 more byte fits before it "
		"breaks | <code>narrow</code><br><code>mm.yaml:41</code> | "
		"<code>include/linux/page counter.h:20</code> |\n"
		"| warning | <code>page_counter</code> | size is 256 | "
		"<code>warned</code><br><code>mm.yaml:41</code> | "
		"<code>include/linux/page counter.h:20</code> |\n"
		"| waived | <code>page_counter</code> | size is 256 | "
		"<code>waived</code><br><code>mm.yaml:41</code> | "
		"<code>include/linux/page counter.h:20</code> |\n\n"
		"<details><summary>2 rules hold</summary>\n\n"
		"- <code>holds</code>: size is 256\n"
		"- <code>narrow</code>: size is 256\n\n"
		"</details>\n");
}

static void assert_verdict(struct setting setting, const char *wanted)
{
	struct buf out = check("markdown", setting);

	assert_non_null(strstr(out.s, wanted));
	buf_release(&out);
}

static void test_verdicts(void **state)
{
	(void)state;
	assert_verdict(SETTING(.end = BROKEN), "\n### layoutcheck: passed, 2 rules hold\n");
	assert_verdict(SETTING(.first = WARNED, .end = MISSING), "\n### layoutcheck: passed, ");
	assert_verdict(SETTING(.first = UNTOLD, .end = IDLE),
		       "\n### layoutcheck: failed, 1 finding\n");
	/* An image was lost: never a pass. */
	assert_verdict(
		SETTING(.end = BROKEN, .several = true),
		"\n### layoutcheck: not everything could be read\n\nlost could not be read\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tap),         cmocka_unit_test(test_tap_several),
		cmocka_unit_test(test_tap_allowed), cmocka_unit_test(test_github),
		cmocka_unit_test(test_gitlab),      cmocka_unit_test(test_gitlab_fingerprints),
		cmocka_unit_test(test_sarif),       cmocka_unit_test(test_sarif_places),
		cmocka_unit_test(test_junit),       cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_verdicts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
