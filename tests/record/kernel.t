#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# layoutcheck record of Debian's 6.1 kernel in QEMU: threads that open and close files, and what is
# known of the lines that they fight over.
. "$(dirname "$0")/../lib.sh"
need gcc jq qemu-system-x86_64

vmlinux=${VMLINUX_61-$(tests/kernels/fetch 6.1)} || exit 1
kernel=linux-image-${vmlinux##*/vmlinux-}
gcc -O2 -g -static -pthread -Iinclude -o "$T/files" tests/record/files.c || exit 1

start=$(date +%s)
exits "records" 0 layoutcheck record --kernel "$kernel" --vmlinux "$vmlinux" --marks --objects --time-limit 120 \
	-o "$T/perf.data" -- "$T/files" 2 3000
diag "recorded in $(($(date +%s) - start)) s, $(wc -c <"$T/perf.data") bytes"
is "without a word" "$stderr$stdout" ""
exits "c2c reads it" 0 layoutcheck c2c --top 100000 -f json -k "$vmlinux" "$T/perf.data"
cp "$T/stdout" "$T/report.json"
ok "it is of this build" jq -e '.input[0].verified' "$T/report.json"
# The three hottest lines.
ok "that of files_struct.file_lock is among the top three" jq -e '[.lines[:3][] | .rows[] |
	select((.member // "") | startswith("file_lock"))] | length > 0' "$T/report.json"
is "nobody fights over the line of fdt" "$(jq '[.lines[] | select(.object.type == "files_struct" and .object.offset == 0) |
	.hitm] | add // 0' "$T/report.json")" 0

# ---- the slab allocator's own books

is "the object of its line is one of files_cache, which has it where the code said" \
	"$(jq -r '[.lines[] | select(.object.type == "files_struct" and .object.offset == 128)][0] |
		"\(.object.how) \(.slabs[].cache) \(.slabs[].offset)"' "$T/report.json")" "slab files_cache 128"
# One that is embedded in an object of a slab is neither sure nor denied.
is "it denies nothing that the code said of the hottest" "$(jq -r '[.lines[:10][] | select(.object.denied) |
	"\(.object.type) \(.slabs)"] | join(" ")' "$T/report.json")" ""
ok "on at least four" jq -e '[.lines[:10][] | select(.object.how == "slab")] | length >= 4' "$T/report.json"

# ---- the workload's own failure

printf '#!/bin/sh\nexit 7\n' >"$T/fails"
chmod +x "$T/fails"
exits "a workload that fails" 1 layoutcheck record --kernel "$kernel" --vmlinux "$vmlinux" \
	-o "$T/failed.data" -- "$T/fails"
like "and with what" "$stderr" '/fails: exit status 7; what it did was recorded$'
ok "was recorded" test -s "$T/failed.data"

done_testing
