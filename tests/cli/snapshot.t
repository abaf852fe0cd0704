#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Snapshots: what is kept, that it is the same bytes each time, and that a command says of one what
# it says of the image it was taken from.
. "$(dirname "$0")/../lib.sh"
need clang gcc ld.lld llvm-objcopy pahole jq

ok "the images are made" tests/sample.sh "$T/sample"
cd "$T/sample" || exit 1
LAYOUTCHECK_RULES=sample.yaml
export LAYOUTCHECK_RULES
types=account,packet,table,twin,counter_t,number

# ---- what is kept

exits "the types that packs speak of" 0 layoutcheck snapshot sample -o packs.json
is "says nothing" "$stdout$stderr" ""
is "it is JSON, and of those types" "$(jq -c '[.defs[].name]' packs.json)" \
	'["account","table","twin","twin"]'
is "it says what was asked for" "$(jq -c .asked packs.json)" '["account","tabel","table","twin"]'
exits "the types named" 0 layoutcheck snapshot -C number,counter_t -C "struct packet" sample
is "are the ones there" "$(jq -c '[.defs[] | .name, .kind]' "$T/stdout")" \
	'["counter_t","typedef","number","union","packet","struct"]'
exits "all" 0 layoutcheck snapshot --all sample -o all.json
layoutcheck show -q sample | awk '{ print $NF }' >listed
jq -r '.defs[].name' all.json >kept
same "are all that show lists" kept listed
is "nothing more is to be had" "$(jq -c .asked all.json)" null
is "the line is the one in force" "$(layoutcheck snapshot --all --cacheline 128 sample |
	jq .target.line)" 128

run layoutcheck snapshot --stamp --all sample
is "--stamp: compile units and the program" "$(jq -c '[.tool, .defs[0].cus]' "$T/stdout")" \
	"[\"$(layoutcheck --version)\",1]"
is "else neither" "$(jq -c '[.tool, .defs[0].cus]' all.json)" '[null,null]'
unlike "nor a path of this machine" "$(cat all.json)" "$T"

# ---- the same bytes

for image in all.json packs.json; do
	layoutcheck snapshot --all "$image" -o again.json
	same "a snapshot of $image is $image" again.json "$image"
done
for unit in other sample; do
	clang --target=x86_64-linux-gnu -gdwarf-4 -fdebug-compilation-dir=. -c "$unit.c" -o "$unit.o"
done
ld.lld -m elf_x86_64 -r -o turned other.o sample.o
layoutcheck snapshot --all turned | grep -v '"name": "list", "kind"' >turned.json
# Of a type that two files declare, the place is that in the first.
grep -v '"name": "list", "kind"' all.json >straight.json
same "units in another order, of another version of DWARF" turned.json straight.json
printf '\n/* the end */\nint f(void) { return 0; }\n' >>sample.c
clang --target=x86_64-linux-gnu -g -fdebug-compilation-dir=. -c sample.c -o sample.o
ld.lld -m elf_x86_64 -r -o grown sample.o other.o
layoutcheck snapshot --all grown -o grown.json
same "a function more" grown.json all.json

# ---- every command takes one, and says the same

# Which image it is of, and how many units agree, is not in one; two definitions of a name that
# nothing else tells apart have no order.
normal='walk(if type == "object" then del(.image, .cus, .definition.cus?) else . end) |
	.findings |= (if . then sort_by(.rule, .measured) else . end) |
	.types |= (if . then sort_by(.name, .size) else . end)'
alike() {
	for command in "check --all" "show -C $types" show; do
		# shellcheck disable=SC2086
		layoutcheck $command -f json --arch x86_64 "$1" | jq -S "$normal" >of-image
		# shellcheck disable=SC2086
		layoutcheck $command -f json "$2" | jq -S "$normal" >of-snapshot
		ok "$command of $1 says something" grep -q '"line": 64' of-image
		same "$command of $1 and of its snapshot" of-image of-snapshot
	done
}
alike sample all.json
exits "from BTF" 0 layoutcheck snapshot --all --arch x86_64 sample.btf -o btf.json
is "it says so, and what that cannot know" "$(jq -c '[.source, .knows]' btf.json)" '["btf",[]]'
alike sample.btf btf.json
layoutcheck snapshot --all btf.json -o again.json
same "a snapshot of that is the same" again.json btf.json
run layoutcheck check btf.json
like "what cannot be told is told of BTF" "$stdout" 'alignment cannot be told from BTF'
run layoutcheck show -C account all.json
like "the report says what it is of" "$stdout" '^all\.json \(snapshot, x86_64, 64-byte lines\)$'

