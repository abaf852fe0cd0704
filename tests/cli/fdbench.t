#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark that users can run: it works, and says how much.
. "$(dirname "$0")/../lib.sh"
need gcc

gcc -std=c11 -D_GNU_SOURCE -O1 -Wall -o "$T/fdbench" bench/fdbench.c -lpthread || exit 1
exits "two threads and an idle one" 0 "$T/fdbench" -t 2 -l 1 -s -i -a 1
like "it says what they did" "$stdout" '^2 threads, 1 seconds, work_done=[1-9][0-9]*$'
exits "with many descriptors" 0 "$T/fdbench" -l 1
like "one thread" "$stdout" '^1 threads, 1 seconds, work_done=[1-9][0-9]*$'
run "$T/fdbench" -t many
one_sentence "a mistake"
exits "an operand is one, too" 2 "$T/fdbench" -s 5
run "$T/fdbench" -a 0x8000000000000000 -l 0
ok "a CPU that is not there" test "$status" -eq 2

done_testing
