# SPDX-License-Identifier: GPL-2.0-or-later
"""What readelf says of an image and its sections."""
import re
import subprocess


def _readelf(option, path):
    return subprocess.run(["readelf", option, "-W", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def word(path):
    """Bytes of a pointer."""
    return 8 if re.search(r"^ *Class: *ELF64$", _readelf("-h", path), re.M) else 4


def kind(path):
    """Machine, and "little" or "big"."""
    header = _readelf("-h", path)
    return (re.search(r"^ *Machine: *(.*)$", header, re.M).group(1),
            re.search(r"^ *Data: .*, (little|big) endian$", header, re.M).group(1))


def sections(path):
    """Offset and size of each section by name."""
    found = re.findall(r"\] (\S+) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ", _readelf("-S", path))
    return {name: (int(offset, 16), int(size, 16)) for name, offset, size in found}


def relocations(path):
    """The sections that have relocations of debug sections."""
    return [name for name in sections(path) if re.match(r"\.rela?\.debug_", name)]
