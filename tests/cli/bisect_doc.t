#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/bisect.md finds the commits that it says, on a tree made here: each of its commands is run.
. "$(dirname "$0")/../lib.sh"
. tests/page.sh
need gcc git make

GIT_CONFIG_GLOBAL=/dev/null
GIT_CONFIG_SYSTEM=/dev/null
GIT_AUTHOR_NAME=tests
GIT_AUTHOR_EMAIL=tests@localhost
GIT_COMMITTER_NAME=tests
GIT_COMMITTER_EMAIL=tests@localhost
export GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME \
	GIT_COMMITTER_EMAIL
unset MAKEFLAGS MAKELEVEL MFLAGS CC CFLAGS CPPFLAGS LDFLAGS

# commit SUBJECT MEMBERS: with this struct.
commit() {
	printf '/* What is charged to a group. */\nstruct counter {\n%s};\n' "$2" >counter.h
	git add -A
	git commit -q --allow-empty -m "$1"
}

page=$SRC/docs/bisect.md
usage='	long usage;
'
limit='	long limit __attribute__((aligned(64)));
'
cd "$T/here" || exit 1
mkdir lib
cat >Makefile <<'END'
CFLAGS = -g -O1 -I.
app: app.o lib/charge.o lib/limit.o
	$(CC) -o $@ $^
app.o lib/charge.o lib/limit.o: counter.h
END
cat >app.c <<'END'
#include "counter.h"
void charge(struct counter *counter, long n);
long limit_of(const struct counter *counter);
struct many { struct counter counters[8]; } many;
int main(void)
{
	charge(&many.counters[0], 1);
	return (int)limit_of(&many.counters[1]);
}
END
cat >lib/charge.c <<'END'
#include "counter.h"
void charge(struct counter *counter, long n);
void charge(struct counter *counter, long n)
{
	counter->usage += n;
}
END
cat >lib/limit.c <<'END'
#include "counter.h"
long limit_of(const struct counter *c);
long limit_of(const struct counter *c) { return c->limit; }
END
printf '*.o\n/app\n/*.yaml\n/*.sh\n/*.log\n/*.json\n' >.gitignore
git init -q -b main .
commit "a counter" "$usage$limit"
git tag v1
commit "counter: say what it is for" "$usage$limit"
high='	long high;
'
commit "counter: remember the high watermark" "$usage$limit$high"
commit "counter: u64, in a hurry" "	u64 usage;
$limit$high"
commit "counter: long again" "$usage$limit$high"
commit "counter: say it otherwise" "$usage$limit$high"
commit "counter: no hole" "$usage	long limit;
$high"
commit "counter: and a low one" "$usage	long limit;
$high	long low;
"

run_page "$page"
is "the tree is as it was" "$(git status --porcelain):$(git symbolic-ref HEAD)" ":refs/heads/main"

done_testing
