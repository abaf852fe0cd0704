/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The renderers, on findings and views made by hand, so that every field and every oddity is met.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/report.h"

/* A name that would clear the screen, turn the line around, break JSON, and is no UTF-8. */
#define HOSTILE "a\033[2J\"\\\n\xe2\x80\xae\xff"

static const struct type page_counter_type = {
	.kind = TYPE_STRUCT, .name = "page_counter", .has_size = true, .bits = 256 * 8};
static const struct def page_counter = {.name = "page_counter",
					.kind = DEF_STRUCT,
					.type = &page_counter_type,
					.has_decl = true,
					.file = "include/linux/page_counter.h",
					.line = 20,
					.cus = 7};

static struct layout vmlinux(void)
{
	return (struct layout){.path = "vmlinux",
			       .source = SOURCE_DWARF,
			       .target = {.arch = "x86_64", .bits = 64, .line = 64}};
}

static struct finding broken(void)
{
	return (struct finding){
		.rule = "page_counter/size",
		.kind = "size",
		.severity = SEVERITY_ERROR,
		.outcome = OUTCOME_BROKEN,
		.subject = "page_counter",
		.def = &page_counter,
		.pack = {"rules/linux/mm.yaml", 41, 9},
		.measured = "256",
		.wanted = "<= 192",
		.message = "size is 256, wanted <= 192",
		.cause = "failcnt (offset 128) opened line 2",
	};
}

static struct finding missing(void)
{
	return (struct finding){
		.rule = "fdtabel",
		.kind = "bucket",
		.severity = SEVERITY_WARNING,
		.outcome = OUTCOME_MISSING,
		.subject = "fdtabel",
		.pack = {"rules/linux/files.yaml", 3, 0},
		.message = "there is no struct fdtabel",
	};
}

static struct finding roomy(uint64_t margin)
{
	struct finding finding = broken();

	finding.outcome = OUTCOME_HOLDS;
	finding.message = "size is 256, wanted <= 260";
	finding.cause = NULL;
	finding.has_margin = true;
	finding.margin = margin;
	return finding;
}

static struct buf check(const char *format, const struct finding *items, size_t n,
			const struct report_style *style, struct check_report report)
{
	struct layout layout = vmlinux();
	struct findings findings;
	struct buf out = BUF_INIT;

	findings_init(&findings);
	for (size_t i = 0; i < n; i++)
		findings_add(&findings, &items[i]);
	findings.summary = (struct summary){.holds = 2, .broken = 1, .not_applicable = 3};
	report.layout = &layout;
	report.findings = &findings;
	format_find(format)->check(&report, 1, style, &out);
	findings_release(&findings);
	return out;
}

#define CHECK_TEXT(WANTED, ITEMS, N, STYLE, REPORT)                                                \
	do {                                                                                       \
		struct report_style style_ = STYLE;                                                \
		struct check_report report_ = REPORT;                                              \
		struct buf got_ = check("text", (ITEMS), (N), &style_, report_);                   \
		assert_string_equal(got_.s, (WANTED));                                             \
		buf_release(&got_);                                                                \
	} while (0)
#define STYLE(...)  ((struct report_style){__VA_ARGS__})
#define REPORT(...) ((struct check_report){.line = 64, __VA_ARGS__})

static void test_check_text(void **state)
{
	const struct finding items[] = {broken(), missing()};

	(void)state;
	CHECK_TEXT("include/linux/page_counter.h:20: error: page_counter: size is 256, wanted <= "
		   "192 [page_counter/size]\n"
		   "    failcnt (offset 128) opened line 2\n"
		   "    rules/linux/mm.yaml:41\n"
		   "rules/linux/files.yaml:3: warning: fdtabel: there is no struct fdtabel "
		   "[fdtabel]\n"
		   "vmlinux (DWARF, x86_64, 64-byte lines): 2 hold, 1 broken, 3 not applicable\n",
		   items, 2, STYLE(.quiet = false), REPORT(.nwarnings = 0));
}

static void test_check_quiet(void **state)
{
	const char *const warnings[] = {"of two minds"};
	const struct finding item = missing();

	(void)state;
	CHECK_TEXT("rules/linux/files.yaml:3: warning: fdtabel: there is no struct fdtabel "
		   "[fdtabel]\n",
		   &item, 1, STYLE(.quiet = true), REPORT(.warnings = warnings, .nwarnings = 1));
	CHECK_TEXT("vmlinux: warning: of two minds\n"
		   "vmlinux (DWARF, x86_64, line size unknown): 2 hold, 1 broken, 3 not "
		   "applicable\n",
		   NULL, 0, STYLE(.quiet = false),
		   ((struct check_report){.warnings = warnings, .nwarnings = 1}));
}

