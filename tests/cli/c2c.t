#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# layoutcheck c2c on recordings of a program whose accesses are known.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld llvm-objdump llvm-nm llvm-readelf jq

# The same program on every machine.
clang --target=x86_64-linux-gnu -O1 -g -gdwarf-5 -fno-pic -nostdlib -static -fuse-ld=lld -Wl,-e,main -Wl,--build-id=sha1 \
	-fdebug-compilation-dir=. -o "$T/shared" tests/fixtures/shared.c || exit 1
llvm-objdump -d --no-show-raw-insn --no-leading-headers "$T/shared" >"$T/code"
llvm-nm "$T/shared" >"$T/symbols"
llvm-readelf -lW "$T/shared" | awk '$1 == "LOAD" && /E/ { print $2, $3 }' >"$T/text"
build_id=$(llvm-readelf -n "$T/shared" | sed -n 's/.*Build ID: //p')

# insn FUNCTION N: the address of its Nth instruction.
insn() {
	awk -v name="<$1>:" -v n="$2" '/^[0-9a-f]+ </ { inside = $2 == name; next }
		inside && --n == 0 { sub(":", "", $1); print "0x" $1 }' "$T/code"
}

# at SYMBOL OFFSET: its run-time address.
at() {
	printf '0x%x' $((0x$(awk -v name="$1" '$3 == name { print $1 }' "$T/symbols") + $2))
}

# recorded FILE [BUILD_ID]: what stands on standard input, of a process that runs the program.
recorded() {
	read -r offset address <"$T/text"
	{
		printf 'map 7 0x%x 0x1000 0x%x /opt/shared\n' $((address & ~0xfff)) $((offset & ~0xfff))
		echo "build_id 7 ${2-$build_id} /opt/shared"
		echo "pid 7"
		cat
	} | perl tests/perfdata.pl "$1"
}

# ---- false sharing beside its padded twin

# Each loads c->config, loads what that points to, and adds to its own counter.
LOAD=$(insn hit 1)
HIT=$(insn hit 3)
MISS_LOAD=$(insn miss 1)
MISS=$(insn miss 3)
recorded "$T/perf.data" <<END
cpu 0
40 hitm $LOAD $(at crowded 16)
50 store $HIT $(at crowded 0)
30 store $(insn hit_roomy 1) $(at roomy 0)
10 load-l1 $(insn hit_roomy 1) $(at roomy 0)
cpu 1
60 hitm $MISS_LOAD $(at crowded 16)
50 store-miss $MISS $(at crowded 8)
30 store $(insn miss_roomy 1) $(at roomy 64)
END

exits "c2c: 0" 0 layoutcheck c2c -k "$T/shared" "$T/perf.data"
is "nothing to warn of" "$stderr" ""
like "the table of lines has the line" "$stdout" "^ +0  $(printf '0x%016x' "$(at crowded 0)") +100.00% +100 +100 +0 +200 +100 +100 +50 +50 +0 .* crowded$"
unlike "the padded twin is not hot" "$stdout" 'roomy'
like "false sharing" "$stdout" '^  false-sharing: 100 % of HITM on crowded'
like "a row has its shares and its function" "$stdout" "40.00% +0.00% +0.00% +0.00% +0x10  $(printf '0x%016x' "$LOAD") +40 +1  hit "
run layoutcheck c2c -f json -k "$T/shared" "$T/perf.data"
is "gain" "$(jq '.lines[0].gain' "$T/stdout")" 100
is "pairs are inferred from the stores of others" \
	"$(jq -r '.lines[0].pairs[] | "\(.hitm) \(.basis) \(.readers[0]) \(.writers[0])"' "$T/stdout" | tr '\n' ';')" \
	"60 inferred miss hit;40 inferred hit miss;"

# ---- who had stored, recorded beside it

