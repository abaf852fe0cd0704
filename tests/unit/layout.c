/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Targets, definitions and how they are found, findings. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout/finding.h"
#include "layout/model.h"

static struct arena arena;

/* ---- targets --------------------------------------------------------------------------------- */

static void machine(unsigned e_machine, unsigned bits, bool big, const char *name, uint64_t line)
{
	const struct arch *arch = arch_by_machine(e_machine, bits, big);

	assert_non_null(arch);
	assert_string_equal(arch->name, name);
	assert_int_equal(arch->line, line);
	assert_ptr_equal(arch_by_name(name), arch);
}

static void machines(void **state)
{
	unsigned n;
	const char *const *names = arch_names(&n);

	(void)state;
	machine(EM_X86_64, 64, false, "x86_64", 64);
	machine(EM_X86_64, 32, false, "x86_64", 64); /* x32 */
	machine(EM_386, 32, false, "i386", 64);
	machine(EM_AARCH64, 64, false, "aarch64", 64);
	machine(EM_AARCH64, 64, true, "aarch64", 64);
	machine(EM_ARM, 32, false, "arm", 64);
	machine(EM_RISCV, 64, false, "riscv64", 64);
	machine(EM_RISCV, 32, false, "riscv32", 64);
	machine(EM_PPC64, 64, false, "ppc64le", 128);
	machine(EM_PPC64, 64, true, "ppc64", 128);
	machine(EM_PPC, 32, true, "ppc", 32);
	machine(EM_S390, 64, true, "s390x", 256);
	machine(EM_S390, 32, true, "s390", 256);
	machine(EM_LOONGARCH, 64, false, "loongarch64", 64);
	machine(EM_MIPS, 64, false, "mips64", 0);
	machine(EM_MIPS, 32, true, "mips", 0);
	machine(EM_SPARC32PLUS, 32, true, "sparc", 32);
	machine(0x9026, 64, false, "alpha", 64);
	machine(EM_BPF, 64, false, "bpf", 0);
	assert_null(arch_by_machine(EM_NONE, 64, false));
	assert_null(arch_by_machine(EM_68HC05, 32, true));

	for (unsigned i = 0; i < n; i++)
		assert_string_equal(arch_by_name(names[i])->name, names[i]);
	assert_string_equal(names[0], "x86_64");
	assert_string_equal(arch_by_name("amd64")->name, "x86_64");
	assert_string_equal(arch_by_name("arm64")->name, "aarch64");
	assert_string_equal(arch_by_name("i686")->name, "i386");
	assert_string_equal(arch_by_name("armhf")->name, "arm");
	assert_string_equal(arch_by_name("ppc64el")->name, "ppc64le");
	assert_null(arch_by_name("x86_65"));
	assert_null(arch_by_name(""));
}

static void version(const char *text, unsigned major, unsigned minor, unsigned patch)
{
	struct kernel_version v;

	assert_true(kernel_version_parse(text, &v));
	if (v.major != major || v.minor != minor || v.patch != patch)
		fail_msg("%s is %u.%u.%u", text, v.major, v.minor, v.patch);
}

static void versions(void **state)
{
	static const char *const bad[] = {"",
					  "6",
					  "6.",
					  "6.x",
					  ".5",
					  "v6.5",
					  " 6.5",
					  "6,5",
					  "-6.5",
					  "99999999999.1",
					  "6.99999999999",
					  "6.1.99999999999"};
	struct kernel_version v = {7, 7, 7}, a = {6, 5, 0}, b = {6, 10, 0}, c = {6, 10, 1};

	(void)state;
	version("6.12.57+deb13-amd64", 6, 12, 57);
	version("6.5", 6, 5, 0);
	version("6.12-rc2", 6, 12, 0);
	version("6.12.", 6, 12, 0);
	version("6.12.x", 6, 12, 0);
	version("2.6.32.71-custom", 2, 6, 32);
	version("6.18.44-fc-v782", 6, 18, 44);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		if (kernel_version_parse(bad[i], &v))
			fail_msg("`%s` is taken for a release", bad[i]);
		assert_int_equal(v.major, 7);
	}
	assert_true(kernel_version_compare(a, b) < 0);
	assert_true(kernel_version_compare(b, a) > 0);
	assert_true(kernel_version_compare(b, c) < 0);
	assert_true(kernel_version_compare((struct kernel_version){7, 0, 0}, c) > 0);
	assert_int_equal(kernel_version_compare(c, c), 0);
}