# in the order of findings too, with a stamp
layoutcheck snapshot --stamp sample -o stamped.json
layoutcheck check --all sample | grep -v '^sample (' >of-image
layoutcheck check --all -q stamped.json >of-snapshot
layoutcheck check --all -q sample >of-image
same "check of a stamped one, word by word" of-snapshot of-image

exits "diff with the image: nothing" 0 layoutcheck diff --strict all.json sample
sed -i 's/int lock;/int lock, more;/' sample.c
clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -c sample.c -o sample.o
ld.lld -m elf_x86_64 -r -o changed sample.o other.o
layoutcheck snapshot --all changed -o changed.json
layoutcheck diff -q sample changed >of-images
layoutcheck diff -q all.json changed.json >of-snapshots
ok "diff finds a change" test -s of-images
same "diff of two snapshots" of-snapshots of-images

# ---- what a snapshot cannot tell

layoutcheck snapshot -C table sample -o table.json
run layoutcheck check table.json
like "a rule on a struct that was not kept is unknown" "$stdout" \
	'error: account: the snapshot was taken without account \[account/size\]$'
is "and no pass" "$status" 1
cat >has.yaml <<'END'
layoutcheck: 1
structs:
  table:
    rules:
      - size: 128
        when: {has: account.lock}
END
run layoutcheck check -r has.yaml table.json
like "so is a condition on one" "$stdout" 'the snapshot was taken without account'
run layoutcheck show -C table,account table.json
is "show of it" "$status" 1
like "says why" "$stderr" 'no type `account` in this snapshot, which was taken without it$'
run layoutcheck diff table.json sample
is "diff is of what was kept" "$status:$(echo "$stdout" | grep -c appeared)" "0:1"
like "and says so" "$stdout$stderr" 'table\.json was taken of some types only: 7 of those of sample are not compared$'
run layoutcheck check packs.json
is "what the image has not is missing, and no surprise" "$stderr" ""
like "as in the image" "$stdout" 'tabel is not in this image'

# ---- mistakes

exits "a type that is not there" 1 layoutcheck snapshot -C acount sample -o none.json
like "is named, with what may have been meant" "$stderr" 'no type `acount`; did you mean `account`'
nok "and nothing is written" test -e none.json
run layoutcheck snapshot -C '' sample
one_sentence "no type in --type"
run layoutcheck snapshot --all -C table sample
one_sentence "--all and --type"
run layoutcheck snapshot sample sample.btf --all
one_sentence "two images"
printf 'layoutcheck: 1\nstructs:\n  gone:\n    rules:\n      - size: 1\n' >gone.yaml
run layoutcheck snapshot -r gone.yaml sample
one_sentence "nothing that a rule speaks of"
run layoutcheck snapshot --all sample -o /dev/full
one_sentence "a file that cannot be written"
run layoutcheck snapshot --all sample.stripped
one_sentence "an image without debug information"
run layoutcheck check --from btf all.json
one_sentence "--from another source than that of the snapshot"
like "says which" "$stderr" 'all\.json: is a snapshot, which was taken from DWARF'
exits "--from its own" 0 layoutcheck show --from dwarf -C table all.json
run layoutcheck check --arch arm64 all.json
one_sentence "--arch of another machine"

refused() {
	run layoutcheck show "$2"
	one_sentence "$1"
	like "$1: the file and the place" "$stderr" "$3"
}
head -c 1000 all.json >cut.json
refused "cut off" cut.json '^layoutcheck: cut\.json: line [0-9]+, column [0-9]+: '
jq '.types[3].size = "8"' all.json >text.json
refused "text for a number" text.json 'text\.json: types\[3\]\.size: is no number from 0 up$'
echo '{"version": 1}' >other.json
refused "some other JSON" other.json 'other\.json: is JSON and no snapshot of layoutcheck$'
printf '{"\033[2J": 1}\n' >escape.json
refused "an escape sequence" escape.json 'escape\.json: line 1, column [0-9]+: '
unlike "does not reach the terminal" "$stderr" "$(printf '\033')"

# ---- a type that has no size before run time

cat >window.c <<'END'
int sum(int n);
int sum(int n)
{
	struct window { int first; char text[n]; long last; } w;
	w.first = n;
	return w.first + (int)sizeof w;
}
END
gcc -g -O0 -c -o window.o window.c || exit 1
exits "is kept" 0 layoutcheck snapshot -C window -o window.json window.o
layoutcheck show -C window window.o | sed 1d >window.shown
layoutcheck show -C window window.json | sed 1d >window.read
same "and read back as it was" window.read window.shown
like "without a size" "$(cat window.read)" 'no size before run time'

done_testing
