#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Layout rules in a kernel tree: judges them on a vmlinux that has just been linked. Copy it to
# scripts/layoutcheck.sh and let scripts/link-vmlinux.sh end with
#
#	${CONFIG_SHELL} "${srctree}/scripts/layoutcheck.sh" "${VMLINUX}"
#
# (before Linux 6.5: vmlinux). It says nothing but the line of its step, findings and errors, and
# exits as layoutcheck does: 1 when a rule is broken, 2 when that could not be told, either of which
# ends the build. Used are, below $srctree,
#
#	layout/rules/		packs; without it those that came with layoutcheck
#	layout/baseline.json	a snapshot, by which findings tell what changed; or none
#	layout/waivers.yaml	what is let be; or none
#
# and from the environment LAYOUTCHECK, the program, and LAYOUTCHECK_FLAGS, options of `check`.
# Nothing is judged, and a line says so, when LAYOUTCHECK is empty, when no such program is installed
# and none was asked for, and when the kernel is built without types (CONFIG_DEBUG_INFO).
set -eu

vmlinux=$1
srctree=${srctree:-.}
program=${LAYOUTCHECK-layoutcheck}

# As kbuild shows its steps; not at all with `make -s`.
step() {
	[ "${quiet-}" = silent_ ] || printf '  %-7s %s\n' "$1" "$2"
}

if [ -z "$program" ]; then
	step SKIP "layoutcheck (LAYOUTCHECK is empty)"
	exit 0
fi
if ! command -v "$program" >/dev/null 2>&1; then
	if [ -n "${LAYOUTCHECK-}" ]; then
		echo "$0: there is no program $program" >&2
		exit 2
	fi
	step SKIP "layoutcheck (not installed)"
	exit 0
fi
config=include/config/auto.conf
if [ -f "$config" ] && ! grep -Eq '^CONFIG_DEBUG_INFO(_BTF)?=y' "$config"; then
	step SKIP "layoutcheck (CONFIG_DEBUG_INFO is not set)"
	exit 0
fi

set -- -q --progress never --source-root "$(cd "$srctree" && pwd)"
[ ! -d "$srctree/layout/rules" ] || set -- "$@" -r "$srctree/layout/rules"
[ ! -f "$srctree/layout/baseline.json" ] || set -- "$@" --baseline "$srctree/layout/baseline.json"
[ ! -f "$srctree/layout/waivers.yaml" ] || set -- "$@" --waivers "$srctree/layout/waivers.yaml"

step LAYOUT "$vmlinux"
# Options are words.
# shellcheck disable=SC2086
exec "$program" check "$@" ${LAYOUTCHECK_FLAGS-} "$vmlinux" >&2
