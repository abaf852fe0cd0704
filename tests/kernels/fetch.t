#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How kernels are fetched, with an apt that has small ones.
. "$(dirname "$0")/../lib.sh"

need dpkg-deb gcc

bin=$T/bin
LAYOUTCHECK_KERNELS=$T/cache
export T LAYOUTCHECK_KERNELS
PATH=$bin:$PATH
mkdir "$bin"

cat >"$bin/apt-cache" <<'END'
#!/bin/sh
if [ "$1" = depends ]; then
	echo "$2"
	echo "  Depends: linux-base-cloud-amd64"
	[ ! -e "$T/newer" ] || version=7.3.1-cloud-amd64-dbg
	grep -q ' sid main$' "$(sed -n 's/.*sourcelist "\(.*\)";/\1/p' "$APT_CONFIG")" &&
		echo "  Depends: linux-image-${version-7.2.13+deb14-cloud-amd64-dbg}"
	exit 0
fi
pattern=$3
if [ -n "${APT_CONFIG-}" ] && grep -q 'Architecture "arm64"' "$APT_CONFIG" &&
	grep -q ' bookworm main$' "$(sed -n 's/.*sourcelist "\(.*\)";/\1/p' "$APT_CONFIG")"; then
	for name in 6.1.0-9-arm64 6.1.0-10-arm64 6.1.0-11-rt-arm64 6.1.0-11-cloud-arm64; do
		echo "linux-image-$name-dbg - symbols"
	done
fi >"$T/arm64"
for name in 6.1.0-9 6.1.0-10 6.12.9+deb12 6.12.10+deb12 6.10.1; do
	echo "linux-image-$name-cloud-amd64-dbg - symbols"
done | cat - "$T/arm64" | grep "^[^ ]*" | awk -v p="$pattern" '$1 ~ p'
END

# A package whose kernel is what $T/kernel is.
cat >"$bin/apt-get" <<'END'
#!/bin/sh
echo "$*" >>"$T/apt.log"
[ "$1" = download ] || exit 0
[ ! -e "$T/offline" ] || exit 100
root=$(mktemp -d "$T/root.XXXXXX")
name=${3#linux-image-}
mkdir -p "$root/DEBIAN" "$root/usr/lib/debug/boot"
printf 'Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x <x@example.org>\nDescription: x\n' >"$root/DEBIAN/control"
name=${name%-dbg}
case $name in
7.*)
	mkdir -p "$root/usr/lib/debug/lib/modules/$name"
	cp "$T/kernel" "$root/usr/lib/debug/lib/modules/$name/vmlinux"
	ln -s "../lib/modules/$name/vmlinux" "$root/usr/lib/debug/boot/vmlinux-$name"
	;;
*) cp "$T/kernel" "$root/usr/lib/debug/boot/vmlinux-$name" ;;
esac
dpkg-deb --build "$root" "$3.deb" >/dev/null
END
chmod +x "$bin"/*

printf 'struct s { int x; } s;\nint main(void) { return s.x; }\n' >"$T/kernel.c"
gcc -g "$T/kernel.c" -o "$T/kernel"

run tests/kernels/fetch
is "two kernels are fetched" "$status" 0
is "the newest of each series, by version, the series in order" "$stdout" \
	"$T/cache/vmlinux-6.1.0-10-cloud-amd64
$T/cache/vmlinux-6.12.10+deb12-cloud-amd64"
same "whole" "$T/kernel" "$T/cache/vmlinux-6.1.0-10-cloud-amd64"
is "nothing else stays" "$(find "$T/cache" -type f ! -name 'vmlinux-*')" "$T/cache/lock"

: >"$T/apt.log"
run tests/kernels/fetch 6.12
is "a second run has it in the cache" "$stdout" "$T/cache/vmlinux-6.12.10+deb12-cloud-amd64"
is "and asks nobody" "$(cat "$T/apt.log")" ""

run tests/kernels/fetch sid 6.1
is "sid: what its package without a version stands for" "$stdout" \
	"$T/cache/vmlinux-7.2.13+deb14-cloud-amd64
$T/cache/vmlinux-6.1.0-10-cloud-amd64"
same "sid: whole, from where new packages have it" "$T/kernel" "$T/cache/vmlinux-7.2.13+deb14-cloud-amd64"
: >"$T/apt.log"
run tests/kernels/fetch sid
is "sid: a second run asks whether there is a newer one, and downloads nothing" \
	"$status $(cat "$T/apt.log")" "0 update -qq"
: >"$T/newer"
run tests/kernels/fetch sid
is "sid: which is fetched" "$stdout" "$T/cache/vmlinux-7.3.1-cloud-amd64"

run tests/kernels/fetch 6.1/arm64 6.1
is "a machine: the kernel that most have, and no other" "$stdout" \
	"$T/cache/vmlinux-6.1.0-10-arm64
$T/cache/vmlinux-6.1.0-10-cloud-amd64"
nok "a machine: its lists are gone" test -e "$T/cache/bookworm-arm64"
: >"$T/apt.log"
run tests/kernels/fetch 6.1/arm64
is "a machine: a second run has it in the cache, and asks nobody" "$stdout $(cat "$T/apt.log")" \
	"$T/cache/vmlinux-6.1.0-10-arm64 "
run tests/kernels/fetch 5.4/arm64
one_sentence "a machine without such a series"
run tests/kernels/fetch 6.1/pdp11
one_sentence "a machine of which no kernel is known"

run tests/kernels/fetch 5.4
one_sentence "a series that apt does not know"
like "says where kernels come from" "$stderr" 'apt knows no linux-image-5\.4\..*bookworm-backports'

: >"$T/offline"
run tests/kernels/fetch 6.10
is "a download that fails ends 2" "$status" 2
like "and names the package" "$stderr" 'linux-image-6\.10\.1-cloud-amd64-dbg cannot be downloaded'
is "and leaves nothing" "$(find "$T/cache" -name '*6.10.1*' -o -name 'work.*')" ""
rm "$T/offline"

head -c 3000 "$T/kernel" >"$T/cut" && mv "$T/cut" "$T/kernel"
run tests/kernels/fetch 6.10
like "a file that is cut off" "$stderr" 'has no DWARF, or is cut off'
is "does not get into the cache" "$(find "$T/cache" -name '*6.10.1*')" ""

done_testing
