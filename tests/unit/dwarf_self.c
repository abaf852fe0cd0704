/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader on this very program: what it says of these structs is what the compiler knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dwarf/dwarf.h"

struct self_inner {
	char tag;
	long value;
};

struct self_outer {
	char c;
	struct self_inner inner;
	union {
		int number;
		char bytes[3];
	};
	unsigned low : 3, high : 7;
	float grid[2][3]; /* a name that gcc and clang both have */
	struct self_outer *next;
	int (*probe)(struct self_inner *, ...);
	const char *text;
	_Alignas(32) char line;
	int tail[];
};

typedef struct {
	int x;
} self_anonymous;

static struct layout *read_names(const char *a, const char *b)
{
	struct want_list list = {0};
	struct err err = ERR_INIT;
	struct layout *layout = NULL;
	struct image *image;
	struct want want;

	want_list_add(&list, a);
	want_list_add(&list, b);
	want = want_list_finish(&list);
	assert_true(image_open("/proc/self/exe", NULL, &err, &image));
	if (!dwarf_read(image, &want, NULL, &err, &layout))
		fail_msg("%s", err.text);
	want_list_release(&list);
	image_close(image);
	return layout;
}

static const struct member *member_of(const struct def *def, const char *name)
{
	for (size_t i = 0; i < def->type->nmembers; i++)
		if (def->type->members[i].name && !strcmp(def->type->members[i].name, name))
			return &def->type->members[i];
	fail_msg("no member %s", name);
	return NULL;
}

#define assert_placed(def, type, name)                                                             \
	do {                                                                                       \
		const struct member *m_ = member_of(def, #name);                                   \
		assert_int_equal(m_->bit_offset, 8 * offsetof(struct type, name));                 \
		assert_int_equal(m_->bit_size, 8 * sizeof(((struct type *)NULL)->name));           \
	} while (0)

static void test_members(void **state)
{
	struct layout *layout = read_names("self_outer", "self_anonymous");
	const struct def *def = &layout->defs[1];
	const struct member *tail;

	(void)state;
	assert_int_equal(layout->ndefs, 2);
	assert_string_equal(def->name, "self_outer");
	assert_int_equal(def->kind, DEF_STRUCT);
	assert_int_equal(def->cus, 1);
	assert_int_equal(def->type->bits, 8 * sizeof(struct self_outer));
	assert_int_equal(def->type->align, 32);
	assert_placed(def, self_outer, c);
	assert_placed(def, self_outer, inner);
	assert_placed(def, self_outer, grid);
	assert_placed(def, self_outer, next);
	assert_placed(def, self_outer, probe);
	assert_placed(def, self_outer, line);
	tail = member_of(def, "tail");
	assert_true(tail->is_flexible);
	assert_int_equal(tail->bit_offset, 8 * offsetof(struct self_outer, tail));
	assert_true(member_of(def, "high")->is_bitfield);
	assert_int_equal(member_of(def, "high")->bit_size, 7);
	assert_int_equal(member_of(def, "high")->bit_offset - member_of(def, "low")->bit_offset, 3);
	assert_string_equal(member_of(def, "grid")->type->spelling, "float[2][3]");
	assert_string_equal(member_of(def, "next")->type->spelling, "struct self_outer *");
	assert_string_equal(member_of(def, "probe")->type->spelling,
			    "int (*)(struct self_inner *, ...)");
	assert_string_equal(member_of(def, "text")->type->spelling, "const char *");
	layout_free(layout);
}

static void test_typedef(void **state)
{
	struct layout *layout = read_names("self_outer", "self_anonymous");
	const struct def *def = &layout->defs[0];

	(void)state;
	assert_string_equal(def->name, "self_anonymous");
	assert_int_equal(def->kind, DEF_TYPEDEF);
	assert_int_equal(def->type->bits, 8 * sizeof(self_anonymous));
	assert_null(def->type->name);
	layout_free(layout);
}

static int measure(int n)
{
	struct self_local {
		char c[3];
	} volatile local[2] = {{{(char)n}}}; /* so that it is kept */

	return local[0].c[0];
}

static void test_local(void **state)
{
	struct layout *layout = read_names("self_local", "no_such_struct_at_all");

	(void)state;
	assert_int_equal(measure(3), 3);
	assert_int_equal(layout->ndefs, 1);
	assert_string_equal(layout->defs[0].scope, "()");
	assert_int_equal(layout->defs[0].type->bits, 24);
	layout_free(layout);
}

int main(void)
{
	/* So that the compiler keeps their types. */
	struct self_outer outer = {.inner = {.tag = 1}};
	self_anonymous anonymous = {0};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_typedef),
		cmocka_unit_test(test_local),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL) + anonymous.x + outer.c;
}
