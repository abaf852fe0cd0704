/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocated debug sections of object files: equal to what readelf shows, machine by machine, and
 * sections of one name joined as the linker joins them.
 */
#include "elf_help.h"

#include <ctype.h>

#include "base/buf.h"
#include "elf/reloc.h"

static const char SOURCE[] = "struct s { int a; char *b; struct s *next; } g = {1, 0, 0};\n"
			     "static int sum(struct s *p)\n"
			     "{\n"
			     "	int n = 0;\n"
			     "	for (; p; p = p->next)\n"
			     "		n += p->a + g.a;\n"
			     "	return n;\n"
			     "}\n"
			     "int f(struct s *p) { return sum(p) + sum(&g); }\n"
			     "int h(struct s *p) { return p ? f(p->next) : 0; }\n";

static bool is_debug(const struct section *section)
{
	return strncmp(section->name, ".debug_", 7) == 0;
}

/*
 * The bytes in one line of a hex dump, such as
 * "  0x00000000 5f000000 05000801 00000000 01000000 _...............".
 */
static void add_line(struct buf *buf, const char *line)
{
	const char *p = line + strlen("  0x00000000 ");

	if (strncmp(line, "  0x", 4) != 0)
		return;
	for (unsigned i = 0; i < 16 && isxdigit(p[0]) && isxdigit(p[1]); i++) {
		char hex[3] = {p[0], p[1], 0};

		buf_addc(buf, (char)strtoul(hex, NULL, 16));
		p += i % 4 == 3 ? 3 : 2;
	}
}

/*
 * What readelf shows of all debug sections after relocation, one behind the other in the order of
 * the file.
 */