static void test_check_details(void **state)
{
	const char *const notes[] = {"`max_fdset` is absent"};
	struct finding item = broken();

	(void)state;
	item.notes = notes;
	item.nnotes = 1;
	item.why = "one a page";
	item.origin = "0c9e63fd38a2";
	CHECK_TEXT("include/linux/page_counter.h:20: error: page_counter: size is 256, wanted <= "
		   "192 [page_counter/size]\n"
		   "    failcnt (offset 128) opened line 2\n"
		   "    `max_fdset` is absent\n"
		   "    why: one a page\n"
		   "    origin: 0c9e63fd38a2\n"
		   "    fingerprint: 646d9a727139\n"
		   "    rules/linux/mm.yaml:41\n",
		   &item, 1, STYLE(.quiet = true, .verbose = true), REPORT(.nwarnings = 0));
}

/* The word after the place: what fails is called by its severity, the rest by how it fared. */
static void assert_verdict(struct finding item, struct check_report report, const char *word)
{
	struct report_style style = {.quiet = true};
	struct buf got = check("text", &item, 1, &style, report), wanted = BUF_INIT;

	buf_addf(&wanted, "include/linux/page_counter.h:20: %s: page_counter: ", word);
	assert_memory_equal(got.s, wanted.s, wanted.len);
	buf_release(&got);
	buf_release(&wanted);
}

static void test_verdicts(void **state)
{
	struct finding unknown = broken(), waived = broken(), inapplicable = broken();

	(void)state;
	unknown.outcome = OUTCOME_UNKNOWN;
	inapplicable.outcome = OUTCOME_NOT_APPLICABLE;
	waived.waived = true;
	assert_verdict(unknown, REPORT(.allow_unknown = false), "error");
	assert_verdict(unknown, REPORT(.allow_unknown = true), "unknown");
	assert_verdict(inapplicable, REPORT(.allow_unknown = false), "not-applicable");
	assert_verdict(waived, REPORT(.allow_unknown = false), "waived");
	assert_verdict(roomy(4), REPORT(.allow_unknown = false), "holds");
	assert_verdict(roomy(4), REPORT(.has_margin = true, .margin = 4), "holds");
	assert_verdict(roomy(4), REPORT(.has_margin = true, .margin = 5), "note");
}

static void test_margin(void **state)
{
	const struct finding items[] = {roomy(1), roomy(4)};

	(void)state;
	CHECK_TEXT("include/linux/page_counter.h:20: holds: page_counter: size is 256, wanted <= "
		   "260 [page_counter/size]\n"
		   "    1 more byte fits before it breaks\n"
		   "    rules/linux/mm.yaml:41\n"
		   "include/linux/page_counter.h:20: holds: page_counter: size is 256, wanted <= "
		   "260 [page_counter/size]\n"
		   "    4 more bytes fit before it breaks\n"
		   "    rules/linux/mm.yaml:41\n",
		   items, 2, STYLE(.quiet = true), REPORT(.nwarnings = 0));
}

/* Whatever a binary is called inside, a finding stays on its lines and the terminal as it was. */
static void test_hostile_text(void **state)
{
	static const struct def def = {.name = HOSTILE,
				       .type = &page_counter_type,
				       .has_decl = true,
				       .file = HOSTILE,
				       .line = 1};
	struct finding item = {.rule = HOSTILE,
			       .kind = "size",
			       .outcome = OUTCOME_BROKEN,
			       .subject = HOSTILE,
			       .def = &def,
			       .message = HOSTILE,
			       .cause = HOSTILE,
			       .pack = {HOSTILE, 1, 1}};
	struct report_style style = {.quiet = true};
	struct buf got = check("text", &item, 1, &style, REPORT(.nwarnings = 0));
	size_t lines = 0;

	(void)state;
	for (size_t i = 0; i < got.len; i++) {
		assert_true((unsigned char)got.s[i] < 0x80);
		assert_true(got.s[i] == '\n' || got.s[i] >= ' ');
		lines += got.s[i] == '\n';
	}
	assert_int_equal(lines, 3);
	buf_release(&got);
}

