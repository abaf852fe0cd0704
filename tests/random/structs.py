# SPDX-License-Identifier: GPL-2.0-or-later
"""Random structs: all that C, gcc and clang let one write that moves a member, as C source.

A Batch is what one translation unit holds. It is made from a seed alone; the same seed gives the same
source. Every type can be written by itself, with the types that it stands on (Batch.source).
"""
import math
import random
import re

# A member's type, with %s where its name goes. Pointers and what they point at do not matter to a
# layout, but must be read past.
PLAIN = ("char %s", "signed char %s", "unsigned char %s", "short %s", "unsigned short %s", "int %s",
         "unsigned %s", "long %s", "unsigned long %s", "long long %s", "unsigned long long %s",
         "_Bool %s", "float %s", "double %s", "long double %s", "wide %s", "const int %s",
         "volatile short %s", "tiny %s", "halved %s", "packed_long %s", "four %s")
# Not in arrays, of which some have no such form.
RARE = ("lined %s", "complex_float %s", "complex_double %s", "complex_long %s", "enum plain %s",
        "enum small %s", "enum huge %s", "enum { A%d_%s } %s")
POINTERS = ("void *%s", "const char *%s", "int **%s", "struct opaque *%s", "char *const %s",
            "int (*%s)[4]", "int (*%s)(struct opaque *, long)", "void (*%s[3])(void)",
            "int (*(*%s)(void))(int)", "double (*%s)(int, ...)", "callback %s")
# (type, widest): what can be a bit-field. `long` has 32 bits on some machines.
FIELDS = (("int", 32), ("unsigned", 32), ("signed char", 8), ("unsigned char", 8), ("short", 16),
          ("unsigned short", 16), ("long", 32), ("unsigned long", 32), ("long long", 64),
          ("unsigned long long", 64), ("_Bool", 1), ("enum plain", 4), ("enum small", 3),
          ("enum huge", 40), ("tiny", 8))
DIMENSIONS = ("", "", "", "", "", "[1]", "[2]", "[3]", "[7]", "[2][3]", "[2][1][2]", "[0]", "[0][4]",
              "[65]")
DIMENSION = re.compile(r"\[(\d+)\]")
MOST_ELEMENTS = 5000  # in a type: they would grow without end, and pahole's BTF stops at 2 MiB

PREAMBLE = """\
struct opaque;
#ifdef __SIZEOF_INT128__
typedef __int128 wide;
#else
typedef long long wide;
#endif
typedef unsigned char tiny;
typedef int lined __attribute__((aligned(64)));
typedef long halved __attribute__((aligned(2)));
typedef long packed_long __attribute__((aligned(1)));
typedef int four __attribute__((vector_size(16)));
typedef long (*callback)(void *, int);
#ifdef NO_COMPLEX /* of the same layout */
typedef struct { float re, im; } complex_float;
typedef struct { double re, im; } complex_double;
typedef struct { long double re, im; } complex_long;
#else
typedef float _Complex complex_float;
typedef double _Complex complex_double;
typedef long double _Complex complex_long;
#endif
enum plain { PLAIN_NONE, PLAIN_MOST = 9 };
enum small { SMALL_NONE, SMALL_MOST = 5 } __attribute__((packed));
enum huge { HUGE_NONE, HUGE_MOST = 1LL << 36 };
"""


class Member:
    """Of a type. `text` is its declaration without the `;`; a bit-field has its `bits` (0 only
    without a name) and the type it is cut from as `unit`, what is declared in place has that type
    `inside`, with {} for its body in the text. `uses`: a type made before."""

    def __init__(self, name, text, bits=None, unit=None, inside=None, uses=None):
        self.name, self.text, self.bits, self.unit = name, text, bits, unit
        self.inside, self.uses = inside, uses

    def lines(self, indent):
        if self.inside is None:
            return [indent + self.text + ";"]
        before, after = self.text.split("{}")
        return ([indent + before + self.inside.head()] + self.inside.body(indent) +
                [indent + "}" + self.inside.attributes + after + ";"])


class Type:
    """A struct or union; a tag or none; at the top with `typedef_name` for one without."""

    def __init__(self, keyword, tag, typedef_name=None):
        self.keyword, self.tag, self.typedef_name = keyword, tag, typedef_name
        self.members, self.attributes, self.pack = [], "", 0
        self.flexible = False

    @property
    def name(self):
        return self.tag or self.typedef_name

    @property
    def kind(self):
        return self.keyword if self.tag else "typedef"

    @property
    def spelled(self):
        """As C names it."""
        return self.keyword + " " + self.tag if self.tag else self.typedef_name

    def head(self):
        return self.keyword + (" " + self.tag if self.tag else "") + " {"

    def body(self, indent):
        return [line for m in self.members for line in m.lines(indent + "\t")]

    def source(self):
        """The definition, at the top level."""
        text = self.head() + "\n" + "".join(line + "\n" for line in self.body(""))
        text = "%s%s}%s%s;\n" % ("" if self.tag else "typedef ", text, self.attributes,
                                 "" if self.tag else " " + self.typedef_name)
        return "#pragma pack(push, %d)\n%s#pragma pack(pop)\n" % (self.pack, text) \
            if self.pack else text

    def tagged_inside(self):
        """Types with a tag that are declared within it: C has them at the top level."""
        for m in self.members:
            if m.inside is not None:
                if m.inside.tag:
                    yield m.inside
                yield from m.inside.tagged_inside()

    def elements(self):
        """How many values it holds, arrays counted out."""
        n = 0
        for m in self.members:
            inside = m.inside or m.uses
            n += math.prod(max(int(d), 1) for d in DIMENSION.findall(m.text.split("__")[0])) * \
                (inside.elements() if inside is not None else 1)
        return n

    def uses(self):
        """The types of the batch that it stands on."""
        for m in self.members:
            if m.uses is not None:
                yield m.uses
            if m.inside is not None:
                yield from m.inside.uses()

    def leaves(self):
        """(path, member) of what has a name of its own in it, through what has none."""
        for m in self.members:
            if m.name:
                yield m.name, m
            elif m.inside is not None:
                yield from m.inside.leaves()


