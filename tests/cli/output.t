#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where reports go: every write is checked, and no half report is left under a name.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld llvm-objcopy pahole jq

ok "the images are made" tests/sample.sh "$T/sample"
cd "$T/sample" || exit 1
run layoutcheck show sample
cp "$T/stdout" wanted

# ---- -o

exits "-o FILE" 0 layoutcheck show -o report sample
same "-o FILE: the report is in the file" report wanted
is "-o FILE: nothing is on standard output" "$stdout$stderr" ""
is "-o FILE: with the mode of any new file" "$(stat -c %a report)" 644

echo old >old
chmod 600 old
exits "--output=FILE over another" 0 layoutcheck show --output=old sample
same "--output=FILE replaces it" old wanted
is "--output=FILE keeps its mode" "$(stat -c %a old)" 600

echo old >target
ln -s target link
exits "-o LINK" 0 layoutcheck show -o link sample
same "-o LINK: the file behind it is replaced" target wanted
ok "-o LINK: the link is still one" test -L link

exits "-o -" 0 layoutcheck show -o - sample
same "-o -: standard output" "$T/stdout" wanted

mkfifo pipe
cat pipe >from-pipe &
exits "-o PIPE" 0 layoutcheck show -o pipe sample
wait
same "-o PIPE: is written to" from-pipe wanted
ok "-o PIPE: and stays a pipe" test -p pipe

exits "-o /dev/full" 2 layoutcheck show -o /dev/full sample
one_sentence "-o /dev/full: one sentence"
ok "-o /dev/full: stays a device" test -c /dev/full
for place in nowhere/report . ''; do
	run layoutcheck show -o "$place" sample
	one_sentence "-o '$place'"
done

echo old >kept
run layoutcheck show -o kept text-that-is-not-there
is "an image that cannot be read leaves the old report alone" "$status:$(cat kept)" "2:old"
is "no temporary file is left" "$(find . -name '*.??????' -newer sample.yaml -not -name 'sample.*')" ""

# ---- standard output

exits "standard output is full" 2 sh -c '"$LAYOUTCHECK" show sample >/dev/full'
like "standard output is full: said" "$stderr" '^layoutcheck: standard output: cannot write: '
exits "standard output is closed" 2 sh -c '"$LAYOUTCHECK" show sample >&-'
like "standard output is closed: said" "$stderr" '^layoutcheck: standard output: cannot write: '
exits "standard error is closed" 2 sh -c '"$LAYOUTCHECK" show nowhere 2>&-'
exits "all three are closed" 2 sh -c '"$LAYOUTCHECK" show sample <&- >&- 2>&-'

# A reader who has seen enough is told nothing, and the status still says that not all was written.
mkfifo gone
sh -c 'exec <gone' &
{
	sleep 0.2
	status=0
	"$LAYOUTCHECK" show sample 2>"$T/stderr" || status=$?
	echo "$status" >"$T/status"
} >gone
wait
is "the reader went away: 2" "$(cat "$T/status")" 2
is "the reader went away: quietly" "$(cat "$T/stderr")" ""

{
	sleep 0.2
	code=0
	"$LAYOUTCHECK" show -o - sample 2>"$T/stderr" || code=$?
	echo "$code" >"$T/status"
} >gone &
sh -c 'exec <gone'
wait
is "-o -: the reader went away: 2" "$(cat "$T/status")" 2
is "-o -: the reader went away: quietly" "$(cat "$T/stderr")" ""

# ---- colour, progress, quiet, verbose

escape=$(printf '\033')
run layoutcheck show -C table sample
unlike "no colour into a file" "$stdout" "$escape"
run layoutcheck show --color always -C table sample
like "--color always" "$stdout" "$escape\\[1mstruct table"
run env NO_COLOR=1 "$LAYOUTCHECK" show --color=always -C table sample
like "--color always is stronger than NO_COLOR" "$stdout" "$escape"

# tty COMMAND: its output on a terminal.
tty() {
	TERM=xterm script -qec "$1" /dev/null </dev/null
}
if command -v script >/dev/null; then
	like "colour on a terminal" "$(tty "'$LAYOUTCHECK' show -C table sample")" "$escape"
	unlike "--color never on a terminal" \
		"$(tty "'$LAYOUTCHECK' show --color never -C table sample")" "$escape"
	unlike "NO_COLOR on a terminal" \
		"$(tty "NO_COLOR=1 '$LAYOUTCHECK' show -C table sample")" "$escape"
	like "an empty NO_COLOR on a terminal" \
		"$(tty "NO_COLOR= '$LAYOUTCHECK' show -C table sample")" "$escape"
	unlike "no progress for what is over at once" \
		"$(tty "'$LAYOUTCHECK' show --color never -C table sample")" 'reading sample'
