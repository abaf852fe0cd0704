/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of addresses and locations, and names of functions, against what LLVM's reader makes of
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "dwarf/claims.h"
#include "dwarf/code.h"
#include "elf/symtab.h"
#include "lib/scratch.h"

/* Blocks inside blocks, and cold parts: more of lists than shapes.c has. */
static const char source[] =
	"int printf(const char *, ...);\n"
	"__attribute__((cold, noinline)) void rare(int x) { printf(\"%d\", x); }\n"
	"static inline int twice(int x) { int y = x * 2; if (y > 9) rare(y); return y; }\n"
	"int work(const int *p, int n)\n"
	"{\n"
	"	int sum = 0;\n"
	"	for (int i = 0; i < n; i++) {\n"
	"		int v = p[i], w = twice(v);\n"
	"		if (w == 77) { rare(w); rare(v); __builtin_trap(); }\n"
	"		sum += w;\n"
	"	}\n"
	"	for (int i = n; i--;) { int u = twice(p[i] + sum); sum ^= u; }\n"
	"	return sum;\n"
	"}\n"
	"int main(int argc, char **argv) { (void)argv; int a[] = {1, 2, argc}; "
	"return work(a, 3); }\n";

/* ---- ours ------------------------------------------------------------------------------------ */

static bool add_location(void *arg, uint64_t low, uint64_t high, const uint8_t *expr, uint64_t len)
{
	if (len == 1 && *expr >= 0x50 && *expr <= 0x6f)
		buf_addf(arg, "%llx %llx reg%d\n", (unsigned long long)low,
			 (unsigned long long)high, *expr - 0x50);
	return true;
}

static void dump_unit(struct code_unit *cu, struct buf *ret)
{
	struct cursor c = unit_cursor(cu->reader, cu->unit, cu->unit->root);

	while (cursor_left(&c)) {
		struct ranges ranges = {0};
		struct code_die die;

		assert_true(code_die_read(cu, cu->unit, &c, &die));
		if (!die.tag)
			continue;
		assert_true(code_locations(cu, &die, CODE_LOCATION, add_location, ret));
		if (code_has(&die, CODE_RANGES))
			assert_true(code_ranges(cu, &die, &ranges));
		for (size_t i = 0; i < ranges.n; i++)
			buf_addf(ret, "%llx %llx range\n", (unsigned long long)ranges.items[i].low,
				 (unsigned long long)ranges.items[i].high);
		free(ranges.items);
	}
}

static void dump(struct image *image, struct buf *ret)
{
	struct err err = ERR_INIT;
	struct code_sections code_sections;
	struct sections sections;
	struct reader reader;
	uint64_t size;

	assert_true(sections_open(image, &err, &sections));
	assert_true(code_sections_open(image, &sections, &err, &code_sections));
	reader_init(&reader, &sections, &err);
	for (uint64_t at = 0; at < sections.units[SECTION_INFO]->size; at += size) {
		const struct unit *unit;
		struct code_unit cu;

		assert_true(sections_unit_size(&sections, SECTION_INFO, at, &err, &size));
		assert_true(fetch_unit(&reader, SECTION_INFO, at, &unit));
		assert_true(code_unit_init(&code_sections, &reader, unit, &cu));
		dump_unit(&cu, ret);
		fetch_done(&reader, unit);
	}
	foreign_release(&reader);
	reader_release(&reader);
	sections_close(&sections);
}

/* "address function outer" for all of `work`. */
static void dump_names(struct image *image, struct buf *ret, struct buf *addresses)
{
	struct err err = ERR_INIT;
	struct symtab symtab;
	struct symbol_run run;
	struct claims claims;
	const struct symbol *work;
	uint64_t *pcs;

	assert_true(symtab_read(image, &err, &symtab));
	run = symtab_named(&symtab, "work", false);
	assert_int_equal(run.n, 1);
	work = &symtab.items[*run.first];
	pcs = xcalloc(work->size, sizeof *pcs);
	for (uint64_t i = 0; i < work->size; i++) {
		pcs[i] = work->address + i;
		buf_addf(addresses, "0x%llx\n", (unsigned long long)pcs[i]);
	}
	assert_true(claims_find(image, pcs, work->size, 0, &err, &claims));
	for (size_t i = 0; i < claims.nruns; i++)
		buf_addf(ret, "%llx %s %s\n", (unsigned long long)claims.runs[i].pc,
			 claims.runs[i].function, claims.runs[i].outer);
	claims_release(&claims);
	symtab_release(&symtab);
	free(pcs);
}

/* ---- theirs ---------------------------------------------------------------------------------- */

/* Lists as llvm-dwarfdump prints them: "[0x1, 0x2): DW_OP_reg5 RDI", "[0x1, 0x2)". */
static const char lists[] =
	"llvm-dwarfdump --debug-info program | awk '"
	"function hex(s) { sub(/^0x0*/, \"\", s); return s == \"\" ? \"0\" : s }"
	"/DW_AT_ranges/ { r = 1 } "
	"match($0, /\\[0x[0-9a-f]+, 0x[0-9a-f]+\\)/) {"
	" split(substr($0, RSTART + 1, RLENGTH - 2), a, \", \"); rest = substr($0, RSTART + "
	"RLENGTH);"
	" if (a[1] == a[2]) next;"
	" if (rest ~ /^: DW_OP_reg[0-9]+( [A-Z0-9]+)?\\)?$/) {"
	"  split(rest, w, /DW_OP_reg| /); print hex(a[1]), hex(a[2]), \"reg\" w[3] + 0 }"
	" else if (rest !~ /^:/) print hex(a[1]), hex(a[2]), \"range\" }"
	"' | sort >theirs && sort ours >sorted && test -s sorted && diff sorted theirs";

/* Each address, its functions from the inside out with a line each, and an empty line. */
static const char names[] =
	"llvm-symbolizer --obj=program --functions=short --inlining --addresses <addresses | awk '"
	"/^0x/ { sub(/^0x/, \"\"); pc = $0; n = 0; next } "
	"/^$/ { print pc, name[1], name[n]; next } "
	"{ name[++n] = $0; getline }' >theirs && test -s names && diff names theirs";

static void compare(const char *compiler, const char *options)
{
	struct buf ours = BUF_INIT, functions = BUF_INIT, addresses = BUF_INIT;
	struct err err = ERR_INIT;
	struct image *image;

	scratch_write("lists.c", source);
	scratch_run("%s -O2 -g %s -o program lists.c", compiler, options);
	assert_true(image_open(scratch_path("program"), NULL, &err, &image));
	dump(image, &ours);
	dump_names(image, &functions, &addresses);
	scratch_write("ours", ours.s);
	scratch_write("names", functions.s);
	scratch_write("addresses", addresses.s);
	scratch_run("%s", lists);
	scratch_run("%s", names);
	buf_release(&ours);
	buf_release(&functions);
	buf_release(&addresses);
	image_close(image);
}

static void gcc_5(void **state)
{
	(void)state;
	compare("gcc", "-gdwarf-5");
}

static void gcc_4(void **state)
{
	(void)state;
	compare("gcc", "-gdwarf-4");
}

static void clang_5(void **state)
{
	(void)state;
	compare("clang", "-gdwarf-5");
}

static void clang_4(void **state)
{
	(void)state;
	compare("clang", "-gdwarf-4");
}

static void clang_sections(void **state)
{
	(void)state;
	compare("clang", "-gdwarf-5 -ffunction-sections");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gcc_5),          cmocka_unit_test(gcc_4),
		cmocka_unit_test(clang_5),        cmocka_unit_test(clang_4),
		cmocka_unit_test(clang_sections),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
