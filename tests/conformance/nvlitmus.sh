#!/bin/bash
# Runs nvlitmus's own tests (NVlabs/mixedproxy) and compares each verdict with what the file says:
# `permit` must be allowed, `assert` must hold in every execution.
#
#   tests/conformance/nvlitmus.sh PROGRAM CONFORMANCE_CHECK FOLDER [MODEL...]
#
# Dependencies are taken as written, and accesses read as whole (memory-model: syntactic dependencies, torn accesses). PROGRAM is ptxlitmus or the oracle; FOLDER is the `conformance` folder with `nvlitmus` in it, which
# is not part of this repository: without it the status is 77, which ctest reports as skipped.
#
# What the files say is taken from their text by awk, not by the readers: so a row that is lost, or
# whose command is misread, fails the run.
set -u
export LC_ALL=C

# The test that nvlitmus decides otherwise than the ISA: a release that a relaxed store overwrites, and
# another thread's relaxed load of that store with a fence.acq_rel after it. By the ISA (8.8: a release
# pattern may go on to a strong write of the same location, and an acquire pattern may be a strong read
# and a fence after it) the two synchronise, so the outcome is forbidden; nvlitmus's model leaves the
# acquire patterns of fences out ("acquire_sequence" in its alloy/ptx.als), so it permits it.
readonly exception=Release_acquire_pattern

program=${1:?the program to run}
check=${2:?the program conformance-check}
folder=${3:?the conformance folder}/nvlitmus
shift 3
models=("$@")
[ ${#models[@]} -gt 0 ] || models=(ptx-9.1 ptx-7.5)
if [ ! -d "$folder" ]; then
  echo "$folder: not there, nothing to compare with"
  exit 77
fi
format=(--format json)
case ${program##*/} in *oracle*) format=() ;; esac
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tests"

# Prints "NAME KIND" for each test that a file's text holds.
tests_of() {
  local name=${1##*/}
  awk -v name="${name%.test}" '
    function kind(word) {
      return word == "permit" ? "exists" : word == "assert" ? "forall" : "unknown-" word
    }
    /^\$\$[ \t\r]*$/ { table = 1; next }
    !table && match($0, /^(\$[0-9]+|permit|assert|check)[ \t]*\(/) {
      command = substr($0, 1, RLENGTH - 1)
      sub(/[ \t]+$/, "", command)
    }
    table && !/^#/ && NF {
      split($0, cells, "|")
      word = command ~ /^\$/ ? cells[substr(command, 2) + 1] : command
      gsub(/[ \t\r]/, "", word)
      print name "." ++row, kind(word)
    }
    END { if (!table) print name, kind(command) }' "$1"
}

status=0
for file in "$folder"/*.test; do
  tests_of "$file"
done | sort > "$scratch/expected"
if ! grep -q "^$exception " "$scratch/expected"; then
  echo "$exception: the test that is known to differ is not in $folder"
  status=1
fi

# conformance-check looks results up by file: each test gets one of its own.
while read -r name _; do
  : > "$scratch/tests/$name"
  if [ "$name" = $exception ]; then echo "$name,0"; else echo "$name,1"; fi
done < "$scratch/expected" > "$scratch/list"
: > "$scratch/left_out"

for model in "${models[@]}"; do
  "$program" --deps syntactic --tearing none --model "$model" ${format[@]+"${format[@]}"} "$folder"/*.test \
    > "$scratch/output" 2> "$scratch/messages"
  run=$?
  if [ $run -eq 2 ] || [ $run -ge 4 ]; then
    echo "$program --model $model: status $run"
    head -20 "$scratch/messages"
    status=1
  fi
  sed -E "s|^\{\"test\":\"([^\"]*)\",\"file\":\"[^\"]*\"|{\"test\":\"\1\",\"file\":\"$scratch/tests/\1\"|" \
    "$scratch/output" > "$scratch/results"
  sed -nE 's/^\{"test":"([^"]*)",.*"kind":"([^"]*)".*/\1 \2/p' "$scratch/output" | sort \
    > "$scratch/kinds"
  if ! diff "$scratch/expected" "$scratch/kinds"; then
    echo "model $model: other tests or commands (>) than in the files' text (<)"
    status=1
  fi
  echo "model $model"
  "$check" "$scratch/list" "$scratch/tests" "$scratch/results" "$scratch/left_out" || status=1
done
exit $status
