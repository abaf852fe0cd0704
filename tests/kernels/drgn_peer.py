# SPDX-License-Identifier: GPL-2.0-or-later
"""What drgn reads from DWARF, as layouts. A name that has several definitions gives it one of them."""
import drgn

from layouts import Definition, Member

COMPOSITE = (drgn.TypeKind.STRUCT, drgn.TypeKind.UNION, drgn.TypeKind.CLASS)


def _bits(type_):
    """0 for what has no size: a flexible array."""
    while type_.kind == drgn.TypeKind.TYPEDEF:
        type_ = type_.type
    if type_.kind == drgn.TypeKind.ARRAY:
        return (type_.length or 0) * _bits(type_.type)
    return drgn.sizeof(type_) * 8


def _anonymous_inside(type_):
    while type_.kind == drgn.TypeKind.ARRAY:
        type_ = type_.type
    return type_ if type_.kind in COMPOSITE and type_.tag is None else None


def _member(member):
    inside = _anonymous_inside(member.type)
    bits = _bits(member.type)
    members = None if inside is None else _members(inside)
    if member.bit_field_size is None:
        return Member(member.name, member.bit_offset, bits, 0, members)
    return Member(member.name, member.bit_offset, member.bit_field_size, bits, members)


def _members(type_):
    return tuple(_member(m) for m in type_.members)


class Drgn:
    """An image through drgn."""

    def __init__(self, path):
        self.program = drgn.Program()
        self.program.load_debug_info([path])

    def read(self, name, kind):
        """The definition that drgn finds; LookupError when it finds none."""
        type_ = self.program.type(name if kind == "typedef" else kind + " " + name)
        if kind == "typedef":
            type_ = type_.type
        return Definition(name, kind, type_.kind == drgn.TypeKind.UNION, type_.size * 8, _members(type_))
