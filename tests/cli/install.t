#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# make install: what goes where, and that the installed program finds its packs from anywhere.
. "$(dirname "$0")/../lib.sh"
need make gcc

# Built beside the real build, from its objects: only what knows the prefix is compiled again.
unset MAKEFLAGS MAKELEVEL MFLAGS
mkdir "$T/build"
tar -C "${BUILD:-$SRC/build}" --exclude=./asan --exclude=./fuzzing --exclude=./fuzz-libfuzzer --exclude=./fuzz-afl --exclude=./coverage --exclude=./threads --exclude=./tests --exclude=./bench -cf - . |
	tar -C "$T/build" -xf -
make_here() {
	make BUILD="$T/build" "$@"
}

ok "installs below DESTDIR" make_here install PREFIX=/usr DESTDIR="$T/root"
(cd "$T/root/usr" && find . -type f | sort) >"$T/installed"
{
	echo ./bin/layoutcheck
	echo ./include/layoutcheck-marks.h
	echo ./lib/layoutcheck/layoutcheck-fetch-kernel
	echo ./lib/layoutcheck/layoutcheck-init
	echo ./lib/layoutcheck/layoutcheck-tcg.so
	find rules -name '*.yaml' -o -name '*.json' | sed 's|^|./share/layoutcheck/|'
	for page in man/*.1; do echo "./share/man/man1/${page#man/}"; done
	for page in man/*.5; do echo "./share/man/man5/${page#man/}"; done
} | sort >"$T/wanted"
same "nothing but the program, what it uses, the packs and the manual" "$T/installed" "$T/wanted"
ok "and nothing outside the prefix" test "$(find "$T/root" -mindepth 1 -maxdepth 1)" = "$T/root/usr"
ok "the program has where its packs go" \
	grep -q /usr/share/layoutcheck/rules "$T/root/usr/bin/layoutcheck"

ok "installs for real under another prefix" make_here install PREFIX="$T/prefix"
gcc -g -c -DERA=ERA_J -DLINE=64 -o "$T/vmlinux" tests/fixtures/history.c
cd "$T" || exit 1
exits "checks with the installed packs, from another directory" 0 \
	"$T/prefix/bin/layoutcheck" check --all "$T/vmlinux"
like "and names them" "$stdout" "$T/prefix/share/layoutcheck/rules/linux/files.yaml:[0-9]"
cd "$SRC" || exit 1

ok "uninstalls" make_here uninstall PREFIX="$T/prefix"
is "and leaves no file" "$(find "$T/prefix" -type f)" ""

done_testing
