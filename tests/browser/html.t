#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# HTML reports in a real browser.
exec "$(dirname "$0")/html"
