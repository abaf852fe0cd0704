#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every pair of tests/fixtures/diff/pairs.c: exactly the changes that stand there, in both
# directions, by two compilers, from DWARF 4 and 5 and from BTF.
. "$(dirname "$0")/../lib.sh"
need gcc clang pahole

PAIRS=tests/fixtures/diff/pairs.c
NORULES=$T/none.yaml
cat >"$NORULES" <<'END'
layoutcheck: 1
structs:
  nothing_here:
    optional: true
    rules:
      - size: 8
END

# build NAME CC FLAGS...: $T/NAME.before, $T/NAME.after
build() {
	build_name=$1
	build_cc=$2
	shift 2
	for side in before after; do
		case $side in
		before) set -- "$@" -UAFTER ;;
		after) set -- "$@" -DAFTER ;;
		esac
		"$build_cc" -c -fno-eliminate-unused-debug-types "$@" -o "$T/$build_name.$side" \
			"$PAIRS" || exit 1
	done
}

build gcc4 gcc -gdwarf-4
build gcc5 gcc -gdwarf-5
build clang4 clang -gdwarf-4
build clang5 clang -gdwarf-5
for cc in gcc clang; do
	for side in before after; do
		pahole --btf_encode_detached="$T/$cc-btf.$side" "$T/${cc}5.$side" || exit 1
	done
done

# changes OLD NEW: without the place, and without what more there is to say.
changes() {
	run layoutcheck diff -q --arch x86_64 -r "$NORULES" "$T/$1" "$T/$2"
	[ "$status" = 0 ] || echo "exit status $status: $stderr"
	grep -v '^ ' "$T/stdout" | sed 's/^[^ ]* //'
}

# wanted MARK...: what the fixture says behind these marks.
wanted() {
	for mark in "$@"; do
		sed -n "s,^//$mark ,,p" "$PAIRS"
	done
}

# ---- each pair

# The names that the fixture defines on both sides or one, as changes have them.
grep -E '^(BEFORE|THEN)\(| struct [a-z_]+ \{' "$PAIRS" |
	grep -oE '(struct|union) [a-z_]+ \{|\} [a-z_]+_t;' |
	sed -E 's/^struct ([a-z_]+) \{/\1/; s/ \{$//; s/^\} ([a-z_]+);/\1/' | sort -u >"$T/names"
pairs=$(grep -c '^THEN(' "$PAIRS")
ok "there are at least 40 pairs ($pairs)" test "$pairs" -ge 40

mkdir "$T/want" "$T/got"
for variant in gcc4 gcc5 clang4 clang5 gcc-btf clang-btf; do
	case $variant in
	*-btf) marks= ;;
	*) marks=d ;;
	esac
	changes "$variant.before" "$variant.after" | sort | sed "s/^/$variant > /" >>"$T/got.all"
	changes "$variant.after" "$variant.before" | sort | sed "s/^/$variant < /" >>"$T/got.all"
	# shellcheck disable=SC2086 # none or one
	wanted '>' ${marks:+">$marks"} | sort | sed "s/^/$variant > /" >>"$T/want.all"
	# shellcheck disable=SC2086
	wanted '<' ${marks:+"<$marks"} | sort | sed "s/^/$variant < /" >>"$T/want.all"
done
while read -r name; do
	for side in want got; do
		grep -E "^[^:]*: $name: " "$T/$side.all" >"$T/$side/pair"
	done
	same "$name" "$T/got/pair" "$T/want/pair"
done <"$T/names"
same "and nothing else" "$T/got.all" "$T/want.all"

# ---- the same layouts

for image in gcc4.before gcc5.after clang5.before gcc-btf.after; do
	is "$image has not changed since itself" "$(changes "$image" "$image")" ""
done
is "DWARF 4 and 5 of gcc are the same" "$(changes gcc4.before gcc5.before)" ""
is "DWARF of gcc and clang is the same" "$(changes gcc5.after clang5.after)" ""
is "DWARF of clang and gcc is the same" "$(changes clang4.before gcc5.before)" ""
is "BTF of gcc and clang is the same" "$(changes gcc-btf.after clang-btf.after)" ""
for pair in "gcc5.before gcc-btf.before" "clang-btf.after clang5.after"; do
	# shellcheck disable=SC2086 # two words
	is "DWARF and BTF are the same: $pair" "$(changes $pair)" ""
done
run layoutcheck diff --arch x86_64 -r "$NORULES" "$T/gcc5.before" "$T/gcc-btf.before"
is "of DWARF against BTF it is said what is not compared" \
	"$(grep -c '^warning: .*(BTF): alignments are not compared$' "$T/stdout")" 1

done_testing
