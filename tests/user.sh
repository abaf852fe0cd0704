# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The packs of rules/user on what a compiler makes of the headers that they are about, for tests that
# have sourced lib.sh. tests/user/NAME.c includes those of rules/user/NAME.yaml.

# judged NAME OUTCOME...: the rules of NAME's pack with one of these outcomes on $T/NAME.o.
judged() {
	judged_pack=rules/user/$1.yaml
	judged_object=$T/$1.o
	shift
	layoutcheck check --all -f json -r "$judged_pack" "$judged_object" |
		jq -r --args '.findings[] | select(.outcome | IN($ARGS.positional[])) | .rule' "$@" |
		sort -u | xargs
}

# holds NAME KNOWN [CFLAG...]: each rule has something to judge and holds, but for the KNOWN ones.
holds() {
	holds_name=$1
	holds_known=$2
	shift 2
	ok "$holds_name: its headers compile" \
		gcc -g -w -c "$@" -o "$T/$holds_name.o" "tests/user/$holds_name.c"
	exits "$holds_name: nothing fails" 0 \
		layoutcheck check -r "rules/user/$holds_name.yaml" "$T/$holds_name.o"
	is "$holds_name: what is broken is known" "$(judged "$holds_name" broken)" "$holds_known"
	is "$holds_name: each rule is judged" \
		"$(judged "$holds_name" missing unknown not-applicable)" ""
	is "$holds_name: and there are some" \
		"$(judged "$holds_name" holds broken | wc -w)" \
		"$(layoutcheck rules list -f json -r "rules/user/$holds_name.yaml" | jq '[.packs[].rules[]] | length')"
}

# breaks NAME RULES [CFLAG...]: of headers that were changed so, these are broken.
breaks() {
	breaks_name=$1
	breaks_rules=$2
	shift 2
	ok "$breaks_name: changed headers compile" \
		gcc -g -w -c "$@" -o "$T/$breaks_name.o" "tests/user/$breaks_name.c"
	is "$breaks_name: and break rules" "$(judged "$breaks_name" broken)" "$breaks_rules"
}
