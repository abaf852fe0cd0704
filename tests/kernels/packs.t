#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the packs in rules/linux say of Debian's kernels, from DWARF and from BTF, against packs.txt.
. "$(dirname "$0")/../lib.sh"

table=$SRC/tests/kernels/packs.txt

# wanted COLUMN: "RULE SEVERITY VERDICT" from the table.
wanted() {
	awk -v column="$1" '!/^#/ && NF { print $1, $2, $column }' "$table" | sort
}

# judged ARG...: the same from a run; a rule on several members or definitions with each outcome.
judged() {
	layoutcheck check --all -f json -r rules/linux "$@" | jq -r '.findings[] | [.rule, .severity,
		{holds: "h", broken: "b", "not-applicable": "-"}[.outcome] // .outcome] | join(" ")' | sort -u
}

is "a rule stands in the table once" "$(wanted 1 | uniq -d)" ""
# agrees SERIES COLUMN VMLINUX
agrees() {
	wanted "$2" >"$T/wanted"
	for from in dwarf btf; do
		judged --from $from "$3" >"$T/got"
		same "$1, $from: each rule" "$T/got" "$T/wanted"
		exits "$1, $from: what is known fails nothing" 0 \
			layoutcheck check --from $from -r rules/linux "$3"
		is "$1, $from: and nothing is warned of" "$stderr" ""
	done
}

column=3
for series in 6.1 6.12; do
	agrees $series $column "$(tests/kernels/fetch $series)"
	column=$((column + 1))
done
[ -z "${KERNEL_SID-}" ] || agrees sid $column "$KERNEL_SID"

done_testing
