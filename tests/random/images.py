# SPDX-License-Identifier: GPL-2.0-or-later
"""A batch, compiled in every way there is: images, and what the compilers say of them."""
import os
import subprocess
from collections import namedtuple

import oracle

PROGRAM = os.environ.get("LAYOUTCHECK", os.path.join(os.path.dirname(__file__), "../../layoutcheck"))

# `where`: who wrote it, of those in faults.py. `truth`: by name.
Image = namedtuple("Image", "name path reader arch where truth")

# BTF has no complex numbers, see structs.py: for it, and to compare it with, there is a build
# without them.
BUILDS = (
    ("gcc-4", "gcc -std=gnu11 -gdwarf-4", "x86_64"),
    ("gcc-5", "gcc -std=gnu11 -gdwarf-5", "x86_64"),
    ("clang-4", "clang -std=gnu11 -gdwarf-4", "x86_64"),
    ("clang-5", "clang -std=gnu11 -gdwarf-5", "x86_64"),
    ("gcc-m32", "gcc -std=gnu11 -m32 -gdwarf-4", "i386"),
    ("clang-m32", "clang -std=gnu11 -m32 -gdwarf-5", "i386"),
    ("gcc-plain", "gcc -std=gnu11 -gdwarf-5 -DNO_COMPLEX", "x86_64"),
    ("clang-plain", "clang -std=gnu11 -gdwarf-5 -DNO_COMPLEX", "x86_64"),
    ("m32-plain", "gcc -std=gnu11 -m32 -gdwarf-5 -DNO_COMPLEX", "i386"),
)
# (name, the build whose DWARF pahole makes BTF of)
BTF = (("gcc-btf", "gcc-plain"), ("clang-btf", "clang-plain"), ("m32-btf", "m32-plain"))


# Nothing of the packs that come with the program.
NO_RULES = """\
layoutcheck: 1
structs:
  nothing:
    optional: true
    rules:
      - size: 1
"""


def run(*command, allowed=(0,)):
    """What it prints; its status must be one of those allowed."""
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=False)
    if ran.returncode not in allowed:
        raise RuntimeError("%s ended with %d: %s" % (" ".join(command)[:200], ran.returncode,
                                                     ran.stderr[:2000]))
    return ran.stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


class World:
    """All images of a batch (or of some of its types), in a directory."""

    def __init__(self, batch, types, directory):
        self.batch, self.directory, self.images = batch, directory, {}
        self.truths, self.shown = {}, {}
        self.types = [t for top in types for t in (top, *top.tagged_inside())]
        self.names = [t.name for t in self.types]
        write(self.at("types.c"), batch.source(*types))
        write(self.at("facts.c"), oracle.source(batch, types, self.types))
        for name, command, arch in BUILDS:
            self._build(name, command.split(), arch)
        for name, of in BTF:
            made = self.images[of]
            run("pahole", "--btf_encode_detached=" + self.at(name), made.path)
            self.images[name] = made._replace(name=name, path=self.at(name), reader="btf",
                                              where=made.where + ("pahole-btf",))

    def at(self, name):
        return os.path.join(self.directory, name)

    def _build(self, name, command, arch):
        run(*command, "-w", "-fno-eliminate-unused-debug-types", "-c", "-o", self.at(name),
            self.at("types.c"))
        self.images[name] = Image(name, self.at(name), "dwarf", arch, (command[0],),
                                  self._truth(command[0], "-m32" if "-m32" in command else "-m64"))

    def _truth(self, compiler, machine):
        """Each compiler is asked once for each machine."""
        if (compiler, machine) not in self.truths:
            run(compiler, machine, "-w", "-c", "-o", self.at("facts.o"), self.at("facts.c"))
            run("objcopy", "-O", "binary", "--only-section=.facts", self.at("facts.o"),
                self.at("facts"))
            self.truths[compiler, machine] = oracle.read(self.types, read(self.at("facts")))
        return self.truths[compiler, machine]

    def ask(self, command, *words, allowed=(0,)):
        """What the program prints."""
        return run(PROGRAM, command, *words, allowed=allowed)

    def show(self, image, form="json"):
        """All types of the batch that @image has, as they are printed."""
        if (image.path, form) not in self.shown:
            self.shown[image.path, form] = self.ask(
                "show", "-q", "-f", form, "--arch", image.arch, "--from", image.reader, "-C",
                ",".join(self.names), image.path)
        return self.shown[image.path, form]
