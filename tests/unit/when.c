/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions: what is true, what is false, and what an image does not say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "layout/kconfig.h"
#include "lib/judged.h"

static void test_when(void **state)
{
	static const struct {
		const char *when;
		enum outcome outcome;
		const char *part;
	} cases[] = {
		{"{bits: 64}", OUTCOME_HOLDS, "size is 16"},
		{"{bits: 32}", OUTCOME_NOT_APPLICABLE, "`bits: 32` is false here"},
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
		{"{has: s.b.c}", OUTCOME_UNKNOWN, "`has(s.b.c)` cannot be told"},
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
	struct layout *layout = model_kernel(SOURCE_DWARF);

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

/* `since` and `until` beside `when`: from the one on, up to the other, and all of it. */
static void test_since_until(void **state)
{
	static const struct {
		const char *keys;
		enum outcome outcome;
		const char *part;
	} cases[] = {
		{"since: 6.12", OUTCOME_HOLDS, "size is 16"},
		{"since: 6.12.57", OUTCOME_HOLDS, "size is 16"},
		{"since: 6.12.58", OUTCOME_NOT_APPLICABLE, "since: 6.12.58"},
		{"since: 6.13", OUTCOME_NOT_APPLICABLE, "`since: 6.13` is false here"},
		{"until: 6.12", OUTCOME_NOT_APPLICABLE, "until: 6.12"},
		{"until: 6.12.57", OUTCOME_NOT_APPLICABLE, "until: 6.12.57"},
		{"until: 6.12.58", OUTCOME_HOLDS, "size is 16"},
		{"until: 6.13", OUTCOME_HOLDS, "size is 16"},
		{"since: 6.1, until: 6.13", OUTCOME_HOLDS, "size is 16"},
		{"since: 6.1, until: 6.5", OUTCOME_NOT_APPLICABLE, "until: 6.5"},
		{"since: 6.1, when: {bits: 32}", OUTCOME_NOT_APPLICABLE, "bits: 32"},
		{"since: 6.13, when: {bits: 64}", OUTCOME_NOT_APPLICABLE, "since: 6.13"},
		{"since: 6.1, when: {sizeof: {nothing: 16}}", OUTCOME_UNKNOWN, "nothing is not"},
	};
	static const char *const unsaid[] = {"since: 6.12", "until: 6.12", "since: 6.1, until: 6.5",
					     "since: 99.1", "until: 2.6, when: {bits: 64}"};
	struct layout *layout = model_kernel(SOURCE_DWARF);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf yaml = BUF_INIT;

		buf_addf(&yaml, "structs: {s: {rules: [{size: 16, %s}]}}\n", cases[i].keys);
		assert_outcome(layout, yaml.s, cases[i].outcome, cases[i].part);
		buf_release(&yaml);
	}
	layout->target.has_kernel = false;
	for (size_t i = 0; i < ARRAY_SIZE(unsaid); i++) {
		struct buf yaml = BUF_INIT;

		buf_addf(&yaml, "structs: {s: {rules: [{size: 16, %s}]}}\n", unsaid[i]);
		assert_outcome(layout, yaml.s, OUTCOME_UNKNOWN, "does not say its kernel release");
		buf_release(&yaml);
	}
	layout_free(layout);
}

/* An option that the configuration does not have is not set; without a configuration, unknown. */
static void test_when_configured(void **state)
{
	static const struct {
		const char *when;
		enum outcome outcome;
		const char *part;
	} cases[] = {
		{"{config: CONFIG_SMP}", OUTCOME_HOLDS, "size is 16"},
		{"{config: CONFIG_SM}", OUTCOME_NOT_APPLICABLE, "config: CONFIG_SM"},
		{"{config: CONFIG_SMPX}", OUTCOME_NOT_APPLICABLE, "config: CONFIG_SMPX"},
		{"{config: CONFIG_SMP=y}", OUTCOME_HOLDS, "size is 16"},
		{"{config: CONFIG_SMP=m}", OUTCOME_NOT_APPLICABLE, "CONFIG_SMP=m"},
		{"{config: CONFIG_HZ=250}", OUTCOME_HOLDS, "size is 16"},
		{"{config: CONFIG_HZ=25}", OUTCOME_NOT_APPLICABLE, "CONFIG_HZ=25"},
		{"{config: CONFIG_HZ_250}", OUTCOME_HOLDS, "size is 16"},
		{"{config: CONFIG_KASAN=n}", OUTCOME_HOLDS, "size is 16"},
		{"{config: CONFIG_SMP=n}", OUTCOME_NOT_APPLICABLE, "CONFIG_SMP=n"},
		{"{not: {config: CONFIG_KASAN}}", OUTCOME_HOLDS, "size is 16"},
		{"{config: [CONFIG_SMP, CONFIG_KASAN]}", OUTCOME_NOT_APPLICABLE, "CONFIG_KASAN"},
		{"{config: [CONFIG_SMP, CONFIG_HZ]}", OUTCOME_HOLDS, "size is 16"},
	};
	static const char text[] = "CONFIG_HZ_250=y\n# CONFIG_KASAN is not set\nCONFIG_SMP=y\n"
				   "CONFIG_NAME=\"CONFIG_KASAN=y\"\nCONFIG_HZ=250\n";
	struct layout *layout = model_kernel(SOURCE_BTF);

	(void)state;
	for (int known = 0; known < 2; known++) {
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
			struct buf yaml = BUF_INIT;

			buf_addf(&yaml, "structs: {s: {rules: [{size: 16, when: %s}]}}\n",
				 cases[i].when);
			assert_outcome(layout, yaml.s, known ? cases[i].outcome : OUTCOME_UNKNOWN,
				       known ? cases[i].part : "configuration is not known");
			buf_release(&yaml);
		}
		layout->target.kconfig = kconfig_parse(text, strlen(text), &layout->arena);
		assert_non_null(layout->target.kconfig);
	}
	assert_null(kconfig_parse("# CONFIG_SMP is not set\n", 24, &layout->arena));
	layout_free(layout);
}

/* has() and sizeof() of the struct that is judged speak of the definition at hand. */
static void test_when_of_own_definition(void **state)
{
	struct layout *layout = model_consoles(SOURCE_DWARF);
	const struct check_options all = {.all = true};
	struct judged judged;

	(void)state;
	judge_pack(layout,
		   "structs: {console: {rules: [{size: 280, when: {has: console.name}}]}}\n", &all,
		   &judged);
	assert_int_equal(judged.findings.summary.holds, 1);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_when),
		cmocka_unit_test(test_when_unsaid),
		cmocka_unit_test(test_since_until),
		cmocka_unit_test(test_when_configured),
		cmocka_unit_test(test_when_of_own_definition),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
