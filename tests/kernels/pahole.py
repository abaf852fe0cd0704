# SPDX-License-Identifier: GPL-2.0-or-later
"""The text that pahole prints, as layouts."""
import re

from layouts import Definition, Gaps, Member

# "/*   408   416 */", and for a bit-field "/*     4:12  4 */": byte, bit in the storage, bytes.
PLACE = re.compile(r"/\*\s*(\d+)(?::\s*(\d+))?\s+(\d+)\s*\*/\s*$")
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\)\)?")
OPEN = re.compile(r"^(\t*)(?:typedef |const |volatile )*(struct|union)(?: +([\w]+))? *\{$")
ENUM = re.compile(r"^\t+enum (\w+ )?\{$")
FUNCTION = re.compile(r"\(\*+ *(?:const )?(\w*)")
PLAIN = re.compile(r"(\w+)\s*((?:\[\d*\])*)(?::(\d+))?$")
STATISTIC = re.compile(r"(?:/\*|,) (size|holes|sum holes|bit holes|sum bit holes|padding|bit_padding): (\d+)")


class _Level:
    def __init__(self, is_union, name):
        self.is_union, self.name, self.members, self.statistics = is_union, name, [], {}


def _declared(text):
    """Name and bits of what a declaration declares; bits None for what is no bit-field."""
    text = ATTRIBUTE.sub("", text).strip().rstrip(";").strip()
    function = FUNCTION.search(text)
    if function:
        return function.group(1), None
    plain = PLAIN.search(text)
    if not plain:
        raise ValueError("no declaration: " + text)
    return plain.group(1), int(plain.group(3)) if plain.group(3) else None


def _relative(members, base):
    return tuple(m._replace(offset=m.offset - base,
                            members=None if m.members is None else _relative(m.members, m.offset))
                 for m in members)


def _member(line, inside):
    place = PLACE.search(line)
    declaration = line[:place.start()]
    if inside is not None:
        rest = ATTRIBUTE.sub("", declaration).strip().lstrip("}").strip().rstrip(";").strip()
        name, bits = (_declared(rest) if rest else (None, None))
        if rest.startswith("*"):  # a pointer to it, which holds none of it
            inside = None
    else:
        name, bits = _declared(declaration)
    byte, bit, size = int(place.group(1)), int(place.group(2) or 0), int(place.group(3))
    if bits is None:
        return Member(name, byte * 8 + bit, size * 8, 0, inside)
    return Member(name, byte * 8 + bit, bits, size * 8, inside)


def _finish(level, line, sizes):
    """The line that closes a type at the top: "};", or "} atomic_t;"."""
    s = level.statistics
    name = level.name
    kind = "union" if level.is_union else "struct"
    if name is None:
        name, kind = ATTRIBUTE.sub("", line).strip("} \t;"), "typedef"
    if "size" not in s:
        return Definition(name, kind, level.is_union, sizes.get(name),
                          _relative(level.members, 0)), None
    gaps = Gaps(s.get("holes", 0), s.get("sum holes", 0), s.get("bit holes", 0),
                s.get("sum bit holes", 0), s.get("padding", 0), s.get("bit_padding", 0))
    return (Definition(name, kind, level.is_union, s["size"] * 8, _relative(level.members, 0)), gaps)


def read_sizes(lines):
    """Bits by name, from `pahole -s`."""
    return {name: int(size) * 8 for name, size, _ in (line.split("\t") for line in lines)}


def read(lines, sizes):
    """Pairs of a definition and the gaps that pahole counts in its own level; None for a union, of
    which it says neither these nor the size: that is in `sizes`, unless the union has its name from
    a typedef, which pahole 1.30 prints and 1.25 does not."""
    levels, in_enum = [], False
    for line in lines:
        line = line.rstrip("\n")
        if in_enum and not line.lstrip().startswith("}"):
            continue
        opened = OPEN.match(line)
        if opened:
            levels.append(_Level(opened.group(2) == "union", opened.group(3)))
        elif ENUM.match(line):
            in_enum = True
        elif line.startswith("}"):
            yield _finish(levels.pop(), line, sizes)
        elif line.lstrip().startswith("}") and not in_enum:
            closed = levels.pop()
            # Without a place: `union {...} :8;`, with which pahole shows forced padding.
            if PLACE.search(line):
                levels[-1].members.append(_member(line, tuple(closed.members)))
        elif line.lstrip().startswith("/*"):
            if len(levels) == 1 and line.startswith("\t/*"):
                levels[0].statistics.update((k, int(v)) for k, v in STATISTIC.findall(line))
        elif levels and PLACE.search(line):
            in_enum = False
            levels[-1].members.append(_member(line, None))
