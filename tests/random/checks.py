# SPDX-License-Identifier: GPL-2.0-or-later
"""What must hold of a batch: rows, each a function of a World that gives remarks by type name, and a
way to make it see something wrong."""
import json
from collections import defaultdict

import images
import oracle
import structs
from faults import Explainer


class Row:
    """`compare(world, explainer, spoiler)` gives remarks by the name of a type; the spoiler changes
    what a program printed, which `spoil` does for one type."""

    def __init__(self, title, compare, spoil):
        self.title, self.compare, self.spoil = title, compare, spoil

    def run(self, world, explainer):
        return self.compare(world, explainer, lambda said: said)

    def is_noticed(self, world):
        """That it says something of what is spoiled."""
        victim = next(t.name for t in world.types if t.keyword == "struct" and t.members and
                      t.members[-1].name and not t.members[-1].bits)
        return victim in self.compare(world, Explainer(),
                                      lambda said: self.spoil(said, victim))


# ---- layouts


# No machine here asks for more by itself: what is above it was asked for in the source.
NATURAL = 16


def _leaf_remarks(image, truth, facts, explainer):
    """Of members; those of @facts that are explained are right."""
    declared = dict(truth.type.leaves())
    for path in truth.members.keys() | facts.members.keys():
        wanted, got = truth.members.get(path), facts.members.get(path)
        if got is not None:
            got = got._replace(align=None)
        if wanted != got and not (wanted and explainer.leaf(
                image.where, declared[path], wanted, truth.units.get(path, 0), got)):
            yield "%s: %s is %s, wanted %s" % (image.name, path, got, wanted)


def _align_is_right(image, truth, align, explainer):
    """gcc writes the alignment of a type that any attribute speaks of, clang the attributes, BTF
    nothing."""
    if image.reader == "btf":
        return align is None
    if align == truth.align or (truth.align <= NATURAL and
                                (align is None or ("clang" in image.where and align < truth.align))):
        return True
    return explainer.align(image.where, truth.type, truth.align, align)


def _layout_remarks(image, truth, facts, explainer):
    if facts is None:
        return [] if explainer.absent(image.where, truth.type) else ["%s: it is not there" % image.name]
    said = list(_leaf_remarks(image, truth, facts, explainer))
    if (facts.kind, facts.size) != (truth.type.kind, truth.size):
        said.append("%s: %s of %d bits, wanted %s of %d" % (
            image.name, facts.kind, facts.size, truth.type.kind, truth.size))
    if not _align_is_right(image, truth, facts.align, explainer):
        said.append("%s: aligned to %s, wanted %d" % (image.name, facts.align, truth.align))
    if not said and facts.gaps is not None:
        gaps = oracle.gaps(truth, facts.members)
        if gaps != facts.gaps:
            said.append("%s: %s, wanted %s" % (image.name, facts.gaps, gaps))
    return said


def _compare_facts(image, found, explainer):
    """Remarks by name; @found: Facts by name."""
    said = {}
    for name, truth in image.truth.items():
        remarks = _layout_remarks(image, truth, found.get(name), explainer)
        if remarks:
            said[name] = remarks
    return said


def _merge(into, more):
    for name, remarks in more.items():
        into[name] += remarks


def layouts_shown(world, explainer, spoiler):
    """`show -f json` of every image, against the compiler that made it."""
    said = defaultdict(list)
    for image in world.images.values():
        found = spoiler(oracle.read_shown(world.show(image)))
        _merge(said, _compare_facts(image, found, explainer))
    return said


def layouts_of_pahole(world, explainer, spoiler):
    """What pahole prints, against the compiler: a second reader, and a test of this test."""
    image = world.images["gcc-5"]._replace(name="pahole", where=("gcc", "pahole"))
    found = spoiler(oracle.read_pahole(image.path, world.names))
    return _compare_facts(image._replace(reader="btf"), found, explainer)


def one_byte_off(found, victim):
    """With the last member a byte further."""
    facts = found[victim]
    path = list(facts.members)[-1]
    leaf = facts.members[path]
    members = dict(facts.members, **{path: leaf._replace(offset=leaf.offset + 8)})
    return dict(found, **{victim: facts._replace(members=members)})


# ---- diff

# One of each kind, for what no difference between them matters to.
SOME = ("gcc-5", "clang-4", "gcc-m32", "gcc-btf")
SAME = (("gcc-4", "gcc-5"), ("clang-5", "clang-4"), ("gcc-5", "clang-5"), ("clang-m32", "gcc-m32"),
        ("gcc-btf", "clang-btf"), ("gcc-plain", "gcc-btf"), ("clang-btf", "clang-plain"),
        ("m32-plain", "m32-btf"))


