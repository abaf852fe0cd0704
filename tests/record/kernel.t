#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# layoutcheck record of Debian's kernels in QEMU: threads that open and close files, and what is known
# of the lines that they fight over.
. "$(dirname "$0")/../lib.sh"
need gcc jq qemu-system-x86_64

gcc -O2 -g -static -pthread -Iinclude -o "$T/files" tests/record/files.c || exit 1

for series in 6.1 6.12; do
	vmlinux=$(tests/kernels/fetch "$series") || exit 1
	kernel=linux-image-${vmlinux##*/vmlinux-}
	start=$(date +%s)
	exits "$series: records" 0 layoutcheck record --kernel "$kernel" --vmlinux "$vmlinux" --marks --objects \
		--time-limit 120 -o "$T/perf.data" -- "$T/files" 2 3000
	diag "$series: recorded in $(($(date +%s) - start)) s, $(wc -c <"$T/perf.data") bytes"
	is "without a word" "$stderr$stdout" ""
	exits "c2c reads it" 0 layoutcheck c2c --top 100000 -f json -k "$vmlinux" "$T/perf.data"
	cp "$T/stdout" "$T/report.json"
	ok "it is of this build" jq -e '.input[0].verified' "$T/report.json"
	# The three hottest lines.
	ok "that of files_struct.file_lock is among the top three" jq -e '[.lines[:3][] | .rows[] |
		select((.member // "") | startswith("file_lock"))] | length > 0' "$T/report.json"
	is "nobody fights over the line of fdt" "$(jq '[.lines[] |
		select(.object.type == "files_struct" and .object.offset == 0) | .hitm] | add // 0' "$T/report.json")" 0

	# The slab allocator's own books.
	is "the object of its line is one of files_cache, which has it where the code said" \
		"$(jq -r '[.lines[] | select(.object.type == "files_struct" and .object.offset == 128)][0] |
			"\(.object.how) \(.slabs[].cache) \(.slabs[].offset)"' "$T/report.json")" "slab files_cache 128"
	# One that is embedded in an object of a slab is neither sure nor denied.
	is "it denies nothing that the code said of the hottest" "$(jq -r '[.lines[:10][] | select(.object.denied) |
		"\(.object.type) \(.slabs)"] | join(" ")' "$T/report.json")" ""
	ok "on at least four it is sure" jq -e '[.lines[:10][] | select(.object.how == "slab")] | length >= 4' "$T/report.json"
done

# ---- the workload's own failure

printf '#!/bin/sh\nexit 7\n' >"$T/fails"
chmod +x "$T/fails"
exits "a workload that fails" 1 layoutcheck record --kernel "$kernel" --vmlinux "$vmlinux" \
	-o "$T/failed.data" -- "$T/fails"
like "and with what" "$stderr" '/fails: exit status 7; what it did was recorded$'
ok "was recorded" test -s "$T/failed.data"

# ---- ended while the guest runs

# ours: the directories of recordings, and the emulators, that are there.
ours() {
	find "$T/tmp" -mindepth 1
	pgrep -f "qemu-system-x86_64.*$T/tmp/" || :
}
mkdir "$T/tmp"
printf '#!/bin/sh\necho up\nexec sleep 1000\n' >"$T/sleeps"
chmod +x "$T/sleeps"
TMPDIR=$T/tmp "$LAYOUTCHECK" record -v --kernel "$kernel" --vmlinux "$vmlinux" -o "$T/killed.data" -- "$T/sleeps" \
	>"$T/stdout" 2>"$T/stderr" &
pid=$!
for _ in $(seq 300); do
	! grep -q '^up' "$T/stderr" || break
	sleep 0.2
done
like "a guest runs" "$(cat "$T/stderr")" '^up'
like "in an emulator" "$(ours)" '^[0-9]+$'
kill "$pid"
wait "$pid"
is "ends with its recorder" "$? $(ours)" "143 "
ok "of which no file is left" test ! -e "$T/killed.data"

done_testing
