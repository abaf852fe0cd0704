# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A program that prints its own layout, and what layoutcheck says of it. Needs tests/rows.sh. The
# program's lines are
#
#	type NAME SIZE
#	member TYPE.NAME OFFSET SIZE
#	base TYPE.NAME OFFSET
#
#	told PROGRAM TYPES          such lines of what `show` says of it
#	as_told NAME HOW PROGRAM    makes it as a row says (row_made), and compares; false: not made

told() {
	layoutcheck show -q -f json -C "$2" "$1" | jq -r '
		.types[] | ((if .scope then .scope + "::" else "" end) + .name) as $type |
		def parts: .members[]? |
			(select(.name) | "member \($type).\(.name) \(.offset) \(.size)"),
			(select(.base and .offset != null) |
				"base \($type).\(.type | sub("^(struct|class) "; "")) \(.offset)"),
			parts;
		"type \($type) \(.size)", parts'
}

as_told() {
	row_made "$1" "$2" || return 1
	"./$3" | sort >wanted
	told "$3" "$(sed -n 's/^type \(.*\) [0-9]*$/\1/p' wanted | paste -sd ,)" | sort >ours
	is "$1" "$(comm -23 wanted ours)" ""
	is "$1: all types are asked for" "$(grep -c '^type' ours)" "$(grep -c '^type' wanted)"
}
