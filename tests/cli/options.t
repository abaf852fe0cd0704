#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every common option does what the help says; how options are written is tests/unit/options.c's.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld llvm-objcopy pahole jq

ok "the images are made" tests/sample.sh "$T/sample"
cd "$T/sample" || exit 1

# ---- order

run layoutcheck show -C table sample
cp "$T/stdout" wanted
run layoutcheck show sample -C table
same "options behind operands" "$T/stdout" wanted
run layoutcheck show --type=table -- sample
same "--" "$T/stdout" wanted
run layoutcheck show -C table -- --type
like "what is behind -- is an image" "$stderr" '^layoutcheck: --type: '

# ---- -C

run layoutcheck show -q -C table,account -C table -C 'union number' sample
is "types in the order asked for, each once" "$(grep -v '^[ -]' "$T/stdout" | grep .)" \
	"struct table
struct account
union number"
run layoutcheck show -q -C 'struct number' sample
is "a union is no struct" "$status" 1
run layoutcheck show -q -C counter_t sample
like "the typedef of an anonymous struct" "$stdout" '^typedef counter_t$'
run layoutcheck show -q -C twin sample
is "every definition of a name" "$(grep -c '^struct twin$' "$T/stdout")" 2
run layoutcheck show -C , sample
one_sentence "-C without a name"

# ---- --rules, $LAYOUTCHECK_RULES, the packs that came with the program

mkdir packs
printf 'layoutcheck: 1\nstructs:\n  table:\n    rules:\n      - size: 128\n' >packs/table.yaml
printf 'layoutcheck: 1\nstructs:\n  twin:\n    rules:\n      - size: "<= 24"\n' >packs/twin.yaml
# rules_of ARG...: the rules that such a check judges.
rules_of() {
	layoutcheck check --all -f json "$@" sample 2>"$T/ignored" | jq -r '[.findings[].rule] | unique | join(" ")'
}
is "--rules FILE" "$(rules_of --rules packs/twin.yaml)" "twin/size"
is "--rules DIR" "$(rules_of --rules packs)" "table/size twin/size"
is "-r twice" "$(rules_of -r packs/twin.yaml -r packs/table.yaml)" "table/size twin/size"
is "LAYOUTCHECK_RULES" "$(LAYOUTCHECK_RULES=packs/twin.yaml rules_of)" "twin/size"
is "LAYOUTCHECK_RULES with two paths" \
	"$(LAYOUTCHECK_RULES=packs/twin.yaml:packs/table.yaml rules_of)" "table/size twin/size"
is "--rules is stronger" "$(LAYOUTCHECK_RULES=packs rules_of -r packs/twin.yaml)" "twin/size"
like "an empty LAYOUTCHECK_RULES: the packs of the build tree" "$(LAYOUTCHECK_RULES='' rules_of)" \
	'files_struct/'
like "the packs of the build tree" "$(rules_of)" 'files_struct/'

# From elsewhere the program looks where it would have been installed; tests/cli/install.t has more.
mkdir elsewhere
cp "$LAYOUTCHECK" elsewhere
exits "show needs no packs" 0 elsewhere/layoutcheck show -C table sample
run elsewhere/layoutcheck check sample
if [ -d /usr/local/share/layoutcheck/rules ]; then
	skip "no packs at all" "there are some in /usr/local/share/layoutcheck/rules"
else
	one_sentence "no packs at all"
	like "no packs at all: what to do" "$stderr" \
		'there are no rule packs in .*: give one with --rules$'
fi

# ---- --from, --arch, --cacheline

run layoutcheck show -f json --from btf -C table sample.both
is "--from btf" "$(jq -r .image.source "$T/stdout")" btf
run layoutcheck show -f json --from=dwarf -C table sample.both
is "--from dwarf" "$(jq -r .image.source "$T/stdout")" dwarf
run layoutcheck show --from elf -C table sample.both
one_sentence "--from of nothing we know"

