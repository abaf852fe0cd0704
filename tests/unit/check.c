/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of a pack on an image: which rules apply, on which definitions, and what is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/judged.h"
#include "rule/pack.h"

static const struct check_options quiet = {0};
static const struct check_options all = {.all = true};

/* A kernel with one struct `s` of 16 bytes: a at 0, b at 8. */
static struct layout *kernel(enum layout_source source)
{
	struct layout *layout = model_new("x86_64", 64, source);

	layout->target.module = "vmlinux";
	layout->target.has_kernel = true;
	layout->target.kernel = (struct kernel_version){6, 12, 57};
	layout->target.release = "6.12.57";
	model_define(layout, "pair", 16, "x@0:8 y@8:8");
	model_define(layout, "s", 16, "a@0:8 b@8:8");
	return layout;
}

/* Judges and gives back the only finding's outcome and what it says. */
static void assert_outcome(const struct layout *layout, const char *yaml, enum outcome outcome,
			   const char *part)
{
	const struct finding *finding;
	struct judged judged;

	judge_pack(layout, yaml, &all, &judged);
	finding = only_finding(&judged);
	if (finding->outcome != outcome)
		fail_msg("%s, not %s: %s", outcome_name(finding->outcome), outcome_name(outcome),
			 finding->message);
	assert_has(finding->message, part);
	judged_release(&judged);
}

static void assert_summary(const struct judged *judged, size_t holds, size_t broken, size_t missing,
			   size_t unknown, size_t not_applicable)
{
	const struct summary *summary = &judged->findings.summary;

	assert_int_equal(summary->holds, holds);
	assert_int_equal(summary->broken, broken);
	assert_int_equal(summary->missing, missing);
	assert_int_equal(summary->unknown, unknown);
	assert_int_equal(summary->not_applicable, not_applicable);
}

#define SIZE_OF_S "structs: {s: {rules: [{size: 16}]}}\n"

/* ---- image ------------------------------------------------------------------------------------
 */

static void test_image(void **state)
{
	static const struct {
		const char *module, *image;
		enum outcome outcome;
	} cases[] = {
		{"vmlinux", "vmlinux", OUTCOME_HOLDS},
		{"vmlinux", "user", OUTCOME_NOT_APPLICABLE},
		{"vmlinux", "module:xfs", OUTCOME_NOT_APPLICABLE},
		{"xfs", "module:xfs", OUTCOME_HOLDS},
		{"xfs", "vmlinux", OUTCOME_NOT_APPLICABLE},
		{"snd_hda_intel", "module:snd-hda-intel", OUTCOME_HOLDS},
		{"snd_hda", "module:snd-hda-intel", OUTCOME_NOT_APPLICABLE},
		{NULL, "user", OUTCOME_HOLDS},
		{NULL, "vmlinux", OUTCOME_NOT_APPLICABLE},
	};
	struct layout *layout = kernel(SOURCE_DWARF);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf yaml = BUF_INIT;

		layout->target.module = cases[i].module;
		buf_addf(&yaml, "image: %s\n" SIZE_OF_S, cases[i].image);
		assert_outcome(layout, yaml.s, cases[i].outcome,
			       cases[i].outcome == OUTCOME_HOLDS ? "size is 16"
								 : "the pack is for");
		buf_release(&yaml);
	}
	layout_free(layout);
}

/* A pack for another image is counted and told once, and loads nothing. */
static void test_other_image(void **state)
{
	static const char yaml[] = "image: module:xfs\n"
				   "structs: {s: {rules: [{size: 16}, {max_padding: 0}]}}\n";
	struct layout *layout = kernel(SOURCE_DWARF);
	struct want_list names = {0};
	struct judged judged;

	(void)state;
	judge_pack(layout, yaml, &quiet, &judged);
	assert_int_equal(judged.findings.n, 0);
	assert_summary(&judged, 0, 0, 0, 0, 2);
	assert_int_equal(judged.findings.nremarks, 1);
	assert_string_equal(judged.findings.remarks[0],
			    "p.yaml: the pack is for module:xfs, and this image is vmlinux");
	check_wanted(&judged.packs, &layout->target, &names);
	assert_int_equal(names.n, 0);
	want_list_release(&names);
	judged_release(&judged);
	layout_free(layout);
}

