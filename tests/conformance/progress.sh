#!/bin/bash
# Runs programs of which others say under which promises of forward progress they end, and compares:
#
#   tests/conformance/progress.sh PTXLITMUS FOLDER [N]
#
# FOLDER is the `conformance` folder, which is not part of this repository: without it the status is 77,
# which ctest reports as skipped. The verdicts are those of progress/expected.csv, five for each of 483
# programs, and of Dat3M's lists of liveness, for `fair`. With N, only every N-th program of the first
# runs. A program without a verdict fails the run.
set -u
export LC_ALL=C

program=${1:?the program to run}
folder=${2:?the folder with progress and dat3m in it}
step=${3:-1}
rows=$folder/progress/expected.csv
if [ ! -f "$rows" ]; then
  echo "$rows: not there, nothing to compare with"
  exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# check PROMISE: runs the programs of $work/wanted, lines of "PATH 1" (it always ends) or "PATH 0".
check() {
  cut -d' ' -f1 "$work/wanted" | xargs "$program" --verdict --format json --progress "$1" \
    2> "$work/messages" > "$work/results"
  sed -nE 's/.*"file":"([^"]*)".*"terminates":"([a-z]*)".*/\1 \2/p' "$work/results" |
    sed 's/ always$/ 1/; s/ maybe$/ 0/' > "$work/got"
  sed -nE 's/.*"total_ms":([0-9.]*).*/\1/p' "$work/results" >> "$work/times"
  diff <(sort "$work/wanted") <(sort "$work/got") > "$work/diff" && return
  printf '%s: other verdicts than expected (<):\n' "$1"
  head -40 "$work/diff"
  failed=1
}

failed=0 count=0
for promise in fair hsa hsa_obe lobe obe; do
  grep -v '^#' "$rows" | awk -F, -v promise="$promise" -v step="$step" -v folder="$folder" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == promise) column = i; next }
    NR % step == 0 { print folder "/dat3m/PTX/CADP/" $1 ".litmus", $column }' > "$work/wanted"
  [ -s "$work/wanted" ] || { echo "$promise: no program"; exit 1; }
  count=$((count + $(wc -l < "$work/wanted")))
  check "$promise"
done
for list in "$folder"/dat3m/expected-*-Liveness.csv; do
  grep -v CADP "$list" | tr , ' ' | sed "s|^|$folder/dat3m/|" > "$work/wanted"
  count=$((count + $(wc -l < "$work/wanted")))
  check fair
done
printf '%d verdicts; milliseconds each: ' "$count"
sort -n "$work/times" | awk '{ ms[NR] = $1 } END { printf "median %.0f, longest %.0f\n", ms[int((NR + 1) / 2)], ms[NR] }'
exit $failed
