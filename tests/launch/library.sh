#!/bin/bash
# Included tests, by a run and by a search of all executions: no answer of the one contradicts the other, and the run
# decides as many as it did.
#
#   tests/launch/library.sh BUILD TOPIC LEAST...
set -u
export LC_ALL=C
build=${1:?the build folder}
shift
failures=0
while [ $# -gt 1 ]; do
  topic=$1 least=$2
  shift 2
  both=$("$build/ptxlitmus" check --method both --no-fix "litmus/library/$topic" 2>&1 | grep "a run of it")
  if [ -n "$both" ]; then
    echo "FAIL: $both"
    failures=$((failures + 1))
  fi
  decided=$("$build/ptxlitmus" check --method run "litmus/library/$topic" 2>/dev/null | grep -c "found by running")
  if [ "$decided" -lt "$least" ]; then
    echo "FAIL: of $topic, the run decides $decided tests, not $least"
    failures=$((failures + 1))
  else
    echo "ok: $topic: $decided decided"
  fi
done
[ "$failures" = 0 ]