static void test_wanted(void **state)
{
	static const char yaml[] =
		"structs:\n"
		"  union sigval: {rules: [{size: 8}]}\n"
		"  s:\n"
		"    rules:\n"
		"      - {size: 16, when: {has: q.x, not: {sizeof: {t: 8}, has: [u, ns::v]}}}\n";
	static const char *const wanted[] = {"q", "s", "sigval", "t", "u", "v"};
	struct layout *layout = kernel(SOURCE_DWARF);
	struct want_list names = {0};
	struct judged judged;
	struct want want;

	(void)state;
	judge_pack(layout, yaml, &quiet, &judged);
	check_wanted(&judged.packs, &layout->target, &names);
	want = want_list_finish(&names);
	assert_int_equal(want.n, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < want.n; i++)
		assert_string_equal(want.names[i], wanted[i]);
	want_list_release(&names);
	judged_release(&judged);
	layout_free(layout);
}

/* ---- when -------------------------------------------------------------------------------------
 */

static void test_when(void **state)
{
	static const struct {
		const char *when;
		enum outcome outcome;
		const char *part;
	} cases[] = {
		{"{bits: 64}", OUTCOME_HOLDS, "size is 16"},
		{"{bits: 32}", OUTCOME_NOT_APPLICABLE, "`when` is false here: bits: 32"},
		{"{arch: x86_64}", OUTCOME_HOLDS, "size is 16"},
		{"{arch: amd64}", OUTCOME_HOLDS, "size is 16"},
		{"{arch: [s390x, x86_64]}", OUTCOME_HOLDS, "size is 16"},
		{"{arch: aarch64}", OUTCOME_NOT_APPLICABLE, "arch: aarch64"},
		{"{kernel: \">= 6.12\"}", OUTCOME_HOLDS, "size is 16"},
		{"{kernel: \"> 6.12\"}", OUTCOME_NOT_APPLICABLE, "> 6.12"},
		{"{kernel: \"<= 6.12\"}", OUTCOME_HOLDS, "size is 16"},
		{"{kernel: \"< 6.12\"}", OUTCOME_NOT_APPLICABLE, "< 6.12"},
		{"{kernel: \"== 6.12\"}", OUTCOME_HOLDS, "size is 16"},
		{"{kernel: \">= 6.12.58\"}", OUTCOME_NOT_APPLICABLE, ">= 6.12.58"},
		{"{kernel: \"> 6.12.56\"}", OUTCOME_HOLDS, "size is 16"},
		{"{has: s}", OUTCOME_HOLDS, "size is 16"},
		{"{has: s.b}", OUTCOME_HOLDS, "size is 16"},
		{"{has: s.c}", OUTCOME_NOT_APPLICABLE, "has(s.c)"},
		{"{has: nothing.c}", OUTCOME_NOT_APPLICABLE, "has(nothing.c)"},
		{"{has: s.b.c}", OUTCOME_UNKNOWN, "`when` cannot be told (has(s.b.c))"},
		{"{not: {has: s.c}}", OUTCOME_HOLDS, "size is 16"},
		{"{not: {has: s.b}}", OUTCOME_NOT_APPLICABLE, "not"},
		{"{not: {has: s.b, bits: 32}}", OUTCOME_HOLDS, "size is 16"},
		{"{sizeof: {pair: 16}}", OUTCOME_HOLDS, "size is 16"},
		{"{sizeof: {pair: \"< 16\"}}", OUTCOME_NOT_APPLICABLE, "< 16"},
		{"{sizeof: {nothing: 16}}", OUTCOME_UNKNOWN, "nothing is not in this image"},
		{"{not: {sizeof: {nothing: 16}}}", OUTCOME_UNKNOWN, "nothing is not in this image"},
		/* False beats unknown: no answer would make it true. */
		{"{sizeof: {nothing: 16}, bits: 32}", OUTCOME_NOT_APPLICABLE, "bits: 32"},
		{"{bits: 64, arch: aarch64}", OUTCOME_NOT_APPLICABLE, "arch: aarch64"},
	};
	struct layout *layout = kernel(SOURCE_DWARF);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf yaml = BUF_INIT;

		buf_addf(&yaml, "structs: {s: {rules: [{size: 16, when: %s}]}}\n", cases[i].when);
		assert_outcome(layout, yaml.s, cases[i].outcome, cases[i].part);
		buf_release(&yaml);
	}
	layout_free(layout);
}