static void test_check_color(void **state)
{
	const struct finding item = missing();

	(void)state;
	CHECK_TEXT("\033[1mrules/linux/files.yaml:3\033[0m: \033[33mwarning\033[0m: fdtabel: there "
		   "is no struct fdtabel [fdtabel]\n",
		   &item, 1, STYLE(.quiet = true, .color = true), REPORT(.nwarnings = 0));
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *parse(struct buf *text)
{
	json_t *value = json_loadb(text->s, text->len, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(value);
	assert_int_equal(text->s[text->len - 1], '\n');
	buf_release(text);
	return value;
}

/* The keys, in the order in which they stand. */
static void assert_keys(json_t *object, const char *wanted)
{
	struct buf keys = BUF_INIT;
	const char *key;
	json_t *value;

	assert_true(json_is_object(object));
	json_object_foreach(object, key, value) buf_addf(&keys, "%s%s", keys.len ? " " : "", key);
	assert_string_equal(keys.s, wanted);
	buf_release(&keys);
}

static const char *string_at(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static json_int_t number_at(json_t *object, const char *key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return json_integer_value(json_object_get(object, key));
}

static void test_check_json(void **state)
{
	const char *const warnings[] = {"of two minds"};
	const struct finding items[] = {broken(), missing()};
	struct report_style style = {.quiet = true};
	struct buf text =
		check("json", items, 2, &style, REPORT(.warnings = warnings, .nwarnings = 1));
	json_t *document = parse(&text), *first, *second;

	(void)state;
	assert_keys(document, "version image line warnings findings summary");
	assert_int_equal(number_at(document, "version"), 1);
	assert_int_equal(number_at(document, "line"), 64);
	assert_keys(json_object_get(document, "image"), "path arch source build_id");
	assert_string_equal(string_at(json_object_get(document, "image"), "source"), "dwarf");
	assert_true(json_is_null(json_object_get(json_object_get(document, "image"), "build_id")));
	assert_keys(json_object_get(document, "summary"),
		    "holds broken missing unknown not_applicable waived unmatched_waivers");
	assert_int_equal(number_at(json_object_get(document, "summary"), "not_applicable"), 3);

	first = json_array_get(json_object_get(document, "findings"), 0);
	assert_keys(first, "rule kind severity outcome struct member measured wanted margin "
			   "message cause notes why origin pack decl definition waived waiver "
			   "observed observed_of "
			   "fingerprint");
	assert_string_equal(string_at(first, "outcome"), "broken");
	assert_string_equal(string_at(first, "wanted"), "<= 192");
	assert_int_equal(number_at(json_object_get(first, "decl"), "line"), 20);
	assert_int_equal(number_at(json_object_get(first, "pack"), "line"), 41);
	assert_int_equal(number_at(json_object_get(first, "definition"), "size"), 256);
	assert_int_equal(strlen(string_at(first, "fingerprint")), 64);

	second = json_array_get(json_object_get(document, "findings"), 1);
	assert_true(json_is_null(json_object_get(second, "decl")));
	assert_true(json_is_null(json_object_get(second, "margin")));
	assert_true(json_is_null(json_object_get(second, "measured")));
	assert_true(json_is_false(json_object_get(second, "waived")));
	json_decref(document);
}

static void test_json_hostile(void **state)
{
	struct finding item = missing();
	struct report_style style = {.quiet = true};
	struct buf text;
	json_t *document;

	(void)state;
	item.subject = HOSTILE;
	text = check("json", &item, 1, &style, REPORT(.nwarnings = 0));
	for (size_t i = 0; i < text.len; i++)
		assert_true(text.s[i] == '\n' || (text.s[i] >= ' ' && text.s[i] < 0x7f));
	document = parse(&text);
	item.subject =
		string_at(json_array_get(json_object_get(document, "findings"), 0), "struct");
	assert_string_equal(item.subject, "a\033[2J\"\\\n\xe2\x80\xae\xef\xbf\xbd");
	json_decref(document);
}

static void test_json_several(void **state)
{
	struct layout layout = vmlinux();
	struct show_report reports[2] = {{.layout = &layout}, {.layout = &layout}};
	struct report_style style = {.several = true};
	struct buf text = BUF_INIT;
	json_t *array;

	(void)state;
	for (size_t n = 0; n <= 2; n++) {
		format_find("json")->show(reports, n, &style, &text);
		array = parse(&text);
		assert_true(json_is_array(array));
		assert_int_equal(json_array_size(array), n);
		json_decref(array);
	}
}

/* ---- show ---------------------------------------------------------------------------------- */

/*
 * struct sample { int a; struct { char b; int c:3; } ; long d[10] __aligned(16); char tail[]; };
 * as rows, with a rule on each of two members. Not what geometry makes of it: what a renderer
 * meets.
 */
static const struct view_note holds = {"sample/starts_line", OUTCOME_HOLDS, "starts_line"};
static const struct view_note breaks[] = {{"sample/apart", OUTCOME_BROKEN, "apart: a from d"},
					  {"sample/align", OUTCOME_UNKNOWN, "align"}};
static struct view_row rows[] = {
	{.kind = VIEW_LINE},
	{.kind = VIEW_MEMBER,
	 .name = "a",
	 .type = "int",
	 .decl = "int a",
	 .size = 4,
	 .notes = &holds,
	 .nnotes = 1},
	{.kind = VIEW_OPEN, .type = "struct {...}", .decl = "struct", .offset = 4, .size = 8},
	{.kind = VIEW_MEMBER,
	 .depth = 1,
	 .name = "b",
	 .type = "char",
	 .decl = "char b",
	 .offset = 4,
	 .size = 1},
	{.kind = VIEW_GAP, .depth = 1, .gap = GAP_HOLE, .offset = 5, .size = 3},
	{.kind = VIEW_MEMBER,
	 .depth = 1,
	 .name = "c",
	 .type = "int",
	 .decl = "int c:3",
	 .offset = 8,
	 .size = 1,
	 .is_bitfield = true,
	 .bit_offset = 5,
	 .bit_size = 3},
	{.kind = VIEW_GAP,
	 .depth = 1,
	 .gap = GAP_BIT_HOLE,
	 .offset = 9,
	 .bit_offset = 0,
	 .bit_size = 24},
	{.kind = VIEW_CLOSE},
	{.kind = VIEW_MARKER,
	 .name = "__cacheline_group_begin__x",
	 .type = "__u8[0]",
	 .decl = "__u8 __cacheline_group_begin__x[0]",
	 .offset = 16},
	{.kind = VIEW_MEMBER,
	 .name = "d",
	 .type = "long[10]",
	 .decl = "long d[10]",
	 .offset = 16,
	 .size = 80,
	 .has_align = true,
	 .align = 16,
	 .crosses = true,
	 .last_line = 1,
	 .straddles = true,
	 .notes = breaks,
	 .nnotes = 2},
	{.kind = VIEW_LINE, .line = 1, .offset = 64},
	{.kind = VIEW_MEMBER,
	 .name = "tail",
	 .type = "char[]",
	 .decl = "char tail[]",
	 .offset = 96,
	 .line = 1,
	 .is_flexible = true},
	{.kind = VIEW_MEMBER, .name = "far", .type = "int", .decl = "int far", .is_dynamic = true},
};
static const struct type sample_type = {.kind = TYPE_STRUCT,
					.name = "sample",
					.has_size = true,
					.bits = 96 * 8,
					.has_align = true,
					.align = 16};
static const struct def sample = {.name = "sample",
				  .kind = DEF_STRUCT,
				  .type = &sample_type,
				  .has_decl = true,
				  .file = "sample.h",
				  .line = 3,
				  .cus = 1};

static struct view sample_view(void)
{
	return (struct view){.def = &sample,
			     .title = "struct sample",
			     .geometry = {.type = &sample_type,
					  .line = 64,
					  .holes = 1,
					  .hole_bytes = 3,
					  .bit_holes = 1,
					  .bit_hole_bits = 24,
					  .lines = 2},
			     .rows = rows,
			     .nrows = ARRAY_SIZE(rows),
			     .notes = &breaks[0],
			     .nnotes = 1};
}

static struct buf show(const char *format, const struct view *view, bool is_list, uint64_t line,
		       const struct report_style *style)
{
	struct layout layout = vmlinux();
	struct show_report report = {
		.layout = &layout, .line = line, .views = view, .n = 1, .is_list = is_list};
	struct buf out = BUF_INIT;

	format_find(format)->show(&report, 1, style, &out);
	return out;
}

#define DASHES "--------------------------------------------------------------------"

static void test_show_text(void **state)
{
	struct view view = sample_view();
	struct report_style style = {.quiet = false};
	struct buf out = show("text", &view, false, 64, &style);

	(void)state;
	assert_string_equal(
		out.s,
		"vmlinux (DWARF, x86_64, 64-byte lines)\n"
		"\n"
		"struct sample\n"
		"    96 bytes, 2 lines of 64, 1 hole of 3 bytes, 1 bit hole of 24 bits, aligned to "
		"16\n"
		"    sample.h:3, in 1 compile unit\n"
		"    apart: a from d (broken)\n"
		"\n"
		"  offset      size\n"
		"-- line 0 " DASHES "--\n"
		"       0         4  int a;                               starts_line\n"
		"       4         8  struct {\n"
		"       4         1      char b;\n"
		"       5         3      (hole)\n"
		"       8:5      :3      int c:3;\n"
		"       9:0     :24      (bit hole)\n"
		"                    };\n"
		"      16            __u8 __cacheline_group_begin__x[0];\n"
		"      16        80  long d[10] __aligned(16);            straddles to line 1, "
		"apart: a from "
		"d "
		"(broken), align (unknown)\n"
		"-- line 1 " DASHES "--\n"
		"      96       ...  char tail[];\n"
		"       ?         0  int far;\n");
	buf_release(&out);
}

static void test_list_text(void **state)
{
	struct view view = sample_view();
	struct report_style style = {.quiet = true};
	struct buf out;

	(void)state;
	out = show("text", &view, true, 64, &style);
	assert_string_equal(out.s,
			    "        96       2      1          3        0  struct sample\n");
	buf_release(&out);
	style.verbose = true;
	out = show("text", &view, true, 0, &style);
	assert_string_equal(out.s, "        96       ?      1          3        0  struct sample  "
				   "sample.h:3\n");
	buf_release(&out);
}

static void test_show_json(void **state)
{
	struct view view = sample_view();
	struct report_style style = {.quiet = false};
	struct buf text = show("json", &view, false, 64, &style);
	json_t *document = parse(&text), *type, *members, *inner;

	(void)state;
	assert_keys(document, "version image line types");
	type = json_array_get(json_object_get(document, "types"), 0);
	assert_keys(type, "name scope kind size align decl cus holes hole_bytes bit_holes "
			  "bit_hole_bits padding bit_padding lines rules members");
	assert_int_equal(number_at(type, "size"), 96);
	assert_int_equal(number_at(type, "align"), 16);
	members = json_object_get(type, "members");
	assert_int_equal(json_array_size(members), 5);
	assert_keys(json_array_get(members, 0), "name type offset size line align rules");

	inner = json_array_get(members, 1);
	assert_keys(inner, "name type offset size line align members");
	assert_true(json_is_null(json_object_get(inner, "name")));
	assert_int_equal(json_array_size(json_object_get(inner, "members")), 2);
	inner = json_array_get(json_object_get(inner, "members"), 1);
	assert_keys(inner, "name type offset size line align bit_offset bit_size");
	assert_int_equal(number_at(inner, "offset"), 8);
	assert_int_equal(number_at(inner, "bit_offset"), 5);
	assert_int_equal(number_at(inner, "bit_size"), 3);

	assert_int_equal(number_at(json_array_get(members, 2), "align"), 16);
	assert_true(json_is_true(json_object_get(json_array_get(members, 2), "straddles")));
	assert_int_equal(number_at(json_array_get(members, 3), "line"), 1);
	assert_true(json_is_true(json_object_get(json_array_get(members, 3), "flexible")));
	assert_true(json_is_null(json_object_get(json_array_get(members, 4), "offset")));
	json_decref(document);

	/* Without a line size nothing has a line; a list has no members. */
	text = show("json", &view, true, 0, &style);
	document = parse(&text);
	assert_true(json_is_null(json_object_get(document, "line")));
	type = json_array_get(json_object_get(document, "types"), 0);
	assert_keys(type, "name scope kind size align decl cus holes hole_bytes bit_holes "
			  "bit_hole_bits padding bit_padding lines");
	assert_true(json_is_null(json_object_get(type, "lines")));
	json_decref(document);
}

static void test_formats(void **state)
{
	(void)state;
	assert_ptr_equal(format_find("text"), formats[0]);
	assert_null(format_find("yaml"));
	assert_null(format_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check_text),    cmocka_unit_test(test_check_quiet),
		cmocka_unit_test(test_check_details), cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_margin),        cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_check_color),   cmocka_unit_test(test_check_json),
		cmocka_unit_test(test_json_hostile),  cmocka_unit_test(test_json_several),
		cmocka_unit_test(test_show_text),     cmocka_unit_test(test_list_text),
		cmocka_unit_test(test_show_json),     cmocka_unit_test(test_formats),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
