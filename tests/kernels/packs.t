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
column=2
for series in 6.1 6.12; do
	column=$((column + 1))
	ln -s "$(tests/kernels/fetch $series)" "$T/vmlinux-$series"
	wanted $column >"$T/wanted"
	for from in dwarf btf; do
		judged --from $from "$T/vmlinux-$series" >"$T/got"
		same "$series, $from: each rule" "$T/got" "$T/wanted"
		exits "$series, $from: what is known fails nothing" 0 \
			layoutcheck check --from $from -r rules/linux "$T/vmlinux-$series"
		is "$series, $from: and nothing is warned of" "$stderr" ""
	done
done

done_testing
