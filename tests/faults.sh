# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For tests that make a run fail at one point after another. In the current directory are `report`,
# what the run was to write, `whole`, that of a run that nothing happened to, and `out` and `said`,
# what it wrote to its standard streams; $wanted is the exit status of the whole one (0).
#
#	judge CODE [PATTERN]	$verdict: "whole", "refused" (2, one sentence that matches, no
#				report), or what is wrong
#	at_each ALL STEP COMMAND [ARG]...
#				COMMAND N ARG... for every STEPth N of 1 to ALL, which judges;
#				$refused: how many were, $wrong: those that were neither

wanted=0

judge() {
	if [ "$1" -eq "$wanted" ] && cmp -s report whole; then
		verdict=whole
	elif [ "$1" -ne 2 ]; then
		verdict="status $1, not 2: $(cat said)"
	elif [ -e report ] || [ -s out ]; then
		verdict="there is a report: $(cat said)"
	elif [ "$(wc -l <said)" -ne 1 ] || ! grep -q "${2-.}" said; then
		verdict="not one sentence: $(cat said)"
	else
		verdict=refused
	fi
}

at_each() {
	all=$1
	step=$2
	shift 2
	at=1
	refused=0
	wrong=
	while [ "$at" -le "$all" ]; do
		command=$1
		shift
		"$command" "$at" "$@"
		set -- "$command" "$@"
		case $verdict in
		refused) refused=$((refused + 1)) ;;
		whole) ;;
		*) wrong="$wrong
at $at of $all: $verdict" ;;
		esac
		at=$((at + step))
	done
}
