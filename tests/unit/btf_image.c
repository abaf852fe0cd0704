// SPDX-License-Identifier: GPL-2.0-or-later
/* BTF in the files where it is found: ELF of several machines, raw, and a module's on its base. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "btf/btf.h"
#include "lib/btf.h"
#include "lib/scratch.h"

static const char kernel_source[] = "struct common { long a; void *b; };\n"
				    "struct common common;\n";
static const char module_source[] = "struct common { long a; void *b; };\n"
				    "struct added { char c; struct common common; };\n"
				    "struct added added;\n";

static int make_images(void **state)
{
	if (scratch_make(state) != 0)
		return -1;
	scratch_write("kernel.c", kernel_source);
	scratch_write("module.c", module_source);
	scratch_run("for m in 64 32; do gcc -m$m -g -c kernel.c -o kernel$m.o &&"
		    "gcc -m$m -g -c module.c -o module$m.o || exit 1; done");
	scratch_run("cp kernel64.o plain.o");
	scratch_run("echo 'struct node { struct node *next; } node;' >node.c &&"
		    "gcc -m32 -g -c node.c && pahole --btf_encode_detached=node.btf node.o");
	/* The raw ones first: -J writes into the object. */
	scratch_run("pahole --btf_encode_detached=kernel.btf kernel64.o &&"
		    "pahole --btf_base=kernel.btf --btf_encode_detached=module.btf module64.o");
	scratch_run("pahole -J kernel64.o && pahole -J kernel32.o &&"
		    "pahole -J --btf_base=kernel.btf module64.o &&"
		    "objcopy --add-section .BTF.base=kernel.btf module64.o distilled.o");
	return 0;
}

static struct btf_options options;

static struct image *open_image(const char *name)
{
	const struct image_options here = {.no_separate = true};
	struct err err = ERR_INIT;
	struct image *image;

	if (!image_open(scratch_path(name), &here, &err, &image))
		fail_msg("%s", err.text);
	return image;
}

static struct layout *read_image(struct image *image, struct image *base)
{
	struct err err = ERR_INIT;
	struct layout *layout;

	if (!btf_read(image, base, &everything, &options, &err, &layout))
		fail_msg("%s", err.text);
	return layout;
}

static void cannot_read(struct image *image, struct image *base, const char *part)
{
	struct err err = ERR_INIT;
	struct layout *layout;

	assert_false(btf_read(image, base, &everything, &options, &err, &layout));
	if (!strstr(err.text, part))
		fail_msg("\"%s\" has no \"%s\"", err.text, part);
	err_release(&err);
}

static void elf(void **state)
{
	struct image *image = open_image("kernel64.o");
	struct layout *layout = read_image(image, NULL);

	(void)state;
	assert_true(btf_present(image));
	assert_false(btf_is_split(image));
	image_close(image); /* the layout stands alone */
	assert_string_equal(layout->target.arch, "x86_64");
	assert_int_equal(layout->target.bits, 64);
	assert_non_null(strstr(layout->path, "kernel64.o"));
	assert_int_equal(layout->source, SOURCE_BTF);
	expect_members(find(layout, "common"), true, "a 0 64 long int\nb 64 64 void *\n");
	layout_free(layout);
}

static void elf_of_32_bits(void **state)
{
	struct image *image = open_image("kernel32.o");
	struct layout *layout = read_image(image, NULL);

	(void)state;
	assert_string_equal(layout->target.arch, "i386");
	expect_members(find(layout, "common"), true, "a 0 32 long int\nb 32 32 void *\n");
	layout_free(layout);
	image_close(image);
}

static void raw(void **state)
{
	struct image *image = open_image("kernel.btf");
	struct layout *layout = read_image(image, NULL);

	(void)state;
	assert_true(btf_present(image));
	assert_null(layout->target.arch);
	assert_int_equal(layout->target.bits, 64);
	expect_members(find(layout, "common"), false, "a 0 64\nb 64 64\n");
	layout_free(layout);
	options.pointer_bits = 32;
	cannot_read(image, NULL, "has a `long` of 64 bits, and the machine has 32 bits");
	options.pointer_bits = 0;
	image_close(image);
}

/* Nothing in it has a size that a pointer could be told from. */
static void raw_without_long(void **state)
{
	struct image *image = open_image("node.btf");
	struct layout *layout;

	(void)state;
	cannot_read(image, NULL, "no type `long` tells their size");
	options.pointer_bits = 32;
	layout = read_image(image, NULL);
	expect_members(find(layout, "node"), false, "next 0 32\n");
	layout_free(layout);
	options.pointer_bits = 0;
	image_close(image);
}

static void without_btf(void **state)
{
	struct image *image = open_image("plain.o");

	(void)state;
	assert_false(btf_present(image));
	assert_false(btf_is_split(image));
	cannot_read(image, NULL, "plain.o: it has no BTF");
	image_close(image);
}

/* @name: a module; @base: what it stands on. */
static void expect_module(const char *name, const char *base_name)
{
	struct image *image = open_image(name), *base = open_image(base_name);
	struct layout *layout;

	assert_true(btf_is_split(image));
	cannot_read(image, NULL, "its BTF is a module's and stands on that of its vmlinux");
	cannot_read(image, image, "is a module's, too, and no base");
	layout = read_image(image, base);
	expect_members(find(layout, "added"), true, "c 0 8 char\ncommon 64 128 struct common\n");
	assert_int_equal(layout->ndefs, 1);
	layout_free(layout);
	image_close(base);
	image_close(image);
}

static void module_in_elf(void **state)
{
	(void)state;
	expect_module("module64.o", "kernel64.o");
}

static void module_in_raw(void **state)
{
	(void)state;
	expect_module("module.btf", "kernel.btf");
}

/* The numbers of its types count from a base of its own. */
static void distilled_base(void **state)
{
	struct image *image = open_image("distilled.o"), *base = open_image("kernel64.o");

	(void)state;
	cannot_read(image, base, "its BTF stands on a distilled base");
	image_close(base);
	image_close(image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elf),           cmocka_unit_test(elf_of_32_bits),
		cmocka_unit_test(raw),           cmocka_unit_test(raw_without_long),
		cmocka_unit_test(without_btf),   cmocka_unit_test(module_in_elf),
		cmocka_unit_test(module_in_raw), cmocka_unit_test(distilled_base),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_images, scratch_remove);
}
