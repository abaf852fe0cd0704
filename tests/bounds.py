# SPDX-License-Identifier: GPL-2.0-or-later
"""
bounds.py DIR PROGRAM: writes images of a million bytes at most, each as bad as it can be made for
those who read it, and has layoutcheck, PROGRAM, read them. Prints a line for each command: image,
command, exit status, seconds of the processor, megabytes of memory, lines on standard error. DWARF is
of version 4, in object files of x86-64.
"""
import os
import struct
import subprocess
import sys
import zlib

MOST = 1000000

def uleb(n):
    out = bytearray()
    while True:
        b = n & 127
        n >>= 7
        out.append(b | (128 if n else 0))
        if not n:
            return bytes(out)

def elf(sections, machine=62, kind=1):
    """sections: [(name, bytes, type, flags)]"""
    names = b'\0'
    heads = [b'\0' * 64]
    body = b''
    at = 64
    for name, data, stype, flags in sections + [('.shstrtab', None, 3, 0)]:
        off = len(names)
        names += name.encode() + b'\0'
        if data is None:
            data = names
        heads.append(struct.pack('<IIQQQQIIQQ', off, stype, flags, 0, at, len(data), 0, 0, 1, 0))
        body += data
        at += len(data)
    head = b'\x7fELF\2\1\1' + b'\0' * 9 + struct.pack('<HHIQQQIHHHHHH', kind, machine, 1, 0, 0, at, 0, 64, 0, 0, 64, len(heads), len(heads) - 1)
    return head + body + b''.join(heads)

# forms: string 8, data1 0b, data2 05, data4 06, ref4 13, udata 0f, strp 0e, flag_present 19, implicit_const 21
def abbrev(code, tag, children, *attrs):
    out = uleb(code) + uleb(tag) + bytes([children])
    for at, form in attrs:
        out += uleb(at) + uleb(form)
    return out + b'\0\0'

CU, STRUCT, MEMBER, BASE, PTR, TYPEDEF, ARRAY, SUBR, CONST, NS, UNION, IMPORT = 0x11, 0x13, 0x0d, 0x24, 0x0f, 0x16, 0x01, 0x21, 0x26, 0x39, 0x17, 0x3d
NAME, SIZE, LOC, TYPE, ENC, COUNT, IMP, DECL, SIBL, STMT = 3, 0xb, 0x38, 0x49, 0x3e, 0x37, 0x18, 0x3c, 1, 0x10
ABBREVS = (abbrev(1, CU, 1) + abbrev(2, BASE, 0, (NAME, 8), (SIZE, 0xb), (ENC, 0xb)) +
           abbrev(3, STRUCT, 1, (NAME, 8), (SIZE, 6)) + abbrev(4, MEMBER, 0, (NAME, 8), (TYPE, 0x13), (LOC, 6)) +
           abbrev(5, PTR, 0, (TYPE, 0x13)) + abbrev(6, TYPEDEF, 0, (NAME, 8), (TYPE, 0x13)) +
           abbrev(7, ARRAY, 1, (TYPE, 0x13)) + abbrev(8, SUBR, 0, (COUNT, 0xb)) + abbrev(9, CONST, 0, (TYPE, 0x13)) +
           abbrev(10, STRUCT, 1, (SIZE, 6)) + abbrev(11, NS, 1, (NAME, 8)) + abbrev(12, UNION, 1, (NAME, 8), (SIZE, 6)) +
           abbrev(13, IMPORT, 0, (IMP, 0x13)) + abbrev(14, MEMBER, 0, (TYPE, 0x13), (LOC, 6)) +
           abbrev(15, STRUCT, 0, (NAME, 8), (DECL, 0x19)) + abbrev(16, MEMBER, 0, (TYPE, 0x13)) +
           abbrev(17, STRUCT, 1, (NAME, 0xe), (SIZE, 6)) + abbrev(18, CU, 1, (NAME, 8)) + b'\0')
HEAD = 11  # of a unit of DWARF 4