run layoutcheck show -f json -C table sample.btf
is "raw BTF has no machine and no line" "$(jq -c '[.image.arch, .line]' "$T/stdout")" '[null,null]'
run layoutcheck check -r packs sample.btf
like "which is said" "$stdout" 'warning: the size of a cache line is not known'
run layoutcheck show -f json --arch s390x -C table sample.btf
is "--arch" "$(jq -c '[.image.arch, .line]' "$T/stdout")" '["s390x",256]'
run layoutcheck show -f json --arch=amd64 -C table sample.btf
is "--arch by another name" "$(jq -c '[.image.arch, .line]' "$T/stdout")" '["x86_64",64]'
run layoutcheck show -f json --arch amd64 -C table sample
is "--arch as the image has it" "$status" 0
run layoutcheck show --arch s390x -C table sample
one_sentence "--arch against the image"
like "--arch against the image: both are named" "$stderr" 'is for x86_64, not for s390x'
run layoutcheck show --arch vax sample
one_sentence "an unknown --arch"
like "an unknown --arch: the known ones are named" "$stderr" 'x86_64'

run layoutcheck show -f json --cacheline 128 -C table sample
is "--cacheline" "$(jq -c '[.line, .types[0].lines, .types[0].members[2].line]' "$T/stdout")" \
	'[128,1,0]'
run layoutcheck show -f json --cacheline 0x20 -C table sample.btf
is "--cacheline of raw BTF" "$(jq -c '[.image.arch, .line, .types[0].lines]' "$T/stdout")" \
	'[null,32,4]'
for line in 0 1 48 8192 -64 64x '' 0x 18446744073709551616; do
	run layoutcheck show --cacheline="$line" sample
	one_sentence "--cacheline '$line'"
done
printf 'layoutcheck: 1\nstructs:\n  table:\n    rules:\n      - starts_line: lock\n' >line.yaml
exits "check --cacheline: a line of 64" 0 layoutcheck check -r line.yaml sample
exits "check --cacheline: a line of 128" 1 layoutcheck check -r line.yaml --cacheline 128 sample

# ---- --format

run layoutcheck show --format text -C table sample
same "--format text is the default" "$T/stdout" wanted
run layoutcheck show --format yaml -C table sample
one_sentence "--format of nothing we know"
like "--format of nothing we know: those we do are named" "$stderr" 'is not text, json or html$'

# ---- --debug-dir

mkdir -p debug/.build-id/01
ld.lld -m elf_x86_64 -shared --build-id=0x0102030405060708 -o linked sample
llvm-objcopy --only-keep-debug linked debug/.build-id/01/02030405060708.debug
llvm-objcopy --strip-debug linked
run layoutcheck show -C table --debug-dir nowhere linked
one_sentence "a stripped image"
like "a stripped image: where its debug file would be" "$stderr" \
	'the debug package \(there is no nowhere/\.build-id/01/02030405060708\.debug\)$'
run layoutcheck show -q -C table --debug-dir debug linked
is "--debug-dir: its debug file by build id" "$status" 0
like "--debug-dir: is read" "$stdout" '^struct table$'
run layoutcheck show -f json -C table --debug-dir=debug linked
is "the build id is reported" "$(jq -r .image.build_id "$T/stdout")" 0102030405060708

# One of another build. Only DWARF is looked for there.
mkdir -p other/.build-id/01 damaged/.build-id/01
ld.lld -m elf_x86_64 -shared --build-id=0x0909090909090909 -o another sample
llvm-objcopy --only-keep-debug another other/.build-id/01/02030405060708.debug
head -c 100 other/.build-id/01/02030405060708.debug >damaged/.build-id/01/02030405060708.debug
run layoutcheck show -C table --debug-dir other linked
one_sentence "a debug file of another build, and nothing else"
like "a debug file of another build: said why" "$stderr" \
	'^layoutcheck: linked: has neither .* \(other/\S* is not its debug file: build id 09'
cp linked linked.both
llvm-objcopy --add-section .BTF=sample.btf linked.both
run layoutcheck show -C table --debug-dir other linked.both
is "BTF beside a debug file of another build" "$status" 0
like "BTF beside a debug file of another build: said" "$stderr" \
	'^layoutcheck: warning: linked.both: other/\S* is not its debug file: build id 09'
