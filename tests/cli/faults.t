#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Very many rules and packs, and a machine that sets limits.
. "$(dirname "$0")/../lib.sh"
need gcc jq

cat >"$T/node.c" <<'C'
struct node { int key; struct node *next; char name[20]; } node;
C
cd "$T" || exit 1
ok "the image is made" gcc -g -c -o node.o node.c

# Seconds of the processor that no report of this size takes, under sanitizers either.
limited() {
	# shellcheck disable=SC3045
	(ulimit -t 30 && exec "$LAYOUTCHECK" "$@")
}

# ---- 10,000 rules, 1,000 packs

awk 'BEGIN {
	print "layoutcheck: 1\nstructs:\n  node:\n    rules:"
	for (i = 1; i <= 10000; i++)
		printf "      - {id: rule/%d, size: \"<= %d\"}\n", i, 30 + i % 20
}' >many.yaml
exits "10,000 rules" 1 limited check -r many.yaml node.o
like "10,000 rules: each is judged" "$stdout" ': 5000 hold, 5000 broken$'
for format in json sarif junit html gitlab; do
	exits "10,000 rules as $format" 1 limited check -f $format -r many.yaml -o "report.$format" node.o
done
is "10,000 rules as json: each failure" \
	"$(jq '[.. | objects | select(.outcome? == "broken")] | length' report.json)" 5000
is "10,000 rules as html: each failure" "$(grep -c "class=.dim.>.rule/" report.html)" 5000
exits "10,000 rules are linted" 0 limited rules lint many.yaml

mkdir packs
awk 'BEGIN {
	for (i = 1; i <= 1000; i++) {
		name = "packs/" i ".yaml"
		printf "layoutcheck: 1\nstructs:\n  node:\n    rules:\n      - {id: pack/%d, size: 40}\n",
			i >name
		close(name)
	}
}'
exits "1,000 packs" 0 limited check -r packs node.o
like "1,000 packs: each is judged" "$stdout" ': 1000 hold, 0 broken$'

# ---- limits

echo old >report
status=0
(ulimit -f 8 && exec "$LAYOUTCHECK" check -f json -r many.yaml -o report node.o) 2>stderr || status=$?
is "a report that is larger than a file may be: 2" "$status" 2
like "a report that is larger than a file may be: said" "$(cat stderr)" \
	'^layoutcheck: report: cannot write: File too large$'
is "a report that is larger than a file may be: the old one stays" "$(cat report)" old
is "a report that is larger than a file may be: nothing is beside it" "$(find . -name "report.??????" ! -name report.gitlab)" ""

done_testing
