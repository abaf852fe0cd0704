#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The HTML report: what is drawn, where, and what is marked. What every page must be is in
# tests/html.pl; hostile names are in formats.t; what a browser makes of it is in tests/browser.
. "$(dirname "$0")/../lib.sh"
need clang gcc ld.lld pahole llvm-objcopy xmllint perl

tests/sample.sh "$T/work" || exit 1
tests/story.sh "$T/work" || exit 1
tests/hot.sh "$T/work" || exit 1
cd "$T/work" || exit 1

# page ARG...: runs it with -f html, and holds the page to its promises.
page() {
	command=$1
	shift
	run layoutcheck "$command" -f html --arch x86_64 "$@"
	cp "$T/stdout" "$T/page"
	ok "$command $*: XML" xmllint --nonet --noout "$T/page"
	ok "$command $*: a page" "$SRC/tests/html.pl" "$T/page"
}

# boxes: a line for each, "LINE NAME CLASSES|MARKS"; LINE as the page says it.
boxes() {
	perl -0777 -ne '
	for (split /<div class="line/) {
		my ($line) = m{<span class="at">(.*?)</span>} or next;
		$line =~ s/<br\/>/ /g;
		$line =~ s/<[^>]*>//g;
		while (m{<b class="box([^"]*)".*?<span class="in"><span>(.*?)</span>(.*?)<span class="tip">}g) {
			my ($class, $name, $marks) = ($1, $2, $3);
			s/<[^>]*>/ /g for $name, $marks;
			$name =~ s/_ /_/g;
			print join(" ", "$line: $name$class|$marks") =~ s/ +/ /gr =~ s/ $//r, "\n";
		}
	}' "$T/page"
}

# text: the page without its markup, a line an element.
text() {
	sed 's/<[^>]*>/\n/g' "$T/page" | grep -v '^ *$'
}

# ---- check

page check -r sample.yaml sample
like "the verdict comes first" "$(sed -n '/<body>/,$p' "$T/page" | sed -n 3p)" \
	'^<h1>failed, 5 findings</h1>$'
is "and is the title" "$(xmllint --xpath 'string(//*[local-name() = "title"])' "$T/page")" \
	"layoutcheck: failed, 5 findings"
like "it looks failed" "$(cat "$T/page")" '<header class="fails">'
boxes >"$T/boxes"
cat >"$T/wanted" <<'END'
line 0 at 0: flags g1|
line 0 at 0: state|
line 0 at 0: hole 3 hole|
line 0 at 0: hash g1 m-error broken| 2
line 0 at 0: balance g2 m-error broken| 2
line 0 at 0: lru goes m-warning broken| 4
line 1 at 64: lru rest m-warning broken| 4
line 1 at 64: lock g2|
line 1 at 64: hole 4 hole m-note broken| 5
line 1 at 64: written g2|
line 1 at 64: padding 40 padding|
END
head -n 11 "$T/boxes" >"$T/account"
same "what is broken is marked where it breaks" "$T/account" "$T/wanted"
like "groups have their names" "$(text | tr '\n' ' ')" ' lookup  *booking '
like "a size is marked beside the sum" "$(cat "$T/page")" \
	'<h3>128 bytes, 2 lines of 64,.*<i class="number error">1</i>'
text >"$T/text"
for words in 'hash (offset 8) shares line 0 with balance (offset 24)' \
	'hash (offset 8, 16 bytes) ends just before balance' \
	'why: every lookup reads, every booking writes' 'struct list hash;' \
	'offset 8, 16 bytes, line 0' 'group lookup' \
	'apart from booking (broken) [account/apart/lookup,booking]' \
	'offset 56, 16 bytes, lines 0 to 1 (straddles)' \
	'twin has 2 different definitions here; this is the one of 24 bytes, other.c:6, 1 CU' \
	'tabel is not in this image' '7 rules hold' '1 rule does not apply'; do
	ok "it says: $words" grep -qF -e "$words" "$T/text"
done
is "a type of which all is well is not drawn" "$(grep -c '<div class="map">' "$T/page")" 3

cat >passes.yaml <<'END'
layoutcheck: 1
structs:
  twin:
    rules:
      - size: "<= 32"
  table:
    rules:
      - max_padding: 40
        severity: note
      - order: [slots, max]
        severity: warning
      - together: [max, next]
        severity: note
