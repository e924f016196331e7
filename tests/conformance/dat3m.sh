#!/bin/bash
# Runs the PTX tests of Dat3M and compares the verdicts with its lists of expected ones:
#
#   tests/conformance/dat3m.sh PTXLITMUS CONFORMANCE_CHECK FOLDER [MODEL=LIST ...]
#
# Dependencies are taken as written, and accesses read as whole, as Dat3M does (memory-model:
# syntactic dependencies, torn accesses).
#
# PTXLITMUS is any program that takes --model, --deps and --tearing and prints JSON lines (with --format json,
# unless it is the oracle); FOLDER is the `conformance` folder with `dat3m` in it, which is not part of this
# repository: without it the status is 77, which ctest reports as skipped. Without pairs of a model
# and a list, all pairs below are run.
#
# The lists of liveness say which tests may run for ever; compared are hangs at barriers. One row is
# left out there: XF-Barrier-weak spins on a weak load, which need not ever see the store.
#
# A row without a file, a test without a row and a test without a verdict fail the run.
set -u
export LC_ALL=C

# The tests that are in none of Dat3M's lists: the CADP folder has a list of its own for about a fifth
# of its files, and this one was forgotten there.
readonly without_row='^PTX/(CADP/|Manual/MICRO24-Fig4b-correct\.litmus$)'

program=${1:?the program to run}
check=${2:?the program conformance-check}
folder=${3:?the conformance folder}/dat3m
shift 3
pairs=("$@")
if [ ${#pairs[@]} -eq 0 ]; then
  pairs=(ptx-6.0=expected-v6_0.csv ptx-7.5=expected-v7_5.csv ptx-9.1=expected-v7_5.csv)
  pairs+=(ptx-6.0=expected-v6_0-Liveness.csv ptx-7.5=expected-v7_5-Liveness.csv
    ptx-9.1=expected-v7_5-Liveness.csv)
fi
if [ ! -d "$folder" ]; then
  echo "$folder: not there, nothing to compare with"
  exit 77
fi
format=(--format json)
case ${program##*/} in *oracle*) format=() ;; esac
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# Prints why a test is left out, or nothing.
reason_to_leave_out() {
  case $2:$1 in *Liveness.csv:*/XF-Barrier-weak.litmus)
    echo "spin on a weak load"
    return ;;
  esac
}

status=0
for pair in "${pairs[@]}"; do
  model=${pair%%=*}
  list=$folder/${pair#*=}
  files=()
  : > "$scratch/left_out"
  while IFS=, read -r row expected || [ -n "$row" ]; do
    reason=$(reason_to_leave_out "$folder/$row" "$list" 2> "$scratch/unreadable")
    if [ -n "$reason" ]; then
      printf '%s\t%s\n' "$row" "$reason" >> "$scratch/left_out"
    else
      files+=("$folder/$row")
    fi
  done < "$list"
  "$program" --deps syntactic --tearing none --model "$model" ${format[@]+"${format[@]}"} "${files[@]}" \
    > "$scratch/results" 2> "$scratch/messages"
  run=$?
  if [ $run -eq 2 ] || [ $run -ge 4 ]; then
    echo "$program --model $model: status $run"
    head -20 "$scratch/messages"
    status=1
  fi
  echo "model $model"
  "$check" "$list" "$folder" "$scratch/results" "$scratch/left_out" || status=1
done

# Every test is in some list, or known not to be.
(cd "$folder" && find PTX -name '*.litmus' | sort) > "$scratch/files"
cut -d, -f1 "$folder"/expected-*.csv | sort -u > "$scratch/rows"
missing=$(comm -23 "$scratch/files" "$scratch/rows" | grep -vE "$without_row")
if [ -n "$missing" ]; then
  echo "tests in none of the lists:"
  echo "$missing"
  status=1
fi
exit $status
