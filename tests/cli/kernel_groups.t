#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check --kernel-groups: groups that the source marks, judged without a pack, from DWARF and BTF.
. "$(dirname "$0")/../lib.sh"
need gcc pahole

cat >"$T/sock.c" <<'END'
#define BEGIN(name) unsigned char __cacheline_group_begin__##name[0]
#define END(name) unsigned char __cacheline_group_end__##name[0]
struct sock {
	BEGIN(sock_write_rx);
	int drops;          /* 0 */
	long queue[2];      /* 8 */
	END(sock_write_rx); /* 24 */
	BEGIN(sock_read_rx);
	void *dst;         /* 24 */
	long wq[4];        /* 32 */
	END(sock_read_rx); /* 64 */
	struct {
		BEGIN(sock_read_tx);
		long mark[5]; /* 64 */
		END(sock_read_tx);
	};
	BEGIN(sock_write_tx);
	long sent[4]; /* 104, to 136 */
	END(sock_write_tx);
	BEGIN(icmp);
	char bucket; /* 136 */
	END(icmp);
	struct { } __cacheline_group_pad__icmp __attribute__((aligned(64))); /* 192 */
	BEGIN(begun);
	short type; /* 192 */
};
struct plain { int a; };
struct sock sock;
struct plain plain;
END
gcc -g -c -o "$T/dwarf.o" "$T/sock.c"
cp "$T/dwarf.o" "$T/btf.o"
pahole -J "$T/btf.o"

for source in dwarf btf; do
	run layoutcheck check --kernel-groups --from $source "$T/$source.o"
	is "$source: warnings and notes fail nothing" "$status" 0
	like "$source: a group, with size, free bytes and its line" "$stdout" \
		'holds: sock: sock_write_rx \(offset 0, 24 bytes, 4 free\) touches line 0 \[sock/group/sock_write_rx\]'
	like "$source: what it keeps free counts" "$stdout" \
		'holds: sock: icmp \(offset 136, 1 byte, 55 free\) touches line 2 '
	like "$source: one on more lines than it fits is a note" "$stdout" \
		'note: sock: sock_write_tx \(offset 104, 32 bytes, 0 free\) touches lines 1 to 2, and fits 1: wanted <= 1 line'
	like "$source: members in no group, of one without an end, too" "$stdout" \
		'holds: sock: 1 member is in none of the 5 marked groups, wanted <= 1: type '
	like "$source: written and read on one line is a warning" "$stdout" \
		'warning: sock: .* shares line 0 with dst \(offset 24\) \[sock/apart/sock_write_rx,sock_read_rx\]'
	like "$source: in an anonymous struct, too" "$stdout" \
		'warning: sock: .* shares line 1 with sent \(offset 104\) \[sock/apart/sock_read_tx,sock_write_tx\]'
	unlike "$source: nothing of what is a line apart" "$stdout" 'sock_read_rx,sock_write_tx'
	unlike "$source: nothing of types without groups" "$stdout" 'plain'
	like "$source: the summary counts them" "$stdout" ': 7 hold, 3 broken'
done

exits "a shared line fails where warnings do" 1 \
	layoutcheck check --kernel-groups --fail-on warning "$T/dwarf.o"
run layoutcheck check --kernel-groups -f json "$T/dwarf.o"
is "JSON has each group, holding or not" "$(echo "$stdout" | grep -c '"kind": "group"')" 5
like "and the lines that are shared" "$stdout" '"rule": "sock/apart/sock_write_rx,sock_read_rx"'
for format in sarif junit github gitlab markdown tap; do
	run layoutcheck check --kernel-groups -f $format "$T/btf.o"
	is "$format: status" "$status" 0
	like "$format: has what shares a line" "$stdout" 'shares line 0 with dst'
done

# Packs only where some are given.
printf 'layoutcheck: 1\nstructs:\n  plain:\n    rules:\n      - size: 8\n' >"$T/plain.yaml"
LAYOUTCHECK_RULES=$T/plain.yaml
export LAYOUTCHECK_RULES
run layoutcheck check --kernel-groups "$T/dwarf.o"
is "packs of the surroundings are not judged" "$status" 0
unset LAYOUTCHECK_RULES
run layoutcheck check --kernel-groups -r "$T/plain.yaml" "$T/dwarf.o"
is "packs that are given are" "$status" 1
like "with their findings" "$stdout" 'plain: size is 4, wanted 8'
like "beside the groups" "$stdout" 'sock/group/icmp'

# Line sizes matter.
run layoutcheck check --kernel-groups --cacheline 32 "$T/dwarf.o"
like "lines of 32" "$stdout" 'sock_read_rx \(offset 24, 40 bytes, 0 free\) touches lines 0 to 1'

printf 'struct plain { int a; } plain;\n' >"$T/plain.c"
gcc -g -c -o "$T/plain.o" "$T/plain.c"
run layoutcheck check --kernel-groups "$T/plain.o"
is "without any group nothing was checked" "$status" 2
like "which is said" "$stdout$stderr" 'nothing was checked'

done_testing
