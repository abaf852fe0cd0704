#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The formats for CI systems: each is what its readers take, whatever names a binary or a pack has.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld pahole llvm-objcopy xmllint jq perl

cp tests/fixtures/junit.rng "$T"
tests/sample.sh "$T/work" || exit 1
tests/story.sh "$T/work" || exit 1
cd "$T/work" || exit 1

# ---- what each format must be

# A strict parser, nothing but ASCII.
is_json() {
	! LC_ALL=C grep -q '[^ -~]' "$1" &&
		perl -MJSON::PP -0777 -ne 'eval { JSON::PP->new->decode($_) }; exit 1 if $@' "$1"
}

# What SARIF 2.1.0 requires of what we write. Its schema allows an object no key but its own: those
# that we use are listed.
is_sarif() {
	is_json "$1" && jq -e '
	def only($known): keys - $known == [];
	def place_keys: only(["physicalLocation", "logicalLocations", "message"]) and
		(.physicalLocation | only(["artifactLocation", "region"]) and
			(.artifactLocation | only(["uri", "uriBaseId"])) and
			(.region | only(["startLine"]))) and
		all(.logicalLocations // [] | .[]; only(["fullyQualifiedName", "kind"]));
	def closed:
		only(["$schema", "version", "runs"]) and
		all(.runs[]; only(["tool", "automationDetails", "originalUriBaseIds", "invocations",
				"results", "properties"]) and
			(.tool | only(["driver"]) and (.driver | only(["name", "rules"]))) and
			all(.tool.driver.rules[]; only(["id", "shortDescription", "fullDescription",
					"help", "defaultConfiguration"]) and
				(.defaultConfiguration | only(["level"]))) and
			(.automationDetails | only(["id"])) and
			all(.originalUriBaseIds[]; only(["description"])) and
			all(.invocations[]; only(["executionSuccessful", "toolExecutionNotifications"]) and
				all(.toolExecutionNotifications[]; only(["level", "message"]))) and
			all(.results[]; only(["ruleId", "ruleIndex", "kind", "level", "message",
					"locations", "relatedLocations", "partialFingerprints",
					"suppressions", "properties"]) and
				all(.locations[], .relatedLocations[]; place_keys) and
				all(.suppressions // [] | .[];
					only(["kind", "status", "justification"])))) and
		all(.. | objects | .message, .shortDescription, .fullDescription, .help |
			select(. != null); only(["text"]));
	def text: type == "string" and length > 0;
	def message: .text | text;
	def uri: text and test("^[A-Za-z0-9%._~:/-]+$") and (gsub("%[0-9A-F]{2}"; "") | contains("%") | not);
	def place: (.artifactLocation.uri | uri) and .region.startLine >= 1;
	closed and .version == "2.1.0" and (."$schema" | text) and (.runs | length > 0) and
	([.runs[].automationDetails.id] | length == (unique | length)) and
	all(.runs[];
		. as $run | .tool.driver as $driver |
		($driver.name | text) and
		([$driver.rules[].id] | length == (unique | length)) and
		all($driver.rules[]; (.id | text) and (.shortDescription | message) and
			(.fullDescription | message) and (.help | message) and
			(.defaultConfiguration.level | IN("error", "warning", "note"))) and
		all(.invocations[]; .executionSuccessful | type == "boolean") and
		all(.invocations[].toolExecutionNotifications[]; (.message | message) and
			(.level | IN("error", "warning", "note", "none"))) and
		all(.originalUriBaseIds[]; .description | message) and
		(.results | type == "array") and
		all(.results[];
			.ruleId == $driver.rules[.ruleIndex].id and (.message | message) and
			(.kind | IN("pass", "open", "informational", "notApplicable", "review", "fail")) and
			(if .kind == "fail" then .level | IN("error", "warning", "note")
			 else .level == "none" end) and
			(.properties | type | IN("object", "null")) and
			(.locations | length == 1) and all(.locations[]; .physicalLocation | place) and
			all(.locations[].logicalLocations[]; .fullyQualifiedName | text) and
			all(.locations[].physicalLocation.artifactLocation;
				.uriBaseId == null or $run.originalUriBaseIds[.uriBaseId]) and
			all(.relatedLocations[]; (.physicalLocation | place) and (.message | message)) and
			all(.partialFingerprints[]; test("^[0-9a-f]{64}$")) and
			all(.suppressions // [] | .[]; .kind == "external")))' "$1"
}

is_junit() {
	xmllint --nonet --noout --relaxng "$T/junit.rng" "$1" &&
		# The counts are true.
		for sum in tests:testcase failures:failure errors:error skipped:skipped; do
			test "$(xmllint --xpath "sum(//testsuite/@${sum%:*}) = count(//${sum#*:}) and
				//testsuites/@${sum%:*} = count(//${sum#*:})" "$1")" = true || return 1
		done
}

# Commands alone, whose properties and data cannot end early.
is_github() {
	awk '
	!/^::(error|warning|notice) [a-z]+=[^:]*::./ { print; bad = 1 }
	{ gsub(/%(25|0A|3A|2C)/, "") }
	/%/ { print; bad = 1 }
	{ sub(/^::[a-z]+ /, ""); sub(/::.*/, ""); gsub(/(file|line|title)=/, ""); if (gsub(/,/, "") > 2) { print; bad = 1 } }
	END { exit bad || !NR }' "$1"
}

is_gitlab() {
	is_json "$1" && jq -e '
	type == "array" and ([.[].fingerprint] | length == (unique | length)) and
	all(.[]; (.description | length > 0) and (.check_name | length > 0) and
		(.fingerprint | test("^[0-9a-f]{64}$")) and
		(.severity | IN("info", "minor", "major", "critical", "blocker")) and
		(.location.path | length > 0) and .location.lines.begin >= 1)' "$1"
}

# No element but our own; rows of five cells, or of four in the tables of the worst; all code and all
# folds closed; what GitHub has room for.
is_markdown() {
	awk '
	{ line = $0; gsub(/<\/?(code|details|summary)>|<br>|<!-- layoutcheck -->/, "", line) }
	line ~ /</ { print; bad = 1 }
	/^\|/ { cells = $0; pipes = gsub(/\|/, "", cells); if (pipes != 6 && pipes != 5) { print; bad = 1 } }
	/<details>/ { open++ }
	/<\/details>/ { open-- }
	{ sub(/^\| \*\*(error|warning|note)\*\* /, "") }
	{ gsub(/\\x[0-9a-f][0-9a-f]|<code>@<\/code>/, "") }
	{ if (gsub(/<code>/, "") != gsub(/<\/code>/, "")) { print; bad = 1 } }
	/[`*@\\~$]/ { print; bad = 1 }
	END { exit bad || !NR || open }' "$1" && test "$(wc -c <"$1")" -le 65536 &&
		head -n 2 "$1" | tail -n 1 | grep -q '^### layoutcheck: '
}

# is_tap FILE: as a TAP reader takes it; the directives are ours alone.
is_tap() {
	perl -MTAP::Parser -e '
	local $/;
	open(my $file, "<", $ARGV[0]) or die;
	my $text = <$file>;
	$text =~ s/^KTAP version 1\n// or die "no version";
	my $parser = TAP::Parser->new({tap => $text});
	while (my $result = $parser->next) {
		die "unknown: " . $result->raw if $result->is_unknown && $result->raw !~ /^  /;
	}
	die join("\n", $parser->parse_errors) if $parser->parse_errors || $parser->tests_run == 0;
	die "directive" if $text =~ /^ *(not )?ok \d+ - .*#(?! SKIP [a-z-]+$| XFAIL [a-z]+$)/m;
	' "$1" || return 1
}

# A page of our own elements that loads nothing, whose boxes lie where their members do.
is_html() {
	xmllint --nonet --noout "$1" && "$SRC/tests/html.pl" "$1"
}

formats='sarif junit github gitlab markdown tap'

# well_formed WHAT COMMAND ARG...: in each format.
well_formed() {
	what=$1
	command=$2
	shift 2
	for format in html $formats; do
		run layoutcheck "$command" -f "$format" --arch x86_64 "$@"
		cp "$T/stdout" "$T/$format"
		ok "$what: $format" "is_$format" "$T/$format"
	done
}

well_formed "a report" check -r sample.yaml sample
like "sarif: what holds is left out" "$(jq -c '[.runs[].results[].kind] | unique' "$T/sarif")" \
	'^\["fail","open"\]$'
well_formed "all rules" check --all -v -r sample.yaml sample
is "sarif, --all: by outcome" "$(jq -c '[.runs[].results[].kind] | unique' "$T/sarif")" \
	'["fail","notApplicable","open","pass"]'
well_formed "several images" check -r sample.yaml sample sample.btf
is "sarif: a run for each" "$(jq '.runs | length' "$T/sarif")" 2
is "junit: a suite for each" "$(xmllint --xpath 'count(//testsuite)' "$T/junit")" 2
like "tap: a test for each" "$(cat "$T/tap")" '^1\.\.2$'
well_formed "an image that cannot be read" check -r sample.yaml sample lost
is "it is 2, still" "$status" 2
is "junit: it is an error" "$(xmllint --xpath \
	'count(//testsuite[@name = "lost"]/testcase/error)' "$T/junit")" 1
like "tap: it is a failure" "$(cat "$T/tap")" '^not ok 2 - lost could not be read$'
like "github: it is an error" "$(cat "$T/github")" '^::error title=layoutcheck::lost could not be read$'

# The numbers of failures and the exit status agree.
run layoutcheck check -f tap --arch x86_64 -r sample.yaml sample
is "tap: as many fail as findings do" "$(grep -c '^not ok' "$T/stdout")" 5
run layoutcheck check -f tap --fail-on note --arch x86_64 -r sample.yaml sample
is "and with --fail-on note, all" "$(grep -c '^not ok' "$T/stdout")" 8
unlike "none is expected, then" "$stdout" XFAIL
run layoutcheck check -f tap --allow-unknown --arch x86_64 -r sample.yaml sample
like "unknown that is allowed is skipped" "$stdout" '^ok 13 - table/bucket # SKIP unknown$'
for format in $formats; do
	exits "$format: findings exit 1" 1 layoutcheck check -f "$format" --arch x86_64 \
		-r sample.yaml sample
done

# ---- changes

well_formed "a diff" diff -r story.yaml before after
is "sarif: errors and warnings, and what is broken" \
	"$(jq -c '[.runs[].results[] | .kind + " " + .level] | group_by(.) | map([.[0], length])' "$T/sarif")" \
	'[["fail error",3],["fail note",1],["fail warning",8]]'
is "sarif: the rule that was broken" "$(jq -r '.runs[0].results[0] | .ruleId, .properties.change' "$T/sarif")" \
	'counter/size
rule_broken'
is "sarif: a kind is a rule, and helps" "$(jq -r '.runs[0].tool.driver.rules[] | select(.id == "straddles") |
	.help.text' "$T/sarif")" 'a member lies on more lines than its size needs, and did not'
is "sarif: at the declaration" "$(jq -c '.runs[0].results[0].locations[0].physicalLocation |
	[.artifactLocation.uri, .artifactLocation.uriBaseId, .region.startLine]' "$T/sarif")" \
	'["story.c","%SRCROOT%",15]'
like "markdown: it failed" "$(cat "$T/markdown")" '^### layoutcheck: failed, 3 changes$'
like "markdown: notes are folded" "$(cat "$T/markdown")" '^<details><summary>20 notes</summary>$'
like "github: the errors" "$(grep -c '^::error' "$T/github")" '^3$'
is "junit: the errors" "$(xmllint --xpath 'count(//failure)' "$T/junit")" 3
is "tap: the errors" "$(grep -c '^not ok' "$T/tap")" 3
is "tap: a test for each change" "$(grep -Ec '^(not )?ok' "$T/tap")" \
	"$(($(layoutcheck diff -f json -r story.yaml before after | jq '.changes | length') + 1))"

well_formed "a diff, verbose" diff -v -r story.yaml before after
is "sarif, -v: notes inform" \
	"$(jq -c '[.runs[].results[].kind] | group_by(.) | map([.[0], length])' "$T/sarif")" \
	'[["fail",12],["informational",20]]'
is "gitlab, -v: all changes" "$(jq length "$T/gitlab")" 32
well_formed "a diff of BTF" diff -r story.yaml before.btf after.btf

well_formed "no change" diff before before
is "it is 0" "$status" 0
is "junit: one test, which passed" "$(xmllint --xpath 'string(//testsuites/@tests)' "$T/junit")" 1
is "tap: one test, which passed" "$(grep -E '^(not )?ok' "$T/tap")" "ok 1 - compared"
like "markdown: it passed" "$(cat "$T/markdown")" '^### layoutcheck: passed, no layout changed$'

well_formed "a type on no side" diff -C counter,lost before after
is "it is 2" "$status" 2
is "sarif: it did not succeed" "$(jq -c '.runs[0].invocations[0] |
	[.executionSuccessful, .toolExecutionNotifications[0].message.text]' "$T/sarif")" \
	'[false,"lost is in neither image"]'
is "junit: it is an error" "$(xmllint --xpath 'count(//testsuite[@name = "lost"]/testcase/error)' "$T/junit")" 1
like "tap: it is a failure" "$(cat "$T/tap")" '^not ok [0-9]+ - lost is in neither image$'
like "github: it is an error, too" "$(cat "$T/github")" '^::error title=layoutcheck::lost is in neither image$'
is "gitlab: it blocks" "$(jq -r '.[-1] | .severity, .description' "$T/gitlab")" 'blocker
lost is in neither image'
unlike "markdown: it is no pass" "$(cat "$T/markdown")" '^### layoutcheck: passed'

# What fails and the exit status agree.
failing() {
	layoutcheck diff -f tap "$@" before after | grep -c '^not ok'
}
for arguments in '' '-C queue' '-C queue --fail-kind added' '--strict' '-C latest --strict' \
	'-C twin --fail-kind ambiguous'; do
	# shellcheck disable=SC2086
	fails=$(failing $arguments)
	# shellcheck disable=SC2086
	exits "as many fail as say so: diff $arguments" $((fails != 0)) \
		layoutcheck diff -f github $arguments before after
done
is "--fail-kind: of that kind" "$(failing -C queue --fail-kind added)" 1
is "--strict: all" "$(failing --strict -r story.yaml)" 32
run layoutcheck diff -f markdown --strict -C worn before after
like "--strict: a note that fails is in the table" "$stdout" '^\| \*\*note\*\* \| <code>worn</code> '

# A comment of a whole kernel: its worst, and how many are left out.
awk 'BEGIN { for (i = 0; i < 400; i++) printf "struct s%d { char pad[64 * W]; long m%d; } v%d;\n", i, i, i }' >many.c
for w in 1 2; do
	clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -DW=$w -c many.c -o many$w || exit 1
done
well_formed "many changes" diff many1 many2
like "markdown: the rest is counted" "$(tail -n 1 "$T/markdown")" \
	'^[0-9]+ more entries are left out: a comment has room for 65536 characters\.'
told=$(grep -c '^[-|] .*<code>' "$T/markdown")
left=$(tail -n 1 "$T/markdown" | cut -d' ' -f1)
changes=$(layoutcheck diff -f json many1 many2 |
	jq '(.changes | length) + ([.worst[].rows | length] | add)')
is "none is forgotten" $((told + left)) "$changes"
is "rows in sight" "$(sed '/<details>/q' "$T/markdown" | grep -c '^| warning')" 25

# ---- hostile names

# Placeholders of a member and of a file become, byte for byte, markup and trouble in every format.
# A C compiler does not let them through; who writes a binary by other means can.
# shellcheck disable=SC1003
hostile='<script>]]>"'"'"'|`*[x](y){0}@who#1%0A::error::z&amp;\'
cat >hostile.c <<'END'
# 1 "FILE"
struct victim {
	int first;
	char MEMBER[60];
} victim;
END
{
	printf '%s' "$hostile"
	printf '\n\r\033[2J\342\200\256\357\277\276\377\300\257 # SKIP'
} >name
size=$(wc -c <name)
sed "s/MEMBER/$(printf "%${size}s" '' | tr ' ' M)/; s/FILE/$(printf "%${size}s" '' | tr ' ' F)/" \
	hostile.c >placed.c
clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -c placed.c -o placed || exit 1
perl -e '
	open(my $file, "<", "name"); binmode $file;
	my $name = do { local $/; <$file> };
	open($file, "<", "placed"); binmode $file;
	my $image = do { local $/; <$file> };
	my $size = length $name;
	my $n = $image =~ s/M{$size}/$name/g + 0;
	my $m = $image =~ s/F{$size}/$name/g + 0;
	die "members: $n, files: $m" unless $n && $m;
	print $image' >hostile || exit 1

quoted=$(printf '%s' "$hostile" | sed 's/\\/\\\\/g; s/"/\\"/g')
cat >hostile.yaml <<END
layoutcheck: 1
structs:
  victim:
    rules:
      - size: "<= 32"
        id: "$quoted"
        why: "$quoted"
        origin: "$quoted"
  gone:
    rules:
      - size: 1
        id: "two$quoted"
END
cp hostile.yaml 'a,b%0A::|<i>#`.yaml'
well_formed "hostile names" check -v -r hostile.yaml hostile
is "they were judged" "$status" 1
well_formed "hostile names, everywhere" check -v -r 'a,b%0A::|<i>#`.yaml' hostile 'no|<b>`#::%'
is "json: hostile names" "$(layoutcheck check -f json -r hostile.yaml --arch x86_64 hostile |
	jq '.findings | length')" 2

# The names are there, though, and are what they were: the rule's, byte for byte, with its backslash
# doubled where it is escaped.
# shellcheck disable=SC1003
shown=$hostile'\'
layoutcheck check -f sarif -r hostile.yaml --arch x86_64 hostile >"$T/sarif"
is "sarif: the id of the rule" "$(jq -r '.runs[0].results[0].ruleId' "$T/sarif")" "$hostile"
layoutcheck check -f junit -r hostile.yaml --arch x86_64 hostile >"$T/junit"
is "junit: the id of the rule" "$(xmllint --xpath 'string(//testcase[1]/@name)' "$T/junit")" "$shown"
layoutcheck check -f junit -r hostile.yaml --arch x86_64 hostile >"$T/junit"
like "junit: the cause names the member" "$(xmllint --xpath 'string(//failure[1])' "$T/junit")" \
	'^<script>.*\\x0a\\x0d\\x1b\[2J\\xe2\\x80\\xae\\xef\\xbf\\xbe\\xff\\xc0\\xaf'
layoutcheck check -f gitlab -r hostile.yaml --arch x86_64 hostile >"$T/gitlab"
is "gitlab: the id of the rule" "$(jq -r '.[0].check_name' "$T/gitlab")" "$hostile"
layoutcheck check -f github -r hostile.yaml --arch x86_64 hostile >"$T/github"
is "github: the id of the rule" "$(sed -n '1s/.*title=\([^:]*\)::.*/\1/p' "$T/github" |
	sed 's/%3A/:/g; s/%2C/,/g; s/%25/%/g')" "$shown"

# The same in changes: before it, the member was not there and the rule held.
sed '/MEMBER/d; s/FILE/old.h/' hostile.c >young.c
clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -c young.c -o young || exit 1
sed 's/<= 32/<= 8/' hostile.yaml >held.yaml
well_formed "hostile changes" diff -v -r held.yaml young hostile
is "the rule was broken" "$status" 1
like "sarif: the rule, byte for byte" "$(jq -r '.runs[0].results[].ruleId' "$T/sarif" | grep -Fx "$hostile")" .
like "junit: the member" "$(xmllint --xpath 'string(//testsuite)' "$T/junit")" \
	'<script>.*\\x0a\\x0d\\x1b\[2J\\xe2\\x80\\xae\\xef\\xbf\\xbe\\xff\\xc0\\xaf'
cp young '<b>|`#::%,young'
cp hostile '<b>|`#::%,hostile'
cp held.yaml '<b>|`#::%,held.yaml'
well_formed "hostile paths and types" diff -v --strict -r '<b>|`#::%,held.yaml' -C 'victim,<b>|`#::%' \
	'<b>|`#::%,young' '<b>|`#::%,hostile'
is "a type of a hostile name is on no side" "$status" 2

# These checks can fail.
printf '[1,]' >"$T/bad"
nok "a list with a comma too many is not JSON" is_json "$T/bad"
printf '"\303\251"' >"$T/bad"
nok "nor what is not ASCII" is_json "$T/bad"
jq 'del(.runs[0].results[0].message)' "$T/sarif" >"$T/bad"
nok "a result without a message is not SARIF" is_sarif "$T/bad"
jq '.runs[0].results[0].level = "none"' "$T/sarif" >"$T/bad"
nok "nor a failure without a level" is_sarif "$T/bad"
jq '.runs[0].results[0].extra = 1' "$T/sarif" >"$T/bad"
nok "nor a key that the schema has not" is_sarif "$T/bad"
jq '.runs[0].results[0].locations[0].physicalLocation.region.extra = 1' "$T/sarif" >"$T/bad"
nok "be it deep inside" is_sarif "$T/bad"
sed 's/tests="[0-9]*"/tests="9"/' "$T/junit" >"$T/bad"
nok "a wrong count is not JUnit" is_junit "$T/bad"
sed 's/ name="/ nome="/' "$T/junit" >"$T/bad"
nok "nor is another attribute" is_junit "$T/bad"
jq '. + .' "$T/gitlab" >"$T/bad"
nok "a fingerprint twice is not for GitLab" is_gitlab "$T/bad"
printf '::error title=a:b::c\n' >"$T/bad"
nok "a colon in a title is no workflow command" is_github "$T/bad"
printf '::error title=a::c%%0d\n' >"$T/bad"
nok "nor a bare per cent sign" is_github "$T/bad"
printf '<!-- layoutcheck -->\n### layoutcheck: x\n<i>\n' >"$T/bad"
nok "an element is no Markdown of ours" is_markdown "$T/bad"
printf '<!-- layoutcheck -->\n### layoutcheck: x\n| a | b |\n' >"$T/bad"
nok "nor a row of two cells" is_markdown "$T/bad"
printf '<!-- layoutcheck -->\n### layoutcheck: x\n<details><summary>y</summary>\n' >"$T/bad"
nok "nor a fold that is left open" is_markdown "$T/bad"
{ printf '<!-- layoutcheck -->\n### layoutcheck: x\n' && printf '%65536s' x; } >"$T/bad"
nok "nor what is too long" is_markdown "$T/bad"
printf 'KTAP version 1\n1..2\nok 1 - a\n' >"$T/bad"
nok "a test too few is not TAP" is_tap "$T/bad"
printf 'KTAP version 1\n1..1\nok 1 - a # TODO b\n' >"$T/bad"
nok "nor a directive that is not ours" is_tap "$T/bad"

# ---- --source-root

cat >rooted.c <<'END'
# 1 "/build/tree/include/victim.h"
struct victim { int a; } v;
# 1 "/build/treehouse/other.h"
struct other { int a; } o;
END
clang --target=x86_64-linux-gnu -gdwarf-5 -c rooted.c -o rooted || exit 1
cat >rooted.yaml <<'END'
layoutcheck: 1
structs:
  victim:
    source: include/victim.h
    rules:
      - size: 1
  other:
    rules:
      - size: 1
END
files() {
	layoutcheck check -f json -r rooted.yaml "$@" rooted | jq -c '[.findings[].decl.file]'
}
is "a path as it was compiled" "$(files | jq -c '.[1]')" '"/build/treehouse/other.h"'
for root in /build/tree /build/tree/ /build/tree//; do
	is "--source-root $root comes off" "$(files --source-root "$root")" \
		'["include/victim.h","/build/treehouse/other.h"]'
done
is "another root does not" "$(files --source-root=/build/tre | jq -c '.[1]')" \
	'"/build/treehouse/other.h"'
layoutcheck check -f sarif --source-root /build/tree -r rooted.yaml rooted >"$T/sarif"
ok "sarif with a place outside of the root" is_sarif "$T/sarif"
is "sarif: relative to the root, or absolute" "$(jq -c '[.runs[0].results[].locations[0]
	.physicalLocation.artifactLocation | [.uri, .uriBaseId]]' "$T/sarif")" \
	'[["include/victim.h","%SRCROOT%"],["file:///build/treehouse/other.h",null]]'
sed 's/int a/long a/' rooted.c >grown.c
clang --target=x86_64-linux-gnu -gdwarf-5 -c grown.c -o grown || exit 1
layoutcheck diff -v -f sarif --source-root /build/tree rooted grown >"$T/sarif"
is "sarif: a change, too" "$(jq -c '[.runs[0].results[].locations[0].physicalLocation.artifactLocation |
	[.uri, .uriBaseId]] | unique' "$T/sarif")" \
	'[["file:///build/treehouse/other.h",null],["include/victim.h","%SRCROOT%"]]'
run layoutcheck show --source-root /build/tree -C victim rooted
like "show follows it, too" "$stdout" '[ (]include/victim\.h:1'

# ---- which command has which format

for format in $formats; do
	run layoutcheck show -f "$format" sample
	one_sentence "show has no $format"
	like "show has no $format: those it has are named" "$stderr" "\`$format\` is not text, json or html\$"
done

# ---- nothing could be read

for format in html junit github gitlab markdown tap; do
	run layoutcheck check -f $format -r sample.yaml nowhere
	is "$format of an image that is not there: status" "$status" 2
	like "$format says so" "$stdout" 'nowhere( could not be read|" name="read")'
	is "$format: and nothing else is complained of" "$stderr" \
		"layoutcheck: nowhere: cannot open: No such file or directory"
done
for format in text json sarif; do
	run layoutcheck check -f $format -r sample.yaml nowhere
	is "$format has nothing to say of it" "$status $stdout" "2 "
done

done_testing