fi

run layoutcheck show --progress always -C table sample
is "--progress always" "$stderr" "layoutcheck: reading sample (DWARF)"
run layoutcheck show --progress never -C table sample
is "--progress never" "$stderr" ""
run layoutcheck show -C table sample
is "no progress without a terminal" "$stderr" ""

run layoutcheck show -C table sample
like "a heading" "$stdout" '^sample \(DWARF, x86_64, 64-byte lines\)$'
run layoutcheck show --quiet -C table sample
unlike "--quiet: no heading" "$stdout" '^sample '
run layoutcheck check -q -r sample.yaml sample
unlike "check -q: no summary" "$stdout" '^sample \('
like "check -q: findings" "$stdout" ': error: '
run layoutcheck check -r sample.yaml sample
unlike "no reason" "$stdout" 'why: '
run layoutcheck check --verbose -r sample.yaml sample
like "--verbose: the reason" "$stdout" '^    why: one line for each account$'
like "--verbose: the origin" "$stdout" '^    origin: https://example.org/accounts$'

# ---- -o onto what is read

layoutcheck snapshot -r sample.yaml -o base.json sample
mkdir packs
cp sample.yaml packs/
printf 'layoutcheck-waivers: 1\nwaivers:\n  - fingerprint: 0123456789ab\n    why: so\n    owner: me\n    until: 2099-01-01\n' \
	>waivers.yaml
ln -s sample the-sample
# spares FILE INPUT ARG...: that -o FILE is refused, which is INPUT, and FILE what it was.
spares() {
	file=$1 input=$2
	shift 2
	cp "$file" was
	run layoutcheck "$@" -o "$file"
	is "$*: status and message" "$status $stderr" \
		"2 layoutcheck: $1: option \`--output\`: the report would replace $input, which is read"
	same "$*: the file is what it was" "$file" was
}
spares sample sample show sample
spares the-sample sample check -r sample.yaml sample
spares base.json base.json diff base.json sample
spares base.json base.json check -r sample.yaml --baseline base.json sample
spares sample.yaml sample.yaml check -r sample.yaml sample
spares packs/sample.yaml packs/sample.yaml snapshot -r packs sample
spares waivers.yaml waivers.yaml check -r sample.yaml --waivers waivers.yaml sample
spares sample sample c2c -k sample waivers.yaml
spares waivers.yaml waivers.yaml c2c -k sample waivers.yaml

# ---- no name at all

for option in -o -r --baseline --waivers --base; do
	run layoutcheck check -r sample.yaml $option '' sample
	is "$option with an empty name" "$status $stderr" \
		"2 layoutcheck: check: the name of a file is empty"
done
run layoutcheck show ''
is "an empty operand" "$status $stderr" "2 layoutcheck: show: the name of a file is empty"

# ---- several images, JSON

run layoutcheck show -C table sample sample.both
is "two images: two headings" "$(grep -c '^sample.*(DWARF' "$T/stdout")" 2
for command in "check -r sample.yaml" "show -C table"; do
	# shellcheck disable=SC2086
	run layoutcheck $command --format json sample
	is "$command, one image: an object" "$(jq -r 'type' "$T/stdout")" object
	# shellcheck disable=SC2086
	run layoutcheck $command -fjson sample sample.both
	is "$command, two images: an array of two" "$(jq -r 'type, length' "$T/stdout" | xargs)" \
		"array 2"
	# shellcheck disable=SC2086
	run layoutcheck $command -fjson nowhere sample
	is "$command, two images and one unreadable: an array of one" \
		"$status $(jq -r 'type, length' "$T/stdout" | xargs)" "2 array 1"
done

# ---- the same input, the same bytes

run layoutcheck check --all -r sample.yaml sample
cp "$T/stdout" first
mkdir elsewhere
cp sample sample.yaml elsewhere
(cd elsewhere && layoutcheck check --all -r sample.yaml sample >../second)
same "the same bytes in another directory" first second

done_testing
