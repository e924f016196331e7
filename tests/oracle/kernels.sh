#!/usr/bin/env bash
# Compares ptxlitmus with the oracle on the modules of tests/kernels: the same tests, with the same verdicts and states.
#
# usage: kernels.sh BUILD
set -u
build=$(realpath "${1:?usage: kernels.sh BUILD}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Of each line of JSON the test, the verdict and the states, a line each.
results() {
    grep -oE '"test":"[^"]*"|"verdict":"[^"]*"|"states":\[.*\],"complete":true'
}

tests=0 failed=0
for module in tests/kernels/*.ptx; do
    [ -e "$module.litmus" ] || grep -q '^// PTXLITMUS' "$module" || continue
    ! grep -qs '^kernel .* threads ' "$module.litmus" || continue # left_out.pl compares such
    (ulimit -t 300 && exec "$build/tests/oracle/ptxlitmus-oracle" --proxy-fences local "$module") | results >"$work/oracle"
    "$build/ptxlitmus" --format json --proxy-fences local "$module" 2>/dev/null | results >"$work/solver"
    cmp -s "$work/oracle" "$work/solver" || { echo "$module:"; diff "$work/oracle" "$work/solver"; failed=1; }
    tests=$((tests + $(grep -c '^"test"' "$work/oracle")))
done
printf '%d tests of modules\n' "$tests"
[ "$tests" -ge 7 ] || { echo "there should be more"; exit 1; }
exit $failed
