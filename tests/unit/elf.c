/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Images opened and refused; sections plain and compressed; symbols. */
#include "elf_help.h"
#include "elf_write.h"

static const char SOURCE[] =
	"struct s { int a; char *b; struct s *next; } g = {0x12345678, 0, 0};\n"
	"int zeros[4];\n"
	"static int hidden = 5;\n"
	"int _start(void) { return g.a + hidden + zeros[1]; }\n";

static void link_source(const char *options)
{
	write_text("a.c", SOURCE);
	run("gcc -g %s -nostdlib -static a.c -o a.out", options);
}

static void test_own_binary(void **state)
{
	struct image *image = open_image("/proc/self/exe", NULL);

	(void)state;
	assert_int_equal(image_kind(image), IMAGE_ELF);
	assert_string_equal(image_path(image), "/proc/self/exe");
	assert_false(image_is_relocatable(image));
	assert_int_equal(image_target(image)->bits, sizeof(void *) * 8);
	assert_non_null(get_section(image, ".debug_info"));
	assert_null(get_section(image, ".no_such"));
	assert_null(get_section(image, ".bss"));
	assert_null(image_debug_path(image));
	image_close(image);
}

/* Contents equal what objcopy takes out of the file. */
static void test_contents(void **state)
{
	struct image *image;
	struct section *section;
	struct bytes want;
	struct err err = ERR_INIT;

	(void)state;
	link_source("");
	run("objcopy -O binary -j .debug_str --set-section-flags .debug_str=alloc a.out str");
	assert_true(file_read("str", 1 << 20, &err, &want));
	image = open_image("a.out", NULL);
	assert_true(image_section(image, ".debug_str", &err, &section));
	assert_null(section->data);
	assert_true(section->fd >= 0);
	assert_int_equal(section->size, want.len);
	assert_true(image_load(image, section, &err));
	assert_memory_equal(section->data, want.data, want.len);
	bytes_release(&want);
	image_close(image);
}

static void test_refused(void **state)
{
	(void)state;
	write_text("empty", "");
	write_text("text", "#!/bin/sh\necho\n");
	write_file("junk", "\1\2\3", 3);
	write_file("gz", "\x1f\x8b\x08\0\0\0\0\0\0\0", 10);
	write_text("archive", "!<arch>\n");
	run("mkdir -p dir");
	refuse_image("empty", "is empty");
	refuse_image("text", "is neither ELF nor BTF: begins with \"#!/bin/s\"");
	refuse_image("junk", "is neither ELF nor BTF: begins with bytes 01 02 03");
	refuse_image("gz", "is compressed by gzip");
	refuse_image("archive", "is an archive, which cannot stand here");
	refuse_image("dir", "is a directory");
	refuse_image("/dev/null", "is a character device");
	refuse_image("nothing", "cannot open: No such file");
	refuse_image("text/below", "cannot open: Not a directory");
}

static void test_raw_btf(void **state)
{
	struct image *image;
	struct section *section;

	(void)state;
	write_file("little", "\x9f\xeb\1\0rest", 8);
	image = open_image("little", NULL);
	assert_int_equal(image_kind(image), IMAGE_RAW_BTF);
	assert_null(image_target(image)->arch);
	assert_false(image_target(image)->big_endian);
	section = get_section(image, ".BTF");
	assert_int_equal(section->size, 8);
	assert_memory_equal(section->data, "\x9f\xeb\1\0rest", 8);
	assert_null(get_section(image, ".debug_info"));
	assert_int_equal(image_debug_nsections(image), 1);
	image_close(image);

	write_file("big", "\xeb\x9f\1\0rest", 8);
	image = open_image("big", NULL);
	assert_int_equal(image_kind(image), IMAGE_RAW_BTF);
	assert_true(image_target(image)->big_endian);
	image_close(image);
}

static void test_pipe(void **state)
{
	struct image *image, *plain;
	struct section *a, *b;

	(void)state;
	link_source("");
	run("mkfifo pipe && { cat a.out >pipe & }");
	image = open_image("pipe", NULL);
	plain = open_image("a.out", NULL);
	a = get_section(image, ".debug_info");
	b = get_section(plain, ".debug_info");
	assert_int_equal(a->size, b->size);
	assert_memory_equal(a->data, b->data, a->size);
	image_close(plain);
	image_close(image);
}

static void test_truncated(void **state)
{
	(void)state;
	link_source("");
	run("head -c 20 a.out >t1 && head -c 2000 a.out >t2");
	refuse_image("t1", "is truncated: it ends inside its ELF header");
	refuse_image("t2", "is truncated: the section header table at offset ");
}

