#!/usr/bin/env bash
# The hook of .pre-commit-hooks.yaml, run by pre-commit itself on a repository of its own: it passes with a test that is as it
# expects, fails with one that is not, and leaves manifests of modules alone. Skipped (77) without pre-commit.
#
# usage: precommit.sh PROGRAM SOURCE_FOLDER
set -u
program=$(realpath "${1:?usage: precommit.sh PROGRAM SOURCE_FOLDER}") source=$(realpath "${2:?}") || exit 2
PATH=$PATH:$source/build/wheel/tools/bin
command -v pre-commit >/dev/null && git -C "$source" rev-parse HEAD >/dev/null 2>&1 ||
    { echo 'skipped: there is no pre-commit, or no repository'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRE_COMMIT_HOME=$work/home HOME=$work PATH=$(dirname "$program"):$PATH
git config --global safe.directory '*'
git init -q "$work/here" && cd "$work/here" || exit 2

# hook STATUS: runs it on all files
failed=0
hook() {
    git add -A
    pre-commit try-repo "$source" ptxlitmus-suite --all-files >"$work/said" 2>&1
    local status=$?
    [ "$status" -eq "$1" ] || { printf 'FAIL: status %d, not %d, with' "$status" "$1"; ls; cat "$work/said"; failed=1; }
}
says() {
    grep -qF "$1" "$work/said" || { printf 'FAIL: it does not say: %s\n' "$1"; cat "$work/said"; failed=1; }
}

cp "$source/tests/cases/inputs/suite/MP.litmus" .
cp "$source"/tests/kernels/checked.ptx.litmus . # which is not a test
hook 0
says 'litmus tests have the outcomes that they expect'
cp "$source/tests/cases/inputs/suite/MP+cta.litmus" .
hook 1
says 'MP+cta.litmus:11:8: expected forbidden'
says '2 tests: 1 passed, 1 failed'
[ "$failed" -eq 0 ] && echo 'the hook passes, and fails where it should'
exit "$failed"
