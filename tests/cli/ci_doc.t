#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/ci.md takes a newcomer where it says: each of its commands is run.
. "$(dirname "$0")/../lib.sh"
. tests/page.sh
need gcc make yq

mkdir "$T/home"
ln -s "$SRC" "$T/home/layoutcheck"
HOME=$T/home
export HOME
unset MAKEFLAGS MAKELEVEL MFLAGS CC CFLAGS CPPFLAGS LDFLAGS

run_page docs/ci.md

# The workflow is YAML, and what it gives the action is what the action takes.
workflow=.github/workflows/layout.yml
is "the workflow uses the action" "$(yq -r '.jobs.layout.steps[].uses // empty' $workflow | grep -c layoutcheck)" 1
yq -r '.jobs.layout.steps[] | select(.uses // "" | contains("layoutcheck")) | .with | keys[]' $workflow |
	sort >"$T/given"
yq -r '.inputs | keys[]' "$SRC/action.yml" | sort >"$T/taken"
is "inputs that the action does not have" "$(comm -23 "$T/given" "$T/taken")" ""
is "the SARIF file is where the action puts it" \
	"$(yq -r '.jobs.layout.steps[] | .with.sarif_file // empty' $workflow)" \
	"$(yq -r .inputs.sarif.default "$SRC/action.yml")"

done_testing
