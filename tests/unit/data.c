/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables of symbol tables that are written here: of both widths and byte orders, linked and not;
 * which one a name means, and what lies beside it. */
#include "elf_help.h"
#include "elf_write.h"

#include "elf/symtab.h"

enum { DATA = 1, PERCPU, TLS, TEXT, SYMTAB, STRTAB, NSECTIONS = STRTAB };

enum {
	GLOBAL = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
	LOCAL = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT)
};

static const struct made {
	const char *name;
	unsigned char info;
	uint16_t section;
	uint64_t value, size;
} made[] = {
	{"", 0, 0, 0, 0},
	{"a.c", ELF64_ST_INFO(STB_LOCAL, STT_FILE), SHN_ABS, 0, 0},
	{"", ELF64_ST_INFO(STB_LOCAL, STT_SECTION), DATA, 0x1000, 0},
	{"hidden", LOCAL, DATA, 0x1000, 4},
	{"both", LOCAL, DATA, 0x1004, 4},
	{"count.7", LOCAL, DATA, 0x1008, 8},
	{"key.1", LOCAL, DATA, 0x1010, 4},
	{"key.2", LOCAL, DATA, 0x1014, 4},
	{"$d", ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE), DATA, 0x1000, 0},
	{"dir/b.c", ELF64_ST_INFO(STB_LOCAL, STT_FILE), SHN_ABS, 0, 0},
	{"hidden", LOCAL, DATA, 0x1018, 4},
	{"empty", LOCAL, DATA, 0x1040, 0},
	{"number", LOCAL, SHN_ABS, 0x1040, 8},
	{"lost", LOCAL, 100, 0x1040, 8},
	{"both", GLOBAL, DATA, 0x1020, 4},
	{"zulu", GLOBAL, DATA, 0x1040, 40},
	{"alias", GLOBAL, DATA, 0x1040, 0},
	{"start", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), DATA, 0x1040, 0},
	{"end", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), DATA, 0x10a0, 0},
	{"outer", GLOBAL, DATA, 0x1080, 32},
	{"inner", GLOBAL, DATA, 0x1088, 8},
	{"apart", GLOBAL, DATA, 0x10c0, 64},
	{"cpu", GLOBAL, PERCPU, 0x40, 4},
	{"thread", ELF64_ST_INFO(STB_GLOBAL, STT_TLS), TLS, 0, 4},
	{"common", GLOBAL, SHN_COMMON, 8, 8},
	{"wanted", GLOBAL, SHN_UNDEF, 0, 0},
	{"code", ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), TEXT, 0x2000, 8},
	{"label", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), TEXT, 0x2000, 0},
};

struct opened {
	struct image *image;
	struct arena arena;
	struct data_table table;
};

static void open_made(struct opened *opened, unsigned bits, bool big, unsigned type)
{
	static const uint8_t zeros[0x100];
	struct out out = {.bits = bits, .type = type, .machine = EM_PPC64, .big = big};
	struct buf symtab = BUF_INIT, names = BUF_INIT, file;
	uint64_t data = type == ET_REL ? 0 : 0x1000;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		bool moves = made[i].section == DATA;

		put_symbol_of(&symtab, &out, (uint32_t)names.len, made[i].info,
			      made[i].value - (moves ? 0x1000 - data : 0), made[i].size,
			      made[i].section);
		buf_add(&names, made[i].name, strlen(made[i].name) + 1);
	}
	const struct out_section sections[NSECTIONS] = {
		{".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR, data, zeros, 0x100,
		 0, 0, 64},
		{".data..percpu", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, zeros, 0x50, 0, 0, 8},
		{".tdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS, 0, zeros, 4, 0, 0, 4},
		{".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x2000, zeros, 8, 0, 0, 4},
		{".symtab", SHT_SYMTAB, 0, 0, symtab.s, symtab.len, STRTAB, 14, 8},
		{".strtab", SHT_STRTAB, 0, 0, names.s, names.len, 0, 0, 1},
	};

	out.sections = sections;
	out.n = NSECTIONS;
	file = write_elf(&out);
	write_file("data.elf", file.s, file.len);
	opened->image = open_image("data.elf", NULL);
	arena_init(&opened->arena);
	if (!image_data(opened->image, &opened->arena, &err, &opened->table))
		fail_msg("%s", err.text);
	buf_release(&file);
	buf_release(&symtab);
	buf_release(&names);
}

static void close_made(struct opened *opened)
{
	arena_release(&opened->arena);
	image_close(opened->image);
}

static struct extent expect_found(struct opened *opened, const char *name, const char *source)
{
	struct extent extent;
	const char *why = NULL;

	if (data_find(&opened->table, name, source, &opened->arena, &why, &extent) != DATA_FOUND)
		fail_msg("%s: %s", name, why);
	return extent;
}

static void expect_not(struct opened *opened, const char *name, const char *source,
		       enum data_found wanted, const char *wanted_why)
{
	struct extent extent;
	const char *why = NULL;

	assert_int_equal(data_find(&opened->table, name, source, &opened->arena, &why, &extent),
			 wanted);
	assert_string_equal(why, wanted_why);
}

static void check_names(struct opened *opened, uint64_t data)
{
	assert_int_equal(expect_found(opened, "zulu", NULL).start, data + 0x40);
	assert_int_equal(expect_found(opened, "zulu", NULL).size, 40);
	/* Another name of it, which has no size. */
	assert_int_equal(expect_found(opened, "alias", NULL).size, 40);
	assert_true(expect_found(opened, "alias", NULL).has_size);
	assert_false(expect_found(opened, "end", NULL).has_size);
	assert_int_equal(expect_found(opened, "both", "a.c").start, data + 0x20);
	assert_int_equal(expect_found(opened, "hidden", "a.c").start, data);
	assert_int_equal(expect_found(opened, "hidden", "b.c").start, data + 0x18);
	assert_int_equal(expect_found(opened, "hidden", "top/dir/b.c").start, data + 0x18);
	assert_int_equal(expect_found(opened, "count", NULL).start, data + 8);
	assert_int_equal(expect_found(opened, "cpu", NULL).start, 0x40);
	assert_true(expect_found(opened, "cpu", NULL).section->is_percpu);
	expect_not(opened, "hidden", NULL, DATA_UNTOLD,
		   "there are 2 variables hidden, those of a.c, dir/b.c");
	expect_not(opened, "key", NULL, DATA_UNTOLD,
		   "there are 2 variables key, those of a.c, a.c");
	expect_not(opened, "hidden", "ir/b.c", DATA_ABSENT,
		   "hidden is not in this image for ir/b.c, but for a.c, dir/b.c");
	expect_not(opened, "thread", NULL, DATA_UNTOLD,
		   "thread is thread-local: each thread has its own");
	expect_not(opened, "common", NULL, DATA_UNTOLD,
		   "common is a common symbol, which the linker has yet to place");
	for (size_t i = 0; i < 6; i++) {
		const char *const absent[] = {"number", "lost", "wanted", "code", "label", "$d"};
		char why[64];

		snprintf(why, sizeof why, "%s is not in this image", absent[i]);
		expect_not(opened, absent[i], NULL, DATA_ABSENT, why);
	}
}

/* The names of what lies in a range, with blanks between. */
static void expect_between(struct opened *opened, uint32_t space, uint64_t start, uint64_t end,
			   const char *wanted)
{
	struct extents extents = data_between(&opened->table, space, start, end, &opened->arena);
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < extents.n; i++)
		buf_addf(&names, "%s%s", i ? " " : "", extents.items[i].name);
	assert_string_equal(names.s ? names.s : "", wanted);
	buf_release(&names);
}

