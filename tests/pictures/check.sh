#!/usr/bin/env bash
# Pictures: what a graph in the dot language shows is what the explanation in JSON says, boxes do not overlap, and each
# relation has its label and its line in the legend. Where graphviz is installed, its SVG is well-formed
# and has a title and a description.
#
# usage: check.sh PROGRAM
set -u
program=$(realpath "${1:?usage: check.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }

perl -MJSON::PP -e 1 2>/dev/null || { echo 'no perl with JSON::PP: skipped'; exit 77; }
library=litmus/library
tests="$library/message-passing/MP.litmus $library/message-passing/MP+cta.litmus $library/multi-copy/IRIW.litmus
    $library/proxies/Proxy-surface-texture+fences.litmus $library/barriers/MP+bar.litmus
    $library/atomics/Exch-exch.litmus $library/barriers/Bar-hang.litmus $library/store-buffering/SB+fence.sc.litmus
    $library/message-passing/MP+restricted+global.litmus tests/pictures/six.litmus"
for test in $tests; do
    name=$(basename "$test" .litmus)
    "$program" explain --remedies 0 --format json "$test" >"$work/$name.json" 2>/dev/null
    "$program" explain --remedies 0 --format dot "$test" >"$work/$name.dot" || { fail "$test: no graph"; continue; }
    perl tests/pictures/check.pl "$work/$name.json" "$work/$name.dot" || fail "$test"
    command -v dot >/dev/null || continue
    "$program" explain --remedies 0 --format svg "$test" >"$work/$name.svg" 2>"$work/err" || fail "$test: no picture"
    [ -s "$work/err" ] && fail "$test: graphviz says: $(cat "$work/err")"
    grep -q '^<svg role="img"' "$work/$name.svg" && grep -q '^<desc>An execution' "$work/$name.svg" ||
        fail "$test: the picture has no words"
    ! command -v xmllint >/dev/null || xmllint --noout "$work/$name.svg" || fail "$test: not XML"
done
command -v dot >/dev/null || echo 'no graphviz: pictures are not drawn'

# --show: a relation of the model, by its name; of a transitive one, no pair that follows from two others.
"$program" explain --format dot --show bc,loc "$library/message-passing/MP.litmus" >"$work/shown.dot"
[ "$(grep -c 'tooltip="bc:' "$work/shown.dot")" -eq 3 ] || fail 'the pairs of bc'
grep -q 'tooltip="loc: P0:0 to P1:1"' "$work/shown.dot" || fail 'the pairs of loc'

# Without graphviz: a message, and no result.
PATH="$work" "$program" explain --format svg "$library/message-passing/MP.litmus" >"$work/out" 2>"$work/err"
[ $? -eq 4 ] && [ ! -s "$work/out" ] && grep -q "install graphviz, or draw what '--format dot' prints" "$work/err" ||
    fail 'graphviz that is missing'
printf '%d failures\n' "$failures"
exit $((failures > 0))
