#!/usr/bin/env bash
# The steps of action.yml, and those of the workflow in docs/ci.md, run as they are written, as GitHub's runner would, in a bare
# Debian with what a runner has. Each run has a suite that passes and one that fails. Skipped (77) where there is no such
# root, or no YAML for Python.
#
# usage: ci.sh FOLDER [RELEASE|ROOT]
#   FOLDER is made for the root of a Debian RELEASE (bookworm), and removed; a ROOT that is there already is only used
set -u
folder=$(realpath -m "${1:?usage: ci.sh FOLDER [RELEASE|ROOT]}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
. tests/packaging/root.sh
python=python3
[ ! -x build/wheel/tools/bin/python ] || python=build/wheel/tools/bin/python
"$python" -c 'import yaml' 2>/dev/null || skip 'there is no YAML for Python'
use_root "${2:-bookworm}" sudo git python3 ca-certificates
rm -rf "$folder/root/work"
failed=0

# run NAME STATUS SCRIPT: the script's text
run() {
    in_root /work "$3" >"$folder/said" 2>&1
    local status=$?
    [ "$status" -eq "$2" ] || { printf 'FAIL %s: status %d, not %d\n' "$1" "$status" "$2"; tail -n 30 "$folder/said"; failed=1; }
}
says() {
    grep -qF "$1" "$folder/said" || { printf 'FAIL: it does not say: %s\n' "$1"; failed=1; }
}

put_tree work/ptxlitmus
mkdir "$folder/root/work/ordering"
cp tests/cases/inputs/suite/MP.litmus "$folder/root/work/ordering"
cp 'tests/cases/inputs/suite/MP+cta.litmus' "$folder/root/work/"

action=$("$python" tests/packaging/steps.py action.yml 'paths=ordering MP+cta.litmus') || exit
run 'the action, with a test that fails' 1 "export GITHUB_ACTION_PATH=/work/ptxlitmus; $action"
says '::error file=MP+cta.litmus,line=11'
[ -s "$folder/root/work/ptxlitmus.sarif" ] || { echo 'FAIL the action writes no SARIF'; failed=1; }
action=$("$python" tests/packaging/steps.py action.yml paths=ordering) || exit
run 'the action' 0 "export GITHUB_ACTION_PATH=/work/ptxlitmus; $action"
says '1 test: 1 passed'
page=$("$python" tests/packaging/steps.py docs/ci.md 2) || exit
run 'the workflow of docs/ci.md' 0 "$page"
for report in ordering.xml ordering.json; do
    [ -s "$folder/root/work/$report" ] || { echo "FAIL the workflow writes no $report"; failed=1; }
done
[ "$failed" -eq 0 ] && echo 'the steps install the tool and run suites'
exit "$failed"