# paired FILE: what stands on standard input, beside a recording.
paired() {
	sort >"$T/pairs"
	{
		echo "layoutcheck pairs 1 $(sha256sum <"$1" | cut -d' ' -f1) $(wc -l <"$T/pairs")"
		cat "$T/pairs"
	} >"$1.pairs"
}
# pairs_of: those of the first line, of the JSON printed last.
pairs_of() {
	jq -r '.lines[0].pairs[] | "\(.hitm) \(.basis) \(.recorded) \(.needed) \(.readers[0]) \(.writers[0])"' "$T/stdout" |
		tr '\n' ';'
}
cp "$T/perf.data" "$T/told.data"
paired "$T/told.data" <<END
$HIT $(at crowded 0) $MISS_LOAD $(at crowded 16) 900 0
$MISS $(at crowded 8) $LOAD $(at crowded 16) 100 30
END
run layoutcheck c2c -f json -k "$T/shared" "$T/told.data"
is "pairs are those recorded, as shares of the samples" "$(pairs_of)" \
	"90 recorded 900 0 miss hit;10 recorded 100 30 hit miss;"
is "and the verdict is made of them" "$(jq -r '.lines[0] | "\(.verdict) \(.gain): \(.reason)"' "$T/stdout")" \
	"false-sharing 97: 97 % of HITM met a store to another member and read nothing that others had stored, as recorded"
exits "the text says so" 0 layoutcheck c2c -k "$T/shared" "$T/told.data"
like "as recorded" "$stdout" '^  who fights whom, as recorded:$'
like "and how many needed it" "$stdout" ' against crowded\.[a-z]+ \(30\.00% needed it\): read by hit; written by miss$'
run layoutcheck c2c -f html -k "$T/shared" "$T/told.data"
like "and the page" "$stdout" 'Who fights whom is recorded'
like "with those" "$stdout" '30\.00% needed it'
run layoutcheck diff --c2c "$T/told.data" "$T/shared" "$T/shared"
like "diff goes by them" "$stdout" '^hot: stays: crowded: config against hits: 90 HITM$'
run layoutcheck c2c -f json -k "$T/shared" "$T/told.data" "$T/perf.data"
is "not where another recording has none" "$(jq -r '.lines[0].pairs[0].basis' "$T/stdout")" inferred
run layoutcheck c2c -k "$T/shared" "$T/told.data" "$T/perf.data"
like "which is said" "$stdout" 'some recordings have no .pairs beside them: all pairs are inferred'
paired "$T/told.data" <<END
$HIT $(at crowded 0) $MISS_LOAD $(at roomy 0) 900 0
END
run layoutcheck c2c -f json -k "$T/shared" "$T/told.data"
is "pairs of another line change nothing" "$(pairs_of)" "60 inferred null null miss hit;40 inferred null null hit miss;"
paired "$T/told.data" <<END
$HIT $(at crowded 0) $MISS_LOAD $(at crowded 16) 900 855
$MISS $(at crowded 8) $LOAD $(at crowded 16) 100 100
END
run layoutcheck c2c -f json -k "$T/shared" "$T/told.data"
is "what needed the last store, whatever it was to, is true sharing" \
	"$(jq -r '.lines[0] | "\(.verdict) \(.gain): \(.reason)"' "$T/stdout")" \
	"true-sharing 5: 5 % of HITM met a store to another member and read nothing that others had stored, as recorded"
sed -i '1s/ [0-9a-f]\{64\} / 0123456789012345678901234567890123456789012345678901234567890123 /' "$T/told.data.pairs"
run layoutcheck c2c -k "$T/shared" "$T/told.data"
is "those of another recording are refused" "$status:$stdout" "2:"
like "in one sentence" "$stderr" '^layoutcheck: .*/told.data.pairs: it is of another recording than the one beside it, whose SHA-256 is [0-9a-f]{64}$'

# ---- rules

run layoutcheck c2c -f json -k "$T/shared" "$T/perf.data"
like "a rule to add" "$(jq -r '.lines[0].advice' "$T/stdout")" 'apart: .*"config", "hits"|"config", "misses"'
is "and what it would cost" "$(jq -r '.lines[0].advice_cost' "$T/stdout")" \
	"at most 64 bytes more, with config on a line of its own: crowded 64 -> 128"
