/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every kind of rule on layouts that no compiler makes: members over each other, past the end, at
 * the end of the numbers, of any alignment. Whatever comes, each rule gets a verdict that is well
 * formed.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "lib/judged.h"

enum { LAYOUTS = 300, RULES = 25 };

/* On members a to f and the struct `in` behind e; f may be missing. */
static const char rules[] = "    groups: {some: [a, b, c?, e.x]}\n"
			    "    rules:\n"
			    "      - {size: \"<= 64\", id: r0}\n"
			    "      - {size: power-of-two, id: r1}\n"
			    "      - {size: \"% 48\", id: r2}\n"
			    "      - {bucket: 64, id: r3}\n"
			    "      - {align: 8, id: r4}\n"
			    "      - {align: {a: 8, e.y: \"<= 4\"}, id: r5}\n"
			    "      - {offset: {b: \"< 100\", \"c\": \"% 8\"}, id: r6}\n"
			    "      - {starts_line: a, id: r7}\n"
			    "      - {starts_line: some, granule: 128, id: r8}\n"
			    "      - {together: some, id: r9}\n"
			    "      - {together: [a..d], lines: 3, id: r10}\n"
			    "      - {together: [a, b], granule: 16, id: r11}\n"
			    "      - {apart: [some, [d, f?]], id: r12}\n"
			    "      - {apart: [a, b, c, d, e], granule: 8, id: r13}\n"
			    "      - {alone: a, id: r14}\n"
			    "      - {alone: [e.y, b], id: r15}\n"
			    "      - {alone: \"d[1]\", id: r16}\n"
			    "      - {no_straddle: [a, b, c, d, e.x], id: r17}\n"
			    "      - {max_lines: 2, id: r18}\n"
			    "      - {max_hole: 7, id: r19}\n"
			    "      - {max_padding: 7, id: r20}\n"
			    "      - {order: [a, b, c, d, e], id: r21}\n"
			    "      - {present: [a, f], id: r22}\n"
			    "      - {absent: [f, e.z], id: r23}\n"
			    "      - {size: 8, when: {sizeof: {in: 16}, has: s.f}, id: r24}\n";

static uint64_t state_of_random = 42;

static uint64_t at_random(void)
{
	state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
	return state_of_random >> 16;
}

/* Mostly small; sometimes as large as it gets. */
static uint64_t any_number(uint64_t usual)
{
	switch (at_random() % 24) {
	case 0:
		return UINT64_MAX / 8 - at_random() % 16;
	case 1:
		return at_random() << at_random() % 16;
	case 2:
		return 0;
	default:
		return at_random() % usual;
	}
}

static void add_member(struct buf *text, const char *name, const char *type)
{
	buf_addf(text, "%s@%" PRIu64, name, any_number(200));
	if (at_random() % 6 == 0)
		buf_addf(text, ".%u", (unsigned)(at_random() % 8));
	buf_addf(text, ":%s", type);
	if (at_random() % 4 == 0)
		buf_addf(text, "!%" PRIu64,
			 at_random() % 2 ? (uint64_t)1 << at_random() % 64 : any_number(100));
	buf_addc(text, ' ');
}

static const char *any_type(struct arena *arena)
{
	switch (at_random() % 6) {
	case 0:
		return arena_printf(arena, "b%u", (unsigned)(at_random() % 32));
	case 1:
		return arena_printf(arena, "%ux", 1u << at_random() % 4);
	case 2:
		return "=in";
	default:
		return arena_printf(arena, "%ux%" PRIu64, 1u << at_random() % 4, any_number(20));
	}
}

static struct layout *any_layout(void)
{
	static const char *const names[] = {"a", "b", "c", "-", "d", "e", "f"};
	static const char *const machines[] = {"x86_64", "i386", "m68k", NULL};
	struct layout *layout =
		model_new(machines[at_random() % ARRAY_SIZE(machines)], at_random() % 8 ? 64 : 0,
			  at_random() % 2 ? SOURCE_DWARF : SOURCE_BTF);
	struct buf text = BUF_INIT;

	layout->target.has_kernel = at_random() % 2;
	layout->target.kernel = (struct kernel_version){6, 12, 0};
	add_member(&text, "x", any_type(&layout->arena)[0] == 'b' ? "b7" : "8");
	add_member(&text, "y", "4x3");
	model_define(layout, "in", any_number(40), text.s);
	buf_release(&text);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (at_random() % 12)
			add_member(&text, names[i], i == 5 ? "=in" : any_type(&layout->arena));
	model_define(layout, at_random() % 8 ? "s" : "union s", any_number(300), text.s);
	buf_release(&text);
	return layout;
}

static void assert_well_formed(const struct findings *findings)
{
	const struct summary *summary = &findings->summary;

	assert_int_equal(summary->holds + summary->broken + summary->missing + summary->unknown +
				 summary->not_applicable,
			 RULES);
	assert_true(findings->n >= RULES);
	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->items[i];

		assert_non_null(finding->message);
		assert_true(finding->message[0] != '\0');
		if (finding->has_margin)
			assert_int_equal(finding->outcome, OUTCOME_HOLDS);
		if (finding->cause)
			assert_int_equal(finding->outcome, OUTCOME_BROKEN);
	}
}

static void test_any(void **state)
{
	static const char *const allocs[] = {"kmalloc", "static", "line",
					     "{cache: c, freeptr: after}",
					     "{cache: c, hwcache_align: true}"};
	const struct check_options all = {.all = true};

	(void)state;
	for (unsigned i = 0; i < LAYOUTS; i++) {
		struct layout *layout = any_layout();
		struct buf yaml = BUF_INIT;
		struct judged judged;

		buf_adds(&yaml, "structs:\n  s:\n");
		if (at_random() % 3)
			buf_addf(&yaml, "    alloc: %s\n",
				 allocs[at_random() % ARRAY_SIZE(allocs)]);
		buf_adds(&yaml, rules);
		judge_pack(layout, yaml.s, &all, &judged);
		assert_well_formed(&judged.findings);
		buf_release(&yaml);
		judged_release(&judged);
		layout_free(layout);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_any)};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
