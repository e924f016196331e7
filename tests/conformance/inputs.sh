#!/bin/bash
# Runs inputs that once got a wrong, empty, misleading or undecided answer, or published bugs, and compares what they get
# now with a table:
#
#   tests/conformance/inputs.sh PTXLITMUS FOLDER TABLE [N]     # only every Nth row is run
#
# FOLDER is not part of this repository: without it the status is 77, which ctest reports as skipped. A row without a file,
# and a litmus test or manifest without a row, fail the run. What a row has is in the first lines of the tables.
set -u
export LC_ALL=C

program=$(realpath "${1:?the program to run}")
folder=${2:?the folder of the inputs}
table=$(realpath "${3:?the table of what is expected}")
every=${4:-1}
if [ ! -d "$folder" ]; then
  echo "$folder: not there, nothing to compare with"
  exit 77
fi
cd "$folder" || exit 1

failures=0
complain() {
  echo "$*"
  failures=$((failures + 1))
}

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

# check FILE COMMAND OPTIONS STATUS PRESENT ABSENT
check() {
  local options command out status word words
  read -ra command <<<"$2"
  read -ra options <<<"$3"
  out=$("$program" "${command[@]}" "$1" "${options[@]}" 2>&1 </dev/null)
  status=$?
  [ -z "$4" ] || [ "$status" = "$4" ] || complain "$2 $1 $3: status $status, expected $4"
  IFS=';' read -ra words <<<"$5"
  for word in "${words[@]}"; do
    grep -qF -- "$(trim "$word")" <<<"$out" || complain "$2 $1 $3: does not say '$word'"
  done
  IFS=';' read -ra words <<<"$6"
  for word in "${words[@]}"; do
    ! grep -qF -- "$(trim "$word")" <<<"$out" || complain "$2 $1 $3: says '$word'"
  done
}

# Where time is short, an undefined program must not be called decided: it is when there is enough.
# (By several limits, so that machines of all speeds come by the ones that matter.)
undefined_in_little_time() {
  local file=$1 limit out
  for limit in "--timeout 0.05" "--timeout 0.1" "--timeout 0.2" "--timeout 0.3" "--timeout 0.4" "--timeout 0.5" \
    "--timeout 0.7" "--timeout 1" "--timeout 5 --memory 40" "--timeout 5 --memory 50" "--timeout 5 --memory 60" \
    "--timeout 5 --memory 70" "--timeout 5 --memory 80" "--timeout 5 --memory 100"; do
    # shellcheck disable=SC2086
    out=$("$program" $limit "$file" 2>&1)
    ! grep -qE "^Observation [^ ]* Never" <<<"$out" || complain "$file $limit: Never, of an undefined program"
  done
}

names=' '
count=0
while IFS='|' read -r file command options status present absent; do
  file=$(trim "$file")
  case $file in '' | '#'*) continue ;; esac
  names+="$file "
  count=$((count + 1))
  command=$(trim "$command")
  if [ ! -f "$file" ]; then
    complain "$file: no such file"
  elif [ $((count % every)) -ne 0 ]; then
    continue
  elif [ "$command" = "in little time" ]; then
    undefined_in_little_time "$file"
  else
    check "$file" "$command" "$(trim "$options")" "$(trim "$status")" "$(trim "$present")" "$(trim "$absent")"
  fi
done <"$table"
while read -r file; do
  # A manifest is an input together with its module.
  [[ $names == *" ${file#./} "* || $names == *" $(sed 's/^..//; s/\.litmus$//' <<<"$file") "* ]] ||
    complain "$file: not in the table"
done < <(find . -name '*.litmus' | sort)
echo "$count rows, $failures failures"
[ "$failures" -eq 0 ]