/* What the image does not say is unknown, never false. */
static void test_when_unsaid(void **state)
{
	static const char *const whens[] = {
		"{arch: x86_64}",        "{not: {arch: x86_64}}", "{bits: 64}",       "{bits: 32}",
		"{kernel: \">= 6.12\"}", "{kernel: \"< 6.12\"}",  "{not: {bits: 32}}"};
	struct layout *layout = model_new(NULL, 64, SOURCE_BTF);

	(void)state;
	model_define(layout, "s", 16, "a@0:8 b@8:8");
	for (size_t i = 0; i < ARRAY_SIZE(whens); i++) {
		struct buf yaml = BUF_INIT;

		buf_addf(&yaml, "structs: {s: {rules: [{size: 16, when: %s}]}}\n", whens[i]);
		assert_outcome(layout, yaml.s, OUTCOME_UNKNOWN, "the image does not say");
		buf_release(&yaml);
	}
	assert_outcome(layout, "structs: {s: {rules: [{size: {x86_64: 16, default: 8}}]}}\n",
		       OUTCOME_UNKNOWN, "does not say its machine");
	assert_outcome(layout, "structs: {s: {rules: [{offset: {b: {i386: 4}}}]}}\n",
		       OUTCOME_UNKNOWN, "does not say its machine");
	layout_free(layout);
}

/* ---- what is not there ------------------------------------------------------------------------
 */

static void test_missing_struct(void **state)
{
	struct layout *layout = kernel(SOURCE_DWARF);

	(void)state;
	assert_outcome(layout, "structs: {t: {rules: [{size: 16}]}}\n", OUTCOME_MISSING,
		       "t is not in this image");
	assert_outcome(layout, "structs: {t: {rules: [{absent: a}]}}\n", OUTCOME_MISSING,
		       "t is not in this image");
	assert_outcome(layout, "structs: {union s: {rules: [{size: 16}]}}\n", OUTCOME_MISSING,
		       "union s is not in this image");
	assert_outcome(layout, "structs: {t: {optional: true, rules: [{size: 16}]}}\n",
		       OUTCOME_NOT_APPLICABLE, "t is not in this image");
	assert_outcome(layout, "structs: {t: {rules: [{size: 16, optional: true}]}}\n",
		       OUTCOME_NOT_APPLICABLE, "t is not in this image");
	/* A condition that is false makes it no matter. */
	assert_outcome(layout, "structs: {t: {rules: [{size: 16, when: {bits: 32}}]}}\n",
		       OUTCOME_NOT_APPLICABLE, "bits: 32");
	layout_free(layout);
}

