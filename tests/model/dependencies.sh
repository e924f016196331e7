#!/bin/bash
# Checks dependencies.txt: what the readings of dependencies decide. Where the default and the one as
# written differ, the default has to carry the flag, and nowhere else.
#
#   tests/model/dependencies.sh PROGRAM
set -u
export LC_ALL=C
program=$(realpath "${1:?the program to run}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
count=0

# $1: the reading, $2: the file. Prints one line of JSON.
run() {
  "$program" --verdict --format json --deps "$1" "$2" 2> /dev/null
}

verdict_of() {
  case $1 in
    *"allows values out of thin air"*) echo refused ;;
    *) printf '%s\n' "$1" | sed -nE 's/.*"verdict":"([a-z]*)".*/\1/p' ;;
  esac
}

while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  IFS='|' read -r row test first second third <<< "${line// | /|}"
  file=$(find litmus/library -name "$test.litmus")
  count=$((count + 1))
  [ -f "$file" ] || fail "$row: no test $test"
  for pair in "semantic:$first" "syntactic:$second" "none:$third"; do
    out=$(run "${pair%%:*}" "$file")
    verdict=$(verdict_of "$out")
    [ "$verdict" = "${pair#*:}" ] || fail "$row: $test is $verdict with ${pair%%:*}, not ${pair#*:}"
    flag=no wanted=no
    case $out in *'"dependency-reading"'*) flag=yes ;; esac
    [ "${pair%%:*}" != semantic ] || [ "$first" = "$second" ] || wanted=yes
    [ $flag = $wanted ] || fail "$row: $test with ${pair%%:*}: flag $flag, not $wanted"
  done
done < tests/model/dependencies.txt

# Every test of the folder is in the table.
for file in litmus/library/dependencies/*.litmus; do
  name=$(basename "$file" .litmus)
  grep -qF " | $name | " tests/model/dependencies.txt || fail "$name is not in dependencies.txt"
done
[ $count -ne 0 ] || fail "dependencies.txt names no test"
printf '%d rows, %d failed\n' "$count" "$failed"
[ $failed -eq 0 ]
