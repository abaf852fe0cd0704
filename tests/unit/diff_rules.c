/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a diff makes of rules: those that held, members that packs keep apart, causes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lib/told.h"

/* ---- members kept apart ------------------------------------------------------------------------
 */

/* `read` and `written` of struct s; what either names is a path, or with ".." a range. */
static void keep_apart(struct sides *sides, struct diff_members read, struct diff_members written)
{
	static const char *const names[] = {"read", "written"};
	struct diff_group *groups = arena_array(&sides->arena, 2, sizeof *groups);
	struct diff_members *members = arena_array(&sides->arena, 2, sizeof *members);

	members[0] = read;
	members[1] = written;
	for (size_t i = 0; i < 2; i++)
		groups[i] = (struct diff_group){.type = {DEF_ANY, NULL, "s"},
						.name = names[i],
						.severity = SEVERITY_ERROR,
						.members = &members[i],
						.nmembers = 1};
	groups[0].apart_from = &names[1];
	groups[0].napart = 1;
	sides->options.groups = groups;
	sides->options.ngroups = 2;
}

#define ONE(path)                                                                                  \
	(struct diff_members)                                                                      \
	{                                                                                          \
		path, NULL                                                                         \
	}

static const char others[] = "size type_size added removed moved crossed_line starts_line padding "
			     "hole_opened hole_used straddles";

static void expect_conflict(const char *old, const char *new, struct diff_members read,
			    struct diff_members written, const char *expected)
{
	struct sides sides;

	sides_init(&sides);
	sides_define(&sides, "s", 256, old, 256, new);
	keep_apart(&sides, read, written);
	expect_told(&sides, others, expected);
	sides_release(&sides);
}

static void members_that_meet(void **state)
{
	(void)state;
	/* Moved there, added there, and reached by growth. */
	expect_conflict("a@0:8 lock@64:8", "a@0:8 lock@56:8", ONE("a"), ONE("lock"),
			"error s: `lock` (written) shares line 0 with `a` (read) now [neighbour]\n"
			"note s: `lock` shares line 0 with `a` now, which was there [neighbour]");
	expect_conflict("a@0:8", "a@0:8 lock@8:8", ONE("a"), ONE("lock"),
			"error s: `lock` (written) shares line 0 with `a` (read) now [neighbour]");
	expect_conflict("a@0:64 lock@64:8", "a@0:72 lock@72:8", ONE("a"), ONE("lock"),
			"error s: `a` (read) shares line 1 with `lock` (written) now [neighbour]\n"
			"note s: `a` shares line 1 with `lock` now, which was there [neighbour]");
	/* On one line already; still apart; not there. */
	expect_conflict("a@0:8 lock@56:8", "a@0:8 lock@8:8", ONE("a"), ONE("lock"), "");
	expect_conflict("a@0:8 lock@128:8", "a@0:8 lock@64:8", ONE("a"), ONE("lock"), "");
	expect_conflict("a@0:8 lock@128:8", "a@0:8", ONE("a"), ONE("lock"), "");
	expect_conflict("a@0:8 x@128:8", "a@0:8 x@128:8 lock@192:8", ONE("a"), ONE("lock"), "");
}

static void ranges_and_open_ends(void **state)
{
	struct diff_members range = {"a", "c"};

	(void)state;
	expect_conflict("a@0:8 b@64:8 c@120:8 lock@128:8", "a@0:8 b@64:8 c@72:8 lock@80:8", range,
			ONE("lock"),
			"error s: `lock` (written) shares line 1 with `a` (read) now [neighbour]\n"
			"note s: `lock` shares line 1 with `b` and `c` now, which were there "
			"[neighbour]");
	range = (struct diff_members){"c", "a"}; /* not in this order */
	expect_conflict("a@0:8 c@8:8 lock@64:8", "a@0:8 c@8:8 lock@16:8", range, ONE("lock"),
			"note s: `lock` shares line 0 with `a` and `c` now, which were there "
			"[neighbour]");
	range = (struct diff_members){"a", "zz"};
	expect_conflict("a@0:8 lock@64:8", "a@0:8 lock@8:8", range, ONE("lock"),
			"note s: `lock` shares line 0 with `a` now, which was there [neighbour]");
	expect_conflict("lock@0:8 a@64:8x", "lock@0:8 a@8:8x", ONE("a"), ONE("lock"),
			"error s: `a` (read) shares line 0 with `lock` (written) now [neighbour]\n"
			"note s: `a` shares line 0 with `lock` now, which was there [neighbour]");
}