jq -r '.lines[0].advice' "$T/stdout" >"$T/advice.yaml"
exits "the advice is a pack, and is broken here" 1 layoutcheck check -r "$T/advice.yaml" "$T/shared"
run layoutcheck c2c -k "$T/shared" -r "$T/advice.yaml" "$T/perf.data"
like "a rule that forbids it is named" "$stdout" '^  rule crowded/apart.* \(broken here\) .*advice.yaml:5$'

# ---- beside findings and changes

cat >"$T/pack.yaml" <<END
layoutcheck: 1
structs:
  roomy:
    rules:
      - size: 64
  crowded:
    rules:
      - size: 128
      - id: keep-apart
        apart: [config, hits, misses]
END
run layoutcheck check -f json --c2c "$T/perf.data" -r "$T/pack.yaml" "$T/shared"
is "findings come by what was observed" "$(jq -r '.findings[] | "\(.rule) \(.observed) of \(.observed_of)"' "$T/stdout" |
	tr '\n' ';')" "crowded/size 100 of 100;keep-apart 100 of 100;roomy/size 0 of 100;"
run layoutcheck check --c2c "$T/perf.data" -r "$T/pack.yaml" "$T/shared"
like "and say so" "$stdout" '^    observed: 100.00 % of HITM \(100 of 100\)$'
unlike "a line with a rule is no warning" "$stdout" 'no rule speaks'
sed -i '/keep-apart/,$d' "$T/pack.yaml"
run layoutcheck check --c2c "$T/perf.data" -r "$T/pack.yaml" "$T/shared"
like "one without is" "$stdout" 'warning: no rule speaks of the hot line of crowded at offset 0, 100.00 % of HITM: false-sharing'
recorded "$T/wrong.data" 0123456789012345678901234567890123456789 </dev/null
run layoutcheck check --c2c "$T/wrong.data" -r "$T/pack.yaml" "$T/shared"
is "a recording of another build is refused" "$status:$stdout" "2:"

sed 's/long \*config;/long *config __attribute__((aligned(64)));/' tests/fixtures/shared.c >"$T/mended.c"
clang --target=x86_64-linux-gnu -O1 -g -c -o "$T/mended" "$T/mended.c" || exit 1
clang --target=x86_64-linux-gnu -O1 -g -c -o "$T/same" tests/fixtures/shared.c || exit 1
run layoutcheck diff --c2c "$T/perf.data" -r "$T/pack.yaml" "$T/shared" "$T/mended"
like "a new build that mends it" "$stdout" '^hot: fixed: crowded: config against hits: 60 HITM$'
run layoutcheck diff -f json --c2c "$T/perf.data" -r "$T/pack.yaml" "$T/shared" "$T/same"
is "one that does not" "$(jq -r '.hot[] | "\(.fate) \(.written) \(.hitm)"' "$T/stdout" | tr '\n' ';')" \
	"stays hits 60;stays misses 40;"
for format in html markdown; do
	run layoutcheck diff -f $format --c2c "$T/perf.data" -r "$T/pack.yaml" "$T/shared" "$T/mended"
	like "$format tells it, too" "$stdout" 'fixed: crowded: config against hits: 60 HITM'
done

# Loads of one line meet the stores of another when a new build brings them together.
sed 's/char pad.56./char pad[8]/' tests/fixtures/shared.c >"$T/joined.c"
clang --target=x86_64-linux-gnu -O1 -g -c -o "$T/joined" "$T/joined.c" || exit 1
recorded "$T/apart.data" <<END
cpu 0
30 store $(insn hit_roomy 1) $(at roomy 0)
cpu 1
30 hitm $(insn hit_roomy 1) $(at roomy 0)
70 load-l1 $(insn miss_roomy 1) $(at roomy 64)
END
run layoutcheck diff --c2c "$T/apart.data" -r "$T/pack.yaml" "$T/shared" "$T/joined"
like "a new build that makes a hot pair" "$stdout" '^hot: made: roomy: misses against hits: 70 loads$'
for format in github junit markdown sarif tap; do
	run layoutcheck diff -f $format --c2c "$T/apart.data" -r "$T/pack.yaml" "$T/shared" "$T/joined"
	like "$format warns of it" "$stdout" 'hot pair made: roomy: misses against hits: 70 loads'
