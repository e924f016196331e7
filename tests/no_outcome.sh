#!/usr/bin/env bash
# No empty success: a test without any outcome gets no verdict, in no format and under no quantifier, and is
# fine only if it expects just that. The library, and random tests with loops, locks and barriers.
#
# usage: no_outcome.sh PROGRAM ENDS        (ENDS: ptxlitmus-ends, which makes the random tests)
set -u
export LC_ALL=C

program=$(realpath "${1:?usage: no_outcome.sh PROGRAM ENDS}") || exit 2
ends=$(realpath "${2:?usage: no_outcome.sh PROGRAM ENDS}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

# Random tests, each with all quantifiers and with a filter that leaves nothing.
mkdir "$work/tests" "$work/made"
"$ends" --generate 3 60 "$work/made" || exit 2
for file in "$work/made"/*.litmus; do
    name=$(basename "${file%.litmus}")
    for kind in exists '~exists' forall; do
        sed "s/^exists /$kind /" "$file" >"$work/tests/$name-${kind#\~}$([ "$kind" = '~exists' ] && echo -not).litmus"
    done
    sed 's/^exists /filter (x == 7) exists /' "$file" >"$work/tests/$name-filter.litmus"
done

# Those without an outcome: what JSON, the log and text say of each.
"$program" --format json "$work/tests" litmus/library >"$work/json" 2>"$work/err" </dev/null
status=$?
[ $status -eq 1 ] || [ $status -eq 3 ] || fail "status $status, though some tests are undecided"
grep '"states":\[\],"complete":true' "$work/json" | sed -E 's/.*"file":"([^"]*)".*/\1/' >"$work/none"
empty=$(wc -l <"$work/none")
[ "$empty" -ge 100 ] || fail "only $empty tests without an outcome"
grep -q '^litmus/library/' "$work/none" || fail "no test of the library has no outcome"

grep '"states":\[\],"complete":true' "$work/json" | grep -v '"verdict":"unknown","observation":"Unknown"' >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "a verdict without an outcome: $(head -1 "$work/wrong")"
grep '"states":\[\],"complete":true' "$work/json" | grep -v '"reason":"there is no outcome' >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "no reason is given: $(head -1 "$work/wrong")"
grep '"states":\[\],"complete":true' "$work/json" | grep '"ok":true' |
    grep -vE '"expected":"[^"]*(unreachable|hang)' >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "fine without an outcome, and without expecting so: $(head -1 "$work/wrong")"

xargs "$program" --format log <"$work/none" >"$work/log" 2>/dev/null
awk '/^Test /{ none = 0 } /^States 0$/{ none = 1; count++ }
     none && (/^Ok$/ || (/^Observation / && $3 != "Unknown")) { wrong++; print }
     END { print count + 0, "logs"; exit wrong > 0 }' "$work/log" >"$work/lines" || fail "the log: $(head -3 "$work/lines")"
grep -qx "$empty logs" "$work/lines" || fail "the log: $(tail -1 "$work/lines") of $empty tests say that there is no state"
xargs "$program" --format text --verdict <"$work/none" >"$work/text" 2>/dev/null
said=$(grep -c ': unknown .* there is no outcome' "$work/text")
[ "$said" -eq "$empty" ] || fail "text: $said of $empty tests say that there is no outcome"

# The status of each by itself: 0 only for those that expect it.
while read -r file; do
    "$program" --verdict --quiet "$file" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    case $file in
    litmus/*) [ $status -eq 0 ] || fail "$file: status $status" ;;
    *) [ $status -eq 3 ] || fail "$file: status $status" ;;
    esac
done < <(grep '^litmus/' "$work/none"; grep -v '^litmus/' "$work/none" | head -12)

printf '%d of %d tests have no outcome, %d failures\n' "$empty" "$(wc -l <"$work/json")" "$failed"
[ "$failed" -eq 0 ]