static void conflicts_of_others(void **state)
{
	struct diff_group groups[2];
	struct sides sides;

	(void)state;
	sides_init(&sides);
	sides_define(&sides, "s", 128, "a@0:8 lock@64:8", 128, "a@0:8 lock@8:8");
	keep_apart(&sides, ONE("a"), ONE("lock"));
	memcpy(groups, sides.options.groups, sizeof groups);
	sides.options.groups = groups;

	groups[1].severity = SEVERITY_WARNING; /* the milder one counts */
	expect_told(&sides, others,
		    "warning s: `lock` (written) shares line 0 with `a` (read) now [neighbour]\n"
		    "note s: `lock` shares line 0 with `a` now, which was there [neighbour]");
	sides.options.fails[CHANGE_NEIGHBOUR] = true;
	expect_told(&sides, others,
		    "error s: `lock` (written) shares line 0 with `a` (read) now [neighbour]\n"
		    "error s: `lock` shares line 0 with `a` now, which was there [neighbour]");
	sides.options.fails[CHANGE_NEIGHBOUR] = false;

	groups[1].type.name = "t";
	expect_told(&sides, others,
		    "note s: `lock` shares line 0 with `a` now, which was there [neighbour]");
	groups[1].type.name = "s";
	groups[1].type.kind = DEF_UNION;
	expect_told(&sides, others,
		    "note s: `lock` shares line 0 with `a` now, which was there [neighbour]");
	groups[1].type.kind = DEF_STRUCT;
	groups[0].apart_from = (const char *const[]){"cold"};
	expect_told(&sides, others,
		    "note s: `lock` shares line 0 with `a` now, which was there [neighbour]");
	sides_release(&sides);
}

/* ---- rules that held ---------------------------------------------------------------------------
 */

struct judged_sides {
	struct sides sides;
	struct findings old, new;
};

static void judged_init(struct judged_sides *judged)
{
	sides_init(&judged->sides);
	findings_init(&judged->old);
	findings_init(&judged->new);
	sides_define(&judged->sides, "s", 64, "a@0:8x7 b@56:8", 72, "a@0:8x7 n@56:8 b@64:8");
	judged->sides.options.old_findings = &judged->old;
	judged->sides.options.new_findings = &judged->new;
}

static void judged_release(struct judged_sides *judged)
{
	findings_release(&judged->old);
	findings_release(&judged->new);
	sides_release(&judged->sides);
}

static const struct finding about_size = {
	.rule = "s/size",
	.kind = "size",
	.severity = SEVERITY_ERROR,
	.subject = "s",
	.pack = {"p.yaml", 3, 1},
	.message = "size is 72, wanted <= 64",
	.cause = "the judge's own",
};

/* The rule on both sides, of the struct as a whole. */
static void judge(struct judged_sides *judged, enum outcome was, enum outcome is)
{
	struct finding old = about_size, new = about_size;

	old.def = &judged->sides.before->defs[0];
	old.outcome = was;
	new.def = &judged->sides.after->defs[0];
	new.outcome = is;
	findings_add(&judged->old, &old);
	findings_add(&judged->new, &new);
}

static const char all_but_rules[] =
	"size added moved crossed_line neighbour starts_line hole_opened hole_used padding";

