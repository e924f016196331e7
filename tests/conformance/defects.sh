#!/bin/bash
# Runs tests that once got a wrong, empty or undecided answer, and compares what they get now:
#
#   tests/conformance/defects.sh PTXLITMUS FOLDER
#
# FOLDER is the `defects` folder, which is not part of this repository: without it the status is 77,
# which ctest reports as skipped. A row without a file and a file without a row fail the run.
set -u
export LC_ALL=C

program=${1:?the program to run}
folder=${2:?the folder of the defects}
if [ ! -d "$folder" ]; then
  echo "$folder: not there, nothing to compare with"
  exit 77
fi

# test | options | exit status | words that the output must have, with ';' between | words that it must not have
rows() {
  cat <<'ROWS'
01-mov-pred-minus-one | | 0 | Always 1 0 |
02-mul-f32-message | | 2 | mul.f32;fma.rn.f32 | .lo
03-spin-through-local | | 0 | Never 0 1 | Flag bound
04-nanosleep-backoff | | 0 | Never 0 1 | Flag bound
05-counted-loop | | 0 | Always 1 0 | Flag bound
06-forall-failure-wording | --verdict | 1 | some outcome violates it | some outcome satisfies it
07-no-implication | | 0 | Always |
08-valid-ptx-called-wrong | | 2 | vadd | is not a PTX instruction;unknown qualifier;takes no;no PTX instruction
10-vacuous-pass | | 3 | Flag hang | Never
11-poll-with-atomicAdd-0 | | 0 | Never 0 1 | Flag bound
12-triton-wait-1 | | 0 | Never 0 1 | Flag bound
13-triton-wait-2 | | 0 | Never 0 1 | Flag bound;data-race
14-cutlass-wait | | 0 | Never 0 1 | Flag bound;data-race
15-triton-wait-racy | | 0 | Sometimes;Flag data-race |
D2a-silent-never-unroll | | 0 | Sometimes 1 1 | Flag bound
D3a-torn-weak | | 0 | Sometimes;tearing-reading |
D3a-torn-weak | --tearing none | 0 | Never |
D4-counted-barrier-exit | | 0 | Always 1 0 | Flag hang
D5-tensormap-scope | | 0 | Sometimes |
D6-bar-red-mixed | | 3 | Flag barrier-misuse;Unknown | Never
D7-mixed-size-atomics | | 0 | Never |
D8-lb-guarded-mov | | 0 | Sometimes;dependency-reading |
D8-lb-guarded-mov | --deps syntactic | 1 | Never |
D9-cluster-relaxed-fence | | 0 | Never |
D10-hang-behind-spin | | 0 | Always;Flag hang | Never
D11-exit-thin-air | | 0 | Never |
branches-300 | --timeout 1 | | | internal error
ROWS
}

failures=0
complain() {
  echo "$*"
  failures=$((failures + 1))
}

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

# check NAME OPTIONS STATUS PRESENT ABSENT
check() {
  local options out status word words
  read -ra options <<<"$2"
  out=$("$program" "${options[@]}" "$folder/$1.litmus" 2>&1)
  status=$?
  [ -z "$3" ] || [ "$status" = "$3" ] || complain "$1 $2: status $status, expected $3"
  IFS=';' read -ra words <<<"$4"
  for word in "${words[@]}"; do
    grep -qF -- "$word" <<<"$out" || complain "$1 $2: does not say '$word'"
  done
  IFS=';' read -ra words <<<"$5"
  for word in "${words[@]}"; do
    ! grep -qF -- "$word" <<<"$out" || complain "$1 $2: says '$word'"
  done
}

# Where time is short, an undefined program must not be called decided: it is when there is enough.
# (By the clock, so that machines of all speeds come by the limits that matter.)
undefined_in_little_time() {
  local name=D1-timeout-never seconds out
  for seconds in 0.05 0.1 0.2 0.3 0.4 0.5 0.7 1; do
    out=$("$program" --timeout "$seconds" "$folder/$name.litmus" 2>&1)
    ! grep -qE "^Observation [^ ]* Never" <<<"$out" ||
      complain "$name --timeout $seconds: Never, of an undefined program"
  done
  for megabytes in 40 50 60 70 80 100; do
    out=$("$program" --timeout 5 --memory "$megabytes" "$folder/$name.litmus" 2>&1)
    ! grep -qE "^Observation [^ ]* Never" <<<"$out" ||
      complain "$name --memory $megabytes: Never, of an undefined program"
  done
}

names=' D1-timeout-never '
while IFS='|' read -r name options status present absent; do
  name=$(trim "$name")
  names+="$name "
  if [ ! -f "$folder/$name.litmus" ]; then
    complain "$name: no such file"
    continue
  fi
  check "$name" "$(trim "$options")" "$(trim "$status")" "$(trim "$present")" "$(trim "$absent")"
done < <(rows)
undefined_in_little_time
for file in "$folder"/*.litmus; do
  name=$(basename "$file" .litmus)
  [[ $names == *" $name "* ]] || complain "$name: not in the table"
done
echo "$(rows | wc -l) rows, $failures failures"
[ "$failures" -eq 0 ]
