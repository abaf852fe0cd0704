#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes for CI systems: what their YAML says is run as those systems run it. docs/ci.md is
# tests/cli/ci_doc.t's.
. "$(dirname "$0")/../lib.sh"
need clang ld.lld pahole jq make yq

tests/sample.sh "$T/work" || exit 1
mkdir "$T/bin"
ln -s "$LAYOUTCHECK" "$T/bin/layoutcheck"
plain=$PATH
PATH=$T/bin:$PATH
export PATH
cd "$T/work" || exit 1
mkdir -p layout/rules
cat >layout/rules/holds.yaml <<'END'
layoutcheck: 1
structs:
  table:
    rules:
      - size: "<= 128"
        id: table/two-lines
END
cat >broken.yaml <<'END'
layoutcheck: 1
structs:
  table:
    rules:
      - size: "<= 64"
END
clang --target=x86_64-linux-gnu -gdwarf-5 -fdebug-compilation-dir=. -c sample.c -o 'a b' || exit 1

# ---- action.yml

action=$SRC/action.yml
ok "action.yml is YAML" yq -e '.runs.using == "composite"' "$action"
is "each step says its shell" "$(yq -r '[.runs.steps[].shell] | unique | join(" ")' "$action")" sh
# What a user of the action writes is data to the shell, never text of the script.
is "no expression in a script" "$(yq -r '.runs.steps[].run' "$action" | grep -cF '${{')" 0
yq -r '.inputs | keys[]' "$action" | sort >"$T/inputs"
yq -r '.runs.steps[].env[]' "$action" | sed -n 's/^\${{ inputs\.\([a-z]*\) }}$/\1/p' | sort >"$T/used"
same "each input is used" "$T/inputs" "$T/used"
is "outputs are those of a step that there is" \
	"$(yq -r '.outputs | to_entries[] | .key + " " + .value.value' "$action")" \
	'status ${{ steps.check.outputs.status }}
sarif ${{ steps.check.outputs.sarif }}'
is "it has an id" "$(yq -r '[.runs.steps[].id // empty] | join(" ")' "$action")" check
yq -r '.runs.steps[0].run' "$action" >"$T/build-step"
yq -r '.runs.steps[] | select(.id == "check") | .run' "$action" >"$T/check-step"

# A runner that has layoutcheck, and one that has to build it.
GITHUB_PATH=$T/path
export GITHUB_PATH
: >"$T/path"
ACTION=$T/nowhere exits "nothing is built where it is installed" 0 sh -e "$T/build-step"
is "nor is the path changed" "$(cat "$T/path")" ""
mkdir "$T/action"
cat >"$T/action/bootstrap" <<'END'
#!/bin/sh
echo "bootstrap $*" >asked
END
chmod +x "$T/action/bootstrap"
ACTION=$T/action PATH=$plain exits "else it is built" 0 sh -e "$T/build-step"
is "as bootstrap does it" "$(cat "$T/action/asked")" "bootstrap build"
is "and stands in the path of the steps after" "$(cat "$T/path")" "$T/action"

# step NAME=VALUE...: runs the step that checks, with the inputs given and the defaults.
step() {
	rm -f "$T/output" "$T/summary"
	run env IMAGE= RULES= BASELINE= WAIVERS= ARGS= FORMAT="$(yq -r .inputs.format.default "$action")" \
		SARIF="$(yq -r .inputs.sarif.default "$action")" GITHUB_OUTPUT="$T/output" \
		GITHUB_STEP_SUMMARY="$T/summary" "$@" sh -e "$T/check-step"
}

step IMAGE=sample RULES=broken.yaml
is "a broken rule fails the step" "$status" 1
like "it is annotated" "$stdout" '^::error file=sample\.c,line=[0-9]+,title=table/size::'
is "the outputs" "$(cat "$T/output")" 'sarif=layoutcheck.sarif
status=1'
like "the summary of the job" "$(cat "$T/summary")" '^### layoutcheck: failed, 1 finding$'
layoutcheck check -f sarif -o wanted.sarif -r broken.yaml sample
same "the SARIF file" layoutcheck.sarif wanted.sarif
step IMAGE='sample
a b' RULES='layout/rules
broken.yaml' ARGS='--fail-on  error --all' SARIF='an other.sarif'
is "paths are lines, options are words" "$(jq -r '.runs[].automationDetails.id' 'an other.sarif')" \
	'layoutcheck/sample/
