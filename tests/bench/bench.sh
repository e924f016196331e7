#!/usr/bin/env bash
# Measures ptxlitmus against the least program that asks Z3 anything (empty_z3.c), in one run on one
# machine: a cold run of the README's MP.litmus, the whole library in one process, and by how much two
# processes are faster. Prints a table and writes it as bench.json into the build folder. docs/benchmarks.md says what the numbers mean.
#
# usage: bench.sh BUILD_FOLDER
set -euo pipefail
export LC_ALL=C

build=$(realpath "${1:?usage: bench.sh BUILD_FOLDER}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$build/ptxlitmus
empty=$build/tests/bench/empty_z3
one=litmus/library/message-passing/MP.litmus
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The median of each command of a hyperfine JSON file, in milliseconds.
medians() {
    sed -n 's/^ *"median": \([0-9.e-]*\),*$/\1/p' "$1" | awk '{ printf "%.3f\n", $1 * 1000 }'
}

# Reference and cold run take turns, so that a slow moment of the machine hits both.
for round in 1 2 3 4 5; do
    hyperfine -N --style none --warmup 5 --runs 40 --export-json "$work/cold$round.json" \
        "$empty" "$program $one" 2>"$work/warnings"
    medians "$work/cold$round.json" >"$work/cold$round"
done
read -r empty_ms cold_ms < <(paste -d' ' -s <(
    for n in 1 2; do
        for round in 1 2 3 4 5; do sed -n "${n}p" "$work/cold$round"; done | sort -n | sed -n 3p
    done
))
tests=$(find litmus/library -name '*.litmus' | wc -l)
hyperfine -N --style none --warmup 1 --runs 7 --export-json "$work/library.json" \
    "$program litmus/library" "$program -j 2 litmus/library" 2>"$work/warnings"
read -r library_ms pair_ms < <(medians "$work/library.json" | paste -d' ' -s)

awk -v empty="$empty_ms" -v cold="$cold_ms" -v library="$library_ms" -v pair="$pair_ms" -v tests="$tests" \
    -v version="$("$program" --version)" \
    -v cpu="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)" \
    -v json="$build/bench.json" '
function row(name, ms, ratio, aim) {
    if (aim == 0)
        printf "%-46s %10.2f ms\n", name, ms
    else
        printf "%-46s %10.2f ms %9.2f   %5.2f  %s\n", name, ms, ratio, aim, ratio <= aim ? "met" : "missed"
}
BEGIN {
    per_test = library / tests
    printf "%s, %s\n\n", version, cpu
    printf "%-46s %13s %9s   %5s\n", "median", "time", "ratio", "aim"
    row("empty program: a Z3 context and one check", empty, 0, 0)
    row("cold run of MP.litmus", cold, cold / empty, 1.6)
    row("library, a test of " tests " in one process", per_test, per_test / empty, 0.35)
    printf "%-46s %10.2f ms, %.2f times as fast\n", "the same with -j 2", pair / tests, library / pair
    printf "{\"version\":\"%s\",\"cpu\":\"%s\",\"empty_ms\":%.3f,", version, cpu, empty > json
    printf "\"cold_ms\":%.3f,\"cold_ratio\":%.3f,\"cold_aim\":1.6,", cold, cold / empty > json
    printf "\"tests\":%d,\"library_ms\":%.3f,\"test_ms\":%.3f,", tests, library, per_test > json
    printf "\"test_ratio\":%.3f,\"test_aim\":0.35,", per_test / empty > json
    printf "\"pair_ms\":%.3f,\"pair_speedup\":%.3f}\n", pair, library / pair > json
}'
printf '\nwritten to %s\n' "${build#"$PWD"/}/bench.json"