def _seen(facts, of_type, of_members):
    """What of it a diff speaks of: alignments where both sides can tell, and those of members where
    one compiler wrote both. clang does not write what a member has from its type."""
    members = facts.members if of_members else \
        {path: leaf._replace(align=None) for path, leaf in facts.members.items()}
    return facts.size, facts.align if of_type else None, members


def _differ(world, old, new, of_type, of_members):
    """The names of the types that two images show differently."""
    return {name for name in world.names if _seen(old[name], of_type, of_members) !=
            _seen(new[name], of_type, of_members)}


def _holders(world, names):
    """The types in which one of these is."""
    found = set(names)
    for t in world.types:
        made_of = [*t.uses(), *t.tagged_inside()]
        if any(u.name in found or any(i.name in found for i in u.tagged_inside()) for u in made_of):
            found.add(t.name)
    return found


def _hides(t, inside=False):
    """Whether something of which there is a fault may be where `show` does not look and diff does:
    in a member of a type without a name, or in the type of an array of nothing."""
    return any("long double " in m.text or "complex_long" in m.text or
               (inside and m.bits == dict(structs.FIELDS).get(m.unit)) or
               (m.inside is not None and _hides(m.inside, inside or m.name)) for m in t.members)


def _diff(world, old, new):
    """The names that `diff --strict` speaks of. Its exit status says whether there are any."""
    report = json.loads(world.ask("diff", "-f", "json", "--strict", "--arch", old.arch, "-r",
                                  world.at("none.yaml"), old.path, new.path, allowed=(0, 1)))
    return {change["struct"].split(" ")[-1] for change in report["changes"]} & set(world.names)


def diffs(world, _, spoiler):
    """Nothing of an image and itself; of two, all that they show differently, and nothing else but
    what is made of that: where a compiler has one of the faults, they do."""
    images.write(world.at("none.yaml"), images.NO_RULES)
    shown = {name: oracle.read_shown(world.show(image))
             for name, image in world.images.items()}
    said = defaultdict(list)
    for old, new in [(name, name) for name in SOME] + list(SAME):
        a, b = world.images[old], world.images[new]
        tells = a.reader == b.reader
        changed = spoiler(_diff(world, a, b))
        may = _differ(world, shown[old], shown[new], tells, tells)
        must = _differ(world, shown[old], shown[new], tells, tells and a.where[0] == b.where[0])
        hidden = {t.name for t in world.types if _hides(t)}
        for name in changed - _holders(world, may | hidden):
            said[name].append("%s and %s: a change of what is the same" % (old, new))
        for name in must - changed:
            said[name].append("%s and %s: no change of what is not the same" % (old, new))
    return said


# ---- snapshots


def snapshots(world, _, spoiler):
    """A snapshot shows what its image shows, byte for byte, and is its own snapshot."""
    said = defaultdict(list)
    for image in (world.images[name] for name in SOME):
        kept, again = world.at(image.name + ".json"), world.at("again.json")
        world.ask("snapshot", "--all", "--stamp", "--arch", image.arch, "--from", image.reader,
                  "-o", kept, image.path)
        world.ask("snapshot", "--all", "--stamp", "-o", again, kept)
        snapshot = image._replace(path=kept)
        if images.read(kept) != images.read(again):
            said[world.names[0]].append("%s: the snapshot of the snapshot is another" % image.name)
        if world.show(image, "text") != world.show(snapshot, "text"):
            said[world.names[0]].append("%s: the snapshot is drawn otherwise" % image.name)
        of_image, of_snapshot = (json.loads(world.show(i))["types"] for i in (image, snapshot))
        of_snapshot = spoiler({t["name"]: t for t in of_snapshot})
        for t in of_image:
            if t != of_snapshot.get(t["name"]):
                said[t["name"]].append("%s: the snapshot has %s" % (image.name, of_snapshot.get(
                    t["name"])))
    return said


ROWS = (
    Row("show, against the compiler", layouts_shown, one_byte_off),
    Row("pahole, against the compiler", layouts_of_pahole, one_byte_off),
    Row("diff", diffs, lambda changed, victim: changed | {victim}),
    Row("snapshot", snapshots, lambda types, victim: dict(types, **{victim: None})),
)