static void check_places(struct opened *opened, uint64_t data)
{
	uint32_t space = expect_found(opened, "zulu", NULL).section->space;

	expect_between(opened, space, data, data + 0x40,
		       "hidden both count.7 key.1 key.2 hidden both");
	expect_between(opened, space, data + 0x40, data + 0x80, "zulu");
	expect_between(opened, space, data + 0x67, data + 0x68, "zulu");
	expect_between(opened, space, data + 0x68, data + 0x80, "");
	expect_between(opened, space, data + 0x80, data + 0xc0, "outer");
	expect_between(opened, space, data + 0x9f, data + 0xff, "outer apart");
	expect_between(opened, expect_found(opened, "cpu", NULL).section->space, 0, 0x80, "cpu");
}

static void test_all(void **state)
{
	(void)state;
	for (unsigned bits = 32; bits <= 64; bits += 32)
		for (int big = 0; big < 2; big++) {
			struct opened opened;

			open_made(&opened, bits, big, ET_EXEC);
			assert_false(opened.table.is_object || opened.table.is_partial);
			check_names(&opened, 0x1000);
			check_places(&opened, 0x1000);
			close_made(&opened);
			open_made(&opened, bits, big, ET_REL);
			assert_true(opened.table.is_object);
			check_names(&opened, 0);
			check_places(&opened, 0);
			assert_int_equal(expect_found(&opened, "zulu", NULL).section->align, 64);
			close_made(&opened);
		}
}

/* A size that reaches over the end of memory hides nothing behind it but what it holds. */
static void test_huge(void **state)
{
	static const struct data_section section = {.name = ".data", .align = 64};
	struct data_symbol items[] = {
		{.name = "last", .section = &section, .address = UINT64_MAX - 7, .size = 8},
		{.name = "huge", .section = &section, .address = 64, .size = UINT64_MAX - 2},
		{.name = "first", .section = &section, .address = 0, .size = 4},
	};
	struct opened opened = {.table = {.items = items, .n = ARRAY_SIZE(items)}};

	(void)state;
	arena_init(&opened.arena);
	data_sort(&opened.table, &opened.arena);
	expect_between(&opened, 0, 0, 64, "first");
	expect_between(&opened, 0, 0, UINT64_MAX, "first huge");
	expect_between(&opened, 0, UINT64_MAX - 7, UINT64_MAX, "huge");
	arena_release(&opened.arena);
}

static void test_plain_names(void **state)
{
	static const char *const names[][2] = {
		{"count.3", "count"},
		{"a.b.12", "a.b"},
		{"x.llvm.77", "x"},
		{"x.lto_priv.0", "x"},
		{"x.lto_priv", "x.lto_priv"},
		{".3", ".3"},
		{"x.", "x."},
		{"x", "x"},
		{"x.3.cold", "x.3.cold"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(data_plain_name(names[i][0], &arena), names[i][1]);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_plain_names),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
