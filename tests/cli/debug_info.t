#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The forms in which compilers, assemblers and other tools leave debug info.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need clang gcc as ld ld.lld objcopy llvm-objcopy strip readelf
section 'Debug info'

# has NAME FILE ERE, lacks NAME FILE ERE: the input is what its row says it is.
has() {
	like "$1" "$(readelf -WS --debug-dump=info "$2" 2>&1)" "$3"
}
lacks() {
	unlike "$1" "$(readelf -WS "$2" 2>&1)" "$3"
}

echo 'extern struct shape shape; struct shape *get(void) { return &shape; }' >main.c

# ---- versions

for version in 2 3 4 5; do
	reads "DWARF $version, gcc" "\$ gcc -gdwarf-$version -gstrict-dwarf -c shape.c" shape.o
	has "it is DWARF $version" shape.o "Version: +$version\$"
done
for version in 2 3 4; do
	reads "DWARF $version, clang" "\$ clang -gdwarf-$version -c shape.c" shape.o
done
reads 'DWARF 5 with extensions and macros, optimized' '$ gcc -g3 -O2 -c shape.c' shape.o
reads '64-bit DWARF 5, gcc' '$ gcc -g -gdwarf64 -c shape.c' shape.o
has "it is 64-bit" shape.o 'Length: .*\(64-bit\)'
reads '64-bit DWARF 4, gcc' '$ gcc -gdwarf-4 -gdwarf64 -c shape.c' shape.o
reads '64-bit DWARF, clang' '$ clang -g -gdwarf64 -c shape.c' shape.o
echo 'long other;' >other.c
gcc -g -c other.c -o other.o || exit 1
reads '32-bit and 64-bit DWARF in one file' '$ gcc -g -gdwarf64 -c shape.c && ld -r other.o shape.o -o both' both
has "it has both" both 'Length: .*\(64-bit\)'
has "indeed" both 'Length: .*\(32-bit\)'

gcc -gdwarf-2 -c main.c -o two.o && clang -gdwarf-4 -c other.c -o four.o || exit 1
reads 'DWARF 2, 4 and 5, of two compilers, in one file' \
	'$ clang -g -c shape.c && ld -r two.o four.o shape.o -o mixed' mixed

# ---- assemblers

reads 'clang, its own assembler' '$ clang -gdwarf-4 -fintegrated-as -c shape.c' shape.o
reads 'clang, GNU as' '$ clang -gdwarf-4 -fno-integrated-as -c shape.c' shape.o
reads 'gcc, clang'\''s assembler' '$ gcc -gdwarf-4 -S shape.c && clang -c shape.s' shape.o

# ---- strings and addresses by index

reads '`DW_FORM_strx1`, `DW_FORM_addrx` and their bases; no `.debug_aranges`' \
	'$ clang -gdwarf-5 -c shape.c' shape.o
has "it has a base" shape.o 'DW_AT_str_offsets_base'
has "and addresses by index" shape.o 'DW_AT_addr_base'
lacks "and no .debug_aranges" shape.o debug_aranges
mv shape.o strx.o
reads '`DW_FORM_strx1` of several units' \
	'$ clang -gdwarf-5 -c other.c -o strx-other.o && ld.lld -e 0 strx-other.o strx.o -o linked' linked
clang --target=x86_64-linux-gnu -c "$SRC/tests/fixtures/dwarf/three_bytes.s" || exit 1
shows '`DW_FORM_strx3`' '`tests/fixtures/dwarf/three_bytes.s`, as clang names more than 65,536 strings' \
	'three 8
member 4' -C three three_bytes.o
reads '`.debug_aranges` taken away' \
	'$ gcc -g -c shape.c && objcopy -R .debug_aranges -R .rela.debug_aranges shape.o bare.o' bare.o
lacks "it is" bare.o debug_aranges

# ---- type units

