/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that somebody gives because they have to do with a kernel or a program, told apart by their
 * first bytes: each with what to give instead. Sources: file(1)'s magic;
 * Documentation/arch/x86/boot.rst, arch/arm64/booting.rst and arch/riscv/boot-image-header.rst of
 * Linux.
 */
#include <string.h>

#include "elf/private.h"

#define BYTES(string) string, sizeof(string) - 1

static const struct {
	size_t at;
	const char *magic;
	size_t len;
	const char *what;
} FOREIGN[] = {
	{0, BYTES("\x1f\x8b"), "is compressed by gzip; decompress it first (gzip -dk)"},
	{0, BYTES("\3757zXZ"), "is compressed by xz; decompress it first (xz -dk)"},
	{0, BYTES("\x28\xb5\x2f\xfd"), "is compressed by zstd; decompress it first (zstd -d)"},
	{0, BYTES("BZh"), "is compressed by bzip2; decompress it first (bzip2 -dk)"},
	{0, BYTES("\x04\x22\x4d\x18"), "is compressed by lz4; decompress it first (lz4 -d)"},
	{0, BYTES("\x02\x21\x4c\x18"), "is compressed by lz4; decompress it first (lz4 -d)"},
	{0, BYTES("\x89LZO"), "is compressed by lzop; decompress it first (lzop -d)"},

	{0, BYTES("\xed\xab\xee\xdb"), "is an RPM package; unpack it first (rpm2cpio)"},
	{0, BYTES("070701"), "is a cpio archive; unpack it first (cpio -i)"},
	{0, BYTES("PK\3\4"), "is a zip archive; unpack it first (unzip)"},
	{257, BYTES("ustar"), "is a tar archive; unpack it first (tar -x)"},
	{0, BYTES("!<arch>\n"), "is an archive, which cannot stand here"},
	{0, BYTES("!<thin>\n"), "is a thin archive, which cannot stand here"},

	{0x202, BYTES("HdrS"),
	 "is a compressed Linux kernel (bzImage); give its vmlinux: from its debug "
	 "package, or by extract-vmlinux, which keeps BTF"},
	{4, BYTES("zimg"), "is a compressed Linux kernel (vmlinuz.efi); give its vmlinux"},
	{56, BYTES("ARMd"), "is a bare Linux kernel (Image); give its vmlinux"},
	{56, BYTES("RSC\x05"), "is a bare Linux kernel (Image); give its vmlinux"},
	{0, BYTES("\x27\x05\x19\x56"), "is an image for U-Boot; give the vmlinux it was made of"},

	{0, BYTES("MZ"), "is a PE image, of Windows or EFI; only ELF is read"},
	{0, BYTES("\x64\x86"), "looks like an object of Windows (COFF); only ELF is read"},
	{0, BYTES("\x64\xaa"), "looks like an object of Windows (COFF); only ELF is read"},
	{0, BYTES("\x4c\x01"), "looks like an object of Windows (COFF); only ELF is read"},
	{0, BYTES("\xcf\xfa\xed\xfe"), "is a Mach-O file; only ELF is read"},
	{0, BYTES("\xce\xfa\xed\xfe"), "is a Mach-O file; only ELF is read"},
	{0, BYTES("\xfe\xed\xfa\xcf"), "is a Mach-O file; only ELF is read"},
	{0, BYTES("\xfe\xed\xfa\xce"), "is a Mach-O file; only ELF is read"},
	{0, BYTES("\xca\xfe\xba\xbe"),
	 "is a universal Mach-O file or a Java class; only ELF is read"},
	{0, BYTES("\0asm"), "is a WebAssembly module; only ELF is read"},
	{0, BYTES("BC\xc0\xde"), "is LLVM bitcode, not a compiled object"},

	{0, BYTES("PERFILE2"), "is a recording of perf; `layoutcheck c2c` reads that"},
	{0, BYTES("2ELIFREP"), "is a recording of perf; `layoutcheck c2c` reads that"},
};

void elf_say_content(const uint8_t *head, size_t len, struct buf *ret)
{
	bool text = true;

	for (size_t i = 0; i < ARRAY_SIZE(FOREIGN); i++)
		if (len >= FOREIGN[i].at + FOREIGN[i].len &&
		    memcmp(head + FOREIGN[i].at, FOREIGN[i].magic, FOREIGN[i].len) == 0) {
			buf_adds(ret, FOREIGN[i].what);
			return;
		}
	if (len > 8)
		len = 8;
	for (size_t i = 0; i < len; i++)
		text = text && head[i] >= ' ' && head[i] < 0x7f;
	buf_adds(ret, "is neither ELF nor BTF: begins with ");
	if (text)
		buf_addf(ret, "\"%.*s\"", (int)len, (const char *)head);
	for (size_t i = 0; i < len && !text; i++)
		buf_addf(ret, "%s%02x", i ? " " : "bytes ", head[i]);
}
