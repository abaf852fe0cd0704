#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debug info that several files have in common, in a file of its own: dwz -m, as distributions do it.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/rows.sh"
need gcc clang dwz readelf objcopy jq perl
section 'Alternate debug files'

# ---- formats

build() {
	printf '$ gcc -g -shared -Wl,--build-id %s -o a shape.c; cp a b; dwz %s a b' "$1" "$2"
}
reads 'dwz -m, DWARF 4' "$(build -gdwarf-4 '-m common')" a
reads 'DWARF 5: .debug_sup, DW_FORM_ref_sup4, DW_FORM_strp_sup' "$(build -gdwarf-5 '--dwarf-5 -m common')" a
readelf -SW a >sections
like "it has .debug_sup" "$(cat sections)" ' \.debug_sup '
unlike "and not .gnu_debugaltlink" "$(cat sections)" debugaltlink
reads 'dwz -m, DWARF 5' "$(build -gdwarf-5 '-m common')" a
like "it has .gnu_debugaltlink" "$(readelf -SW a)" ' \.gnu_debugaltlink '
readelf --debug-dump=no-follow-links --debug-dump=info a >info 2>/dev/null
like "whose types are in the other file" "$(cat info)" 'DW_AT_import +: <alt '
unlike "in that alone" "$(cat info)" 'DW_TAG_member'