/* ---- definitions ----------------------------------------------------------------------------- */

static const struct type some_struct = {.kind = TYPE_STRUCT}, some_union = {.kind = TYPE_UNION};

#define DEF(...) ((struct def){__VA_ARGS__})

static struct layout *sample(void)
{
	const struct def defs[] = {
		DEF(.name = "irq_info", .kind = DEF_STRUCT, .cus = 1, .file = "b.c", .line = 9),
		DEF(.name = "zone", .kind = DEF_STRUCT, .cus = 7),
		DEF(.name = "irq_info", .kind = DEF_STRUCT, .cus = 2, .file = "a.c", .line = 1),
		DEF(.name = "irq_info", .kind = DEF_STRUCT, .cus = 1, .file = "b.c", .line = 3),
		DEF(.name = "irq_info", .kind = DEF_STRUCT, .scope = "()", .cus = 9),
		DEF(.name = "atomic_t", .kind = DEF_TYPEDEF, .cus = 3),
		DEF(.name = "atomic_t", .kind = DEF_STRUCT, .scope = "bindings", .cus = 99),
		DEF(.name = "sigval", .kind = DEF_UNION, .cus = 1),
		DEF(.name = "sigval", .kind = DEF_TYPEDEF, .cus = 1),
		DEF(.name = "Box", .kind = DEF_STRUCT, .scope = "a::b", .cus = 1, .digest = 2),
		DEF(.name = "Box", .kind = DEF_STRUCT, .scope = "a::b", .cus = 1, .digest = 1),
		DEF(.name = "Box", .kind = DEF_STRUCT, .scope = "a", .cus = 1),
		DEF(.name = "only_td", .kind = DEF_TYPEDEF, .scope = "x", .cus = 1),
	};
	struct layout *layout = layout_new();

	layout->defs = arena_copy(&layout->arena, defs, sizeof defs);
	layout->ndefs = ARRAY_SIZE(defs);
	layout_sort(layout);
	return layout;
}

static struct def_list find(const struct layout *layout, const char *text)
{
	return layout_find(layout, type_ref_parse(&arena, text), &arena);
}

static void in_order(void **state)
{
	struct layout *layout = sample();
	const struct def *defs = layout->defs;

	(void)state;
	assert_string_equal(defs[0].name, "Box");
	assert_string_equal(defs[0].scope, "a");
	assert_int_equal(defs[1].digest, 1);
	assert_int_equal(defs[2].digest, 2);
	assert_null(defs[3].scope); /* the typedef, before bindings::atomic_t */
	assert_string_equal(defs[5].name, "irq_info");
	assert_int_equal(defs[5].cus, 2); /* most units first */
	assert_int_equal(defs[6].line, 3);
	assert_int_equal(defs[7].line, 9);
	assert_string_equal(defs[8].scope, "()");
	assert_string_equal(defs[layout->ndefs - 1].name, "zone");
	layout_free(layout);
	layout_free(NULL);
}

static void found(void **state)
{
	struct layout *layout = sample();
	struct def_list list = find(layout, "irq_info");

	(void)state;
	assert_int_equal(list.n, 3); /* the one inside a function is hidden */
	assert_int_equal(list.defs[0]->cus, 2);
	assert_int_equal(find(layout, "struct irq_info").n, 3);
	assert_int_equal(find(layout, "union irq_info").n, 0);
	assert_int_equal(find(layout, "().irq_info").n, 0);

	list = find(layout, "atomic_t"); /* a twin in a namespace does not hide the typedef */
	assert_int_equal(list.n, 1);
	assert_int_equal(list.defs[0]->kind, DEF_TYPEDEF);
	list = find(layout, "struct atomic_t");
	assert_int_equal(list.n, 1);
	assert_string_equal(list.defs[0]->scope, "bindings");
	assert_int_equal(find(layout, "bindings::atomic_t").n, 1);

	list = find(layout, "sigval"); /* tags hide typedefs */
	assert_int_equal(list.n, 1);
	assert_int_equal(list.defs[0]->kind, DEF_UNION);
	assert_int_equal(find(layout, "typedef sigval").n, 1);
	assert_int_equal(find(layout, "typedef sigval").defs[0]->kind, DEF_TYPEDEF);

	assert_int_equal(find(layout, "Box").n, 3);
	assert_int_equal(find(layout, "a::Box").n, 1);
	assert_int_equal(find(layout, "a::b::Box").n, 2);
	assert_int_equal(find(layout, "b::Box").n, 0);
	assert_int_equal(find(layout, "only_td").n, 1);
	assert_int_equal(find(layout, "nothing").n, 0);
	assert_int_equal(find(layout, "").n, 0);
	assert_int_equal(find(layout, "zonf").n, 0);
	layout_free(layout);
}