static void readelf_bytes(const char *path, struct image *image, struct buf *buf)
{
	struct buf command = BUF_INIT;
	char line[256];
	FILE *f;

	buf_adds(&command, "readelf -z 2>/dev/null >dump");
	for (size_t i = 0; i < image_debug_nsections(image); i++) {
		const struct section *section = image_debug_section_at(image, i);

		if (is_debug(section))
			buf_addf(&command, " -R %s", section->name);
	}
	run("%s %s", command.s, path);
	buf_release(&command);
	f = fopen("dump", "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		add_line(buf, line);
	fclose(f);
}

/* Compares every debug section; returns how many there were. */
static unsigned check_file(const char *path)
{
	struct image *image = open_image(path, NULL);
	struct buf want = BUF_INIT;
	unsigned sections = 0;
	size_t at = 0;

	readelf_bytes(path, image, &want);
	assert_true(image_is_relocatable(image));
	for (size_t i = 0; i < image_debug_nsections(image); i++) {
		struct section *section = image_debug_section_at(image, i);

		if (!is_debug(section))
			continue;
		assert_ptr_equal(get_section(image, section->name), section);
		if (section->size > want.len - at ||
		    memcmp(want.s + at, section->data, section->size) != 0)
			fail_msg("%s: %s differs from readelf's", path, section->name);
		at += section->size;
		sections++;
	}
	assert_int_equal(at, want.len);
	buf_release(&want);
	image_close(image);
	return sections;
}

/*
 * readelf does not know the relocations of bpf, but their symbols are of value 0 and the addends
 * stand in the section.
 */
static void test_machines(void **state)
{
	static const char *const targets[] = {
		"x86_64",  "i386",    "aarch64",   "aarch64_be",  "armv7",   "armv7eb",
		"riscv64", "riscv32", "powerpc64", "powerpc64le", "powerpc", "s390x",
		"mips",    "mipsel",  "mips64",    "mips64el",    "sparcv9", "bpf",
	};

	(void)state;
	write_text("a.c", SOURCE);
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		for (unsigned version = 4; version <= 5; version++) {
			run("clang -target %s-linux-gnu -fintegrated-as -gdwarf-%u -O1 -c a.c -o "
			    "a.o 2>/dev/null",
			    targets[i], version);
			assert_true(check_file("a.o") >= 5);
		}
}

static void test_host_compiler(void **state)
{
	(void)state;
	write_text("a.c", SOURCE);
	run("gcc -gdwarf-4 -O2 -c a.c -o a.o");
	assert_true(check_file("a.o") >= 5);
	run("gcc -gdwarf-5 -gz=zlib -O2 -c a.c -o a.o");
	assert_true(check_file("a.o") >= 5);
}

/* Relocated data differs from what is in the file: the test above is not of zeros. */
static void test_is_applied(void **state)
{
	struct image *image;
	struct section *section;
	uint8_t stored[4096];
	FILE *f;

	(void)state;
	write_text("a.c", SOURCE);
	run("gcc -gdwarf-5 -c a.c -o a.o");
	image = open_image("a.o", NULL);
	section = get_section(image, ".debug_info");
	f = fopen("a.o", "rb");
	assert_true(section->size <= sizeof stored);
	assert_int_equal(fseek(f, (long)section->offset, SEEK_SET), 0);
	assert_int_equal(fread(stored, 1, section->size, f), section->size);
	fclose(f);
	assert_memory_not_equal(stored, section->data, section->size);
	image_close(image);
}

/* Type units and macros: several sections of one name, joined as `ld -r` joins them. */
static void test_parts(void **state)
{
	struct image *parts, *whole;
	unsigned n = 0;

	(void)state;
	write_text("a.c", SOURCE);
	run("gcc -gdwarf-5 -g3 -fdebug-types-section -c a.c -o a.o");
	run("test $(readelf -SW a.o | grep -c ' [.]debug_info ') -gt 1");
	run("ld -r --force-group-allocation a.o -o joined.o");
	parts = open_image("a.o", NULL);
	whole = open_image("joined.o", NULL);
	for (size_t i = 0; i < image_debug_nsections(whole); i++) {
		struct section *want = image_debug_section_at(whole, i);
		struct section *have;

		if (!is_debug(want))
			continue;
		have = get_section(parts, want->name);
		get_section(whole, want->name);
		assert_int_equal(have->size, want->size);
		assert_memory_equal(have->data, want->data, want->size);
		n++;
	}
	assert_true(n >= 6);
	image_close(parts);
	image_close(whole);
}

/* A linked file keeps its relocations with --emit-relocs: they are applied already. */
static void test_emit_relocs(void **state)
{
	struct image *kept, *plain;
	struct section *a, *b;

	(void)state;
	write_text("a.c", SOURCE);
	run("gcc -g -c a.c -o a.o");
	run("ld -e f a.o -o plain && ld -e f --emit-relocs a.o -o kept");
	run("readelf -SW kept | grep -q '[.]rela[.]debug_info'");
	plain = open_image("plain", NULL);
	kept = open_image("kept", NULL);
	a = get_section(plain, ".debug_info");
	b = get_section(kept, ".debug_info");
	assert_int_equal(a->size, b->size);
	assert_memory_equal(a->data, b->data, a->size);
	image_close(plain);
	image_close(kept);
}

static void test_unknown(void **state)
{
	struct err err = ERR_INIT;
	struct image *image;
	struct section *section = NULL;

	(void)state;
	assert_null(reloc_kind(62, 4));
	write_text("a.s", ".section .debug_info,\"\"\n.long 1\n.long x - .\n.long 2\n");
	run("gcc -c a.s -o a.o");
	image = open_image("a.o", NULL);
	assert_false(image_section(image, ".debug_info", &err, &section));
	assert_string_equal(err.text,
			    "a.o: .debug_info: the relocation at offset 0x4 is of type 2, "
			    "which is unknown for machine 62");
	assert_null(section);
	err_release(&err);
	image_close(image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),    cmocka_unit_test(test_host_compiler),
		cmocka_unit_test(test_is_applied),  cmocka_unit_test(test_parts),
		cmocka_unit_test(test_emit_relocs), cmocka_unit_test(test_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