static void test_missing_member(void **state)
{
	struct layout *layout = kernel(SOURCE_DWARF);

	(void)state;
	model_define(layout, "lock", 8, "file_lock@0:8");
	assert_outcome(layout, "structs: {lock: {rules: [{starts_line: file_lok}]}}\n",
		       OUTCOME_MISSING,
		       "`lock` has no member `file_lok`; the nearest is `file_lock`");
	assert_outcome(layout, "structs: {s: {rules: [{starts_line: c|d}]}}\n", OUTCOME_MISSING,
		       "none of `c|d` is there");
	assert_outcome(layout, "structs: {s: {rules: [{offset: {c: 8}}]}}\n", OUTCOME_MISSING,
		       "no member `c`");
	assert_outcome(layout, "structs: {s: {rules: [{offset: {a.x: 8}}]}}\n", OUTCOME_MISSING,
		       "`a` is no struct");
	assert_outcome(layout, "structs: {s: {rules: [{no_straddle: [c]}]}}\n", OUTCOME_MISSING,
		       "no member `c`");
	assert_outcome(layout, "structs: {s: {rules: [{together: [c..b]}]}}\n", OUTCOME_MISSING,
		       "no member `c`");
	assert_outcome(layout, "structs: {s: {optional: true, rules: [{starts_line: c}]}}\n",
		       OUTCOME_MISSING, "no member `c`");
	assert_outcome(layout, "structs: {s: {rules: [{starts_line: c, optional: true}]}}\n",
		       OUTCOME_NOT_APPLICABLE, "too few");
	assert_outcome(layout, "structs: {s: {rules: [{offset: {c?: 8}}]}}\n",
		       OUTCOME_NOT_APPLICABLE, "no member `c`");
	/* The first name that is there is the member. */
	assert_outcome(layout, "structs: {s: {rules: [{offset: {c|b|a: 8}}]}}\n", OUTCOME_HOLDS,
		       "offset of b is 8");
	layout_free(layout);
}

/* A member that is missing does not hide what the others break, and what they keep is not said. */
static void test_missing_and_others(void **state)
{
	struct layout *layout = kernel(SOURCE_DWARF);
	struct judged judged;

	(void)state;
	judge_pack(layout, "structs: {s: {rules: [{apart: [[a, c], [b, d]]}]}}\n", &all, &judged);
	assert_summary(&judged, 0, 1, 0, 0, 0);
	assert_int_equal(judged.findings.n, 3);
	assert_int_equal(judged.findings.items[0].outcome, OUTCOME_MISSING);
	assert_string_equal(judged.findings.items[0].member, "c");
	assert_int_equal(judged.findings.items[1].outcome, OUTCOME_MISSING);
	assert_string_equal(judged.findings.items[1].member, "d");
	assert_int_equal(judged.findings.items[2].outcome, OUTCOME_BROKEN);
	assert_null(judged.findings.items[2].member);
	judged_release(&judged);

	judge_pack(layout, "structs: {s: {rules: [{together: [a, b, c]}]}}\n", &all, &judged);
	assert_summary(&judged, 0, 0, 1, 0, 0);
	assert_string_equal(only_finding(&judged)->member, "c");
	judged_release(&judged);

	judge_pack(layout, "structs: {s: {rules: [{order: [b, a, c?, d?]}]}}\n", &quiet, &judged);
	assert_int_equal(only_finding(&judged)->outcome, OUTCOME_BROKEN);
	assert_int_equal(judged.findings.items[0].nnotes, 2);
	assert_string_equal(judged.findings.items[0].notes[1], "d is left out: it is not there");
	judged_release(&judged);
	layout_free(layout);
}

/* Members one by one: a verdict for each, the worst for the rule. */
static void test_each(void **state)
{
	struct layout *layout = kernel(SOURCE_DWARF);
	struct judged judged;

	(void)state;
	judge_pack(layout, "structs: {s: {rules: [{present: [a, c, d?, b]}]}}\n", &all, &judged);
	assert_int_equal(judged.findings.n, 4);
	assert_summary(&judged, 0, 1, 0, 0, 0);
	assert_int_equal(judged.findings.items[0].outcome, OUTCOME_HOLDS);
	assert_int_equal(judged.findings.items[1].outcome, OUTCOME_BROKEN);
	assert_int_equal(judged.findings.items[2].outcome, OUTCOME_NOT_APPLICABLE);
	assert_int_equal(judged.findings.items[3].outcome, OUTCOME_HOLDS);
	assert_string_equal(judged.findings.items[3].member, "b");
	assert_int_equal(judged.findings.items[3].bit_offset, 64);
	judged_release(&judged);

	judge_pack(layout, "structs: {s: {rules: [{offset: {a: 0, b: 0}}]}}\n", &quiet, &judged);
	assert_string_equal(only_finding(&judged)->member, "b");
	assert_string_equal(judged.findings.items[0].measured, "8");
	assert_string_equal(judged.findings.items[0].wanted, "0");
	judged_release(&judged);
	layout_free(layout);
}