static void none_at_all(void **state)
{
	struct layout *layout = layout_new();

	(void)state;
	layout_sort(layout);
	assert_int_equal(find(layout, "zone").n, 0);
	layout_free(layout);
}

static void ref(const char *text, enum def_kind kind, const char *scope, const char *name)
{
	struct type_ref got = type_ref_parse(&arena, text);

	if (got.kind != kind || strcmp(got.name, name) != 0 || !got.scope != !scope ||
	    (scope && strcmp(got.scope, scope) != 0))
		fail_msg("%s: %d, %s, %s", text, got.kind, got.scope, got.name);
}

static void references(void **state)
{
	(void)state;
	ref("fdtable", DEF_ANY, NULL, "fdtable");
	ref("struct fdtable", DEF_STRUCT, NULL, "fdtable");
	ref("  struct \t fdtable ", DEF_STRUCT, NULL, "fdtable");
	ref("class Box", DEF_STRUCT, NULL, "Box");
	ref("union sigval", DEF_UNION, NULL, "sigval");
	ref("typedef atomic_t", DEF_TYPEDEF, NULL, "atomic_t");
	ref("structure", DEF_ANY, NULL, "structure");
	ref("struct", DEF_ANY, NULL, "struct");
	ref("ns::T", DEF_ANY, "ns", "T");
	ref("struct a::b::T", DEF_STRUCT, "a::b", "T");
	ref("::T", DEF_ANY, NULL, "T");
	ref("a::Vec<b::T, c::U>", DEF_ANY, "a", "Vec<b::T, c::U>");
	ref("(anonymous namespace)::T", DEF_ANY, "(anonymous namespace)", "T");
	ref("", DEF_ANY, NULL, "");
}

static void wants(void **state)
{
	struct want_list list = {0};
	struct want want;

	(void)state;
	want = want_list_finish(&list);
	assert_int_equal(want.n, 0);
	assert_false(want.all);
	for (int i = 0; i < 3; i++) {
		want_list_add(&list, "zone");
		want_list_add(&list, "file");
		want_list_add(&list, "inode");
	}
	want = want_list_finish(&list);
	assert_int_equal(want.n, 3);
	assert_string_equal(want.names[0], "file");
	assert_string_equal(want.names[1], "inode");
	assert_string_equal(want.names[2], "zone");
	want_list_release(&list);
	assert_int_equal(list.n, 0);
}

static void small_questions(void **state)
{
	struct type td = {.kind = TYPE_TYPEDEF, .target = &some_struct};
	struct type constant = {.kind = TYPE_QUALIFIER, .target = &td};
	struct type array = {.kind = TYPE_ARRAY, .target = &constant};
	struct type nothing = {.kind = TYPE_TYPEDEF}, round = {.kind = TYPE_TYPEDEF};

	(void)state;
	round.target = &round;
	assert_ptr_equal(type_strip(&constant), &some_struct);
	assert_ptr_equal(type_strip(&array), &array);
	assert_int_equal(type_strip(&nothing)->kind, TYPE_VOID);
	assert_int_equal(type_strip(&round)->kind, TYPE_VOID);
	assert_int_equal(type_strip(NULL)->kind, TYPE_VOID);
	assert_ptr_equal(type_composite(&constant), &some_struct);
	assert_ptr_equal(type_composite(&some_union), &some_union);
	assert_null(type_composite(&array));
	assert_null(type_composite(NULL));

	assert_true(is_marker_name("__cacheline_group_begin__sock_write_rx"));
	assert_true(is_marker_name("__cacheline_group_end__x"));
	assert_true(is_marker_name("__cacheline_group_pad__x"));
	assert_false(is_marker_name("__cacheline_group"));
	assert_false(is_marker_name("cacheline_group_begin__x"));
	assert_false(is_marker_name(""));

	assert_string_equal(def_kind_word(DEF_STRUCT), "struct");
	assert_string_equal(def_kind_word(DEF_UNION), "union");
	assert_string_equal(def_kind_word(DEF_TYPEDEF), "typedef");
	assert_string_equal(layout_source_name(SOURCE_DWARF), "DWARF");
	assert_string_equal(layout_source_name(SOURCE_BTF), "BTF");
	assert_string_equal(layout_source_name(SOURCE_SNAPSHOT), "snapshot");
}

