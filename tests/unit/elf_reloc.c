/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocated debug sections of object files: equal to what readelf shows, machine by machine, and
 * sections of one name joined as the linker joins them.
 */
#include "elf_help.h"
#include "elf_write.h"

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
		/* The older form has no tables of strings and addresses: a few will do. */
		for (unsigned version = i % 6 ? 5 : 4; version <= 5; version++) {
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

/* Relocations that no compiler here makes: a .debug_info of our own and a table over it. */
struct hand {
	struct out out;
	struct buf table;
	struct out_section sections[4];
};

/* Symbols: 1 is 0x1000, 2 is 0x1234, 3 is a common one, aligned to 8. */
static void hand_init(struct hand *hand, unsigned machine, unsigned bits, bool big, bool rela)
{
	*hand = (struct hand){
		.out = {bits, ET_REL, machine, big, hand->sections, 4},
		.table = BUF_INIT,
		.sections =
			{
				{".debug_info", SHT_PROGBITS, 0, 0, NULL, 0, 0, 0, 1},
				{"table", rela ? SHT_RELA : SHT_REL, 0, 0, NULL, 0, 3, 1, 8},
				{".symtab", SHT_SYMTAB, 0, 0, NULL, 0, 4, 1, 8},
				{".strtab", SHT_STRTAB, 0, 0, "", 1, 0, 0, 1},
			},
	};
}

static void hand_write(struct hand *hand, const char *data, size_t len)
{
	struct buf symtab = BUF_INIT, file;

	put_symbol(&symtab, &hand->out, 0, 0, 0, 0);
	put_symbol(&symtab, &hand->out, 0, 0x1000, 0, SHN_ABS);
	put_symbol(&symtab, &hand->out, 0, 0x1234, 0, SHN_ABS);
	put_symbol(&symtab, &hand->out, 0, 8, 4, SHN_COMMON);
	hand->sections[0].data = data;
	hand->sections[0].len = len;
	hand->sections[1].data = hand->table.s;
	hand->sections[1].len = hand->table.len;
	hand->sections[2].data = symtab.s;
	hand->sections[2].len = symtab.len;
	file = write_elf(&hand->out);
	write_file("hand.o", file.s, file.len);
	buf_release(&file);
	buf_release(&symtab);
	buf_release(&hand->table);
}

static void hand_expect(struct hand *hand, const char *data, const char *want, size_t len)
{
	struct section *section;
	struct image *image;

	hand_write(hand, data, len);
	image = open_image("hand.o", NULL);
	section = get_section(image, ".debug_info");
	assert_int_equal(section->size, len);
	assert_memory_equal(section->data, want, len);
	image_close(image);
}

/*
 * Machines that no compiler here makes objects for: the same as readelf makes of an absolute
 * address of each width, over bytes that are not 0. That of sh does not look at the addends of its
 * tables, which as leaves at 0.
 */
static void test_machines_by_hand(void **state)
{
	static const struct {
		const char *name;
		unsigned machine, bits;
		bool big;
		unsigned types[2]; /* of four bytes, of eight (0: it has none) */
	} machines[] = {
		{"alpha", 0x9026, 64, false, {1, 2}},    {"arc", 93, 32, false, {4, 0}},
		{"arcv2", 195, 32, true, {4, 0}},        {"csky", 252, 32, false, {1, 0}},
		{"ia64", 50, 64, false, {0x65, 0x27}},   {"microblaze", 189, 32, true, {1, 0}},
		{"nios2", 113, 32, false, {12, 0}},      {"openrisc", 92, 32, true, {1, 0}},
		{"hppa", 15, 32, true, {1, 0}},          {"hppa64", 15, 64, true, {41, 80}},
		{"sh", 42, 32, false, {1, 0}},           {"xtensa", 94, 32, false, {1, 0}},
		{"loongarch64", 258, 64, false, {1, 2}}, {"avr", 83, 32, false, {1, 0}},
		{"sparc32plus", 18, 32, true, {3, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		struct hand hand;

		hand_init(&hand, machines[i].machine, machines[i].bits, machines[i].big, true);
		for (unsigned wide = 0; wide < 2; wide++)
			if (machines[i].types[wide])
				put_reloc(&hand.table, &hand.out, 8 * wide, 2,
					  machines[i].types[wide], true,
					  machines[i].machine == 42 ? 0 : 0x10);
		hand_write(&hand, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20", 16);
		print_message("# %s\n", machines[i].name);
		assert_int_equal(check_file("hand.o"), 1);
	}
}

static void hand_refuse(struct hand *hand, const char *text)
{
	struct err err = ERR_INIT;
	struct section *section;
	struct image *image;

	hand_write(hand, "\x80\x80\0\0", 4);
	image = open_image("hand.o", NULL);
	assert_false(image_section(image, ".debug_info", &err, &section));
	assert_string_equal(err.text, text);
	err_release(&err);
	image_close(image);
}

enum { RISCV_SET_ULEB128 = 60, RISCV_SUB_ULEB128 = 61 };

static void test_pairs(void **state)
{
	struct hand hand;

	(void)state;
	/* 0x1234 + 4 - 0x1000 = 0x238, in two bytes, and in four. */
	hand_init(&hand, EM_RISCV, 64, false, true);
	put_reloc(&hand.table, &hand.out, 0, 2, RISCV_SET_ULEB128, true, 4);
	put_reloc(&hand.table, &hand.out, 0, 1, RISCV_SUB_ULEB128, true, 0);
	put_reloc(&hand.table, &hand.out, 2, 2, RISCV_SET_ULEB128, true, 4);
	put_reloc(&hand.table, &hand.out, 2, 1, RISCV_SUB_ULEB128, true, 0);
	hand_expect(&hand, "\x80\0\x80\x80\x80\0\xff", "\xb8\4\xb8\x84\x80\0\xff", 7);
	/* LoongArch adds to what is there: 5 + 0x234. */
	hand_init(&hand, EM_LOONGARCH, 64, false, true);
	put_reloc(&hand.table, &hand.out, 0, 2, 107, true, 0);
	put_reloc(&hand.table, &hand.out, 0, 1, 108, true, 0);
	hand_expect(&hand, "\x85\0", "\xb9\4", 2);
	/* Six bits: 0x1234 - 0x1210 = 0x24, under 0xc0 that stays. */
	hand_init(&hand, EM_RISCV, 64, false, true);
	put_reloc(&hand.table, &hand.out, 0, 2, R_RISCV_SET6, true, 0);
	put_reloc(&hand.table, &hand.out, 0, 1, R_RISCV_SUB6, true, 0x210);
	hand_expect(&hand, "\xc0", "\xe4", 1);
}

static void test_pairs_refused(void **state)
{
	struct hand hand;

	(void)state;
	hand_init(&hand, EM_RISCV, 64, false, true);
	put_reloc(&hand.table, &hand.out, 0, 1, RISCV_SUB_ULEB128, true, 0);
	hand_refuse(&hand, "hand.o: .debug_info: the relocation at offset 0x0 (type 61) cannot be "
			   "applied to 4 bytes");
	/* Of another place. */
	hand_init(&hand, EM_RISCV, 64, false, true);
	put_reloc(&hand.table, &hand.out, 1, 2, RISCV_SET_ULEB128, true, 0);
	put_reloc(&hand.table, &hand.out, 0, 1, RISCV_SUB_ULEB128, true, 0);
	hand_refuse(&hand, "hand.o: .debug_info: the relocation at offset 0x0 (type 61) cannot be "
			   "applied to 4 bytes");
	/* Too large for its one byte. */
	hand_init(&hand, EM_RISCV, 64, false, true);
	put_reloc(&hand.table, &hand.out, 2, 2, RISCV_SET_ULEB128, true, 0);
	put_reloc(&hand.table, &hand.out, 2, 1, RISCV_SUB_ULEB128, true, 0);
	hand_refuse(&hand, "hand.o: .debug_info: the relocation at offset 0x2 (type 61) cannot be "
			   "applied to 4 bytes");
}

static void test_addends(void **state)
{
	struct hand hand;

	(void)state;
	/* In the section: 0x1234 + 6. */
	hand_init(&hand, EM_386, 32, false, false);
	put_reloc(&hand.table, &hand.out, 1, 2, R_386_32, false, 0);
	hand_expect(&hand, "\1\6\0\0\0\1", "\1\x3a\x12\0\0\1", 6);
	/* In the table, a negative one; what is in the section does not matter. */
	hand_init(&hand, EM_S390, 64, true, true);
	put_reloc(&hand.table, &hand.out, 0, 2, R_390_64, true, -0x34);
	hand_expect(&hand, "xxxxxxxxy", "\0\0\0\0\0\0\x12\0y", 9);
	/* A common symbol has no address yet, and its value is not one. */
	hand_init(&hand, EM_S390, 64, true, true);
	put_reloc(&hand.table, &hand.out, 0, 3, R_390_32, true, 7);
	hand_expect(&hand, "xxxx", "\0\0\0\7", 4);
	/* Without a symbol; and one that does nothing. */
	hand_init(&hand, EM_S390, 64, true, true);
	put_reloc(&hand.table, &hand.out, 0, 0, R_390_32, true, 9);
	put_reloc(&hand.table, &hand.out, 99, 77, R_390_NONE, true, 9);
	hand_expect(&hand, "xxxx", "\0\0\0\x9", 4);
	/* The offset of a thread's variable counts from 0x8000 below. */
	hand_init(&hand, EM_PPC64, 64, true, true);
	put_reloc(&hand.table, &hand.out, 0, 2, R_PPC64_DTPREL64, true, 0x8000);
	hand_expect(&hand, "xxxxxxxx", "\0\0\0\0\0\0\x12\x34", 8);
}

static void test_refused(void **state)
{
	struct hand hand;

	(void)state;
	hand_init(&hand, EM_X86_64, 64, false, true);
	put_reloc(&hand.table, &hand.out, 1, 1, R_X86_64_32, true, 0);
	hand_refuse(&hand, "hand.o: .debug_info: the relocation at offset 0x1 (type 10) cannot be "
			   "applied to 4 bytes");
	hand_init(&hand, EM_X86_64, 64, false, true);
	put_reloc(&hand.table, &hand.out, UINT64_MAX, 1, R_X86_64_32, true, 0);
	hand_refuse(&hand, "hand.o: .debug_info: the relocation at offset 0xffffffffffffffff (type "
			   "10) cannot be applied to 4 bytes");
	hand_init(&hand, EM_X86_64, 64, false, true);
	put_reloc(&hand.table, &hand.out, 0, 4, R_X86_64_32, true, 0);
	hand_refuse(&hand, "hand.o: .debug_info: the relocation at offset 0x0 is against symbol 4, "
			   "which is not there");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),         cmocka_unit_test(test_host_compiler),
		cmocka_unit_test(test_is_applied),       cmocka_unit_test(test_parts),
		cmocka_unit_test(test_emit_relocs),      cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_machines_by_hand), cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_pairs_refused),    cmocka_unit_test(test_addends),
		cmocka_unit_test(test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