static void test_cannot_be_judged(void **state)
{
	struct layout *layout = kernel(SOURCE_DWARF);

	(void)state;
	model_define(layout, "d", 16, "a@0:8 vla%@8:8");
	model_define(layout, "abc", 12, "a@0:4 b@4:4 c@8:4");
	assert_outcome(layout, "structs: {d: {rules: [{offset: {vla: 8}}]}}\n", OUTCOME_UNKNOWN,
		       "`vla` is placed at run time");
	assert_outcome(layout, "structs: {d: {rules: [{present: vla}]}}\n", OUTCOME_HOLDS,
		       "vla is there");
	assert_outcome(layout, "structs: {s: {rules: [{together: [b..a]}]}}\n", OUTCOME_UNKNOWN,
		       "`b..a` runs backwards here: b is at offset 8, a at 0");
	assert_outcome(layout, "structs: {abc: {groups: {a: [b, c]}, rules: [{together: a}]}}\n",
		       OUTCOME_UNKNOWN, "`a` is both a group of the pack and a member of abc");
	assert_outcome(layout, "structs: {abc: {groups: {a: [b, c]}, rules: [{order: [b, a]}]}}\n",
		       OUTCOME_UNKNOWN, "`a` is both a group");
	/* The rules that do not use it are not concerned. */
	assert_outcome(layout, "structs: {abc: {groups: {a: [b, c]}, rules: [{present: b}]}}\n",
		       OUTCOME_HOLDS, "b is there");
	layout_free(layout);
}

/* ---- definitions ------------------------------------------------------------------------------
 */

/* As on Debian's 6.12: `console` is 280 and 40 bytes. */
static struct layout *consoles(enum layout_source source)
{
	struct layout *layout = kernel(source);

	model_define(layout, "console", 280, "name@0:1x16 rest@16:8x33")->cus = 1204;
	if (layout->knows_decl)
		model_define(layout, "console", 40, "a@0:8x5")->file = "drivers/tty/hvc/console.c";
	else
		model_define(layout, "console", 40, "a@0:8x5");
	return layout;
}

static void test_ambiguous(void **state)
{
	struct layout *layout = consoles(SOURCE_DWARF);
	const struct finding *finding;
	struct judged judged;

	(void)state;
	judge_pack(layout, "structs: {console: {rules: [{size: 280}, {max_padding: 0}]}}\n", &all,
		   &judged);
	assert_summary(&judged, 1, 1, 0, 0, 0);
	assert_int_equal(judged.findings.n, 4);
	finding = &judged.findings.items[0];
	assert_int_equal(finding->outcome, OUTCOME_HOLDS);
	assert_int_equal(finding->def->cus, 1204);
	assert_string_equal(finding->notes[0],
			    "console has 2 different definitions here; this is the one of 280 "
			    "bytes, include/console.h:1, 1204 CUs");
	finding = &judged.findings.items[1];
	assert_int_equal(finding->outcome, OUTCOME_BROKEN);
	assert_int_equal(finding->def->type->bits, 40 * 8);
	judged_release(&judged);
	layout_free(layout);
}

static void test_pin(void **state)
{
	static const char *const sources[] = {"include/console.h", "console.h",
					      "./include/console.h"};
	struct layout *layout = consoles(SOURCE_DWARF);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		struct buf yaml = BUF_INIT;

		buf_addf(&yaml, "structs: {console: {source: %s, rules: [{size: 280}]}}\n",
			 sources[i]);
		assert_outcome(layout, yaml.s, OUTCOME_HOLDS, "size is 280");
		buf_release(&yaml);
	}
	assert_outcome(
		layout, "structs: {console: {source: nclude/console.h, rules: [{size: 280}]}}\n",
		OUTCOME_MISSING,
		"no definition of console is declared in nclude/console.h: 280 bytes, "
		"include/console.h:1, 1204 CUs; 40 bytes, drivers/tty/hvc/console.c:1, 1 CU");
	layout_free(layout);
}

