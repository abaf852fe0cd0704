# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run_page PAGE: a page of the documentation does what it says. A block whose fence names a file is
# that file, in a directory of its own; a `console` block is a session, whose commands are run one
# after the other and whose output is compared. Files that are named below a session appear after it.
# For tests that have sourced lib.sh; leaves them in that directory.

mkdir "$T/bin" "$T/page" "$T/here"
ln -s "$LAYOUTCHECK" "$T/bin/layoutcheck"
PATH=$T/bin:$PATH
export PATH

run_page() {
	# N.command and N.wanted, or N.file, its name, and N.content.
	awk -v out="$T/page/" '
		/^```/ && inside { inside = 0; next }
		/^```/ {
			inside = 1
			kind = $1
			file = NF > 1
			if (file) {
				n++
				print $2 > (out n ".file")
				printf "" > (out n ".content")
			}
			next
		}
		inside && file { print > (out n ".content"); next }
		inside && kind == "```console" && /^\$ / {
			n++
			print substr($0, 3) > (out n ".command")
			printf "" > (out n ".wanted")
			next
		}
		inside && kind == "```console" { print > (out n ".wanted") }' "$1"
	cd "$T/here" || exit 1
	page_step=1
	page_commands=0
	while :; do
		if [ -f "$T/page/$page_step.file" ]; then
			page_file=$(cat "$T/page/$page_step.file")
			mkdir -p "$(dirname "$page_file")"
			cp "$T/page/$page_step.content" "$page_file"
		elif [ -f "$T/page/$page_step.command" ]; then
			page_commands=$((page_commands + 1))
			sh "$T/page/$page_step.command" >"$T/page/got" 2>&1 </dev/null
			same "$(cat "$T/page/$page_step.command")" "$T/page/got" \
				"$T/page/$page_step.wanted"
		else
			break
		fi
		page_step=$((page_step + 1))
	done
	ok "$1 has a session" test "$page_commands" -gt 3
}