run layoutcheck show -q -C table --debug-dir other linked.both
is "BTF beside a debug file of another build, -q: nothing" "$status$stderr" 0
run layoutcheck show -C table --debug-dir damaged linked.both
one_sentence "BTF beside a damaged debug file"
run layoutcheck show --from btf -C table --debug-dir damaged linked.both
is "--from btf: no debug file is opened" "$status$stderr" 0
mkdir -p moved/.build-id/01
llvm-objcopy --add-section .BTF=sample.btf debug/.build-id/01/02030405060708.debug \
	moved/.build-id/01/02030405060708.debug
run layoutcheck show -q -C table --from btf --debug-dir moved linked
is "--from btf: BTF that went to the debug file" "$status" 0
like "--from btf: is read there" "$stdout" '^struct table$'
run layoutcheck show -q -C table --from btf --debug-dir damaged linked
one_sentence "--from btf: a damaged debug file, and no BTF but there"

# ---- --base

# A module that embeds what the sample defines, in split BTF.
cat >module.c <<'END'
#include "sample.c"
struct device { struct table table; int extra; };
struct device device;
END
clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -c module.c -o module.o
pahole --btf_base sample.btf --btf_encode_detached module.btf module.o
run layoutcheck show -C device module.btf
one_sentence "split BTF without its base"
like "split BTF without its base: --base" "$stderr" 'give that with --base$'
run layoutcheck show -f json --arch x86_64 -C device --base sample.btf module.btf
is "--base" "$(jq -c '.types[0] | [.name, .size]' "$T/stdout")" '["device",192]'
run layoutcheck show -f json -C device --base sample.both module.btf
is "the machine is that of the base" "$(jq -r .image.arch "$T/stdout")" x86_64
run layoutcheck show -C device --base text-that-is-not-there module.btf
one_sentence "a base that is not there"

is "a module is called as its file is" \
	"$(printf 'layoutcheck: 1\nimage: module:module\nstructs: {device: {rules: [{size: 192}]}}\n' \
		>module.yaml; layoutcheck check -r module.yaml -f json --base sample.both module.btf |
		jq .summary.holds)" 1

# ---- a kernel's raw BTF

printf 'layoutcheck: 1\nimage: vmlinux\nstructs: {table: {rules: [{size: 128}]}}\n' >vmlinux.yaml
{
	cat sample.c
	echo 'struct task_struct { int pid; } init_task;'
} >kernel.c
clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -c kernel.c -o kernel.o
pahole --btf_encode_detached kernel.btf kernel.o
exits "raw BTF with a task_struct is a vmlinux" 0 layoutcheck check -r vmlinux.yaml kernel.btf
exits "raw BTF without is none" 2 layoutcheck check -r vmlinux.yaml sample.btf

# ---- the running kernel

if [ -r /sys/kernel/btf/vmlinux ]; then
	run layoutcheck show -f json -C task_struct
	is "without IMAGE, the running kernel" "$status $(jq -r .image.path "$T/stdout")" \
		"0 /sys/kernel/btf/vmlinux"
	is "it has a machine" "$(jq -r .image.arch "$T/stdout")" "$(uname -m)"
	for module in /sys/kernel/btf/*; do
		[ "$module" != /sys/kernel/btf/vmlinux ] || continue
		exits "a module of the running kernel needs no --base" 0 layoutcheck show "$module"
		break
	done
else
	skip "without IMAGE, the running kernel" "it has no BTF"
fi
# no_btf COMMAND...: runs it where nobody sees /sys/kernel/btf.
no_btf() {
	unshare --map-root-user --mount sh -c \
		'mount -t tmpfs none /sys/kernel && exec "$@"' sh "$@"
}
if no_btf true 2>/dev/null; then
	run no_btf "$LAYOUTCHECK" check
	one_sentence "a running kernel without BTF"
	like "a running kernel without BTF: the next step" "$stderr" \
		'^layoutcheck: the running kernel has no BTF \(/sys/kernel/btf/vmlinux\): give a vmlinux, or boot a kernel with CONFIG_DEBUG_INFO_BTF=y$'
else
	skip "a running kernel without BTF" "this machine lets nobody hide it"
fi

done_testing