/* BTF does not say which is which: that matters where they come out differently. */
static void test_pin_unverified(void **state)
{
	struct layout *layout = consoles(SOURCE_BTF);
	struct judged judged;

	(void)state;
	judge_pack(layout, "structs: {s: {source: include/s.h, rules: [{size: 16}]}}\n", &all,
		   &judged);
	assert_int_equal(only_finding(&judged)->outcome, OUTCOME_HOLDS);
	assert_string_equal(judged.findings.items[0].notes[0],
			    "`source: include/s.h` is not verified: BTF does not say where types "
			    "are declared");
	judged_release(&judged);

	judge_pack(layout, "structs: {console: {source: include/c.h, rules: [{size: 280}]}}\n",
		   &quiet, &judged);
	assert_int_equal(only_finding(&judged)->outcome, OUTCOME_UNKNOWN);
	assert_string_equal(judged.findings.items[0].message,
			    "perhaps not of the definition in include/c.h: size is 40, wanted 280");
	judged_release(&judged);

	judge_pack(layout, "structs: {console: {source: include/c.h, rules: [{size: 281}]}}\n",
		   &quiet, &judged);
	assert_int_equal(judged.findings.n, 2);
	assert_summary(&judged, 0, 1, 0, 0, 0);
	judged_release(&judged);
	layout_free(layout);
}

/* has() and sizeof() of the struct that is judged speak of the definition at hand. */
static void test_when_of_own_definition(void **state)
{
	struct layout *layout = consoles(SOURCE_DWARF);
	struct judged judged;

	(void)state;
	judge_pack(layout,
		   "structs: {console: {rules: [{size: 280, when: {has: console.name}}]}}\n", &all,
		   &judged);
	assert_summary(&judged, 1, 0, 0, 0, 0);
	assert_int_equal(judged.findings.items[1].outcome, OUTCOME_NOT_APPLICABLE);
	judged_release(&judged);
	/* From elsewhere there is no telling which. */
	assert_outcome(layout, "structs: {s: {rules: [{size: 16, when: {has: console.name}}]}}\n",
		       OUTCOME_UNKNOWN, "the definitions of console disagree");
	assert_outcome(layout,
		       "structs: {s: {rules: [{size: 16, when: {sizeof: {console: 280}}}]}}\n",
		       OUTCOME_UNKNOWN, "the size of console is not one number");
	layout_free(layout);
}

/* ---- line, base, margin -----------------------------------------------------------------------
 */

/* The option beats the pack, which beats the machine. */
static void test_line(void **state)
{
	struct layout *layout = kernel(SOURCE_DWARF);
	const struct check_options narrow = {.all = true, .line = 8};
	struct judged judged;

	(void)state;
	assert_outcome(layout, "structs: {s: {rules: [{max_lines: 1}]}}\n", OUTCOME_HOLDS,
		       "covers 1 line");
	assert_outcome(layout, "cacheline: 16\nstructs: {s: {rules: [{apart: [a, b]}]}}\n",
		       OUTCOME_BROKEN, "line 0");
	judge_pack(layout, "cacheline: 16\nstructs: {s: {rules: [{max_lines: 1}]}}\n", &narrow,
		   &judged);
	assert_string_equal(only_finding(&judged)->message, "covers 2 lines, wanted <= 1");
	judged_release(&judged);
	layout->target.line = 0;
	assert_outcome(layout, "structs: {s: {rules: [{apart: [a, b]}]}}\n", OUTCOME_UNKNOWN,
		       "cache line is not known");
	/* Missing is worse than unknown, and said. */
	assert_outcome(layout, "structs: {s: {rules: [{starts_line: c}]}}\n", OUTCOME_MISSING,
		       "no member `c`");
	layout_free(layout);
}

