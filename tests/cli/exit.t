#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The exit status says whether the job was done and what came of it; a refusal is one sentence.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld llvm-objcopy pahole

ok "the images are made" tests/sample.sh "$T/sample"
cd "$T/sample" || exit 1

# pack NAME LINE...: a pack with one struct, `table`, and these rules.
pack() {
	name=$1
	shift
	{
		printf 'layoutcheck: 1\nstructs:\n  table:\n    rules:\n'
		printf '      - %s\n' "$@"
	} >"$name.yaml"
}

pack holds 'size: 128'
pack broken 'size: 64'
for severity in warning note; do
	pack $severity 'size: 64'
	echo "        severity: $severity" >>$severity.yaml
done
pack unknown 'align: 64'
pack member 'present: lokc'
pack elsewhere 'size: 128'
sed -i '1a image: module:nowhere' elsewhere.yaml
sed 's/  table:/  tabel:/' holds.yaml >missing.yaml

# ---- 0, 1: what fails, and from where up

exits "a rule that holds" 0 layoutcheck check -r holds.yaml sample
exits "one that is broken" 1 layoutcheck check -r broken.yaml sample
like "names the size" "$stdout" 'error: table: size is 128, wanted 64'
exits "a struct that is not there" 1 layoutcheck check -r missing.yaml sample
like "is missing" "$stdout" 'error: tabel: '
like "is counted as missing" "$stdout" '1 missing'
exits "a member that is not there" 1 layoutcheck check -r member.yaml sample
exits "what BTF cannot tell" 1 layoutcheck check -r holds.yaml -r unknown.yaml --arch x86_64 sample.btf
like "is counted as unknown" "$stdout" '1 unknown'
exits "what BTF cannot tell, allowed" 0 \
	layoutcheck check -r holds.yaml -r unknown.yaml --allow-unknown --arch x86_64 sample.btf
like "is called unknown" "$stdout" ': unknown: table: '
exits "--allow-unknown allows nothing else" 1 \
	layoutcheck check -r broken.yaml -r unknown.yaml --allow-unknown --arch x86_64 sample.btf

exits "a broken warning" 0 layoutcheck check -r warning.yaml sample
like "a broken warning is printed" "$stdout" ': warning: table: '
exits "a broken warning, from warnings up" 1 layoutcheck check --fail-on warning -r warning.yaml sample
exits "a broken warning, from notes up" 1 layoutcheck check --fail-on=note -r warning.yaml sample
exits "a broken note, from warnings up" 0 layoutcheck check --fail-on warning -r note.yaml sample
exits "a broken note, from notes up" 1 layoutcheck check --fail-on note -r note.yaml sample
exits "one finding hides no other" 1 layoutcheck check -r broken.yaml -r missing.yaml sample
is "both are printed" "$(grep -c ': error: ' "$T/stdout")" 2

# ---- 2: images

echo "no binary" >text
: >empty
mkdir directory
head -c 100 sample >truncated.header
head -c 3000 sample >truncated
for image in text empty directory /dev/null truncated.header truncated sample.stripped \
	/nonexistent/image sample.c; do
	run layoutcheck check -r holds.yaml "$image"
	one_sentence "check $image: refused in one sentence"
	like "check $image: named" "$stderr" "^layoutcheck: $image: "
	run layoutcheck show "$image"
	one_sentence "show $image: refused in one sentence"
done
# Its header is right, so it is opened; what stands in it is not.
head -c 64 /dev/zero >zeros
llvm-objcopy --update-section .debug_abbrev=zeros sample damaged
run layoutcheck check -r holds.yaml damaged
one_sentence "check damaged: refused in one sentence"
for pair in "sample damaged" "damaged sample" "damaged damaged"; do
	# shellcheck disable=SC2086
	run layoutcheck diff $pair
	one_sentence "diff $pair: refused in one sentence"
	like "diff $pair: the damage is named" "$stderr" '^layoutcheck: damaged: \.debug_'
done
run layoutcheck check -r holds.yaml sample.stripped
like "a stripped image: what to do" "$stderr" \
	'has neither DWARF nor BTF: build with -g, or install the debug package$'
if [ "$(id -u)" -ne 0 ]; then
	cp sample unreadable
	chmod 000 unreadable
	run layoutcheck check -r holds.yaml unreadable
	one_sentence "an unreadable image"
elif command -v setpriv >/dev/null; then
	cp sample unreadable
	chmod 000 unreadable
	chmod 755 "$T" "$T/sample"
	run setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$LAYOUTCHECK" check -r holds.yaml unreadable
	one_sentence "an unreadable image"
fi

exits "an image that cannot be read beside one that can" 2 layoutcheck check -r broken.yaml text sample
like "findings that were made are printed" "$stdout" 'error: table: size'
like "the other is named" "$stderr" '^layoutcheck: text: '

# ---- 2: sources

run layoutcheck check -r holds.yaml --from btf sample
one_sentence "--from btf without BTF"
like "names the other" "$stderr" 'has no BTF, but DWARF: --from dwarf reads that$'
run layoutcheck check -r holds.yaml --from dwarf sample.btf
one_sentence "--from dwarf without DWARF"
like "names the other" "$stderr" 'has no DWARF, but BTF: --from btf reads that$'
exits "DWARF comes first" 0 layoutcheck check -r holds.yaml sample.both
like "DWARF comes first, and is named" "$stdout" '^sample\.both \(DWARF, '
exits "--from btf with both" 0 layoutcheck check -r holds.yaml --from btf sample.both
like "--from btf is named" "$stdout" '^sample\.both \(BTF, '

