#!/usr/bin/env bash
# Whole runs of the program, byte for byte. A file NAME.case holds what the case shows (lines that
# start with '#'), its command (lines that start with '$ ', run by bash in tests/cases, where
# `ptxlitmus` is the program and $scratch an empty folder), and its results: stdout, stderr and the exit status. Times and
# Z3's version, which change from run to run, are normalised before they are compared.
#
# usage: run.sh [--promote | --every N] PROGRAM [NAME...]
#   --promote rewrites the expectations for review; --every N runs every Nth case
set -u

promote=false every=1
if [ "${1:-}" = --promote ]; then
    promote=true
    shift
elif [ "${1:-}" = --every ]; then
    every=${2:?}
    shift 2
fi
program=$(realpath "${1:?usage: run.sh [--promote] PROGRAM [NAME...]}") || exit 2
shift
"$program" --version >/dev/null || { printf '%s does not run\n' "$program"; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$program" "$work/bin/ptxlitmus"
export PATH="$work/bin:$PATH" LC_ALL=C.UTF-8 scratch="$work/scratch"
passed=0 failed=0

# Replaces what no two runs agree on.
normalise() {
    sed -E \
        -e 's/^(Time [^ ]+) [0-9]+\.[0-9]+$/\1 T/' \
        -e 's/"(solver_ms|total_ms|encode_ms)":[0-9.e-]+/"\1":T/g' \
        -e 's/"(arena_bytes|peak_kb|variables|clauses|checks|pairs_may|pairs_must)":[0-9]+/"\1":N/g' \
        -e 's/^((\([^)]*\) )?stats: [^:]+: events [0-9]+,) .*$/\1 .../' \
        -e 's/\(Z3 [0-9.]+(, CaDiCaL)?\)/(Z3 V)/' \
        -e "s|$scratch|\$scratch|g" "$1"
}

# Runs the command of a case; writes the whole case, with what came, to $work/new.
run_case() {
    local command status
    command=$(sed -n 's/^\$ //p' "$1")
    [ -n "$command" ] || { printf 'FAIL %s: no line starts with "$ "\n' "$1"; return 1; }
    rm -rf "$scratch"
    mkdir "$scratch"
    timeout 1200 bash -c "ulimit -t 60; $command" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    {
        sed -n '/^--- stdout$/q;p' "$1"
        printf -- '--- stdout\n'
        normalise "$work/out"
        printf -- '--- stderr\n'
        normalise "$work/err"
        printf -- '--- status %d\n' "$status"
    } >"$work/new"
}

check_case() {
    if ! run_case "$1"; then
        failed=$((failed + 1))
    elif cmp -s "$1" "$work/new"; then
        passed=$((passed + 1))
    elif $promote; then
        cp "$work/new" "$1"
        printf 'rewrote tests/cases/%s\n' "$1"
        passed=$((passed + 1))
    else
        printf 'FAIL %s\n' "$1"
        diff -u "$1" "$work/new"
        failed=$((failed + 1))
    fi
}

shopt -s nullglob
if [ $# -gt 0 ]; then
    cases=("${@/%/.case}")
else
    cases=(*.case)
fi
for ((i = 0; i < ${#cases[@]}; i += every)); do
    check_case "${cases[i]}"
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