/* Said once for a struct, and only where it was assumed. */
static void test_assumed_base(void **state)
{
	static const struct {
		const char *block;
		size_t remarks;
	} cases[] = {
		{"s: {rules: [{starts_line: a}, {together: [a, b]}]}", 1},
		{"s: {rules: [{size: 16}, {order: [a, b]}]}", 0},
		{"s: {alloc: line, rules: [{starts_line: a}]}", 0},
		{"aligned: {rules: [{starts_line: a}]}", 0},
		{"aligned: {rules: [{starts_line: a, granule: 128}]}", 1},
	};
	struct layout *layout = kernel(SOURCE_DWARF);

	(void)state;
	model_define(layout, "aligned", 64, "a@0:8!64");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf yaml = BUF_INIT;
		struct judged judged;

		buf_addf(&yaml, "structs: {%s}\n", cases[i].block);
		judge_pack(layout, yaml.s, &quiet, &judged);
		assert_int_equal(judged.findings.nremarks, cases[i].remarks);
		if (cases[i].remarks)
			assert_has(judged.findings.remarks[0],
				   "its objects are taken to start on a line");
		buf_release(&yaml);
		judged_release(&judged);
	}
	layout_free(layout);
}

static void test_margin(void **state)
{
	static const char yaml[] = "structs: {s: {rules: [{size: \"<= 24\"}]}}\n";
	struct layout *layout = kernel(SOURCE_DWARF);
	struct check_options options = {.has_margin = true, .margin = 9};
	struct judged judged;

	(void)state;
	judge_pack(layout, yaml, &options, &judged);
	assert_string_equal(only_finding(&judged)->message,
			    "8 bytes left: size is 16, wanted <= 24");
	assert_int_equal(judged.findings.items[0].severity, SEVERITY_NOTE);
	assert_int_equal(judged.findings.items[0].outcome, OUTCOME_HOLDS);
	assert_int_equal(judged.findings.items[0].margin, 8);
	assert_summary(&judged, 1, 0, 0, 0, 0);
	judged_release(&judged);

	options.margin = 8;
	judge_pack(layout, yaml, &options, &judged);
	assert_int_equal(judged.findings.n, 0);
	assert_summary(&judged, 1, 0, 0, 0, 0);
	judged_release(&judged);
	/* No margin is not a small one. */
	options.margin = 1000;
	judge_pack(layout, "structs: {s: {rules: [{order: [a, b]}]}}\n", &options, &judged);
	assert_int_equal(judged.findings.n, 0);
	judged_release(&judged);
	layout_free(layout);
}

/* ---- findings ---------------------------------------------------------------------------------
 */

static void test_fields(void **state)
{
	static const char yaml[] = "structs:\n"
				   "  s:\n"
				   "    rules:\n"
				   "      - id: mine\n"
				   "        starts_line: b\n"
				   "        severity: warning\n"
				   "        why: because\n"
				   "        origin: a mail\n";
	struct layout *layout = kernel(SOURCE_DWARF);
	const struct finding *finding;
	struct judged judged;

	(void)state;
	judge_pack(layout, yaml, &quiet, &judged);
	finding = only_finding(&judged);
	assert_string_equal(finding->rule, "mine");
	assert_string_equal(finding->kind, "starts_line");
	assert_string_equal(finding->subject, "s");
	assert_string_equal(finding->member, "b");
	assert_string_equal(finding->why, "because");
	assert_string_equal(finding->origin, "a mail");
	assert_string_equal(finding->pack.file, "p.yaml");
	assert_int_equal(finding->pack.line, 5);
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_true(finding->has_bits);
	assert_int_equal(finding->bit_offset, 64);
	assert_int_equal(finding->bit_size, 64);
	assert_true(finding->has_cacheline);
	assert_int_equal(finding->cacheline, 0);
	assert_string_equal(finding->measured, "8");
	assert_string_equal(finding->wanted, "0");
	assert_false(finding->waived);
	assert_false(finding->has_margin);
	assert_string_equal(finding->def->name, "s");
	judged_release(&judged);
	layout_free(layout);
}