done
run layoutcheck diff --c2c "$T/apart.data" -r "$T/pack.yaml" "$T/shared" "$T/mended"
unlike "one that does not" "$stdout" '^hot: made'
recorded "$T/two.data" <<END
cpu 0
30 store $(insn hit_roomy 1) 0x7f0000001000
20 store $(insn hit_roomy 1) 0x7f0000002000
cpu 1
70 load-l1 $(insn miss_roomy 1) 0x7f0000001040
50 load-l1 $(insn miss_roomy 1) 0x7f0000002040
END
run layoutcheck diff -f json --c2c "$T/two.data" -r "$T/pack.yaml" "$T/shared" "$T/joined"
is "of several objects it is one, although nobody fought over them yet" \
	"$(jq -c '.hot[] | [.fate, .struct, .read, .written, .hitm]' "$T/stdout")" '["made","roomy","misses","hits",120]'

# ---- where objects begin

for second in 2020 2030; do
	recorded "$T/heap.data" <<END
cpu 0
30 hitm $(insn reserve 1) 0x7f0000001028
cpu 1
30 hitm $(insn reserve 1) 0x7f000000$second
END
	run layoutcheck c2c -f json -k "$T/shared" "$T/heap.data"
	cp "$T/stdout" "$T/heap.json"
	run layoutcheck c2c -k "$T/shared" "$T/heap.data"
	cp "$T/stdout" "$T/heap.$second"
done
is "two places" "$(jq -c '.lines[0].object | [.type, .seen, .starts, .floats, .alignment]' "$T/heap.json")" \
	'["table",2,[32,40],true,8]'
like "are said" "$(cat "$T/heap.2030")" '^  of this type 2 objects begin 32, 40 bytes into a line: aligned to 8 at most$'
like "and so is one that is none of a line" "$(cat "$T/heap.2020")" \
	'^  of this type 2 objects begin 24, 32 bytes into a line: aligned to 8 at most$'
run layoutcheck c2c -k "$T/shared" "$T/perf.data"
unlike "of a variable nothing is" "$stdout" 'of this type'

# ---- what the slab allocator had there

# walked FILE: what stands on standard input, beside a recording.
walked() {
	cat >"$T/objects"
	{
		echo "layoutcheck objects 1 $(sha256sum <"$1" | cut -d' ' -f1) $(wc -l <"$T/objects")"
		cat "$T/objects"
	} >"$1.objects"
	run layoutcheck c2c -f json -k "$T/shared" "$1"
	cp "$T/stdout" "$T/walked.json"
	run layoutcheck c2c -k "$T/shared" "$1"
}
recorded "$T/slab.data" <<END
cpu 0
30 hitm $(insn reserve 1) 0x7f0000001028
END
walked "$T/slab.data" <<END
0x7f0000001000 0x7f0000000fe0 64 table_cache
0x7f0000001000 0x7f0000001020 64 table_cache
END
is "an object that begins there makes the name certain" \
	"$(jq -c '.lines[0] | [.object.how, .object.denied, .slabs]' "$T/walked.json")" \
	'["slab",null,[{"cache":"table_cache","offset":32,"size":64},{"cache":"table_cache","offset":-32,"size":64}]]'
like "and is shown, with its neighbour" "$stdout" \
	'^  slab: bytes 32 to 63 of an object of table_cache \(64 bytes\), bytes 0 to 31 of an object of table_cache \(64 bytes\): the object named$'
