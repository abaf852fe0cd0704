#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""who.py VMLINUX WHO REPORT: holds the JSON report of `layoutcheck c2c` against what the recorded kernel's own slab pages
said of the hottest lines: which object is there, and which byte of it the line begins at. Prints one line of figures,

	hitm N named P right P outermost P outermost-slab P inner P scalar P unnamed P

percent of the HITM samples on those lines (right: of the named ones; outermost-slab: of those on objects of a slab), and each
row that is wrong on standard error. A row is right when its type and offset are the object's, or when the object embeds its
type exactly there."""
import json
import re
import sys

import drgn

# What the caches of this kernel hold; a kmalloc bucket by what the benchmark puts there.
TYPES = {
    'files_cache': 'files_struct', 'dentry': 'dentry', 'shmem_inode_cache': 'shmem_inode_info', 'cred_jar': 'cred',
    'task_struct': 'task_struct', 'kmalloc-128': 'cdev', 'kmalloc-1k': 'aa_profile', 'filp': 'file', 'mm_struct': 'mm_struct',
    'sighand_cache': 'sighand_struct', 'signal_cache': 'signal_struct', 'vm_area_struct': 'vm_area_struct', 'pid': 'pid',
}
HEAD = re.compile(r'pa \w+ va (\w+)  (slab|symbol|percpu|vmalloc|page|nopage)(?:/other)? ?(?:cpu\d+ )?(\S*)  object (\w+) ')


def truths(path):
    """Address of a line -> (kind, name, address of the object)."""
    found = {}
    for line in open(path, encoding='ascii'):
        head = HEAD.match(line)
        if head:
            found[int(head[1], 16)] = (head[2], head[3], int(head[4], 16))
    return found


def strip(kind):
    while kind.kind == drgn.TypeKind.TYPEDEF:
        kind = kind.type
    return kind


def embeds(kind, offset, name):
    """Does a `name` begin `offset` bytes into the type, at some depth?"""
    tag = kind
    while True:
        if offset == 0 and getattr(tag, 'tag' if tag.kind != drgn.TypeKind.TYPEDEF else 'name', None) == name:
            return True
        if tag.kind != drgn.TypeKind.TYPEDEF:
            break
        tag = tag.type
    if tag.kind == drgn.TypeKind.ARRAY:
        step = drgn.sizeof(tag.type)
        return step > 0 and embeds(tag.type, offset % step, name)
    if tag.kind not in (drgn.TypeKind.STRUCT, drgn.TypeKind.UNION) or tag.members is None:
        return False
    for member in tag.members:
        start = member.bit_offset // 8
        if member.bit_field_size or offset < start:
            continue
        try:
            length = drgn.sizeof(member.type)
        except TypeError:
            continue
        if offset - start < max(length, 1) and embeds(member.type, offset - start, name):
            return True
    return False


class Judge:
    def __init__(self, vmlinux):
        self.prog = drgn.Program()
        self.prog.load_debug_info([vmlinux])
        self.sums = dict.fromkeys(('hitm', 'named', 'right', 'outermost', 'inner', 'scalar', 'unnamed', 'slab', 'slab_outermost'), 0)

    def add(self, hitm, *names):
        for name in names:
            self.sums[name] += hitm

    def row(self, line, row, truth):
        kind, name, base = truth
        hitm = row['hitm']
        offset = int(line['address'], 16) + row['offset'] - base
        self.add(hitm, 'hitm')
        if kind == 'slab':
            self.add(hitm, 'slab')
        if row['how'] == 'none':
            self.add(hitm, 'unnamed')
            return
        self.add(hitm, 'named')
        if self.is_right(row, kind, name, offset):
            self.add(hitm, 'right')
        else:
            print(f"{line['address']}+{row['offset']:#x}: {row['name']} ({row['how']}, {hitm} HITM), but it is {kind} {name} +{offset}", file=sys.stderr)
        if row['symbol'] or (row['type'] and row['type'] == TYPES.get(name)):
            self.add(hitm, 'outermost')
            if kind == 'slab':
                self.add(hitm, 'slab_outermost')
        else:
            self.add(hitm, 'inner' if row['type'] else 'scalar')

    def is_right(self, row, kind, name, offset):
        if kind in ('symbol', 'percpu'):
            # Two names can be at one address; the offset tells that it is the same place.
            return row['symbol'] is not None and row['member_offset'] == offset
        if kind != 'slab' or name not in TYPES:
            return row['symbol'] is None
        if not row['type']:
            return row['symbol'] is None
        whole = self.prog.type('struct ' + TYPES[name])
        start = offset - row['member_offset']
        return row['symbol'] is None and start >= 0 and embeds(whole, start, row['type'])


def main():
    vmlinux, who, report = sys.argv[1:]
    found = truths(who)
    judge = Judge(vmlinux)
    for line in json.load(open(report, encoding='ascii'))['lines']:
        truth = found.get(int(line['address'], 16))
        for row in line['rows'] if truth else ():
            if row['hitm']:
                judge.row(line, row, truth)
    s = judge.sums
    figures = {'named': (s['named'], s['hitm']), 'right': (s['right'], s['named']), 'outermost': (s['outermost'], s['hitm']),
               'outermost-slab': (s['slab_outermost'], s['slab']), 'inner': (s['inner'], s['hitm']), 'scalar': (s['scalar'], s['hitm']),
               'unnamed': (s['unnamed'], s['hitm'])}
    print('hitm', s['hitm'], *(f'{name} {100 * part / whole if whole else 0:.2f}' for name, (part, whole) in figures.items()))


main()