class Batch:
    """@count types from @seed."""

    def __init__(self, seed, count):
        self.seed, self.random = seed, random.Random(seed)
        self.types, self.serial = [], 0
        for i in range(count):
            new = self._top(i)
            while new.elements() > MOST_ELEMENTS:
                new = self._top(i)
            self.types.append(new)

    def source(self, *types):
        """All of it, or the types given and what they stand on."""
        wanted = set(types or self.types)
        for t in reversed(self.types):
            if t in wanted:
                wanted.update(t.uses())
        return PREAMBLE + "".join("\n" + t.source() for t in self.types if t in wanted)

    def definitions(self):
        """All types with a name, those declared inside others too."""
        for t in self.types:
            yield t
            yield from t.tagged_inside()

    # ---- making them

    def _chance(self, percent):
        return self.random.randrange(100) < percent

    def _attributes(self, packed, aligned):
        words = (["packed"] if self._chance(packed) else []) + \
            (["aligned(%d)" % self.random.choice((1, 2, 4, 8, 16, 32, 64, 128))]
             if self._chance(aligned) else [])
        return " __attribute__((%s))" % ", ".join(words) if words else ""

    def _top(self, i):
        name = "t%d" % i
        keyword = "union" if self._chance(15) else "struct"
        new = Type(keyword, None, name) if self._chance(12) else Type(keyword, name)
        new.attributes = self._attributes(20, 15)
        new.pack = self.random.choice((1, 2, 4)) if self._chance(5) else 0
        self._fill(new, 0)
        if keyword == "struct" and self._chance(10) and any(m.name for m in new.members):
            new.members.append(Member("flex", self.random.choice(("char %s[]", "long %s[]",
                                                                  "double %s[][2]")) % "flex"))
            new.flexible = True
        for inside in new.tagged_inside():
            inside.pack = new.pack
        return new

    def _fill(self, new, depth):
        count = 0 if self._chance(2) else self.random.randrange(1, 5 if depth else 10)
        while len(new.members) < count:
            if self._chance(22):  # bit-fields come in runs
                new.members += [self._field() for _ in range(self.random.randrange(1, 5))]
            else:
                new.members.append(self._member(depth))

    def _name(self):
        self.serial += 1
        return "m%d" % self.serial

    def _field(self):
        what, widest = self.random.choice(FIELDS)
        if self._chance(8):
            return Member(None, what + " : 0", 0, what)
        bits = self.random.randrange(1, widest + 1)
        if self._chance(10):
            return Member(None, "%s : %d" % (what, bits), bits, what)
        name = self._name()
        return Member(name, "%s %s : %d%s" % (what, name, bits, self._attributes(4, 3)), bits,
                      what)

    def _member(self, depth):
        name = self._name()
        choice = self.random.randrange(100)
        if choice < 16 and depth < 4:
            return self._inside(name, depth)
        if choice < 30 and self.types:
            return self._embedded(name)
        if choice < 45:
            text = self.random.choice(POINTERS) % name
        elif choice < 52:
            text = self.random.choice(RARE)
            text = text % (self.serial, name, name) if "{" in text else text % name
        else:
            text = self.random.choice(PLAIN) % (name + self.random.choice(DIMENSIONS))
        if self._chance(5) and not text.startswith("lined"):
            text = "_Alignas(%d) %s" % (self.random.choice((16, 32, 64, 128)), text)
            return Member(name, text)
        return Member(name, text + self._attributes(5, 5))

    def _embedded(self, name):
        """A member of a type made before, or an array of it."""
        used = self.random.choice(self.types)
        dimensions = "" if used.flexible else self.random.choice(DIMENSIONS)
        return Member(name, "%s %s%s" % (used.spelled, name, dimensions), uses=used)

    def _inside(self, name, depth):
        """A type declared in place: anonymous, named by its member alone, or with a tag."""
        tag = "in" + name if self._chance(15) else None
        new = Type("union" if self._chance(40) else "struct", tag)
        new.attributes = self._attributes(12, 10)
        self._fill(new, depth + 1)
        before = "_Alignas(128) {}" if self._chance(6) else "{}"  # no less than that of any type
        if tag or self._chance(40):
            return Member(name, before + " " + name + self.random.choice(DIMENSIONS), inside=new)
        while new.members and new.members[0].name is None and new.members[0].inside is None:
            new.members.pop(0)  # where it begins is told by its first member
        return Member(None, before, inside=new)
