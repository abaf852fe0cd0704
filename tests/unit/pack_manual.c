// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * layoutcheck-rules(5) and the table of kinds say the same: each kind has an entry and an example,
 * each parameter is named, no entry is left of a kind that is gone, and every example is right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/text.h"
#include "rule/kind.h"
#include "rule/waivers.h"

#define MANUAL "man/layoutcheck-rules.5"

static struct bytes manual;

static int read_manual(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (!file_read(MANUAL, 1 << 20, &err, &manual))
		fail_msg("%s", err.text);
	return 0;
}

static int release_manual(void **state)
{
	(void)state;
	bytes_release(&manual);
	return 0;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

/* The tables, and the sections that speak of them. */
static const struct part {
	const char *heading;
	const struct kind *const *kinds;
	size_t fewest;
} parts[] = {{"\n.Sh KINDS\n", kinds, 10}, {"\n.Sh VARIABLE KINDS\n", variable_kinds, 5}};

/* From its heading to the next. */
static const char *kinds_section(const struct part *part, const char **ret_end)
{
	const char *start = strstr(manual.data, part->heading);

	assert_non_null(start);
	*ret_end = strstr(start + 1, "\n.Sh ");
	assert_non_null(*ret_end);
	return start + 1;
}

/* ".It Ic NAME :" */
static bool is_entry(const char *line, const char *name)
{
	size_t len = strlen(name);

	return text_starts_with(line, ".It Ic ") && strncmp(line + 7, name, len) == 0 &&
	       text_starts_with(line + 7 + len, " :");
}

static size_t count_entries(const struct part *part, const char *name)
{
	const char *end, *line = kinds_section(part, &end);
	size_t n = 0;

	for (; line < end; line = next_line(line))
		n += is_entry(line, name);
	return n;
}

static void test_entries(void **state)
{
	(void)state;
	for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
		for (const struct kind *const *kind = parts[p].kinds; *kind; kind++) {
			size_t forms = (*kind)->arg == ARG_EXPRS_OR_MEMBERS ? 2 : 1;

			if (count_entries(&parts[p], (*kind)->name) != forms)
				fail_msg("the kind `%s` has not %zu entries in " MANUAL,
					 (*kind)->name, forms);
		}
}

static void check_no_other_entries(const struct part *part)
{
	const char *end, *line = kinds_section(part, &end);
	size_t n = 0;

	for (; line < end; line = next_line(line)) {
		bool known = false;

		if (!text_starts_with(line, ".It Ic "))
			continue;
		for (const struct kind *const *kind = part->kinds; *kind; kind++)
			known = known || is_entry(line, (*kind)->name);
		if (!known)
			fail_msg("no such kind: %.40s", line);
		n++;
	}
	assert_true(n > part->fewest);
}

static void test_no_other_entries(void **state)
{
	(void)state;
	for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
		check_no_other_entries(&parts[p]);
}

static void check_params(const struct part *part)
{
	for (const struct kind *const *kind = part->kinds; *kind; kind++)
		for (const struct kind_param *param = (*kind)->params; param && param->name;
		     param++) {
			struct buf macro = BUF_INIT;

			buf_addf(&macro, "\n.Ic %s\n", param->name);
			if (!strstr(manual.data, macro.s))
				fail_msg("the parameter `%s` is not in " MANUAL, param->name);
			buf_release(&macro);
		}
}

static void test_params(void **state)
{
	(void)state;
	for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
		check_params(&parts[p]);
}

/* ---- examples ----------------------------------------------------------------------------- */

/* A list of rules becomes a pack, with the groups that the manual speaks of. */
static void add_example(struct buf *pack, const char *start, const char *end)
{
	static const char around[] = "layoutcheck: 1\n"
				     "structs:\n"
				     "  example:\n"
				     "    groups: {lookup: [fdt, fdtab], written: [next]}\n"
				     "    rules:\n";
	bool is_rules = text_starts_with(start, "- ");

	if (is_rules)
		buf_adds(pack, around);
	for (; start < end; start = next_line(start)) {
		if (is_rules)
			buf_adds(pack, "      ");
		buf_add(pack, start, (size_t)(next_line(start) - start));
	}
}

/* Kinds that an example has been seen of. */
enum { MOST_KINDS = 100 };
static bool seen[ARRAY_SIZE(parts)][MOST_KINDS];

static void mark_kind(const struct kind *kind)
{
	for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
		for (size_t k = 0; parts[p].kinds[k]; k++)
			seen[p][k] |= kind == parts[p].kinds[k];
}

static void mark_kinds(const struct packs *packs)
{
	for (size_t b = 0; b < packs->items[0].nblocks; b++)
		for (size_t r = 0; r < packs->items[0].blocks[b].nrules; r++)
			mark_kind(packs->items[0].blocks[b].rules[r].kind);
}

static void try_example(const char *start, const char *end)
{
	struct buf pack = BUF_INIT;
	struct pack_errors errors;
	struct packs packs;

	packs_init(&packs);
	pack_errors_init(&errors);
	add_example(&pack, start, end);
	if (!packs_parse(&packs, MANUAL, pack.s, pack.len, &errors) ||
	    !packs_finish(&packs, &errors))
		fail_msg("%s", errors.text.s);
	mark_kinds(&packs);
	packs_release(&packs);
	pack_errors_release(&errors);
	buf_release(&pack);
}

static void try_waivers(const char *start, const char *end)
{
	struct pack_errors errors;
	struct waivers waivers;

	waivers_init(&waivers, "2026-12-01");
	pack_errors_init(&errors);
	if (!waivers_parse(&waivers, MANUAL, start, (size_t)(end - start), &errors))
		fail_msg("%s", errors.text.s);
	waivers_release(&waivers);
	pack_errors_release(&errors);
}

static void test_examples(void **state)
{
	static const char begin[] = "\n.Bd -literal";
	size_t n = 0, waiver_files = 0;

	(void)state;
	for (const char *p = manual.data; (p = strstr(p, begin));) {
		const char *start = next_line(p + 1), *end = strstr(start, ".Ed\n");

		assert_non_null(end);
		/* What is no pack is a message about one. */
		if (text_starts_with(start, "- ") || text_starts_with(start, "layoutcheck: 1\n")) {
			try_example(start, end);
			n++;
		} else if (text_starts_with(start, "layoutcheck-waivers: 1\n")) {
			try_waivers(start, end);
			waiver_files++;
		} else {
			assert_true(text_starts_with(start, "files.yaml:12:9: unknown key"));
		}
		p = end;
	}
	assert_true(n > 10);
	assert_int_equal(waiver_files, 1);
	for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
		for (size_t k = 0; parts[p].kinds[k]; k++)
			if (!seen[p][k])
				fail_msg("the kind `%s` has no example in " MANUAL,
					 parts[p].kinds[k]->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_no_other_entries),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_examples),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, read_manual, release_manual);
}
