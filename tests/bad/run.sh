#!/usr/bin/env bash
# Bad inputs and their exact messages: for each tests/bad/NAME.litmus and NAME.test (a name is that of
# one file) the program must exit with
# status 2, print nothing on stdout, and on stderr, byte for byte, what is in NAME.err. NAME.args
# holds further options, one line of words. A test without its .err fails, and so does an .err
# without its test.
#
# usage: run.sh [--promote] PROGRAM      (--promote rewrites the .err files for review)
set -u

promote=false
if [ "${1:-}" = --promote ]; then
    promote=true
    shift
fi
program=$(realpath "${1:?usage: run.sh [--promote] PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

export LC_ALL=C.UTF-8 # inputs are quoted as they are
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

fail() {
    printf 'FAIL %s: %s\n' "$1" "$2"
    failed=$((failed + 1))
}

# Checks one bad input; its stderr must be that of the .err file next to it.
check() {
    local file=$1 name arguments=() status
    name=${file##*/}
    name=${name%.*}
    if [ -e "tests/bad/$name.args" ]; then
        read -r -a arguments <"tests/bad/$name.args"
    fi
    timeout 1200 sh -c 'ulimit -t 20; exec "$@"' - "$program" ${arguments[@]+"${arguments[@]}"} "$file" \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -ne 2 ]; then
        fail "$name" "exit status $status instead of 2"
        cat "$work/err"
        return
    fi
    if [ -s "$work/out" ]; then
        fail "$name" "something on stdout: $(head -c 200 "$work/out")"
        return
    fi
    if $promote; then
        cmp -s "$work/err" "tests/bad/$name.err" || printf 'rewrote tests/bad/%s.err\n' "$name"
        cp "$work/err" "tests/bad/$name.err"
    elif [ ! -e "tests/bad/$name.err" ]; then
        fail "$name" "no tests/bad/$name.err; write it, or run ./dev promote and review it"
        return
    elif ! cmp -s "$work/err" "tests/bad/$name.err"; then
        fail "$name" "other messages than in tests/bad/$name.err"
        diff -u "tests/bad/$name.err" "$work/err"
        return
    fi
    passed=$((passed + 1))
}

shopt -s nullglob
for test in tests/bad/*.litmus tests/bad/*.test; do
    check "$test"
done
for expected in tests/bad/*.err tests/bad/*.args; do
    [ -e "${expected%.*}.litmus" ] || [ -e "${expected%.*}.test" ] || fail "${expected##*/}" "there is no test of that name"
done
[ $((passed + failed)) -gt 0 ] || fail tests/bad "no test at all"

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
