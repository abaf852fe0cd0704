#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The diff of two kernels, against pahole.
exec "$(dirname "$0")/diff"
