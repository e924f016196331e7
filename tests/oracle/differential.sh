#!/bin/bash
# Compares ptxlitmus with the oracle on random tests: same outcome sets, same verdicts.
#
#   tests/oracle/differential.sh [option...] BUILD
#
#   --count N        tests under ptx-9.1, and a quarter as many under ptx-7.5 and ptx-6.0 each
#                    (default 2000)
#   --seed S         another seed, other tests (default 1)
#   --model M        only this model (9.1, 7.5 or 6.0), with all N tests
#   --kind K         mixed, shapes or free (default mixed)
#   --cap C          no test with more candidate executions, by estimate (default 200000)
#   --against WHAT   solver (default), or every-order: the oracle against itself with every partial
#                    co and every total sc, which shows that its least orders are enough
#   --keep DIR       leave the tests and both lists of results there
#
# BUILD is the build folder. The first test on which the two differ is printed in full. Status: 0 when
# all agree; 1 when a test differs, or is undecided or missing on one side.
set -u
export LC_ALL=C

fail() {
  echo "differential.sh: $*" >&2
  exit 2
}

count=2000 seed=1 model= kind=mixed cap=200000 against=solver keep=
while [ $# -gt 1 ]; do
  case $1 in
    --count) count=$2 ;;
    --seed) seed=$2 ;;
    --model) model=$2 ;;
    --kind) kind=$2 ;;
    --cap) cap=$2 ;;
    --against) against=$2 ;;
    --keep) keep=$2 ;;
    *) fail "unknown option $1" ;;
  esac
  shift 2
done
build=${1:?the build folder}
oracle=$build/tests/oracle/ptxlitmus-oracle
generate=$build/tests/oracle/ptxlitmus-generate
compare=$build/tests/oracle/ptxlitmus-compare
folder=$keep
if [ -z "$keep" ]; then
  folder=$(mktemp -d) || fail "no temporary folder"
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder" || fail "$folder cannot be made"

# Runs the side that the oracle is compared with. $1: the model, $2: the tests.
run_other() {
  case $against in
    solver) "$build/ptxlitmus" --model "ptx-$1" --format json "$2" ;;
    every-order) "$oracle" --model "$1" --every-order "$2" ;;
    *) fail "--against $against" ;;
  esac
}

# Undecided tests and errors are in the results, where the comparison finds them; what it cannot find
# is a crash. $1: the model, $2: the number of tests.
compare_under() {
  local tests=$folder/$1
  rm -rf "$tests"
  "$generate" --seed "$seed" --count "$2" --out "$tests" --kind "$kind" --cap "$cap" --model "$1" ||
    fail "no tests"
  "$oracle" --model "$1" "$tests" > "$folder/oracle-$1.jsonl"
  local ended=$?
  [ $ended -le 3 ] || fail "the oracle ended with status $ended"
  run_other "$1" "$tests" > "$folder/$against-$1.jsonl" 2> "$folder/messages-$1"
  ended=$?
  if [ $ended -gt 3 ]; then
    tail -20 "$folder/messages-$1" >&2
    fail "the other side ended with status $ended"
  fi
  echo "ptx-$1, seed $seed, $kind: the oracle against $against"
  "$compare" "$folder/oracle-$1.jsonl" "$folder/$against-$1.jsonl" || return 1
  [ "$(wc -l < "$folder/oracle-$1.jsonl")" -eq "$2" ] || fail "not $2 tests"
}

status=0
if [ -n "$model" ]; then
  compare_under "$model" "$count" || status=1
else
  compare_under 9.1 "$count" || status=1
  compare_under 7.5 $(((count + 3) / 4)) || status=1
  compare_under 6.0 $(((count + 3) / 4)) || status=1
fi
exit $status
