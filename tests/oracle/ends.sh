#!/bin/bash
# Compares ptxlitmus with a search of all states on random tests with loops, locks and barriers: whether
# they end, under each promise of forward progress, on a sequentially consistent memory.
#
#   tests/oracle/ends.sh BUILD [COUNT [SEED]]      # 3000 tests, seed 1
#
# Tests in which a thread's end lets others leave a barrier are left out where the search finds that they end.
# Status: 0 when all agree; 1 when a test differs, is undecided, or is one that the search does not judge.
set -u
export LC_ALL=C
build=${1:?the build folder}
count=${2:-3000}
seed=${3:-1}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/tests"
"$build/tests/oracle/ptxlitmus-ends" --generate "$seed" "$count" "$work/tests" || exit 2

failed=0
for promise in cuda fair hsa hsa_obe obe lobe unfair; do
  find "$work/tests" -name '*.litmus' | sort | xargs "$build/tests/oracle/ptxlitmus-ends" --progress "$promise" \
    > "$work/all"
  grep -v ' exits$' "$work/all" > "$work/oracle"
  "$build/ptxlitmus" --target sc --verdict --format json --progress "$promise" "$work/tests" 2> /dev/null |
    sed -nE 's/.*"file":"([^"]*)".*"terminates":"([a-z]*)".*/\1 \2/p' | sort |
    grep -vFf <(sed -n 's/ exits$/ /p' "$work/all"; echo /none/) > "$work/solver"
  [ "$(grep -cE ' (always|maybe|exits)$' "$work/all")" -eq "$count" ] || { echo "$promise: not judged"; failed=1; }
  if ! diff "$work/oracle" "$work/solver" > "$work/diff"; then
    printf '%s: %d of %d tests differ (< the search, > ptxlitmus), the first:\n' "$promise" \
      "$(grep -c '^<' "$work/diff")" "$count"
    head -4 "$work/diff"
    cat "$(sed -n 's/^[<>] \([^ ]*\) .*/\1/p' "$work/diff" | head -1)"
    failed=1
  else
    printf '%s: %d tests of %d, of which %d always end\n' "$promise" "$(wc -l < "$work/oracle")" "$count" "$(grep -c ' always$' "$work/oracle")"
    [ "$(wc -l < "$work/oracle")" -gt "$((count / 2))" ] || { echo "$promise: too few are judged"; failed=1; }
  fi
done
exit $failed
