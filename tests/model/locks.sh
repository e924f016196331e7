#!/bin/bash
# Checks locks.txt: under which promises of forward progress locks and barriers end, by ptxlitmus and by a search of
# all states; and that docs/memory-model/loops.md lists them all.
#
#   tests/model/locks.sh PROGRAM ENDS        (ENDS: ptxlitmus-ends, the search)
set -u
export LC_ALL=C
program=$(realpath "${1:?the program to run}") || exit 2
ends=$(realpath "${2:?the search to run}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
count=0

# check FILE PROMISE EXPECTED: a promise after "unknown:" is one that only the search knows
check() {
  local promise=${2#unknown:} want=$3 got
  [ "$promise" = "$2" ] || want=unknown
  got=$("$program" --verdict --progress "$promise" "$1" 2> /dev/null | sed -n 's/^Terminates //p')
  [ "$got" = "$want" ] || fail "$1 ends ${got:-not known} under $promise, not $want"
  got=$("$ends" --progress "$promise" "$1" | sed 's/.* //')
  [ "$got" = "$3" ] || fail "$1: the search says $got under $promise, not $3"
  count=$((count + 1))
}

while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  IFS='|' read -r test always maybe <<< "${line// | /|}"
  file=tests/model/locks/$test.litmus
  [ -f "$file" ] || fail "no test $test"
  [ "$always" != - ] || always=
  [ "$maybe" != - ] || maybe=
  for promise in $always; do check "$file" "$promise" always; done
  for promise in $maybe; do check "$file" "$promise" maybe; done
  grep -qF "| $test |" docs/memory-model/loops.md || fail "docs/memory-model/loops.md does not list $test"
done < tests/model/locks.txt
for file in tests/model/locks/*.litmus; do
  name=$(basename "${file%.litmus}")
  [ "$(head -n 1 "$file")" = "PTX $name" ] || fail "$file: the test is not named $name"
  grep -qF "$name |" tests/model/locks.txt || fail "locks.txt lacks $name"
done
[ $count -ge 100 ] || fail "only $count verdicts"
printf '%d verdicts, %d failed\n' "$count" "$failed"
[ $failed -eq 0 ]