layoutcheck/a b/'
is "and packs" "$(jq '[.runs[0].results[].kind] | length' 'an other.sarif')" 2
# shellcheck disable=SC2016
step IMAGE='$(touch gone);*' RULES='`touch gone`'
is "none of it is a command or a pattern" "$status" 2
nok "nothing was run" test -e gone
is "what could not be done is said" "$(cat "$T/output")" "status=2"
nok "and leaves no SARIF file of an older run" test -e layoutcheck.sarif
step IMAGE=sample RULES=layout/rules SARIF=
is "all holds" "$status" 0
is "no SARIF file where none is wanted" "$(cat "$T/output")" "status=0"
layoutcheck snapshot -r broken.yaml -o base.json sample.btf --arch x86_64
cat >waivers.yaml <<END
layoutcheck-waivers: 1
waivers:
  - fingerprint: "$(layoutcheck check -f json -r broken.yaml sample | jq -r '.findings[0].fingerprint')"
    why: known
END
step IMAGE=sample RULES=broken.yaml WAIVERS=waivers.yaml FORMAT=text
is "waivers" "$status" 0
like "and another format" "$stdout" '^sample\.c:[0-9]+: waived: table: '
step IMAGE=sample RULES=broken.yaml BASELINE=no.json
like "a baseline is read" "$stderr" '^layoutcheck: no\.json: '
step IMAGE=sample RULES=broken.yaml BASELINE=base.json
is "and used" "$status" 1

# ---- GitLab

job=$SRC/docs/ci/gitlab.yml
ok "gitlab.yml is YAML with one job" yq -e 'keys == ["layoutcheck"]' "$job"
yq -r '.layoutcheck.before_script[], .layoutcheck.script[]' "$job" >"$T/job"
like "it has a script" "$(cat "$T/job")" '^layoutcheck check '
CI_PROJECT_DIR=$PWD
export CI_PROJECT_DIR
# GitLab runs the lines as one script, which ends where one fails.
gitlab() {
	rm -f gl-code-quality-report.json layoutcheck.xml
	run env LAYOUTCHECK_IMAGE=sample LAYOUTCHECK_OPTIONS="$1" LAYOUTCHECK_SOURCE=/none sh -e "$T/job"
}
gitlab "-r broken.yaml"
is "a broken rule fails the job" "$status" 1
like "the log has it" "$stdout" '^sample\.c:[0-9]+: error: table: size is 128'
for report in $(yq -r '.layoutcheck.artifacts.reports[]' "$job"); do
	ok "there is a report: $report" test -s "$report"
done
is "of its format" "$(jq -r '.[0].check_name' gl-code-quality-report.json)" table/size
is "whatever the status" "$(yq -r .layoutcheck.artifacts.when "$job")" always
gitlab "$(yq -r .layoutcheck.variables.LAYOUTCHECK_OPTIONS "$job")"
is "rules that hold pass" "$status" 0

# ---- make

cp "$SRC/docs/ci/layoutcheck.mk" .
cat >Makefile <<'END'
LAYOUT_IMAGE = sample
include layoutcheck.mk
END
unset MAKEFLAGS MAKELEVEL MFLAGS CC CFLAGS CPPFLAGS LDFLAGS
exits "make: what holds" 0 make -s layout-check
is "by the rules of the tree" "$stdout" "sample (DWARF, x86_64, 64-byte lines): 1 hold, 0 broken"
exits "make: what is broken" 2 make -s layout-check LAYOUT_RULES='layout/rules broken.yaml'
exits "make: a waiver" 0 make -s layout-check LAYOUT_RULES=broken.yaml LAYOUT_WAIVERS=waivers.yaml
exits "make: an option" 0 make -s layout-check LAYOUT_FLAGS='--margin 64'
like "it is given" "$stdout" '^sample\.c:[0-9]+: note: table: '
exits "make: a baseline" 0 make -s layout-baseline
ok "it is there" test -s layout/baseline.json
exits "make: nothing changed since" 0 make -s layout-diff
like "the two are compared" "$stdout" '^layout/baseline\.json \(.* 1 type compared, 0 changed'
sed -i 's/"size": 128/"size": 120/' layout/baseline.json
exits "make: a rule that the baseline broke" 0 make -s layout-diff
like "make: what changed" "$stdout" ' table: size grew from 120 to 128 bytes'
exits "make: an image that is not there" 2 make -s layout-check LAYOUT_IMAGE=nothing