reads '`.debug_types` (DWARF 4), gcc' '$ gcc -gdwarf-4 -fdebug-types-section -c shape.c' shape.o
has "it has the section" shape.o ' \.debug_types '
reads '`.debug_types` (DWARF 4), clang' \
	'$ clang -x c++ -gdwarf-4 -fdebug-types-section -c shape.c' shape.o
has "it has the section, too" shape.o ' \.debug_types '
reads 'DWARF 5 type units, gcc' '$ gcc -gdwarf-5 -fdebug-types-section -c shape.c' shape.o
has "it has type units" shape.o 'Unit Type: +DW_UT_type'
reads 'DWARF 5 type units, clang' '$ clang -x c++ -gdwarf-5 -fdebug-types-section -c shape.c' shape.o
has "it has type units, too" shape.o 'Unit Type: +DW_UT_type'
reads 'DWARF 5 type units, linked' '$ ld -e 0 shape.o other.o -o linked' linked

# ---- link-time optimization

reads 'LTO, gcc: references across units' \
	'$ gcc -g -flto -O2 -nostdlib -shared -fPIC shape.c main.c -o lto.so' lto.so
like "it refers across units" "$(readelf --debug-dump=abbrev lto.so)" DW_FORM_ref_addr
reads 'LTO, gcc: objects that are both' '$ gcc -g -flto -ffat-lto-objects -c shape.c' shape.o
reads 'LTO, clang' '$ clang -g -flto -fuse-ld=lld -nostdlib -shared -fPIC shape.c main.c -o lto.so' lto.so

# ---- compressed sections: of some size, or they stay as they are

cp shape.c padded.c
for i in 1 2 3 4 5 6 7 8; do
	echo "struct a_rather_long_name_that_repeats_$i { int a, b; } a_rather_long_name_$i;"
done >>padded.c
gcc -g -c padded.c -o plain.o || exit 1
reads 'zlib, gcc' '$ gcc -g -gz=zlib -c padded.c' padded.o
has "it is compressed" padded.o ' \.debug_info .* C '
reads 'zlib, clang' '$ clang -g -gz=zlib -c padded.c' padded.o
reads 'zlib, the linker' '$ ld -e 0 --compress-debug-sections=zlib plain.o -o linked' linked
has "it is compressed, too" linked ' \.debug_info .* C '
reads 'zlib, `.zdebug_info`' '$ objcopy --compress-debug-sections=zlib-gnu plain.o old.o' old.o
has "it has the old name" old.o ' \.zdebug_info '
if objcopy --help | grep -q zstd; then
	reads 'zstd' '$ objcopy --compress-debug-sections=zstd plain.o zstd.o' zstd.o
	has "it is compressed as well" zstd.o ' \.debug_info .* C '
else
	skip 'zstd' 'this objcopy has none'
	row 'zstd' '$ objcopy --compress-debug-sections=zstd plain.o zstd.o' read
fi

# ---- linked, stripped and split off

gcc -g -c shape.c || exit 1
reads 'relocations left in a linked file' '$ ld -e 0 --emit-relocs other.o shape.o -o kept' kept
has "they are there" kept ' \.rela\.debug_info '
mkdir -p debug/.build-id/12 && ld -e 0 --build-id=0x123456 other.o shape.o -o whole || exit 1
refuses 'a stripped file' '$ strip whole -o stripped' \
	"stripped: has neither DWARF nor BTF: build with -g, or \
install the debug package (there is no none/.build-id/12/3456.debug)" \
	--debug-dir none stripped
reads 'its debug file on its own' '$ objcopy --only-keep-debug whole whole.debug' whole.debug
cp whole.debug debug/.build-id/12/3456.debug
reads 'its debug file, found by build id' '`objcopy --only-keep-debug`, below `--debug-dir`' \
	--debug-dir debug stripped
ld -e 0 --build-id=none other.o shape.o -o whole && objcopy --only-keep-debug whole linked.debug ||
	exit 1
reads 'its debug file, found by `.gnu_debuglink`' \
	'$ objcopy --strip-all --add-gnu-debuglink=linked.debug whole linking' linking

done_rows
