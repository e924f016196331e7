#!/bin/bash
# Checks progress.txt: under which promises of forward progress tests end.
#
#   tests/model/progress.sh PROGRAM
set -u
export LC_ALL=C
program=$(realpath "${1:?the program to run}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
count=0

# check FILE PROMISE EXPECTED
check() {
  local got
  got=$("$program" --verdict --progress "$2" "$1" 2> /dev/null | sed -n 's/^Terminates //p')
  count=$((count + 1))
  [ "$got" = "$3" ] || fail "$1 ends ${got:-not known} under $2, not $3"
}

while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  IFS='|' read -r test ends open <<< "${line// | /|}"
  file=litmus/library/progress/$test.litmus
  [ -f "$file" ] || fail "no test $test"
  [ "$ends" != - ] || ends=
  for promise in $ends; do check "$file" "$promise" always; done
  for promise in $open; do check "$file" "$promise" maybe; done
done < tests/model/progress.txt
for file in litmus/library/progress/*.litmus; do
  name=$(basename "${file%.litmus}")
  grep -qF "$name |" tests/model/progress.txt || fail "progress.txt lacks $name"
done
[ $count -ne 0 ] || fail "progress.txt names no test"
printf '%d verdicts, %d failed\n' "$count" "$failed"
[ $failed -eq 0 ]
