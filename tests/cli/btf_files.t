#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# BTF as compilers, pahole and kernels leave it.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need clang gcc pahole objcopy llvm-objcopy readelf
section 'BTF'

# The type that tells how large a pointer is, where nothing else does.
cat shape.c >kernel.c && echo 'unsigned long jiffies;' >>kernel.c
cat >module.c <<'END'
#include "shape.c"
struct module_state { char tag; struct shape held; struct shape *last; } state;
unsigned long jiffies;
END
module='module_state 96
tag 0
held 8
last 88'

reads '`.BTF` of pahole, beside DWARF' '$ gcc -g -c kernel.c && pahole -J kernel.o' --from btf kernel.o
reads '`.BTF` alone' '$ objcopy --strip-debug kernel.o stripped.o' stripped.o
reads '`.BTF` of gcc' '$ gcc -gbtf -c shape.c' shape.o
reads '`.BTF` of clang, for bpf' '$ clang --target=bpf -g -c shape.c' --from btf shape.o
cp shape.o bpf.o
reads '`.BTF`, big-endian' '$ clang --target=bpfeb -g -c shape.c' --from btf shape.o
reads 'raw BTF (`pahole --btf_encode_detached`)' \
	'$ gcc -g -c kernel.c && pahole --btf_encode_detached=kernel.btf kernel.o' kernel.btf
reads 'raw BTF, big-endian' '$ clang --target=s390x-linux-gnu -g -c kernel.c -o s390x.o && pahole --btf_encode_detached=s390x.btf s390x.o' \
	--arch s390x s390x.btf
reads 'raw BTF of 32 bits' '$ clang --target=i386-linux-gnu -g -c kernel.c -o i386.o && pahole --btf_encode_detached=i386.btf i386.o' \
	--arch i386 i386.btf
refuses 'raw BTF that does not tell how large a pointer is' \
	'$ llvm-objcopy --dump-section .BTF=shape.btf bpf.o' \
	'shape.btf: BTF has pointers, and no type `long` tells their size: name the machine (--arch)' \
	shape.btf
reads 'the same, with `--arch`' '`llvm-objcopy --dump-section .BTF=shape.btf`' --arch x86_64 shape.btf
refuses '`.BTF.ext` without `.BTF`' '$ llvm-objcopy --strip-debug --remove-section .BTF bpf.o ext.o' \
	'ext.o: has neither DWARF nor BTF: build with -g, or install the debug package' ext.o

# ---- BTF of modules, which builds on that of their kernel

gcc -g -c module.c || exit 1
shows "a module's BTF, with its base" \
	'$ pahole --btf_base=kernel.btf --btf_encode_detached=module.btf module.o' \
	"$module" --base kernel.btf -C module_state module.btf
reads 'what is in the base alone' '`pahole --btf_base`' --base kernel.btf module.btf
refuses "a module's BTF without its base" '`pahole --btf_base`' \
	'module.btf: its BTF builds on that of its vmlinux: give that with --base' -C module_state module.btf
shows 'a module: `.BTF` in ELF, with its base' \
	'$ objcopy --strip-debug --add-section .BTF=module.btf module.o module.ko' \
	"$module" --base kernel.btf -C module_state module.ko
printf 'vermagic=6.1.0-1 SMP \000name=module\000' >modinfo
objcopy --add-section .modinfo=modinfo --add-section .gnu.linkonce.this_module=modinfo module.ko \
	named.ko || exit 1
cat kernel.c - >vmlinux.c <<'END'
const char linux_banner[] = "Linux version " RELEASE " (us)";
END
reads 'a module of the same kernel' \
	'$ gcc -DRELEASE='\''"6.1.0-1"'\'' -g -c vmlinux.c && pahole -J vmlinux.o' --base vmlinux.o named.ko
refuses 'a module of another kernel' \
	'$ gcc -DRELEASE='\''"6.1.0-2"'\'' -g -c vmlinux.c && pahole -J vmlinux.o' \
	'named.ko: its BTF builds on that of Linux 6.1.0-1, and vmlinux.o is of 6.1.0-2' \
	--base vmlinux.o named.ko
distilled='its BTF stands on a distilled base (.BTF.base), which is not supported'
refuses 'a module built outside of its tree: `.BTF.base`' \
	'$ objcopy --add-section .BTF.base=kernel.btf module.ko distilled.ko' \
	"distilled.ko: $distilled" -C module_state distilled.ko
refuses '`.BTF.base`, with a base' '$ objcopy --add-section .BTF.base=kernel.btf module.ko distilled.ko' \
	"distilled.ko: $distilled" --base kernel.btf -C module_state distilled.ko
if [ -r /sys/kernel/btf/vmlinux ]; then
	run layoutcheck show -f json -C list_head /sys/kernel/btf/vmlinux
	is "the running kernel is read" "$(jq -c '[.types[0].members[] | .name, .offset]' "$T/stdout")" \
		'["next",0,"prev",8]'
else
	skip "the running kernel is read" 'it has no BTF'
fi
row 'the running kernel' '`/sys/kernel/btf/vmlinux`' read

done_rows