END
page check -r passes.yaml sample
like "below the threshold: it passed" "$(cat "$T/page")" '<header class="passes">'
boxes >"$T/boxes"
cat >"$T/wanted" <<'END'
line 0 at 0: max m-warning broken m-note broken| 2 3
line 0 at 0: hole 4 hole|
line 0 at 0: slots m-warning broken| 2
line 0 at 0: hole 48 hole|
line 1 at 64: lock|
line 1 at 64: hole 4 hole|
line 1 at 64: next m-note broken| 3
line 1 at 64: padding 48 padding m-note broken| 1
END
same "rules on padding, order and company are marked" "$T/boxes" "$T/wanted"
page check -r passes.yaml sample lost
is "an image that cannot be read: 2" "$status" 2
like "and it is no pass" "$(cat "$T/page")" '<header class="untold">'
like "it is told" "$(text)" '^lost could not be read$'

# ---- show

page show -C packet sample
boxes >"$T/boxes"
cat >"$T/wanted" <<'END'
line 0 at 0: version|
line 0 at 0: length|
line 0 at 0: urgent|
line 0 at 0: 23 bits hole|
line 0 at 0: hole 4 hole|
line 0 at 0: address|
line 0 at 0: deliver|
line 0 at 0: header goes|
line 0 at 0: port|
line 0 at 0: scope|
line 1 at 64: header rest goes|
line 2 at 128: header rest|
line 2 at 128: hole 6 hole|
line 2 at 128: digest|
END
same "bit-fields, a union in lanes, an array over lines" "$T/boxes" "$T/wanted"
like "what is open at its end is told" "$(text)" '^char payload\[\]; goes on from offset 176$'

cat >shapes.c <<'END'
struct alternatives {
	union {
		struct { int a; };
		struct { int b, c; };
		struct { int d; union { char e, f; }; };
	};
	long tail;
};
struct big { char name[10000]; int after; };
struct tiny { char c; };
struct packed { char c; int i; long l[9]; } __attribute__((packed));
union either { int i; char c[200]; };
struct none {};
struct alternatives alternatives;
struct big big;
struct tiny tiny;
struct packed packed;
union either either;
struct none none;
END
gcc -g -c shapes.c || exit 1
page show -C alternatives shapes.o
is "an alternative stays in its lanes" \
	"$(perl -ne 'print "$1/" while /<div class="lane">(?:<b class="box.*?<span>(.)<)/g' "$T/page")" "a/b/d/f/"
page show -C big,tiny,packed,either,none shapes.o
is "lines that look alike are one row" "$(boxes | grep -c name)" 3
like "and say which they are" "$(boxes)" '^lines 1 to 155: name rest goes\|$'
run layoutcheck show -f html -C packed --cacheline 32 shapes.o
cp "$T/stdout" "$T/page"
ok "lines of another size" "$SRC/tests/html.pl" "$T/page" 32
run layoutcheck show -f html sample.btf
cp "$T/stdout" "$T/page"
like "a list has a row a type" "$(cat "$T/page")" '<td>struct account</td></tr>'
run layoutcheck show -f html -C account sample.btf
cp "$T/stdout" "$T/page"
ok "where the size of a line is not known, a row has 64 bytes" "$SRC/tests/html.pl" "$T/page"
like "and no number" "$(boxes)" '^at 64: lock'

# ---- diff

page diff -r story.yaml before after
like "a verdict on changes" "$(cat "$T/page")" '<h1>failed, 3 changes</h1>'
boxes >"$T/boxes"
sed -n '/: usage/,/: count/p' "$T/boxes" | sed '$d' >"$T/counter"
cat >"$T/wanted" <<'END'
line 0 at 0: usage|
line 0 at 0: hole 56 hole|
line 1 at 64: floor|
line 1 at 64: low|
line 1 at 64: failures m-warning crossed_line| 3
line 2 at 128: least m-note crossed_line| 6
line 2 at 128: most m-note crossed_line| 6
line 2 at 128: parent m-note crossed_line| 6
line 2 at 128: padding 40 padding|
line 0 at 0: usage|
line 0 at 0: hole 56 hole|
line 1 at 64: floor|
line 1 at 64: low|
line 1 at 64: local_watermark m-note added| 4
line 2 at 128: failures m-warning crossed_line| 3
line 2 at 128: hole 56 hole m-note hole_opened| 5
line 3 at 192: least m-note crossed_line| 6
line 3 at 192: most m-note crossed_line| 6
line 3 at 192: parent m-note crossed_line| 6
line 3 at 192: padding 40 padding|
END
same "before and after, what changed marked on both" "$T/counter" "$T/wanted"
like "the cause is told" "$(text)" \
	'^local_watermark \(offset 120, 8 bytes\) filled line 1, failures \(offset 128\) opened line 2$'