/* Headers before contents, as some writers lay them out: the section that is cut off is named. */
static void test_truncated_section(void **state)
{
	struct out_section sections[] = {
		{".text", SHT_PROGBITS, 0, 0, "abcd", 4, 0, 0, 1},
		{".debug_info", SHT_PROGBITS, 0, 0, NULL, 1 << 20, 0, 0, 1},
		{".bss", SHT_NOBITS, 0, 0, NULL, 1 << 20, 0, 0, 1},
	};
	struct out out = {64, ET_EXEC, EM_X86_64, false, sections, 3};
	struct buf buf = write_elf(&out);
	struct image *image;

	(void)state;
	write_file("t", buf.s, buf.len);
	buf_release(&buf);
	refuse_image("t", "is truncated: section 2 .debug_info takes 1048576 bytes at offset 68");

	/* Nothing of an SHT_NOBITS section is in the file, whatever its size. */
	sections[1].type = SHT_NOBITS;
	buf = write_elf(&out);
	write_file("t", buf.s, buf.len);
	buf_release(&buf);
	image = open_image("t", NULL);
	assert_null(get_section(image, ".debug_info"));
	image_close(image);
}

static void check_compressed(const char *command, const char *kind)
{
	struct image *plain, *packed;
	struct err err = ERR_INIT;
	struct section *section;
	unsigned n = 0;

	run("%s", command);
	plain = open_image("a.out", NULL);
	packed = open_image("packed", NULL);
	for (size_t i = 0; i < image_debug_nsections(packed); i++) {
		struct section *have = image_debug_section_at(packed, i), *want;

		if (strncmp(have->name, ".debug_", 7) != 0)
			continue;
		/* The size is known before the contents are made. */
		assert_null(have->data);
		want = get_section(plain, have->name);
		assert_int_equal(have->size, want->size);
		/* A compressed one is made in memory at once: it cannot be read by window. */
		assert_true(image_section(packed, have->name, &err, &section));
		assert_ptr_equal(section, have);
		assert_true(image_load(packed, have, &err));
		if (memcmp(have->data, want->data, want->size) != 0)
			fail_msg("%s: %s differs", kind, have->name);
		n++;
	}
	assert_true(n >= 4);
	assert_non_null(get_section(packed, ".debug_info")->data);
	image_close(plain);
	image_close(packed);
}

static void test_compressed(void **state)
{
	(void)state;
	link_source("-g3");
	check_compressed("objcopy --compress-debug-sections=zlib a.out packed && "
			 "readelf -SW packed | grep -q ' [.]debug_macro .* C '",
			 "zlib");
	check_compressed("objcopy --compress-debug-sections=zlib-gnu a.out packed && "
			 "readelf -SW packed | grep -q ' [.]zdebug_macro '",
			 "zlib-gnu");
	check_compressed("objcopy --compress-debug-sections=zstd a.out packed && "
			 "readelf -SW packed | grep -q ' [.]debug_macro .* C '",
			 "zstd");
}

static struct buf pack_elf(const struct out *out, const char *name, unsigned method, uint64_t size,
			   const void *stream, size_t len)
{
	struct buf section = BUF_INIT, file;
	struct out_section packed = {name, SHT_PROGBITS, SHF_COMPRESSED, 0, NULL, 0, 0, 0, 1};
	struct out with = *out;

	put(&section, out, 4, method);
	if (out->bits == 64)
		put(&section, out, 4, 0);
	put_word(&section, out, size);
	put_word(&section, out, 1);
	buf_add(&section, stream, len);
	packed.data = section.s;
	packed.len = section.len;
	with.sections = &packed;
	with.n = 1;
	file = write_elf(&with);
	buf_release(&section);
	return file;
}

/* "hello hello hello hello\n" by zlib. */
static const char STREAM[] = "\x78\x9c\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00\x70\xbe\x08\xbb";

static void refuse_packed(unsigned method, uint64_t size, size_t cut, const char *text)
{
	struct out out = {64, ET_EXEC, EM_X86_64, false, NULL, 0};
	struct buf file =
		pack_elf(&out, ".debug_info", method, size, STREAM, sizeof STREAM - 1 - cut);
	struct err err = ERR_INIT;
	struct section *section = NULL;
	struct image *image;

	write_file("p", file.s, file.len);
	buf_release(&file);
	image = open_image("p", NULL);
	assert_false(image_section(image, ".debug_info", &err, &section));
	if (!strstr(err.text, text) || strncmp(err.text, "p: .debug_info: ", 16) != 0)
		fail_msg("wanted \"%s\", got \"%s\"", text, err.text);
	err_release(&err);
	image_close(image);
}

static void test_compressed_damaged(void **state)
{
	(void)state;
	refuse_packed(7, 24, 0, "is compressed by method 7, which is unknown");
	refuse_packed(1, 24, 3, "its zlib data is damaged");
	refuse_packed(1, 23, 0, "its zlib data is damaged, or not the 23 bytes");
	refuse_packed(1, 25, 0, "its zlib data is damaged, or not the 25 bytes");
	refuse_packed(1, 1 << 20, 0, "41 compressed bytes cannot make the 1048576 that");
	refuse_packed(2, 24, 0, "its zstd data is damaged");
	refuse_packed(2, UINT64_MAX, 0, "cannot make the 18446744073709551615 that");
}

