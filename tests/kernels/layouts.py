# SPDX-License-Identifier: GPL-2.0-or-later
"""Layouts of structs as every reader tells them, and what they have for holes, computed here.

All numbers are bits, and an offset is from the type that holds the member. Tuples, so that they
compare. `unit` is how large the declared type of a bit-field is, 0 for what is none; `members` are
those of an anonymous type that the declaration has in it, or None.
"""
import json
from collections import Counter, namedtuple

Member = namedtuple("Member", "name offset size unit members")
Definition = namedtuple("Definition", "name kind is_union size members")
Gaps = namedtuple("Gaps", "holes hole_bytes bit_holes bit_hole_bits padding bit_padding")

# No members to a rule or a hole: linux/cache.h.
MARKERS = ("__cacheline_group_begin__", "__cacheline_group_end__", "__cacheline_group_pad__")


def _our_members(members):
    if members is None:
        return None
    return tuple(Member(m["name"], m["offset"], m["size"], m["of"] if m["bits"] else 0,
                        _our_members(m.get("members"))) for m in members)


def read_dump(lines):
    """Pairs of a definition and the object it came from, as dump prints them."""
    for line in lines:
        d = json.loads(line)
        yield Definition(d["name"], d["kind"], d["union"], d["size"], _our_members(d["members"])), d


def _peer_members(members):
    if members is None:
        return None
    return tuple(Member(name, offset, size, unit, _peer_members(inside))
                 for name, offset, size, unit, inside in members)


def read_peer(lines):
    """What peer prints: the units that have each definition, at the top level and inside functions,
    and the units that declare each name."""
    top, local, declared = Counter(), Counter(), Counter()
    for line in lines:
        d = json.loads(line)
        if "declared" in d:
            declared[d["declared"]] += d["cus"]
            continue
        definition = Definition(d["name"], d["kind"], d["union"], d["size"],
                                _peer_members(d["members"]))
        (local if d["scope"] else top)[definition] += d["cus"]
    return top, local, declared


def leaves(members, base=0):
    """(member, start, base): named members through unnamed ones, no markers; where each starts in
    the outermost type, and where the type does that declares it."""
    for m in members:
        if m.name is None and m.members is not None:
            yield from leaves(m.members, base + m.offset)
        elif not (m.name or "").startswith(MARKERS):
            yield m, base + m.offset, base


def _down(value, unit, base):
    return base + (value - base) // unit * unit


def _up(value, unit, base):
    return base - (base - value) // unit * unit


def _free_runs(defined, size):
    """[start, end) of bits of the type that no leaf covers, up to where a leaf starts."""
    end, runs = 0, []
    for member, start, _ in defined:
        if start > end:
            runs.append((end, start))
        end = max(end, start + member.size)
    if size > end:
        runs.append((end, size))
    return runs


def _unit_end(defined, at):
    """Where the storage of the bit-fields ends that lead up to bit `at`; `at` when none does. In a
    run of them the widest counts, until one goes beyond it; of members that lie over each other (in
    a union) the one that reaches furthest."""
    reached = widest = end = 0
    in_run = False
    for m, start, base in defined:
        stop = start + m.size
        if start > at or stop > at:
            break
        if stop < reached:
            continue
        if not m.unit:
            in_run = False
        elif stop > reached:
            if not in_run or stop > end or m.unit > widest:
                widest, end = m.unit, _up(stop, m.unit, base)
            in_run = True
        reached = stop
    return max(at, end) if in_run else at


def gaps(definition):
    """What lies between the leaves: bits that a storage unit has left, then whole bytes, then bits
    in front of a bit-field in its unit."""
    defined = sorted(leaves(definition.members), key=lambda leaf: (leaf[1], -leaf[0].size))
    holes, bit_holes, padding, bit_padding = [], [], 0, 0
    for start, end in _free_runs(defined, definition.size):
        first = min(max(_unit_end(defined, start), _up(start, 8, 0)), end)
        starting = [leaf for leaf in defined if leaf[1] == end]
        last = end
        if starting and starting[0][0].unit:
            last = max(start, _down(end, starting[0][0].unit, starting[0][2]))
        last = _down(last, 8, 0)
        parts = [(start, first), (last, end)] if last > first else [(start, end)]
        bits = [b - a for a, b in parts if b > a]
        whole = (last - first) // 8 if last > first else 0
        if starting:
            bit_holes += bits
            holes += [whole] if whole else []
        else:
            padding += whole
            bit_padding += sum(bits)
    return Gaps(len(holes), sum(holes), len(bit_holes), sum(bit_holes), padding, bit_padding)
