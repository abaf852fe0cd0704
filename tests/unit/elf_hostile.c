/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are cut off or changed anywhere: each is opened or refused with one sentence, and all
 * that can be asked of it is asked. Worth most under the sanitizers.
 */
#include "elf_help.h"
#include "elf_write.h"

#include <fcntl.h>

/* A file with all that elf/ reads: notes, modinfo, a banner, symbols, relocations, compression. */
static struct buf write_everything(unsigned bits, bool big)
{
	static const char note[] = "\0\0\0\4\0\0\0\4\0\0\0\3GNU\0abcd";
	static const char note_little[] = "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0abcd";
	static const char modinfo[] = "name=x\0vermagic=6.12.1 SMP";
	static const char banner[] = "Linux version 6.12.1 (x)";
	static const char packed[] =
		"\x78\x9c\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00\x70\xbe\x08\xbb";
	static const char zdebug[] =
		"ZLIB\0\0\0\0\0\0\0\x18"
		"\x78\x9c\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00\x70\xbe\x08\xbb";
	struct out_section sections[] = {
		{".debug_info", SHT_PROGBITS, 0, 0, "0123456789abcdef", 16, 0, 0, 1},
		{".debug_info", SHT_PROGBITS, 0, 0, "0123456789abcdef", 16, 0, 0, 1},
		{".symtab", SHT_SYMTAB, 0, 0, NULL, 0, 4, 1, 8},
		{".strtab", SHT_STRTAB, 0, 0, "\0linux_banner", 14, 0, 0, 1},
		{".rel.debug_info", SHT_REL, 0, 0, NULL, 0, 3, 1, 8},
		{".rela.debug_info", SHT_RELA, 0, 0, NULL, 0, 3, 2, 8},
		{".rodata", SHT_PROGBITS, SHF_ALLOC, 0, banner, sizeof banner, 0, 0, 1},
		{".note", SHT_NOTE, SHF_ALLOC, 0, big ? note : note_little, sizeof note - 1, 0, 0,
		 4},
		{".modinfo", SHT_PROGBITS, SHF_ALLOC, 0, modinfo, sizeof modinfo, 0, 0, 1},
		{".debug_str", SHT_PROGBITS, SHF_COMPRESSED, 0, NULL, 0, 0, 0, 1},
		{".zdebug_line", SHT_PROGBITS, 0, 0, zdebug, sizeof zdebug - 1, 0, 0, 1},
		{".gnu_debuglink", SHT_PROGBITS, 0, 0, "x.debug\0abcd", 12, 0, 0, 4},
		{".gnu.linkonce.this_module", SHT_PROGBITS, 0, 0, "x", 1, 0, 0, 4},
		{".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 0, "\0\0\0\0\0\0\0\0\0\0\0\7", 12, 3, 0, 4},
	};
	struct out out = {bits, ET_REL, EM_RISCV, big, sections, ARRAY_SIZE(sections)};
	struct buf symtab = BUF_INIT, rel = BUF_INIT, rela = BUF_INIT, str = BUF_INIT, file;

	put_symbol(&symtab, &out, 0, 0, 0, 0);
	put_symbol(&symtab, &out, 1, 0, 10, 7);
	put_symbol(&symtab, &out, 1, 0, 10, SHN_XINDEX);
	put_reloc(&rel, &out, 4, 1, R_RISCV_32, false, 0);
	put_reloc(&rela, &out, 4, 2, R_RISCV_32, true, 5);
	put_reloc(&rela, &out, 8, 1, R_RISCV_ADD16, true, 5);
	put_reloc(&rela, &out, 10, 1, R_RISCV_SET6, true, 5);
	put_reloc(&rela, &out, 11, 1, 60, true, 5);
	put_reloc(&rela, &out, 11, 2, 61, true, 1);
	put(&str, &out, 4, 1);
	put(&str, &out, bits == 64 ? 4 : 0, 0);
	put_word(&str, &out, 24);
	put_word(&str, &out, 1);
	buf_add(&str, packed, sizeof packed - 1);
	sections[2].data = symtab.s;
	sections[2].len = symtab.len;
	sections[4].data = rel.s;
	sections[4].len = rel.len;
	sections[5].data = rela.s;
	sections[5].len = rela.len;
	sections[9].data = str.s;
	sections[9].len = str.len;
	file = write_elf(&out);
	buf_release(&symtab);
	buf_release(&rel);
	buf_release(&rela);
	buf_release(&str);
	return file;
}

static void check_error(struct err *err)
{
	assert_non_null(err->text);
	assert_int_equal(strncmp(err->text, "file: ", 6), 0);
	assert_null(strchr(err->text, '\n'));
	err_release(err);
}

/* Asks everything; returns how many sections could be loaded, -1 when the file was refused. */
static int ask_everything(void)
{
	static const char *const names[] = {".debug_info", ".debug_str", ".debug_line", ".BTF"};
	struct image_options options = {.debug_dir = "/nonexistent"};
	struct err err = ERR_INIT;
	struct image *image;
	uint64_t address, size;
	uint8_t bytes[8];
	int loaded = 0;

	if (!image_open("file", &options, &err, &image)) {
		check_error(&err);
		return -1;
	}
	for (size_t i = 0; i < image_debug_nsections(image); i++) {
		struct section *section = image_debug_section_at(image, i);

		if (image_load(image, section, &err)) {
			volatile uint8_t last =
				section->size ? section->data[section->size - 1] : 0;

			(void)last;
			loaded++;
		} else {
			check_error(&err);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct section *section;

		if (!image_section(image, names[i], &err, &section))
			check_error(&err);
	}
	if (image_symbol(image, "linux_banner", &address, &size))
		image_read_address(image, address, bytes, sizeof bytes);
	image_close(image);
	return loaded;
}

static void test_sound(void **state)
{
	const struct target *target;
	struct image *image;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct buf file = write_everything(i & 1 ? 64 : 32, i & 2);

		write_file("file", file.s, file.len);
		/* .strtab and so on are listed too; all but relocations, and one .debug_info. */
		assert_int_equal(ask_everything(), 12);
		image = open_image("file", NULL);
		target = image_target(image);
		assert_string_equal(target->module, "x");
		assert_string_equal(target->release, "6.12.1");
		assert_string_equal(target->build_id, "61626364");
		assert_int_equal(get_section(image, ".debug_info")->size, 32);
		assert_memory_equal(get_section(image, ".debug_line")->data, "hello", 5);
		image_close(image);
		buf_release(&file);
	}
}

static void test_prefixes(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct buf file = write_everything(i & 1 ? 64 : 32, i & 2);

		write_file("file", file.s, file.len);
		for (size_t len = file.len; len-- > 0;) {
			assert_int_equal(truncate("file", (off_t)len), 0);
			/* The section headers stand last: no prefix is whole. */
			assert_int_equal(ask_everything(), -1);
		}
		buf_release(&file);
	}
}

