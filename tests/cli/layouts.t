#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark of the layouts of 2005: it works, and its structs are what it says they are.
. "$(dirname "$0")/../lib.sh"
need gcc

gcc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -o "$T/layouts" bench/layouts.c -lpthread || exit 1
for layout in before moved longs; do
	exits "$layout" 0 "$T/layouts" -n 1000 -t 2 $layout
	like "says what a round takes" "$stdout" \
		"^$layout: lookups [0-9]+\.[0-9]+ ns, opens [0-9]+\.[0-9]+ ns\$"
done
run "$T/layouts" sideways
one_sentence "no such layout"

# pack LAYOUT WRITTEN: what opens write is apart from what lookups read.
pack() {
	cat >"$T/$1.yaml" <<END
layoutcheck: 1
structs:
  files_$1:
    rules:
      - apart: [[fdt, fdtab.max_fds, fdtab.fd], [$2]]
END
}
pack before fdtab.next_fd
pack moved 'next_fd, file_lock'
pack longs 'next_fd, file_lock'
exits "before, what opens write is beside what lookups read" 1 \
	layoutcheck check -r "$T/before.yaml" "$T/layouts"
like "which is next_fd" "$stdout" 'fdtab.next_fd'
exits "moved, it is not" 0 layoutcheck check -r "$T/moved.yaml" "$T/layouts"
exits "nor with longs" 0 layoutcheck check -r "$T/longs.yaml" "$T/layouts"

done_testing
