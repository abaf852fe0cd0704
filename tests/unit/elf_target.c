/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an ELF file says of its target, and what is known of the running kernel. */
#include "elf_help.h"
#include "elf_write.h"

#include <sys/utsname.h>

#include "elf/kernel.h"

#define BANNER                                                                                     \
	"Linux version 6.12.57+deb13-s390x (debian-kernel@lists.debian.org) (gcc-14) #1 SMP\n"

static void write_out(const char *path, const struct out *out)
{
	struct buf buf = write_elf(out);

	write_file(path, buf.s, buf.len);
	buf_release(&buf);
}

static void check_equal(const struct section *section, const char *path)
{
	struct err err = ERR_INIT;
	struct bytes want;

	assert_true(file_read(path, SIZE_MAX, &err, &want));
	assert_int_equal(section->size, want.len);
	assert_memory_equal(section->data, want.data, want.len);
	bytes_release(&want);
}

static void expect_kernel(const char *path, const char *module, const char *release)
{
	struct image *image = open_image(path, NULL);
	const struct target *target = image_target(image);

	if (!module)
		assert_null(target->module);
	else
		assert_string_equal(target->module, module);
	if (!release) {
		assert_null(target->release);
		assert_false(target->has_kernel);
	} else {
		assert_string_equal(target->release, release);
		assert_true(target->has_kernel);
		assert_int_equal(target->kernel.major, 6);
		assert_int_equal(target->kernel.minor, 12);
		assert_int_equal(target->kernel.patch, 57);
	}
	image_close(image);
}

static void test_machine(void **state)
{
	static const struct {
		unsigned machine, bits;
		bool big;
		const char *arch;
		uint64_t line;
	} rows[] = {
		{EM_X86_64, 64, false, "x86_64", 64}, {EM_386, 32, false, "i386", 64},
		{EM_S390, 64, true, "s390x", 256},    {EM_PPC64, 64, false, "ppc64le", 128},
		{EM_ARM, 32, true, "arm", 64},        {EM_MIPS, 32, true, "mips", 0},
		{EM_RISCV, 64, false, "riscv64", 64}, {65000, 32, true, NULL, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct out out = {rows[i].bits, ET_EXEC, rows[i].machine, rows[i].big, NULL, 0};
		const struct target *target;
		struct image *image;

		write_out("m", &out);
		image = open_image("m", NULL);
		target = image_target(image);
		assert_int_equal(target->bits, rows[i].bits);
		assert_int_equal(target->big_endian, rows[i].big);
		assert_int_equal(target->line, rows[i].line);
		if (rows[i].arch)
			assert_string_equal(target->arch, rows[i].arch);
		else
			assert_null(target->arch);
		assert_null(target->build_id);
		assert_null(target->release);
		assert_null(target->module);
		image_close(image);
	}
}

/* A vmlinux of the class and byte order, with the banner behind other things in .rodata. */
static void write_vmlinux(const char *path, unsigned bits, bool big, unsigned type,
			  const char *rodata, size_t len, const char *symbol)
{
	struct out_section sections[] = {
		{".init.text", SHT_PROGBITS, SHF_ALLOC, 0x2000, "code", 4, 0, 0, 4},
		{".rodata", SHT_PROGBITS, SHF_ALLOC, 0x1000, rodata, len, 0, 0, 1},
		{".symtab", SHT_SYMTAB, 0, 0, NULL, 0, 4, 1, 8},
		{".strtab", SHT_STRTAB, 0, 0, NULL, 0, 0, 0, 1},
	};
	struct out out = {bits, type, EM_S390, big, sections, 4};
	uint64_t base = type == ET_REL ? 0 : 0x1000;
	struct buf symtab = BUF_INIT, strtab = BUF_INIT;

	if (type == ET_REL)
		sections[0].address = sections[1].address = 0;
	buf_add(&strtab, "\0not_", 5);
	buf_add(&strtab, symbol, strlen(symbol) + 1);
	put_symbol(&symtab, &out, 0, 0, 0, 0);
	put_symbol(&symtab, &out, 1, base, 4, 2);
	put_symbol(&symtab, &out, 5, base + 6, 100, 2);
	sections[2].data = symtab.s;
	sections[2].len = symtab.len;
	sections[3].data = strtab.s;
	sections[3].len = strtab.len;
	write_out(path, &out);
	buf_release(&symtab);
	buf_release(&strtab);
}

static void test_banner(void **state)
{
	static const char rodata[] = "noise\0" BANNER "\0more";

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		write_vmlinux("vmlinux", i & 1 ? 32 : 64, i & 2, i & 4 ? ET_REL : ET_EXEC, rodata,
			      sizeof rodata, "linux_banner");
		expect_kernel("vmlinux", "vmlinux", "6.12.57+deb13-s390x");
	}
	/* No such symbol: not a kernel, whatever text it holds. */
	write_vmlinux("vmlinux", 64, true, ET_EXEC, rodata, sizeof rodata, "some_banner");
	expect_kernel("vmlinux", NULL, NULL);
}

