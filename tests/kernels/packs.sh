# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the packs in rules/linux say of a kernel, against packs.txt. After ../lib.sh.

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

# agrees SERIES COLUMN VMLINUX [READER]...: through dwarf and btf if none is named
agrees() {
	wanted "$2" >"$T/wanted"
	series=$1
	vmlinux=$3
	shift 3
	[ $# -gt 0 ] || set -- dwarf btf
	for from; do
		judged --from "$from" "$vmlinux" >"$T/got"
		same "$series, $from: each rule" "$T/got" "$T/wanted"
		exits "$series, $from: what is known fails nothing" 0 \
			layoutcheck check --from "$from" -r rules/linux "$vmlinux"
		# shellcheck disable=SC2154 # run sets it
		is "$series, $from: and nothing is warned of" "$stderr" ""
	done
}
