/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "elf/image.h"
#include "elf/kernel.h"

static struct image *opened(const char *path)
{
	struct err err = ERR_INIT;
	struct image *image = NULL;

	if (!image_open(path, NULL, &err, &image))
		fail_msg("%s", err.text);
	return image;
}

static void test_own_binary(void **state)
{
	struct image *image = opened("/proc/self/exe");
	struct err err = ERR_INIT;
	struct section *section;

	(void)state;
	assert_int_equal(image_kind(image), IMAGE_ELF);
	assert_false(image_is_relocatable(image));
	assert_int_equal(image_target(image)->bits, sizeof(void *) * 8);
	assert_true(image_section(image, ".debug_info", &err, &section));
	assert_non_null(section);
	assert_true(image_load(image, section, &err));
	assert_non_null(section->data);
	assert_true(image_section(image, ".no_such", &err, &section));
	assert_null(section);
	image_close(image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_binary),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
