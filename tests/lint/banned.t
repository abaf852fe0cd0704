#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that cannot be used safely here, and what every file begins with.
. "$(dirname "$0")/../lib.sh"

# Unbounded copies; numbers read without a way to refuse; hidden state; printf's %n.
words='sprintf|vsprintf|strcpy|strcat|strncpy|strncat|stpcpy|gets|atoi|atol|atoll|atof|strtok|strtok_r|alloca|system|popen|tmpnam|mktemp|rand|asctime|ctime|gmtime|localtime'

# banned FILE...: the lines that call one, comments and strings left out. grep finds the files worth
# a look in a hundredth of the time.
banned() {
	grep -lwE "$words" /dev/null "$@" | xargs -r awk -v words="$words" '
	FNR == 1 { comment = 0 }
	{
		line = $0
		gsub(/\\./, "", line)
		gsub(/"[^"]*"/, "\"\"", line)
		gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
		if (comment) {
			if (!sub(/^.*\*\//, "", line))
				next
			comment = 0
		}
		if (sub(/\/\*.*/, "", line))
			comment = 1
		sub(/\/\/.*/, "", line)
		if (line ~ "(^|[^a-zA-Z0-9_.>])(" words ")[ \t]*\\(")
			print FILENAME ":" FNR ":" $0
	}'
}

# shellcheck disable=SC2046
is "no banned function is called" "$(banned $(find src bench tests -name '*.[ch]' 2>/dev/null | sort))" ""
# A number that does not fit is undefined there; a test that reads /proc may.
# shellcheck disable=SC2046
is "nor scanf in the program" "$(words='scanf|sscanf|fscanf' banned $(find src -name '*.[ch]'))" ""

printf '/* strcpy( */\nint x = my_atoi("gets(");\n\tp = strcpy(a, b);\n/*\n * sprintf(\n */\nq->system(1);\n' >"$T/a.c"
is "one that is called is found, and nothing else" "$(banned "$T/a.c")" \
	"$T/a.c:3:$(printf '\t')p = strcpy(a, b);"

# First line, or the second one behind #!.
untagged() {
	awk '
	FNR <= 3 && /SPDX-License-Identifier: GPL-2.0-or-later/ { tagged[FILENAME] = 1 }
	END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in tagged)) print ARGV[i] }' "$@"
}
printf 'int x;\n' >"$T/untagged.c"
is "a file without its licence is found" "$(untagged tests/lib.sh "$T/untagged.c")" "$T/untagged.c"
# shellcheck disable=SC2046
is "every source file says its licence" "$(untagged $(git ls-files 2>/dev/null | grep -E '\.(c|h|t|sh|py|awk|yaml|[1-8])$|^Makefile$|^probe$|^bootstrap$|^\.ci/run$' | grep -v '^tests/fixtures/.*\.yaml$'))" ""

done_testing