# ---- a kernel tree

# As scripts/link-vmlinux.sh calls it, at the end of `set -e`, from the directory of the build.
mkdir -p tree/scripts tree/layout/rules build/include/config
cp "$SRC/docs/ci/kernel-hook.sh" tree/scripts/layoutcheck.sh
cp sample build/vmlinux
cp layout/rules/holds.yaml tree/layout/rules
calling=$(sed -n 's/^#\t\(\${CONFIG_SHELL} .*\)/\1/p' "$SRC/docs/ci/kernel-hook.sh")
like "the hook says how it is called" "$calling" VMLINUX
like "and so does the page" "$(cat "$SRC/docs/ci.md")" "^echo '.{CONFIG_SHELL} .*scripts/link-vmlinux\.sh$"
{
	printf '#!/bin/sh\nset -e\nVMLINUX=$1\n'
	sed -n "s/^echo '\(.*\)' >>scripts\/link-vmlinux\.sh\$/\1/p" "$SRC/docs/ci.md"
} >tree/scripts/link-vmlinux.sh
is "in the same words" "$(tail -n 1 tree/scripts/link-vmlinux.sh)" "$calling"
cd build || exit 1
link() {
	run env -u LAYOUTCHECK CONFIG_SHELL=sh srctree=../tree "$@" sh ../tree/scripts/link-vmlinux.sh vmlinux
}
link KBUILD_VERBOSE=0
is "hook: what holds is one line" "$status:$stdout:$stderr" "0:  LAYOUT  vmlinux:"
link quiet=silent_
is "hook: none with make -s" "$status:$stdout:$stderr" "0::"
cp ../broken.yaml ../tree/layout/rules
link quiet=
is "hook: a broken rule fails the link" "$status" 1
like "hook: it is an error" "$stderr" '^sample\.c:[0-9]+: error: table: size is 128, wanted <= 64 \[table/size\]$'
is "hook: and nothing else" "$stdout" "  LAYOUT  vmlinux"
cp ../waivers.yaml ../tree/layout
link quiet=
is "hook: a waiver of the tree" "$status" 0
rm ../tree/layout/waivers.yaml
cp ../base.json ../tree/layout/baseline.json
sed -i 's/"layoutcheck_snapshot": 1/"layoutcheck_snapshot": 999/' ../tree/layout/baseline.json
link quiet=
is "hook: the baseline of the tree" "$status" 2
like "hook: a bad one is told" "$stderr" '^layoutcheck: \.\./tree/layout/baseline\.json: '
rm ../tree/layout/baseline.json
link srctree=../nowhere
is "hook: a tree that is not there" "$status" 2
link LAYOUTCHECK_FLAGS='--all -f tap'
like "hook: options" "$stderr" '^not ok 1 - table/size$'
link LAYOUTCHECK=
is "hook: turned off" "$status:$stdout" "0:  SKIP    layoutcheck (LAYOUTCHECK is empty)"
link PATH="$plain"
is "hook: not installed" "$status:$stdout" "0:  SKIP    layoutcheck (not installed)"
link LAYOUTCHECK=/none/layoutcheck
is "hook: one asked for that is not there" "$status" 2
like "hook: it is said" "$stderr" 'there is no program /none/layoutcheck$'
echo '# CONFIG_DEBUG_INFO is not set' >include/config/auto.conf
link quiet=
is "hook: no types to judge" "$status:$stdout" "0:  SKIP    layoutcheck (CONFIG_DEBUG_INFO is not set)"
echo 'CONFIG_DEBUG_INFO=y' >include/config/auto.conf
link quiet=
is "hook: types again" "$status" 1
echo 'not an image' >vmlinux
link quiet=
is "hook: what cannot be read fails the link" "$status" 2

done_testing