static void change(int fd, size_t at, uint8_t byte)
{
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
}

/* Every byte by itself. */
static void test_bytes(void **state)
{
	static const uint8_t masks[] = {0x01, 0x80, 0xff};
	unsigned refused = 0, opened = 0;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct buf file = write_everything(i ? 64 : 32, i);
		int fd;

		write_file("file", file.s, file.len);
		fd = open("file", O_WRONLY | O_CLOEXEC);
		assert_true(fd >= 0);
		for (size_t at = 0; at < file.len; at++) {
			for (size_t m = 0; m < sizeof masks; m++) {
				change(fd, at, (uint8_t)file.s[at] ^ masks[m]);
				if (ask_everything() < 0)
					refused++;
				else
					opened++;
			}
			change(fd, at, (uint8_t)file.s[at]);
		}
		close(fd);
		buf_release(&file);
	}
	assert_true(refused > 100);
	assert_true(opened > 1000);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Several at once: small and large numbers over the fields. */
static void test_mixed(void **state)
{
	static const uint8_t values[] = {0, 1, 2, 3, 4, 8, 14, 0x7f, 0x80, 0xff};
	struct buf file = write_everything(64, false);
	uint32_t seed = 20240607;
	int fd;

	(void)state;
	write_file("file", file.s, file.len);
	fd = open("file", O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	for (unsigned round = 0; round < 6000; round++) {
		size_t at[4];

		for (unsigned i = 0; i < 4; i++) {
			at[i] = next_random(&seed) % (file.len - 16) + 16;
			change(fd, at[i], values[next_random(&seed) % sizeof values]);
		}
		ask_everything();
		for (unsigned i = 0; i < 4; i++)
			change(fd, at[i], (uint8_t)file.s[at[i]]);
	}
	assert_int_equal(ask_everything(), 12);
	close(fd);
	buf_release(&file);
}

/* Section names said to be in a section, and no sections. */
static void test_names_of_nothing(void **state)
{
	struct out out = {64, ET_EXEC, EM_X86_64, false, NULL, 0};
	struct buf file = write_elf(&out);
	Elf64_Ehdr *header = (Elf64_Ehdr *)file.s;

	(void)state;
	header->e_shnum = 0;
	header->e_shstrndx = 9;
	write_file("file", file.s, file.len);
	refuse_image("file", "its section names are in section 9, it has 0 sections");
	header->e_shoff = 0;
	write_file("file", file.s, file.len);
	assert_int_equal(ask_everything(), 0);
	buf_release(&file);
}

/* A relocation table for itself, and one by the name of a debug section. */
static void test_loops(void **state)
{
	struct out_section sections[] = {
		{".debug_info", SHT_RELA, 0, 0, NULL, 0, 2, 1, 8},
		{".debug_str", SHT_SYMTAB, 0, 0, NULL, 0, 2, 2, 8},
		{".debug_line", SHT_REL, 0, 0, NULL, 0, 2, 2, 8},
		{".debug_abbrev", SHT_SYMTAB_SHNDX, 0, 0, NULL, 0, 2, 2, 8},
	};
	struct out out = {64, ET_REL, EM_X86_64, false, sections, 4};
	struct buf rela = BUF_INIT, file;

	(void)state;
	put_reloc(&rela, &out, 0, 1, R_X86_64_64, true, 0);
	for (unsigned i = 0; i < 4; i++) {
		sections[i].data = rela.s;
		sections[i].len = rela.len;
	}
	file = write_elf(&out);
	write_file("file", file.s, file.len);
	assert_true(ask_everything() >= 2);
	buf_release(&file);
	buf_release(&rela);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_names_of_nothing),
		cmocka_unit_test(test_loops),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