/* Findings of rules that hold or do not apply only when asked for; rules counted either way. */
static void test_all(void **state)
{
	static const char yaml[] =
		"structs: {s: {rules: [{size: 16}, {max_padding: 0, when: {bits: 32}}, {size: 8, "
		"id: x}, {starts_line: c}, {align: \"% 3\", id: y}]}}\n";
	struct layout *layout = kernel(SOURCE_BTF);
	struct judged judged;

	(void)state;
	judge_pack(layout, yaml, &quiet, &judged);
	assert_int_equal(judged.findings.n, 3);
	assert_summary(&judged, 1, 2, 1, 0, 1);
	judged_release(&judged);
	judge_pack(layout, yaml, &all, &judged);
	assert_int_equal(judged.findings.n, 5);
	assert_summary(&judged, 1, 2, 1, 0, 1);
	judged_release(&judged);
	layout_free(layout);
}

/* ---- notes ------------------------------------------------------------------------------------
 */

static void test_notes(void **state)
{
	static const char yaml[] = "structs:\n"
				   "  s:\n"
				   "    groups: {both: [a, b]}\n"
				   "    rules:\n"
				   "      - size: \"<= 16\"\n"
				   "      - starts_line: b\n"
				   "      - together: both\n"
				   "      - apart: [a, [b, c]]\n"
				   "      - offset: {b: 8}\n"
				   "      - absent: z\n"
				   "      - {max_padding: 0, when: {bits: 32}}\n"
				   "  pair: {rules: [{size: 16}]}\n";
	static const struct {
		const char *text;
		bool has_bits;
		uint64_t bit_offset;
		enum outcome outcome;
	} wanted[] = {
		{"size: <= 16", false, 0, OUTCOME_HOLDS},
		{"starts_line", true, 64, OUTCOME_BROKEN},
		{"together: both", true, 0, OUTCOME_HOLDS},
		{"together: both", true, 64, OUTCOME_HOLDS},
		{"apart from b+c", true, 0, OUTCOME_BROKEN},
		{"apart from a", true, 64, OUTCOME_BROKEN},
		{"apart: c", false, 0, OUTCOME_MISSING},
		{"offset: 8", true, 64, OUTCOME_HOLDS},
		{"absent: z", false, 0, OUTCOME_HOLDS},
	};
	struct layout *layout = kernel(SOURCE_DWARF);
	struct type_ref ref = {.name = "s"};
	struct arena arena = {0};
	struct rule_notes notes;
	struct judged judged;

	(void)state;
	judge_pack(layout, yaml, &quiet, &judged);
	notes = check_notes(&judged.packs, layout, layout_find(layout, ref, &arena).defs[0], &quiet,
			    &arena);
	assert_int_equal(notes.n, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < notes.n; i++) {
		assert_string_equal(notes.items[i].text, wanted[i].text);
		assert_int_equal(notes.items[i].has_bits, wanted[i].has_bits);
		assert_int_equal(notes.items[i].bit_offset, wanted[i].bit_offset);
		assert_int_equal(notes.items[i].outcome, wanted[i].outcome);
	}
	assert_string_equal(notes.items[0].rule, "s/size");
	judged_release(&judged);
	arena_release(&arena);
	layout_free(layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_image),
		cmocka_unit_test(test_other_image),
		cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_when),
		cmocka_unit_test(test_when_unsaid),
		cmocka_unit_test(test_missing_struct),
		cmocka_unit_test(test_missing_member),
		cmocka_unit_test(test_missing_and_others),
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_cannot_be_judged),
		cmocka_unit_test(test_ambiguous),
		cmocka_unit_test(test_pin),
		cmocka_unit_test(test_pin_unverified),
		cmocka_unit_test(test_when_of_own_definition),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_assumed_base),
		cmocka_unit_test(test_margin),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_notes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
