#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The configuration of a kernel: what rules ask of it, a digest in snapshots, and a warning where two
# differ.
. "$(dirname "$0")/../lib.sh"
need gcc gzip jq objcopy sha256sum

cd "$T" || exit 1
export LAYOUTCHECK_RULES="$T/rules.yaml"
printf 'layoutcheck: 1\nstructs: {s: {rules: [{size: 8}]}}\n' >rules.yaml

# kernel NAME CONFIG START END: a file with the banner of a kernel, and CONFIG between.
kernel() {
	gzip -n -c "$2" >packed.gz
	cat >kernel.c <<END
const char linux_banner[] = "Linux version 6.12.1 (me) #1";
struct s { long a; } s;
__asm__(".section .rodata\n$3\n.incbin \"packed.gz\"\n$4\n.ascii \"IKCFG_ED\"\n.previous");
END
	gcc -g -static -nostdlib -Wl,-e,0 -Wl,--build-id=none -o "$1" kernel.c
}

modern='.ascii \"IKCFG_ST\"\n.global kernel_config_data\nkernel_config_data:'
modern_end='.global kernel_config_data_end\nkernel_config_data_end:'
# As it was before 5.1: a variable, with what marks its ends in it.
old='.type kernel_config_data, @object\nkernel_config_data: .ascii \"IKCFG_ST\"'
old_end='.size kernel_config_data, . - kernel_config_data'

cat >one.config <<'END'
#
# Linux 6.12.1 Kernel Configuration
#
CONFIG_SMP=y
CONFIG_64BIT=y
# CONFIG_KASAN is not set
CONFIG_CC_VERSION_TEXT="gcc (Debian) 12"
END
cat >same.config <<'END'
# Linux 6.12.2 Kernel Configuration
CONFIG_CC_VERSION_TEXT="gcc (Debian) 12"
CONFIG_64BIT=y
CONFIG_SMP=y
END
sed 's/# CONFIG_KASAN.*/CONFIG_KASAN=y/' one.config >other.config

kernel one one.config "$modern" "$modern_end"
kernel same same.config "$old" "$old_end"
kernel other other.config "$modern" "$modern_end"
gcc -g -c kernel.c -o none
objcopy --only-keep-debug one debug

for image in one same other none debug; do
	run layoutcheck snapshot $image -o $image.json
	is "a snapshot of $image" "$status:$stderr" "0:"
done
digest=$(grep ^CONFIG_ one.config | LC_ALL=C sort | sha256sum | cut -d ' ' -f 1)
is "its digest is that of the sorted lines" "$(jq -r .target.config one.json)" "$digest"
is "in another order, from an old kernel: the same" "$(jq -r .target.config same.json)" "$digest"
isnt "one option more: another" "$(jq -r .target.config other.json)" "$digest"
is "an object file has none" "$(jq '.target | has("config")' none.json)" false
is "nor a file of debug info, which has the symbol alone" "$(jq '.target | has("config")' debug.json)" false

warning='configured differently'
for old in one one.json; do
	for new in other other.json; do
		run layoutcheck diff $old $new
		is "diff $old $new: a warning is no failure" "$status" 0
		like "diff $old $new: told" "$stdout" "^warning: $old and $new were $warning"
		run layoutcheck check --baseline $old $new
		like "check --baseline $old $new: told" "$stdout" "^$new: warning: $old and $new were $warning"
	done
	for new in same same.json none none.json; do
		run layoutcheck diff $old $new
		unlike "diff $old $new: nothing to tell" "$stdout" "$warning"
		run layoutcheck check --baseline $old $new
		unlike "check --baseline $old $new: nothing to tell" "$stdout" "$warning"
	done
done

# ---- rules that ask

cat >asks.yaml <<'END'
layoutcheck: 1
structs:
  s:
    rules:
      - {size: 8, when: {config: CONFIG_SMP}}
      - {size: 16, id: with-kasan, when: {config: CONFIG_KASAN}}
END
outcomes() {
	jq -r '[.findings[] | .outcome] | join(" ")' "$T/stdout"
}
run layoutcheck check -r asks.yaml -f json --all one
is "the configuration inside says what applies" "$status $(outcomes)" "0 holds not-applicable"
run layoutcheck check -r asks.yaml -f json --all other
is "that of another: what is broken" "$status $(outcomes)" "1 holds broken"
for image in none one.json; do
	run layoutcheck check -r asks.yaml -f json --all $image
	is "$image: none is known, which is no pass" "$status $(outcomes)" "2 unknown unknown"
