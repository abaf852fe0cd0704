#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# layoutcheck rules import: tables of how members are accessed, in both forms that the kernel's
# documentation has had, become a pack, and check names what table and struct do not share.
. "$(dirname "$0")/../lib.sh"
need gcc

docs=tests/fixtures/access
cat >"$T/queue.c" <<'END'
struct queue {
	unsigned short limit;
	void *ops;
	void *first __attribute__((aligned(64)));
	void *last;
	unsigned drops[2];
	unsigned is_closed : 1;
	struct { unsigned pushed, slots : 31, full : 1; } tail;
	unsigned long long stamp;
	int added;
} queue;
struct packet { void *data; unsigned length; int users; unsigned hash; } packet;
END
gcc -g -c -o "$T/queue.o" "$T/queue.c"

run layoutcheck rules import $docs/queue.rst $docs/packet.rst -o "$T/pack.yaml"
is "both: 0, nothing said" "$status:$stdout:$stderr" "0::"
run layoutcheck rules import $docs/queue.rst $docs/packet.rst
is "to standard output, the same" "$stdout" "$(cat "$T/pack.yaml")"
cat >"$T/wanted" <<'END'
layoutcheck: 1
title: Members by how they are accessed
structs:
  # Of the table in queue.rst, line 10.
  queue:
    # Where do its objects come from? Without it they are taken to start on a line.
    # alloc: kmalloc
    groups:
      read-tx: [limit]
      read-txrx: [ops]
      read-rx: [is_closed]
      written-tx: [last]
      written-txrx: [tail.pushed|pushed]
      written-rx: [first, drops]
      cold: [tail.slots|slots, stamp, gone]
    rules:
      - classes:
          read_mostly: [read-tx, read-txrx, read-rx]
          written: [written-tx, written-txrx, written-rx]
          cold: cold
        optional: true
        severity: warning
      - complete: [read-tx, read-txrx, read-rx, written-tx, written-txrx, written-rx,
          cold]
        severity: warning
  # Of the table in packet.rst, line 10.
  packet:
    # Where do its objects come from? Without it they are taken to start on a line.
    # alloc: kmalloc
    groups:
      read-txrx: [data]
      read-rx: [length]
      cold: [users, hash]
    rules:
      - complete: [read-txrx, read-rx, cold]
        severity: warning
END
same "the pack" "$T/pack.yaml" "$T/wanted"
exits "lint has nothing to complain of" 0 layoutcheck rules lint "$T/pack.yaml"

run layoutcheck check -r "$T/pack.yaml" --all "$T/queue.o"
is "warnings fail nothing" "$status" 0
like "lines that are shared" "$stdout" 'shares line 1 with .*\[queue/classes\]'
like "a row without a member" "$stdout" 'warning: queue: `queue` has no member `gone` .*\[queue/complete\]'
like "members without a row, of a member's, too" "$stdout" \
	'warning: queue: 2 of 11 members are not listed: tail.full, added \[queue/complete\]'
like "the other struct has all" "$stdout" 'all of the 4 members are listed'

run layoutcheck rules import -C packet $docs/queue.rst
like "-C has the last word" "$stdout" '^  packet:$'
sed 's/^u64  *stamp/u64                    cold/' $docs/queue.rst >"$T/cold.rst"
run layoutcheck rules import -o "$T/cold.yaml" "$T/cold.rst"
like "a member called cold: another group" "$(cat "$T/cold.yaml")" '^      not-accessed: \[tail.slots\|slots, cold, gone\]$'
exits "with which the pack can be loaded" 0 layoutcheck rules lint "$T/cold.yaml"
sed 's/^\(struct_tail_u32:31  *\)slots/\1cold/' $docs/queue.rst >"$T/within.rst"
run layoutcheck rules import -o "$T/within.yaml" "$T/within.rst"
like "so for one that may be called so" "$(cat "$T/within.yaml")" '^      not-accessed: \[tail.cold\|cold, '
exits "that pack, too" 0 layoutcheck rules lint "$T/within.yaml"
run layoutcheck rules import -C packet $docs/queue.rst $docs/packet.rst
one_sentence "-C with two documents"
run layoutcheck rules import -C 'pack et' $docs/queue.rst
one_sentence "-C that is no name"
run layoutcheck rules import $docs/queue.rst ./$docs/queue.rst
one_sentence "one struct twice"
like "says where" "$stderr" '^layoutcheck: \./.*queue.rst: .*/queue.rst has one of `queue`, too$'
sed 's/read_write/read_wriet/' $docs/queue.rst >"$T/odd.rst"
run layoutcheck rules import "$T/odd.rst"
one_sentence "what cannot be understood"
like "has a line" "$stderr" 'odd.rst:14: `read_wriet` is no access; did you mean `read_write`\?$'
run layoutcheck rules import README.md
one_sentence "no table"
run layoutcheck rules import "$T/none.rst"
one_sentence "no file"
run layoutcheck rules import
one_sentence "no operand"
exits "no JSON: 2" 2 layoutcheck rules import -f json $docs/queue.rst
exits "a full disk: 2" 2 layoutcheck rules import -o /dev/full $docs/queue.rst

done_testing
