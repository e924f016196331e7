#!/bin/bash
# Runs programs of others thread by thread (check --method run), and compares whether they end with what others say of it:
#
#   tests/conformance/runs.sh PTXLITMUS FOLDER [N]
#
# FOLDER is the `conformance` folder, which is not part of this repository: without it the status is 77, which ctest reports
# as skipped. The programs are the 483 of progress/expected.csv, each judged by whether it always ends where all threads are
# served (`fair`). A run that does not decide says nothing, but most have to decide. With N, only every N-th program runs.
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

count=0 decided=0 failed=0
while read -r name expected; do
  count=$((count + 1))
  said=$("$program" check --method run --no-fix --timeout 2 --format json "$folder/dat3m/PTX/CADP/$name.litmus" 2> /dev/null)
  case $said in
    *'"terminates":"always"'*) ends=1 ;;
    *'"flags":["hang"]'*) ends=0 ;;
    *'"decides":false'*) continue ;;
    *) echo "$name: no answer: $said"; failed=1; continue ;;
  esac
  decided=$((decided + 1))
  if [ "$ends" != "$expected" ]; then
    echo "$name: always ends: $ends, expected $expected"
    failed=1
  fi
done < <(grep -v '^#' "$rows" | awk -F, -v step="$step" 'NR > 1 && NR % step == 0 { print $1, $2 }')
echo "$count programs, $decided decided"
[ "$count" -gt 0 ] && [ $((decided * 100)) -ge $((count * 60)) ] || failed=1
exit $failed
