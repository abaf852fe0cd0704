// SPDX-License-Identifier: GPL-2.0-or-later
/* Declarators: the halves of C's types, composed every way round. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "layout/spell.h"

static struct arena arena;

static struct spelling word(const char *name)
{
	return spell_name(NULL, name, &arena);
}

static struct spelling pointer(struct spelling target)
{
	return spell_pointer(target, "*", &arena);
}

static struct spelling array(struct spelling element, uint64_t count)
{
	return spell_array(element, true, count, &arena);
}

static struct spelling constant(struct spelling target)
{
	return spell_qualified("const", target, &arena);
}

static void expect(struct spelling spelling, const char *bare, const char *named)
{
	struct type type = {.kind = TYPE_BASE};

	spell_store(&type, spelling, &arena);
	assert_string_equal(type.spelling, bare);
	assert_string_equal(spell_decl(&type, NULL, &arena), bare);
	assert_string_equal(spell_decl(&type, "x", &arena), named);
}

static void names(void **state)
{
	(void)state;
	expect(word("int"), "int", "int x");
	expect(spell_name("struct", "file", &arena), "struct file", "struct file x");
	expect(spell_name("union", NULL, &arena), "union {...}", "union {...} x");
}

static void pointers_and_qualifiers(void **state)
{
	(void)state;
	expect(pointer(word("int")), "int *", "int *x");
	expect(pointer(pointer(word("int"))), "int **", "int **x");
	expect(pointer(constant(word("char"))), "const char *", "const char *x");
	expect(constant(pointer(word("char"))), "char *const", "char *const x");
	expect(pointer(constant(pointer(word("char")))), "char *const *", "char *const *x");
	expect(spell_qualified("volatile", constant(pointer(word("char"))), &arena),
	       "char *const volatile", "char *const volatile x");
	expect(spell_pointer(word("T"), "&", &arena), "T &", "T &x");
	expect(constant(constant(word("char"))), "const char", "const char x");
	expect(constant(constant(pointer(word("char")))), "char *const", "char *const x");
	expect(constant(pointer(constant(word("char")))), "const char *const",
	       "const char *const x");
	expect(constant(word("constant")), "const constant", "const constant x");
	expect(constant(array(constant(word("int")), 2)), "const int[2]", "const int x[2]");
	expect(constant(spell_qualified("volatile", constant(word("int")), &arena)),
	       "volatile const int", "volatile const int x");
}

static void arrays(void **state)
{
	(void)state;
	expect(array(word("unsigned long"), 4), "unsigned long[4]", "unsigned long x[4]");
	expect(array(array(word("int"), 3), 2), "int[2][3]", "int x[2][3]");
	expect(spell_array(word("char"), false, 0, &arena), "char[]", "char x[]");
	expect(array(pointer(word("char")), 2), "char *[2]", "char *x[2]");
	expect(pointer(array(word("int"), 4)), "int (*)[4]", "int (*x)[4]");
	expect(pointer(pointer(array(word("int"), 4))), "int (**)[4]", "int (**x)[4]");
	expect(array(constant(word("int")), 2), "const int[2]", "const int x[2]");
}

static void functions(void **state)
{
	struct spelling device = pointer(spell_name("struct", "device", &arena));
	struct spelling probe = spell_function(word("int"), &device, 1, false, &arena);
	struct spelling nothing = spell_function(pointer(word("char")), NULL, 0, false, &arena);
	struct spelling callback = pointer(probe);

	(void)state;
	expect(probe, "int (struct device *)", "int x(struct device *)");
	expect(callback, "int (*)(struct device *)", "int (*x)(struct device *)");
	expect(constant(callback), "int (*const)(struct device *)",
	       "int (*const x)(struct device *)");
	expect(array(callback, 4), "int (*[4])(struct device *)", "int (*x[4])(struct device *)");
	expect(pointer(array(callback, 4)), "int (*(*)[4])(struct device *)",
	       "int (*(*x)[4])(struct device *)");
	expect(pointer(nothing), "char *(*)(void)", "char *(*x)(void)");
	expect(spell_function(word("void"), &callback, 1, true, &arena),
	       "void (int (*)(struct device *), ...)", "void x(int (*)(struct device *), ...)");
	expect(pointer(spell_function(callback, NULL, 0, false, &arena)),
	       "int (*(*)(void))(struct device *)", "int (*(*x)(void))(struct device *)");
}

/* A type built by hand, without name_at. */
static void without_halves(void **state)
{
	struct type type = {.kind = TYPE_BASE, .spelling = "unsigned long"};

	(void)state;
	assert_string_equal(spell_decl(&type, "x", &arena), "unsigned long x");
}

/* Each level doubles the text: without the bound this would not end. */
static void bounded(void **state)
{
	struct spelling spelling = word("int");

	(void)state;
	for (int i = 0; i < 64; i++) {
		struct spelling params[2] = {spelling, spelling};

		spelling = pointer(spell_function(word("int"), params, 2, false, &arena));
	}
	assert_true(strlen(spelling.before) + strlen(spelling.after) <= SPELL_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),          cmocka_unit_test(pointers_and_qualifiers),
		cmocka_unit_test(arrays),         cmocka_unit_test(functions),
		cmocka_unit_test(without_halves), cmocka_unit_test(bounded),
	};
	int failed;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	arena_init(&arena);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	return failed;
}