static void test_compressed_orders(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct out out = {i & 1 ? 32 : 64, ET_EXEC, EM_MIPS, i & 2, NULL, 0};
		struct buf file = pack_elf(&out, ".debug_str", 1, 24, STREAM, sizeof STREAM - 1);
		struct section *section;
		struct image *image;

		write_file("p", file.s, file.len);
		buf_release(&file);
		image = open_image("p", NULL);
		section = get_section(image, ".debug_str");
		assert_int_equal(section->size, 24);
		assert_memory_equal(section->data, "hello hello hello hello\n", 24);
		image_close(image);
	}
}

/* More sections than 16 bits can count. */
static void test_many_sections(void **state)
{
	const size_t n = 70000;
	struct out_section *sections = xcalloc(n, sizeof *sections);
	struct out out = {64, ET_REL, EM_X86_64, false, sections, n};
	struct buf file;
	struct image *image;

	(void)state;
	for (size_t i = 0; i < n; i++)
		sections[i] = (struct out_section){"x", SHT_PROGBITS, 0, 0, "y", 1, 0, 0, 1};
	sections[n - 1].name = ".BTF";
	file = write_elf(&out);
	write_file("many", file.s, file.len);
	buf_release(&file);
	free(sections);
	image = open_image("many", NULL);
	assert_int_equal(image_debug_nsections(image), n + 1);
	assert_memory_equal(get_section(image, ".BTF")->data, "y", 1);
	image_close(image);
}

static void check_symbols(const char *path)
{
	struct image *image = open_image(path, NULL);
	static uint8_t room[1 << 20];
	uint64_t address, size, other;
	int32_t value = 0;

	assert_true(image_symbol(image, "g", &address, &size));
	assert_int_equal(size, image_target(image)->bits == 64 ? 24 : 12);
	assert_true(image_read_address(image, address, &value, sizeof value));
	assert_int_equal(value, 0x12345678);
	assert_false(image_read_address(image, address, room, sizeof room));
	assert_false(image_symbol(image, "gg", &other, &size));
	assert_false(image_symbol(image, "no_such", &other, &size));
	assert_true(image_symbol(image, "zeros", &address, &size));
	assert_int_equal(size, 16);
	/* .bss is in no file. */
	assert_false(image_read_address(image, address, &value, sizeof value));
	image_close(image);
}

static void test_symbols(void **state)
{
	struct image *image;
	uint64_t address, size;

	(void)state;
	link_source("");
	check_symbols("a.out");
	image = open_image("a.out", NULL);
	assert_true(image_symbol(image, "hidden", &address, &size));
	image_close(image);
	run("clang -target i386-linux-gnu -c a.c -o 32.o && ld -m elf_i386 32.o -o 32");
	check_symbols("32");
	/* Without .symtab: .dynsym. */
	run("gcc -shared -fPIC -nostdlib a.c -o a.so && strip a.so");
	check_symbols("a.so");
	image = open_image("a.so", NULL);
	assert_false(image_symbol(image, "hidden", &address, &size));
	image_close(image);
}

/* Two symbols of one name: the one that other files see. */
static void test_symbols_twice(void **state)
{
	uint64_t address, size;
	struct image *image;

	(void)state;
	write_text("a.c", "static int twice[3] __attribute__((used));\n");
	write_text("b.c", "int twice[5]; int _start(void) { return twice[0]; }\n");
	write_text("c.c", "static int twice[7] __attribute__((used));\n");
	run("gcc -nostdlib -static a.c b.c c.c -o a.out");
	image = open_image("a.out", NULL);
	assert_true(image_symbol(image, "twice", &address, &size));
	assert_int_equal(size, 20);
	image_close(image);
}

/* A file that changes under us: what was measured no longer holds. */
static void test_changed(void **state)
{
	struct out out = {64, ET_EXEC, EM_X86_64, false, NULL, 0};
	struct buf file = pack_elf(&out, ".debug_str", 1, 24, STREAM, sizeof STREAM - 1);
	struct err err = ERR_INIT;
	struct section *section;
	struct image *image;

	(void)state;
	write_file("p", file.s, file.len);
	image = open_image("p", NULL);
	file.s[sizeof(Elf64_Ehdr) + offsetof(Elf64_Chdr, ch_size)] = 25;
	write_file("p", file.s, file.len);
	assert_false(image_section(image, ".debug_str", &err, &section));
	assert_string_equal(err.text, "p: .debug_str: the file changed while it was read");
	err_release(&err);
	assert_int_equal(truncate("p", 80), 0);
	assert_false(image_section(image, ".debug_str", &err, &section));
	assert_non_null(strstr(err.text, "p: the file ends at offset 80"));
	err_release(&err);
	image_close(image);
	buf_release(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_binary),
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_raw_btf),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_truncated_section),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_compressed_damaged),
		cmocka_unit_test(test_compressed_orders),
		cmocka_unit_test(test_many_sections),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_symbols_twice),
		cmocka_unit_test(test_changed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