# DWARF that is there and cannot be read: its abbreviations end in the middle.
llvm-objcopy --dump-section .debug_abbrev=abbrev sample.both "$T/ignored"
head -c 10 abbrev >short
llvm-objcopy --update-section .debug_abbrev=short sample.both damaged
run layoutcheck check -r holds.yaml damaged
one_sentence "damaged DWARF is refused although there is BTF"
like "and BTF is named as the way out" "$stderr" '; --from btf reads its BTF$'
exits "which works" 0 layoutcheck check -r holds.yaml --from btf damaged

# ---- 2: nothing was checked

exits "rules for another image only" 2 layoutcheck check -r elsewhere.yaml sample
like "says that nothing was checked" "$stderr" 'nothing was checked: 1 not applicable, 0 unknown'
exits "no verdict but unknown" 2 layoutcheck check --allow-unknown -r unknown.yaml --arch x86_64 sample.btf
printf 'layoutcheck: 1\nstructs: {}\n' >none.yaml
mkdir no-packs
run layoutcheck check -r no-packs sample
is "a directory without packs" "$status" 2

# ---- 2: packs

pack key 'size: 128'
printf '        serverity: note\n' >>key.yaml
run layoutcheck check -r key.yaml sample
is "an unknown key" "$status:$stdout" "2:"
like "is named with the nearest known" "$stderr" '^key\.yaml:6:9: .*serverity.*severity'
run layoutcheck check -r nonexistent.yaml sample
one_sentence "a pack that is not there"
run layoutcheck show -r key.yaml -C table sample
is "show refuses it, too" "$status:$stdout" "2:"
exits "a wrong pack beside a right one" 2 layoutcheck check -r holds.yaml -r key.yaml sample

# ---- 2: usage

run layoutcheck chekc
one_sentence "an unknown command"
like "with the nearest" "$stderr" 'unknown command `chekc`; did you mean `check`\?$'
run layoutcheck --verison
one_sentence "an unknown option without a command"
run layoutcheck sample
like "an image where a command should be" "$stderr" 'did you mean `layoutcheck check sample`\?$'
run layoutcheck check --formt json
one_sentence "an unknown option"
like "with the nearest option" "$stderr" '^layoutcheck: check: unknown option `--formt`; did you mean `--format`\?$'

# ---- show

exits "show of a type that is there" 0 layoutcheck show -C table sample
exits "show of one that is not" 1 layoutcheck show -C tabel sample
is "prints nothing of it" "$(grep -c tabel "$T/stdout")" 0
like "names the nearest" "$stderr" '^layoutcheck: sample: there is no type `tabel`; did you mean `table`\?$'
exits "show of both" 1 layoutcheck show -C tabel,table sample
like "shows the one" "$stdout" '^struct table$'

# ---- --bisect

exits "--bisect: holds" 0 layoutcheck check --bisect -r holds.yaml sample
exits "--bisect: broken" 1 layoutcheck check --bisect -r broken.yaml sample
exits "--bisect: a struct that is not there" 125 layoutcheck check --bisect -r missing.yaml sample
like "is told all the same" "$stdout" 'error: tabel: '
exits "--bisect: what BTF cannot tell" 125 \
	layoutcheck check --bisect -r holds.yaml -r unknown.yaml --arch x86_64 sample.btf
exits "--bisect: and broken" 1 layoutcheck check --bisect -r missing.yaml -r broken.yaml sample
exits "--bisect: unreadable" 125 layoutcheck check --bisect -r holds.yaml text
exits "--bisect: a wrong pack" 125 layoutcheck check --bisect -r key.yaml sample
exits "--bisect: wrong usage before it" 125 layoutcheck check --formt x --bisect
exits "--bisect: nothing was checked" 125 layoutcheck check --bisect -r elsewhere.yaml sample
exits "--bisect: cannot write" 125 layoutcheck check --bisect -r holds.yaml -o /dev/full sample

# ---- out of memory

# little COMMAND...: runs it in 12 MB of address space.
little() {
	sh -c 'ulimit -v 12000 && exec "$@"' sh "$@"
}
{
	printf 'layoutcheck: 1\nstructs:\n  table:\n    rules:\n'
	seq 20000 | sed 's/.*/      - {id: rule-&, size: 128}/'
} >large.yaml
if [ "$(little "$LAYOUTCHECK" --version 2>&1)" = "$("$LAYOUTCHECK" --version)" ]; then
	run little "$LAYOUTCHECK" check -r large.yaml -o unwritten sample
	one_sentence "out of memory"
	is "out of memory: said" "$stderr" "layoutcheck: out of memory"
	nok "out of memory: no report" test -e unwritten
	exits "--bisect: out of memory" 125 \
		little "$LAYOUTCHECK" check --bisect -r large.yaml sample
else
	skip "out of memory" "a sanitizer wants terabytes of address space"
fi
exits "twenty thousand rules" 0 layoutcheck check -r large.yaml sample

done_testing
