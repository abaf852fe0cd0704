#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/rules.md takes a newcomer from a struct to a rule in the build: each of its commands is run.
. "$(dirname "$0")/../lib.sh"
. tests/page.sh
need gcc make

mkdir "$T/home"
ln -s "$SRC" "$T/home/layoutcheck"
HOME=$T/home
export HOME
unset MAKEFLAGS MAKELEVEL MFLAGS CC CFLAGS CPPFLAGS LDFLAGS

run_page docs/rules.md

done_testing