run layoutcheck c2c -f html -k "$T/shared" "$T/slab.data"
like "on the page, too" "$stdout" '<p>Slab: bytes 32 to 63 of an object of table_cache'
# As a task_struct is.
walked "$T/slab.data" <<END
0x7f0000001000 0x7f0000001020 24 table_cache
END
is "and so does one that is allocated without the end of its last member" \
	"$(jq -c '.lines[0].object | [.how, .denied]' "$T/walked.json")" '["slab",null]'
walked "$T/slab.data" <<END
0x7f0000001000 0x7f0000001020 12 small_cache
END
is "one without all of that member denies it" \
	"$(jq -c '.lines[0].object | [.how, .denied]' "$T/walked.json")" '["insn",true]'
walked "$T/slab.data" <<END
0x7f0000001000 0x7f0000001000 128 holder_cache
END
is "one that holds it says nothing against it" \
	"$(jq -c '.lines[0].object | [.how, .denied]' "$T/walked.json")" '["insn",null]'
like "nor for it" "$stdout" '^  slab: bytes 0 to 63 of an object of holder_cache \(128 bytes\)$'
walked "$T/slab.data" <<END
0x7f0000001000 0x7f0000001000 40 other_cache
END
is "one that ends within it denies it" \
	"$(jq -c '.lines[0].object | [.how, .denied]' "$T/walked.json")" '["insn",true]'
like "which is said" "$stdout" ' of other_cache \(40 bytes\): not the object named, which was freed or is a mistake$'
walked "$T/slab.data" <<END
0x7f0000001040 0x7f0000001040 64 other_cache
END
unlike "one of another line is not" "$stdout" 'slab'
run layoutcheck c2c -f json -k "$T/shared" "$T/slab.data" "$T/heap.data"
is "nor any of several boots" "$(jq -c '[.lines[].slabs]|unique' "$T/stdout")" '[null]'
echo >>"$T/slab.data.objects"
run layoutcheck c2c -k "$T/shared" "$T/slab.data"
is "a file that goes on is refused" "$status:$stdout" "2:"

# ---- memory that processes share

# mapped KIND: two processes at an object in a file, which each maps elsewhere.
mapped() {
	read -r offset address <"$T/text"
	recorded "$T/$1.data" <<END
map 8 $(printf '0x%x 0x1000 0x%x' $((address & ~0xfff)) $((offset & ~0xfff))) /opt/shared
$1 7 0x7f0000001000 0x1000 0x2000 /dev/shm/x 77
$1 8 0x7e0000005000 0x1000 0x2000 /dev/shm/x 77
cpu 0
40 hitm $LOAD 0x7f0000001050
30 store $HIT 0x7f0000001040
cpu 1
pid 8
60 hitm $MISS_LOAD 0x7e0000005050
30 store $MISS 0x7e0000005048
END
	run layoutcheck c2c -f json -k "$T/shared" "$T/$1.data"
}
mapped share
is "the same bytes at two addresses are one line" \
	"$(jq -c '.lines[] | [.address, .pid, .shared, .hitm, .verdict]' "$T/stdout")" \
	'["0x00007f0000001040",7,true,100,"false-sharing"]'
run layoutcheck c2c -k "$T/shared" "$T/share.data"
like "which is said" "$stdout" '0x00007f0000001040 .*\(pid 7, shared\)$'
mapped own
is "each process's own copy is a line" "$(jq -c '.lines[] | [.pid, .shared, .hitm]' "$T/stdout" | tr '\n' ';')" \
	'[8,false,60];[7,false,40];'

# ---- two variables

