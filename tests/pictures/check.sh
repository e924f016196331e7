#!/usr/bin/env bash
# Pictures: what an SVG shows is what the explanation in JSON says, boxes do not overlap, each relation has its label and its
# line in the legend, no text is cut, long programs are folded, and stale reads have their fr.
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
    "$program" explain --remedies 0 --format svg "$test" >"$work/$name.svg" || { fail "$test: no picture"; continue; }
    perl tests/pictures/check.pl "$work/$name.json" "$work/$name.svg" || fail "$test"
    grep -q '^<svg role="img"' "$work/$name.svg" && grep -q '^<desc>An execution' "$work/$name.svg" ||
        fail "$test: the picture has no words"
    ! command -v xmllint >/dev/null || xmllint --noout "$work/$name.svg" || fail "$test: not XML"
done

# --show: a relation of the model, by its name; of a transitive one, no pair that follows from two others.
"$program" explain --format svg --show bc,loc "$library/message-passing/MP.litmus" >"$work/shown.svg"
[ "$(grep -c '<title>bc:' "$work/shown.svg")" -eq 3 ] || fail 'the pairs of bc'
grep -q '<title>loc: P0:0 to P1:1<' "$work/shown.svg" || fail 'the pairs of loc'

# A read of a stale value has an edge to the write that overwrites it; one of the newest value has none.
stale() { "$program" explain --remedies 0 --format svg --state "P1:%r0=1, P1:%r1=$1" "$library/message-passing/MP+relaxed.litmus"; }
stale 0 | grep -q '<title>fr: P1:1 to P0:0<' || fail 'a stale read without fr'
! stale 1 | grep -q '<title>fr:' || fail 'fr of a read that is not stale'

# Accesses that take no part in a long program are left out, and their number is said.
{
    echo 'PTX long'
    for i in $(seq 30); do echo ".global .u32 y$i;"; done
    echo '.global .u32 x; .global .u32 f;'
    echo 'P0@cta 0 {'
    echo '  st.weak.global.u32 [x], 1;'
    for i in $(seq 30); do echo "  st.weak.global.u32 [y$i], 1;"; done
    echo '  st.release.gpu.global.u32 [f], 1;'
    echo '}'
    echo 'P1@cta 1 { ld.acquire.gpu.global.u32 %r0, [f]; ld.weak.global.u32 %r1, [x]; }'
    echo 'exists (P1:%r0 == 1 /\ P1:%r1 == 0)'
} >"$work/long.litmus"
"$program" explain --remedies 0 --format svg "$work/long.litmus" >"$work/long.svg"
[ "$(grep -c 'class="event"' "$work/long.svg")" -eq 4 ] || fail 'a long program that is not folded'
grep -q '>po, 30 not shown<' "$work/long.svg" || fail 'accesses left out, and no word of it'

# A long instruction is on several lines, and all of it is there.
"$program" explain --remedies 0 --format svg Mbarrier-MP >"$work/lines.svg"
grep -q '>mbarrier.arrive' "$work/lines.svg" && ! grep -q '[.][.][.]<' "$work/lines.svg" || fail 'a text that is cut'
printf '%d failures\n' "$failures"
exit $((failures > 0))