like "the tables of the worst" "$(text)" '^most lines grown$'
like "each type can be gone to" "$(cat "$T/page")" '<li><a href="#t[0-9]+">counter</a></li>'
like "a hole that was used is marked where it was" "$(cat "$T/boxes")" 'hole 40 hole m-note hole_used\| 7$'
like "a rule that broke is marked at its members" "$(cat "$T/boxes")" ': table g1 m-error rule_broken .*\| 1'
is "types with nothing but notes are not drawn" "$(text | grep -c '^struct gone$')" 0
like "but listed" "$(text | tr '\n' ' ')" \
	'notes on types of which nothing else is said .*latest/appeared'
page diff -C gone,latest before after
is "unless they were asked for" "$(text | grep -cE '^struct (gone|latest)$')" 2
like "one side is not there" "$(text | tr '\n' ' ')" ' after  *not there '
page diff -C counter after before
like "what was removed is marked before" "$(boxes)" '^line 1 at 64: local_watermark .*removed\| '
like "it passed" "$(cat "$T/page")" '<header class="passes">'
page diff --strict -C counter after before
like "any change fails with --strict" "$(cat "$T/page")" '<header class="fails">'
page diff before before
like "nothing changed" "$(cat "$T/page")" '<h1>passed, no layout changed</h1>'

# Sixty types that grew by a line, or the last by two, and one of which two warnings are said.
for side in old new; do
	for i in $(seq 10 69); do
		echo "struct t$i { char c[56]; long x; EXTRA($i) } t$i;"
		[ "$i" != 42 ] || echo "struct twice { char c[56]; EXTRA(3) long x, y; } twice;"
	done >"$side.h"
	{
		[ $side = old ] && echo '#define EXTRA(n)' || echo '#define EXTRA(n) char e[n];'
		echo "#include \"$side.h\""
	} >many.c
	gcc -g -c -o "$side.o" many.c || exit 1
done
page diff old.o new.o
is "the worst of many types are drawn" "$(grep -c '<div class="pair">' "$T/page")" 40
like "and the page says so" "$(cat "$T/page")" '<p>The 40 worst of 61 types are drawn'
is "each can be gone to" "$(grep -c '^<li><a href="#t' "$T/page")" 61
is "and its changes are listed" "$(grep -c '^<ol class="said">' "$T/page")" 61
is "those of the tables come first, then by how much is said" \
	"$(sed -n 's/^<li><a href="#t[0-9]*">\(.*\)<\/a>.*/\1/p' "$T/page" | sed -n '1p;5p;6p;15p;16p;17p;61p' | tr '\n' ' ')" \
	"t65 t69 t10 t61 twice t15 t64 "
page diff -C "$(seq -s, 10 69 | sed 's/[0-9]*/t&/g')" old.o new.o
is "all that were asked for are drawn" "$(grep -c '<div class="pair">' "$T/page")" 60

# ---- c2c

