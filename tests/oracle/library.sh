#!/bin/bash
# Compares ptxlitmus with the oracle on all tests that ship: same outcome sets, same verdicts.
#
#   tests/oracle/library.sh BUILD
#
# Tests that the oracle does not judge yet are named below, each with its reason; one that is missing
# here, or that the oracle does judge by now, fails the run.
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
build=${1:?the build folder}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

cat > "$scratch/known" <<'KNOWN'
litmus/library/bugs/byte-flags.litmus: accesses of different sizes to the same bytes
litmus/library/proxies/Proxy-generic-async+global.litmus: a proxy fence of one state space
litmus/library/proxies/Proxy-generic-async+shared.litmus: a proxy fence of one state space
litmus/library/proxies/Proxy-tensormap+acquire.litmus: a one-directional proxy fence
litmus/library/proxies/Proxy-tensormap+release+acquire.litmus: a one-directional proxy fence
litmus/library/proxies/Proxy-tensormap+release.litmus: a one-directional proxy fence
KNOWN

"$build/tests/oracle/ptxlitmus-oracle" litmus/library > "$scratch/oracle"
[ $? -eq 3 ] || exit 1 # some stay undecided: those named above
"$build/ptxlitmus" --format json litmus/library > "$scratch/solver" || exit 1
grep '"unsupported":' "$scratch/oracle" |
  sed -E 's/.*"file":"([^"]*)".*"unsupported":"([^"]*)".*/\1: \2/' | sort > "$scratch/left_out"
diff "$scratch/known" "$scratch/left_out" || { echo "what the oracle leaves out has changed"; exit 1; }
cut -d: -f1 "$scratch/known" | sed 's/.*/"file":"&"/' > "$scratch/names"
for side in oracle solver; do
  grep -vFf "$scratch/names" "$scratch/$side" > "$scratch/$side.jsonl"
done
"$build/tests/oracle/ptxlitmus-compare" "$scratch/oracle.jsonl" "$scratch/solver.jsonl"
