#!/bin/bash
# Compares ptxlitmus with the oracle on random tests: same outcome sets, verdicts and flags.
#
#   tests/oracle/differential.sh [option...] BUILD
#
#   --count N        tests of the kind under ptx-9.1, and a quarter as many under ptx-7.5 and ptx-6.0
#                    each (default 2000)
#   --seed S         another seed, other tests (default 1)
#   --model M        only this model (9.3, 9.1, 7.5 or 6.0), with all N tests
#   --kind K         mixed (the default), shapes, free; or proxies, branches, sizes, barriers,
#                    restricted, floats, values, sections, mbarriers, async, warps, grids, multimem, tensor, later, products; or parts,
#                    which shares N among the last sixteen
#   --deps D         which dependencies count, for both sides: semantic (the default), syntactic or none. Where no
#                    dependency counts, values come out of thin air: tests in which the value or the address of a
#                    write depends on a read, which the oracle refuses then, and those with an address that depends
#                    on a load, which ptxlitmus refuses, are left out, and their numbers are printed
#   --cap C          no test with more candidate executions, by estimate (default 200000; 1000 for
#                    the kinds of parts: outcomes are many, and listing them takes the solver
#                    long)
#   --tearing R      which accesses may be torn, for both sides: none (the default), bytes or both. Each byte
#                    that can be read separately doubles what there is to try
#   --proxy-fences R where a proxy fence counts, for both sides: both (the default), local or path
#   --relaxed-waits R, --async-proxies R, --async-place R, --st-async R, --mbarrier-observation R,
#   --grid-waits R, --multimem R
#                    those of other rules, for both sides (default both)
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

tearing=none
count=2000 seed=1 model= kind=mixed cap= against=solver keep= reading=both deps=semantic readings=()
while [ $# -gt 1 ]; do
  case $1 in
    --count) count=$2 ;;
    --seed) seed=$2 ;;
    --model) model=$2 ;;
    --kind) kind=$2 ;;
    --cap) cap=$2 ;;
    --proxy-fences) reading=$2 ;;
    --relaxed-waits | --async-proxies | --async-place | --st-async | --mbarrier-observation | --grid-waits | --multimem)
      readings+=("$1" "$2")
      ;;
    --tearing) tearing=$2 ;;
    --deps) deps=$2 ;;
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
    solver) "$build/ptxlitmus" --model "ptx-$1" --proxy-fences "$reading" "${readings[@]}" --deps "$deps" \
      --tearing "$tearing" --format json "$2" ;;
    every-order) "$oracle" --model "$1" --proxy-fences "$reading" "${readings[@]}" --deps "$deps" \
      --tearing "$tearing" --every-order "$2" ;;
    *) fail "--against $against" ;;
  esac
}

# Takes the tests of which one side says a reason out of results, and removes them. $1: the reason, $2: where it is said,
# then the results.
leave_out() {
  local reason=$1 names
  names=$(grep -F "$reason" "$2" | grep -o '"file":"[^"]*"')
  shift 2
  echo "left out, since one side says '$reason': $(grep -c . <<< "$names")"
  [ -n "$names" ] || return 0
  for results in "$@"; do
    grep -vF "$names" "$results" > "$results.left"
    mv "$results.left" "$results"
    [ -s "$results" ] || fail "no test is left"
  done
  cut -d'"' -f4 <<< "$names" | xargs -d '\n' rm -f
}

# Undecided tests and errors are in the results, where the comparison finds them; what it cannot find
# is a crash. $1: the model, $2: the number of tests, $3: their kind.
compare_under() {
  local tests=$folder/$3-$1 cap=$cap
  [ -n "$cap" ] || case $3 in mixed | shapes | free | sections) cap=200000 ;; *) cap=1000 ;; esac
  rm -rf "$tests"
  "$generate" --seed "$seed" --count "$2" --out "$tests" --kind "$3" --cap "$cap" --model "$1" ||
    fail "no tests"
  # Locks are loops that wait, six in a test: with more rounds of each the paths are too many.
  local rounds=2
  [ "$3" != sections ] || rounds=0
  "$oracle" --model "$1" --proxy-fences "$reading" "${readings[@]}" --deps "$deps" --tearing "$tearing" \
    --rounds "$rounds" "$tests" > "$folder/oracle-$3-$1.jsonl"
  local ended=$?
  [ $ended -le 3 ] || fail "the oracle ended with status $ended"
  [ "$(wc -l < "$folder/oracle-$3-$1.jsonl")" -eq "$2" ] || fail "not $2 tests"
  # ptxlitmus would go on for ever with some of them, which have as many outcomes as values.
  [ "$deps" != none ] ||
    leave_out "writes that depend on reads" "$folder/oracle-$3-$1.jsonl" "$folder/oracle-$3-$1.jsonl"
  run_other "$1" "$tests" > "$folder/$against-$3-$1.jsonl" 2> "$folder/messages-$3-$1"
  ended=$?
  if [ $ended -gt 3 ]; then
    tail -20 "$folder/messages-$3-$1" >&2
    fail "the other side ended with status $ended"
  fi
  [ "$deps" != none ] ||
    leave_out "allows values out of thin air" "$folder/$against-$3-$1.jsonl" \
      "$folder/oracle-$3-$1.jsonl" "$folder/$against-$3-$1.jsonl"
  echo "ptx-$1, seed $seed, $3: the oracle against $against"
  "$compare" "$folder/oracle-$3-$1.jsonl" "$folder/$against-$3-$1.jsonl" || return 1
}

# $1: the kind, $2: the number of tests. 6.0 has no proxies, and only 9.1 is tried with restricted fences, mbarriers, asynchronous copies, redux and multimem.
compare_kind() {
  local quarter=$((($2 + 3) / 4))
  if [ -n "$model" ]; then
    compare_under "$model" "$2" "$1" || status=1
    return
  fi
  case $1 in later | products) compare_under 9.3 "$2" "$1" || status=1; return ;; esac
  compare_under 9.1 "$2" "$1" || status=1
  case $1 in restricted | mbarriers | async | warps | multimem | tensor) return ;; esac
  compare_under 7.5 $quarter "$1" || status=1
  [ "$1" = proxies ] || [ "$1" = grids ] || compare_under 6.0 $quarter "$1" || status=1
}

status=0
if [ "$kind" = parts ]; then
  for part in proxies branches sizes barriers restricted floats values sections mbarriers async warps grids multimem tensor later products; do
    compare_kind $part $(((count + 9) / 10))
  done
else
  compare_kind "$kind" "$count"
fi
exit $status
