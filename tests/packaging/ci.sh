#!/usr/bin/env bash
# The steps of action.yml, and those of the workflow in docs/ci.md, run as they are written, as GitHub's runner would, in a bare
# Debian with what a runner has. Each run has a suite that passes and one that fails. Skipped (77) where there is no such
# root, or no YAML for Python.
#
# With a PROGRAM in place of the root it takes a second (the test `packaging_ci`): the steps run here, and what they install
# is that program.
#
# usage: ci.sh FOLDER [RELEASE|ROOT|PROGRAM]
#   FOLDER is made for the root of a Debian RELEASE (bookworm), and removed; a ROOT that is there already is only used
set -u
folder=$(realpath -m "${1:?usage: ci.sh FOLDER [RELEASE|ROOT]}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
. tests/packaging/root.sh
python=python3
[ ! -x build/wheel/tools/bin/python ] || python=build/wheel/tools/bin/python
"$python" -c 'import yaml' 2>/dev/null || skip 'there is no YAML for Python'
failed=0 top=/ where=${2:-bookworm}

# put_command NAME SCRIPT: a command that the steps call
put_command() {
    printf '#!/bin/bash\n%s\n' "$2" >"$folder/bin/$1" && chmod +x "$folder/bin/$1"
}

# use_program PROGRAM: no root. `sudo apt-get install` notes the packages, and each virtual environment has the program.
use_program() {
    top=$folder/root
    mkdir -p "$top/tmp" "$top/work" "$folder/bin" && trap clean_root EXIT
    put_command sudo '[ "$1" = apt-get ] && case $2 in update) ;; install) printf "%s\n" "${@:4}" | sort >"'"$folder"'/packages" ;; *) exit 1 ;; esac'
    put_command pip '[ "$1" = install ] && [ -e "$2/pyproject.toml" ]'
    put_command python3 '[ "$1 $2" = "-m venv" ] && mkdir -p "$3/bin" && ln -sf "'"$1"'" "$3/bin/ptxlitmus" && ln -sf "'"$folder"'/bin/pip" "$3/bin/pip"'
    in_root() {
        (cd "$top$1" && env -i HOME="$top/tmp" RUNNER_TEMP="$top/tmp" PATH="$folder/bin:/usr/bin:/bin" bash -c "$2")
    }
    put_tree() {
        ln -s "$PWD" "$top/$1"
    }
}

# installs FILE: each command of the file that installs a compiler installs what the steps do
installs() {
    [ -e "$folder/packages" ] || return 0
    local line lines=0
    while read -r line; do
        lines=$((lines + 1))
        grep -oE '[a-z0-9+-]+' <<<"${line%%&& rm*}" | grep -xE 'gcc|g\+\+|cmake|ninja-build|pkg-config|lib.*-dev|uthash-dev' |
            grep -vxF libc6-dev | sort | diff - <(grep -vxF python3-venv "$folder/packages") >"$folder/said" ||
            { printf 'FAIL: %s and the steps install other packages:\n' "$1"; cat "$folder/said"; failed=1; }
    done < <(sed -z 's/\\\n//g' "$1" | grep 'apt-get install.* gcc ')
    [ "$lines" -gt 0 ] || { echo "FAIL: $1 installs no compiler"; failed=1; }
}

if [ -f "$where" ] && [ -x "$where" ]; then
    use_program "$(realpath "$where")"
else
    use_root "$where" sudo git python3 ca-certificates
    rm -rf "$folder/root/work"
fi

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
run 'the action, with a test that fails' 1 "export GITHUB_ACTION_PATH=${top%/}/work/ptxlitmus; $action"
says '::error file=MP+cta.litmus,line=11'
[ -s "$folder/root/work/ptxlitmus.sarif" ] || { echo 'FAIL the action writes no SARIF'; failed=1; }
action=$("$python" tests/packaging/steps.py action.yml paths=ordering) || exit
run 'the action' 0 "export GITHUB_ACTION_PATH=${top%/}/work/ptxlitmus; $action"
says '1 test: 1 passed'
installs action.yml
installs Containerfile
page=$("$python" tests/packaging/steps.py docs/ci.md 2) || exit
run 'the workflow of docs/ci.md' 0 "$page"
installs docs/ci.md
installs action.yml
for report in ordering.xml ordering.json; do
    [ -s "$folder/root/work/$report" ] || { echo "FAIL the workflow writes no $report"; failed=1; }
done
[ "$failed" -eq 0 ] && echo 'the steps install the tool and run suites'
exit "$failed"