/* In an object file with more sections than a symbol can name: the number stands elsewhere. */
static void test_banner_wide(void **state)
{
	struct out_section sections[] = {
		{".symtab", SHT_SYMTAB, 0, 0, NULL, 0, 2, 1, 8},
		{".strtab", SHT_STRTAB, 0, 0, "\0linux_banner", 14, 0, 0, 1},
		{".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 0, NULL, 0, 1, 0, 4},
		{".text", SHT_PROGBITS, SHF_ALLOC, 0, "code", 4, 0, 0, 4},
		{".rodata", SHT_PROGBITS, SHF_ALLOC, 0, BANNER, sizeof BANNER, 0, 0, 1},
	};
	struct out out = {64, ET_REL, EM_S390, true, sections, 5};
	struct buf symtab = BUF_INIT, wide = BUF_INIT;
	struct err err = ERR_INIT;
	struct image *image;

	(void)state;
	put_symbol(&symtab, &out, 0, 0, 0, 0);
	put_symbol(&symtab, &out, 1, 0, 100, SHN_XINDEX);
	put(&wide, &out, 4, 0);
	put(&wide, &out, 4, 5);
	sections[0].data = symtab.s;
	sections[0].len = symtab.len;
	sections[2].data = wide.s;
	sections[2].len = wide.len;
	write_out("vmlinux.o", &out);
	expect_kernel("vmlinux.o", "vmlinux", "6.12.57+deb13-s390x");
	sections[2].len = 4;
	write_out("vmlinux.o", &out);
	assert_false(image_open("vmlinux.o", NULL, &err, &image));
	assert_string_equal(err.text, "vmlinux.o: .symtab: symbol 1 has its section number in a "
				      "table that is not there");
	err_release(&err);
	buf_release(&symtab);
	buf_release(&wide);
}

static void test_banner_odd(void **state)
{
	static const char other[] = "noise\0Something else 6.12.57 (x)\n";
	static const char cut[] = "noise\0Linux version 6.12.57";

	(void)state;
	write_vmlinux("vmlinux", 64, true, ET_EXEC, other, sizeof other, "linux_banner");
	expect_kernel("vmlinux", NULL, NULL);
	/* The section ends inside the release: it may go on. */
	write_vmlinux("vmlinux", 64, true, ET_EXEC, cut, sizeof cut - 1, "linux_banner");
	expect_kernel("vmlinux", NULL, NULL);
	/* The symbol lies outside of every section. */
	write_vmlinux("vmlinux", 64, true, ET_EXEC, cut, 3, "linux_banner");
	expect_kernel("vmlinux", NULL, NULL);
}

/* Stripped: the banner is searched for in windows, and found wherever they end. */
static void test_banner_stripped(void **state)
{
	enum { WINDOW = 48 * 4096, ROOM = 2 * WINDOW + 4096 };
	static const size_t places[] = {
		0,
		WINDOW - 5,
		WINDOW - 18,
		WINDOW - 17,
		WINDOW,
		WINDOW + 490,
		WINDOW + 494,
		WINDOW + 497,
		WINDOW + 512,
		2 * WINDOW - 1,
	};
	static char rodata[ROOM];
	struct out_section sections[] = {
		{".init.text", SHT_PROGBITS, SHF_ALLOC, 0x2000, "code", 4, 0, 0, 4},
		{".rodata", SHT_PROGBITS, SHF_ALLOC, 0x1000, rodata, ROOM, 0, 0, 1},
	};
	struct out out = {64, ET_EXEC, EM_S390, true, sections, 2};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		memset(rodata, 0, ROOM);
		memcpy(rodata + places[i], BANNER, sizeof BANNER);
		write_out("vmlinux", &out);
		expect_kernel("vmlinux", "vmlinux", "6.12.57+deb13-s390x");
	}
	/* A program may hold such a text. */
	sections[0].name = ".text";
	write_out("program", &out);
	expect_kernel("program", NULL, NULL);
}

static void write_module(const char *path, const char *modinfo, size_t len, unsigned type)
{
	struct out_section sections[] = {
		{".modinfo", type, SHF_ALLOC, 0, modinfo, len, 0, 0, 1},
		{".gnu.linkonce.this_module", type, SHF_ALLOC | SHF_WRITE, 0, "this", 4, 0, 0, 1},
	};
	struct out out = {64, ET_REL, EM_X86_64, false, sections, 2};

	write_out(path, &out);
}

