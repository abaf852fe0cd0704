#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# layoutcheck(1) and the help texts say the same, and the manual's examples run.
. "$(dirname "$0")/../lib.sh"
need mandoc

MANUAL=man/layoutcheck.1
mandoc -Tutf8 -O width=200 "$MANUAL" >"$T/manual.raw"
# As printed, without the overstrikes of bold and underlined text.
sed 's/.\x08//g' "$T/manual.raw" >"$T/manual"

# section NAME: its lines.
section() {
	awk -v name="$1" '/^[A-Z]/ { inside = $0 == name; next } inside' "$T/manual"
}

ok "the manual is clean" sh -c "test -z \"\$(mandoc -Tlint -Wstyle $MANUAL 2>&1 |
	grep -v -e 'referenced manual not found' -e 'outdated mandoc.db')\""

# ---- SYNOPSIS and usage

section SYNOPSIS | sed '/^ *$/d; s/^ *//' >"$T/synopsis"
run layoutcheck
is "without a command: usage, on standard error, 2" "$status:$stdout" "2:"
sed 's/^usage://; s/^ *//' "$T/stderr" >"$T/usage"
same "SYNOPSIS is the usage text" "$T/synopsis" "$T/usage"
for command in c2c check cu diff record rules show snapshot; do
	run layoutcheck "$command" --help
	is "$command --help: 0, nothing on standard error" "$status:$stderr" "0:"
	head -n 1 "$T/stdout" | sed 's/^usage: //' >"$T/first"
	grep -F "layoutcheck $command " "$T/synopsis" >"$T/line"
	same "$command --help begins with its line of SYNOPSIS" "$T/first" "$T/line"
	cp "$T/stdout" "$T/help.$command"
	run layoutcheck "$command" -h
	same "$command -h is the same" "$T/stdout" "$T/help.$command"
done

# ---- OPTIONS and help

# The options of a help text, as "-f, --format FORMAT".
help_options() {
	sed -n 's/^  \(  \)\{0,2\}\(-.*\)/\2/p' "$1" | sed 's/  .*//'
}

# Those of the manual's OPTIONS, under one heading.
manual_options() {
	section OPTIONS | awk -v name="   $1" '/^   [A-Z]/ { inside = $0 == name; next } inside' |
		sed -n 's/^     \(-.*\)/\1/p' | sed 's/  .*//'
}

for command in c2c check cu diff record rules show snapshot; do
	sed '/^Common options/,$d' "$T/help.$command" >"$T/own"
	sed -n '/^Common options/,$p' "$T/help.$command" >"$T/common.$command"
	help_options "$T/own" >"$T/in-help"
	manual_options "Options of $command" >"$T/in-manual"
	ok "$command has options of its own" test -s "$T/in-help"
	same "the manual has the options of $command" "$T/in-manual" "$T/in-help"
done
# formats: of a help text, the names that stand by --format.
formats() {
	sed -n '/--format FORMAT/,/--output/p' "$1" | sed '$d; s/.*--format FORMAT//' |
		awk '{ print $1 }'
}
# Commands differ in their formats.
for command in c2c check cu diff rules show snapshot; do
	awk '/--format/ { skip = 1 } /--output/ { skip = 0 } !skip' "$T/common.$command" \
		>"$T/others.$command"
done
for command in c2c diff rules show snapshot; do
	same "check and $command have the same common options" "$T/others.check" "$T/others.$command"
done
# An option and the lines of its help that follow.
awk '/^ +(-.,)? +--|^  -/ { skip = / --(rules|from|arch|cacheline|base|config) / } !skip' \
	"$T/others.check" >"$T/others.wanted"
ok "the manual says what cu has not" sh -c 'sed -n "/^\.Ss Options of cu/,/^\.Ss /p" "$1" |
	grep -A 9 "^Of the common options" | grep -c "^\.Fl" | grep -qx 6' sh "$MANUAL"
same "cu has all but those" "$T/others.wanted" "$T/others.cu"
formats "$T/common.check" >"$T/formats"
sed -n '/^\.It Fl f /,/^\.It Fl o /s/^\.It Cm //p' "$MANUAL" >"$T/in-manual"
ok "there are formats" test -s "$T/formats"
same "the manual has the formats of check" "$T/in-manual" "$T/formats"
is "cu has text and JSON" "$(formats "$T/common.cu" | xargs)" "text json"
is "rules has text and JSON" "$(formats "$T/common.rules" | xargs)" "text json"
is "show has the first three" "$(formats "$T/common.show")" "$(head -n 3 "$T/in-manual")"
formats "$T/common.diff" >"$T/in-diff"
same "diff has all" "$T/in-manual" "$T/in-diff"
while read -r name; do
	for command in check diff; do
		like "reports/ has a $command made with -f $name" "$(cat tests/reports.sh)" \
			" $command -f $name "
	done
done <<END
$(tail -n +2 "$T/formats")
END
help_options "$T/common.check" >"$T/in-help"
manual_options "Common options" >"$T/in-manual"
same "the manual has the common options" "$T/in-manual" "$T/in-help"

# Each is tested somewhere; --help and --version are below.
sed -n 's/^ .*--\([a-z-]*\).*/\1/p' "$T/help.c2c" "$T/help.check" "$T/help.diff" "$T/help.record" "$T/help.rules" "$T/help.show" \
	"$T/help.snapshot" | sort -u |
	grep -vx -e help -e version >"$T/names"
while read -r name; do
	ok "some test uses --$name" grep -rlqe "--$name" --include='*.t' \
		--exclude=usage.t tests/cli
done <"$T/names"

# ---- kinds of changes

awk '/^   Changes/ { inside = 1; next } /^   [A-Z]/ { inside = 0 } inside' "$T/manual" |
	sed -n 's/^     \([a-z][a-z_]*\)\(  .*\)*$/\1/p' | sort >"$T/in-manual"
sed -n 's/.*{"\([a-z_]*\)", SEVERITY_.*/\1/p' src/diff/change.c | sort >"$T/in-source"
ok "there are kinds of changes" test -s "$T/in-source"
same "the manual has the kinds of changes" "$T/in-manual" "$T/in-source"

# ---- --help and --version

run layoutcheck --help
is "--help: 0, nothing on standard error" "$status:$stderr" "0:"
like "--help lists c2c" "$stdout" '^  c2c +[a-z]'
like "--help lists check" "$stdout" '^  check +[a-z]'
like "--help lists diff" "$stdout" "^  diff +[a-z]"
like "--help lists record" "$stdout" '^  record +[a-z]'
like "--help lists rules" "$stdout" '^  rules +[a-z]'
like "--help lists show" "$stdout" '^  show +[a-z]'
like "--help lists snapshot" "$stdout" '^  snapshot +[a-z]'
sed -n '/^usage/,/^$/p' "$T/stdout" | sed '/^$/d; s/^usage://; s/^ *//' >"$T/usage"
same "--help begins with SYNOPSIS" "$T/usage" "$T/synopsis"
run layoutcheck --version
like "--version" "$stdout" '^layoutcheck [0-9]+\.[0-9]+$'
version=$stdout
run layoutcheck check --version
is "check --version is the same" "$stdout" "$version"
exits "--help >/dev/full is a write failure" 2 sh -c '"$LAYOUTCHECK" --help >/dev/full'

done_testing