static void expect_rule(enum outcome was, enum outcome is, const char *expected)
{
	struct judged_sides judged;

	judged_init(&judged);
	judge(&judged, was, is);
	expect_told(&judged.sides, all_but_rules, expected);
	judged_release(&judged);
}

static void rules_newly_broken(void **state)
{
	static const enum outcome all[] = {OUTCOME_HOLDS, OUTCOME_BROKEN, OUTCOME_MISSING,
					   OUTCOME_UNKNOWN, OUTCOME_NOT_APPLICABLE};

	(void)state;
	expect_rule(OUTCOME_HOLDS, OUTCOME_BROKEN,
		    "error s: s/size held and is broken: size is 72, wanted <= 64 [rule_broken]");
	expect_rule(OUTCOME_HOLDS, OUTCOME_MISSING,
		    "error s: s/size held and has lost what it speaks of: size is 72, wanted <= 64 "
		    "[rule_broken]");
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		expect_rule(all[i], OUTCOME_HOLDS, "");
		expect_rule(all[i], OUTCOME_NOT_APPLICABLE, "");
		if (all[i] != OUTCOME_HOLDS) {
			expect_rule(all[i], OUTCOME_BROKEN, "");
			expect_rule(all[i], OUTCOME_MISSING, "");
		}
	}
}

static void the_change_that_broke_it(void **state)
{
	struct judged_sides judged;
	const struct change *change;

	(void)state;
	judged_init(&judged);
	judge(&judged, OUTCOME_HOLDS, OUTCOME_BROKEN);
	expect_told(&judged.sides, all_but_rules,
		    "error s: s/size held and is broken: size is 72, wanted <= 64 [rule_broken]");
	change = only_change(&judged.sides, CHANGE_RULE_BROKEN);
	assert_string_equal(change->cause,
			    "n (offset 56, 8 bytes) filled line 0, b (offset 64) opened line 1");
	assert_string_equal(change->rule, "s/size");
	assert_string_equal(change->pack.file, "p.yaml");
	assert_ptr_equal(change->finding, &judged.new.items[0]);
	assert_string_equal(change->was, "holds");
	assert_string_equal(change->now, "broken");

	/* A waiver silences it here, too. */
	judged.new.items[0].waived = true;
	judged.new.items[0].severity = SEVERITY_WARNING;
	expect_told(&judged.sides, all_but_rules,
		    "warning s: s/size held and is broken: size is 72, wanted <= 64 [rule_broken]");
	assert_int_equal(judged.sides.changes.summary.waived, 1);
	assert_int_equal(judged.sides.changes.summary.errors, 0);
	judged_release(&judged);
}

static void rules_in_the_dark(void **state)
{
	struct judged_sides judged;

	(void)state;
	judged_init(&judged);
	judge(&judged, OUTCOME_HOLDS, OUTCOME_UNKNOWN);
	expect_told(&judged.sides, all_but_rules, "");
	assert_int_equal(judged.sides.changes.nwarnings, 1);
	assert_string_equal(judged.sides.changes.warnings[0],
			    "1 rule held on old and cannot be judged on new");
	judged_release(&judged);
	judged_init(&judged);
	judge(&judged, OUTCOME_UNKNOWN, OUTCOME_UNKNOWN);
	expect_told(&judged.sides, all_but_rules, "");
	assert_int_equal(judged.sides.changes.nwarnings, 0);
	judged_release(&judged);
}