static void test_module(void **state)
{
	static const char full[] = "license=GPL\0depends=crc16\0name=ext4\0"
				   "vermagic=6.12.57+deb13-amd64 SMP preempt mod_unload ";
	static const char nameless[] = "vermagic=6.12.57 SMP";
	static const char bare[] = "license=GPL";

	(void)state;
	write_module("a.ko", full, sizeof full, SHT_PROGBITS);
	expect_kernel("a.ko", "ext4", "6.12.57+deb13-amd64");
	write_module("snd-hda.ko", nameless, sizeof nameless, SHT_PROGBITS);
	expect_kernel("./snd-hda.ko", "snd_hda", "6.12.57");
	/* The debug file of a module: its contents are elsewhere. */
	write_module("snd-hda.ko.debug", nameless, sizeof nameless, SHT_NOBITS);
	expect_kernel("snd-hda.ko.debug", "snd_hda", NULL);
	write_module("nothing", bare, sizeof bare, SHT_PROGBITS);
	expect_kernel("nothing", NULL, NULL);
	write_module("a.kotlin", bare, sizeof bare, SHT_PROGBITS);
	expect_kernel("a.kotlin", NULL, NULL);
}

static void put_note(struct buf *buf, const struct out *out, const char *name, unsigned type,
		     const char *data, size_t len, unsigned align)
{
	put(buf, out, 4, strlen(name) + 1);
	put(buf, out, 4, len);
	put(buf, out, 4, type);
	buf_add(buf, name, strlen(name) + 1);
	while (buf->len % align)
		buf_addc(buf, 0);
	buf_add(buf, data, len);
	while (buf->len % align)
		buf_addc(buf, 0);
}

/* Other notes stand before it, in its section and in others; both alignments and byte orders. */
static void test_build_id(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		unsigned align = i & 2 ? 8 : 4;
		struct out_section sections[] = {
			{".note.x", SHT_NOTE, SHF_ALLOC, 0, NULL, 0, 0, 0, 4},
			{".notes", SHT_NOTE, SHF_ALLOC, 0, NULL, 0, 0, 0, align},
		};
		struct out out = {64, ET_EXEC, EM_S390, i & 1, sections, 2};
		struct buf first = BUF_INIT, second = BUF_INIT;
		struct image *image;

		put_note(&first, &out, "Xen", 3, "abc", 3, 4);
		put_note(&second, &out, "GNU", 5, "properties", 10, align);
		put_note(&second, &out, "GNU", NT_GNU_BUILD_ID, "\xab\xcd\x01", 3, align);
		sections[0].data = first.s;
		sections[0].len = first.len;
		sections[1].data = second.s;
		sections[1].len = second.len;
		write_out("n", &out);
		image = open_image("n", NULL);
		assert_string_equal(image_target(image)->build_id, "abcd01");
		image_close(image);
		/* Cut off: no id, and no harm. */
		for (sections[1].len--; sections[1].len > 0; sections[1].len--) {
			write_out("n", &out);
			image = open_image("n", NULL);
			if (image_target(image)->build_id)
				assert_string_equal(image_target(image)->build_id, "abcd01");
			if (sections[1].len < second.len - align)
				assert_null(image_target(image)->build_id);
			image_close(image);
		}
		buf_release(&first);
		buf_release(&second);
	}
}

static void test_build_id_of_linker(void **state)
{
	struct image *image;

	(void)state;
	write_text("a.c", "int _start(void) { return 0; }\n");
	run("gcc -Wl,--build-id=0x0123456789abcdef -nostdlib -static a.c -o a.out");
	image = open_image("a.out", NULL);
	assert_string_equal(image_target(image)->build_id, "0123456789abcdef");
	image_close(image);
}

static void test_running(void **state)
{
	struct arena arena = {0};
	struct target target;
	struct utsname name;

	(void)state;
	assert_int_equal(uname(&name), 0);
	running_target(&arena, &target);
	assert_string_equal(target.release, name.release);
	assert_string_equal(target.module, "vmlinux");
	assert_true(target.has_kernel);
	assert_ptr_equal(arch_by_name(name.machine), arch_by_name(target.arch));
	if (access("/sys/kernel/notes", R_OK) == 0)
		assert_non_null(target.build_id);
	arena_release(&arena);
	assert_false(is_running_btf("/proc/self/exe"));
	assert_false(is_running_btf("/no/such/file"));
	if (access(RUNNING_BTF, R_OK) == 0) {
		run("ln -s %s link", RUNNING_BTF);
		assert_true(is_running_btf("link"));
	}
}

/* Its BTF is read like a file; it names no machine. */
static void test_running_image(void **state)
{
	struct section *section;
	struct image *image;

	(void)state;
	if (access(RUNNING_BTF, R_OK) != 0)
		skip();
	image = open_image(RUNNING_BTF, NULL);
	assert_int_equal(image_kind(image), IMAGE_RAW_BTF);
	assert_null(image_target(image)->arch);
	assert_null(image_target(image)->module);
	section = get_section(image, ".BTF");
	assert_true(section->size > 1 << 16);
	run("cp %s copy", RUNNING_BTF);
	check_equal(section, "copy");
	image_close(image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine),         cmocka_unit_test(test_banner),
		cmocka_unit_test(test_banner_wide),     cmocka_unit_test(test_banner_odd),
		cmocka_unit_test(test_banner_stripped), cmocka_unit_test(test_module),
		cmocka_unit_test(test_build_id),        cmocka_unit_test(test_build_id_of_linker),
		cmocka_unit_test(test_running),         cmocka_unit_test(test_running_image),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
