# SPDX-License-Identifier: GPL-2.0-or-later
"""What has fooled readers of kernels before, each by its name."""
import json
import os
import subprocess
import tempfile

import layouts
import machine


def _section(path, name):
    offset, size = machine.sections(path)[name]
    with open(path, "rb") as image:
        image.seek(offset)
        return image.read(size)


def _told(dumped, name, kind="struct"):
    return [told for d, told in dumped if d.name == name and d.kind == kind]


def _defined(dumped, name, kind="struct"):
    return [d for d, _ in dumped if d.name == name and d.kind == kind]


def short_names(kernel, tap):
    """gcc writes names of up to three characters inline (DW_FORM_string), not into .debug_str."""
    strings = _section(kernel.path, ".debug_str")
    tap.result("struct rq has an inline name and is found",
               b"\0rq\0" not in strings and len(_told(kernel.dwarf, "rq")) == 1)


def struct_groups(kernel, tap):
    """struct_group() is a union of the members, unnamed and as a named struct."""
    for where, dumped in (("DWARF", kernel.dwarf), ("BTF", kernel.btf)):
        groups = [m.members for m in _defined(dumped, "sk_buff")[0].members
                  if m.name is None and len(m.members) == 2 and m.members[1].name == "headers"]
        tap.result("%s: sk_buff has its group `headers` twice at one place" % where,
                   len(groups) == 1 and groups[0][0].name is None and
                   groups[0][0].members == groups[0][1].members and
                   groups[0][0].offset == groups[0][1].offset)


def randomized(kernel, tap):
    """__randomize_layout puts all members into one anonymous struct; holes are inside."""
    counted = {d.name: gaps for d, gaps in kernel.pahole if d.kind == "struct"}["mm_struct"]
    for where, dumped in (("DWARF", kernel.dwarf), ("BTF", kernel.btf)):
        told = _told(dumped, "mm_struct")[0]
        outer = [m["name"] for m in told["members"]]
        tap.is_("%s: mm_struct is an anonymous struct and cpu_bitmap" % where, outer,
                [None, "cpu_bitmap"])
        tap.result("%s: whose holes are counted, which pahole's total leaves out" % where,
                   told["holes"] > counted.holes == 0)
        tap.result("%s: and cpu_bitmap is flexible" % where, told["members"][1]["flexible"])


# Bytes of each definition of names that have several.
SEVERAL = {
    "6.1": {"irq_info": [16, 32, 136], "elf_note_info": [248, 248]},
    "6.12": {"irq_info": [16, 32, 136], "console": [40, 280], "elf_note_info": [248, 248]},
    "6.1/arm64": {"irq_info": [32, 136], "elf_note_info": [248, 248]},
    "6.1/armhf": {"irq_info": [20, 96]},
    "6.1/i386": {"irq_info": [16, 20, 88]},
    "6.1/ppc64el": {"of_bus": [24, 64], "sensor_group": [56, 72], "getdents_callback": [40, 40]},
    "6.1/s390x": {"elf_note_info": [248, 248]},
}


def several_definitions(kernel, tap):
    """All definitions of a name, also those that differ in a member's type only (elf_note_info)."""
    for name, sizes in SEVERAL[kernel.series].items():
        for where, dumped in (("DWARF", kernel.dwarf), ("BTF", kernel.btf)):
            tap.is_("%s: every %s" % (where, name),
                    sorted(told["size"] // 8 for told in _told(dumped, name)), sizes)


def declarations(kernel, tap):
    """Most units only declare a struct; some structs nobody defines."""
    declared, defined = kernel.declared["files_struct"], _told(kernel.dwarf, "files_struct")[0]["cus"]
    tap.result("more units declare files_struct than define it (%d, %d)" % (declared, defined),
               declared > defined > 0)
    tags = {d.name for d in kernel.top if d.kind != "typedef"} | {d.name for d in kernel.local}
    nowhere = kernel.declared.keys() - tags
    for where, dumped in (("DWARF", kernel.dwarf), ("BTF", kernel.btf)):
        ours = {d.name for d, _ in dumped if d.kind != "typedef"}
        tap.is_("%s: none of the %d that are declared only is a definition" % (where, len(nowhere)),
                sorted(nowhere & ours) if nowhere else None, [])


def markers(kernel, tap):
    """__cacheline_group_begin__X is no member, and no end of a hole."""
    for where, dumped in (("DWARF", kernel.dwarf), ("BTF", kernel.btf)):
        marked = [(d, m) for d, told in dumped for m in told["members"]
                  if (m["name"] or "").startswith(layouts.MARKERS)]
        tap.result("%s: the %d markers of groups are known and empty" % (where, len(marked)),
                   all(m["marker"] and m["size"] == 0 for _, m in marked) and
                   ("6.12" not in kernel.path or len(marked) > 20))


def anonymous_typedefs(kernel, tap):
    """A typedef'd anonymous struct goes by the name of its typedef, and no other typedef does."""
    for where, dumped in (("DWARF", kernel.dwarf), ("BTF", kernel.btf)):
        tap.is_("%s: atomic_t, swp_entry_t and kuid_t" % where,
                [_told(dumped, name, "typedef")[0]["size"] // 8
                 for name in ("atomic_t", "swp_entry_t", "kuid_t")], [4, kernel.word, 4])
        tap.is_("%s: spinlock_t, u64 and fl_owner_t are not structs" % where,
                [name for name in ("spinlock_t", "u64", "fl_owner_t")
                 if _told(dumped, name, "typedef")], [])


def applied_relocations(kernel, tap):
    """vmlinux of x86 6.1 keeps the relocations of its debug sections, applied already."""
    if not machine.relocations(kernel.path):
        return
    with tempfile.TemporaryDirectory() as scratch:
        without = os.path.join(scratch, "vmlinux")
        subprocess.run(["objcopy", "-w", "-R", ".rel*.debug*", kernel.path, without], check=True)
        tap.is_("a copy without the relocations of debug sections has none",
                machine.relocations(without), [])
        tap.result("the relocations beside its debug sections change nothing",
                   kernel.dump("dwarf", without).lines() == kernel.dump("dwarf", kernel.path).lines())


# Machine and byte order as readelf has them, and our name.
MACHINES = {
    ("Advanced Micro Devices X86-64", "little"): "x86_64",
    ("AArch64", "little"): "aarch64",
    ("ARM", "little"): "arm",
    ("Intel 80386", "little"): "i386",
    ("PowerPC64", "little"): "ppc64le",
    ("IBM S/390", "big"): "s390x",
}


def target(kernel, tap):
    """The machine, and its line: that of a struct which the kernel aligns to its lines."""
    ran = subprocess.run([kernel.program, "show", "-f", "json", "-C", "sched_avg", kernel.path],
                         check=True, stdout=subprocess.PIPE)
    told = json.loads(ran.stdout)
    tap.is_("the machine, and the line that sched_avg is aligned to",
            (told["image"]["arch"], told["line"]),
            (MACHINES[machine.kind(kernel.path)], _told(kernel.dwarf, "sched_avg")[0]["align"]))


def run(kernel, tap):
    """Every trap of this file."""
    for trap in (target, short_names, struct_groups, randomized, several_definitions, declarations,
                 markers, anonymous_typedefs, applied_relocations):
        trap(kernel, tap)