static void margins(void **state)
{
	static const struct {
		bool had, has;
		uint64_t was, is;
		const char *expected;
	} rows[] = {
		{true, true, 16, 8,
		 "note s: s/size holds with 8 bytes to spare, and had 16 [margin]"},
		{true, true, 8, 8, ""},
		{true, true, 8, 16, ""},
		{false, true, 0, 8, ""},
		{true, false, 8, 0, ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged_sides judged;

		judged_init(&judged);
		judge(&judged, OUTCOME_HOLDS, OUTCOME_HOLDS);
		judged.old.items[0].has_margin = rows[i].had;
		judged.old.items[0].margin = rows[i].was;
		judged.new.items[0].has_margin = rows[i].has;
		judged.new.items[0].margin = rows[i].is;
		expect_told(&judged.sides, all_but_rules, rows[i].expected);
		judged_release(&judged);
	}
}

/* A struct that is gone takes its rules with it; with -C only what was asked for is told. */
static void rules_of_what_is_gone(void **state)
{
	struct finding finding = about_size;
	struct judged_sides judged;

	(void)state;
	judged_init(&judged);
	model_define(judged.sides.before, "gone", 8, "a@0:8");
	finding.subject = "gone";
	finding.rule = "gone/size";
	finding.outcome = OUTCOME_HOLDS;
	finding.def = &judged.sides.before->defs[0];
	assert_string_equal(finding.def->name, "gone");
	findings_add(&judged.old, &finding);
	finding.outcome = OUTCOME_MISSING;
	finding.def = NULL;
	finding.message = "gone is not in this image";
	findings_add(&judged.new, &finding);
	expect_told(
		&judged.sides, all_but_rules,
		"error gone: gone/size held and has lost what it speaks of: gone is not in this "
		"image [rule_broken]\n"
		"note gone: vanished: 8 bytes, 1 line [vanished]");
	assert_ptr_equal(only_change(&judged.sides, CHANGE_RULE_BROKEN)->old_def,
			 &judged.sides.before->defs[0]);
	judged.sides.options.types = (const char *const[]){"s"};
	judged.sides.options.ntypes = 1;
	expect_told(&judged.sides, all_but_rules, "");
	judged_release(&judged);
}

/* ---- causes ------------------------------------------------------------------------------------
 */

/* The cause of a finding about these bytes of struct s. */
static void expect_cause(const char *old, const char *new, uint64_t offset, uint64_t size,
			 const char *expected)
{
	struct finding finding = about_size;
	struct sides sides;
	const char *cause;

	sides_init(&sides);
	sides_define(&sides, "s", 256, old, 256, new);
	diff_run(sides.before, sides.after, &sides.options, &sides.changes);
	finding.def = &sides.after->defs[0];
	finding.has_bits = true;
	finding.bit_offset = offset * 8;
	finding.bit_size = size * 8;
	finding.has_cacheline = true;
	finding.cacheline = offset / 64;
	cause = diff_cause(&sides.changes, &finding);
	if (expected)
		assert_string_equal(cause, expected);
	else
		assert_null(cause);
	finding.def = &sides.before->defs[0];
	assert_null(diff_cause(&sides.changes, &finding));
	sides_release(&sides);
}

static void causes(void **state)
{
	(void)state;
	expect_cause("a@0:8 b@64:8 c@128:8", "a@0:8 n@64:8 b@72:8 c@128:8", 72, 8,
		     "n (offset 64, 8 bytes) was added before `b`");
	/* What was added to its line; not what happened on another. */
	expect_cause("a@0:8 b@64:8 c@128:8", "a@0:8 b@64:8 n@72:8 c@128:8", 64, 8,
		     "`n` was added at offset 72 on line 1 (u64, 8 bytes)");
	expect_cause("a@0:8 b@64:8 c@128:8", "a@0:8 n@8:8 b@64:8 c@128:8", 128, 8, NULL);
	/* It grew itself. */
	expect_cause("a@0:8 b@64:8 c@128:8", "a@0:8 b@64:16 c@128:8", 64, 16,
		     "`b` grew from 8 bytes to 16 bytes (u64 to u128)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_that_meet),
		cmocka_unit_test(ranges_and_open_ends),
		cmocka_unit_test(conflicts_of_others),
		cmocka_unit_test(rules_newly_broken),
		cmocka_unit_test(the_change_that_broke_it),
		cmocka_unit_test(rules_in_the_dark),
		cmocka_unit_test(margins),
		cmocka_unit_test(rules_of_what_is_gone),
		cmocka_unit_test(causes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
