#!/bin/bash
# conformance-check must fail whenever it should: one case per line below. $1 is the program.
set -u
check=${1:?conformance-check}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
touch "$scratch/a" "$scratch/b"
wrong=0

# $1: the status that must come; $2: the list; $3: the results; $4: what was left out.
expect() {
  printf '%b' "$2" > "$scratch/list"
  printf '%b' "$3" > "$scratch/results"
  printf '%b' "$4" > "$scratch/left_out"
  "$check" "$scratch/list" "$scratch" "$scratch/results" "$scratch/left_out" > "$scratch/out"
  local status=$?
  if [ $status -ne "$1" ]; then
    echo "status $status instead of $1: $2 | $3 | $4"
    wrong=1
  fi
}

# $1: the file, $2: the kind, $3: the verdict.
result() {
  printf '{"file":"%s","kind":"%s","verdict":"%s"}\\n' "$scratch/$1" "$2" "$3"
}

expect 0 'a,1\n' "$(result a exists allowed)" ''
expect 0 'a,1\n' "$(result a exists always)" ''
expect 0 'a,0\n' "$(result a exists forbidden)" ''
expect 0 'a,1\n' "$(result a '~exists' forbidden)" ''
expect 0 'a,0\n' "$(result a '~exists' always)" ''
expect 0 'a,1\n' "$(result a forall always)" ''
expect 0 'a,0\n' "$(result a forall allowed)" ''
expect 0 'a,1\nb,0\n' "$(result a forall always)" 'b\tbranch\n'
expect 1 'a,0\n' "$(result a exists allowed)" ''
expect 1 'a,1\n' "$(result a exists forbidden)" ''
expect 1 'a,1\n' "$(result a forall allowed)" ''
expect 1 'a,1\n' "$(result a exists unknown)" ''
expect 1 'a,0\n' "$(result a exists unknown)" ''
expect 1 'a,1\n' '{"file":"'"$scratch"'/a","error":"no"}\n' ''
expect 1 'a,1\nb,1\n' "$(result a exists allowed)" ''                         # a row without a result
expect 1 'a,1\n' "$(result a exists allowed)$(result b exists allowed)" ''    # a result without a row
expect 1 'a,1\nc,1\n' "$(result a exists allowed)" 'c\tbranch\n'              # a row without a file
expect 1 'a,1\nb\n' "$(result a exists allowed)" ''                           # not a row
expect 1 'a,1\n' '' 'a\tbranch\n'                                             # no test ran
expect 1 '' '' ''
# No outcome: an exists does not hold, the others do.
empty='"states":[],"complete":true'
expect 0 'a,0\n' "$(result a exists unknown | sed "s/}/,$empty}/")" ''
expect 0 'a,1\n' "$(result a '~exists' unknown | sed "s/}/,$empty}/")" ''
expect 0 'a,1\n' "$(result a forall unknown | sed "s/}/,$empty}/")" ''
expect 1 'a,1\n' "$(result a forall unknown | sed "s/}/,$empty,\"unknown_flags\":[\"hang\"]}/")" ''
expect 1 'a,1\n' "$(result a forall unknown | sed 's/}/,"states":[],"complete":false}/')" ''
exit $wrong