def unit(body, abbrevs=0):
    body = struct.pack('<HIB', 4, abbrevs, 8) + body
    return struct.pack('<I', len(body)) + body

def dwarf(info, abbrevs=ABBREVS, strs=b''):
    sections = [('.debug_abbrev', abbrevs, 1, 0), ('.debug_info', info, 1, 0)]
    if strs:
        sections.append(('.debug_str', strs, 1, 0))
    return elf(sections)

def name(i):
    return b'%x\0' % i

def base():
    return b'\2int\0\4\5'

def d32(n):
    return struct.pack('<I', n & 0xffffffff)

def fill(make, room):
    parts = []
    n = size = 0
    while True:
        part = make(n)
        if size + len(part) > room:
            return b''.join(parts), n
        parts.append(part)
        size += len(part)
        n += 1

INT = HEAD + 1  # where base() is, right behind the unit's DIE
def members(offset=lambda i: 4 * i):
    body, n = fill(lambda i: b'\4m' + name(i) + d32(INT) + d32(offset(i)), MOST - 2000)
    return dwarf(unit(b'\1' + base() + b'\3wide\0' + d32(4 * n) + body + b'\0\0'))

def wide():
    return members()
def overlapping():
    return members(lambda i: 0)
def backwards():
    return members(lambda i: 4 * (90000 - i))

def structs():
    body, n = fill(lambda i: b'\3s' + name(i) + d32(8) + b'\4a\0' + d32(INT) + d32(0) + b'\0', MOST - 2000)
    return dwarf(unit(b'\1' + base() + body + b'\0'))

def same_name():
    body, n = fill(lambda i: b'\3s\0' + d32(8 + 4 * i) + b'\4a\0' + d32(INT) + d32(0) + b'\0', MOST - 2000)
    return dwarf(unit(b'\1' + base() + body + b'\0'))

def chain(code, label=b''):
    """Each refers to the one before; a struct at the end uses the last."""
    out = [b'\1' + base()]
    at = HEAD + 1 + len(base())
    before = INT
    while at < MOST - 3000:
        part = bytes([code]) + (label + b'\0' if label else b'') + d32(before) + (b'\x08\x02\0' if code == 7 else b'')
        before = at
        out.append(part)
        at += len(part)
    out.append(b'\3top\0' + d32(8) + b'\4m\0' + d32(before) + d32(0) + b'\0\0')
    return dwarf(unit(b''.join(out)))

def nested():
    """Structs within structs, as members without names."""
    out = [b'\1' + base()]
    at = HEAD + 1 + len(base())
    before = INT
    while at < MOST - 3000:
        part = b'\x0a' + d32(8) + b'\x0e' + d32(before) + d32(0) + b'\0'
        before = at
        out.append(part)
        at += len(part)
    out.append(b'\3top\0' + d32(8) + b'\4m\0' + d32(before) + d32(0) + b'\0\0')
    return dwarf(unit(b''.join(out)))

def doubling():
    """Each struct has the one before twice: 2^N members."""
    out = [b'\1' + base()]
    at = HEAD + 1 + len(base())
    before = INT
    i = 0
    while at < MOST - 3000:
        part = b'\3' + b'd' + name(i) + d32(8) + b'\4a\0' + d32(before) + d32(0) + b'\4b\0' + d32(before) + d32(4) + b'\0'
        before = at
        out.append(part)
        at += len(part)
        i += 1
    out.append(b'\0')
    return dwarf(unit(b''.join(out)))

def doubling_anonymous():
    out = [b'\1' + base()]
    at = HEAD + 1 + len(base())
    before = INT
    for i in range(60):
        part = b'\x0a' + d32(8) + b'\x0e' + d32(before) + d32(0) + b'\x0e' + d32(before) + d32(4) + b'\0'
        before = at
        out.append(part)
        at += len(part)
    out.append(b'\3top\0' + d32(8) + b'\4m\0' + d32(before) + d32(0) + b'\x0e' + d32(before) + d32(0) + b'\0')
    return dwarf(unit(b''.join(out) + b'\0'))

