#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is not read is refused in a sentence that says what it is, and what to give instead.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need clang gcc gzip xz zstd perl tar objcopy readelf
section 'Refused'

# bytes FILE AT TEXT: a file of 1 KiB that has TEXT, as printf has it, at a place.
bytes() {
	head -c 1024 /dev/zero >"$1"
	# shellcheck disable=SC2059
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

gcc -g -c shape.c -o shape.ko || exit 1

# ---- compressed, packed

refuses 'a compressed module (`.ko.gz`)' '$ gzip -k shape.ko' \
	'shape.ko.gz: is compressed by gzip; decompress it first (gzip -dk)' shape.ko.gz
refuses 'a compressed module (`.ko.xz`)' '$ xz -k shape.ko' \
	'shape.ko.xz: is compressed by xz; decompress it first (xz -dk)' shape.ko.xz
refuses 'a compressed module (`.ko.zst`)' '$ zstd -q shape.ko' \
	'shape.ko.zst: is compressed by zstd; decompress it first (zstd -d)' shape.ko.zst
bytes file.bz2 0 'BZh9'
refuses 'a file compressed by bzip2' 'its first bytes' \
	'file.bz2: is compressed by bzip2; decompress it first (bzip2 -dk)' file.bz2
bytes file.lz4 0 '\004\042\115\030'
refuses 'a file compressed by lz4' 'its first bytes' \
	'file.lz4: is compressed by lz4; decompress it first (lz4 -d)' file.lz4
bytes package.rpm 0 '\355\253\356\333'
refuses 'an RPM package' 'its first bytes' \
	'package.rpm: is an RPM package; unpack it first (rpm2cpio)' package.rpm
refuses 'a tar archive' '$ tar -cf shape.tar shape.ko' \
	'shape.tar: is a tar archive; unpack it first (tar -x)' shape.tar

# ---- kernels

bytes vmlinuz 514 'HdrS'
kernel='give its vmlinux: from its debug package, or by extract-vmlinux, which keeps BTF'
refuses 'a kernel that boots (bzImage)' 'the magic of its setup header' \
	"vmlinuz: is a compressed Linux kernel (bzImage); $kernel" vmlinuz
printf MZ | dd of=vmlinuz conv=notrunc 2>/dev/null
refuses 'a bzImage with an EFI stub' 'the magics of both' \
	"vmlinuz: is a compressed Linux kernel (bzImage); $kernel" vmlinuz
bytes vmlinuz.efi 0 'MZ\0\0zimg'
refuses 'a kernel that EFI unpacks' 'the magic of its header' \
	'vmlinuz.efi: is a compressed Linux kernel (vmlinuz.efi); give its vmlinux' vmlinuz.efi
bytes Image 56 'ARMd'
refuses 'a bare kernel (Image, arm64)' 'the magic of its header' \
	'Image: is a bare Linux kernel (Image); give its vmlinux' Image
bytes Image 56 'RSC\005'
refuses 'a bare kernel (Image, riscv)' 'the magic of its header' \
	'Image: is a bare Linux kernel (Image); give its vmlinux' Image
bytes uImage 0 '\047\005\031\126'
refuses 'an image for U-Boot' 'its first bytes' \
	'uImage: is an image for U-Boot; give the vmlinux it was made of' uImage

# ---- objects of other systems

refuses 'an object of Windows' '$ clang --target=x86_64-pc-windows-gnu -g -c shape.c' \
	'shape.o: looks like an object of Windows (COFF); only ELF is read' shape.o
bytes program.exe 0 'MZ'
refuses 'a program of Windows' 'its first bytes' \
	'program.exe: is a PE image, of Windows or EFI; only ELF is read' program.exe
refuses 'Mach-O' '$ clang --target=x86_64-apple-darwin -g -c shape.c' \
	'shape.o: is a Mach-O file; only ELF is read' shape.o
refuses 'WebAssembly' '$ clang --target=wasm32 -g -c shape.c' \
	'shape.o: is a WebAssembly module; only ELF is read' shape.o
refuses 'LLVM bitcode' '$ clang -flto -g -c shape.c' \
	'shape.o: is LLVM bitcode, not a compiled object' shape.o

# ---- what is no binary

refuses 'text' 'the source' 'shape.c: is neither ELF nor BTF: begins with "/* SPDX-"' shape.c
refuses 'an empty file' '$ : >empty' 'empty: is empty' empty
refuses 'a directory' '$ mkdir -p dir' 'dir: is a directory, not an ELF or BTF file' dir
refuses 'a device' '`/dev/null`' '/dev/null: is a character device, not an ELF or BTF file' /dev/null
refuses 'no file' 'nothing' 'gone: cannot open: No such file or directory' gone
refuses 'a recording of perf' '$ printf PERFILE2 >perf.data' \
	'perf.data: is a recording of perf; `layoutcheck c2c` reads that' perf.data
mkfifo fifo
refuses 'a pipe that carries text' '$ (echo "hello, world" >fifo) &' \
	'fifo: is neither ELF nor BTF: begins with "hello, w"' fifo
reads 'a pipe that carries an object' '$ (cat shape.ko >fifo) &' fifo

# ---- ELF without types

refuses 'an object without debug info' '$ gcc -c shape.c' \
	'shape.o: has neither DWARF nor BTF: build with -g, or install the debug package' shape.o
refuses 'an object for LTO alone' '$ gcc -g -flto -fno-fat-lto-objects -c shape.c' \
	'shape.o: has debug info for the linker alone (LTO): give the linked program, or build with -ffat-lto-objects' \
	shape.o
refuses 'CTF' '$ gcc -gctf -c shape.c' 'shape.o: has CTF, which is not read: build with -g' shape.o
refuses 'stabs' '$ gcc -c shape.c && objcopy --add-section .stab=shape.c shape.o stabs.o' \
	'stabs.o: has stabs, which are not read: build with -gdwarf' stabs.o
perl -e 'local $/; $_ = <STDIN>; substr($_, 16, 1) = "\4"; print' <shape.ko >core
refuses 'a core dump' 'an object whose header says `ET_CORE`' \
	'core: is a core dump; give the program or vmlinux that it is of' core
head -c 2000 shape.ko >short
run layoutcheck show short
one_sentence "a file that was cut off"
like "it says where" "$stderr" '^layoutcheck: short: is truncated: .* is beyond the end of the file at 2000$'
row 'a file that was cut off' '$ head -c 2000 shape.ko >short' \
	'refused: `short: is truncated: ...`, which says what is beyond its end'

done_rows
