#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the packs in rules/linux say of Debian's kernels, from DWARF and from BTF, against packs.txt.
# KERNELS=all: those of arm64, i386 and ppc64el, too.
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
		is "$series, $from: and nothing is warned of" "$stderr" ""
	done
}

is "a rule stands in the table once" "$(wanted 1 | uniq -d)" ""
agrees 6.1 3 "$(tests/kernels/fetch 6.1)"
agrees 6.12 4 "$(tests/kernels/fetch 6.12)"
[ -z "${KERNEL_SID-}" ] || agrees sid 5 "$KERNEL_SID"
agrees s390x 6 "$(tests/kernels/fetch 6.1/s390x)" dwarf
agrees armhf 7 "$(tests/kernels/fetch 6.1/armhf)" dwarf
if [ "${KERNELS-}" = all ]; then
	agrees arm64 8 "$(tests/kernels/fetch 6.1/arm64)"
	agrees i386 9 "$(tests/kernels/fetch 6.1/i386)" dwarf
	agrees ppc64el 10 "$(tests/kernels/fetch 6.1/ppc64el)" dwarf
fi

done_testing
