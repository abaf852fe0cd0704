# SPDX-License-Identifier: GPL-2.0-or-later
"""What other programs get wrong, each with exactly what they say instead. What stands here is not
ours; anything else that differs from what the compiler does is a failure."""
from collections import Counter, namedtuple

# `where`: the writers and readers that have it. Of the three, one is there: `leaf(m, leaf, unit)` is
# what they make of a structs.Member whose Leaf is as given, and whose declared type has so many bits
# (0: it is no bit-field); `align(t, wanted, got)` whether they say this of the alignment of a
# structs.Type; `absent(t)` whether they leave it out.
Fault = namedtuple("Fault", "where why leaf align absent", defaults=(None, None, None))


def _plain(_, leaf, unit):
    return leaf._replace(offset=leaf.offset // 8 * 8, is_field=False) if leaf.size == unit else None


def _fake(m, leaf, _):
    return leaf._replace(size=leaf.size // 96 * 32) if "long double " in m.text else None


def _nothing(m, leaf, _):
    inside = m.inside or m.uses
    return leaf._replace(size=0) if inside is not None and not list(inside.leaves()) else None


def _packed(t):
    """Anything that takes alignment away, in what the type is made of."""
    return "packed" in t.source() or t.pack != 0 or any(_packed(used) for used in t.uses())


def _aligned_field(t):
    return any((m.bits is not None and "aligned" in m.text) or
               (m.inside is not None and _aligned_field(m.inside)) for m in t.members) or \
        any(_aligned_field(used) for used in t.uses())


def _less_than_its_type(t):
    return any(m.text.startswith("lined ") and "aligned(" in m.text or
               (m.inside is not None and _less_than_its_type(m.inside)) for m in t.members) or \
        any(_less_than_its_type(used) for used in t.uses())


FAULTS = (
    Fault("clang", "up to 14, a bit-field as wide as its type is written as a plain member, in the "
          "byte it begins in", leaf=_plain),
    Fault("clang", "the alignment of a type is written of its members in a packed struct, too",
          align=lambda t, wanted, got: (got or 0) > wanted and _packed(t)),
    Fault("clang", "the alignment of a bit-field is not written",
          align=lambda t, wanted, got: (got or 0) < wanted and _aligned_field(t)),
    Fault("clang", "of a member the alignment is written that it asks for, not the larger one of its "
          "type", align=lambda t, wanted, got: (got or 0) < wanted and _less_than_its_type(t)),
    Fault("pahole-btf", "a float of 12 bytes is written as an integer of 4, __SANITIZED_FAKE_INT__",
          leaf=_fake),
    Fault("pahole", "a member whose type has nothing but bit-fields without a name takes no room",
          leaf=_nothing),
    Fault("pahole", "a union that has only a typedef's name is not printed",
          absent=lambda t: t.kind == "typedef" and t.keyword == "union"),
)


class Explainer:
    """Counts what was explained: each asks whether a fault of one of the programs @where makes what
    they say of what is."""

    def __init__(self):
        self.used = Counter()

    def _use(self, where, explains):
        for fault in FAULTS:
            if fault.where in where and explains(fault):
                self.used[fault] += 1
                return True
        return False

    def leaf(self, where, m, leaf, unit, got):
        return self._use(where, lambda f: f.leaf is not None and f.leaf(m, leaf, unit) == got)

    def align(self, where, t, wanted, got):
        return self._use(where, lambda f: f.align is not None and f.align(t, wanted, got))

    def absent(self, where, t):
        return self._use(where, lambda f: f.absent is not None and f.absent(t))
