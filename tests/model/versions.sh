#!/bin/bash
# Checks versions.txt: what the versions of the model decide differently.
#
#   tests/model/versions.sh PROGRAM
set -u
export LC_ALL=C
program=$(realpath "${1:?the program to run}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
count=0

# $1: the model, $2: the file.
verdict_under() {
  local out
  out=$("$program" --verdict --format json --model "$1" "$2" 2> /dev/null)
  case $out in
    *"leaves the program undefined"*) echo undefined ;;
    *'"verdict"'*) printf '%s\n' "$out" | sed -nE 's/.*"verdict":"([a-z]*)".*/\1/p' ;;
    *) echo refused ;;
  esac
}

while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  IFS='|' read -r row test first second third fourth <<< "${line// | /|}"
  file=$(find litmus/library -name "$test.litmus")
  count=$((count + 1))
  [ -f "$file" ] || fail "$row: no test $test"
  [ "$first" != "$second" ] || [ "$second" != "$third" ] || [ -n "$fourth" ] || fail "$row: nothing differs"
  for pair in "ptx-6.0:$first" "ptx-7.5:$second" "ptx-9.1:$third" "ptx-9.3:${fourth:-$third}"; do
    verdict=$(verdict_under "${pair%%:*}" "$file")
    [ "$verdict" = "${pair#*:}" ] || fail "$row: $test is $verdict under ${pair%%:*}, not ${pair#*:}"
  done
done < tests/model/versions.txt
[ $count -ne 0 ] || fail "versions.txt names no test"
printf '%d rows, %d failed\n' "$count" "$failed"
[ $failed -eq 0 ]
