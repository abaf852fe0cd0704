#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The helpers themselves: a test that should fail does.
. "$(dirname "$0")/../lib.sh"

# verdict BODY: runs a test script with that body under prove, as make check does.
verdict() {
	mkdir -p "$T/tests"
	cp tests/lib.sh "$T/tests"
	printf '#!/bin/sh\n. "%s/tests/lib.sh"\n%s\n' "$T" "$1" >"$T/tests/a.t"
	chmod +x "$T/tests/a.t"
	if (cd "$T" && prove --exec "$SRC/tests/exec" tests/a.t) >"$T/prove" 2>&1; then
		echo passes
	else
		echo fails
	fi
}

is "a test that holds" "$(verdict 'ok a true; is b x x; like c xyz "^x"; done_testing')" passes
is "ok" "$(verdict 'ok a false; done_testing')" fails
is "nok" "$(verdict 'nok a true; done_testing')" fails
is "nok, on a missing command" "$(verdict 'nok a no-such-command; done_testing')" fails
is "is" "$(verdict 'is a x y; done_testing')" fails
is "isnt" "$(verdict 'isnt a x x; done_testing')" fails
is "like" "$(verdict 'like a xyz "^y"; done_testing')" fails
is "unlike" "$(verdict 'unlike a xyz "^x"; done_testing')" fails
is "same" "$(verdict 'echo 1 >"$T/1"; echo 2 >"$T/2"; same a "$T/1" "$T/2"; done_testing')" fails
is "same, on a missing file" "$(verdict 'same a "$T/1" "$T/2"; done_testing')" fails
is "exits" "$(verdict 'exits a 1 true; done_testing')" fails
is "one_sentence" "$(verdict 'run true; one_sentence a; done_testing')" fails
is "a crash, with nothing asserted" \
	"$(verdict 'run sh -c "kill -SEGV \$\$"; ok a true; done_testing')" fails
is "a sanitizer's report, with nothing asserted" \
	"$(verdict 'run sh -c "exit 99"; ok a true; done_testing')" fails
is "need" "$(verdict 'need no-such-command; ok a true; done_testing')" fails
is "no test at all" "$(verdict 'done_testing')" fails
is "an end that is not reached" "$(verdict 'ok a true; exit 0')" fails
is "an empty script" "$(verdict ':')" fails
is "a variable that is not set" "$(verdict 'ok a true; is b "$nothing" ""; done_testing')" fails

printf '#!/bin/sh\necho 1..0\n' >"$T/zero.t"
chmod +x "$T/zero.t"
nok "a program that plans no test" prove --exec tests/exec "$T/zero.t"
printf '#!/bin/sh\necho ok 1\necho 1..1\nexit 3\n' >"$T/zero.t"
nok "a program that passes its tests and then fails" prove --exec tests/exec "$T/zero.t"

done_testing