done
gzip -c other.config >other.config.gz
for config in other.config other.config.gz; do
	for image in one one.json none; do
		run layoutcheck check -r asks.yaml -f json --all --config $config $image
		is "$image --config $config: that is the one" "$status $(outcomes)" "1 holds broken"
	done
done
run layoutcheck snapshot --config other.config -o given.json one
is "its digest is kept" "$(jq -r .target.config given.json)" "$(jq -r .target.config other.json)"
run layoutcheck check -r asks.yaml --config nowhere one
one_sentence "--config of a file that is not there"
run layoutcheck check -r asks.yaml --config asks.yaml one
one_sentence "--config of something else"
like "--config of something else: what" "$stderr" '^layoutcheck: asks\.yaml: has no line that begins with CONFIG_$'
head -c 30 other.config.gz >half.gz
run layoutcheck check -r asks.yaml --config half.gz one
one_sentence "--config cut off"

# ---- randomised layouts

# random NAME VERMAGIC: a kernel that says so of its modules; NAME.ko is one of them.
random() {
	cat >random.c <<END
const char linux_banner[] = "Linux version 6.12.1 (me) #1";
static const char vermagic[] __attribute__((used)) = "$2";
struct s { long a; } s;
END
	gcc -g -static -nostdlib -Wl,-e,0 -o "$1" random.c
	cat >module.c <<END
const char info[] __attribute__((section(".modinfo"))) = "name=m\\0vermagic=$2";
char this_module[8] __attribute__((section(".gnu.linkonce.this_module")));
struct s { long a; } s;
END
	gcc -g -c -o "$1.ko" module.c
}
random seeded '6.12.1 SMP mod_unload RANDSTRUCT_0123456789abcdef '
random plain '6.12.1 SMP mod_unload '
echo 'CONFIG_RANDSTRUCT=y' >random.config
echo 'CONFIG_GCC_PLUGIN_RANDSTRUCT=y' >older.config
# As a kernel whose task_struct has what is marked in an anonymous struct.
cat >shaped.c <<'END'
const char linux_banner[] = "Linux version 6.12.1 (me) #1";
struct s { long a; } s;
struct task_struct { int state; struct { long a[8]; }; int thread; } t;
END
gcc -g -static -nostdlib -Wl,-e,0 -o shaped shaped.c
sed 's/struct { long a\[8\]; };/long a[8];/' shaped.c >shapeless.c
gcc -g -static -nostdlib -Wl,-e,0 -o shapeless shapeless.c

layoutcheck snapshot -o seeded.json seeded
random='its layouts are randomised (CONFIG_RANDSTRUCT)'
told() {
	cat "$T/stdout" "$T/stderr" | grep -cF "$random"
}
for image in seeded seeded.ko seeded.json shaped "one --config random.config" "one --config older.config"; do
	# shellcheck disable=SC2086 # an image, and perhaps an option
	run layoutcheck check -r rules.yaml $image
	is "check $image: randomised, and told once" "$status $(told)" "0 1"
done
for image in plain plain.ko shapeless one; do
	run layoutcheck check -r rules.yaml $image
	is "check $image: not randomised" "$status $(told)" "0 0"
done
run layoutcheck check -r rules.yaml seeded plain shaped
is "check of three: each that is" "$(told)" 2
run layoutcheck check -r rules.yaml --baseline seeded.json seeded
is "check with a baseline: of both, once each" "$(grep -c 'has randomised layouts' "$T/stdout")" 2
run layoutcheck show -C s seeded
is "show: beside the drawing" "$status $(told)" "0 1"
run layoutcheck show -q -C s seeded
is "show -q: not a word" "$status $(told)" "0 0"

# Damaged: told where it is asked for, and nowhere else.
printf 'no gzip' >packed
sed 's/packed.gz/packed/' kernel.c >damaged.c
gcc -g -static -nostdlib -Wl,-e,0 -o damaged damaged.c
run layoutcheck snapshot damaged
one_sentence "a configuration that is none"
run layoutcheck check damaged
is "check does not ask" "$status" 0
run layoutcheck check -r asks.yaml damaged
one_sentence "unless a rule does"
truncate -s 40 packed.gz
gcc -g -static -nostdlib -Wl,-e,0 -o cut kernel.c
run layoutcheck snapshot cut
one_sentence "a configuration that is cut off"
head -c 20000000 /dev/zero | gzip -n >packed.gz
gcc -g -static -nostdlib -Wl,-e,0 -o bomb kernel.c
run layoutcheck snapshot bomb
one_sentence "more than a configuration can be"
sed "s/$digest/abc/" one.json >wrong.json
run layoutcheck diff wrong.json one
one_sentence "a snapshot with a digest that is none"

done_testing
