#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Random edits, the same each time. `make check-random` has more, and others.
exec "$(dirname "$0")/../random/edits" 60 1
