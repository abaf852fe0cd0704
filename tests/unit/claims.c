/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instructions access, by compilers' own account: tests/fixtures/c2c/shapes.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "dwarf/claims.h"
#include "elf/symtab.h"
#include "lib/scratch.h"

/*
 * Of each function the claims of its instructions in order, blank by blank: TYPE:OFFSET, with ~
 * where an index is added, and what it rests on. `|` stands between the claims of one instruction.
 * Compilers may access something twice or once more: the same claim is not written again.
 */
static const struct {
	const char *function, *expected;
} cases[] = {
	{"parameter", "item:32 variable"},
	/* The outer object, though the access is inlined with a pointer to the inner one. */
	{"embedded", "item:24 variable"},
	{"spilled", "item:40"},
	{"chain", "item:8 variable, item:8 tracked, item:32 tracked"},
	{"indexed", "item:~24 variable"},
	{"slot", "item:~48 variable"},
	{"from_union", "item:40 variable, inner:8 tracked"},
	{"global_member", "item:24 symbol global"},
	{"through_global", "struct item *:0 symbol head, item:32 tracked"},
	{"array_of_structs", "inner:~8 tracked"},
	{"percpu_member", "item:24 symbol percpu_item percpu"},
	{"percpu_pointer", "struct item *:0 symbol percpu_current percpu, item:32"},
	{"percpu_sum", "long:0 symbol this_cpu_off percpu, item:32"},
	{"percpu_number", "long:~0 tracked, item:32"},
	/* No variable has the container: what is told of its member is right. */
	{"contained", "inner:24 variable"},
	{"counter", "typedef atomic_t:0 variable"},
	{"result", "item:32 tracked"},
	{"callee_saved", "item:0 variable"},
	{"joined", "item:8 variable, item:32"},
	{"either", "inner:32 | item:32"},
	{"walk_list", "item:32, item:8"},
	{"bit", "unsigned long:~0"},
	{"copy", "item:~0 | item:~0"},
	{"number", ""},
	{"untyped", ""},
	{"on_stack", ""},
	{"not_the_pointer", "item:40 variable"},
	{"difference", ""},
};

/* ---- images ---------------------------------------------------------------------------------- */

/* What the linker's own script would put into .data. */
static const char script[] =
	"SECTIONS { .data..percpu : { *(.data..percpu) } } INSERT BEFORE .data;";

static const char *compile(const char *compiler, const char *options)
{
	static char root[4096];
	static unsigned number;
	char name[32];

	if (!number) {
		assert_non_null(getcwd(root, sizeof root));
		scratch_write("percpu.ld", script);
	}
	snprintf(name, sizeof name, "shapes%u", number++);
	scratch_run("%s -O2 -fcf-protection=none -ffreestanding -fno-stack-protector %s -nostdlib "
		    "-Wl,-e,start -Wl,--build-id=none -Wl,-T,percpu.ld -o %s "
		    "'%s/tests/fixtures/c2c/shapes.c' '%s/tests/fixtures/c2c/callees.c'",
		    compiler, options, name, root, root);
	return scratch_path(name);
}

/* ---- claims as text -------------------------------------------------------------------------- */

static void spell(const struct claim *c, struct buf *ret)
{
	static const char *const how[] = {"variable", "tracked", "symbol"};
	const char *type = c->type ? c->type : c->spelling;

	/* Compilers order the words of a base type as they like. */
	if (strcmp(type, "long unsigned int") == 0)
		type = "unsigned long";
	if (strcmp(type, "long int") == 0)
		type = "long";
	buf_addf(ret, "%s:%s%lld %s", type, c->is_exact ? "" : "~", (long long)c->offset,
		 how[c->how]);
	if (c->how == CLAIM_SYMBOL)
		buf_addf(ret, " %s", c->variable);
	if (c->is_percpu)
		buf_adds(ret, " percpu");
}