/* ---- findings -------------------------------------------------------------------------------- */

static void outcomes(void **state)
{
	static const enum outcome order[] = {OUTCOME_NOT_APPLICABLE, OUTCOME_HOLDS, OUTCOME_UNKNOWN,
					     OUTCOME_MISSING, OUTCOME_BROKEN};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		for (size_t k = 0; k < ARRAY_SIZE(order); k++)
			assert_int_equal(outcome_worse(order[i], order[k]), order[i > k ? i : k]);
	assert_string_equal(outcome_name(OUTCOME_NOT_APPLICABLE), "not-applicable");
	assert_string_equal(outcome_name(OUTCOME_HOLDS), "holds");
	assert_string_equal(outcome_name(OUTCOME_BROKEN), "broken");
	assert_string_equal(outcome_name(OUTCOME_MISSING), "missing");
	assert_string_equal(outcome_name(OUTCOME_UNKNOWN), "unknown");
	assert_string_equal(severity_name(SEVERITY_NOTE), "note");
	assert_string_equal(severity_name(SEVERITY_WARNING), "warning");
	assert_string_equal(severity_name(SEVERITY_ERROR), "error");
}

static void failing(void **state)
{
	(void)state;
	for (int severity = SEVERITY_NOTE; severity <= SEVERITY_ERROR; severity++)
		for (int threshold = SEVERITY_NOTE; threshold <= SEVERITY_ERROR; threshold++)
			for (int outcome = OUTCOME_HOLDS; outcome <= OUTCOME_NOT_APPLICABLE;
			     outcome++)
				for (int bits = 0; bits < 4; bits++) {
					bool waived = bits & 1, allow = bits & 2;
					struct finding f = {.severity = (enum severity)severity,
							    .outcome = (enum outcome)outcome,
							    .waived = waived};
					bool fails = severity >= threshold && !waived &&
						     (outcome == OUTCOME_BROKEN ||
						      outcome == OUTCOME_MISSING ||
						      (outcome == OUTCOME_UNKNOWN && !allow));

					assert_int_equal(
						finding_fails(&f, (enum severity)threshold, allow),
						fails);
				}
}

static void added(void **state)
{
	char rule[] = "fdtable/size", note[] = "of 3 definitions";
	const char *notes[] = {note};
	struct finding one = {
		.rule = rule, .kind = "size", .subject = "fdtable", .notes = notes, .nnotes = 1};
	struct findings findings;

	(void)state;
	findings_init(&findings);
	for (int i = 0; i < 20; i++)
		findings_add(&findings, &one);
	one.member = "fd";
	findings_add(&findings, &one);
	memset(rule, 'x', sizeof rule - 1); /* the list has its own */
	memset(note, 'x', sizeof note - 1);
	notes[0] = NULL;
	assert_int_equal(findings.n, 21);
	assert_string_equal(findings.items[3].rule, "fdtable/size");
	assert_string_equal(findings.items[3].notes[0], "of 3 definitions");
	assert_null(findings.items[3].member);
	assert_null(findings.items[3].cause);
	assert_string_equal(findings.items[20].member, "fd");
	assert_string_equal(findings.items[0].fingerprint, findings.items[19].fingerprint);
	assert_string_not_equal(findings.items[0].fingerprint, findings.items[20].fingerprint);
	/* printf 'fdtable/size\0fdtable\0fd\0' | sha256sum: what moves is not in it, ever. */
	assert_string_equal(findings.items[20].fingerprint,
			    "c9385e5c24eafaf205419428e8220b534dac1625749e9e73079ef53b2e16ed30");
	findings_release(&findings);
	assert_int_equal(findings.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines),    cmocka_unit_test(versions),
		cmocka_unit_test(in_order),    cmocka_unit_test(found),
		cmocka_unit_test(none_at_all), cmocka_unit_test(references),
		cmocka_unit_test(wants),       cmocka_unit_test(small_questions),
		cmocka_unit_test(outcomes),    cmocka_unit_test(failing),
		cmocka_unit_test(added),
	};
	int failed;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	return failed;
}
