# SPDX-License-Identifier: GPL-2.0-or-later
"""Smaller pictures: PNG (W3C, third edition) of three bytes a pixel, as browsers take them, to one
with a palette."""
import struct
import zlib


def chunks(data):
    at = 8
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
        at += 12 + size


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def paeth(a, b, c):
    distances = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return (a, b, c)[distances.index(min(distances))]


def rows(raw, width, height):
    """The rows of pixels, their filters (section 9) undone."""
    size, before = width * 3, bytes(width * 3)
    for y in range(height):
        kind, row = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for x in range(size):
            left, corner = (row[x - 3], before[x - 3]) if x >= 3 else (0, 0)
            row[x] = (row[x] + (0, left, before[x], (left + before[x]) // 2,
                                paeth(left, before[x], corner))[kind]) & 255
        before = row
        yield bytes(row)


def with_palette(data):
    """The same picture, its colours rounded until there are 256 at most."""
    parts = list(chunks(data))
    width, height, depth, kind = struct.unpack(">IIBB", parts[0][1][:10])
    if (depth, kind) != (8, 2):
        raise ValueError("a PNG of another kind")
    raw = zlib.decompress(b"".join(part for name, part in parts if name == b"IDAT"))
    pixels = [[row[x:x + 3] for x in range(0, len(row), 3)] for row in rows(raw, width, height)]
    colours = {pixel for row in pixels for pixel in row}
    step = 1
    while len({tuple(v // step for v in colour) for colour in colours}) > 256:
        step += 1
    palette, index = [], {}
    for colour in sorted(colours, reverse=True):  # the brightest of those that become one
        key = tuple(v // step for v in colour)
        if key not in index:
            index[key] = len(palette)
            palette.append(colour)
    number = {colour: index[tuple(v // step for v in colour)] for colour in colours}
    raw = b"".join(b"\0" + bytes(number[pixel] for pixel in row) for row in pixels)
    return (data[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
            chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(raw, 9)) +
            chunk(b"IEND", b""))
