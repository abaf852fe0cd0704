#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every layout of this machine's kernel, against other readers.
exec "$(dirname "$0")/../compare" 6.1/i386