def units():
    one = unit(b'\1' + b'\0')
    return dwarf(one * ((MOST - 2000) // len(one)))

def abbreviations():
    """A table of half the file, and as many units as fit that all use it."""
    table, n = fill(lambda i: abbrev(i + 20, STRUCT, 0, (NAME, 8)), MOST // 2)
    one = unit(b'\1' + uleb(20 + n - 1) + b'x\0' + b'\0')
    return dwarf(one * (MOST // 2 // len(one) - 100), ABBREVS[:-1] + table + b'\0')

def tables():
    """A table of abbreviations each for as many units as fit, overlapping: each begins a byte later."""
    table = b'\1\x11\1' + b'\x03\x08' * 200000 + b'\0\0\0'
    out = b''.join(unit(b'\1', 3 + 2 * i) for i in range(MOST // 2 // 13))
    return dwarf(out, table)

def attributes():
    """One abbreviation with as many attributes as fit, and DIEs of no bytes that use it."""
    table = ABBREVS[:-1] + abbrev(20, STRUCT, 0, (NAME, 8), *[(0x3f, 0x19)] * 200000) + b'\0'
    one = b'\x14x\0'
    return dwarf(unit(b'\1' + one * 190000 + b'\0'), table)

def names():
    """A name of half the file that many structs have."""
    strs = b'n' * (MOST // 2) + b'\0'
    body, n = fill(lambda i: b'\x11' + d32(i) + d32(8) + b'\4a\0' + d32(INT) + d32(0) + b'\0', MOST // 2 - 3000)
    return dwarf(unit(b'\1' + base() + body + b'\0'), strs=strs)

def member_names():
    strs = b'n' * (MOST // 2) + b'\0'
    table = ABBREVS[:-1] + abbrev(20, MEMBER, 0, (NAME, 0xe), (TYPE, 0x13), (LOC, 6)) + b'\0'
    body, n = fill(lambda i: b'\x14' + d32(i) + d32(INT) + d32(4 * i), MOST // 2 - 3000)
    return dwarf(unit(b'\1' + base() + b'\3wide\0' + d32(4 * n) + body + b'\0\0'), table, strs)

def namespaces():
    n = (MOST - 3000) // 4
    return dwarf(unit(b'\1' + base() + b'\x0bn\0' * n + b'\3top\0' + d32(8) + b'\4m\0' + d32(INT) + d32(0) + b'\0' + b'\0' * n))

def imports():
    """Units that import each other: as many imports as fit, of the first unit, which imports itself."""
    body = b'\1' + (b'\x0d' + d32(HEAD)) * ((MOST - 2000) // 5) + b'\0'
    return dwarf(unit(body))

def bomb():
    raw = b'\0' * 100000000
    packed = zlib.compress(raw, 9)
    head = struct.pack('<IIQQ', 1, 0, len(raw), 1)
    return elf([('.debug_abbrev', ABBREVS, 1, 0), ('.debug_info', head + packed, 1, 0x800)])

def bomb_units():
    one = unit(b'\1' + b'\0')
    raw = one * (50000000 // len(one))
    packed = zlib.compress(raw, 9)
    head = struct.pack('<IIQQ', 1, 0, len(raw), 1)
    return elf([('.debug_abbrev', ABBREVS, 1, 0), ('.debug_info', head + packed, 1, 0x800)])

def sections():
    return elf([('.s%d' % i, b'', 1, 0) for i in range(13000)] + [('.debug_info', b'', 1, 0)])

# ---- BTF
def btf(types, strs):
    return struct.pack('<HBBIIIII', 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strs)) + types + strs

def btf_type(nm, kind, vlen, size, flag=0):
    return struct.pack('<III', nm, flag << 31 | kind << 24 | vlen, size)

def btf_wide():
    n = 60000
    strs = b'\0int\0wide\0m\0'
    t = btf_type(1, 1, 0, 4) + d32(32) + btf_type(5, 4, n, 4 * n) + b''.join(struct.pack('<III', 10, 1, 32 * i) for i in range(n))
    return btf(t, strs)

def btf_structs():
    strs = bytearray(b'\0int\0m\0')
    t = [btf_type(1, 1, 0, 4) + d32(32)]
    for i in range(30000):
        t.append(btf_type(len(strs), 4, 1, 4) + struct.pack('<III', 5, 1, 0))
        strs += b's%x\0' % i
    return btf(b''.join(t), bytes(strs))


def btf_chain(kind, nm=0):
    strs = b'\0int\0s\0m\0long\0'
    t = btf_type(1, 1, 0, 4) + d32(32) + btf_type(9, 1, 0, 8) + d32(64)
    n = 80000
    t += b''.join(btf_type(nm, kind, 0, i + 2 if i else 1) for i in range(n))
    t += btf_type(5, 4, 1, 8) + struct.pack('<III', 7, n + 2, 0)
    return btf(t, strs)

def btf_arrays():
    strs = b'\0int\0s\0m\0'
    t = btf_type(1, 1, 0, 4) + d32(32)
    n = 40000
    t += b''.join(btf_type(0, 3, 0, 0) + struct.pack('<III', i + 1, 1, 1) for i in range(n))
    t += btf_type(5, 4, 1, 8) + struct.pack('<III', 7, n + 1, 0)
    return btf(t, strs)

def btf_names():
    strs = b'\0' + b'n' * 500000 + b'\0'
    t = btf_type(1, 1, 0, 4) + d32(32)
    t += b''.join(btf_type(1 + i, 4, 1, 4) + struct.pack('<III', 1 + i, 1, 0) for i in range(20000))
    return btf(t, strs)

def btf_doubling():
    strs = b'\0int\0s\0m\0'
    t = btf_type(1, 1, 0, 4) + d32(32)
    for i in range(20000):
        t += btf_type(0, 4, 2, 8) + struct.pack('<IIIIII', 0, i + 1, 0, 0, i + 1, 0)
    t += btf_type(5, 4, 1, 8) + struct.pack('<III', 7, 20001, 0)
    return btf(t, strs)

IMAGES = {
    'wide': wide, 'overlapping': overlapping, 'backwards': backwards, 'structs': structs, 'same-name': same_name,
    'pointers': lambda: chain(5), 'typedefs': lambda: chain(6, b't'), 'arrays': lambda: chain(7), 'consts': lambda: chain(9),
    'nested': nested, 'doubling': doubling, 'doubling-anonymous': doubling_anonymous, 'units': units,
    'abbreviations': abbreviations, 'tables': tables, 'attributes': attributes, 'names': names, 'member-names': member_names,
    'namespaces': namespaces, 'imports': imports, 'bomb': bomb, 'bomb-units': bomb_units, 'sections': sections,
    'btf-wide': btf_wide, 'btf-structs': btf_structs, 'btf-pointers': lambda: btf_chain(2), 'btf-typedefs': lambda: btf_chain(8, 5),
    'btf-arrays': btf_arrays, 'btf-names': btf_names, 'btf-doubling': btf_doubling,
}

def measure(command):
    """Runs it; its exit status, seconds of the processor, megabytes, and lines of errors."""
    with open('err', 'w') as err:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
    with open('err', 'rb') as err:
        lines = err.read().count(b'\n')
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10, lines


def main():
    where, program = sys.argv[1:]
    os.makedirs(where, exist_ok=True)
    for key, make in IMAGES.items():
        path = os.path.join(where, key)
        data = make()
        assert len(data) <= 1 << 20, (key, len(data))
        with open(path, 'wb') as out:
            out.write(data)
        for args in ['show', '-q', '-f', 'json'], ['snapshot', '-q', '--all', '-o', 'snapshot'], ['diff', '-q', path]:
            print(key, args[0], '%d %.2f %d %d' % measure([program, *args, path]))


if __name__ == '__main__':
    main()
