#!/bin/bash
# Compares ptxlitmus with a search of all states on random tests with loops, locks and barriers: whether
# they end, under each promise of forward progress.
#
#   tests/oracle/ends.sh BUILD [COUNT [SEED]]      # 3000 tests, seed 1
#
# The search is of a sequentially consistent memory, so that the answers are compared with those on the
# target sc. Those under the model of PTX, which allows more, must never be `always` where the search finds a
# run that does not end; and half as many tests with a fence.sc after each access, under that model, must
# get the answers of the search.
#
# Status: 0 when all agree; 1 when a test differs, is undecided, or is one that the search does not judge.
set -u
export LC_ALL=C
build=${1:?the build folder}
count=${2:-3000}
seed=${3:-1}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/plain" "$work/fenced"
"$build/tests/oracle/ptxlitmus-ends" --generate "$seed" "$count" "$work/plain" || exit 2
"$build/tests/oracle/ptxlitmus-ends" --generate-fenced "$seed" "$((count / 2))" "$work/fenced" || exit 2
failed=0

# search KIND PROMISE: what the search says of the tests, into $work/KIND.all
search() {
  find "$work/$1" -name '*.litmus' | sort | xargs "$build/tests/oracle/ptxlitmus-ends" --progress "$2" > "$work/$1.all"
  [ "$(grep -cE ' (always|maybe)$' "$work/$1.all")" -eq "$(wc -l < "$work/$1.all")" ] || {
    echo "$2: not judged: $(grep -vE ' (always|maybe)$' "$work/$1.all" | head -1)"
    failed=1
  }
}

# solve KIND PROMISE [OPTION...]: what ptxlitmus says of them, into $work/solver
solve() {
  local kind=$1 promise=$2
  shift 2
  "$build/ptxlitmus" "$@" --verdict --format json --progress "$promise" "$work/$kind" 2> /dev/null |
    sed -nE 's/.*"file":"([^"]*)".*"terminates":"([a-z]*)".*/\1 \2/p' | sort > "$work/solver"
}

# same KIND PROMISE WHERE: the answers have to be those of the search
same() {
  if diff "$work/$1.all" "$work/solver" > "$work/diff"; then
    printf '%s, %s: %d tests agree, of which %d always end\n' "$2" "$3" "$(wc -l < "$work/solver")" \
      "$(grep -c ' always$' "$work/solver")"
    [ -s "$work/solver" ] || failed=1
    return
  fi
  printf '%s, %s: %d tests differ (< the search, > ptxlitmus), the first:\n' "$2" "$3" "$(grep -c '^<' "$work/diff")"
  head -4 "$work/diff"
  cat "$(sed -n 's/^[<>] \([^ ]*\) .*/\1/p' "$work/diff" | head -1)"
  failed=1
}

for promise in cuda fair hsa hsa_obe obe lobe unfair; do
  search plain "$promise"
  solve plain "$promise" --target sc
  same plain "$promise" "target sc"

  solve plain "$promise"
  comm -12 <(sed -n 's/ maybe$//p' "$work/plain.all") <(sed -n 's/ always$//p' "$work/solver") > "$work/wrong"
  if [ -s "$work/wrong" ] || [ "$(wc -l < "$work/solver")" -ne "$count" ]; then
    echo "$promise, ptx-9.1: of these tests a run is known that does not end:"
    head -3 "$work/wrong"
    failed=1
  else
    printf '%s, ptx-9.1: %d tests, of which %d always end; none that the search has a run without end for\n' \
      "$promise" "$count" "$(grep -c ' always$' "$work/solver")"
  fi

  search fenced "$promise"
  solve fenced "$promise"
  same fenced "$promise" "ptx-9.1, fenced"
done
exit $failed
