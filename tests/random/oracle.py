# SPDX-License-Identifier: GPL-2.0-or-later
"""What the compiler itself says of a batch: sizeof, _Alignof, offsetof, and of a bit-field the bits
that come on when all of it is set in an object of zeros. They stand in a section of an object file,
so that they can be had of machines whose programs do not run here. And what `layoutcheck show` and
pahole print, in the same form.

Offsets and sizes in bits, from the start of the outermost type.
"""
import json
import struct
import subprocess
from collections import namedtuple

import layouts
import pahole

# `members`: Leaf by path; `gaps`: layouts.Gaps, or None where nobody counted.
Facts = namedtuple("Facts", "kind size align members gaps")
Leaf = namedtuple("Leaf", "offset size is_field align")
# What the compiler says of one type; `units`: of each bit-field the bits of its declared type.
Truth = namedtuple("Truth", "type size align members units")


def source(batch, tops, types):
    """C whose section .facts has those of @types: numbers, then an object of each bit-field. @tops:
    what the batch has of them at the top level."""
    numbers, objects, values = [], [], []
    for t in types:
        numbers += ["sizeof(%s)" % t.spelled, "_Alignof(%s)" % t.spelled]
        for path, m in t.leaves():
            if m.bits is None:
                numbers.append("offsetof(%s, %s)" % (t.spelled, path))
                numbers.append("0" if path == "flex" else
                               "sizeof ((%s *)0)->%s" % (t.spelled, path))
                continue
            name = "object_%s_%s" % (t.name, m.name)
            numbers += ["sizeof(%s)" % m.unit, "offsetof(struct facts, %s)" % name]
            objects.append("\t%s %s;\n" % (t.spelled, name))
            values.append("\t.%s.%s = -1,\n" % (name, path))
    return ("%s\n#include <stddef.h>\nstruct facts {\n\tunsigned long long numbers[%d];\n%s};\n"
            "const struct facts facts __attribute__((section(\".facts\"))) = {\n\t{%s},\n%s};\n"
            % (batch.source(*tops), len(numbers), "".join(objects), ", ".join(numbers),
               "".join(values)))


def read(types, section, order="<"):
    """Truth by name, of the contents of .facts; `align` of a leaf is not asked. @order: of bytes, and
    of the bits in a byte, as struct has it."""
    numbers = (number for number, in
               struct.iter_unpack(order + "Q", section[:len(section) // 8 * 8]))
    found = {}
    for t in types:
        size, align = next(numbers), next(numbers)
        members, units = {}, {}
        for path, m in t.leaves():
            first, second = next(numbers), next(numbers)
            if m.bits is None:
                members[path] = Leaf(8 * first, 8 * second, False, None)
            else:
                members[path] = _field(t, path, section[second:second + size], order)
                units[path] = 8 * first
        found[t.name] = Truth(t, 8 * size, align, members, units)
    return found


def _field(t, path, thing, order):
    bits = [i for i in range(8 * len(thing))
            if thing[i // 8] >> (i % 8 if order == "<" else 7 - i % 8) & 1]
    if not bits or bits != list(range(bits[0], bits[-1] + 1)):
        raise ValueError("%s.%s is in pieces: %s" % (t.name, path, bits))
    return Leaf(bits[0], len(bits), True, None)


def gaps(truth, members):
    """What is left between these members, which may be told otherwise than in @truth."""
    t = truth.type
    return layouts.gaps(layouts.Definition(t.name, t.kind, t.keyword == "union", truth.size,
                                           _nested(t, members, truth.units)))


def _nested(t, members, units, start=0):
    """The members of @t, which begins at @start, as layouts.gaps() has them."""
    nested = []
    for m in t.members:
        if m.name:
            leaf = members[m.name]
            nested.append(layouts.Member(m.name, leaf.offset - start, leaf.size,
                                         units[m.name] if leaf.is_field else 0, None))
        elif m.inside is not None:
            begin = _begin(m.inside, members)
            if begin is not None:
                nested.append(layouts.Member(None, begin - start, 0, 0,
                                             _nested(m.inside, members, units, begin)))
    return tuple(nested)


def _begin(t, members):
    """Where an anonymous type begins: with its first member. None: it has none."""
    for m in t.members:
        begin = members[m.name].offset if m.name else \
            _begin(m.inside, members) if m.inside is not None else None
        if begin is not None:
            return begin
    return None


# ---- what we print


def _shown_members(members):
    for m in members:
        bits = m.get("bit_size")
        if m["name"]:
            yield m["name"], Leaf(8 * m["offset"] + m.get("bit_offset", 0),
                                  8 * m["size"] if bits is None else bits, bits is not None,
                                  m["align"])
        elif "members" in m:
            yield from _shown_members(m["members"])


def read_shown(text):
    """Facts by name, of `layoutcheck show -f json`."""
    return {t["name"]: Facts(t["kind"], 8 * t["size"], t["align"],
                             dict(_shown_members(t["members"])),
                             layouts.Gaps(*(t[field] for field in layouts.Gaps._fields)))
            for t in json.loads(text)["types"]}


# ---- what pahole prints


def _pahole_members(members, start=0):
    for m in members:
        here = start + m.offset
        if m.name:
            yield m.name, Leaf(here, m.size, m.unit != 0, None)
        elif m.members is not None:
            yield from _pahole_members(m.members, here)


def read_pahole(image, names):
    """Facts by name; it says nothing of alignments that were not asked for, nor counts all holes."""
    def ask(*options):
        return subprocess.run(["pahole", "-F", "dwarf,btf", *options, image], text=True,
                              stdout=subprocess.PIPE, check=False)
    listed = ask("-s")
    listed.check_returncode()
    printed = ask("-C", ",".join(names))
    definitions = [d for d, _ in pahole.read(printed.stdout.splitlines(),
                                             pahole.read_sizes(listed.stdout.splitlines()))]
    # pahole 1.30 fails after it has printed all. What is missing makes a failure one.
    if not {d.name for d in definitions} >= set(names):
        printed.check_returncode()
    return {d.name: Facts(d.kind, d.size, None, dict(_pahole_members(d.members)), None)
            for d in definitions if d.size is not None}
