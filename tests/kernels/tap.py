# SPDX-License-Identifier: GPL-2.0-or-later
"""TAP, for prove."""

SHOWN = 20


class Tap:
    """One test program; `prefix` begins the name of each test."""

    def __init__(self, prefix):
        self.prefix, self.count, self.failed = prefix, 0, 0

    def result(self, name, passed, remarks=(), shown=SHOWN):
        self.count += 1
        self.failed += not passed
        print("%sok %d - %s: %s" % ("" if passed else "not ", self.count, self.prefix, name))
        for remark in remarks[:shown]:
            print("# " + remark)
        if len(remarks) > shown:
            print("# and %d more" % (len(remarks) - shown))

    def is_(self, name, got, wanted):
        self.result(name, got == wanted,
                    () if got == wanted else ["got %r" % (got,), "wanted %r" % (wanted,)])

    def finish(self):
        print("1..%d" % self.count)
        return 1 if self.failed else 0
