# SPDX-License-Identifier: GPL-2.0-or-later
"""What `layoutcheck show -f json` prints, in a form that what dump says can be put in, too: of each
type its kind, name, size, holes, and the place of each leaf from its start."""
import json
import subprocess

import layouts

# Names a run: an argument must stay below 128 KiB.
NAMES = 2000


def _leaves(members):
    for m in members:
        if m["name"] is None and "members" in m:
            yield from _leaves(m["members"])
        elif "bit_size" in m:
            yield m["name"], m["offset"] * 8 + m["bit_offset"], m["bit_size"]
        else:
            yield m["name"], m["offset"] * 8, m["size"] * 8


def _form(kind, name, size, gaps, leaves):
    return kind, name, size, gaps, tuple(sorted(leaves, key=str))


def read(program, reader, path, names):
    """What it prints of the types of these names ("struct file")."""
    shown = []
    for i in range(0, len(names), NAMES):
        ran = subprocess.run([program, "show", "--from", reader, "-f", "json", "-C",
                              ",".join(names[i:i + NAMES]), path], check=True,
                             stdout=subprocess.PIPE)
        shown += json.loads(ran.stdout)["types"]
    return [_form(t["kind"], t["name"], t["size"],
                  layouts.Gaps(*(t[field] for field in layouts.Gaps._fields)), _leaves(t["members"]))
            for t in shown]


def of_dump(dumped):
    """The same of what dump says."""
    return [_form(d.kind, d.name, d.size // 8, layouts.Gaps(*(told[f] for f in layouts.Gaps._fields)),
                  ((m.name, start, m.size) for m, start, _ in layouts.leaves(d.members)))
            for d, told in dumped]
