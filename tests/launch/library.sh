#!/bin/bash
# Included tests, by a run and by a search of all executions: no answer of the one contradicts the other, and the run
# decides as many as it did.
#
#   tests/launch/library.sh BUILD TOPIC LEAST...        (a topic, or a folder of other tests)
set -u
export LC_ALL=C
build=${1:?the build folder}
shift
failures=0
while [ $# -gt 1 ]; do
  topic=$1 least=$2 folder=litmus/library/$1
  shift 2
  [ -d "$folder" ] || folder=$topic
  both=$("$build/ptxlitmus" check --method both --no-fix "$folder" 2>&1 | grep "a run of it")
  if [ -n "$both" ]; then
    echo "FAIL: $both"
    failures=$((failures + 1))
  fi
  decided=$("$build/ptxlitmus" check --method run "$folder" 2>/dev/null | grep -c "found by running")
  if [ "$decided" -lt "$least" ]; then
    echo "FAIL: of $topic, the run decides $decided tests, not $least"
    failures=$((failures + 1))
  else
    echo "ok: $topic: $decided decided"
  fi
done
[ "$failures" = 0 ]