static int compare_texts(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The claims of one instruction, in the order of the alphabet: they are as good as each other. */
static void spell_run(const struct claims *claims, const struct claim_run *run, struct buf *ret)
{
	char *texts[16] = {NULL};

	assert_true(run->n <= ARRAY_SIZE(texts));
	for (size_t i = 0; i < run->n; i++) {
		struct buf text = BUF_INIT;

		spell(&claims->claims[run->first + i], &text);
		texts[i] = buf_detach(&text);
	}
	qsort(texts, run->n, sizeof *texts, compare_texts);
	for (size_t i = 0; i < run->n; i++) {
		buf_addf(ret, "%s%s", i ? " | " : "", texts[i]);
		free(texts[i]);
	}
}

/* All of a function's claims. */
static void describe(struct image *image, const struct symbol *symbol, unsigned threads,
		     struct buf *ret)
{
	uint64_t *pcs = xcalloc(symbol->size, sizeof *pcs);
	struct buf last = BUF_INIT, one = BUF_INIT;
	struct err err = ERR_INIT;
	struct claims claims;

	for (uint64_t i = 0; i < symbol->size; i++)
		pcs[i] = symbol->address + i;
	if (!claims_find(image, pcs, symbol->size, threads, &err, &claims))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < claims.nruns; i++) {
		const struct claim_run *run = &claims.runs[i];

		assert_int_equal(run->pc, pcs[i]);
		assert_int_equal(run->none == CLAIM_MADE, run->n > 0);
		one.len = 0;
		spell_run(&claims, run, &one);
		if (!one.len || strcmp(one.s, last.s) == 0)
			continue;
		buf_addf(ret, "%s%s", ret->len ? ", " : "", one.s);
		last.len = 0;
		buf_adds(&last, one.s);
	}
	buf_release(&last);
	buf_release(&one);
	claims_release(&claims);
	free(pcs);
}

/* What is expected may leave out what it rests on: that is up to the compiler. */
static bool agrees(const char *expected, const char *told)
{
	for (;;) {
		size_t want = strcspn(expected, ",|"), have = strcspn(told, ",|");

		while (want && expected[want - 1] == ' ')
			want--;
		if (strncmp(expected, told, want) != 0 ||
		    (told[want] && !strchr(" ,|", told[want])))
			return false;
		expected += strcspn(expected, ",|");
		told += have;
		if (*expected != *told || !*told)
			return *expected == *told;
		expected += strspn(expected, ",| ");
		told += strspn(told, ",| ");
	}
}

static void expect_all(const char *path)
{
	struct err err = ERR_INIT;
	struct symtab symtab;
	struct image *image;
	unsigned wrong = 0;

	if (!image_open(path, NULL, &err, &image) || !symtab_read(image, &err, &symtab))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct symbol_run run = symtab_named(&symtab, cases[i].function, false);
		struct buf told = BUF_INIT;

		assert_int_equal(run.n, 1);
		describe(image, &symtab.items[*run.first], 1, &told);
		if (!agrees(cases[i].expected, told.s)) {
			print_error("%s: \"%s\", wanted \"%s\"\n", cases[i].function, told.s,
				    cases[i].expected);
			wrong++;
		}
		buf_release(&told);
	}
	assert_int_equal(wrong, 0);
	symtab_release(&symtab);
	image_close(image);
}

static void gcc_dwarf_5(void **state)
{
	(void)state;
	expect_all(compile("gcc", "-gdwarf-5 -static -fno-pic -no-pie"));
}

static void gcc_dwarf_4(void **state)
{
	(void)state;
	expect_all(compile("gcc", "-gdwarf-4 -static -fno-pic -no-pie"));
}

static void gcc_views_in_the_lists(void **state)
{
	(void)state;
	expect_all(compile("gcc", "-gdwarf-5 -gvariable-location-views=incompat5 -static -fno-pic "
				  "-no-pie"));
}

static void gcc_pie(void **state)
{
	(void)state;
	expect_all(compile("gcc", "-gdwarf-5 -static-pie -fpie"));
}

static void gcc_frame_pointer(void **state)
{
	(void)state;
	expect_all(compile("gcc", "-gdwarf-5 -static -fno-pic -no-pie -fno-omit-frame-pointer"));
}

static void clang_dwarf_5(void **state)
{
	(void)state;
	expect_all(compile("clang", "-gdwarf-5 -static -fno-pic"));
}

static void clang_dwarf_4(void **state)
{
	(void)state;
	expect_all(compile("clang", "-gdwarf-4 -static -fno-pic"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gcc_dwarf_5),
		cmocka_unit_test(gcc_dwarf_4),
		cmocka_unit_test(gcc_views_in_the_lists),
		cmocka_unit_test(gcc_pie),
		cmocka_unit_test(gcc_frame_pointer),
		cmocka_unit_test(clang_dwarf_5),
		cmocka_unit_test(clang_dwarf_4),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
