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
	struct layout *layout = model_kernel(SOURCE_DWARF);

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
	struct layout *layout = model_kernel(SOURCE_DWARF);
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
	struct layout *layout = model_kernel(SOURCE_DWARF);
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

/* ---- what is not there ------------------------------------------------------------------------
 */

static void test_missing_struct(void **state)
{
	struct layout *layout = model_kernel(SOURCE_DWARF);

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
	struct layout *layout = model_kernel(SOURCE_DWARF);

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
	struct layout *layout = model_kernel(SOURCE_DWARF);
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
	struct layout *layout = model_kernel(SOURCE_DWARF);
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
	struct layout *layout = model_kernel(SOURCE_DWARF);

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

/* A list that names a group and also a member of it, or two groups that have one. */
static void test_member_once(void **state)
{
	struct layout *layout = model_kernel(SOURCE_DWARF);

	(void)state;
	model_define(layout, "abc", 12, "a@0:4 b@4:4 c@8:4");
	assert_outcome(layout,
		       "structs: {abc: {groups: {g: [a, b]}, rules: [{order: [g, b, c]}]}}\n",
		       OUTCOME_HOLDS, "are in order");
	assert_outcome(
		layout,
		"structs: {abc: {groups: {g: [a, b], h: [b, c]}, rules: [{order: [g, h]}]}}\n",
		OUTCOME_HOLDS, "are in order");
	assert_outcome(layout, "structs: {abc: {groups: {g: [a]}, rules: [{together: [a, g]}]}}\n",
		       OUTCOME_NOT_APPLICABLE, "too few");
	assert_outcome(layout, "structs: {abc: {groups: {g: [z?]}, rules: [{order: [a, g, z]}]}}\n",
		       OUTCOME_MISSING, "`abc` has no member `z`");
	assert_outcome(layout,
		       "structs: {abc: {groups: {g: [z?, b]}, rules: [{order: [a, g, z?]}]}}\n",
		       OUTCOME_HOLDS, "are in order");
	/* Though nothing of it is left but in the other. */
	assert_outcome(layout,
		       "structs: {abc: {groups: {g: [b, c], a: [c]}, rules: [{order: [g, a]}]}}\n",
		       OUTCOME_UNKNOWN, "`a` is both a group");
	layout_free(layout);
}

/* ---- definitions ------------------------------------------------------------------------------
 */

static void test_ambiguous(void **state)
{
	struct layout *layout = model_consoles(SOURCE_DWARF);
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
	struct layout *layout = model_consoles(SOURCE_DWARF);

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
	struct layout *layout = model_consoles(SOURCE_BTF);
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

/* ---- line, base, margin -----------------------------------------------------------------------
 */

/* The option beats the pack, which beats the machine. */
static void test_line(void **state)
{
	struct layout *layout = model_kernel(SOURCE_DWARF);
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
	struct layout *layout = model_kernel(SOURCE_DWARF);

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
	struct layout *layout = model_kernel(SOURCE_DWARF);
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
	struct layout *layout = model_kernel(SOURCE_DWARF);
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
	struct layout *layout = model_kernel(SOURCE_BTF);
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
		const char *path;
		uint64_t bit_offset;
		enum outcome outcome;
	} wanted[] = {
		{"size: <= 16", false, NULL, 0, OUTCOME_HOLDS},
		{"starts_line", true, "b", 64, OUTCOME_BROKEN},
		{"together: both", true, "a", 0, OUTCOME_HOLDS},
		{"together: both", true, "b", 64, OUTCOME_HOLDS},
		{"apart from b+c", true, "a", 0, OUTCOME_BROKEN},
		{"apart from a", true, "b", 64, OUTCOME_BROKEN},
		{"apart: c", false, NULL, 0, OUTCOME_MISSING},
		{"offset: 8", true, "b", 64, OUTCOME_HOLDS},
		{"absent: z", false, NULL, 0, OUTCOME_HOLDS},
	};
	struct layout *layout = model_kernel(SOURCE_DWARF);
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
		if (wanted[i].path)
			assert_string_equal(notes.items[i].path, wanted[i].path);
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
		cmocka_unit_test(test_missing_struct),
		cmocka_unit_test(test_missing_member),
		cmocka_unit_test(test_missing_and_others),
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_cannot_be_judged),
		cmocka_unit_test(test_member_once),
		cmocka_unit_test(test_ambiguous),
		cmocka_unit_test(test_pin),
		cmocka_unit_test(test_pin_unverified),
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
