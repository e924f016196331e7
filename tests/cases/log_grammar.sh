#!/usr/bin/env bash
# The log of the library with options that change it, and of the cases' own inputs, is in herd's grammar. (Without options,
# the test `library` looks at it.)
#
# usage: log_grammar.sh PROGRAM CHECK_LOG
set -u

program=$(realpath "${1:?usage: log_grammar.sh PROGRAM CHECK_LOG}") || exit 2
check=$(realpath "${2:?usage: log_grammar.sh PROGRAM CHECK_LOG}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# checked ARGUMENT...: the program's log of these tests is good and holds as many tests as files.
checked() {
    "$program" "$@" >"$work/log" 2>"$work/err" </dev/null
    local status=$?
    if [ $status -gt 1 ]; then # an expectation may fail: those are other tests' business
        printf 'FAIL: ptxlitmus %s: exit status %d\n' "$*" "$status"
        head -c 2000 "$work/err"
        failed=1
    elif ! "$check" "$work/log"; then
        printf 'FAIL: the log of ptxlitmus %s is not in herd'"'"'s grammar\n' "$*"
        failed=1
    fi
}

# Options that change values or states alone: a third of the tests each.
third() { find litmus/library -name '*.litmus' | LC_ALL=C sort | awk -v n="$1" 'NR % 3 == n' >"$work/third"; }
third 1 && checked --hex "@$work/third"
third 2 && checked --states 2 "@$work/third"
checked tests/cases/inputs/good
exit "$failed"