page c2c -k hot hot.data
boxes >"$T/boxes"
cat >"$T/wanted" <<'END'
line 0 at 0: hits written| S90
line 0 at 0: misses written| S70
line 0 at 0: limit|
line 0 at 0: flags|
line 0 at 0: config read hitm4| 100&#160;% L115
line 0 at 0: padding 32 padding|
at -16: list read hitm2| 25&#160;% L25
at -16: lock both hitm4| 75&#160;% L75 S70
at -16: state|
at -16: hole 3 hole|
at -16: owner read| L12
at -16: deadline read| L8
at -16: waiters goes|
at -16: node|
at -16: core|
at 48: waiters rest|
at -32: list|
at -32: lock both hitm4| 100&#160;% L30 S30
at -32: state|
at -32: hole 3 hole|
at -32: owner|
at -32: node|
at -32: core|
at 32: deadline|
at 32: waiters goes|
at 0: first read hitm4| 100&#160;% L30
at 0: &lt;script&gt;alert(&#34;&amp;&#34;)&lt;/script&gt; written| S25
at 0: +0x8 read hitm4| 100&#160;% L22
at 0: +0x10 written| S20
line 0 at 0: hits|
line 0 at 0: misses|
line 0 at 0: limit|
line 0 at 0: flags|
line 0 at 0: config read hitm4| 100&#160;% L15
line 0 at 0: padding 32 padding|
END
same "each hot line drawn, with who accesses what" "$T/boxes" "$T/wanted"
is "which are the hot ones" "$(grep -c '<div class="line hot">' "$T/page")" 6
text >"$T/text"
is "the lines come first, the hottest at the top" "$(grep -n -m 1 '^counters$' "$T/text" | cut -d: -f1)" \
	"$(($(grep -n -m 1 '^false-sharing$' "$T/text" | cut -d: -f1) - 1))"
for words in '6 hot lines: 3 false-sharing, 1 mixed, 1 true-sharing, 1 unknown' 'hot.data' ': perf.data, 677 samples, of this build' \
	'session.list.next: 25 HITM, 25 loads, 0 stores' ': 100 % of HITM on counters.config, which no other CPU stores to' \
	'Who fights whom is inferred from who stores: no recording says who had written the line.' \
	'counters.config against counters.misses' ' written by count_miss' 'session.lock with itself' \
	'Apart, they would save about 105 HITM of 105.' '      - apart: [&#34;config&#34;, &#34;misses&#34;]' \
	'Cost: at most 64 bytes more, with config on a line of its own: counters 64 -&gt; 128' \
	'Of this type 2 objects begin 16, 32 bytes into a line: aligned to 16 at most.' \
	'the code is not in the image' 'Lines that several CPUs store to' padded; do
	ok "it says: $words" grep -qF -e "$words" "$T/text"
done
like "a line can be gone to" "$(cat "$T/page")" '<a href="#l4">4</a></td><td>not known</td>'
like "a row has its columns" "$(grep -m 1 '<td>try_lock</td>' "$T/page" | sed 's/<[^>]*>/|/g; s/||*/|/g')" \
	'^[|]100.00%[|]61.54%[|]57.14%[|]0.00%[|]0.00%[|]75[|]40[|]115[|]2[|]0x20[|]session.lock[|]insn[|]try_lock[|]0x00000000004010c5[|]/opt/hot[|]$'
cat >apart.yaml <<'END'
layoutcheck: 1
structs:
  counters:
    rules:
      - id: counters-apart
        apart: [config, [hits, misses]]
END
page c2c -r apart.yaml --top 1 -k hot hot.data
is "--top" "$(grep -c '<section class="type"' "$T/page")" 1
like "a rule that forbids it" "$(text | tr '\n' ' ')" 'Rule  *counters-apart  *forbids it \(broken here\)  *apart.yaml:5'
like "and the members that it speaks of" "$(cat "$T/page")" '<b>long hits;</b>.*<span class="error">apart from config .broken. .counters-apart.</span>'
run layoutcheck c2c -f html -k hot --cacheline 128 hot.data
cp "$T/stdout" "$T/page"
ok "c2c: lines of another size" "$SRC/tests/html.pl" "$T/page" 128
like "on which another object lies, too" "$(boxes)" '^at 0: padded.hits written[|] S20$'

# ---- these checks can fail

layoutcheck show -f html -C account sample >"$T/page"
sed 's/width:6.25%/width:6.5%/' "$T/page" >"$T/bad"
nok "a box that is too wide" "$SRC/tests/html.pl" "$T/bad"
sed 's/margin-left/left/; s/<b class="box g1"/<b onclick="x" class="box"/; s/<h2>/<h2><script>/' "$T/page" \
	>"$T/bad"
nok "an element that is not ours" "$SRC/tests/html.pl" "$T/bad"
sed 's/href="#[^"]*"/href="http:x"/; s/<\/h2>/<\/h2><a href="http:x">y<\/a>/' "$T/page" >"$T/bad"
nok "an address" "$SRC/tests/html.pl" "$T/bad"
sed "s/default-src 'none'/default-src */" "$T/page" >"$T/bad"
nok "another policy" "$SRC/tests/html.pl" "$T/bad"

done_testing