id=$(readelf -n common | sed -n 's/.*Build ID: //p')
dir=$(printf %.2s "$id")
file=${id#??}.debug

# ---- where it is looked for

mkdir dbg
mkdir -p "dbg/.build-id/$dir" elsewhere
mv common "dbg/.build-id/$dir/$file"
reads 'alternate file by build id' 'the one above, moved to `DIR/.build-id/`' --debug-dir dbg a
ok "of a file in another directory" sh -c 'cp a elsewhere && "$LAYOUTCHECK" show -C shape --debug-dir dbg elsewhere/a'
mkdir -p dbg/.dwz/x86_64-linux-gnu usr/lib/debug/.dwz/x86_64-linux-gnu
gcc -g -shared -Wl,--build-id -o a shape.c
cp a b
dwz -m common -M /usr/nowhere/debug/.dwz/x86_64-linux-gnu/name.debug a b
mv common dbg/.dwz/x86_64-linux-gnu/name.debug
reads 'alternate file of a package that is not installed' \
	'`dwz -m common -M /usr/nowhere/debug/.dwz/x86_64-linux-gnu/name.debug a b`, and `common` in `DIR/.dwz/`' \
	--debug-dir dbg a
gcc -g -shared -Wl,--build-id -o a shape.c
cp a b
dwz -m common -M "$T/elsewhere/full" a b
mv common elsewhere/full
reads 'alternate file by its full path' '`dwz -m common -M /PATH/full a b`, and `common` moved there' a
reads 'alternate file of the separate debug file' \
	'$ gcc -g -shared -Wl,--build-id -o a shape.c; cp a b; dwz -m common a b; objcopy --only-keep-debug a a.debug; objcopy -g --add-gnu-debuglink=a.debug a' \
	a
ok "the file itself has no DWARF" sh -c '! readelf -SW a | grep -q debug_info'
mkdir apart && mv common a.debug apart
exits "a link to the debug file is followed, then its path is relative to where that is" 0 \
	sh -c 'ln -s apart/a.debug a.debug && "$LAYOUTCHECK" show -C shape a'
exits "a pipe has no neighbours" 2 sh -c 'cat apart/a.debug | "$LAYOUTCHECK" show -C shape /dev/stdin'

# ---- where it is not

gcc -g -shared -Wl,--build-id -o a shape.c
cp a b
dwz -m common a b
id=$(readelf -n common | sed -n 's/.*Build ID: //p')
dir=$(printf %.2s "$id")
file=${id#??}.debug
mv common kept
refusal="$(printf '%s: its alternate debug file (dwz -m) with the build id %s is at none of the paths looked at: %s, %s' \
	"a: .gnu_debugaltlink" "$id" "$T/common" "empty/.build-id/$dir/$file")"
exits "it is not there: 2" 2 layoutcheck show --debug-dir empty -C shape a
one_sentence "in one sentence"
is "with its id and all paths" "$stderr" "layoutcheck: $refusal"
row 'alternate file that is not there' 'one of the above, its `common` removed' \
	'refused, with its build id and the paths looked at'
cp a other
exits "nothing at its path but another file: 2" 2 sh -c 'cp b common; "$LAYOUTCHECK" show --debug-dir empty -C shape a'
is "which is named with its id" "$stderr" \
	"layoutcheck: $refusal; $T/common has the build id $(readelf -n b | sed -n 's/.*Build ID: //p')"
row 'alternate file of another build' 'one of the above, with another `common`' 'refused, with both build ids'
gcc -g -shared -Wl,--build-id=none -o common shape.c
run layoutcheck show --debug-dir empty -C shape a
is "or that it has none" "$stderr" "layoutcheck: $refusal; $T/common has no build id"
mkdir -p "empty/.build-id/$dir"
cp kept "empty/.build-id/$dir/$file"
exits "behind a wrong one the right one is found" 0 layoutcheck show --debug-dir empty -C shape a
echo 'no ELF' >common
exits "one that cannot be read is an error all the same: 2" 2 layoutcheck show --debug-dir empty -C shape a
like "which is named" "$stderr" "^layoutcheck: $T/common: "
ln -sf a common
exits "the file itself is none" 2 layoutcheck show --debug-dir . -C shape a
for bytes in 636f6d6d6f6e 00 636f6d6d6f6e00; do
	perl -e 'print pack "H*", shift' "$bytes" >link.bytes
	objcopy --update-section .gnu_debugaltlink=link.bytes a bad
	run layoutcheck show -C shape bad
	is "a section that is no link ($bytes)" "$stderr" \
		"layoutcheck: bad: .gnu_debugaltlink: is not the name of a file and its build id"
done
objcopy --remove-section .gnu_debugaltlink a bad
run layoutcheck show -C shape bad
one_sentence "references without a link"
like "are named" "$stderr" 'a (reference to|string of) an alternate debug file \(dwz -m\), but neither '
rm common
cp kept common
objcopy --remove-section .debug_info common
cp common empty/common
exits "an alternate file without debug info: 2" 2 layoutcheck show --debug-dir none -C shape a
is "says so" "$stderr" "layoutcheck: $T/common: it has no .debug_info"

# ---- from servers, when asked for

# A program with a debug file, which has an alternate file: both are on the server alone.
gcc -g -shared -Wl,--build-id -o served shape.c
cp served b
dwz -m common served b
mkdir server tools
objcopy --only-keep-debug served "server/$(readelf -n served | sed -n 's/.*Build ID: //p')"
objcopy -g --remove-section .gnu_debugaltlink served
mv common "server/$(readelf -n common | sed -n 's/.*Build ID: //p')"
cat >tools/debuginfod-find <<'END'
#!/bin/sh
[ "$#" -eq 2 ] && [ "$1" = debuginfo ] || exit 3
echo "$2" >>"$SERVER.asked"
echo "Progress" >&2
if [ -f "$SERVER/$2" ]; then
	echo "$SERVER/$2"
else
	echo "Server query failed: No such file or directory" >&2
	exit 1
fi
END
chmod +x tools/debuginfod-find
SERVER=$T/server
DEBUGINFOD_URLS=file://$SERVER
export SERVER DEBUGINFOD_URLS
with_tools() {
	(PATH=$T/tools:$PATH && export PATH && "$@")
}
exits "nobody is asked who was not to be" 2 with_tools layoutcheck show --debug-dir none -C shape served
nok "truly nobody" test -e server.asked
exits "--debuginfod: both files" 0 with_tools layoutcheck show --debug-dir none --debuginfod -C shape served
is "are asked for by build id, once each" "$(sort server.asked)" "$(ls server)"
like "and read" "$stdout" '^struct shape$'
row 'separate and alternate debug file of a debuginfod server' \
	'a `debuginfod-find` of the test, with `--debuginfod`' read
rm server.asked
gcc -g -shared -Wl,--build-id -o here shape.c
exits "a file that has all it needs" 0 with_tools layoutcheck show --debuginfod -C shape here
nok "asks nobody" test -e server.asked
for file in server/*; do
	rm "$file"
	break
done
run with_tools layoutcheck show --debug-dir none --debuginfod -C shape served
one_sentence "one that the server has not: one sentence"
like "with what was asked and answered" "$stderr" \
	'debuginfod-find debuginfo [0-9a-f]{40} \(Server query failed: No such file or directory\)'
DEBUGINFOD_URLS=
run with_tools layoutcheck show --debug-dir none --debuginfod -C shape served
like "or that there is nobody to ask" "$stderr" 'debuginfo [0-9a-f]{40} \(DEBUGINFOD_URLS names no server\)'
mkdir nothing
exits "without the tool: 2" 2 env PATH="$T/nothing" "$LAYOUTCHECK" show --debug-dir none --debuginfod -C shape served
is "which is named with its package" "$stderr" \
	"layoutcheck: --debuginfod: there is no debuginfod-find, which comes with the package debuginfod"

# ---- what of it is the image's own

cat >common.h <<'END'
struct common { char tag; struct { long x, y; } at; struct common *next; unsigned low : 3, high : 5; };
struct held { char bytes[24]; double number; };
typedef struct { int first; long second; } unnamed;
END
cat >user.c <<'END'
#include "common.h"
struct USER { struct held held; int last; } user;
struct common common;
unnamed both;
END
cat >third.c <<'END'
struct third {
	int only_here;
	long in_two;
	unsigned char and_long[100];
	struct third *enough, *to, *be, *worth, *sharing;
} third;
END
for user in one two; do
	gcc -g -c -fdebug-prefix-map="$T=." -DUSER="$user" -o "$user.o" user.c
	gcc -g -shared -o "$user" "$user.o"
done
gcc -g -c -fdebug-prefix-map="$T=." -o third.o third.c
gcc -g -shared -o three one.o third.o
gcc -g -shared -o four two.o third.o
mkdir plain
cp one two three four plain
dwz -m shared one two three four
for image in one three; do
	(cd plain && "$LAYOUTCHECK" snapshot --all -o "$T/$image.plain" "$image")
	ok "$image: a snapshot" layoutcheck snapshot --all -o "$image.dwz" "$image"
	jq 'del(.. | .file?)' "$image.plain" >"$image.wanted"
	jq 'del(.. | .file?)' "$image.dwz" >"$image.got"
	same "$image: it has what it had before, and no more" "$image.got" "$image.wanted"
done
ok "types that others share are in the alternate file" sh -c 'readelf -wi shared | grep -q ": third *$"'
exits "but not in an image that does not import them" 1 layoutcheck show -C third one
run layoutcheck show -C third three
like "it is declared where the line table of the alternate file says" "$stdout" '^    (.*/)?third.c:1, '
run layoutcheck show -C common one
like "so is a struct of a header" "$stdout" '^    (.*/)?common.h:1, '
exits "nothing is changed by it" 0 layoutcheck diff --strict -C one,common,held,unnamed plain/one one
like "which is to say, four types are alike" "$stdout" '4 types compared, 0 changed'
run layoutcheck cu -q -C common,one one
is "cu: it is defined in the unit that imports it" "$(echo "$stdout" | xargs)" "user.o user.o"
cat >pack.yaml <<'END'
layoutcheck: 1
title: Shared by two
structs:
  common:
    source: common.h
    rules:
      - size: 40
      - offset: {at: 8, next: 24}
  one:
    rules:
      - size: 40
END
exits "rules hold" 0 layoutcheck check -r pack.yaml one

# ---- types behind code

HOT_DWARF=4 "$SRC/tests/hot.sh" hot
cd hot || exit 1
mkdir dwz
cp hot dwz/hot
cp hot dwz/again
(cd dwz && dwz -m common hot again) 2>"$T/dwz.err"
ok "dwz: the program has an alternate file" sh -c 'readelf -SW dwz/hot | grep -q gnu_debugaltlink'
run layoutcheck c2c -f json -k hot hot.data
jq 'del(.. | .source?)' "$T/stdout" >"$T/c2c.wanted"
exits "c2c of it" 0 layoutcheck c2c -f json -k dwz/hot hot.data
jq 'del(.. | .source?)' "$T/stdout" | sed 's,dwz/hot,hot,' >"$T/c2c.got"
same "it knows all that it knew before" "$T/c2c.got" "$T/c2c.wanted"
ok "which is something" grep -q '"session"' "$T/c2c.got"

done_rows