# beside CPU: who loads `limit` and who stores to `ceiling`.
beside() {
	recorded "$T/beside.data" <<END
cpu 0
90 hitm $(insn hit 2) $(at limit 0)
cpu $1
50 store $HIT $(at ceiling 0)
END
	run layoutcheck c2c -k "$T/shared" "$T/beside.data"
}
beside 1
like "two variables on a line" "$stdout" '^  remedy: ceiling and limit are variables that the linker put side by side; '
unlike "no kernel's words for a program" "$stdout" '__read_mostly'
run layoutcheck c2c -f json -k "$T/shared" "$T/beside.data"
jq -r '.lines[0].advice' "$T/stdout" >"$T/apart.yaml"
exits "a pack to paste is broken here" 1 layoutcheck check -r "$T/apart.yaml" "$T/shared"
like "by these two" "$stdout" 'ceiling|limit'
run layoutcheck c2c -k "$T/shared" -r "$T/apart.yaml" "$T/beside.data"
like "a rule that forbids it is named" "$stdout" '^  rule .*apart.* \(broken here\) .*apart.yaml:4$'
unlike "and no other is advised" "$stdout" 'no rule forbids it'
run layoutcheck c2c -f html -k "$T/shared" "$T/beside.data"
like "the page has the remedy" "$stdout" 'Remedy: ceiling and limit'
beside 0
unlike "one CPU does not fight itself" "$stdout" '^  remedy: '

# ---- which lines

exits "--fail-on false-sharing: 1" 1 layoutcheck c2c --fail-on false-sharing -k "$T/shared" "$T/perf.data"
exits "--fail-on never: 0" 0 layoutcheck c2c --fail-on never -k "$T/shared" "$T/perf.data"
exits "--top 0" 0 layoutcheck c2c --top 0 -k "$T/shared" "$T/perf.data"
unlike "--top 0 has no lines" "$stdout" 'crowded'
run layoutcheck c2c -C crowded --image "$T/shared" "$T/perf.data"
like "-C has lines of the type" "$stdout" '^  false-sharing'
run layoutcheck c2c -C nothing -k "$T/shared" "$T/perf.data"
unlike "-C has no others" "$stdout" '^  false-sharing'
like "and says what is nowhere" "$stdout" '^warning: no line holds `nothing`$'
run layoutcheck c2c -C '' -k "$T/shared" "$T/perf.data"
is "-C of no name" "$status $stderr" "2 layoutcheck: c2c: option \`--type\` names no type"
run layoutcheck c2c -f json -k "$T/shared" "$T/perf.data" "$T/perf.data"
is "recordings are summed" "$(jq '.lines[0].hitm' "$T/stdout")" 200
cp "$T/perf.data" "$T/elsewhere"
run sh -c 'cd "$1" && "$LAYOUTCHECK" c2c -k shared' - "$T"
like "without a recording: perf.data" "$stdout" 'crowded$'

# ---- perf's figures

recorded "$T/remote.data" <<END
cpu 0
25 remote-hitm $LOAD $(at crowded 16)
cpu 1
25 store $MISS $(at crowded 8)
END
run layoutcheck c2c -k "$T/shared" "$T/remote.data"
like "a sample is counted once" "$stdout" '100.00% +25 +0 +25 +50 +25 +25 '
run layoutcheck c2c --perf-counts -k "$T/shared" "$T/remote.data"
like "--perf-counts counts as perf" "$stdout" '100.00% +25 +0 +25 '

# ---- the text of a report

cat >"$T/report.txt" <<END
> Seen on the big machine:
>   0        0      100       50       50  $(at crowded 0)
> --------------------------------------------------------------
>   0.00%   40.00%    0.00%    0.00%    0x10   7  $LOAD   0  110  0  40  1  [.] hit   shared
>   0.00%   60.00%    0.00%    0.00%    0x10   7  $MISS_LOAD   0  110  0  60  1  [.] miss  shared
>   0.00%    0.00%  100.00%    0.00%     0x0   7  $HIT   0    0  0  50  1  [.] hit   shared
>   0.00%    0.00%    0.00%  100.00%     0x8   7  $MISS   0    0  0  50  1  [.] miss  shared
>   0.00%    0.00%    0.00%    0.00%     0x8   7  0x10   0    0  0   0  1  [.] else  libelse.so

