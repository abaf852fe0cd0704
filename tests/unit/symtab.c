/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols by address and by name: of this very program. */
#include "elf/symtab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

int symtab_test_datum[4] = {1, 2, 3, 4};
int symtab_test_bss[5000];
int symtab_test_code(int x);

int symtab_test_code(int x)
{
	return x + symtab_test_datum[x & 3] + symtab_test_bss[x];
}

struct opened {
	struct image *image;
	struct symtab symtab;
};

static int open_self(void **state)
{
	static struct opened opened;
	struct err err = ERR_INIT;

	assert_true(image_open("/proc/self/exe", NULL, &err, &opened.image));
	assert_true(symtab_read(opened.image, &err, &opened.symtab));
	*state = &opened;
	return symtab_test_code(0) == 1 ? 0 : -1;
}

static int close_self(void **state)
{
	struct opened *opened = *state;

	symtab_release(&opened->symtab);
	image_close(opened->image);
	return 0;
}

static void test_variable(void **state)
{
	const struct symtab *symtab = &((struct opened *)*state)->symtab;
	struct symbol_run run = symtab_named(symtab, "symtab_test_datum", false);
	const struct symbol *symbol;

	assert_int_equal(run.n, 1);
	symbol = &symtab->items[run.first[0]];
	assert_false(symbol->is_function);
#ifdef __SANITIZE_ADDRESS__ /* has its red zone in it */
	assert_true(symbol->size >= sizeof symtab_test_datum);
#else
	assert_int_equal(symbol->size, sizeof symtab_test_datum);
#endif
	assert_ptr_equal(symtab_at(symtab, symbol->address, SYMBOL_VARIABLE), symbol);
	assert_ptr_equal(symtab_at(symtab, symbol->address + symbol->size - 1, SYMBOL_VARIABLE),
			 symbol);
	assert_ptr_not_equal(symtab_at(symtab, symbol->address + symbol->size, SYMBOL_VARIABLE),
			     symbol);
	assert_null(symtab_at(symtab, symbol->address, SYMBOL_FUNCTION));
	assert_null(symtab_at(symtab, symbol->address, SYMBOL_PERCPU));
}

static void test_function(void **state)
{
	const struct symtab *symtab = &((struct opened *)*state)->symtab;
	struct symbol_run run = symtab_named(symtab, "symtab_test_code", false);
	const struct symbol *symbol;

	assert_int_equal(run.n, 1);
	symbol = &symtab->items[run.first[0]];
	assert_true(symbol->is_function);
	assert_ptr_equal(symtab_at(symtab, symbol->address + 1, SYMBOL_FUNCTION), symbol);
	assert_null(symtab_at(symtab, symbol->address, SYMBOL_VARIABLE));
	assert_null(symtab_at(symtab, 1, SYMBOL_FUNCTION));
}

static void test_prefix(void **state)
{
	const struct symtab *symtab = &((struct opened *)*state)->symtab;

	assert_int_equal(symtab_named(symtab, "symtab_test_", true).n, 3);
	assert_int_equal(symtab_named(symtab, "symtab_test_", false).n, 0);
}

static void test_offset(void **state)
{
	const struct opened *opened = *state;
	struct section *text;
	struct err err = ERR_INIT;
	uint64_t address;

	assert_true(image_section(opened->image, ".text", &err, &text));
	assert_true(image_address_of_offset(opened->image, text->offset + 3, &address));
	assert_int_equal(address, text->address + 3);
	assert_false(image_address_of_offset(opened->image, UINT64_MAX, &address));
}

static void test_extent(void **state)
{
	const struct opened *opened = *state;
	struct symbol_run run = symtab_named(&opened->symtab, "symtab_test_bss", false);
	uint64_t start, end;

	image_extent(opened->image, &start, &end);
	assert_int_equal(run.n, 1);
	assert_in_range(opened->symtab.items[run.first[0]].address, start,
			end - sizeof symtab_test_bss);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_variable, open_self, close_self),
		cmocka_unit_test_setup_teardown(test_function, open_self, close_self),
		cmocka_unit_test_setup_teardown(test_prefix, open_self, close_self),
		cmocka_unit_test_setup_teardown(test_offset, open_self, close_self),
		cmocka_unit_test_setup_teardown(test_extent, open_self, close_self),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