and so on
END
exits "c2c takes a report" 0 layoutcheck c2c -k "$T/shared" "$T/report.txt"
like "the same verdict as on the recording" "$stdout" '^  false-sharing: 100 % of HITM on crowded'
like "its build is unverified" "$stdout" '^warning: .*unverified'
exits "--annotate" 0 layoutcheck c2c --annotate -k "$T/shared" "$T/report.txt"
is "has the lines of the report" "$(wc -l <"$T/stdout")" "$(wc -l <"$T/report.txt")"
is "with a member behind each row and nothing else" "$(sed 's/\(shared\)  *crowded[.+][a-z0-9]*$/\1/; s/\(libelse.so\)  *-$/\1/' "$T/stdout")" "$(cat "$T/report.txt")"
like "a member" "$stdout" ' miss  shared +crowded([.]config|[+]0x10)$'
like "warnings are elsewhere" "$stderr" '^warning: .*unverified'
run layoutcheck c2c --annotate -k "$T/shared" "$T/perf.data"
one_sentence "--annotate of a perf.data"
run layoutcheck c2c --annotate -f json -k "$T/shared" "$T/report.txt"
one_sentence "--annotate -f json"

# The same from another build, whose code is elsewhere and whose object is of the heap: functions have names.
elsewhere() {
	cat >"$T/elsewhere.txt" <<END
      0        0      100       50       50  0x7f0000001040
  --------------------------------------------------------------
    0.00%   40.00%    0.00%    0.00%    0x10   7  0x7710  0  110  0  40  1  [.] hit   shared
    0.00%   60.00%    0.00%    0.00%     0x8   7  0x7720  0  110  0  60  1  [.] $1  shared
    0.00%    0.00%  100.00%    0.00%     0x0   7  0x7714  0    0  0  50  1  [.] hit   shared
    0.00%    0.00%    0.00%  100.00%     0x8   7  0x7734  0    0  0  50  1  [.] miss  shared
END
	run layoutcheck c2c -f json -k "$T/shared" "$T/elsewhere.txt"
}
elsewhere peek
is "what functions of those names do names their rows" "$(jq -r '.lines[0].rows[] | "\(.name) \(.how)"' "$T/stdout" | tr '\n' ';')" \
	"crowded.hits consensus;crowded.misses consensus;crowded.misses consensus;crowded.config consensus;"
elsewhere grow
is "not when nearly half is of one that is not there" "$(jq -r '.lines[0].rows[].name' "$T/stdout" | sort -u)" null

# ---- what was recorded on another build

recorded "$T/other.data" 0123456789012345678901234567890123456789 <<END
cpu 0
25 hitm $LOAD $(at crowded 16)
END
run layoutcheck c2c -k "$T/shared" "$T/other.data"
one_sentence "another build id is refused"
like "and told" "$stderr" 'recorded on build id 0123456789012345678901234567890123456789'
exits "--force takes it" 0 layoutcheck c2c --force -k "$T/shared" "$T/other.data"
like "and warns" "$stdout" '^warning: .*no name is verified'

# ---- what cannot be done

run layoutcheck c2c "$T/perf.data"
one_sentence "without -k"
like "that says so" "$stderr" '-k'
run layoutcheck c2c -k "$T/shared" "$T/nothing"
one_sentence "a recording that is not there"
run layoutcheck c2c -k "$T/shared" "$T/code"
one_sentence "a file that is no recording"
"$LAYOUTCHECK" c2c --force -k "$T/shared" "$T/perf.data" >"$T/ours.txt"
run layoutcheck c2c -k "$T/shared" "$T/ours.txt"
one_sentence "a report of our own, whose Pareto has another form"
run layoutcheck c2c -k "$T/code" "$T/perf.data"
one_sentence "a file that is no image"
exits "a full disk" 2 sh -c '"$LAYOUTCHECK" c2c -k "$1/shared" "$1/perf.data" >/dev/full' - "$T"

done_testing
